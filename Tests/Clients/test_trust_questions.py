"""Whether a folder is trusted is asked once, and counts for all editors."""

import pytest
from rawclient import ResponseError
from test_questions import (
    ASKING,
    DISTRUST,
    METHOD,
    TRUST,
    asked,
    cannot,
    client,
    closes,
    needing,
    paths,
    presses,
    refusal,
)


@pytest.fixture
def outside(folder):
    """A file that lies outside of the folder, and links to it from inside."""
    path = folder.parent / "outside.txt"
    path.write_text("canary")
    (folder / "link.txt").symlink_to(path)
    return path


def posting(target, body, name="post"):
    return f"### {name}\nPOST {target.url}/{name}\n\n{body}\n\n"


def bodies(target):
    return [body.strip() for _, _, _, body in target.seen]


@pytest.mark.parametrize(
    "body", ["< ../outside.txt", "<@ ../outside.txt", "< ./link.txt", "<@ {{where}}/outside.txt"]
)
def test_trust_is_asked_for_once_a_folder(store, folder, target, outside, body):
    text = f"@where = {outside.parent}\n\n" + posting(target, body)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        c.answers[METHOD] = presses(TRUST)
        for _ in range(2):
            assert c.command("postkit.send", {"uri": uri, "name": "post"})["state"] == "done"
        (question,) = asked(c)
        assert str(folder) in question["message"] and ".txt" in question["message"]
        assert [action["title"] for action in question["actions"]] == [TRUST, DISTRUST]
        assert bodies(target) == [b"canary"] * 2
    # The answer is shared by all editors, and counts for this folder only.
    with client(store, folder, {}) as c:
        c.initialize()
        uri = c.open(folder / "a.http")
        assert c.command("postkit.send", {"uri": uri, "name": "post"})["state"] == "done"
    other = folder.parent / "other"
    other.mkdir()
    (other / "link.txt").symlink_to(outside)
    with client(store, other) as c:
        c.initialize()
        c.answers[METHOD] = closes
        refusal(c, "postkit.send", {"uri": c.open(other / "a.http", text), "name": "post"})
        assert len(asked(c)) == 1
    assert len(target.seen) == 3


@pytest.mark.parametrize(
    "answer, questions, remedy",
    [
        (presses(DISTRUST), 1, "`postkit.trusted` to true"),
        (closes, 2, "choose `Trust this folder`"),
        (cannot, 2, "`postkit.trusted` to true"),
    ],
)
def test_without_trust_nothing_is_sent(store, folder, target, outside, answer, questions, remedy):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", posting(target, "< ../outside.txt"))
        c.answers[METHOD] = answer
        for turn in range(2):
            error = refusal(c, "postkit.send", {"uri": uri, "name": "post"})
            assert "not trusted" in error.message and remedy in error.message
            assert error.data["code"] == "file-not-found"
            # Who is not asked again has to be told why nothing is sent.
            was_asked = answer is not cannot and turn < questions
            assert error.data.get("declined") == (True if was_asked else None)
        assert len(asked(c)) == questions
        assert target.seen == []


@pytest.mark.parametrize("trusted", [True, False, None])
def test_what_the_client_says_is_not_asked(store, folder, target, outside, trusted):
    # The third client says nothing and has no buttons.
    options = {} if trusted is None else {"trusted": trusted}
    capabilities = {} if trusted is None else ASKING
    with client(store, folder, capabilities, options={"postkit": options}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", posting(target, "< ../outside.txt"))
        if trusted:
            assert c.command("postkit.send", {"uri": uri, "name": "post"})["state"] == "done"
        else:
            error = refusal(c, "postkit.send", {"uri": uri, "name": "post"})
            assert "not trusted" in error.message and "`" in error.message
            assert target.seen == []
        assert asked(c) == []


def test_files_of_the_folder_need_no_trust(store, folder, target, outside):
    (folder / "sub").mkdir()
    (folder / "sub" / "in.txt").write_text("inside")
    (folder / "again.txt").symlink_to(folder / "sub" / "in.txt")
    (folder / "http-client.env.json").write_text('{"dev": {"who": "me"}}')
    text = posting(target, "< ./sub/in.txt", "a") + posting(target, "<@ ./again.txt", "b")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        for name in "ab":
            order = {"uri": uri, "name": name, "environment": "dev"}
            assert c.command("postkit.send", order)["state"] == "done"
        assert bodies(target) == [b"inside"] * 2
        # What can't be sent anyway is not asked about either.
        c.change(uri, f"POST {target.url}/{{{{nope}}}}\n\n<@ ../outside.txt\n")
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        assert "`nope`" in refusal(c, "postkit.send", place).message
        assert asked(c) == []


def test_an_environment_file_from_outside_needs_trust(store, folder, target):
    secrets = folder.parent / "credentials"
    secrets.write_text("access_key=k3y-value\n")
    (folder / ".env").symlink_to(secrets)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{access_key}}}}\n")
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        error = refusal(c, "postkit.send", place)
        assert ".env" in error.message and "k3y-value" not in error.message
        assert target.seen == []
        c.answers[METHOD] = presses(TRUST)
        assert c.command("postkit.send", place)["state"] == "done"
        assert paths(target) == ["/k3y-value"]
        assert len(asked(c)) == 2


def test_sends_at_once_ask_one_question(store, folder, target, outside):
    text = posting(target, "< ../outside.txt", "a") + posting(target, "< ../outside.txt", "b")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        c.answers[METHOD] = ...
        orders = [{"command": "postkit.send", "arguments": [{"uri": uri, "name": n}]} for n in "ab"]
        ids = [c.start("workspace/executeCommand", order) for order in orders]
        question = c.take(METHOD)
        # Both wait for it: the second has come far enough when others after it are answered.
        c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        c.reply(question, presses(TRUST)(question["params"]))
        assert [c.finish(id)["state"] for id in ids] == ["done", "done"]
        assert asked(c) == []


def test_without_a_store_the_answer_holds_for_the_session(tmp_path, folder, target, outside):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the directory should be")
    with client(blocked, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", posting(target, "< ../outside.txt"))
        c.answers[METHOD] = presses(TRUST)
        for _ in range(2):
            assert c.command("postkit.send", {"uri": uri, "name": "post"})["state"] == "done"
        assert len(asked(c)) == 1


# --- cancelling while a question is open


# --- cancelling while a question is open


def cancelled_by_request(c, id, uri):
    c.notify("$/cancelRequest", {"id": id})
    with pytest.raises(ResponseError) as caught:
        c.finish(id)
    assert caught.value.code == -32800


def cancelled_by_place(c, id, uri):
    assert c.command("postkit.cancel", {"uri": uri}) == 1
    result = c.finish(id)
    assert result["state"] == "cancelled" and result["uri"] is None and result["status"] is None
    assert result["error"]["code"] == "cancelled"


@pytest.mark.parametrize("cancel", [cancelled_by_request, cancelled_by_place])
@pytest.mark.parametrize("name", ["use", "post"])
def test_a_send_is_cancelled_while_it_asks(store, folder, target, outside, cancel, name):
    with client(store, folder) as c:
        c.initialize()
        text = needing(target) + "\n" + posting(target, "< ../outside.txt")
        uri = c.open(folder / "a.http", text)
        c.answers[METHOD] = ...
        order = {"command": "postkit.send", "arguments": [{"uri": uri, "name": name}]}
        id = c.start("workspace/executeCommand", order)
        c.expect(METHOD)
        cancel(c, id, uri)
        assert target.seen == []
        assert c.command("postkit.cancel") == 0


def test_names_of_linked_files_are_known_once_the_folder_is_trusted(store, folder, target, outside):
    far = folder.parent / "far.http"
    far.write_text("GET {{host}}/far\n")
    (folder / "linked.http").symlink_to(far)
    outside.write_text("{{host}}")
    (folder / "http-client.env.json").write_text('{"dev": {"host": "h"}}')
    text = "### use\nGET {{host}}/\n\n" + posting(target, "<@ ../outside.txt")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)

        def found():
            locations = c.at(
                "textDocument/references", uri, 1, 7, context={"includeDeclaration": False})
            return sorted(location["uri"].rsplit("/", 1)[1] for location in locations)

        assert found() == ["a.http"]
        c.answers[METHOD] = presses(TRUST)
        c.command("postkit.send", {"uri": uri, "name": "post", "variables": {"host": "x"}})
        assert found() == ["a.http", "linked.http", "outside.txt"]
    # The answer counts in the next session as well, and in no other folder.
    other = folder.parent / "other"
    other.mkdir()
    (other / "linked.http").symlink_to(far)
    for place, expected in [(folder, 3), (other, 1)]:
        with client(store, place) as c:
            c.initialize()
            uri = c.open(place / "a.http", text)
            # What an editor shows does not wait for the store, which has the answer.
            c.request("postkit/history", {})
            assert len(c.at("textDocument/references", uri, 1, 7, context={
                "includeDeclaration": False})) == expected
