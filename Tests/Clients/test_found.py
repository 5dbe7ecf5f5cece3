"""Uses and symbols beyond the files on disk: those in stored requests, and open files first."""

import json

from rawclient import Client
from test_collections import client, edit, shop, stored

FIRST = "### one\nGET {{host}}/ü{{host}}\nX: {{n}}\n"
SECOND = "GET {{host}}/{{n}}\n"
OWN = "@host = mine\nGET {{host}}/{{n}}\n"


def references(c, uri, line, character, **more):
    return c.at("textDocument/references", uri, line, character,
                context={"includeDeclaration": True}, **more)


def starts(locations, uri):
    """Where the locations in a document begin."""
    found = [each["range"]["start"] for each in locations or [] if each["uri"] == uri]
    return [(place["line"], place["character"]) for place in found]


def address(request):
    return f"postkit:/collections/{request}.http"


def adds(c, collection, text):
    made = edit(c, {"op": "collection.create", "kind": "request", "parent": collection,
                    "source": text})
    return made["ids"]["0"]


def test_stored_requests_that_read_a_variable_are_among_its_uses(store, folder):
    (folder / "http-client.env.json").write_text(json.dumps({"dev": {"host": "h", "n": "1"}}))
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, FIRST)
        own = adds(c, collection, OWN)
        uri = c.open(folder / "a.http", "GET {{host}}/\n")
        found = references(c, uri, 0, 7)
        assert starts(found, address(request)) == [(1, 6), (1, 17)]
        assert starts(found, uri) == [(0, 6)]
        # The request has a variable of its own by that name.
        assert starts(found, address(own)) == []
        # What the collection defines is another variable than that of the project.
        names = c.open(folder / "b.http", "GET {{n}}/\n")
        found = references(c, names, 0, 7)
        assert not any(each["uri"].startswith("postkit:") for each in found)
        # So is what a file defines.
        mine = c.open(folder / "c.http", "@host = x\nGET {{host}}/\n")
        assert {each["uri"] for each in references(c, mine, 1, 7)} == {mine}
        # A change of the collections is seen.
        edit(c, {"op": "collection.update", "id": request, "source": SECOND})
        assert starts(references(c, uri, 0, 7), address(request)) == [(0, 6)]
    with Client(store, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http")
        found = references(c, uri, 0, 7)
        assert not any(each["uri"].startswith("postkit:") for each in found)


def test_the_uses_of_a_name_in_a_stored_request_are_those_of_its_collection(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, FIRST)
        other = adds(c, collection, SECOND)
        own = adds(c, collection, OWN)
        elsewhere, foreign = shop(c, "GET {{n}}\n")
        uri = address(request)
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1, "text": stored(c, request)}})
        found = references(c, uri, 2, 6)
        assert starts(found, uri) == [(2, 5)]
        assert starts(found, address(other)) == [(0, 15)]
        assert starts(found, address(own)) == [(1, 15)]
        assert starts(found, address(foreign)) == []
        found = references(c, uri, 1, 7)
        assert starts(found, uri) == [(1, 6), (1, 17)]
        assert starts(found, address(own)) == []


def test_symbols_of_open_files_come_before_the_others(store, folder):
    for name in ["a", "b", "z"]:
        (folder / f"{name}.http").write_text(f"### item {name}\nGET http://{name}.test/\n")
    with Client(store, {}, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "z.http")
        whole = c.request("workspace/symbol", {"query": "item"})
        assert c.request("workspace/symbol", {"query": "item", "partialResultToken": "p"}) == []
        parts = [m["params"]["value"] for m in c.notifications if m["method"] == "$/progress"]
        assert [s["location"]["uri"] for s in parts[0]] == [uri]
        assert len(whole) == 3
        assert sorted(map(json.dumps, sum(parts, []))) == sorted(map(json.dumps, whole))
