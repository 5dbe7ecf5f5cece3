"""Names where requests are not: in scripts, in Markdown, in shared folders, in files too large."""

import json

import pytest
from rawclient import Client, ResponseError
from test_references import ALL, applied, places, references


@pytest.fixture(params=["watching", "not watching"])
def capabilities(request):
    return ALL if request.param == "watching" else {}


LOGIN = """### login
POST {{host}}/login

> {% client.global.set("token", response.body.token); %}
> ./after.js
"""
MAIN = """### ask
GET {{host}}/{{token}}
"""
NOTES = """# Notes

```http
GET {{host}}/{{token}}
```
"""


@pytest.fixture
def project(folder):
    (folder / "login.http").write_text(LOGIN)
    (folder / "after.js").write_text('client.log("ü", client.global.get("token"))\n')
    (folder / "main.http").write_text(MAIN)
    (folder / "notes.md").write_text(NOTES)
    (folder / "other.md").write_text("# ü {{token}}\n")
    return folder


TOKEN = [
    ("after.js", 1, "token"),
    ("login.http", 4, "token"),
    ("main.http", 2, "token"),
    ("notes.md", 4, "token"),
]


def test_scripts_and_markdown_have_names(store, project, capabilities):
    with Client(store, capabilities, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert places(project, references(c, uri, "token", MAIN)) == TOKEN
        c.show(project / "after.js", "client.global.get('token'); // unsaved\n")
        found = references(c, uri, "token", MAIN)
        assert found[0]["range"]["start"] == {"line": 0, "character": 19}
        c.notify("textDocument/didClose", {"textDocument": {"uri": found[0]["uri"]}})
        edit = c.at("textDocument/rename", uri, 1, 16, newName="key")
        texts = applied(project, edit)
        assert 'global.get("key")' in texts["after.js"]
        assert 'global.set("key",' in texts["login.http"]
        assert "{{key}}" in texts["main.http"] and "{{key}}" in texts["notes.md"]
        assert len(texts) == 4


def test_symbols_of_closed_markdown_are_found(store, project, capabilities):
    with Client(store, capabilities, folder=project) as c:
        c.initialize()
        symbols = c.request("workspace/symbol", {"query": ""})
        containers = {s["containerName"] for s in symbols}
        assert containers == {"login.http", "main.http", "notes.md"}


def test_what_is_made_in_a_folder_is_found(store, project, capabilities):
    with Client(store, capabilities, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert len(references(c, uri, "token", MAIN)) == 4
        (project / "deep/er").mkdir(parents=True)
        made = project / "deep/er/new.http"
        made.write_text("GET {{token}}\n")
        (project / "notes.md").unlink()

        def tell(*changes):
            if capabilities:
                found = [{"uri": path.as_uri(), "type": kind} for path, kind in changes]
                c.notify("workspace/didChangeWatchedFiles", {"changes": found})

        tell((made, 1), (project / "notes.md", 3))
        expected = [TOKEN[0], ("deep/er/new.http", 1, "token"), *TOKEN[1:3]]
        assert places(project, references(c, uri, "token", MAIN)) == expected
        made.write_text("GET {{token}}{{token}}\n")
        tell((made, 2))
        assert len(references(c, uri, "token", MAIN)) == 5
        made.rename(project / "deep/new.http")
        tell((made, 3), (project / "deep/new.http", 1))
        assert places(project, references(c, uri, "token", MAIN))[1][0] == "deep/new.http"


def test_the_shared_environments_have_names(store, project, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    keys = shared / "http-client.env.json"
    keys.write_text(json.dumps({"dev": {"host": "http://shared.test"}}))
    (shared / "settings.json").write_text("{}")
    environment = {"HTTPYAC_ENV": str(shared)}
    with Client(store, ALL, folder=project, environment=environment) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        found = references(c, uri, "host", MAIN)
        assert places(tmp_path, found)[0] == ("shared/http-client.env.json", 1, "host")
        keys.write_text(json.dumps({"dev": {"host": "a"}, "prod": {"host": "b"}}))
        assert len(references(c, uri, "host", MAIN)) == len(found) + 1
        edit = c.at("textDocument/rename", uri, 1, 6, newName="base")
        (annotation,) = edit["changeAnnotations"].values()
        assert annotation["needsConfirmation"]
        (change,) = [
            change
            for change in edit["documentChanges"]
            if change["textDocument"]["uri"] == keys.as_uri()
        ]
        assert all("annotationId" in edit for edit in change["edits"])


def test_a_file_that_is_too_large_is_told_of(store, project, capabilities):
    large = project / "large.http"
    large.write_bytes(b"GET {{token}}\n" + b"# much\n" * (11 << 20 >> 3) * 2)
    with Client(store, capabilities, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert places(project, references(c, uri, "token", MAIN)) == TOKEN
        shown = c.expect("window/showMessage")["message"]
        assert "large.http" in shown and "larger than 10 MB" in shown
        with pytest.raises(ResponseError, match=r"index the names in .*large\.http"):
            c.at("textDocument/rename", uri, 1, 16, newName="key")
        large.unlink()
        if capabilities:
            changes = [{"uri": large.as_uri(), "type": 3}]
            c.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert c.at("textDocument/rename", uri, 1, 16, newName="key") is not None


def test_unsaved_settings_say_how_files_below_are_read(store, project):
    (project / "below").mkdir()
    (project / "below/a.http").write_text("@x = 1\nGET {{x}}\n")
    settings = project / "below/postkit.json"
    settings.write_text("{}")
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        (project / "http-client.env.json").write_text('{"dev": {"x": 2}}')
        uri = c.open(project / "below/a.http")
        text = (project / "below/a.http").read_text()
        assert len(references(c, uri, "x}}", text)) == 2
        other = c.show(settings, "{}")
        c.change(other, '{"precedence": "env-first"}')
        assert len(references(c, uri, "x}}", text)) == 3


def test_stored_requests_are_found_by_who_can_open_them(store, project):
    reader = {"workspace": {**ALL["workspace"], "textDocumentContent": {}}}
    with Client(store, reader, {"postkit": {"testing": True}}, folder=project) as c:
        c.initialize()
        create = {"op": "collection.create"}

        def make(kind, name=None, parent=None, source=None):
            op = {**create, "kind": kind, "name": name, "parent": parent, "source": source}
            op = {key: value for key, value in op.items() if value is not None}
            return c.request("postkit/edit", {"ops": [op]})["ids"]["0"]

        shop = make("collection", "Shop")
        orders = make("folder", "Orders", shop)
        listed = make("request", None, orders, "### list all\nGET http://a.test/{{token}}/x\n")
        expected = {
            "name": "list all",
            "kind": 6,
            "containerName": "Shop/Orders",
            "location": {
                "uri": f"postkit:/collections/{listed}.http",
                "range": {key: {"line": 0, "character": 0} for key in ["start", "end"]},
            },
        }
        for query in ["listall", "a.test"]:
            assert c.request("workspace/symbol", {"query": query}) == [expected]
        assert c.request("workspaceSymbol/resolve", expected) == expected
        text = c.request(
            "workspace/textDocumentContent", {"uri": expected["location"]["uri"]})["text"]
        assert "list all" in text
        make("request", None, shop, "### list some\nGET http://a.test/y\n")
        found = c.request("workspace/symbol", {"query": "list "})
        assert [(s["name"], s["containerName"]) for s in found] == [
            ("list all", "Shop/Orders"), ("list some", "Shop"), ("login", "login.http")]
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        found = c.request("workspace/symbol", {"query": "list"})
        assert [s["containerName"] for s in found] == ["login.http"]


def test_symbols_come_part_by_part(store, project):
    text = "".join(f"### request {n}\nGET /{n}\n\n" for n in range(250))
    (project / "many.http").write_text(text)
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        whole = c.request("workspace/symbol", {"query": "request"})
        assert c.request("workspace/symbol", {"query": "request", "partialResultToken": 5}) == []
        parts = [
            m["params"]["value"]
            for m in c.notifications
            if m["method"] == "$/progress" and m["params"]["token"] == 5
        ]
        assert [len(part) for part in parts] == [100, 100, 50]
        assert sum(parts, []) == whole
