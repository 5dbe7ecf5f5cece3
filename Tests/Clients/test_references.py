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


@pytest.fixture
def project(folder):
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


def test_a_variable_is_renamed_everywhere(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        assert c.server_capabilities["renameProvider"] == {"prepareProvider": True}
        uri = c.open(project / "main.http")
        prepared = at(c, "prepareRename", uri, "host}}/😀")
        assert prepared["placeholder"] == "host"
        assert text_at(MAIN, prepared["range"]) == "host"
        edit = at(c, "rename", uri, "host}}/😀", newName="base")
        assert applied(project, edit) == {
            "auth.http": AUTH.replace("host", "base"),
            "http-client.env.json": (project / "http-client.env.json")
            .read_text()
            .replace("host", "base"),
            "main.http": MAIN.replace("{{host}}", "{{base}}"),
        }
        documents = [change["textDocument"] for change in edit["documentChanges"]]
        versions = {document["uri"]: document["version"] for document in documents}
        assert versions[uri] == 1
        assert versions[(project / "auth.http").as_uri()] is None
        assert "changeAnnotations" not in edit
        edit = at(c, "rename", uri, "login.", newName="sign in")
        assert applied(project, edit) == {
            "auth.http": AUTH.replace("log in", "sign in"),
            "main.http": MAIN.replace("log in", "sign in").replace("login.", "signin."),
        }


def test_private_files_are_changed_only_after_a_look(store, project):
    for capabilities in [ALL, {}]:
        with Client(store, capabilities, folder=project) as c:
            c.initialize()
            auth = c.open(project / "auth.http")
            edit = at(c, "rename", auth, "token}}", AUTH, newName="api_token")
            assert set(applied(project, edit)) == {"auth.http", "http-client.private.env.json"}
            if capabilities:
                (name,) = edit["changeAnnotations"]
                assert edit["changeAnnotations"][name]["needsConfirmation"] is True
                marked = [
                    (d["textDocument"]["uri"].rsplit("/")[-1], "annotationId" in e)
                    for d in edit["documentChanges"]
                    for e in d["edits"]
                ]
                assert marked == [("auth.http", False), ("http-client.private.env.json", True)]
            else:
                assert set(edit) == {"changes"}
            assert "s3cr3t-canary" not in json.dumps([m.decode() for m in c.server.messages])


def test_an_environment_file_is_asked_like_any_other(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        path = project / "http-client.env.json"
        text = '{"dev": {"host": "http://dev.test", "url": "{{host}}/api"}}'
        uri = c.show(path, text)
        # What its value refers to is looked up where that is used: `own.http` sees it, too.
        own, other = at(c, "definition", uri, "host}}", text)
        assert (own["uri"], text_at(text, own["range"])) == (uri, "host")
        assert places(project, [other]) == [("other/own.http", 1, "host")]
        edit = at(c, "rename", uri, "host}}", text, newName="base")
        assert applied(project, edit, {path.name: text})["http-client.env.json"] == text.replace(
            "host", "base"
        )
        highlights = at(c, "documentHighlight", uri, "host}}", text)
        assert [h["kind"] for h in highlights] == [3, 2]


def test_what_is_changed_is_compared_with_the_disk_first(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert places(project, references(c, uri, "host}}/😀")) == HOST
        # Nobody tells of this change.
        (project / "auth.http").write_text("# a line more\n" + AUTH)
        edit = at(c, "rename", uri, "host}}/😀", newName="base")
        changed = applied(project, edit)["auth.http"]
        assert changed == "# a line more\n" + AUTH.replace("host", "base")


def test_what_can_not_be_renamed_says_why(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        text = "GET {{host}}/{{$uuid}}/{{none}}\n"
        uri = c.show(project / "r.http", text)
        for method, mark, name, words in [
            ("prepareRename", "uuid", None, "dynamic variable"),
            ("prepareRename", "GET", None, "no name here"),
            ("rename", "host", "token", "defined at http-client.private.env.json:1 already"),
            ("rename", "host", "a b", "Use letters, digits"),
            ("rename", "none", "some", "defined in no file"),
        ]:
            with pytest.raises(ResponseError) as caught:
                extra = {"newName": name} if name else {}
                at(c, method, uri, mark, text, **extra)
            assert caught.value.code == -32803
            assert words in caught.value.message


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


def test_paths_follow_renamed_files(store, project):
    body = "POST /\n\n< ./other/body 1.json\n"
    (project / "other/body 1.json").write_text("{}")
    (project / "post.http").write_text(body)
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        operations = c.server_capabilities["workspace"]["fileOperations"]
        assert set(operations) == {"willRename", "didRename"}

        def rename(old, new):
            files = [{"oldUri": (project / old).as_uri(), "newUri": (project / new).as_uri()}]
            return c.request("workspace/willRenameFiles", {"files": files})

        moved = applied(project, rename("auth.http", "other/session.http"))
        assert moved == {"main.http": MAIN.replace("./auth", "./other/session")}
        moved = applied(project, rename("main.http", "other/main.http"))
        assert moved == {"main.http": MAIN.replace("./auth", "../auth")}
        moved = applied(project, rename("other", "else"))
        assert moved == {"post.http": body.replace("./other", "./else").replace("y 1", "y\\ 1")}
        assert rename("nothing.http", "something.http") is None
        (project / "auth.http").rename(project / "session.http")
        (project / "main.http").write_text(MAIN.replace("auth.http", "session.http"))
        files = [
            {
                "oldUri": (project / "auth.http").as_uri(),
                "newUri": (project / "session.http").as_uri(),
            }
        ]
        c.notify("workspace/didRenameFiles", {"files": files})
        uri = c.open(project / "main.http")
        text = (project / "main.http").read_text()
        found = places(project, references(c, uri, "login.", text))
        assert found[-1] == ("session.http", 1, "log in")


def test_every_kind_of_path_follows_a_renamed_folder(store, folder):
    (folder / "old").mkdir()
    names = ["a.http", "b.json", "c.js", "d.gql", "e.out", "f.txt", "cert.pem", "k.pem"]
    for name in names:
        (folder / "old" / name).write_text("")
    text = """import ./old/a.http
run ./old/a.http
# @import old/a.http

###
< ./old/c.js
gql F < old/d.gql
POST /
Content-Type: text/plain

< ./old/b.json
<@ ./old/f.txt

> ./old/c.js
>> old/e.out
<> old/e.out

###
# A path that leads nowhere stays.
POST /

< ./old/missing.json
"""
    keys = {"clientCertificate": "old/cert.pem", "clientCertificateKey": {"path": "./old/k.pem"}}
    environments = json.dumps({"dev": {"SSLConfiguration": keys, "a": "old/b.json"}})
    (folder / "main.http").write_text(text)
    (folder / "http-client.private.env.json").write_text(environments)
    with Client(store, ALL, folder=folder) as c:
        c.initialize()
        files = [{"oldUri": (folder / "old").as_uri(), "newUri": (folder / 'ne"w').as_uri()}]
        edit = c.request("workspace/willRenameFiles", {"files": files})
        moved = applied(folder, edit)
    assert moved["main.http"] == text.replace("old/", 'ne"w/').replace('ne"w/miss', "old/miss")
    assert json.loads(moved["http-client.private.env.json"]) == {
        "dev": {
            "SSLConfiguration": {
                "clientCertificate": 'ne"w/cert.pem',
                "clientCertificateKey": {"path": './ne"w/k.pem'},
            },
            "a": "old/b.json",
        }
    }


def test_the_history_follows_renamed_files(store, folder, target):
    capabilities = {**ALL, "textDocument": {"inlayHint": {}}}
    old, new = folder / "a.http", folder / "deep/b.http"
    old.write_text(f"# @name one\nGET {target.url}/x\n\n###\nGET {target.url}/missing\n")
    (folder / "deep").mkdir()

    def rename(c, old, new):
        c.notify("textDocument/didClose", {"textDocument": {"uri": old.as_uri()}})
        old.rename(new)
        files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
        c.notify("workspace/didRenameFiles", {"files": files})

    def shown(c, path):
        c.open(path)
        labels = [h["label"] for h in c.range("textDocument/inlayHint", path.as_uri())]
        texts = [x if isinstance(x, str) else "".join(p["value"] for p in x) for x in labels]
        return [t.split()[0] for t in texts if t[:3] in ("200", "404")]

    def files(c):
        found = c.request("postkit/history", {})["items"]
        return {item["file"] for item in found}

    with Client(store, capabilities, folder=folder) as c:
        c.initialize()
        uri = c.open(old)
        c.command("postkit.sendAll", {"uri": uri})
        assert shown(c, old) == ["200", "404"]
        rename(c, old, new)
        assert shown(c, new) == ["200", "404"]
        (folder / "deep").rename(folder / "deeper")
        moved = [{"oldUri": (folder / f).as_uri(), "newUri": (folder / t).as_uri()}
                 for f, t in [("deep", "deeper")]]
        c.notify("textDocument/didClose", {"textDocument": {"uri": new.as_uri()}})
        c.notify("workspace/didRenameFiles", {"files": moved})
        new = folder / "deeper/b.http"
        assert shown(c, new) == ["200", "404"]
    with Client(store, capabilities, folder=folder) as c:
        c.initialize()
        assert shown(c, new) == ["200", "404"]
        assert files(c) == {str(new)}
