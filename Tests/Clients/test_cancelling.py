"""Progress, the ways to cancel a send, and what is left of it."""

import time

import pytest
from rawclient import TIMEOUT, ResponseError
from test_stock import client


def shown(c):
    """The displays of progress that were asked for and not taken up."""
    return [m for m in c.requests if m["method"] == "window/workDoneProgress/create"]


def test_progress_appears_only_when_it_takes_long(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http", f"### slow\nGET {target.url}/slow\n\n### fast\nGET {target.url}/\n"
        )
        # One that was back before that; on a machine that has much to do others may take longer.
        end = time.monotonic() + TIMEOUT
        is_fast = False
        while not is_fast:
            c.requests.clear()
            began = time.monotonic()
            assert began < end, "the machine is too slow to tell"
            c.command("postkit.send", {"uri": uri, "name": "fast"})
            is_fast = time.monotonic() - began < 0.15
        c.request("postkit/history", {})
        assert shown(c) == []
        id = c.start(
            "workspace/executeCommand",
            {"command": "postkit.send", "arguments": [{"uri": uri, "name": "slow"}]},
        )
        token = c.expect("window/workDoneProgress/create")["token"]

        def mine(kind):
            return lambda p: p["token"] == token and p["value"]["kind"] == kind

        c.expect("$/progress", mine("begin"))
        target.release.set()
        assert c.finish(id)["state"] == "done"
        c.expect("$/progress", mine("end"))
        assert shown(c) == []


def cancelled_by_request(c, id, uri):
    c.notify("$/cancelRequest", {"id": id})


def cancelled_by_place(c, id, uri):
    assert c.command("postkit.cancel", {"uri": uri, "position": {"line": 0, "character": 0}}) == 1


def cancelled_by_id(c, id, uri):
    started = c.expect("$/progress", lambda p: p["value"]["kind"] == "started")
    assert c.command("postkit.cancel", {"id": started["value"]["id"]}) == 1


def cancelled_without_argument(c, id, uri):
    assert c.command("postkit.cancel") == 1


def cancelled_by_progress(c, id, uri):
    token = c.expect("window/workDoneProgress/create")["token"]
    c.expect("$/progress", lambda p: p["value"]["kind"] == "begin")
    c.notify("window/workDoneProgress/cancel", {"token": token})


@pytest.mark.parametrize(
    "cancel",
    [
        cancelled_by_request,
        cancelled_by_place,
        cancelled_by_id,
        cancelled_without_argument,
        cancelled_by_progress,
    ],
)
def test_a_send_is_cancelled(store, folder, target, cancel):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        id = c.start(
            "postkit/send",
            {
                "textDocument": {"uri": uri},
                "position": {"line": 0, "character": 0},
                "partialResultToken": "p",
            },
        )
        assert target.hanging.wait(TIMEOUT)
        cancel(c, id, uri)
        if cancel is cancelled_by_request:
            with pytest.raises(ResponseError) as caught:
                c.finish(id)
            assert caught.value.code == -32800
        else:
            result = c.finish(id)
            assert result["state"] == "cancelled" and result["status"] is None
            assert result["error"]["code"] == "cancelled"
        assert target.closed.wait(TIMEOUT), "the socket must be closed"
        assert c.command("postkit.cancel") == 0
        # The attempt is in the history.
        deadline = time.monotonic() + TIMEOUT
        while not (items := c.request("postkit/history", {})["items"]):
            assert time.monotonic() < deadline
        assert items[0]["state"] == "cancelled"


def test_a_send_is_cancelled_where_its_request_has_moved_to(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = f"GET {target.url}/hang\n"
        uri = c.open(folder / "a.http", text)
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        id = c.start(
            "workspace/executeCommand", {"command": "postkit.send", "arguments": [place]}
        )
        assert target.hanging.wait(TIMEOUT)
        c.change(uri, "### other\nGET http://127.0.0.1:1/\n\n###\n" + text)
        assert c.command("postkit.cancel", place) == 0
        moved = {"uri": uri, "position": {"line": 4, "character": 3}}
        assert c.command("postkit.cancel", moved) == 1
        assert c.finish(id)["state"] == "cancelled"
        assert target.closed.wait(TIMEOUT)


def test_shutdown_records_what_was_cut_off(store, folder, target):
    c = client(store, folder)
    with c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        c.start(
            "workspace/executeCommand",
            {
                "command": "postkit.send",
                "arguments": [{"uri": uri, "position": {"line": 0, "character": 0}}],
            },
        )
        assert target.hanging.wait(TIMEOUT)
        c.server.process.terminate()
        assert c.server.wait() == 143
    assert target.closed.wait(TIMEOUT)
    with client(store, folder) as c:
        c.initialize()
        items = c.request("postkit/history", {})["items"]
        assert [item["state"] for item in items] == ["cancelled"]
