"""What is done with lines of the collections: defaults, favourites, undo, sending all."""

import pytest
from rawclient import ResponseError
from test_collections import client, edit, path, settles, shop, stored
from test_collections import saves as rewrites
from test_lists import PLAIN
from test_stock import client as stock
from test_views import actions, run, show
from test_whole_lists import opened, titled


def listed(c):
    uri = c.command("postkit.collections")
    return uri, show(c, uri).split("\n")


def saves(c, uri, text):
    c.versions.setdefault(uri, 1)
    rewrites(c, uri, text)


def test_a_deletion_is_taken_back_by_an_action_of_any_line(store, folder):
    with stock(store, folder, PLAIN, options={"postkit": {"testing": True}}) as c:
        c.initialize()
        _, request = shop(c, "### größe\nGET http://a.test/\n")
        uri, _ = listed(c)
        assert titled(c, uri, 0, "Take back") is None
        run(c, titled(c, uri, 3, "Delete it"))
        # Who has no keys of ours is told where.
        c.expect("window/showMessage", lambda params: params["message"].startswith(
            "Deleted. A code action of the list of the collections takes it back"))
        run(c, titled(c, uri, 0, "Take back the deletion of `größe`"))
        assert "GET http://a.test/" in stored(c, request)
        assert titled(c, uri, 0, "Take back") is None


def test_a_favourite_is_marked_and_listed_alone(store, folder):
    with client(store, folder) as c:
        c.initialize()
        shop(c, "### größe\nGET http://a.test/\n")
        uri, _ = listed(c)
        run(c, titled(c, uri, 3, "Make it a favourite"))
        uri, lines = listed(c)
        assert "  ★  postkit:" in lines[3]
        alone, text = opened(c, titled(c, uri, 0, "Show favourites alone"))
        assert alone == "postkit:/collections?favourite=yes" and "1 stored request." in text
        named, _ = opened(c, titled(c, alone, 0, "Sort by name"))
        assert named == "postkit:/collections?favourite=yes&sort=name"
        run(c, titled(c, named, 3, "Make it a favourite no more"))
        every, _ = opened(c, titled(c, named, 0, "Show all"))
        assert every == "postkit:/collections?sort=name"
        assert opened(c, titled(c, every, 0, "Sort by their own order"))[0] == uri


def test_defaults_are_a_file_that_is_taken_over_when_it_is_saved(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, f"GET {target.url}/one\n")
        uri, lines = listed(c)
        assert lines[2].endswith(f"/  {collection}")
        file, text = opened(c, titled(c, uri, 2, "Edit the defaults"))
        assert path(file).stat().st_mode & 0o777 == 0o600 and "Save this file" in text
        saves(c, file, text + "@a = 1\nAuthorization: Bearer s3cret\nX-One: {{a}}\n")
        settles(c)
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["defaults"] == {
            "headers": [["X-One", "{{a}}"]], "auth": "Bearer ••••••", "variables": [["a", "1"]]}
        # The mask keeps what it stands for.
        text = show(c, c.command("postkit.collections", {"id": collection}))
        assert "s3cret" not in text and "Bearer ••••••" in text
        saves(c, file, text.replace("X-One", "X-Two"))
        settles(c)
        assert run(c, titled(c, uri, 2, "Send all of `Shop/`"))[0]["status"] == 200
        assert {"authorization": "Bearer s3cret", "x-two": "1"}.items() <= {
            name.lower(): value for name, value in target.seen[-1][2].items()}.items()
        told = c.at("textDocument/hover", uri, 2, 3)["contents"]["value"]
        assert "`Shop`" in told and "1 request" in told and "X-Two: {{a}}" in told
        assert "Created 20" in told and "s3cret" not in told


def test_what_is_no_default_is_refused_with_its_line(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "GET http://a.test/\n")
        file = c.command("postkit.collections", {"id": collection})
        text = show(c, file)
        for line, sentence in (
            ("colour", "Line 5, `colour`, is no default. Write `Name: value`"),
            ("A b: 1", "`A b` is not a valid header name."),
            ("X: 1\nx: 2", "is given twice"),
        ):
            saves(c, file, text + line + "\n")
            c.expect("window/showMessage", lambda params, s=sentence: s in params["message"])
        # Somebody else was quicker.
        edit(c, {"op": "collection.defaults", "id": collection,
                 "defaults": {"headers": [["X", "theirs"]]}})
        saves(c, file, text + "X: mine\n")
        c.expect("window/showMessage", lambda params: "Save again" in params["message"])
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["defaults"]["headers"] == [["X", "theirs"]]
        saves(c, file, text + "X: mine\n")
        settles(c)
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["defaults"]["headers"] == [["X", "mine"]]


def test_a_folder_is_deleted_and_sent_from_its_line(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, f"GET {target.url}/one\n")
        edit(c, {"op": "collection.create", "kind": "request", "parent": collection,
                 "source": f"GET {target.url}/two\n"})
        uri, _ = listed(c)
        results = run(c, titled(c, uri, 2, "Send all of `Shop/`"))
        assert [result["status"] for result in results] == [200, 200]
        assert [seen[1] for seen in target.seen] == ["/one", "/two"]
        delete = titled(c, uri, 2, "Delete `Shop/` and all in it")
        run(c, delete)
        assert c.request("postkit/collections", {})["nodes"] == []
        with pytest.raises(ResponseError):
            run(c, delete)
        run(c, titled(c, uri, 0, "Take back the deletion of `Shop`"))
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["requestCount"] == 2
        assert actions(c, uri, 0)


def test_a_name_stays_a_name_in_a_hover(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, _ = shop(c, "GET http://a.test/\n")
        edit(c, {"op": "collection.rename", "id": collection, "name": "x` [a](http://evil.test)"})
        uri, lines = listed(c)
        for line in (2, 3):
            told = c.at("textDocument/hover", uri, line, 3)["contents"]["value"]
            assert told.startswith("`` x` [a](http://evil.test)"), told
