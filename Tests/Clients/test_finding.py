"""Stored requests are found by what is in them, page by page."""

import pytest
from rawclient import ResponseError
from test_collections import ASKING, client, edit, shop


def create(parent, source):
    return {"op": "collection.create", "kind": "request", "parent": parent, "source": source}


def test_a_list_of_found_requests_follows_other_editors(store, folder):
    hearing = {**ASKING, "experimental": {"postkit": {"version": 1, "storeEvents": True}}}
    with client(store, folder, hearing) as c, client(store, folder) as other:
        c.initialize()
        other.initialize()
        collection, request = shop(other, "### one\n# @tag smoke\nGET http://a.test/\n")
        asked = {"filter": {"tag": "smoke"}}

        def listed():
            answer = c.request("postkit/collections", asked)
            return [node["name"] for node in answer["nodes"]], answer["revision"]

        names, revision = listed()
        assert names == ["one"]
        for op, expected in (
            (create(collection, "### two\n# @tag smoke\nGET http://a.test/2\n"), ["one", "two"]),
            ({"op": "collection.delete", "id": request}, ["two"]),
        ):
            edit(other, op)
            while True:
                told = c.expect(
                    "postkit/didChangeStore", lambda p: "collections" in p["scopes"])
                if told["revision"] > revision:
                    break
            names, revision = listed()
            assert names == expected


def test_requests_are_found_page_by_page(store, folder):
    with client(store, folder) as c:
        c.initialize()
        assert c.request("postkit/collections", {"filter": {}}) == {"nodes": [], "revision": 0}
        collection, _ = shop(c, "### one\n# @tag smoke, slow\nGET http://a.test/\nX-Id: Straße\n")
        edit(c, {"op": "collection.create", "kind": "folder", "parent": collection, "name": "in"})
        [folder_node, _] = c.request("postkit/collections", {"parent": collection})["nodes"]
        edit(
            c, create(folder_node["id"], "### Änderung\nPUT http://a.test/?page=1\n"),
            create(collection, "### two\n# @tag smoke\nGET http://a.test/2\n"))

        def names(filter, **more):
            nodes = c.request("postkit/collections", {"filter": filter, **more})["nodes"]
            return [node["name"] for node in nodes]

        assert names({}) == ["Änderung", "one", "two"]
        assert names({"text": "anderung PUT"}) == ["Änderung"]
        assert names({"method": "get", "tag": "slow"}) == ["one"]
        assert names({"header": "x-id", "headerValue": "strasse"}) == ["one"]
        assert names({"parameter": "page", "parameterValue": "1"}) == ["Änderung"]
        assert names({"in": "Shop/in"}) == names({"in": folder_node["id"]}) == ["Änderung"]
        assert names({"favourite": True}) == []
        assert names({}, sort="name") == ["Änderung", "one", "two"]
        assert names({}, sort="recent") == []
        [one] = c.request("postkit/collections", {"filter": {"tag": "slow"}})["nodes"]
        assert one["path"] == "Shop/one" and one["tags"] == ["smoke", "slow"]

        first = c.request("postkit/collections", {"filter": {}, "limit": 2})
        assert len(first["nodes"]) == 2 and first["total"] == 3
        rest = c.request("postkit/collections", {"limit": 2, "cursor": first["cursor"]})
        assert [node["name"] for node in rest["nodes"]] == ["two"] and "cursor" not in rest
        edit(c, {"op": "collection.rename", "id": collection, "name": "Store"})
        for params in (
            {"cursor": first["cursor"]}, {"cursor": first["cursor"], "sort": "name"},
            {"cursor": "x"}, {"filter": {}, "parent": collection}, {"filter": {"in": "Nowhere"}},
            {"filter": {"in": "Store/one"}},
        ):
            with pytest.raises(ResponseError) as caught:
                c.request("postkit/collections", params)
            assert caught.value.code == -32602, params


def test_what_contradicts_is_said_in_one_sentence(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "### one\nGET http://a.test/1\n")
        for n in range(2):
            edit(c, create(collection, f"### more\nGET http://a.test/{n}\n"))
        first = c.request("postkit/collections", {"limit": 1})
        edit(c, {"op": "collection.rename", "id": collection, "name": "Store"})
        before = c.request("postkit/collections", {"depth": 9})
        for method, params, words in (
            ("postkit/collections", {"cursor": first["cursor"]}, "Ask for the first page again."),
            ("postkit/collections", {"cursor": "x"}, "Ask for the first page again."),
            ("postkit/history", {"cursor": "x"}, "params.cursor"),
            ("postkit/history", {"minMs": 2, "maxMs": 1}, "nothing can match"),
            ("postkit/collections", {"deleted": True, "filter": {}}, "Leave it out."),
            ("postkit/collections", {"deleted": True, "cursor": "x"}, "Leave it out."),
            ("postkit/collections", {"filter": {}, "depth": 2}, "Leave it out"),
            ("postkit/edit", {"ops": [{"op": "collection.undo"}]}, "nothing to take back"),
            ("postkit/edit", {"ops": [{"op": "collection.undo", "id": "x"}]}, "has the id x"),
        ):
            with pytest.raises(ResponseError) as caught:
                c.request(method, params)
            assert words in str(caught.value), (params, str(caught.value))
            assert caught.value.code == -32602, params
        for query, words in (("sort=size", "must be order, name"), ("colour=red", "colour")):
            with pytest.raises(ResponseError, match=words):
                c.command("postkit.collections", {"query": query})
        assert c.request("postkit/collections", {"depth": 9}) == before
