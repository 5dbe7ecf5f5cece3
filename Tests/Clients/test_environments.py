"""The environments of a folder: listed, chosen, and edited without being saved."""

import json

import pytest
from rawclient import ResponseError
from test_stock import FULL, client


def test_the_environments_that_would_give_a_value_are_named(store, folder, target):
    (folder / "http-client.env.json").write_text('{"dev": {"host": "a"}, "prod": {"host": "b"}}')
    capabilities = {**FULL, "textDocument": {
        "diagnostic": {}, "codeAction": FULL["textDocument"]["codeAction"],
    }}
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{host}}}}\n")
        sentence = (
            "`host` is defined in `dev` and `prod`, but no environment is selected. "
            "Choose one, or add `@host = …`."
        )
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert [it["message"] for it in report["items"]] == [sentence]
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send", place)
        assert caught.value.message == sentence
        actions = c.range(
            "textDocument/codeAction", uri, 0, 1, context={"diagnostics": report["items"]}
        )
        titles = [it["title"] for it in actions]
        assert {"Use the environment `dev`", "Use the environment `prod`"} <= set(titles)
        assert [it["code"] for it in report["items"]] == ["no-environment"]
        fix = next(it for it in actions if it["title"] == "Select the environment `dev`")
        assert fix["kind"] == "quickfix"
        assert fix["command"]["command"].endswith("selectEnvironment")
        assert fix["command"]["arguments"][0]["name"] == "dev"
        c.command("postkit.selectEnvironment", {"name": "dev"})
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert report["items"] == []


def test_environments(store, folder, target):
    (folder / "http-client.env.json").write_text(
        json.dumps(
            {"dev": {"host": target.url, "who": "dev"}, "prod": {"host": "http://127.0.0.1:1"}}
        )
    )
    (folder / "http-client.private.env.json").write_text('{"dev": {"key": "s3cr3t-value"}}')
    knowing = {
        **FULL,
        "experimental": {"postkit": {"version": 1, "storeEvents": True, "status": True}},
    }
    with client(store, folder, knowing) as c, client(store, folder, knowing) as other:
        c.initialize()
        other.initialize()
        assert "postkit/send" in c.server_capabilities["experimental"]["postkit"]["methods"]
        uri = c.open(folder / "a.http", "GET {{host}}/{{who}}\nX-Key: {{key}}\n")
        names = c.request("postkit/environments", {"textDocument": {"uri": uri}})["items"]
        assert [(item["name"], item["active"]) for item in names] == [
            ("dev", False),
            ("prod", False),
        ]
        assert len(names[0]["files"]) == 2
        # A server hears of changes from when its store is open; this makes sure that it is.
        assert other.command("postkit.selectEnvironment", {"name": "prod"}) == {"active": "prod"}
        assert c.command("postkit.selectEnvironment", {"name": "dev"}) == {"active": "dev"}
        c.expect("postkit/status", lambda p: p["environment"] == "dev")
        # Another editor on the same store learns of it.
        other.expect("postkit/didChangeStore", lambda p: "environment" in p["scopes"])
        other.expect("postkit/status", lambda p: p["environment"] == "dev")
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.selectEnvironment", {"name": "none"})
        assert caught.value.code == -32602 and "dev, prod" in caught.value.message
        variables = c.request("postkit/variables", {"textDocument": {"uri": uri}})["items"]
        values = {item["name"]: item for item in variables}
        assert values["key"]["value"] is None and values["key"]["masked"]
        assert values["who"]["value"] == "dev"
        assert values["who"]["origin"]["file"].endswith("http-client.env.json")
        result = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert result["state"] == "done"
        assert target.seen[0][2]["X-Key"] == "s3cr3t-value"
        other.expect("postkit/didChangeStore", lambda p: "history" in p["scopes"])
        shared = other.request("postkit/history", {})["items"]
        assert shared[0]["id"] == result["id"] and shared[0]["environment"] == "dev"
        seen = other.open(folder / "a.http")
        hints = other.range("textDocument/inlayHint", seen)
        assert "200 OK" in hints[0]["label"][0]["value"]
        for text in (str(c.notifications), str(c.requests)):
            assert "s3cr3t-value" not in text
        head = c.request(
            "postkit/exchange", {"id": result["id"], "part": "request", "view": "headers"}
        )
        assert "s3cr3t-value" not in head["data"]
        # Without an argument the user chooses by buttons.
        c.answers["window/showMessageRequest"] = lambda p: p["actions"][2]
        assert c.command("postkit.selectEnvironment") == {"active": "prod"}
        assert c.command("postkit.selectEnvironment", {"name": None}) == {"active": None}


def test_to_use_none_is_offered_once_and_first(store, folder):
    files = [("http-client.env.json", '{"dev": {"a": "1"}, "No environment": {"a": "2"}}'),
             ("http-client.private.env.json", '{"dev": {"b": "3"}}')]
    for name, text in files:
        (folder / name).write_text(text)
    with client(store, folder) as c:
        c.initialize()
        c.open(folder / "a.http", "GET {{host}}\n")
        titles = ["No environment", "dev", "`No environment`"]
        # One that is called like none is another.
        for index, chosen in [(1, "dev"), (2, "No environment"), (0, None)]:
            def answer(params, index=index):
                assert [action["title"] for action in params["actions"]] == titles
                return params["actions"][index]

            c.answers["window/showMessageRequest"] = answer
            assert c.command("postkit.selectEnvironment") == {"active": chosen}


def test_an_unsaved_environment_file_counts(store, folder, target):
    public = folder / "http-client.env.json"
    public.write_text('{"dev": {"who": "saved"}}')
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{who}}}}/{{{{key}}}}\n")
        c.command("postkit.selectEnvironment", {"name": "dev"})
        # These are open and changed; the last two were never saved at all.
        edited = c.open(public)
        c.change(edited, '{"dev": {"who": "unsaved"}, "next": {"who": "n"}}')
        private = c.show(folder / "http-client.private.env.json", '{"dev": {"key": "k3y-value"}}')
        dotenv = c.show(folder / ".env", "plain=dot\n")
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        assert c.command("postkit.send", place)["state"] == "done"
        assert target.seen[-1][1] == "/unsaved/k3y-value"
        assert "unsaved" in c.at("textDocument/hover", uri, 0, 30)["contents"]["value"]
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert report["items"] == []
        names = c.request("postkit/environments", {"textDocument": {"uri": uri}})["items"]
        assert [item["name"] for item in names] == ["dev", "next"]
        c.change(uri, f"GET {target.url}/{{{{plain}}}}/{{{{$dotenv plain}}}}\n")
        assert c.command("postkit.send", place)["state"] == "done"
        assert target.seen[-1][1] == "/dot/dot"
        # What is closed without being saved is gone.
        c.change(uri, f"GET {target.url}/{{{{who}}}}\n")
        for closed in (edited, private, dotenv):
            c.notify("textDocument/didClose", {"textDocument": {"uri": closed}})
        assert c.command("postkit.send", place)["state"] == "done"
        assert target.seen[-1][1] == "/saved"
