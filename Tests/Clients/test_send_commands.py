"""What sends, shows and copies from a stock client: by actions, commands and places."""

import json
import os
import stat
import urllib.parse
from pathlib import Path

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, sample, without


def shown_copy(c):
    """The copy that is shown next, which nobody else may read where it is a file."""
    shown = c.expect("window/showDocument")["uri"]
    if shown.startswith("file:"):
        path = Path(urllib.parse.unquote(shown[7:]))
        assert path.stat().st_mode & 0o777 == 0o600
        return path.read_text()
    return c.request("workspace/textDocumentContent", {"uri": shown})["text"]


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
        assert said["type"] == 3 and said["message"].startswith("200 OK  ")
        assert said["message"].endswith(f" The response is in {path}.") and Path(path).exists()
        c.command("postkit.sendAll", {"uri": uri})
        said = c.expect("window/showMessage")["message"]
        begin = "2 requests: 1 ok, 1 with failed tests. First problem: `use`: 200 OK"
        assert said.startswith(begin)
        assert "  ✗ 1 of 1 tests failed. The response is in " in said
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
        said = hints[0]["label"][0]["value"]
        assert said.startswith("failed: No connection to 127.0.0.1:1") and "\n" not in said
        assert "(" not in said.split("  ")[0] and "Check" not in said
    # Another process says the same of what is kept.
    with client(store, folder) as c:
        c.initialize()
        c.open(folder / "a.http")
        hints = c.range("textDocument/inlayHint", uri)
        assert hints[0]["label"][0]["value"].startswith("failed: No connection to 127.0.0.1:1")


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
        found = shown_copy(c)
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
