"""Nothing is sent, run or written unless somebody asks for it: a server to send to listens while
everything else is done (R1), and what cannot be understood outside stays outside (R4)."""

import contextlib
import os
import sys
from pathlib import Path

import pytest
from fuzz import AT_POSITION, EXTRA, IN_RANGE, WHOLE, Fuzz
from rawclient import ResponseError
from test_abilities import ALL
from test_stock import client, without

TEXT = """@host = {url}
@touched = {{{{$processEnv HOME}}}}
import ./other.http

### log in
# @name login
# @note Really?
# @loop 3
< {{% client.log(require('child_process').execSync('touch ran')) %}}
POST {{{{host}}}}/login?id={{{{$uuid}}}}
Authorization: OAuth2 {{{{$auth.token("main")}}}}

{{"a": "{{{{who}}}}"}}

> {{% client.global.set("x", response.body) %}}
>> saved.json

### use
# @ref login
# @prompt pin
GET {{{{host}}}}/use/{{{{login.response.body.$.token}}}}
X-Key: {{{{key}}}}

<@ ./body.json

### all
run #login
run ./other.http

### curl
curl {url}/curl -o written -d @body.json
"""
ENVIRONMENT = """{"dev": {"who": "ann", "Security": {"Auth": {"main": {
"Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "%s/token",
"Client ID": "a"}}}}}"""


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_reading_and_writing_sends_nothing_runs_nothing_writes_nothing(store, folder, target):
    text = TEXT.format(url=target.url)
    (folder / "other.http").write_text(f"### other\nGET {target.url}/other\n")
    (folder / "body.json").write_text("{}")
    (folder / "http-client.env.json").write_text(ENVIRONMENT % target.url)
    (folder / "http-client.private.env.json").write_text('{"dev": {"key": "s3cr3t-value"}}')
    (folder / "postkit.json").write_text('{"environment": "dev", "sendOnSave": true}')
    # Who asks for the events of the store has it made.
    capabilities = without(ALL, "experimental.postkit.storeEvents")
    with client(store, folder, capabilities, options={"postkit": {"trusted": True}}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        before = listing(folder)
        lines = text.split("\n")
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}

        def ask(method, **params):
            try:
                return c.request(method, params)
            except ResponseError as error:
                assert error.code in (-32803, -32801), (method, error)
                return None

        document = {"textDocument": {"uri": uri}}
        for line, content in enumerate(lines):
            for column in range(0, len(content) + 1, 5):
                place = {"line": line, "character": column}
                for name in AT_POSITION:
                    ask(f"textDocument/{name}", **document, position=place, **EXTRA.get(name, {}))
        for name in IN_RANGE:
            ask(f"textDocument/{name}", **document, range=whole, **EXTRA.get(name, {}))
        for name in WHOLE:
            ask(f"textDocument/{name}", **document, **EXTRA.get(name, {}))
        for name, resolve in (("codeLens", "codeLens/resolve"),
                              ("documentLink", "documentLink/resolve")):
            for item in ask(f"textDocument/{name}", **document) or []:
                if "data" in item:
                    ask(resolve, **item)
        for action in ask("textDocument/codeAction", **document, range=whole,
                          context={"diagnostics": []}):
            if "data" in action:
                ask("codeAction/resolve", **action)
        for hint in ask("textDocument/inlayHint", **document, range=whole):
            ask("inlayHint/resolve", **hint)
        ask("workspace/symbol", query="")
        ask("postkit/variables", **document)
        ask("postkit/environments", **document)
        curl = next(n for n, line in enumerate(lines) if line.startswith("curl "))
        c.command("postkit.copyAsCurl", {"uri": uri, "position": {"line": curl, "character": 0}})
        c.change(uri, text + "\n")
        c.notify("textDocument/didSave", document)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        ask("textDocument/hover", **document, position={"line": 0, "character": 2})
        with open(f"/proc/{c.server.process.pid}/task/{c.server.process.pid}/children") as children:
            assert children.read().strip() == ""
    assert target.seen == []
    assert listing(folder) == before
    assert not (store / "history.sqlite").exists()


def test_chance_sends_nothing(tmp_path, target, monkeypatch):
    """Random texts with a server to send to, random questions, no command."""
    monkeypatch.setattr("fuzz.PIECES", [
        f"GET {target.url}/a\n", f"curl {target.url}/b\n", "###\n", "# @ref a\n", "# @name a\n",
        "{{a.response.body.$.b}}", "< ./a.http\n", "run #a\n", "import ./b.http\n", "@x = 1\n"])
    fuzz = Fuzz(tmp_path, "utf-8", 7)
    try:
        for _ in range(1_500):
            fuzz.step()
        fuzz.finish()
    finally:
        fuzz.server.close()
    assert target.seen == []


@pytest.mark.parametrize("path", [
    "../secret.txt", "/etc/passwd", "/proc/self/environ", "\\\\\\\\host\\share\\x.txt",
    "./out.txt", "file:///etc/passwd", "~/x.txt"])
def test_a_file_outside_is_neither_read_nor_linked(store, folder, target, path):
    (folder.parent / "secret.txt").write_text("s3cr3t-canary")
    os.symlink(folder.parent / "secret.txt", folder / "out.txt")
    text = f"POST {target.url}/\n\n< {path}\n"
    with client(store, folder, ALL) as c:
        c.answers["window/showMessageRequest"] = lambda params: None
        c.initialize()
        uri = c.open(folder / "a.http", text)
        document = {"textDocument": {"uri": uri}}
        found = [c.request(f"textDocument/{name}", document) for name in (
            "documentLink", "diagnostic", "documentSymbol", "semanticTokens/full")]
        for column in range(0, len(path) + 2):
            found.append(c.at("textDocument/hover", uri, 2, column))
            found.append(c.at("textDocument/completion", uri, 2, column))
        assert "canary" not in str(found) and "root:" not in str(found)
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert caught.value.code == -32803
        assert target.seen == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the threads in /proc")
def test_no_thread_is_dispatchs_own(store, folder, target):
    """Dispatch wakes once a second to look at its threads, and a laptop with them."""
    with client(store, folder, ALL, options={"postkit": {"trusted": True}}) as c:
        c.initialize()
        text = f"GET {target.url}/a?{{{{$uuid}}}}\n"
        uri = c.open(folder / "a.http", text)
        for _ in range(3):
            c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
            c.at("textDocument/hover", uri, 0, 5)
            c.at("textDocument/completion", uri, 0, 5)
            c.change(uri, text)
            c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            c.request("workspace/symbol", {"query": ""})
            c.request("postkit/history", {"limit": 5})
        process = Path("/proc", str(c.server.process.pid))
        names = set()
        for task in (process / "task").iterdir():
            # Some have nothing left to do and end.
            with contextlib.suppress(OSError):
                names.add((task / "comm").read_text().strip())
        assert names == {(process / "comm").read_text().strip()}
        assert not [it for it in (process / "fd").iterdir() if "timerfd" in os.readlink(it)]
