"""What other processes do to the collections while one is asked, or is killed."""

import sqlite3
import time

import pytest
from rawclient import TIMEOUT, ResponseError
from test_collections import METHOD, client, edit, presses


def test_a_collection_that_is_made_while_its_user_is_asked_is_used(store, folder, target):
    with client(store, folder) as c, client(store, folder) as other:
        c.initialize()
        other.initialize()
        uri = c.open(folder / "a.http", f"### price\nGET {target.url}/price\n")
        save = {"op": "collection.save", "uri": uri, "position": {"line": 1, "character": 0}}

        def meanwhile(params):
            edit(other, {"op": "collection.create", "kind": "collection", "name": "folder"})
            return presses("New collection `folder`")(params)

        c.answers[METHOD] = meanwhile
        c.command("postkit.collectionEdit", save)
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert [child["name"] for child in node["children"]] == ["price"]
        # A second one with that name is not offered.
        offered = []
        c.answers[METHOD] = lambda params: offered.append(
            [action["title"] for action in params["actions"]])
        with pytest.raises(ResponseError, match="nothing was saved"):
            c.command("postkit.collectionEdit", save)
        assert offered == [["folder"]]


def test_a_server_ends_what_a_killed_process_began_with_secrets(store, folder, target):
    left = "01890000-0000-7000-8000-000000000001"
    with client(store, folder) as c:
        c.initialize()
        edit(c, {"op": "collection.create", "kind": "collection", "name": "Shop"})
    # As it is left by a kill between a value and its row.
    with sqlite3.connect(store / "collections.sqlite") as database:
        database.execute("INSERT INTO pending_secret (variable) VALUES (?)", [left])
    secrets = store / "secrets.json"
    secrets.write_text('{"format":1,"secrets":{"%s":"left-behind-31"}}' % left)
    with client(store, folder) as c:
        c.initialize()
        c.request("postkit/collections", {})
        end = time.monotonic() + TIMEOUT
        while "left-behind" in secrets.read_text():
            assert time.monotonic() < end
