"""What differs from a description of OpenAPI: hints, fixes, samples, requests for operations."""

import json
import re
import time

import pytest
from rawclient import ResponseError
from test_changes import abilities, actions, diagnostics, done, editing, taking_edits
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
        # What can't be read is no difference: it is told in any case.
        c.change(uri, "# @openapi none.json\nPUT http://127.0.0.1:1/v1/users\n")
        assert codes(c, uri, [("openapi-file", 2)]) == [("openapi-file", 2)]


def test_a_request_for_an_operation_is_made(store, folder):
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION))
    text = "@base = http://127.0.0.1:1/v1\n\n### all\nGET {{base}}/users\n"
    with client(store, folder, editing()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        taken = taking_edits(c)
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


TITLES = {
    "update": "Update this request from the description",
    "import": "Import all operations of `openapi.json`",
}


def applying(c):
    """The edits that the server asks for."""
    taken = []
    c.answers["workspace/applyEdit"] = lambda params: (
        taken.append(params["edit"]) or {"applied": True}
    )
    return taken


def command(c, uri, line, title):
    """Does what an action says."""
    kinds = ("refactor", "postkit.import")
    (action,) = [a for a in actions(c, uri, line, only=kinds) if a["title"] == title]
    return c.request("workspace/executeCommand", {
        "command": action["command"]["command"], "arguments": action["command"]["arguments"]})


def test_a_request_is_updated_without_an_import(store, folder):
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION))
    text = "# mine\nPOST http://127.0.0.1:1/v1/users/\nX-Own: 1\n\n?? status == 201\n"
    with client(store, folder, editing()) as c:
        c.initialize()
        taken = applying(c)
        uri = c.open(folder / "a.http", text)
        two = [("openapi-missing", 4), ("openapi-path", 4)]
        assert sorted(codes(c, uri, two[::-1])) == two
        assert command(c, uri, 1, TITLES["update"]) is True
        after = done(c, taken[-1], {uri: text})[uri]
        assert after == (
            "# mine\nPOST http://127.0.0.1:1/v1/users\nX-Own: 1\nContent-Type: application/json\n\n"
            '{\n  "name": "string"\n}\n\n?? status == 201\n'
        )
        c.change(uri, after)
        assert codes(c, uri, []) == []
        assert command(c, uri, 1, TITLES["update"]) is False and len(taken) == 1
        c.expect("window/showMessage", lambda p: "says for sure" in p["message"])
        # What people wrote is theirs to change.
        c.change(uri, after.replace('"string"', "1"))
        assert codes(c, uri, [("openapi-body", 4)]) == [("openapi-body", 4)]
        assert command(c, uri, 1, TITLES["update"]) is False and len(taken) == 1
        c.expect("window/showMessage", lambda p: "1 hint is left" in p["message"])
        order = {"uri": uri, "position": {"line": 0, "character": 0}, "task": "update"}
        c.change(uri, "GET http://127.0.0.1:1/v1/nothing\n")
        for bad, word in [(order, "no operation"), ({**order, "task": "x"}, "task")]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.describe", bad)
            assert word in str(caught.value)


def test_a_request_is_merged_with_what_an_import_remembers(store, folder):
    source = folder / "openapi.json"
    described = json.loads(json.dumps(DESCRIPTION))
    post = described["paths"]["/users"]["post"]
    post["parameters"] = [
        {"name": "dry", "in": "query", "required": True, "schema": {"type": "boolean"}}]
    source.write_text(json.dumps(described))
    with client(store, folder, editing()) as c:
        c.initialize()
        taken = applying(c)
        first = c.open(folder / "a.http", "GET http://127.0.0.1:1/v1/users\n")
        codes(c, first, [])
        result = command(c, first, 0, TITLES["import"])
        assert result["requests"] == 2
        made = [path for path in folder.rglob("*.http") if path.name != "a.http"]
        assert len(made) == 1
        # Somebody has worked in the request since.
        text = made[0].read_text()
        text = text.replace("\n\n{\n", "\nX-Own: 1\n\n{\n  \"more\": 1,\n", 1)
        uri = c.open(made[0], text)
        line = text[: text.index("POST ")].count("\n")
        # The description changes: another parameter, another sample of the body.
        post["parameters"].append(
            {"name": "X-Tenant", "in": "header", "required": True, "schema": {"type": "string"}})
        post["parameters"][0]["schema"]["default"] = False
        schema = post["requestBody"]["content"]["application/json"]["schema"]
        schema["properties"]["age"] = {"type": "integer"}
        source.write_text(json.dumps(described))
        c.notify("workspace/didChangeWatchedFiles", {
            "changes": [{"uri": source.as_uri(), "type": 2}]})
        assert command(c, uri, line, TITLES["update"]) is True
        after = done(c, taken[-1], {uri: text})[uri]
        assert "dry=false" in after and "X-Tenant: string" in after and "X-Own: 1" in after
        assert "\"more\": 1" in after and "age" not in after
        c.expect("window/showMessage", lambda p: "have changed the body" in p["message"])
        # Of the others nothing is touched.
        assert after.split("###")[1] == text.split("###")[1]
        # What was imported is brought up to date, and is not imported beside it.
        (again,) = [a for a in actions(c, uri, line, only=("postkit.import",))]
        assert again["command"]["arguments"][0]["target"] == made[0].parent.as_uri()


def test_the_operation_stands_above_a_request_where_that_is_wanted(store, folder):
    (folder / "openapi.json").write_text(json.dumps(DESCRIPTION, indent=1))
    (folder / "postkit.json").write_text(json.dumps({"codeLens": {"operation": True}}))
    capabilities = editing()
    capabilities["window"] = {"showDocument": {"support": True}}
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "POST http://127.0.0.1:1/v1/users\n\n###\nGET {{x}}/no\n")
        codes(c, uri, [("openapi-missing", 4)])
        lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        own = [lens["command"] for lens in lenses if " · " in lens["command"]["title"]]
        assert [command["title"] for command in own] == ["POST /users · 201"]
        shown = []
        c.answers["window/showDocument"] = lambda p: shown.append(p) or {"success": True}
        c.request("workspace/executeCommand", {
            "command": own[0]["command"], "arguments": own[0]["arguments"]})
        (place,) = shown
        lines = (folder / "openapi.json").read_text().split("\n")
        assert place["uri"] == (folder / "openapi.json").as_uri()
        assert re.search('"post"', lines[place["selection"]["start"]["line"]])
