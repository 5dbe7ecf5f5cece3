"""What other tools keep comes in: as files that people's edits survive in, or as a collection."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from rawclient import ResponseError
from test_collections import ASKING
from test_stock import client

SECRET = "canary-61-token"


def shop(*requests):
    return {
        "info": {
            "name": "Shop",
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": SECRET}]},
        "item": [
            {
                "id": name,
                "name": name,
                "request": {"method": "GET", "url": "{{host}}/" + name, "header": []},
                "event": [{"listen": "test", "script": {"exec": ["unknown.call()"]}}],
            }
            for name in requests
        ],
    }


@pytest.fixture
def source(folder):
    path = folder / "from" / "shop.json"
    path.parent.mkdir()
    path.write_text(json.dumps(shop("a", "b")))
    return path


def test_a_source_becomes_request_files(store, folder, source):
    with client(store, folder) as c:
        c.initialize()
        result = c.command("postkit.import", {"uri": source.as_uri()})
        # Without a target it is a folder of the workspace that is named after the collection.
        assert result["uri"] == (folder / "Shop").as_uri() and result["count"] == 2
        assert result["format"] == "postman" and result["name"] == "Shop"
        assert result["requests"] == 2 and result["conflicts"] == [] and "error" not in result
        written = {file["path"]: file["action"] for file in result["files"]}
        assert written["Shop/Shop.http"] == "created"
        assert (folder / "Shop" / "Shop.http").as_uri() in result["created"]
        notes = {note["code"]: note for note in result["notes"]}
        assert notes["script-kept"]["place"] and notes["secret-moved"]["message"]
        assert result["text"].startswith("Imported 2 requests of Shop into Shop/ (1 file")
        text = (folder / "Shop" / "Shop.http").read_text()
        assert "### a\n" in text and "GET {{host}}/a\n" in text and SECRET not in text
        secrets = (folder / "Shop" / "http-client.private.env.json").read_text()
        assert SECRET in secrets and SECRET not in json.dumps(result)
        # Who does not know us is told in a message.
        assert c.expect("window/showMessage")["message"].startswith("Imported 2 requests of Shop")
        assert not store.exists()


def test_an_import_again_is_a_merge(store, folder, source):
    with client(store, folder) as c:
        c.initialize()
        order = {"direction": "import", "format": "auto", "uri": source.as_uri(),
                 "target": (folder / "out").as_uri()}
        c.request("postkit/transfer", order)
        path = folder / "out" / "Shop.http"
        path.write_text(path.read_text().replace("/a\n", "/mine\n"))
        source.write_text(json.dumps(shop("a", "b", "c")))
        before = path.read_text()
        dry = c.request("postkit/transfer", {**order, "dryRun": True})
        assert dry["created"] == [] and path.read_text() == before
        assert {"path": "out/Shop.http", "action": "updated"} in dry["files"]
        assert dry["text"].startswith("Would import 3 requests")
        c.request("postkit/transfer", order)
        assert "/mine\n" in path.read_text() and "### c\n" in path.read_text()
        changed = shop("a", "b", "c")
        changed["item"][0]["request"]["url"] = "{{host}}/theirs"
        source.write_text(json.dumps(changed))
        before = path.read_text()
        stopped = c.request("postkit/transfer", {**order, "onConflict": "stop"})
        assert stopped["error"] == "conflict" and path.read_text() == before
        assert [it["part"] for it in stopped["conflicts"]] == ["line"]
        assert "`onConflict" not in stopped["text"] or stopped["count"] == 0
        c.request("postkit/transfer", {**order, "onConflict": "theirs"})
        assert "/theirs" in path.read_text()


def test_a_file_that_is_not_saved_is_not_written_over(store, folder, source):
    with client(store, folder) as c:
        c.initialize()
        order = {"uri": source.as_uri(), "target": (folder / "out").as_uri()}
        c.command("postkit.import", order)
        path = folder / "out" / "Shop.http"
        before = path.read_text()
        c.show(path, before + "# mine\n")
        source.write_text(json.dumps(shop("a", "c")))
        with pytest.raises(ResponseError, match="Shop.http is open with changes"):
            c.command("postkit.import", order)
        assert path.read_text() == before


def test_an_open_document_is_imported_as_it_is(store, folder, source):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(source, json.dumps(shop("open")))
        place = {"line": 0, "character": 0}
        found = c.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}})
        [action] = [it for it in found if it.get("kind") == "postkit.import"]
        assert action["title"] == "Import as requests" and found == [action]
        assert c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] == []
        result = c.request("workspace/executeCommand", {
            "command": action["command"]["command"],
            "arguments": action["command"]["arguments"]})
        assert result["requests"] == 1
        assert "### open\n" in (folder / "Shop" / "Shop.http").read_text()
        other = c.open(folder / "other.json", '{"a": 1}')
        assert c.request("textDocument/codeAction", {
            "textDocument": {"uri": other}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}}) == []


def test_a_source_goes_to_the_store(store, folder, source):
    with client(store, folder) as c:
        c.initialize()
        order = {"uri": source.as_uri(), "scope": "collections"}
        dry = c.command("postkit.import", {**order, "dryRun": True})
        assert [it["action"] for it in dry["files"]] == ["created", "created"]
        assert not (store / "collections.sqlite").exists() and dry["created"] == []
        [collection] = c.command("postkit.import", order)["created"]
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert node["id"] == collection and [n["name"] for n in node["children"]] == ["a", "b"]
        source.write_text(json.dumps(shop("b", "c")))
        again = c.command("postkit.import", order)
        assert again["created"] == [collection]
        actions = {it["path"]: it["action"] for it in again["files"]}
        assert actions == {"a": "removed", "b": "unchanged", "c": "created"}
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert [n["name"] for n in node["children"]] == ["b", "c"]


DESCRIPTION = """
openapi: 3.0.0
info: {title: Far, version: "1"}
servers: [{url: "http://a.test"}]
paths:
  /users:
    get: {parameters: [{$ref: "page.json"}], responses: {}}
"""


class Shelf(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.paths.append(self.path)
        text = DESCRIPTION if self.path.startswith("/api.yaml") else PAGE
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


PAGE = '{"name": "page", "in": "query", "required": true, "example": 7}'


def test_a_url_is_fetched_where_that_is_asked_for(store, folder):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shelf)
    server.paths = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/api.yaml?token={SECRET}"
    try:
        with client(store, folder) as c:
            c.initialize()
            with pytest.raises(ResponseError, match="fetched with `fetch` alone"):
                c.command("postkit.import", {"uri": url})
            with pytest.raises(ResponseError, match="can't be fetched"):
                c.command("postkit.import", {"uri": "http://a.test/api.yaml", "fetch": True})
            assert server.paths == []
            result = c.command("postkit.import", {"uri": url, "fetch": True})
            assert len(server.paths) == 2 and result["requests"] == 1
            [path] = [it for it in result["created"] if it.endswith(".http")]
            assert "page=7" in (folder / "Far" / path.rpartition("/")[2]).read_text()
            assert SECRET not in json.dumps(result)
            assert SECRET not in (folder / "Far" / "postkit-import.json").read_text()
    finally:
        server.shutdown()


def test_what_can_not_be_imported_changes_nothing(store, folder, source):
    with client(store, folder) as c:
        c.initialize()
        (folder / "full").mkdir()
        (folder / "full" / "mine.txt").write_text("x")
        (folder / "broken.json").write_text('{"info": {"schema": "x/collection/v2.1.0"}, "item": [')
        for order, code, words in [
            ({"target": (folder / "full").as_uri()}, -32803, "`overwrite`"),
            ({"target": "untitled:x"}, -32602, "params.target"),
            ({"uri": (folder / "broken.json").as_uri()}, -32803, "broken.json"),
            ({"beside": [(folder / "none.json").as_uri()]}, -32602, "none.json"),
            ({"environments": ["nope"]}, -32803, "There is no environment `nope`"),
        ]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.import", {"uri": source.as_uri(), **order})
            assert caught.value.code == code and words in str(caught.value), order
        assert sorted(it.name for it in folder.iterdir()) == ["broken.json", "from", "full"]
        c.command("postkit.import", {
            "uri": source.as_uri(), "target": (folder / "full").as_uri(), "overwrite": True})
        assert (folder / "full" / "mine.txt").read_text() == "x"


def test_a_cancelled_import_leaves_whole_files(store, folder, source):
    names = [f"r{number}" for number in range(6_000)]
    source.write_text(json.dumps(shop(*names)))
    with client(store, folder, ASKING, options={"postkit": {"testing": True}}) as c:
        c.initialize()
        order = {"direction": "import", "format": "postman", "uri": source.as_uri(),
                 "layout": "request", "target": (folder / "out").as_uri()}
        id = c.start("postkit/transfer", {**order, "workDoneToken": "mine"})
        begun = c.expect("$/progress", lambda p: p["value"]["kind"] == "begin")
        assert begun["value"]["title"] == "Import shop.json" and begun["value"]["cancellable"]
        c.notify("$/cancelRequest", {"id": id})
        with pytest.raises(ResponseError) as caught:
            c.finish(id)
        assert caught.value.code == -32800
        c.request("postkit/debug/synchronize")
        assert "The import was cancelled" in c.expect("window/showMessage")["message"]
        assert not (folder / "out").exists() or all(
            it.read_text().startswith("### ") for it in (folder / "out").rglob("*.http"))
