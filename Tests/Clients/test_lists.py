"""Open lists of the history and of the collections: they lead on and show what is there now."""

import time

import pytest
from rawclient import TIMEOUT
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
