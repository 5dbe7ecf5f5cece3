"""Figures of the history, its orders, saved searches, and changes of all that a filter finds."""

import pytest
from rawclient import ResponseError
from test_collections import client, edit
from test_history import ids, sent


def rows(c, by, **filters):
    found = c.request("postkit/statistics", {"by": by, **({"filter": filters} if filters else {})})
    return found["rows"]


def test_figures_of_what_a_filter_finds(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        assert rows(c, "host") == []
        newest = sent(c, folder, target)[0]
        [row] = rows(c, "host")
        assert row["by"] == "host" and row["value"] == "127.0.0.1" and row["count"] == 3
        assert row["failed"] == 0 and row["median"] <= row["p95"] <= row["max"]
        entry = c.request("postkit/history", {"limit": 1})["items"][0]
        assert entry["id"] == newest and row["last"] == entry["time"]
        assert row["responseBytes"] == 3 * entry["size"]
        [row] = rows(c, "request", method="GET")
        assert row["value"] == "find" and row["file"].endswith("/a.http")
        [row] = rows(c, "environment")
        assert row["value"] is None
        assert rows(c, "status", status="5xx") == []
        for member, value in (("cursor", "x"), ("limit", 1), ("sort", "ms"), ("count", True)):
            with pytest.raises(ResponseError, match=f"params.filter.{member}: all are meant"):
                rows(c, "host", **{member: value})


def test_orders_have_pages_of_their_own_and_counts(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        sent(c, folder, target, 5)
        for sort in ("ms", "size", "time"):
            pages, cursor = [], {}
            while True:
                page = c.request(
                    "postkit/history", {"sort": sort, "limit": 2, "count": True, **cursor})
                assert page["count"] == 5
                pages += page["items"]
                if "cursor" not in page:
                    break
                cursor = {"cursor": page["cursor"]}
            assert len({item["id"] for item in pages}) == 5
            if sort != "time":
                values = [item[sort] for item in pages]
                assert values == sorted(values, reverse=True)
        assert "count" not in c.request("postkit/history", {})
        first = c.request("postkit/history", {"sort": "ms", "limit": 2})
        with pytest.raises(ResponseError, match="from the order `ms`. Ask for the first page"):
            c.request("postkit/history", {"sort": "size", "cursor": first["cursor"]})
        with pytest.raises(ResponseError, match="nothing can match"):
            c.request("postkit/history", {"minMs": 2, "maxMs": 1})


def test_the_exchanges_of_a_stored_request(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        sent(c, folder, target, 1)
        made = edit(c, {"op": "collection.create", "kind": "collection", "name": "Shop"})
        shop = made["ids"]["0"]
        request = edit(c, {
            "op": "collection.create", "kind": "request", "parent": shop,
            "source": f"### list\nGET {target.url}/list\n"})["ids"]["0"]
        [node] = c.request("postkit/collections", {"parent": shop})["nodes"]
        uri = node["uri"]
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1,
            "text": f"### list\nGET {target.url}/list\n"}})
        one = c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})["id"]
        assert ids(c, stored="Shop/list") == ids(c, stored=request) == [one]
        assert [row["count"] for row in rows(c, "path", stored="Shop/list")] == [1]
        with pytest.raises(ResponseError, match="`Shop` is a collection. Name a stored request"):
            ids(c, stored="Shop")


def test_searches_are_saved_listed_replaced_and_deleted(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        assert c.request("postkit/savedSearches", {}) == {"searches": []}
        edit(c, {"op": "search.save", "name": "slow", "query": "minMs:500  sort:ms words"})
        edit(c, {"op": "search.save", "name": "get", "query": "method:get"})
        edit(c, {"op": "search.save", "name": "slow", "query": "minMs:900"})
        found = c.request("postkit/savedSearches", {})["searches"]
        assert [(each["name"], each["query"]) for each in found] == [
            ("get", "method:get"), ("slow", "minMs:900")]
        edit(c, {"op": "search.delete", "name": "slow"})
        for operation, message in (
            ({"op": "search.delete", "name": "slow"}, "no saved search `slow`"),
            ({"op": "search.save", "name": "x", "query": ""}, "expected words or filters"),
            ({"op": "search.save", "name": "x", "query": "status:often"}, "a status such as 404"),
            ({"op": "search.save", "name": " ", "query": "a"}, "A name is needed"),
            ({"op": "search.save", "name": "x"}, "expected words or filters"),
            ({"op": "search.delete", "name": "x", "query": "a"}, "takes only `name`"),
        ):
            with pytest.raises(ResponseError, match=message):
                edit(c, operation)
        with pytest.raises(ResponseError, match="in a message of its own"):
            edit(c, {"op": "search.delete", "name": "get"}, {"op": "history.clear"})
        assert len(c.request("postkit/savedSearches", {})["searches"]) == 1


def test_a_saved_line_lists(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        newest = sent(c, folder, target)[0]
        uri = c.command("postkit.history", {"query": "line=method%3AGET%20sort%3Atime%20needle"})
        text = c.request("workspace/textDocumentContent", {"uri": uri})["text"] \
            if uri.startswith("postkit:") else open(uri.removeprefix("file://")).read()
        assert newest in text
        with pytest.raises(ResponseError, match="the value is missing"):
            c.command("postkit.history", {"query": "line=status%3A"})


def test_all_that_a_filter_finds_is_changed_if_it_is_no_more_than_was_agreed(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        sent(c, folder, target)
        find = {"request": "find"}
        with pytest.raises(ResponseError) as more:
            edit(c, {"op": "history.label", "filter": find, "text": "x", "atMost": 2})
        assert more.value.code == -32801
        assert ids(c, label="x") == []
        made = edit(c, {"op": "history.label", "filter": find, "text": "x", "atMost": 3})
        assert made["count"] == 3 and len(ids(c, label="x")) == 3
        assert edit(c, {"op": "history.pin", "filter": {"label": "x"}})["count"] == 3
        for operation, message in (
            ({"op": "history.delete", "filter": {}}, "it would choose everything"),
            ({"op": "history.delete", "filter": find, "ids": ["x"]}, "either entries or a"),
            ({"op": "history.pin", "ids": ["x"], "atMost": 1}, "only a `filter` finds"),
            ({"op": "history.pin", "filter": {"limit": 1}}, "all are meant"),
            ({"op": "history.pin"}, "expected the entries .* or a `filter`"),
        ):
            with pytest.raises(ResponseError, match=message):
                edit(c, operation)
        with pytest.raises(ResponseError, match="a message of its own"):
            edit(c, {"op": "history.pin", "filter": find}, {"op": "history.pin", "ids": ["x"]})
        assert edit(c, {"op": "history.delete", "filter": {"pinned": True}})["count"] == 3
        assert ids(c) == []


def test_a_line_asks_what_its_filters_ask(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        newest = sent(c, folder, target)
        assert ids(c, line="METHOD:get status:2xx find") == newest
        assert ids(c, line='name:"find" label:"no such"') == []
        assert ids(c, line="status:2xx", method="GET", query="find") == newest
        assert ids(c, line="status:2xx", method="POST") == []
        assert [row["count"] for row in rows(c, "method", line="name:find sort:ms")] == [3]
        slowest = c.request("postkit/history", {"line": "sort:ms", "limit": 1})
        assert c.request("postkit/history", {
            "line": "sort:ms", "limit": 1, "cursor": slowest["cursor"]})["items"]
        assert c.request("postkit/history", {"line": "sort:ms", "sort": "time"})["items"][0][
            "id"] == newest[0]
        for params, message in (
            ({"line": "status:"}, "params.line: `status:`: the value is missing"),
            ({"line": "status:4"}, "params.line: `status:4`: write a status such as 404"),
            ({"line": "status:4xx", "status": "404"}, "`status` is given beside the line"),
            ({"line": "since:1h", "until": "2h"}, "nothing can match"),
        ):
            with pytest.raises(ResponseError, match=message):
                c.request("postkit/history", params)
        made = edit(c, {"op": "history.pin", "filter": {"line": "name:find"}, "atMost": 3})
        assert made["count"] == 3 and ids(c, line="pinned:true") == newest
        with pytest.raises(ResponseError, match="it would choose everything"):
            edit(c, {"op": "history.delete", "filter": {"line": " "}})


def test_a_row_of_figures_has_the_line_of_its_exchanges(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        newest = sent(c, folder, target)
        uri = c.open(folder / "b.http", f"POST {target.url}/other\n\nx\n")
        other = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        for by in ("request", "host", "path", "status", "method", "environment", "day"):
            for row in rows(c, by):
                if row["value"] is None:
                    assert "line" not in row
                    continue
                assert len(ids(c, line=row["line"])) == row["count"], row
        [row] = rows(c, "status", line="sort:ms status:2xx find")
        assert row["line"] == "sort:ms status:200 find"
        [row] = rows(c, "request", line='since:1h name:"find"')
        assert ids(c, line=row["line"]) == newest
        [row] = rows(c, "request", line="method:POST")
        assert row["value"] == "POST /other" and ids(c, line=row["line"]) == [other["id"]]
        for row in rows(c, "day", line="since:2000-01-01 until:2999-01-01"):
            assert not {"since:2000-01-01", "until:2999-01-01"} & set(row["line"].split())
        [row] = rows(c, "host", method="POST")
        assert "line" not in row
