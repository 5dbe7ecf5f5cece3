"""How the server is: what it says of a store, of a library, and of itself."""

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, sample, without


def test_a_store_that_cannot_be_opened_stops_nothing(tmp_path, folder, target):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the directory should be")
    plain = without(FULL, "workspace.textDocumentContent")
    for capabilities in (FULL, plain):
        with client(blocked, folder, capabilities) as c:
            c.initialize()
            uri = c.open(folder / "a.http", sample(target))
            for _ in range(2):
                result = c.command("postkit.send", {"uri": uri, "name": "login"})
                assert result["state"] == "done" and result["status"] == 200
            hints = c.range("textDocument/inlayHint", uri)
            assert "200 OK" in hints[0]["label"][0]["value"]
            said = [m for m in c.notifications if m["method"] == "window/showMessage"]
            assert len(said) == 1
            if capabilities is FULL:
                text = c.request("workspace/textDocumentContent", {"uri": result["uri"]})["text"]
                assert "HTTP/1.1 200" in text


STATUS = {**FULL, "experimental": {"postkit": {"version": 1, "status": True}}}


def test_the_status_tells_of_a_store_that_cannot_be_opened(tmp_path, folder, target):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the directory should be")
    with client(blocked, folder, STATUS) as c:
        c.initialize()
        first = c.expect("postkit/status")
        assert first["health"] == "ok" and "message" not in first
        uri = c.open(folder / "a.http", sample(target))
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        status = c.expect("postkit/status", lambda p: p["health"] != "ok" and p["inFlight"] == 0)
        assert status["health"] == "warning" and str(blocked) in status["message"]
        # Once it can be opened, all is well again.
        blocked.unlink()
        c.notifications = [m for m in c.notifications if m["method"] != "postkit/status"]
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        c.expect("postkit/status", lambda p: p["health"] == "ok" and "message" not in p)


def test_the_status_tells_of_a_file_that_was_set_aside(store, folder, target):
    store.mkdir(mode=0o700)
    (store / "history.sqlite").write_bytes(b"no database " * 1000)
    with client(store, folder, STATUS) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        status = c.expect("postkit/status", lambda p: p["health"] != "ok")
        assert status["health"] == "warning" and "history.sqlite" in status["message"]
        assert "set" in status["message"] and "aside" in status["message"]


def test_the_status_tells_of_a_missing_library(store, folder, target, tmp_path):
    # Files that are found first and are no libraries.
    broken = tmp_path / "lib"
    broken.mkdir()
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        (broken / name).write_text("no library")
    environment = {"LD_LIBRARY_PATH": str(broken)}
    with client(store, folder, STATUS, environment=environment) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        result = c.command("postkit.send", {"uri": uri, "name": "login"})
        assert result["state"] == "failed" and "libcurl" in result["error"]["message"]
        status = c.expect("postkit/status", lambda p: p["health"] != "ok")
        assert status["health"] == "error" and "apt install" in status["message"]
        # Installed meanwhile: whoever asks is told that all is well, also before the next send.
        for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
            (broken / name).unlink()
        c.command("postkit.status")
        status = c.expect("postkit/status", lambda p: p["health"] == "ok")
        assert "message" not in status or status["message"] is None
        result = c.command("postkit.send", {"uri": uri, "name": "login"})
        assert result["state"] == "done"


def test_the_log_reaches_the_client_within_bounds(store, folder):
    with client(store, folder) as c:
        c.initialize()
        for _ in range(200):
            c.server.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}})
        line = c.expect("window/logMessage", lambda params: params["type"] == 2)
        assert "params.textDocument" in line["message"]
        with pytest.raises(ResponseError):
            c.at("textDocument/hover", (folder / "none.http").as_uri(), 0, 0)
        lines = [m for m in c.notifications if m["method"] == "window/logMessage"]
        assert 1 <= len(lines) <= 150
