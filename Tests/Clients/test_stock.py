"""A stock client's day: everything is reached without knowing PostKit."""

import json
import os
import stat
import time
import urllib.parse
from pathlib import Path

import pytest
from rawclient import Client, ResponseError

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


def test_send_by_code_action(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        actions = c.range("textDocument/codeAction", uri, 4, 4, context={"diagnostics": []})
        first = actions[0]
        assert first["kind"] == "postkit.send" and first["title"] == "Send `login`"
        result = c.request(
            "workspace/executeCommand",
            {key: first["command"][key] for key in ("command", "arguments")},
        )
        assert result["state"] == "done" and result["status"] == 200
        assert result["error"] is None and result["tests"] == {"passed": 0, "failed": 0}
        assert result["size"] > 0 and result["ms"] >= 0
        assert target.seen[0][1] == "/login?%C3%A9=%F0%9F%98%80"
        assert result["uri"] == f"postkit:/response/{result['id']}.http"
        shown = c.expect("window/showDocument")
        assert shown["uri"] == result["uri"] and shown["takeFocus"] is False
        text = c.request("workspace/textDocumentContent", {"uri": result["uri"]})["text"]
        assert "HTTP/1.1 200" in text and '"token": "t-1"' in text
        body = c.request(
            "workspace/textDocumentContent",
            {"uri": f"postkit:/response/{result['id']}/body.json"},
        )
        assert body["text"].startswith("{") and "größe" in body["text"]
        c.expect("workspace/inlayHint/refresh")
        c.expect("workspace/codeLens/refresh")
        c.expect("workspace/diagnostic/refresh")
        hints = c.range("textDocument/inlayHint", uri)
        assert hints[0]["position"]["line"] == 3
        assert "200 OK" in hints[0]["label"][0]["value"]
        assert hints[0]["label"][0]["command"]["arguments"] == [{"id": result["id"]}]
        lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        titles = [lens["command"]["title"] for lens in lenses if "command" in lens]
        assert titles.count("Send") == 2 and "Send all (2)" in titles
        lazy = next(lens for lens in lenses if "command" not in lens)
        resolved = c.request("codeLens/resolve", lazy)
        assert resolved["command"]["title"].startswith("200 OK")
        # The request that reads the first one's response is sent with the true value.
        result = c.command("postkit.send", {"uri": uri, "name": "use"})
        assert result["state"] == "done"
        assert b'"t-1"' in target.seen[-1][3]
        assert [seen[1].split("?")[0] for seen in target.seen] == ["/login", "/use"]


def test_every_client_can_open_the_response(store, folder, target):
    plain = without(FULL, "workspace.textDocumentContent")
    with client(store, folder, plain) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        result = c.command("postkit.send", {"uri": uri, "name": "login"})
        assert result["uri"].startswith("file:///")
        path = urllib.parse.unquote(result["uri"][7:])
        assert path.startswith(str(store / "view"))
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
        assert "HTTP/1.1 200" in Path(path).read_text()
        assert c.expect("window/showDocument")["uri"] == result["uri"]
        assert c.command("postkit.showResponse", {"id": result["id"]}) == result["uri"]
        assert c.expect("window/showDocument")["takeFocus"] is True
        assert c.command("postkit.showResponse") == result["uri"]
        place = {"uri": uri, "position": {"line": 3, "character": 0}}
        assert c.command("postkit.showResponse", place) == result["uri"]


def test_a_client_that_opens_and_draws_nothing_is_told(store, folder, target):
    plain = FULL
    for ability in ["workspace.textDocumentContent", "window.showDocument",
                    "textDocument.inlayHint", "textDocument.codeLens"]:
        plain = without(plain, ability)
    with client(store, folder, plain) as c:
        c.initialize()
        text = sample(target) + "\n?? status == 201\n"
        uri = c.open(folder / "a.http", text)
        result = c.command("postkit.send", {"uri": uri, "name": "login"})
        said = c.expect("window/showMessage")
        path = urllib.parse.unquote(result["uri"][7:])
        assert said["type"] == 3 and said["message"].startswith("200 OK, ")
        assert said["message"].endswith(f" The response is in {path}.") and Path(path).exists()
        c.command("postkit.sendAll", {"uri": uri})
        said = c.expect("window/showMessage")["message"]
        assert said.startswith("2 requests: 1 went well, 1 did not. The first of these: 200 OK, ")
        assert ", 0 of 1 tests passed. The response is in " in said
        c.command("postkit.history")
        said = c.expect("window/showMessage")["message"]
        assert Path(said.removeprefix("Open ").removesuffix(" to see it.")).exists()


def test_bad_arguments_and_what_cannot_be_built(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "@x = 1\n\n###\nGET {{nope}}/a\n")
        place = {"line": 3, "character": 0}
        for argument in (
            {},
            {"uri": 7},
            {"uri": uri},
            {"uri": uri, "position": {"line": "x", "character": 0}},
            {"uri": uri, "name": "none"},
            {"uri": uri, "position": {"line": 0, "character": 0}},
            {"uri": "untitled:none", "position": place},
            {"uri": uri, "position": place, "variables": {"a": 1}},
            "text",
        ):
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.send", argument)
            assert caught.value.code == -32602, argument
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.noSuch")
        assert caught.value.code == -32602
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send", {"uri": uri, "position": place})
        assert caught.value.code == -32803
        assert caught.value.data["code"] == "unresolved-variable"
        assert caught.value.data["range"]["start"] == {"line": 3, "character": 4}
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send", {"uri": uri, "position": place, "environment": "none"})
        assert caught.value.code == -32803
        assert target.seen == []
        result = c.command(
            "postkit.send", {"uri": uri, "position": place, "variables": {"nope": target.url}}
        )
        assert result["state"] == "done"


def test_a_refused_connection_is_a_result(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1:1/\n")
        result = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert result["state"] == "failed" and result["status"] is None
        assert result["error"]["code"] == "connection"
        assert c.expect("window/showMessage")["type"] == 1
        hints = c.range("textDocument/inlayHint", uri)
        assert hints[0]["label"][0]["value"].startswith("failed")


def test_progress_appears_only_when_it_takes_long(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http", f"### slow\nGET {target.url}/slow\n\n### fast\nGET {target.url}/\n"
        )
        c.command("postkit.send", {"uri": uri, "name": "fast"})
        id = c.start(
            "workspace/executeCommand",
            {"command": "postkit.send", "arguments": [{"uri": uri, "name": "slow"}]},
        )
        token = c.expect("window/workDoneProgress/create")["token"]

        def mine(kind):
            return lambda p: p["token"] == token and p["value"]["kind"] == kind

        c.expect("$/progress", mine("begin"))
        target.release.set()
        assert c.finish(id)["state"] == "done"
        c.expect("$/progress", mine("end"))
        left = [m for m in c.requests if m["method"] == "window/workDoneProgress/create"]
        assert left == []


def cancelled_by_request(c, id, uri):
    c.notify("$/cancelRequest", {"id": id})


def cancelled_by_place(c, id, uri):
    assert c.command("postkit.cancel", {"uri": uri, "position": {"line": 0, "character": 0}}) == 1


def cancelled_by_id(c, id, uri):
    started = c.expect("$/progress", lambda p: p["value"]["kind"] == "started")
    assert c.command("postkit.cancel", {"id": started["value"]["id"]}) == 1


def cancelled_without_argument(c, id, uri):
    assert c.command("postkit.cancel") == 1


def cancelled_by_progress(c, id, uri):
    token = c.expect("window/workDoneProgress/create")["token"]
    c.expect("$/progress", lambda p: p["value"]["kind"] == "begin")
    c.notify("window/workDoneProgress/cancel", {"token": token})


@pytest.mark.parametrize(
    "cancel",
    [
        cancelled_by_request,
        cancelled_by_place,
        cancelled_by_id,
        cancelled_without_argument,
        cancelled_by_progress,
    ],
)
def test_a_send_is_cancelled(store, folder, target, cancel):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        id = c.start(
            "postkit/send",
            {
                "textDocument": {"uri": uri},
                "position": {"line": 0, "character": 0},
                "partialResultToken": "p",
            },
        )
        assert target.hanging.wait(20)
        cancel(c, id, uri)
        if cancel is cancelled_by_request:
            with pytest.raises(ResponseError) as caught:
                c.finish(id)
            assert caught.value.code == -32800
        else:
            result = c.finish(id)
            assert result["state"] == "cancelled" and result["status"] is None
            assert result["error"]["code"] == "cancelled"
        assert target.closed.wait(5), "the socket must be closed"
        assert c.command("postkit.cancel") == 0
        # The attempt is in the history.
        deadline = time.monotonic() + 10
        while not (items := c.request("postkit/history", {})["items"]):
            assert time.monotonic() < deadline
        assert items[0]["state"] == "cancelled"


def test_a_send_is_cancelled_where_its_request_has_moved_to(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = f"GET {target.url}/hang\n"
        uri = c.open(folder / "a.http", text)
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        id = c.start(
            "workspace/executeCommand", {"command": "postkit.send", "arguments": [place]}
        )
        assert target.hanging.wait(20)
        c.change(uri, "### other\nGET http://127.0.0.1:1/\n\n###\n" + text)
        assert c.command("postkit.cancel", place) == 0
        moved = {"uri": uri, "position": {"line": 4, "character": 3}}
        assert c.command("postkit.cancel", moved) == 1
        assert c.finish(id)["state"] == "cancelled"
        assert target.closed.wait(5)


def test_shutdown_records_what_was_cut_off(store, folder, target):
    c = client(store, folder)
    with c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        c.start(
            "workspace/executeCommand",
            {
                "command": "postkit.send",
                "arguments": [{"uri": uri, "position": {"line": 0, "character": 0}}],
            },
        )
        assert target.hanging.wait(20)
        c.server.process.terminate()
        assert c.server.wait() == 143
    assert target.closed.wait(5)
    with client(store, folder) as c:
        c.initialize()
        items = c.request("postkit/history", {})["items"]
        assert [item["state"] for item in items] == ["cancelled"]


def test_send_all_and_history_pages(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        results = c.command("postkit.sendAll", {"uri": uri})
        assert [r["state"] for r in results] == ["done", "done"]
        assert len({r["id"] for r in results}) == 2
        page = c.request("postkit/history", {"limit": 1})
        assert page["items"][0]["name"] == "use" and page["cursor"]
        rest = c.request("postkit/history", {"limit": 1, "cursor": page["cursor"]})
        assert rest["items"][0]["name"] == "login" and "cursor" not in rest
        assert page["revision"] >= 1
        found = c.request("postkit/history", {"method": "POST"})["items"]
        assert [item["name"] for item in found] == ["use"]
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/history", {"cursor": "nonsense"})
        assert caught.value.code == -32602


def test_the_requests_of_a_range_are_sent(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = "".join(f"### {n}\nGET {target.url}/{n}\n\n" for n in range(4))
        uri = c.open(folder / "a.http", text)

        def order(first, last):
            ends = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 4}}
            return {"uri": uri, "range": ends}

        assert len(c.command("postkit.sendAll", order(4, 7))) == 2
        assert [seen[1] for seen in target.seen] == ["/1", "/2"]
        c.change(uri, text + "### only a comment\n")
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.sendAll", order(12, 12))
        assert "lines 13 to 13" in caught.value.message
        assert len(target.seen) == 2


def test_exchange_is_paged(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/large\n")
        result = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        data, offset = "", 0
        while True:
            page = c.request(
                "postkit/exchange", {"id": result["id"], "offset": offset, "length": 70_000}
            )
            assert page["encoding"] == "utf-8" and page["offset"] == offset
            data += page["data"]
            offset += len(page["data"].encode())
            if page["eof"]:
                break
        assert page["total"] == len(data) == result["size"]
        head = c.request("postkit/exchange", {"id": result["id"], "view": "headers"})
        assert head["data"].startswith("HTTP/1.1 200")
        sent = c.request(
            "postkit/exchange", {"id": result["id"], "part": "request", "view": "headers"}
        )
        assert sent["data"].startswith("GET ")
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/exchange", {"id": "019a8f2e-7c11-7b3e-9d55-0a1b2c3d4e5f"})
        assert caught.value.code == -32801


def test_exchange_record(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = f"GET {target.url}/large\n\n?? status == 200\n?? status == 201\n"
        uri = c.open(folder / "a.http", text)
        result = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        page = c.request("postkit/exchange", {"id": result["id"], "view": "record"})
        assert (page["contentType"], page["eof"]) == ("application/json", True)
        record = json.loads(page["data"])
        assert (record["id"], record["status"], record["hops"]) == (result["id"], 200, [])
        assert [(t["name"], t["passed"]) for t in record["tests"]] == [
            ("status == 200", True),
            ("status == 201", False),
        ]
        assert record["tests"][1]["message"]
        assert record["timings"]["total"] == result["timings"]["total"]
        # Bodies are read by other views.
        assert "body" not in record["response"] and "body" not in record["request"]
        assert record["response"]["size"] == result["size"]
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/exchange", {"id": result["id"], "view": "record", "select": "$"})
        assert caught.value.code == -32602


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
        c.answers["window/showMessageRequest"] = lambda p: p["actions"][1]
        assert c.command("postkit.selectEnvironment") == {"active": "prod"}
        assert c.command("postkit.selectEnvironment", {"name": None}) == {"active": None}


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


def test_curl_and_prefix(store, folder, target):
    options = {"postkit": {"commandPrefix": "two."}}
    with client(store, folder, options=options) as c:
        c.initialize()
        commands = c.server_capabilities["executeCommandProvider"]["commands"]
        assert all(name.startswith("two.postkit.") for name in commands)
        uri = c.open(folder / "a.http", f"POST {target.url}/x\nA: it's\n\nbody\n")
        line = c.command(
            "two.postkit.copyAsCurl", {"uri": uri, "position": {"line": 0, "character": 0}}
        )
        assert line.startswith("curl") and target.url in line and "body" in line
        with pytest.raises(ResponseError):
            c.command("postkit.copyAsCurl", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert target.seen == []


@pytest.mark.parametrize("abilities", [FULL, without(FULL, "workspace.textDocumentContent")])
def test_a_client_without_a_clipboard_is_shown_what_is_copied(store, folder, abilities):
    secret = "s3cret-of-the-line"
    (folder / "http-client.private.env.json").write_text(json.dumps({"dev": {"k": secret}}))
    text = "GET http://127.0.0.1:1/?a={{k}}\nAuthorization: Bearer other\nX-K: {{k}}\n"
    with client(store, folder, abilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        line = c.command("postkit.copyAsCurl", {
            "uri": uri, "position": {"line": 0, "character": 0}, "environment": "dev"})
        assert secret in line
        shown = c.expect("window/showDocument")["uri"]
        if shown.startswith("file:"):
            path = Path(urllib.parse.unquote(shown[7:]))
            assert path.stat().st_mode & 0o777 == 0o600
            found = path.read_text()
        else:
            found = c.request("workspace/textDocumentContent", {"uri": shown})["text"]
        assert "curl " in found and "/?a=••••••" in found and "X-K: ••••••" in found
        assert secret not in found and "Bearer other" not in found


def test_commands_without_argument_mean_the_last_caret(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send")
        assert caught.value.code == -32803
        uri = c.open(folder / "a.http", sample(target))
        c.at("textDocument/hover", uri, 3, 0)
        assert c.command("postkit.send")["state"] == "done"
        assert target.seen[0][1].startswith("/login")


def test_input_is_asked_for(store, folder, target):
    knowing = {**FULL, "experimental": {"postkit": {"version": 1, "input": True}}}
    text = f"# @prompt who Who is it?\nGET {target.url}/{{{{who}}}}\n"
    place = {"position": {"line": 1, "character": 0}}
    with client(store, folder, knowing) as c:
        c.initialize()
        c.answers["postkit/input"] = lambda params: {"value": "ada"}
        uri = c.open(folder / "a.http", text)
        assert c.command("postkit.send", {"uri": uri, **place})["state"] == "done"
        assert target.seen[0][1] == "/ada"
        assert c.expect("postkit/input")["kind"] == "text"
        c.answers["postkit/input"] = lambda params: None
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send", {"uri": uri, **place})
        assert caught.value.code == -32803
        assert len(target.seen) == 1


def test_a_store_that_cannot_be_opened_stops_nothing(tmp_path, folder, target):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the directory should be")
    plain = without(FULL, "workspace.textDocumentContent")
    for capabilities in (FULL, plain):
        with client(blocked, folder, capabilities) as c:
            c.initialize()
            uri = c.open(folder / "a.http", sample(target))
            for _ in range(2):
                result = c.command("postkit.send", {"uri": uri, "name": "login"})
                assert result["state"] == "done" and result["status"] == 200
            hints = c.range("textDocument/inlayHint", uri)
            assert "200 OK" in hints[0]["label"][0]["value"]
            said = [m for m in c.notifications if m["method"] == "window/showMessage"]
            assert len(said) == 1
            if capabilities is FULL:
                text = c.request("workspace/textDocumentContent", {"uri": result["uri"]})["text"]
                assert "HTTP/1.1 200" in text


STATUS = {**FULL, "experimental": {"postkit": {"version": 1, "status": True}}}


def test_the_status_tells_of_a_store_that_cannot_be_opened(tmp_path, folder, target):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the directory should be")
    with client(blocked, folder, STATUS) as c:
        c.initialize()
        first = c.expect("postkit/status")
        assert first["health"] == "ok" and "message" not in first
        uri = c.open(folder / "a.http", sample(target))
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        status = c.expect("postkit/status", lambda p: p["health"] != "ok" and p["inFlight"] == 0)
        assert status["health"] == "warning" and str(blocked) in status["message"]
        # Once it can be opened, all is well again.
        blocked.unlink()
        c.notifications = [m for m in c.notifications if m["method"] != "postkit/status"]
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        c.expect("postkit/status", lambda p: p["health"] == "ok" and "message" not in p)


def test_the_status_tells_of_a_file_that_was_set_aside(store, folder, target):
    store.mkdir(mode=0o700)
    (store / "history.sqlite").write_bytes(b"no database " * 1000)
    with client(store, folder, STATUS) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        status = c.expect("postkit/status", lambda p: p["health"] != "ok")
        assert status["health"] == "warning" and "history.sqlite" in status["message"]
        assert "set" in status["message"] and "aside" in status["message"]


def test_the_status_tells_of_a_missing_library(store, folder, target, tmp_path):
    # Files that are found first and are no libraries.
    broken = tmp_path / "lib"
    broken.mkdir()
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        (broken / name).write_text("no library")
    environment = {"LD_LIBRARY_PATH": str(broken)}
    with client(store, folder, STATUS, environment=environment) as c:
        c.initialize()
        uri = c.open(folder / "a.http", sample(target))
        result = c.command("postkit.send", {"uri": uri, "name": "login"})
        assert result["state"] == "failed" and "libcurl" in result["error"]["message"]
        status = c.expect("postkit/status", lambda p: p["health"] != "ok")
        assert status["health"] == "error" and "apt install" in status["message"]


def test_the_log_reaches_the_client_within_bounds(store, folder):
    with client(store, folder) as c:
        c.initialize()
        for _ in range(200):
            c.server.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}})
        line = c.expect("window/logMessage", lambda params: params["type"] == 2)
        assert "params.textDocument" in line["message"]
        with pytest.raises(ResponseError):
            c.at("textDocument/hover", (folder / "none.http").as_uri(), 0, 0)
        lines = [m for m in c.notifications if m["method"] == "window/logMessage"]
        assert 1 <= len(lines) <= 150


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
