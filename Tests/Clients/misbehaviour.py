#!/usr/bin/env python3
"""What language servers do with input that no client should send: a row a probe, a column a server.

    Tests/Clients/misbehaviour.py                 our own server
    Tests/Clients/misbehaviour.py NAME...         and those of others, as far as they are installed:
                                                  sourcekit-lsp clangd ruff ty pyrefly pygls

Each probe has a process and a folder of its own. The last column is what the protocol asks for
(PROMISES.md F1 to L12); an outcome that it does not allow is marked with `!`.
"""

import json
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rawclient import Ended, Server, binary

PATIENCE = 5

PYGLS = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("probe", "1")
@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(params: types.HoverParams):
    return types.Hover(contents="hover")
server.start_io()
"""


@dataclass
class Target:
    """A server and a document that it knows."""

    command: list
    file: str
    language: str
    text: str


def targets():
    """The servers by name, those that are not installed left out."""
    python = "def f(a):\n    return a\n"
    known = {
        "postkit": Target([binary(), "lsp"], "a.http", "http", "GET http://127.0.0.1/\n"),
        "sourcekit-lsp": Target(["sourcekit-lsp"], "a.swift", "swift", "func f() {}\n"),
        "clangd": Target(["clangd"], "a.c", "c", "int f(void) { return 1; }\n"),
        "ruff": Target(["ruff", "server"], "a.py", "python", python),
        "ty": Target(["ty", "server"], "a.py", "python", python),
        "pyrefly": Target(["pyrefly", "lsp"], "a.py", "python", python),
        "pygls": Target([sys.executable, "-c", PYGLS], "a.py", "python", python),
    }
    return {name: it for name, it in known.items() if shutil.which(it.command[0])}


class Session:
    """One server under one probe."""

    def __init__(self, target, folder, patience):
        self.target = target
        # How many seconds anything is waited for that has to come.
        self.patience = patience
        self.folder = folder
        self.path = folder / target.file
        self.path.write_text(target.text)
        self.uri = self.path.as_uri()
        self.server = Server(store=folder / "store", command=target.command)
        self.last = 1000

    def send(self, method, params=None, id=None):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if id is not None:
            message["id"] = id
        self.server.send(message)

    def answers(self, id, seconds=None, count=1):
        """Replies to an id, at most `count`; fewer where no more come or the server ends."""
        found = []
        end = time.monotonic() + (seconds or self.patience)
        try:
            while len(found) < count and time.monotonic() < end:
                message = self.server.receive(max(0.01, end - time.monotonic()))
                if "method" in message and "id" in message:
                    self.server.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                elif "method" not in message and message.get("id") == id:
                    found.append(message)
        except (queue.Empty, Ended, BrokenPipeError):
            pass
        return found

    def verdict(self, id):
        """An error's code, `result`, `dies` or `no reply`."""
        found = self.answers(id)
        if not found:
            return "dies" if self.has_ended() else "no reply"
        return str(found[0]["error"]["code"]) if "error" in found[0] else "result"

    def request(self, method, params=None):
        self.last += 1
        try:
            self.send(method, params, self.last)
        except BrokenPipeError:
            return "dies"
        return self.verdict(self.last)

    def start(self, capabilities=None, initialized=True, process=None):
        params = {
            "processId": process,
            "rootUri": self.folder.as_uri(),
            "capabilities": capabilities or {},
        }
        self.send("initialize", params, 1)
        found = self.answers(1)
        if initialized and found:
            self.send("initialized", {})
        return found[0] if found else {}

    def open(self, version=1):
        item = {
            "uri": self.uri,
            "languageId": self.target.language,
            "version": version,
            "text": self.target.text,
        }
        self.send("textDocument/didOpen", {"textDocument": item})

    def change(self, start, end, text="x"):
        document = {"uri": self.uri, "version": 2}
        span = {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        }
        params = {"textDocument": document, "contentChanges": [{"range": span, "text": text}]}
        self.send("textDocument/didChange", params)

    def hover(self):
        return {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}}

    def has_ended(self):
        try:
            self.server.wait(self.patience)
        except subprocess.TimeoutExpired:
            return False
        return True

    def life(self):
        """Whether the server still answers, in a word."""
        verdict = self.request("textDocument/hover", self.hover())
        if verdict in ("dies", "no reply"):
            return "dies" if verdict == "dies" else "hangs"
        return "lives"

    def code(self):
        """The exit code in a word."""
        return f"exit {self.server.process.returncode}" if self.has_ended() else "stays"


def before_initialize(it):
    return it.request("textDocument/hover", it.hover())


def open_before_initialize(it):
    it.open()
    return "fine" if it.start() and it.life() == "lives" else "dies"


def no_initialized(it):
    it.start(initialized=False)
    it.open()
    return it.request("textDocument/hover", it.hover())


def second_initialize(it):
    it.start()
    return it.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})


def unknown_requests(it):
    it.start()
    return f"{it.request('no/such', {})} {it.request('$/noSuch', {})}"


def unknown_notifications(it):
    it.start()
    it.send("no/such", {})
    it.send("$/noSuch", {})
    it.send("$/cancelRequest", {"id": 77})
    return it.life()


def wrong_params(it):
    it.start()
    return it.request("textDocument/hover", {"textDocument": 5})


def after_shutdown(it):
    it.start()
    it.request("shutdown")
    return it.request("textDocument/hover", it.hover())


def exit_without_shutdown(it):
    it.start()
    it.send("exit")
    return it.code()


def end_of_input(it):
    it.start()
    it.server.process.stdin.close()
    return it.code()


def dead_client(it):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    # It may have ended before it could be told more.
    it.start(initialized=False, process=child.pid)
    return "exits" if it.has_ended() else "keeps running"


def refused(it, body):
    """The code of an error reply without an id, and whether the server goes on."""
    it.start()
    it.server.send(body)
    code = it.answers(None)
    said = str(code[0]["error"]["code"]) if code else "silent"
    return f"{said}, {it.life()}"


def invalid_json(it):
    return refused(it, b'{"jsonrpc": "2.0", "id": 5, "method": ')


def batch(it):
    return refused(it, b'[{"jsonrpc": "2.0", "id": 5, "method": "shutdown"}]')


def invalid_utf8(it):
    return refused(it, b'{"jsonrpc": "2.0", "id": 5, "method": "\xff\xfe"}')


def head(it, pattern):
    """Whether a request with a head of its own is answered."""
    it.start()
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": it.hover()}).encode()
    it.server.write(pattern % len(body) + body)
    verdict = it.verdict(9)
    return {"dies": "dies", "no reply": "hangs"}.get(verdict, "ok")


def lower_case(it):
    return head(it, b"content-length: %d\r\n\r\n")


def line_feeds(it):
    return head(it, b"Content-Length: %d\n\n")


def junk_line(it):
    return head(it, b"what is this\r\nContent-Length: %d\r\n\r\n")


def huge_length(it):
    it.start()
    it.server.write(b"Content-Length: 99999999999999999999999\r\n\r\n")
    life = it.life()
    return it.code() if life == "dies" else life


def past_the_end(it):
    it.start()
    it.open()
    it.change((90, 5), (99, 900))
    return it.life()


def reversed_range(it):
    it.start()
    it.open()
    it.change((0, 5), (0, 2))
    return it.life()


def duplicate_id(it):
    it.start()
    it.open()
    for _ in range(2):
        it.send("textDocument/hover", it.hover(), 5)
    # A third one would come at once.
    count = len(it.answers(5, count=2)) + len(it.answers(5, 0.5))
    return f"{count} replies, {it.life()}"


def deep_nesting(it):
    it.start()
    it.server.send(b'{"jsonrpc":"2.0","method":"no/such","params":' + b"[" * 20_000
                   + b"]" * 20_000 + b"}")
    return it.life()


def large_message(it):
    it.start()
    padding = b"x" * 20_000_000
    it.server.send(b'{"jsonrpc":"2.0","method":"no/such","params":{"a":"' + padding + b'"}}')
    return it.life()


def encodings(it):
    offer = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}
    result = it.start(offer).get("result") or {}
    return result.get("capabilities", {}).get("positionEncoding", "none (utf-16)")


def cancelled(it):
    it.start()
    it.open()
    it.send("textDocument/hover", it.hover(), 5)
    it.send("$/cancelRequest", {"id": 5})
    return it.verdict(5)


# What is done, the probe, and the outcomes that are in order.
PROBES = [
    ("request before `initialize`", before_initialize, ["-32002"]),
    ("`didOpen` before `initialize`, then a normal start", open_before_initialize, ["fine"]),
    ("the client never sends `initialized`", no_initialized, ["result"]),
    ("second `initialize`", second_initialize, ["-32600"]),
    ("unknown request, unknown `$/` request", unknown_requests, ["-32601 -32601"]),
    ("unknown notifications, cancel of an unknown id", unknown_notifications, ["lives"]),
    ("wrong params on a known request", wrong_params, ["-32602"]),
    ("request after `shutdown`", after_shutdown, ["-32600"]),
    ("`exit` without `shutdown`", exit_without_shutdown, ["exit 1"]),
    ("end of input", end_of_input, ["exit 1"]),
    ("`processId` names a dead process", dead_client, ["exits"]),
    ("invalid JSON in a good frame", invalid_json, ["-32700, lives"]),
    ("a JSON array (batch)", batch, ["-32600, lives"]),
    ("invalid UTF-8", invalid_utf8, ["-32700, lives"]),
    ("`content-length:` in lower case", lower_case, ["ok"]),
    ("header lines that end with LF alone", line_feeds, ["ok"]),
    ("a junk header line", junk_line, ["ok"]),
    ("`Content-Length` of 23 digits", huge_length, ["exit 1", "lives"]),
    ("`didChange` past the end", past_the_end, ["lives"]),
    ("`didChange` whose start is after its end", reversed_range, ["lives"]),
    ("the same id twice in flight", duplicate_id, ["2 replies, lives"]),
    ("JSON 20,000 levels deep", deep_nesting, ["lives"]),
    ("a message of 20 MB", large_message, ["lives"]),
    ("`positionEncodings` utf-8, utf-16", encodings, ["utf-8", "utf-16", "none (utf-16)"]),
    ("hover, cancelled at once", cancelled, ["result", "-32800"]),
]


def outcome(probe, target, patience=PATIENCE):
    """What a server makes of a probe."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(target, Path(folder).resolve(), patience)
        try:
            return probe(session)
        except (BrokenPipeError, Ended):
            return "dies"
        finally:
            # Not closed: a child of a server may hold its output, and waiting for the end with it.
            session.server.process.kill()
            session.server.wait()


def table(names):
    """The rows of the matrix as a Markdown table."""
    known = targets()
    missing = [name for name in names if name not in known]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    yield "| probe | " + " | ".join(names) + " | in order |"
    yield "|---" * (len(names) + 2) + "|"
    for title, probe, wanted in PROBES:
        found = [outcome(probe, known[name]) for name in names]
        cells = [it if it in wanted else it + " !" for it in found]
        yield f"| {title} | " + " | ".join(cells) + f" | {' or '.join(wanted)} |"


if __name__ == "__main__":
    for row in table(["postkit"] + sys.argv[1:]):
        print(row, flush=True)
