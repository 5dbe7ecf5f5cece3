"""What was sent is listed, and read page by page."""

import json

import pytest
from rawclient import ResponseError
from test_stock import client, sample


def test_send_all_and_history_pages(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        results = c.command("postkit.sendAll", {"uri": uri})
        assert [r["state"] for r in results] == ["done", "done"]
        assert len({r["id"] for r in results}) == 2
        page = c.request("postkit/history", {"limit": 1})
        assert page["items"][0]["name"] == "use" and page["cursor"]
        rest = c.request("postkit/history", {"limit": 1, "cursor": page["cursor"]})
        assert rest["items"][0]["name"] == "login" and "cursor" not in rest
        assert page["revision"] >= 1
        found = c.request("postkit/history", {"method": "POST"})["items"]
        assert [item["name"] for item in found] == ["use"]
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/history", {"cursor": "nonsense"})
        assert caught.value.code == -32602


def test_exchange_is_paged(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/large\n")
        result = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        data, offset = "", 0
        while True:
            page = c.request(
                "postkit/exchange", {"id": result["id"], "offset": offset, "length": 70_000}
            )
            assert page["encoding"] == "utf-8" and page["offset"] == offset
            data += page["data"]
            offset += len(page["data"].encode())
            if page["eof"]:
                break
        assert page["total"] == len(data) == result["size"]
        head = c.request("postkit/exchange", {"id": result["id"], "view": "headers"})
        assert head["data"].startswith("HTTP/1.1 200")
        sent = c.request(
            "postkit/exchange", {"id": result["id"], "part": "request", "view": "headers"}
        )
        assert sent["data"].startswith("GET ")
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/exchange", {"id": "019a8f2e-7c11-7b3e-9d55-0a1b2c3d4e5f"})
        assert caught.value.code == -32801


def test_exchange_record(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = f"GET {target.url}/large\n\n?? status == 200\n?? status == 201\n"
        uri = c.open(folder / "a.http", text)
        result = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        page = c.request("postkit/exchange", {"id": result["id"], "view": "record"})
        assert (page["contentType"], page["eof"]) == ("application/json", True)
        record = json.loads(page["data"])
        assert (record["id"], record["status"], record["hops"]) == (result["id"], 200, [])
        assert [(t["name"], t["passed"]) for t in record["tests"]] == [
            ("status == 200", True),
            ("status == 201", False),
        ]
        assert record["tests"][1]["message"]
        assert record["timings"]["total"] == result["timings"]["total"]
        # Bodies are read by other views.
        assert "body" not in record["response"] and "body" not in record["request"]
        assert record["response"]["size"] == result["size"]
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/exchange", {"id": result["id"], "view": "record", "select": "$"})
        assert caught.value.code == -32602
