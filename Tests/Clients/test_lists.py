"""Open lists of the history and of the collections: they lead on and show what is there now."""

import time

import pytest
from rawclient import TIMEOUT, ResponseError
from test_collections import edit, path, settles, shop
from test_stock import FULL, client, without
from test_views import show

REFRESH = "workspace/textDocumentContent/refresh"
PLAIN = without(FULL, "workspace.textDocumentContent")
for refresh in ["inlayHint", "codeLens", "diagnostics"]:
    PLAIN = without(PLAIN, f"workspace.{refresh}")


def plain(store, folder):
    return client(store, folder, PLAIN, options={"postkit": {"testing": True}})


def send(c, folder, target):
    uri = c.open(folder / "a.http", f"GET {target.url}/items\n")
    return c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})["id"]


def becomes(c, file, holds):
    """Waits until a file has what it should."""
    deadline = time.monotonic() + TIMEOUT
    while not holds(file.read_text()):
        assert time.monotonic() < deadline, file.read_text()
        settles(c)


def links(c, uri):
    found = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    return {link["range"]["start"]["line"]: link["target"] for link in found}


def test_a_list_links_to_what_it_lists(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, "### größe\nGET http://a.test/\n")
        listed = c.command("postkit.collections")
        text = show(c, listed).split("\n")
        named = f"postkit:/collections/{request}.http"
        assert links(c, listed) == {3: named}
        [link] = c.request("textDocument/documentLink", {"textDocument": {"uri": listed}})
        ends = link["range"]["end"]["character"]
        assert text[3].encode()[link["range"]["start"]["character"]:ends].decode() == named
        assert "GET http://a.test/" in show(c, named)
        id = send(c, folder, target)
        listed = c.command("postkit.history")
        show(c, listed)
        assert links(c, listed) == {3: f"postkit:/response/{id}.http"}


def test_a_list_that_is_open_is_fetched_again_when_it_has_changed(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "GET http://a.test/\n")
        lists = [c.command("postkit.collections"), c.command("postkit.history")]
        for uri in lists:
            show(c, uri)
        # Whoever changes it.
        with client(store, folder) as other:
            other.initialize()
            edit(other, {"op": "collection.rename", "id": collection, "name": "Store"})
            c.expect(REFRESH, lambda params: params["uri"] == lists[0])
            send(other, folder, target)
            c.expect(REFRESH, lambda params: params["uri"] == lists[1])
        for uri in lists:
            c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        text = c.request("workspace/textDocumentContent", {"uri": lists[0]})["text"]
        assert "# Store/" in text


def test_a_file_of_a_list_is_written_again_while_it_is_open(store, folder, target):
    with plain(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "GET http://a.test/\n")
        collections, history = c.command("postkit.collections"), c.command("postkit.history")
        for uri in [collections, history]:
            show(c, uri)
        edit(c, {"op": "collection.rename", "id": collection, "name": "Store"})
        becomes(c, path(collections), lambda text: "# Store/" in text)
        with plain(store, folder) as other:
            other.initialize()
            id = send(other, folder, target)
        becomes(c, path(history), lambda text: id in text)
        assert path(history).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("place", ["file", "editor"])
def test_a_list_that_was_edited_is_left_alone(store, folder, place):
    with plain(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "GET http://a.test/\n")
        uri = c.command("postkit.collections")
        text = show(c, uri) + "# mine\n"
        c.versions[uri] = 1
        before = path(uri).read_text()
        if place == "file":
            path(uri).write_text(text)
        else:
            c.change(uri, text)
        other = c.command("postkit.history")
        show(c, other)
        edit(c, {"op": "collection.rename", "id": collection, "name": "Store"})
        # The history is later news.
        document = c.open(folder / "b.http", "GET http://127.0.0.1:9/\n")
        c.command(
            "postkit.send", {"uri": document, "position": {"line": 0, "character": 0}})
        becomes(c, path(other), lambda text: "127.0.0.1:9" in text)
        settles(c)
        assert path(uri).read_text() == (text if place == "file" else before)


@pytest.mark.parametrize("reads", [True, False])
def test_requests_that_are_looked_for_are_a_document(store, folder, target, reads):
    with (client(store, folder) if reads else plain(store, folder)) as c:
        c.initialize()
        collection, one = shop(c, f"### Straße\n# @tag rare\nGET {target.url}/one\nX-Id: a=b\n")
        edit(c, {"op": "collection.create", "kind": "request", "parent": collection,
                 "source": f"### two\nPOST {target.url}/two\n"})

        def found(query):
            uri = c.command("postkit.collections", {"query": query})
            text = show(c, uri) if reads else path(uri).read_text()
            if reads:
                assert uri == "postkit:/collections?" + query
                c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            return text.split("\n")

        lines = found("search=STRASSE&tag=rare&in=Shop&header=x-id%3Da%3Db&favourite=no")
        assert lines[0] == "# 1 stored request."
        assert lines[3] == (
            f"# Shop/Straße  GET {target.url}/one  postkit:/collections/{one}.http")
        assert found("sort=name&limit=1")[0] == "# The first 1 of 2 stored requests, by name."
        assert found("method=post")[3].startswith("# Shop/two  POST ")
        assert found("param=page") == ["# No stored request matches.", ""]
        for query, told in {
            "size=1": "have search, method, header, param, tag, in, favourite, sort and limit.",
            "sort=size": "`sort` must be order, name, updated, created or recent.",
            "favourite=x": "`favourite` must be yes or no.", "limit=0": "a number from 1 to 1000.",
            "header=%3Dx": "`header` must be NAME or NAME=VALUE.", "in=Nowhere": "not found",
            "x": "have search",
        }.items():
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.collections", {"query": query})
            assert caught.value.code == -32602 and told in caught.value.message, query
        with pytest.raises(ResponseError):
            c.command("postkit.collections", {"query": "search=one", "id": one})


def test_a_list_of_what_was_sent_last_follows_what_is_sent(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, f"### one\nGET {target.url}/one\n")
        uri = c.command("postkit.collections", {"query": "sort=recent"})
        assert show(c, uri) == "# No stored request matches.\n"
        c.command("postkit.send", {"uri": f"postkit:/collections/{request}.http"})
        c.expect(REFRESH, lambda params: params["uri"] == uri)
        text = c.request("workspace/textDocumentContent", {"uri": uri})["text"]
        assert text.split("\n")[0] == "# 1 stored request, the one sent last first."
