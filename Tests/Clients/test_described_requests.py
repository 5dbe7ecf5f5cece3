"""What differs from a description of OpenAPI: hints, fixes, samples, requests for operations."""

import json
import time

import pytest
from rawclient import ResponseError
from test_changes import abilities, actions, diagnostics, done
from test_stock import client

DESCRIPTION = {
    "openapi": "3.0.3",
    "info": {"title": "Users", "version": "1"},
    "servers": [{"url": "http://127.0.0.1:1/v1"}],
    "paths": {
        "/users": {
            "get": {"responses": {"200": {"description": "all"}}},
            "post": {
                "summary": "Make a user",
                "operationId": "make",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {"name": {"type": "string"}},
                            }
                        }
                    },
                },
                "responses": {"201": {"description": "made"}},
            },
        }
    },
}


def codes(c, uri, wanted):
    """The codes about descriptions, once they are those that are wanted; a file may be read yet."""
    end = time.monotonic() + 60
    while True:
        found = [
            (item["code"], item["severity"])
            for item in diagnostics(c, uri)
            if item["code"].startswith("openapi-")
        ]
        if found == wanted or time.monotonic() > end:
            return found
        time.sleep(0.02)


def chosen(c, uri, character, title):
    """The edit of an action in the first line."""
    found = actions(c, uri, 0, character)
    (action,) = [item for item in found if item["title"] == title]
    return c.request("codeAction/resolve", action)["edit"]


def test_what_differs_is_hinted_and_mended(store, folder):
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION))
    text = "POST http://127.0.0.1:1/v1/usrs\n"
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert codes(c, uri, [("openapi-path", 4)]) == [("openapi-path", 4)]
        after = done(c, chosen(c, uri, 28, "Write `users`"), {uri: text})[uri]
        assert after == "POST http://127.0.0.1:1/v1/users\n"
        c.change(uri, after)
        assert codes(c, uri, [("openapi-missing", 4)]) == [("openapi-missing", 4)]
        whole = done(c, chosen(c, uri, 0, "Insert sample body"), {uri: after})[uri]
        assert whole == (
            "POST http://127.0.0.1:1/v1/users\nContent-Type: application/json\n\n"
            '{\n  "name": "string"\n}\n'
        )
        c.change(uri, whole)
        assert codes(c, uri, []) == []
        # The description changes on the disk, and the client says so.
        other = json.dumps(DESCRIPTION).replace('"/users"', '"/people"')
        (folder / "openapi.json").write_text(other)
        watched = {"uri": (folder / "openapi.json").as_uri(), "type": 2}
        c.notify("workspace/didChangeWatchedFiles", {"changes": [watched]})
        assert codes(c, uri, [("openapi-path", 4)]) == [("openapi-path", 4)]


@pytest.mark.parametrize("value, severity", [("warning", 2), ("off", None)])
def test_the_setting_says_how_serious_it_is(store, folder, value, severity):
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION))
    (folder / "postkit.json").write_text(json.dumps({"openapi": {"diagnostics": value}}))
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "PUT http://127.0.0.1:1/v1/users\n")
        wanted = [] if severity is None else [("openapi-method", severity)]
        assert codes(c, uri, wanted) == wanted


def test_a_request_for_an_operation_is_made(store, folder):
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION))
    capabilities = abilities()
    capabilities["workspace"] = {**capabilities["workspace"], "applyEdit": True}
    text = "@base = http://127.0.0.1:1/v1\n\n### all\nGET {{base}}/users\n"
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        taken = []
        c.answers["workspace/applyEdit"] = lambda params: (
            taken.append(params) or {"applied": True}
        )
        place = {"line": 3, "character": 0}
        order = {"uri": uri, "position": place, "operation": "make"}
        assert c.command("postkit.describe", order) is True
        after = done(c, taken[-1]["edit"], {uri: text})[uri]
        assert after == text + (
            "\n### Make a user\nPOST {{base}}/users\nContent-Type: application/json\n\n"
            '{\n  "name": "string"\n}\n'
        )
        # Without an operation the user picks one; what has no request yet comes first.
        asked = []
        c.answers["window/showMessageRequest"] = lambda params: (
            asked.append([item["title"] for item in params["actions"]]) or params["actions"][1]
        )
        assert c.command("postkit.describe", {"uri": uri}) is True
        assert asked == [["POST /users", "GET /users"]]
        after = done(c, taken[-1]["edit"], {uri: text})[uri]
        assert after.count("GET {{base}}/users") == 2
        c.answers["window/showMessageRequest"] = lambda params: None
        assert c.command("postkit.describe", {"uri": uri}) is False
        for bad, code in [({"uri": uri, "operation": "no"}, -32602), ({}, -32602)]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.describe", bad)
            assert caught.value.code == code
        (folder / "openapi.json").unlink()
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.describe", {"uri": uri})
        assert "# @openapi PATH" in str(caught.value)
