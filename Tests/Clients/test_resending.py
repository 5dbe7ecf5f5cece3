"""Requests of the history are sent anew, as they were written then and with the secrets of now."""

import json

import pytest
from rawclient import ResponseError
from test_collections import edit as edits, purge
from test_stock import FULL, client, without


def text(target, secret="literal-token-1"):
    return (
        f"@host = {target.url}\n\n### a\n# @name a\nGET {{{{host}}}}/a\n"
        f"X-Key: {{{{key}}}}\nAuthorization: Bearer {secret}\n"
    )


def environments(folder, key):
    values = {"dev": {"key": key}, "prod": {"key": "of-production"}}
    (folder / "http-client.private.env.json").write_text(json.dumps(values))


def sent(c, folder, target):
    environments(folder, "first-secret")
    path = folder / "a.http"
    path.write_text(text(target))
    uri = c.open(path, text(target))
    result = c.command("postkit.send", {"uri": uri, "name": "a", "environment": "dev"})
    return uri, result["id"]


def test_a_request_is_sent_anew(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri, id = sent(c, folder, target)
        environments(folder, "second-secret")
        result = c.command("postkit.resend", {"id": id})
        assert result["state"] == "done" and result["id"] != id
        headers = target.seen[-1][2]
        assert headers["X-Key"] == "second-secret"
        assert headers["Authorization"] == "Bearer literal-token-1"
        newest = c.request("postkit/history", {})["items"][0]
        assert newest["id"] == result["id"]
        assert newest["environment"] == "dev" and newest["name"] == "a"
        # The last one is meant where none is named, and another environment can be.
        c.command("postkit.resend", {"environment": "prod"})
        assert target.seen[-1][2]["X-Key"] == "of-production"
        c.request("postkit/send", {"historyId": id, "environment": "dev"})
        assert target.seen[-1][2]["X-Key"] == "second-secret"


def test_what_is_open_is_what_the_file_says(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri, id = sent(c, folder, target)
        # Not saved: the secret of now is the one in the editor.
        c.change(uri, text(target, "literal-token-2"))
        c.command("postkit.resend", {"id": id})
        assert target.seen[-1][2]["Authorization"] == "Bearer literal-token-2"


def test_a_mask_is_never_sent(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri, id = sent(c, folder, target)
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        (folder / "a.http").unlink()
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.resend", {"id": id})
        assert caught.value.code == -32803
        assert caught.value.data["code"] == "unresolved-variable"
        assert "a.http is gone" in str(caught.value)
        assert len(target.seen) == 1


def test_a_request_whose_file_is_gone(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        path = folder / "b.http"
        path.write_text(f"POST {target.url}/b\n\nbody\n")
        uri = c.open(path, path.read_text())
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        id = c.command("postkit.send", place)["id"]
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        path.unlink()
        assert c.command("postkit.resend", {"id": id})["state"] == "done"
        assert target.seen[-1][1] == "/b" and target.seen[-1][3] == b"body"
        assert "b.http is gone" in c.expect("window/showMessage")["message"]


def edit(c, **operation):
    return c.request("postkit/edit", {"ops": [operation]})["ids"]["0"]


def test_a_stored_request_is_sent_from_its_collection(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        create = "collection.create"
        shop = edit(c, op=create, kind="collection", name="Shop")
        source = f"### pay\nGET {target.url}/pay\nX-Key: {{{{token}}}}\n"
        request = edit(c, op=create, kind="request", parent=shop, source=source)
        live = edit(c, op=create, kind="environment", parent=shop, name="live")
        token = edit(
            c, op=create, kind="variable", parent=live, name="token", value="first-secret",
            secret=True)
        uri = f"postkit:/collections/{request}.http"
        id = c.command("postkit.send", {"uri": uri, "environment": "live"})["id"]
        edit(c, op="collection.update", id=token, value="second-secret", secret=True)
        c.command("postkit.resend", {"id": id})
        assert target.seen[-1][2]["X-Key"] == "second-secret"
        newest, first = c.request("postkit/history", {"uri": uri})["items"]
        assert first["id"] == id and newest["environment"] == "live"
        # Once it is gone, what was kept of it is sent, and that is said.
        edit(c, op="collection.update", id=request, source=f"### pay\nGET {target.url}/kept\n")
        id = c.command("postkit.send", {"uri": uri, "name": "pay"})["id"]
        edit(c, op="collection.delete", id=request)
        purge(store)
        assert c.command("postkit.resend", {"id": id})["state"] == "done"
        assert target.seen[-1][1] == "/kept"
        assert "the stored request `pay` is gone" in c.expect("window/showMessage")["message"]


def test_a_deleted_request_is_sent_with_its_collection(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        shop = made(c, kind="collection", name="Shop")
        inside = made(c, kind="folder", parent=shop, name="in")
        source = f"### pay\nGET {target.url}/{{{{path}}}}\nX-Key: {{{{token}}}}\n"
        request = made(c, kind="request", parent=inside, source=source)
        live = made(c, kind="environment", parent=shop, name="live")
        made(c, kind="variable", parent=live, name="token", value="first-secret", secret=True)
        edits(c, {"op": "environment.select", "id": shop, "environment": live},
              {"op": "collection.defaults", "id": inside,
               "defaults": {"variables": [["path", "deep"]]}})
        uri = f"postkit:/collections/{request}.http"
        id = c.command("postkit.send", {"uri": uri, "name": "pay"})["id"]
        for deleted in (request, inside, shop):
            edits(c, {"op": "collection.delete", "id": deleted})
            assert c.command("postkit.resend", {"id": id})["status"] == 200
            assert target.seen[-1][1] == "/deep"
            assert target.seen[-1][2]["X-Key"] == "first-secret"
            told = c.expect("window/showMessage")["message"]
            assert told.startswith("The stored request `pay` is deleted"), told
        newest = c.request("postkit/history", {"uri": uri})["items"][0]
        assert newest["environment"] == "live"
        purge(store)
        with pytest.raises(ResponseError, match="path|token"):
            c.command("postkit.resend", {"id": id})


def test_a_response_offers_it(store, folder, target):
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        uri, id = sent(c, folder, target)
        shown = c.open(store / "view" / f"{id}.http")
        found = c.range("textDocument/codeAction", shown, 0, 0, context={"diagnostics": []})
        [action] = [a for a in found if a["title"] == "Send again"]
        assert action["command"]["arguments"] == [{"id": id}]


def test_bad_arguments(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri, id = sent(c, folder, target)
        document = {"textDocument": {"uri": uri}, "historyId": id}
        for params in ({}, document, {"historyId": id, "name": "a"}):
            with pytest.raises(ResponseError) as caught:
                c.request("postkit/send", params)
            assert caught.value.code == -32602, params
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.resend", {"id": "0" * 36})
        assert caught.value.code == -32801


def test_without_its_stored_request_it_takes_the_variables_that_are_given(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = f"### pay\nGET {target.url}/{{{{path}}}}\n"
        shop = made(c, kind="collection", name="Shop")
        request = made(c, kind="request", parent=shop, source=text)
        local = made(c, kind="environment", parent=shop, name="local")
        made(c, kind="variable", parent=local, name="path", value="one")
        edits(c, {"op": "environment.select", "id": shop, "environment": local})
        uri = f"postkit:/collections/{request}.http"
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1, "text": text}})
        sent = c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})
        assert sent["status"] == 200
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        edits(c, {"op": "collection.delete", "id": request})
        purge(store)
        with pytest.raises(ResponseError, match="path"):
            c.command("postkit.resend", {"id": sent["id"]})
        again = c.command("postkit.resend", {"id": sent["id"], "variables": {"path": "two"}})
        assert again["status"] == 200


def made(c, **item):
    return edits(c, {"op": "collection.create", **item})["ids"]["0"]
