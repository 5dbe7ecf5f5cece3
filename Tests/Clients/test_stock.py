"""A stock client's day: everything is reached without knowing PostKit."""

import os

import pytest
from rawclient import Client

PULL = {"textDocument": {"diagnostic": {}}}
FULL = {
    "general": {"positionEncodings": ["utf-16", "utf-8"]},
    "workspace": {
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "executeCommand": {},
        "configuration": True,
        "textDocumentContent": {},
    },
    "textDocument": {
        "diagnostic": {},
        "completion": {
            "completionItem": {
                "snippetSupport": True,
                "labelDetailsSupport": True,
                "documentationFormat": ["markdown"],
                "resolveSupport": {"properties": ["documentation"]},
            }
        },
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}},
        "codeLens": {},
        "inlayHint": {},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}, "showMessage": {}},
}


def without(capabilities, path):
    """A copy of capabilities that lacks one."""
    *steps, last = path.split(".")
    copy = {key: value for key, value in capabilities.items()}
    level = copy
    for step in steps:
        level[step] = dict(level[step])
        level = level[step]
    level.pop(last)
    return copy


def sample(target):
    return (
        f"@host = {target.url}\n\n"
        "### login\nGET {{host}}/login?é=😀\nAccept: application/json\n\n"
        "### use\nPOST {{host}}/use\nContent-Type: application/json\n\n"
        '{"token": "{{login.response.body.$.token}}"}\n'
    )


def client(store, folder, capabilities=FULL, **kwargs):
    made = Client(store, capabilities, folder=folder, **kwargs)
    made.answers["workspace/configuration"] = lambda params: [None]
    return made


def test_nothing_is_written_before_a_send(store, folder, target):
    with client(store, folder) as c:
        result = c.initialize()
        assert result["serverInfo"]["name"] == "postkit"
        assert result["capabilities"]["positionEncoding"] == "utf-8"
        uri = c.open(folder / "a.http", sample(target))
        c.at("textDocument/hover", uri, 3, 3)
        c.at("textDocument/completion", uri, 3, 3)
        c.range("textDocument/inlayHint", uri)
        c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert target.seen == []
    assert not store.exists()
    assert sorted(os.listdir(folder)) == ["a.http"]


def test_completion_hover_symbols(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target) + "\n### \nGET {{\n\nAcc")

        def labels(line, column):
            found = c.at("textDocument/completion", uri, line, column)
            return [item["label"] for item in found["items"]]

        assert "host" in labels(13, 6)
        assert "login" in labels(13, 6)
        assert "Accept" in labels(4, 3)
        methods = c.at("textDocument/completion", uri, 3, 2)["items"]
        get = next(item for item in methods if item["label"] == "GET")
        assert get["textEdit"]["range"]["start"] == {"line": 3, "character": 0}
        assert "documentation" not in get
        resolved = c.request("completionItem/resolve", get)
        assert resolved["documentation"]["kind"] == "markdown"
        hover = c.at("textDocument/hover", uri, 3, 7)
        assert target.url in hover["contents"]["value"]
        symbols = c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert [s["name"] for s in symbols][:3] == ["@host", "login", "use"]
        assert all("selectionRange" in s for s in symbols)


def test_flat_symbols_and_commands_for_simple_clients(store, folder, target):
    simple = {"workspace": {"executeCommand": {}}, "textDocument": {"diagnostic": {}}}
    with client(store, folder, simple) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        symbols = c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert symbols[1]["location"]["uri"] == uri
        actions = c.range("textDocument/codeAction", uri, 3, 3, context={"diagnostics": []})
        assert actions[0]["command"] == "postkit.send"
        assert "kind" not in actions[0]


@pytest.mark.parametrize("abilities", [{}, without(FULL, "workspace.executeCommand")])
def test_no_command_for_who_can_have_none_carried_out(store, folder, target, abilities):
    with client(store, folder, abilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        actions = c.range("textDocument/codeAction", uri, 3, 3, context={"diagnostics": []})
        assert [a for a in actions if "command" in a] == []
        # What changes the text needs no command.
        assert any("edit" in a for a in actions) == bool(abilities)
        # Why there is nothing to send with is said once, and what to do.
        c.range("textDocument/codeAction", uri, 3, 3, context={"diagnostics": []})
        said = [m for m in c.notifications if m["method"] == "window/showMessage"]
        assert len(said) == 1 and "`executeCommands`" in said[0]["params"]["message"]


def test_who_carries_out_commands_without_saying_so_can_be_told_to(store, folder, target):
    silent = without(FULL, "workspace.executeCommand")
    with client(store, folder, silent, options={"postkit": {"executeCommands": True}}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        actions = c.range("textDocument/codeAction", uri, 3, 3, context={"diagnostics": []})
        (send,) = [a for a in actions if a["kind"] == "postkit.send"]
        c.command(send["command"]["command"], send["command"]["arguments"][0])
        assert target.seen[0][1].startswith("/login")


def test_diagnostics_are_pulled(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1/{{nope}}\n")
        params = {"textDocument": {"uri": uri}}
        report = c.request("textDocument/diagnostic", params)
        assert report["kind"] == "full"
        assert [d["code"] for d in report["items"]] == ["unresolved-variable"]
        assert report["items"][0]["range"]["start"] == {"line": 0, "character": 21}
        again = c.request(
            "textDocument/diagnostic", {**params, "previousResultId": report["resultId"]}
        )
        assert again["kind"] == "unchanged"
        c.change(uri, "GET http://127.0.0.1/\n")
        fixed = c.request(
            "textDocument/diagnostic", {**params, "previousResultId": report["resultId"]}
        )
        assert fixed["kind"] == "full" and fixed["items"] == []


def test_diagnostics_are_pushed_with_their_version(store, folder):
    push = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
    with client(store, folder, push) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1/{{nope}}\n")

        def mine(params):
            return params["uri"] == uri

        first = c.expect("textDocument/publishDiagnostics", mine)
        assert first["version"] == 1 and len(first["diagnostics"]) == 1
        c.change(uri, "GET http://127.0.0.1/\n")
        second = c.expect("textDocument/publishDiagnostics", lambda p: p.get("version") == 2)
        assert second["diagnostics"] == []
        c.change(uri, "GET {{nope}}\n")
        c.expect("textDocument/publishDiagnostics", lambda p: p.get("version") == 3)
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        closed = c.expect("textDocument/publishDiagnostics", mine)
        assert closed["diagnostics"] == []


def test_settings_are_honoured(store, folder, target):
    with client(store, folder) as c:
        c.answers["workspace/configuration"] = lambda params: [
            {
                "inlay": {"results": False, "variables": "off"},
                "codeLens.enabled": False,
                "history": {"enabled": False},
            }
        ]
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        c.expect("workspace/configuration")
        c.command("postkit.send", {"uri": uri, "name": "login"})
        assert c.range("textDocument/inlayHint", uri) == []
        assert c.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []
        assert c.request("postkit/history", {})["items"] == []
    assert not (store / "history.sqlite").exists()
