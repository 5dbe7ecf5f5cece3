"""Globals in an editor: one request sets them, requests of other files read them."""

import json

import pytest
from rawclient import Client, ResponseError

PULL = {"textDocument": {"diagnostic": {}}}


def send(c, uri):
    return c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})


def setting(target):
    return f"GET {target.url}/login\n\n@global.token = {{{{response.body.$.token}}}}\n"


def reading(target):
    return f"GET {target.url}/{{{{token}}}}\n"


def diagnostics(c, uri):
    params = {"textDocument": {"uri": uri}}
    return [d["code"] for d in c.request("textDocument/diagnostic", params)["items"]]


def test_a_global_outlives_the_session(store, folder, target):
    with Client(store, PULL, folder=folder) as c:
        c.initialize()
        other = c.open(folder / "b.http", reading(target))
        assert diagnostics(c, other) == ["unresolved-variable"]
        assert send(c, c.open(folder / "a.http", setting(target)))["state"] == "done"
        assert diagnostics(c, other) == []
        assert send(c, other)["state"] == "done"
    with Client(store, PULL, folder=folder) as c:
        c.initialize()
        other = c.open(folder / "b.http", reading(target))
        assert diagnostics(c, other) == []
        position = {"line": 0, "character": len(target.url) + 8}
        params = {"textDocument": {"uri": other}, "position": position}
        hover = c.request("textDocument/hover", params)["contents"]
        text = hover["value"] if isinstance(hover, dict) else hover
        assert "t-1" in text and "from the globals" in text
        names = [i["label"] for i in items(c.request("textDocument/completion", params))]
        assert "token" in names
        assert send(c, other)["state"] == "done"
    assert [path for _, path, _, _ in target.seen] == ["/login", "/t-1", "/t-1"]


def items(answer):
    return answer["items"] if isinstance(answer, dict) else answer


def test_a_project_may_forget_them(store, folder, target):
    (folder / "postkit.json").write_text('{"persistGlobals": false}')
    with Client(store, None, folder=folder) as c:
        c.initialize()
        assert send(c, c.open(folder / "a.http", setting(target)))["state"] == "done"
        assert send(c, c.open(folder / "b.http", reading(target)))["state"] == "done"
    with Client(store, None, folder=folder) as c:
        c.initialize()
        with pytest.raises(ResponseError) as caught:
            send(c, c.open(folder / "b.http", reading(target)))
        assert caught.value.data["code"] == "unresolved-variable"
    assert [path for _, path, _, _ in target.seen] == ["/login", "/t-1"]


def test_a_secret_lasts_for_the_session_alone(store, folder, target):
    private = {"dev": {"key": "hush-hush-1"}}
    (folder / "http-client.private.env.json").write_text(json.dumps(private))
    (folder / "postkit.json").write_text('{"environment": "dev"}')
    text = f"@global.token = {{{{key}}}}\nGET {target.url}/set\n"
    with Client(store, None, folder=folder) as c:
        c.initialize()
        assert send(c, c.open(folder / "a.http", text))["state"] == "done"
        assert send(c, c.open(folder / "b.http", reading(target)))["state"] == "done"
    assert [path for _, path, _, _ in target.seen] == ["/set", "/hush-hush-1"]
    for file in store.rglob("*"):
        assert not file.is_file() or b"hush-hush-1" not in file.read_bytes(), file
    with Client(store, None, folder=folder) as c:
        c.initialize()
        with pytest.raises(ResponseError):
            send(c, c.open(folder / "b.http", reading(target)))
