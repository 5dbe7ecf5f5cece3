#!/usr/bin/env python3
"""Seeded edits and questions without end: the server's text must stay that of a plain model, each
request must be answered once, and all that the server says must fit the protocol.

    Tests/Clients/fuzz.py [STEPS [SEED]]      a million steps by default, in three encodings
"""

import json
import queue
import random
import sys
import tempfile
import time
from pathlib import Path

from rawclient import TIMEOUT, Ended, Server
from test_stock import FULL

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
# What a request may be answered with instead of a result (PROMISES.md Q3 to Q6, Q10).
ALLOWED = {-32800, -32801, -32802, -32803}
PIECES = [
    "\n", "\r\n", "\r", "###", "### größe\n", "GET ", "https://a.test/ä?q=𝒳", "{{", "}}",
    "{{host}}", "é", "€", "😀", "\u2028",
    "{{$uuid}}", "@host = ", "# @name login\n", "X-Ä: 1\n", "Content-Type: application/json\n",
    '\n{"a": [1, "{{b}}"]}', "< ./file.json", "{{login.response.body.$.id}}",
    "\t", " ", "\ufeff", "\x00", "> {% x %}", "--b\r\n", "// c", "run #login", "import a.http",
]
AT_POSITION = ["hover", "completion", "definition", "typeDefinition", "implementation",
               "references", "documentHighlight", "signatureHelp", "prepareRename", "rename",
               "onTypeFormatting", "prepareCallHierarchy"]
IN_RANGE = ["codeAction", "inlayHint", "rangeFormatting", "semanticTokens/range"]
WHOLE = ["documentSymbol", "codeLens", "documentLink", "formatting", "foldingRange", "diagnostic",
         "semanticTokens/full"]
OPTIONS = {"tabSize": 2, "insertSpaces": True}
EXTRA = {
    "references": {"context": {"includeDeclaration": True}},
    "rename": {"newName": "other"},
    "onTypeFormatting": {"ch": "\n", "options": OPTIONS},
    "codeAction": {"context": {"diagnostics": []}},
    "rangeFormatting": {"options": OPTIONS},
    "formatting": {"options": OPTIONS},
}


def units(character, encoding):
    if encoding == "utf-8":
        return len(character.encode())
    return 2 if encoding == "utf-16" and ord(character) > 0xFFFF else 1


class Text:
    """A document as the protocol describes it, as simply as it can be said."""

    def __init__(self, text, encoding):
        self.text = text
        self.encoding = encoding

    def lines(self):
        """The start and the end of each line, without its line end."""
        start = at = 0
        while at < len(self.text):
            if self.text[at] in "\r\n":
                yield start, at
                at += 2 if self.text[at:at + 2] == "\r\n" else 1
                start = at
            else:
                at += 1
        yield start, len(self.text)

    def offset(self, position, up):
        """Where a position is: at the end of its line at most, never inside a character."""
        lines = list(self.lines())
        if position["line"] >= len(lines):
            return len(self.text)
        at, end = lines[position["line"]]
        left = position["character"]
        while at < end and left > 0:
            size = units(self.text[at], self.encoding)
            if size > left:
                return at + 1 if up else at
            left -= size
            at += 1
        return at

    def edit(self, change):
        if "range" not in change:
            self.text = change["text"]
            return
        start, end = change["range"]["start"], change["range"]["end"]
        if (end["line"], end["character"]) < (start["line"], start["character"]):
            start, end = end, start
        first = self.offset(start, False)
        last = first if start == end else max(first, self.offset(end, True))
        self.text = self.text[:first] + change["text"] + self.text[last:]


class Fuzz:
    """One session with a server."""

    def __init__(self, folder, encoding, seed):
        self.random = random.Random(seed)
        self.encoding = encoding
        self.folder = folder
        self.server = Server(store=folder / "store")
        self.pending = {}
        self.last = 0
        self.answered = 0
        self.edits = 0
        self.texts = {}
        self.versions = {}
        capabilities = {**FULL, "general": {"positionEncodings": [encoding]}}
        result = self.call("initialize", {
            "processId": None, "rootUri": None, "capabilities": capabilities,
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "folder"}],
            "initializationOptions": {"postkit": {"testing": True}},
        })
        self.provided = result["capabilities"]
        assert self.provided["positionEncoding"] == encoding
        self.notify("initialized", {})
        for name in "ab":
            self.open((folder / f"{name}.http").as_uri())

    # Messages

    def notify(self, method, params):
        self.server.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params, expected=None):
        self.last += 1
        self.pending[self.last] = (method, expected)
        self.server.send(
            {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def call(self, method, params):
        """A request whose answer is waited for."""
        id = self.request(method, params)
        result = []
        while id in self.pending:
            result = [self.take(TIMEOUT)] or result
        return result[0]

    def take(self, timeout):
        """Reads a message and holds it against what was asked."""
        message = self.server.receive(timeout)
        if "method" in message:
            if "id" in message:
                self.server.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            return None
        assert message["id"] in self.pending, f"a second reply or one to nobody: {message}"
        method, expected = self.pending.pop(message["id"])
        self.answered += 1
        if error := message.get("error"):
            assert error["code"] in ALLOWED, (method, error)
            return None
        if expected is not None:
            assert message["result"]["text"] == expected
        return message["result"]

    def drain(self, most):
        """Reads until at most so many requests are open."""
        while len(self.pending) > most:
            self.take(TIMEOUT)

    # Steps

    def some(self, uri):
        text = self.texts[uri].text
        return {
            "line": self.random.randrange(text.count("\n") + text.count("\r") + 3),
            "character": self.random.choice([0, 1, 2, 3, 5, 8, 13, 40, 9999]),
        }

    def open(self, uri):
        text = "".join(self.random.choices(PIECES, k=self.random.randrange(300)))
        self.texts[uri] = Text(text, self.encoding)
        self.versions[uri] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1, "text": text}})

    def change(self, uri):
        changes = []
        for _ in range(self.random.choice([1, 1, 1, 1, 2, 3])):
            text = self.random.choice(["", *PIECES, "".join(self.random.choices(PIECES, k=3))])
            change = {"text": text}
            if self.random.random() > 0.005:
                start = self.some(uri)
                end = start
                if len(self.texts[uri].text) > 3_000:
                    end = self.some(uri)
                elif self.random.random() < 0.3:
                    end = {**self.some(uri), "line": start["line"] + self.random.choice([0, 0, 1])}
                change["range"] = {"start": start, "end": end}
            self.texts[uri].edit(change)
            self.edits += 1
            changes.append(change)
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.versions[uri]},
            "contentChanges": changes})

    def ask(self, uri):
        name = self.random.choice(AT_POSITION + IN_RANGE + WHOLE)
        if not self.provided.get(self.provider(name)):
            return
        params = {"textDocument": {"uri": uri}, **EXTRA.get(name, {})}
        if name in AT_POSITION:
            params["position"] = self.some(uri)
        if name in IN_RANGE:
            params["range"] = {"start": self.some(uri), "end": self.some(uri)}
        self.request(f"textDocument/{name}", params)

    @staticmethod
    def provider(name):
        """The server's capability for a method."""
        kind = name.split("/")[0]
        return {
            "formatting": "documentFormatting", "rangeFormatting": "documentRangeFormatting",
            "onTypeFormatting": "documentOnTypeFormatting", "prepareRename": "rename",
            "prepareCallHierarchy": "callHierarchy",
        }.get(kind, kind) + "Provider"

    def step(self):
        uri = self.random.choice(list(self.texts))
        dice = self.random.random()
        if dice < 0.60:
            self.change(uri)
        elif dice < 0.92:
            self.ask(uri)
        elif dice < 0.97:
            id = self.random.choice([self.last, self.last - 3, "none", 10**9])
            self.notify("$/cancelRequest", {"id": id})
        elif dice < 0.98:
            self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            self.open(uri)
        else:
            self.check(uri)
        if len(self.pending) > 64:
            self.drain(16)

    def check(self, uri):
        """Asks for the server's text; the reply is compared with ours of now."""
        self.request(
            "postkit/debug/text", {"textDocument": {"uri": uri}}, self.texts[uri].text)

    def finish(self):
        """Compares all texts and ends the session; nothing may be left unanswered."""
        for uri in self.texts:
            self.check(uri)
        self.drain(0)
        self.call("shutdown", None)
        self.notify("exit", None)
        assert self.server.wait() == 0
        try:
            left = self.server.receive(1)
            assert "method" in left, left
        except (Ended, queue.Empty):
            pass


def run(steps, encoding, seed):
    """A session of so many steps; raises where something is wrong. How many edits it made and how
    many replies it got."""
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(Path(folder).resolve(), encoding, seed)
        try:
            for number in range(steps):
                try:
                    fuzz.step()
                except Exception as problem:
                    problem.add_note(f"at step {number} of seed {seed} in {encoding}")
                    raise
            fuzz.finish()
        finally:
            fuzz.server.close()
        return fuzz.edits, fuzz.answered


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    began = time.monotonic()
    for index, name in enumerate(ENCODINGS):
        edits, replies = run(count // 3, name, first + index)
        print(json.dumps({"encoding": name, "steps": count // 3, "edits": edits, "replies": replies,
                          "seconds": round(time.monotonic() - began)}), flush=True)
