"""Cookies and stored environments in an editor: listed, deleted, and told of."""

import os
import stat
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from rawclient import ResponseError, binary
from test_lists import becomes
from test_stock import FULL, client as stock, without

EVENTS = {**FULL, "experimental": {"postkit": {"version": 1, "storeEvents": True}}}
VALUE = "cookie-canary-5"


def client(store, folder, capabilities=FULL):
    return stock(store, folder, capabilities, options={"postkit": {"testing": True}})


def send(c, folder, target, path="/login", environment=None):
    target.cookies = {
        "/login": [f"sid={VALUE}; HttpOnly", "theme=dark; Path=/api; Max-Age=9000"]}
    uri = c.open(folder / "a.http", f"GET {target.url}{path}\n")
    place = {"uri": uri, "position": {"line": 0, "character": 0}}
    if environment:
        place["environment"] = environment
    assert c.command("postkit.send", place)["status"] == 200
    return dict(target.seen[-1][2]).get("Cookie")


def cookies(c, **filters):
    return c.request("postkit/cookies", filters)["items"]


def edit(c, *ops, **more):
    return c.request("postkit/edit", {"ops": list(ops), **more})


def actions(c, uri, line):
    return c.range("textDocument/codeAction", uri, line, line, context={"diagnostics": []})


def environments(folder):
    (folder / "http-client.env.json").write_text('{"dev": {}, "prod": {}}')


def test_cookies_are_listed_with_their_values_hidden(store, folder, target):
    environments(folder)
    with client(store, folder) as c:
        c.initialize()
        assert c.request("postkit/cookies", {}) == {"items": [], "revision": 0}
        send(c, folder, target)
        send(c, folder, target, environment="dev")
        listed = c.request("postkit/cookies", {})
        assert [(item["environment"], item["name"]) for item in listed["items"]] == [
            (None, "sid"), (None, "theme"), ("dev", "sid"), ("dev", "theme")]
        assert listed["items"][0] == {
            "folder": str(folder), "environment": None, "domain": "127.0.0.1", "path": "/",
            "name": "sid", "value": None, "masked": True, "expires": None, "subdomains": False,
            "secure": False, "httpOnly": True}
        assert VALUE not in str(listed)
        assert listed["items"][1]["expires"].endswith("Z")
        [one] = cookies(c, environment="dev", path="/", domain="127.0.0.1", reveal=True)
        assert (one["value"], one["masked"]) == (VALUE, False)
        assert cookies(c, folder="/elsewhere") == [] and len(cookies(c, environment="")) == 2


def test_pages_follow_each_other(store, folder, target):
    environments(folder)
    with client(store, folder) as c:
        c.initialize()
        send(c, folder, target)
        send(c, folder, target, environment="dev")
        first = c.request("postkit/cookies", {"limit": 3})
        rest = c.request("postkit/cookies", {"limit": 3, "cursor": first["cursor"]})
        assert first["items"] + rest["items"] == cookies(c)
        assert len(first["items"]) == 3 and "cursor" not in rest
        for wrong in ("x", "[]", '["a"]'):
            with pytest.raises(ResponseError, match="params.cursor"):
                cookies(c, cursor=wrong)


def test_edits_delete_cookies_and_know_their_revision(store, folder, target):
    environments(folder)
    with client(store, folder) as c:
        c.initialize()
        send(c, folder, target)
        send(c, folder, target, environment="dev")
        place = {"folder": str(folder), "domain": "127.0.0.1", "path": "/"}
        revision = c.request("postkit/cookies", {})["revision"]
        done = edit(c, {"op": "cookie.delete", "name": "sid", **place}, ifRevision=revision)
        assert done == {"revision": revision + 1, "ids": {}, "count": 1}
        assert send(c, folder, target, "/me") is None
        assert send(c, folder, target, "/me", "dev") == f"sid={VALUE}"
        for code, op, more in [
            (-32801, {"op": "cookie.clear"}, {"ifRevision": revision}),
            (-32602, {"op": "cookie.delete", "name": "sid"}, {}),
            (-32602, {"op": "history.clear"}, {}),
            (-32602, {"op": "collection.delete", "id": "x"}, {}),
        ]:
            with pytest.raises(ResponseError) as caught:
                edit(c, {"op": "cookie.clear"}, op, **more)
            assert caught.value.code == code
        assert len(cookies(c)) == 3
        again = edit(c, {"op": "cookie.delete", "name": "sid", **place})
        assert again["count"] == 0
        assert edit(c, {"op": "cookie.clear", "environment": "dev"})["count"] == 2
        assert edit(c, {"op": "cookie.clear", "domain": "0.0.1"})["count"] == 1
        assert cookies(c) == []
    left = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert VALUE.encode() not in left


def test_a_cookie_of_the_command_line_is_told_of(store, folder, target):
    with client(store, folder, EVENTS) as c:
        c.initialize()
        c.notifications.clear()
        target.cookies = {"/login": ["sid=1"]}
        (folder / "b.http").write_text(f"GET {target.url}/login\n")
        c.request("postkit/debug/synchronize")
        for words in (["run", "b.http"], ["cookies", "clear", "--all"]):
            subprocess.run(
                [binary(), *words, "--store", str(store)], cwd=folder, check=True,
                capture_output=True)
            c.expect("postkit/didChangeStore", lambda p: "cookies" in p["scopes"])
            c.notifications.clear()


def test_a_stock_client_deletes_from_the_document(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        assert c.command("postkit.cookies") == "postkit:/cookies"
        empty = c.request("workspace/textDocumentContent", {"uri": "postkit:/cookies"})["text"]
        assert empty.startswith("# No cookies yet.")
        send(c, folder, target)
        text = c.request("workspace/textDocumentContent", {"uri": "postkit:/cookies"})["text"]
        lines = text.splitlines()
        assert lines[2] == f"# {folder}" and VALUE not in text and "dark" not in text
        assert lines[3].startswith("#   127.0.0.1  /  sid=••••••  until it is deleted  http only")
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": "postkit:/cookies", "languageId": "http", "version": 1, "text": text}})
        assert actions(c, "postkit:/cookies", 0) == [] == actions(c, "postkit:/cookies", 99)
        delete, clear = actions(c, "postkit:/cookies", 3)
        assert delete["title"] == "Delete the cookie `sid`"
        assert clear["title"] == "Delete all cookies of `127.0.0.1` here"
        assert c.command(delete["command"]["command"], *delete["command"]["arguments"])[
            "count"] == 1
        assert [item["name"] for item in cookies(c)] == ["theme"]
        assert actions(c, "postkit:/cookies", 3) == []
        assert c.command(clear["command"]["command"], *clear["command"]["arguments"])["count"] == 1
        assert send(c, folder, target, "/me") is None


def test_without_content_documents_the_list_is_a_private_file(store, folder, target):
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        send(c, folder, target)
        uri = c.command("postkit.cookies")
        path = Path(urllib.parse.unquote(uri[7:]))
        assert path.name == "cookies.http" and stat.S_IMODE(os.stat(path).st_mode) == 0o600
        text = path.read_text()
        assert VALUE not in text
        c.open(path, text)
        [delete, _] = actions(c, uri, 3)
        c.command(delete["command"]["command"], *delete["command"]["arguments"])
        becomes(c, path, lambda text: "sid" not in text)
        with pytest.raises(ResponseError):
            c.command("postkit.cookieEdit")


def test_names_can_not_leave_their_line(store, folder, target):
    (folder / "http-client.env.json").write_text(
        '{"a\\nGET http://elsewhere.test/": {}}')
    with client(store, folder) as c:
        c.initialize()
        send(c, folder, target, environment="a\nGET http://elsewhere.test/")
        text = c.request("workspace/textDocumentContent", {"uri": "postkit:/cookies"})["text"]
        assert "elsewhere" in text and all(line.startswith("#") for line in text.splitlines())


def test_stored_environments_are_listed_with_their_secrets_hidden(store, folder):
    (folder / "http-client.env.json").write_text('{"dev": {}}')
    with client(store, folder) as c:
        c.initialize()
        assert "stored" not in c.request("postkit/environments", {}) or \
            c.request("postkit/environments", {})["stored"] == []
        made = edit(c, {"op": "collection.create", "kind": "collection", "name": "Shop"})
        shop = made["ids"]["0"]
        made = edit(
            c,
            {"op": "collection.create", "kind": "environment", "name": "live", "parent": shop},
            {"op": "collection.create", "kind": "environment", "name": "everywhere"},
            {"op": "collection.create", "kind": "request", "parent": shop,
             "source": "GET http://a.test/{{host}}/{{apiKey}}\n"})["ids"]
        variables = edit(
            c,
            {"op": "collection.create", "kind": "variable", "parent": made["0"], "name": "host",
             "value": "h"},
            {"op": "collection.create", "kind": "variable", "parent": made["0"], "name": "apiKey",
             "value": "variable-canary-4", "secret": True},
            {"op": "environment.select", "id": shop, "environment": made["0"]})["ids"]
        found = c.request("postkit/environments", {})
        assert [item["name"] for item in found["items"]] == ["dev"]
        assert found["stored"] == [
            {"id": made["0"], "name": "live", "collection": "Shop", "active": True, "variables": [
                {"id": variables["0"], "name": "host", "value": "h", "masked": False},
                {"id": variables["1"], "name": "apiKey", "value": None, "masked": True}]},
            {"id": made["1"], "name": "everywhere", "collection": None, "active": False,
             "variables": []}]
        text = c.request("workspace/textDocumentContent", {"uri": "postkit:/environments"})["text"]
        assert text == (
            f"  dev  {folder}/http-client.env.json\n"
            "* live  in the collection Shop\n    host = h\n    apiKey = ••••••\n"
            "  everywhere  for all collections\n")
        uri = c.command("postkit.collections", {"id": made["2"]})
        c.open(Path(urllib.parse.unquote(uri[7:])))
        place = {"textDocument": {"uri": uri}}
        known = {item["name"]: item for item in c.request("postkit/variables", place)["items"]}
        assert known["host"]["value"] == "h" and not known["host"]["masked"]
        assert known["apiKey"]["value"] is None and known["apiKey"]["masked"]
        shown = c.request("postkit/variables", {**place, "reveal": ["apiKey"]})["items"]
        assert {item["name"]: item["value"] for item in shown}["apiKey"] == "variable-canary-4"
