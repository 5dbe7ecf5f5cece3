"""Names across the files of a workspace: references, renaming, symbols, calls, moved files."""

import json

import pytest
from rawclient import Client, ResponseError

ALL = {
    "workspace": {
        "workspaceEdit": {
            "documentChanges": True,
            "changeAnnotationSupport": {"groupsOnLabel": False},
        },
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "symbol": {"resolveSupport": {"properties": ["location.range"]}},
        "fileOperations": {"willRename": True, "didRename": True},
    },
    "textDocument": {"rename": {"prepareSupport": True}},
}
AUTH = """### log in
POST {{host}}/login
Authorization: Bearer {{token}}
"""
MAIN = """import ./auth.http

### ask
# @ref log in
GET {{host}}/😀{{login.response.body.$.t}}
X-Host: {{host}}
"""


def filled(folder):
    """A folder whose files use each other's names."""
    (folder / "auth.http").write_text(AUTH)
    (folder / "main.http").write_text(MAIN)
    (folder / "other").mkdir()
    (folder / "other/own.http").write_text("@host = mine\nGET {{host}}/\n")
    (folder / "node_modules").mkdir()
    (folder / "node_modules/x.http").write_text("GET {{host}}/\n")
    (folder / "http-client.env.json").write_text(
        json.dumps({"dev": {"host": "http://dev.test"}, "prod": {"host": "http://p.test"}})
    )
    (folder / "http-client.private.env.json").write_text(
        json.dumps({"dev": {"token": "s3cr3t-canary"}})
    )
    return folder


@pytest.fixture
def project(folder):
    return filled(folder)


def place(text, mark):
    before = text[: text.index(mark)]
    line = before[before.rfind("\n") + 1 :]
    return before.count("\n"), len(line.encode("utf-16-le")) // 2


def at(c, method, uri, mark, text=MAIN, **extra):
    line, character = place(text, mark)
    return c.at(f"textDocument/{method}", uri, line, character, **extra)


def text_at(text, range):
    """The text of a range whose columns count UTF-16 units."""
    line = text.split("\n")[range["start"]["line"]].encode("utf-16-le")
    return line[2 * range["start"]["character"] : 2 * range["end"]["character"]].decode("utf-16-le")


def places(folder, locations):
    """Where locations lead: file, line, text."""
    result = []
    for location in locations or []:
        path = next(p for p in folder.rglob("*") if p.as_uri() == location["uri"])
        range = location["range"]
        line = range["start"]["line"] + 1
        name = str(path.relative_to(folder))
        result.append((name, line, text_at(path.read_text(), range)))
    return result


def references(c, uri, mark, text=MAIN, declaration=True, **extra):
    context = {"includeDeclaration": declaration}
    return at(c, "references", uri, mark, text, context=context, **extra)


HOST = [
    ("auth.http", 2, "host"),
    ("http-client.env.json", 1, "host"),
    ("http-client.env.json", 1, "host"),
    ("main.http", 5, "host"),
    ("main.http", 6, "host"),
]


def test_references_are_found_in_all_files(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert places(project, references(c, uri, "host}}/😀")) == HOST
        uses = references(c, uri, "host}}/😀", declaration=False)
        assert places(project, uses) == [HOST[0], HOST[3], HOST[4]]
        assert places(project, references(c, uri, "login.")) == [
            ("auth.http", 1, "log in"),
            ("main.http", 4, "log in"),
            ("main.http", 5, "login"),
        ]
        assert places(project, references(c, uri, "./auth")) == [("main.http", 1, "./auth.http")]
        assert references(c, uri, "GET") is None


def test_a_document_without_a_file_is_one_of_the_first_folder(store, project):
    text = "import ./auth.http\nGET {{host}}\n"
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        (uri, other) = ("untitled:Untitled-1", "vscode-notebook-cell:/w/n.ipynb#W0")
        for name in [uri, other]:
            c.notify("textDocument/didOpen", {"textDocument": {
                "uri": name, "languageId": "http", "version": 1, "text": text}})
        found = references(c, uri, "host}}", text)
        here = [place for place in found if place["uri"] == uri]
        assert len(here) == 1 and [p for p in found if p["uri"] == other]
        files = [place for place in found if place["uri"].startswith("file:")]
        assert places(project, files) == HOST
        edit = at(c, "rename", uri, "host}}", text, newName="base")
        changed = [change["textDocument"]["uri"] for change in edit["documentChanges"]]
        assert {uri, other, (project / "http-client.env.json").as_uri()} <= set(changed)
        path = references(c, uri, "./auth", text)
        assert [it["uri"] for it in path if it["uri"] == uri] and len(path) == 3


def test_references_come_file_by_file_where_that_is_asked_for(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        found = references(c, uri, "host}}/😀", partialResultToken="p")
        assert found == []
        parts = [
            m["params"]["value"]
            for m in c.notifications
            if m["method"] == "$/progress" and m["params"]["token"] == "p"
        ]
        assert len(parts) == 3
        # The file that is asked about does not wait for the others.
        assert {location["uri"] for location in parts[0]} == {uri}
        assert sorted(places(project, sum(parts, []))) == sorted(HOST)


def test_symbols_come_in_parts_where_that_is_asked_for(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        whole = c.request("workspace/symbol", {"query": "o"})
        assert c.request("workspace/symbol", {"query": "o", "partialResultToken": 7}) == []
        parts = [
            m["params"]["value"]
            for m in c.notifications
            if m["method"] == "$/progress" and m["params"]["token"] == 7
        ]

        def names(symbols):
            return sorted((s["name"], s["location"]["uri"]) for s in symbols)

        assert len(whole) > 2 and names(sum(parts, [])) == names(whole)


def test_an_open_buffer_and_changed_files_are_seen(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        auth = c.open(project / "auth.http")
        c.change(auth, "GET /\n")
        assert places(project, references(c, uri, "host}}/😀")) == HOST[1:]
        c.notify("textDocument/didClose", {"textDocument": {"uri": auth}})
        assert places(project, references(c, uri, "host}}/😀")) == HOST
        new = project / "new.http"
        new.write_text("GET {{host}}\n")
        (project / "auth.http").unlink()
        changes = [
            {"uri": new.as_uri(), "type": 1},
            {"uri": (project / "auth.http").as_uri(), "type": 3},
        ]
        c.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        expected = HOST[1:] + [("new.http", 1, "host")]
        assert places(project, references(c, uri, "host}}/😀")) == expected


def test_a_client_that_watches_nothing_gets_what_is_there(store, project):
    with Client(store, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert places(project, references(c, uri, "host}}/😀")) == HOST
        (project / "auth.http").write_text("GET /\n")
        assert places(project, references(c, uri, "host}}/😀")) == HOST[1:]


def test_links_that_lead_out_are_read_where_the_folder_is_trusted(store, project, tmp_path):
    outside = tmp_path / "outside.http"
    outside.write_text("GET {{host}}\n")
    (project / "linked.http").symlink_to(outside)
    (project / "circle").symlink_to(project)
    for trusted, expected in [(None, HOST), (True, HOST + [("linked.http", 1, "host")])]:
        options = {"postkit": {"trusted": trusted}} if trusted else None
        with Client(store, ALL, options, folder=project) as c:
            c.initialize()
            uri = c.open(project / "main.http")
            found = places(project, references(c, uri, "host}}/😀"))
            assert sorted(found) == sorted(expected)


def test_the_same_name_is_highlighted(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        text = "@x = 1\nGET /{{x}}\nX-A: {{x}}\n\n###\nGET /\nx-a: 1\n"
        uri = c.show(project / "h.http", text)
        found = at(c, "documentHighlight", uri, "x}}\nX", text)
        assert [(h["range"]["start"]["line"], h["kind"]) for h in found] == [(0, 3), (1, 2), (2, 2)]
        found = at(c, "documentHighlight", uri, "X-A", text)
        assert [(h["range"]["start"]["line"], h["kind"]) for h in found] == [(2, 1), (6, 1)]
        assert at(c, "documentHighlight", uri, "GET", text) == []


def applied(folder, edit, texts=None):
    """The files after an edit, applied as a client does."""
    documents = edit.get("documentChanges") or [
        {"textDocument": {"uri": uri}, "edits": edits} for uri, edits in edit["changes"].items()
    ]
    result = {}
    for document in documents:
        path = next(p for p in folder.rglob("*") if p.as_uri() == document["textDocument"]["uri"])
        lines = (texts or {}).get(path.name, path.read_text()).split("\n")
        for change in reversed(document["edits"]):
            start, end = change["range"]["start"], change["range"]["end"]
            assert start["line"] == end["line"]
            line = lines[start["line"]].encode("utf-16-le")
            new = change["newText"].encode("utf-16-le")
            line = line[: 2 * start["character"]] + new + line[2 * end["character"] :]
            lines[start["line"]] = line.decode("utf-16-le")
        result[str(path.relative_to(folder))] = "\n".join(lines)
    return result


def test_anything_with_a_name_is_found_by_a_few_letters(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        found = c.request("workspace/symbol", {"query": "lgin"})
        assert [(s["name"], s["kind"], s["containerName"]) for s in found] == [
            ("log in", 6, "auth.http")
        ]
        assert "range" not in found[0]["location"]
        resolved = c.request("workspaceSymbol/resolve", found[0])
        assert text_at(AUTH, resolved["location"]["range"]) == "log in"
        names = [
            (s["name"], s["containerName"])
            for s in c.request("workspace/symbol", {"query": "host"})
        ]
        assert names == [
            ("host", "http-client.env.json, dev"),
            ("host", "http-client.env.json, prod"),
            ("host", "own.http"),
        ]
        tokens = c.request("workspace/symbol", {"query": "token"})
        assert [s["name"] for s in tokens] == ["token"]
        assert "s3cr3t-canary" not in json.dumps([m.decode() for m in c.server.messages])
        found = c.request("workspace/symbol", {"query": "get own", "partialResultToken": 7})
        assert found == []
    with Client(store, folder=project) as c:
        c.initialize()
        (found,) = c.request("workspace/symbol", {"query": "ask"})
        assert text_at(MAIN, found["location"]["range"]) == "ask"


def test_requests_know_whom_they_read_and_who_reads_them(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        (ask,) = at(c, "prepareCallHierarchy", uri, "GET {{host")
        assert (ask["name"], ask["kind"]) == ("ask", 6)
        (call,) = c.request("callHierarchy/outgoingCalls", {"item": ask})
        assert (call["to"]["name"], call["to"]["uri"]) == (
            "log in",
            (project / "auth.http").as_uri(),
        )
        assert [text_at(MAIN, r) for r in call["fromRanges"]] == ["log in", "login"]
        (back,) = c.request("callHierarchy/incomingCalls", {"item": call["to"]})
        assert back["from"]["name"] == "ask"
        assert back["fromRanges"] == call["fromRanges"]
        assert c.request("callHierarchy/incomingCalls", {"item": ask}) == []
        (named,) = at(c, "prepareCallHierarchy", uri, "login.")
        assert named["name"] == "log in"
        c.change(uri, "GET /\n")
        with pytest.raises(ResponseError) as caught:
            c.request("callHierarchy/outgoingCalls", {"item": ask})
        assert caught.value.code == -32801
