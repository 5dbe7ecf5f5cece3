"""Before the user has agreed nothing outside of a folder is opened, whatever is asked (R4): the
system itself tells which files were opened."""

import json

import pytest
from metamodel import ROOT
from outside import ABOVE, FILES, LINKS, QUESTIONS, TEXT
from test_abilities import ALL
from test_questions import METHOD, TRUST, closes, presses, refusal
from test_stock import client
from test_trust import CANARY, Watch


@pytest.fixture
def outside(folder):
    """Files and folders beside the folder, and links to them; all are watched."""
    far = folder.parent / "far"
    for name, text in FILES.items():
        (far / name).parent.mkdir(parents=True, exist_ok=True)
        (far / name).write_text(text)
    for name, target in LINKS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(far / target)
    (folder / "nested/inside.http").write_text("@inside = 1\n")
    for name in ABOVE:
        (folder.parent / name).write_text(FILES["postkit.json"])
    (folder.parent / ".git").mkdir()
    return Watch(*(far / name for name in FILES), far, far / "inner",
                 *(folder.parent / name for name in ABOVE), folder.parent / ".git")


@pytest.fixture
def session(store, folder, outside):
    """A client that can do everything, and closes each question."""
    with client(store, folder, ALL, options={"postkit": {"testing": True}}) as c:
        c.answers[METHOD] = closes
        c.initialize()
        c.uri = c.open(folder / "a.http", TEXT)
        yield c


# The session itself, which each test has.
SESSION = {"initialize", "shutdown", "postkit/debug/text", "postkit/debug/synchronize"}


def modelled():
    for name in ("lsp.subset.json", "postkit.metaModel.json"):
        for request in json.loads((ROOT / "protocol" / name).read_text())["requests"]:
            if request["messageDirection"] != "serverToClient":
                yield request["method"]


@pytest.mark.parametrize("method", sorted(set(modelled()) - SESSION))
def test_no_request_opens_what_lies_outside(session, outside, target, method):
    QUESTIONS[method](session)
    assert outside.opened() == set()
    assert CANARY.encode() not in b"".join(session.server.messages)
    assert target.seen == []


def test_every_request_is_asked():
    assert set(QUESTIONS) == set(modelled()) - SESSION


def test_no_notification_opens_what_lies_outside(session, outside, folder):
    paths = [folder / name for name in LINKS] + [folder / "sub/other.http"]
    for kind in (1, 2, 3):
        session.notify("workspace/didChangeWatchedFiles", {
            "changes": [{"uri": path.as_uri(), "type": kind} for path in paths]})
        session.request("workspace/symbol", {"query": ""})
    for path in paths:
        session.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})
    session.notify("workspace/didRenameFiles", {"files": [
        {"oldUri": (folder / "x.http").as_uri(), "newUri": (folder / "link.http").as_uri()}]})
    session.notify("workspace/didChangeConfiguration", {"settings": {"postkit": {}}})
    # A document that the editor has by a link, with all that lies around it.
    session.uri = session.show(folder / "sub/open.http", TEXT)
    for method in ("textDocument/diagnostic", "textDocument/completion", "workspace/symbol"):
        QUESTIONS[method](session)
    assert outside.opened() == set()
    assert CANARY.encode() not in b"".join(session.server.messages)


# --- sends


def minimal(folder, links=()):
    far = folder.parent / "far"
    for name, text in FILES.items():
        (far / name).parent.mkdir(parents=True, exist_ok=True)
        (far / name).write_text(text)
    for name in links:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(far / LINKS[name])
    return Watch(*(far / name for name in FILES), far, far / "inner")


# What a request uses, the links that there are, and the files that the question names.
SENDS = {
    "environments": ("GET {url}/{{linked}}", ["http-client.env.json", ".env"], [
        ".env", "http-client.env.json"]),
    "dotenv": ("GET {url}/{{$dotenv token}}", [".env"], [".env"]),
    "imports": ("import ../far/request.http\nimport ./link.http\n\n###\nGET {url}/{{far}}",
                ["link.http"], ["far/request.http", "link.http"]),
    "settings": ("GET {url}/{{linked}}", ["postkit.json", "http-client.env.json"], [
        "postkit.json", "http-client.env.json"]),
    "settings of an import": ("import ./nested/inside.http\n\n###\nGET {url}/{{inside}}",
                              ["nested/postkit.json"], ["nested/postkit.json"]),
    "bodies": ("POST {url}/\n\n<@ ../far/text.txt\n<@ ./text.txt", ["text.txt"], [
        "far/text.txt", "text.txt"]),
    "authority": ("curl {url}/ --cacert ../far/authority.pem", [], ["far/authority.pem"]),
}


@pytest.fixture(params=list(SENDS))
def order(request, folder, target):
    """A request, the watched files, and the paths that are to be named."""
    text, links, named = SENDS[request.param]
    watch = minimal(folder, links)
    if "nested" in text:
        (folder / "nested/inside.http").write_text("@inside = 1\n")
    text = text.replace("{url}", target.url) + "\n"
    paths = [str(folder.parent / name if name.startswith("far/") else folder / name)
             for name in named]
    return text, watch, paths


def place_of(text):
    lines = text.splitlines()
    line = next(n for n, it in enumerate(lines) if it.startswith(("GET", "POST", "curl")))
    return {"line": line, "character": 0}


def test_the_question_comes_before_anything_is_opened(store, folder, target, order):
    text, watch, paths = order
    opened = []

    def agree(params):
        opened.append(watch.opened())
        for path in paths:
            assert path in params["message"]
        return presses(TRUST)(params)

    with client(store, folder, ALL) as c:
        c.answers[METHOD] = agree
        c.initialize()
        uri = c.open(folder / "a.http", text)
        send = {"uri": uri, "position": place_of(text)}
        environment = {"environment": "dev"} if "linked" in text else {}
        assert c.command("postkit.send", {**send, **environment})["state"] == "done"
        assert opened == [set()]
        assert watch.opened() or "authority" in text
        assert c.command("postkit.send", {**send, **environment})["state"] == "done"
        assert len(opened) == 1 and len(target.seen) == 2


@pytest.mark.parametrize("answer", [presses("Don't trust it"), closes, None],
                         ids=["no", "closed", "distrusting client"])
def test_without_an_answer_nothing_is_opened(store, folder, target, order, answer):
    text, watch, paths = order
    options = {} if answer else {"trusted": False}
    with client(store, folder, ALL, options={"postkit": options}) as c:
        c.answers[METHOD] = answer
        c.initialize()
        uri = c.open(folder / "a.http", text)
        error = refusal(c, "postkit.send", {"uri": uri, "position": place_of(text)})
        assert paths[0] in error.message and "not trusted" in error.message
        assert "rust" in error.message.split("not trusted", 1)[1]
        assert error.data["code"] == "file-not-found"
        assert watch.opened() == set() and target.seen == []
