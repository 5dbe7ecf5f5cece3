"""Somebody who types into a document of a server, and the figures of such times."""

import json
import time
from pathlib import Path


def asked(server, method, params):
    """The milliseconds from a request until all bytes of its answer are there, and the result.

    To read megabytes of JSON takes Python longer than it took to make them."""
    server.identifier += 1
    started = time.perf_counter()
    server.write({"id": server.identifier, "method": method, "params": params})
    while True:
        length = 0
        while (line := server.process.stdout.readline()) != b"\r\n":
            if not line:
                raise RuntimeError("the server ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = server.process.stdout.read(length)
        taken = (time.perf_counter() - started) * 1000
        message = json.loads(body)
        if "method" in message or message.get("id") != server.identifier:
            server.take(message)
        elif "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        else:
            return taken, message["result"]


class Typist:
    """Types into the middle of a document, one letter after the other."""

    def __init__(self, server, path, language, place):
        self.server, self.place, self.version = server, dict(place), 1
        self.uri = Path(path).as_uri()
        self.document = {"textDocument": {"uri": self.uri}}
        self.seen = None
        server.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri, "languageId": language, "version": 1,
            "text": Path(path).read_text(encoding="utf-8"),
        }})

    def key(self):
        self.version += 1
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [
                {"range": {"start": self.place, "end": self.place}, "text": "x"}],
        })
        self.place["character"] += 1

    def diagnostics(self):
        known = {"previousResultId": self.seen} if self.seen else {}
        report = self.server.request("textDocument/diagnostic", {**self.document, **known})
        self.seen = report.get("resultId")
        return report

    def times(self, count, ask=None):
        """The milliseconds from a key to the answer of what is asked after it, sorted."""
        found = []
        for _ in range(count):
            started = time.perf_counter()
            self.key()
            (ask or self.diagnostics)()
            found.append((time.perf_counter() - started) * 1000)
        return sorted(found)

    def at_caret(self, method):
        return lambda: self.server.request(
            f"textDocument/{method}", {**self.document, "position": self.place})

    def on_screen(self, method):
        first, last = (
            {"line": self.place["line"] + lines, "character": 0} for lines in (-30, 30))
        return lambda: self.server.request(
            f"textDocument/{method}", {**self.document, "range": {"start": first, "end": last}})


def share(times, part):
    return times[min(len(times) - 1, len(times) * part // 100)]


def shares(times):
    return {f"p{part}": share(times, part) for part in (50, 95, 99)}


def words(figures):
    return ", ".join(f"{name} {value:.2f} ms" for name, value in figures.items())
