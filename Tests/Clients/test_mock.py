"""The mock of a session: started and stopped by actions, named by `{{$mock}}`."""

import socket
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from rawclient import ResponseError
from test_status import STATUS
from test_stock import client

TEXT = """@base = {{$mock}}

### The users
# @name users
# @example 200 ./examples/users.http
GET {{base}}/users
"""
EXAMPLE = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[\"Ada\"]\n"


def actions(c, uri, line):
    found = c.range("textDocument/codeAction", uri, line, line, context={"diagnostics": []})
    return {it["title"]: it["command"] for it in found if it["kind"] == "postkit.mock"}


def call(c, command):
    return c.request(
        "workspace/executeCommand", {key: command[key] for key in ("command", "arguments")})


def listens(url):
    parts = urlsplit(url)
    with socket.socket() as probe:
        return probe.connect_ex((parts.hostname, parts.port)) == 0


def test_the_mock_of_a_folder_answers_its_requests_until_it_is_stopped(store, folder):
    (folder / "examples").mkdir()
    (folder / "examples/users.http").write_text(EXAMPLE)
    (folder / "a.http").write_text(TEXT)
    with client(store, folder, STATUS) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        with pytest.raises(ResponseError, match="Start the mock of this folder"):
            c.command("postkit.send", {"uri": uri, "name": "users"})

        (title, start), = actions(c, uri, 5).items()
        assert title == "Start the mock of this folder"
        url = call(c, start)
        assert listens(url)
        said = c.expect("window/showMessage")["message"]
        assert url in said and "with 1 answer" in said
        assert url in c.command("postkit.status", None)

        result = c.command("postkit.send", {"uri": uri, "name": "users"})
        assert result["status"] == 200 and result["state"] == "done"
        text = c.request("workspace/textDocumentContent", {"uri": result["uri"]})["text"]
        assert '"Ada"' in text

        assert c.expect("postkit/status", lambda p: "mock" in p)["mock"] == url

        (title, stop), = actions(c, uri, 5).items()
        assert title == f"Stop the mock at {url}"
        assert call(c, stop) == "The mock has ended."
        assert not listens(url)
        with pytest.raises(ResponseError, match="No mock runs here"):
            c.command("postkit.send", {"uri": uri, "name": "users"})
        assert c.command("postkit.mock", {"stop": True}) == "No mock runs."


def test_a_mock_ends_with_its_session(store, folder):
    (folder / "a.http").write_text(TEXT)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        url = c.command("postkit.mock", {"uri": uri})
        assert listens(url)
        said = [m["params"]["message"] for m in c.notifications
                if m["method"] == "window/showMessage"]
        assert any("examples/users.http can't be read" in it for it in said)
    assert not listens(url)


def test_a_mock_has_no_answers_of_other_folders(store, folder, target):
    other = folder.parent / "other"
    other.mkdir()
    with client(store, folder) as c:
        c.initialize()
        inside = c.open(folder / "a.http", f"GET {target.url}/inside\n")
        outside = c.open(other / "b.http", f"GET {target.url}/outside\n")
        for uri in (inside, outside):
            place = {"uri": uri, "position": {"line": 0, "character": 0}}
            assert c.command("postkit.send", place)["status"] == 200
        url = c.command("postkit.mock", {"uri": inside})
        assert urlopen(url + "/inside").status == 200
        with pytest.raises(HTTPError, match="404"):
            urlopen(url + "/outside")
