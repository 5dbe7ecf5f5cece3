"""The history and collections are taken along in forms that others read, and brought in."""

import contextlib
import fcntl
import json
import os
import stat

import pytest
from rawclient import ResponseError
from test_collections import ASKING, METHOD, edit
from test_stock import client, sample


def test_the_history_is_written_to_a_file(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        c.command("postkit.sendAll", {"uri": uri})
        path = folder / "out.har"
        export = {"format": "har", "target": path.as_uri()}
        result = c.command("postkit.export", export)
        assert result["uri"] == path.as_uri() and result["count"] == 2
        assert result["created"] == [path.as_uri()] and result["warnings"] == []
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        entries = json.loads(path.read_text())["log"]["entries"]
        assert [entry["comment"] for entry in entries] == ["login", "use"]
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.export", export)
        assert caught.value.code == -32803 and "already exists" in str(caught.value)
        assert c.command("postkit.export", {**export, "overwrite": True})["count"] == 2
        with pytest.raises(ResponseError):
            c.command("postkit.export", {**export, "target": "untitled:x"})


def test_a_short_one_is_answered_as_text(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        c.command("postkit.sendAll", {"uri": uri})
        params = {"direction": "export", "format": "jsonl", "limit": 1}
        result = c.request("postkit/transfer", params)
        [line] = result["text"].splitlines()
        assert json.loads(line)["name"] == "use" and "uri" not in result
        # What is open is what defines, saved or not.
        result = c.request("postkit/transfer", {"direction": "export", "format": "http"})
        assert f"@host = {target.url}\n" in result["text"] and result["warnings"] == []
        result = c.request(
            "postkit/transfer", {"direction": "export", "format": "jsonl", "query": "none such"}
        )
        assert result["text"] == "" and result["count"] == 0


def test_a_long_one_needs_a_file(store, folder, target):
    target.bodies["/long"] = ("text/plain", b"x" * 2_000_000)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/long\n")
        c.command("postkit.sendAll", {"uri": uri})
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.export", {"format": "har"})
        assert caught.value.code == -32803
        assert c.command(
            "postkit.export", {"format": "har", "target": (folder / "x.har").as_uri()}
        )["count"] == 1


def test_bad_arguments(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        for argument in (None, {}, {"format": "pdf"}, {"format": "har", "limit": -1}):
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.export", argument)
            assert caught.value.code == -32602, argument
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.export", {"format": "har"})
        assert caught.value.code == -32803 and "Nothing has been sent yet" in str(caught.value)
        assert not store.exists()


def test_the_filters_of_the_history_choose(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        other = c.open(folder / "b.http", f"### other\nGET {target.url}/missing\n")
        c.command("postkit.sendAll", {"uri": uri})
        c.command("postkit.sendAll", {"uri": other})
        everything = {"direction": "export", "format": "jsonl"}
        for given, names in [
            ({"filter": {"status": "4xx"}}, ["other"]),
            ({"filter": {"uri": uri}}, ["login", "use"]),
            ({"filter": {"uri": uri, "request": "login"}}, ["login"]),
            ({"filter": {"host": "nowhere.test"}}, []),
            ({"filter": {"status": "2xx"}, "limit": 1}, ["use"]),
            ({"filter": {"status": "2xx"}, "query": "missing"}, []),
        ]:
            text = c.request("postkit/transfer", {**everything, **given})["text"]
            assert [json.loads(line)["name"] for line in text.splitlines()] == names, given
        for wrong in ({"status": "none"}, {"cursor": "1 2 3"}, {"limit": 3}):
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.export", {"format": "har", "filter": wrong})
            assert caught.value.code == -32602, wrong


def fill(folder, count=0):
    (folder / "api" / "users").mkdir(parents=True)
    (folder / "api" / "users" / "one.http").write_text("### one\nGET http://a.test/{{id}}\n")
    (folder / "api" / "notes.txt").write_text("x")
    (folder / "api" / "http-client.env.json").write_text('{"dev": {"id": "1"}}')
    (folder / "api" / "http-client.private.env.json").write_text('{"dev": {"key": "canary-81"}}')
    for number in range(count):
        (folder / "api" / f"r{number}.http").write_text(f"### r{number}\nGET http://a.test/\n")
    return (folder / "api").as_uri()


def test_a_folder_is_imported_and_exported_again(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = fill(folder)
        result = c.request(
            "postkit/transfer", {"direction": "import", "format": "auto", "uri": uri})
        [collection] = result["created"]
        assert result["count"] == 1 and "uri" not in result
        assert result["warnings"] == ["notes.txt is left out: collections have no place for it."]
        [node] = c.request("postkit/collections", {"depth": 3})["nodes"]
        assert node["id"] == collection and node["name"] == "api"
        assert node["children"][0]["children"][0]["name"] == "one"
        out = folder / "out"
        export = {"format": "http", "scope": "collections", "id": collection}
        export["target"] = out.as_uri()
        written = c.command("postkit.export", export)
        assert written["uri"] == out.as_uri() and written["count"] == 1
        assert [w for w in written["warnings"] if "`key` in `dev` are secrets" in w]
        names = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
        assert sorted(written["created"]) == sorted((out / name).as_uri() for name in names)
        assert "users/one.http" in names
        assert not [name for name in names if "canary-81" in (out / name).read_text()]
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.export", export)
        assert caught.value.code == -32803 and "`overwrite`" in str(caught.value)
        c.command("postkit.export", {**export, "overwrite": True, "format": "auto"})
        # What is imported completely is overwritten only where that is asked for.
        again = {"direction": "import", "format": "http", "uri": out.as_uri()}
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/transfer", again)
        assert caught.value.code == -32803 and "already has all of this" in str(caught.value)
        assert c.request("postkit/transfer", {**again, "overwrite": True})["count"] == 1
        assert c.request("postkit/transfer", {**again, "name": "two"})["created"] != [collection]


def test_what_can_not_be_imported_is_refused(store, folder):
    with client(store, folder) as c:
        c.initialize()
        fill(folder)
        (folder / "empty").mkdir()
        (folder / "a.http").write_text("Dear reader\n")
        for name, code, words in [
            ("api/notes.txt", -32803, "api/notes.txt is in no format that PostKit reads; it reads"),
            ("missing", -32602, "params.uri: "),
            ("empty", -32803, "PATH has no .http or .rest file; name a folder"),
            ("a.http", -32803, "PATH has no request. "),
        ]:
            path = folder / name
            for method, params in [
                ("postkit/transfer", {"direction": "import", "format": "auto"}),
                ("postkit.import", {}),
            ]:
                ask = c.request if "/" in method else c.command
                with pytest.raises(ResponseError) as caught:
                    ask(method, {**params, "uri": path.as_uri()})
                assert caught.value.code == code, (method, name, caught.value)
                message = caught.value.message
                assert message.startswith(words.replace("PATH", str(path))), message


def test_a_text_is_imported(store, folder):
    with client(store, folder) as c:
        c.initialize()
        text = "### a\nGET http://a.test/\n\n### b\nGET http://b.test/\n"
        result = c.command("postkit.import", {"text": text, "name": "a/b"})
        assert result["count"] == 2
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert node["name"] == "a/b" and [n["name"] for n in node["children"]] == ["a", "b"]
        assert "Imported 2 requests" in c.expect("window/showMessage")["message"]


def test_a_workspace_folder_is_asked_for(store, folder):
    with client(store, folder, ASKING) as c:
        fill(folder)
        c.initialize()
        c.answers[METHOD] = lambda params: None
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.import", None)
        assert caught.value.code == -32803 and "You chose no folder" in str(caught.value)
        c.answers[METHOD] = lambda params: params["actions"][0]
        assert c.command("postkit.import", None)["count"] == 1


@contextlib.contextmanager
def writing(store):
    """Holds the lock that every writer of the store takes."""
    with open(store / "store.lock", "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_cancelled_import_is_gone_on_with(store, folder):
    with client(store, folder, options={"postkit": {"testing": True}}) as c:
        c.initialize()
        uri = fill(folder, 600)
        edit(c, {"op": "collection.create", "kind": "collection", "name": "other"})
        order = {"direction": "import", "format": "auto", "uri": uri}
        with writing(store):
            id = c.start("postkit/transfer", {**order, "workDoneToken": "mine"})
            # Before it has begun there would be nothing to tell of it.
            c.expect("$/progress", lambda p: p["value"]["kind"] == "begin")
            c.notify("$/cancelRequest", {"id": id})
            with pytest.raises(ResponseError) as caught:
                c.finish(id)
            assert caught.value.code == -32800
        c.request("postkit/debug/synchronize")
        assert "The import was cancelled" in c.expect("window/showMessage")["message"]
        done = [n["childCount"] for n in c.request("postkit/collections", {})["nodes"]]
        assert sum(done) < 600
        c.request("postkit/transfer", order)
        nodes = c.request("postkit/collections", {})["nodes"]
        assert {n["name"]: n["childCount"] for n in nodes} == {"other": 0, "api": 601}


def test_progress_of_an_import_is_told_under_the_token_of_the_client(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = fill(folder, 600)
        edit(c, {"op": "collection.create", "kind": "collection", "name": "other"})
        with writing(store):
            id = c.start("postkit/transfer", {
                "direction": "import", "format": "auto", "uri": uri, "workDoneToken": "mine"})
            begun = c.expect("$/progress", lambda p: p["value"]["kind"] == "begin")
        assert begun["token"] == "mine" and begun["value"]["title"] == "Import api"
        assert begun["value"]["cancellable"]
        assert c.finish(id)["count"] == 601
        c.expect("$/progress", lambda p: p["value"]["kind"] == "end")


def test_what_can_not_be_transferred_is_said(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        (folder / "empty").mkdir()
        missing = (folder / "missing").as_uri()
        for params, code, message in [
            ({}, -32602, "either a uri or a text"),
            ({"uri": missing, "text": "GET /"}, -32602, "either a uri or a text"),
            ({"uri": missing}, -32602, "doesn't exist"),
            ({"uri": "untitled:x"}, -32602, "expected a file: URI"),
            ({"uri": (folder / "empty").as_uri()}, -32803, "no .http or .rest file"),
            ({"text": "@a = 1"}, -32803, "The text has no request"),
            ({"text": "GET /", "format": "postman"}, -32803, "text"),
            ({"text": "GET /", "format": "jsonl"}, -32803, "Use one of `auto`, `postman`"),
            ({"text": "GET /", "format": "zip"}, -32602, "format: expected one of `har`, `jsonl`"),
        ]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.import", params)
            assert caught.value.code == code and message in str(caught.value), params
        assert not store.exists()
        gone = "019f0a1b-2c3d-7e4f-8a5b-6c7d8e9f0a1c"
        collection = {"format": "http", "scope": "collections", "id": gone, "target": missing}
        for params, code in [
            (collection, -32801), ({**collection, "format": "har"}, -32803),
            ({**collection, "query": "x"}, -32602), ({"format": "bruno"}, -32803),
            ({"format": "http", "scope": "collections"}, -32602),
        ]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.export", params)
            assert caught.value.code == code, params
        assert not (folder / "missing").exists()
