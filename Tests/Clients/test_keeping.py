"""Deletions are taken back, and folders give headers to their requests, by messages alone."""

import pytest
from rawclient import ResponseError
from test_collections import client, edit, path, shop

MASK = "••••••"


def refused(c, *ops):
    with pytest.raises(ResponseError) as caught:
        edit(c, *ops)
    return caught.value


def test_a_deletion_is_taken_back(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, "### one\nGET http://a.test/\n")
        before = c.request("postkit/collections", {"depth": 9})["nodes"]
        edit(c, {"op": "collection.delete", "id": collection})
        assert c.request("postkit/collections", {})["nodes"] == []
        result = edit(c, {"op": "collection.undo"})
        assert list(result["ids"].values()) == [collection]
        assert c.request("postkit/collections", {"depth": 9})["nodes"] == before
        assert "nothing to take back" in str(refused(c, {"op": "collection.undo"}))
        edit(c, {"op": "collection.favourite", "id": request, "favourite": True})
        found = c.request("postkit/collections", {"filter": {"favourite": True}})["nodes"]
        assert [node["id"] for node in found] == [request]
        assert refused(
            c, {"op": "collection.favourite", "id": collection, "favourite": True}).code == -32602


def test_what_can_be_taken_back_is_listed(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "### one\nGET http://a.test/\n")
        made = edit(c, {"op": "collection.create", "kind": "folder", "parent": collection,
                        "name": "in"})["ids"]["0"]
        request = edit(c, {"op": "collection.create", "kind": "request", "parent": made,
                           "source": "GET http://a.test/two\n"})["ids"]["0"]
        before = c.request("postkit/collections", {"depth": 9})["nodes"]
        gone = edit(c, {"op": "collection.delete", "id": request},
                    {"op": "collection.delete", "id": made})
        assert gone["ids"] == {"0": request, "1": made}
        assert set(gone["deletions"]) == {"0", "1"}
        listed = c.request("postkit/collections", {"deleted": True})
        assert listed["nodes"] == [] and listed["total"] == 2
        assert listed["revision"] == gone["revision"]
        folder_row, request_row = listed["deletions"]
        assert folder_row.pop("deletedAt").endswith("Z")
        assert folder_row == {
            "id": gone["deletions"]["1"], "item": made, "kind": "folder", "name": "in",
            "path": "Shop", "requestCount": 0}
        assert (request_row["name"], request_row["path"], request_row["requestCount"]) == (
            "GET http://a.test/two", "Shop/in", 1)
        [last] = c.request("postkit/collections", {"deleted": True, "limit": 1})["deletions"]
        assert last["item"] == made
        with pytest.raises(ResponseError, match="a list of deletions has none"):
            c.request("postkit/collections", {"deleted": True, "sort": "name"})
        first = refused(c, {"op": "collection.undo", "id": gone["deletions"]["0"]})
        assert gone["deletions"]["1"] in str(first)
        back = edit(c, {"op": "collection.undo", "id": gone["deletions"]["1"]},
                    {"op": "collection.undo", "id": gone["deletions"]["0"]})
        assert back["ids"] == {"0": made, "1": request} and "deletions" not in back
        assert c.request("postkit/collections", {"depth": 9})["nodes"] == before
        assert c.request("postkit/collections", {"deleted": True})["deletions"] == []


def test_hover_says_where_headers_come_from(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, "### one\nGET http://a.test/\nX-Own: 1\n")
        defaults = {
            "headers": [["X-Own", "shop"], ["X-More", "{{more}}"]], "auth": "Bearer hush",
            "variables": [["more", "much"]]}
        edit(c, {"op": "collection.defaults", "id": collection, "defaults": defaults})
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["defaults"] == {**defaults, "auth": f"Bearer {MASK}"}
        # Who changes what is shown keeps what is masked.
        changed = {**node["defaults"], "headers": [["X-More", "{{more}}"]]}
        edit(c, {"op": "collection.defaults", "id": collection, "defaults": changed})
        uri = c.request(
            "workspace/executeCommand",
            {"command": "postkit.collections", "arguments": [{"id": request}]})
        c.show(path(uri), path(uri).read_text())
        hover = c.request(
            "textDocument/hover",
            {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}})
        text = hover["contents"]["value"]
        assert "`X-More`: `much`" in text and "the defaults of `Shop`" in text, text
        assert "X-Own" not in text and "hush" not in text, text
        resolved = c.request("postkit/send", {
            "textDocument": {"uri": uri}, "position": {"line": 1, "character": 0},
            "dryRun": True})["resolved"]
        sent = dict(resolved["headers"])
        assert sent["X-More"] == "much" and sent["X-Own"] == "1", resolved
        assert refused(c, {
            "op": "collection.defaults", "id": collection,
            "defaults": {"headers": [["a b", "c"]]}}).code == -32602


def test_a_collection_stops_at_the_first_that_does_not_end_well(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, f"### one\nGET {target.url}/one\n?? status == 500\n")
        edit(c, {"op": "collection.create", "kind": "request", "parent": collection,
                 "source": f"### two\nGET {target.url}/two\n"})
        results = c.command("postkit.sendAll", {"collection": "Shop"})
        assert [result["tests"]["failed"] for result in results] == [1, 0]
        [stopped] = c.command("postkit.sendAll", {"collection": "Shop", "stopOnFailure": True})
        assert stopped["name"] == "one"


def test_a_folder_is_sent_in_its_order(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, f"### one\nGET {target.url}/one\n")
        edit(c, {"op": "collection.create", "kind": "folder", "parent": collection, "name": "in"})
        [node, _] = c.request("postkit/collections", {"parent": collection})["nodes"]
        edit(c, {"op": "collection.create", "kind": "request", "parent": node["id"],
                 "source": f"### two\nGET {target.url}/two\n"})
        results = c.command("postkit.sendAll", {"collection": "Shop"})
        assert [result["name"] for result in results] == ["two", "one"]
        assert [result["status"] for result in results] == [200, 200]
        [alone] = c.command("postkit.sendAll", {"collection": node["id"]})
        assert alone["name"] == "two"
        for wrong in ({"collection": "Nowhere"}, {}, {"collection": "Shop", "uri": "file:///a"}):
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.sendAll", wrong)
            assert caught.value.code == -32602, wrong


def test_what_was_made_again_stays(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "### one\nGET http://a.test/\n")
        deletion = edit(c, {"op": "collection.delete", "id": collection})["deletions"]["0"]
        edit(c, {"op": "collection.create", "kind": "collection", "name": "Shop"})
        before = c.request("postkit/collections", {"depth": 9})
        for id in ({}, {"id": deletion}, {"id": collection}):
            error = refused(c, {"op": "collection.undo", **id})
            assert error.code == -32602
            assert "There is a collection `Shop` again" in str(error)
            assert "Rename or delete that one first." in str(error)
        assert c.request("postkit/collections", {"depth": 9}) == before


def test_credentials_in_plain_text_are_warned_of(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "### one\nGET http://a.test/\n")
        headers = [["X-Api-Key", "plain-key"], ["X-Open", "1"]]
        defaults = {"headers": headers, "auth": "Bearer plain"}
        edit(c, {"op": "collection.defaults", "id": collection, "defaults": defaults})
        told = c.expect("window/showMessage")["message"]
        assert told.startswith("`Authorization`, `X-Api-Key` are kept in plain text"), told
        [node] = c.request("postkit/collections", {})["nodes"]
        assert "plain" not in str(node["defaults"])
        # What is shown and comes back masked is no news.
        edit(c, {"op": "collection.defaults", "id": collection, "defaults": node["defaults"]},
             {"op": "collection.rename", "id": collection, "name": "Other"})
        settled = {"headers": [], "auth": "Basic plain"}
        edit(c, {"op": "collection.defaults", "id": collection, "defaults": settled})
        told = c.expect("window/showMessage")["message"]
        assert told.startswith("`Authorization` is kept in plain text"), told


def test_a_folder_that_needs_itself_is_not_sent(store, folder, target):
    (folder / "a.http").write_text(f"### again\nGET {target.url}/file\nrun ./a.http\n")
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, f"### one\nGET {target.url}/one\n")
        edit(c, {"op": "collection.create", "kind": "request", "parent": collection,
                 "source": "### again\nrun ./b.http\n"})
        (folder / "b.http").write_text("### b\nrun ./b.http\n")
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.sendAll", {"collection": "Shop"})
        assert "need each other" in str(caught.value) and "Nothing was sent." in str(caught.value)
        assert caught.value.data == {"code": "include-cycle"}
        assert target.seen == []
