"""The language server as a process: its start, its memory, and what it answers."""

import contextlib
import functools
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import asking
import describing as descriptions
import editing
import opening
from bench import memory_of

MEBIBYTE = 1 << 20


class Server:
    """A language server that is spoken to just as far as measuring needs."""

    def __init__(self, command, environment, folder):
        self.identifier = 0
        # The ids of requests that nobody waits for and that have no answer yet.
        self.pending = set()
        self.folder = folder
        self.process = subprocess.Popen(
            command, env=environment, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.write({"method": method, "params": params})

    def request(self, method, params):
        """The result; what the server asks meanwhile is answered with null."""
        self.identifier += 1
        self.write({"id": self.identifier, "method": method, "params": params})
        while True:
            message = self.read()
            if "method" not in message and message.get("id") == self.identifier:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.take(message)

    def take(self, message):
        """Answers what the server asks, and notes the answers that nobody waits for."""
        if "method" not in message:
            self.pending.discard(message.get("id"))
        elif "id" in message:
            self.write({"id": message["id"], "result": None})

    def drain(self):
        """Reads until nothing is pending."""
        while self.pending:
            self.take(self.read())

    def read(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise RuntimeError("the server ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def initialize(self, document=None, workspace=None, **abilities):
        self.request("initialize", {
            "processId": os.getpid(), "rootUri": self.folder.as_uri(),
            # It pulls diagnostics; else they would be pushed as well, and be made twice.
            "capabilities": {
                "textDocument": {"diagnostic": {}, **(document or {})},
                "workspace": workspace or {},
                **({"experimental": {"postkit": {"version": 1, **abilities}}} if abilities else {}),
            },
            "workspaceFolders": [{"uri": self.folder.as_uri(), "name": "bench"}],
            "initializationOptions": {"postkit": {"trusted": True}},
        })

    def open(self, path):
        uri = Path(path).as_uri()
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1, "text": Path(path).read_text(),
        }})
        return uri

    def memory(self, field):
        return memory_of(self.process, field)


def start(bench, *command):
    """The seconds from the start of a server to its reply to `initialize`."""
    started = time.perf_counter()
    with Server(command, bench.environment, bench.folder) as server:
        server.initialize()
        return time.perf_counter() - started


def server_start(bench):
    bench.ratio(
        "server start to the reply to initialize, against ruff server", bench.bar(2),
        5 if bench.small else 31,
        lambda: start(bench, bench.program, "lsp"), lambda: start(bench, ruff(), "server"),
    )


def ruff():
    """The program itself, not a launcher in its place."""
    path = shutil.which("ruff")
    if path is None:
        sys.exit("ruff is needed as yardstick: pip install ruff")
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            sys.exit(f"{path} is a launcher, which would be measured too; put ruff itself on PATH")
    return path


def memory(bench):
    size = (32 if bench.small else 1024) * MEBIBYTE
    with open(bench.folder / "www/large.bin", "wb") as file:
        file.truncate(size)
    source = bench.file("large.http", f"GET {bench.url}/large.bin\n")
    idle, opened, growth, seconds = bench.good(
        lambda it: it[0] <= 15e6 and it[2] <= 16, lambda: with_a_large_one(bench, source, size))
    # A megabyte is a million bytes here, the stricter reading.
    bench.judge(
        idle <= 15e6, "memory of an idle server before the first send",
        f"{idle / 1e6:.1f} MB (bar 15)", idle / 1e6, 15)
    bench.report("the same with a small file open", f"{opened / 1e6:.1f} MB", opened / 1e6)
    bench.judge(
        growth <= 16, f"memory that a response of {size // MEBIBYTE} MiB adds",
        f"{growth:.1f} MB (bar 16), {size / MEBIBYTE / seconds:.0f} MiB/s", growth, 16)


def with_a_large_one(bench, source, size):
    """The memory of a server: idle, with a file open, the growth with its response, its seconds."""
    with Server([bench.program, "lsp"], bench.environment, bench.folder) as server:
        server.initialize()
        server.notify("initialized", {})
        idle = settled(server)
        uri = server.open(source)
        # An answer means that what was sent before it has been taken up.
        server.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        opened = settled(server)
        arguments = {"uri": uri, "position": {"line": 0, "character": 0}}
        started = time.perf_counter()
        result = server.request(
            "workspace/executeCommand", {"command": "postkit.send", "arguments": [arguments]})
        seconds = time.perf_counter() - started
        if result["state"] != "done" or result["size"] != size:
            raise RuntimeError(f"the large response did not arrive: {result}")
        return idle, opened, (server.memory("VmHWM") - opened) / 1e6, seconds


def settled(server):
    """The resident memory once it has stopped changing."""
    before = server.memory("VmRSS")
    for _ in range(50):
        time.sleep(0.1)
        now = server.memory("VmRSS")
        if now == before:
            return now
        before = now
    return before


def typing(bench):
    """Edits of a large file, alone and beside other work."""
    @contextlib.contextmanager
    def start(*command):
        with Server(command or [bench.program, "lsp"], bench.environment, bench.folder) as server:
            server.initialize()
            server.notify("initialized", {})
            yield server

    editing.typing(bench, start, settled, lambda: start(ruff(), "server"))
    opening.opening(bench, start, lambda: start(ruff(), "server"))
    editing.beside(bench, start, settled, bench.program)


def editor(bench):
    """A server for the questions of an editor."""
    return functools.partial(Server, [bench.program, "lsp"], bench.environment)


def names(bench):
    asking.names(bench, editor(bench), settled)


def reading(bench):
    asking.reading(bench, editor(bench))


def remembering(bench):
    asking.remembering(bench, editor)


def completion(bench):
    asking.completion(bench, editor, bench.program)


def describing(bench):
    descriptions.describing(bench, editor(bench))


def history(bench):
    """The newest page of a long history, which `run` itself has written."""
    rows = 1000 if bench.small else 100_000
    bench.environment = dict(bench.environment, POSTKIT_HOME=str(bench.folder / "long"))
    text = f"###\nGET {bench.url}/small.json\n"
    source = bench.file("rows.http", text * 1000)
    for _ in range(rows // 1000):
        bench.run(bench.program, "run", source, "--all")
    with Server([bench.program, "lsp"], bench.environment, bench.folder) as server:
        server.initialize()
        server.notify("initialized", {})
        times = []
        for _ in range(20):
            started = time.perf_counter()
            result = server.request("postkit/history", {"limit": 50})
            times.append((time.perf_counter() - started) * 1000)
        found = max((len(value) for value in result.values() if isinstance(value, list)), default=0)
        if found != 50:
            raise RuntimeError(f"a page of 50 exchanges has {found}")
        middle = statistics.median(times[1:])
        bench.report(
            f"the newest 50 of {rows} exchanges", f"{middle:.2f} ms, at first {times[0]:.2f} ms",
            middle)


def notification(bench):
    """A commit that one server makes, until another one on the same store tells of it."""
    bench.file("http-client.env.json", '{"dev": {}, "prod": {}}')
    bench.environment = dict(bench.environment, POSTKIT_HOME=str(bench.folder / "shared"))
    command = "workspace/executeCommand"
    choices = [
        {"command": "postkit.selectEnvironment", "arguments": [{"name": name}]}
        for name in ("dev", "prod")
    ]
    with (
        Server([bench.program, "lsp"], bench.environment, bench.folder) as writer,
        Server([bench.program, "lsp"], bench.environment, bench.folder) as reader,
    ):
        for server in (writer, reader):
            server.initialize(storeEvents=True)
            server.notify("initialized", {})
            # A server hears of changes from when its store is open.
            server.request(command, choices[1])
        times = []
        for turn in range(10 if bench.small else 200):
            # The first change of a moment is told at once, later ones four times a second.
            time.sleep(0.3)
            started = time.perf_counter()
            writer.request(command, choices[turn % 2])
            revision = writer.request("postkit/history", {"limit": 1})["revision"]
            known = 0
            while known < revision:
                message = reader.read()
                if message.get("method") == "postkit/didChangeStore":
                    known = message["params"]["revision"]
            times.append((time.perf_counter() - started) * 1000)
    times.sort()
    shares = {f"p{n}": times[min(len(times) - 1, len(times) * n // 100)] for n in (50, 99)}
    what = "a commit in one server until another tells of it"
    text = ", ".join(f"{name} {value:.2f} ms" for name, value in shares.items())
    # Milliseconds depend on what else the machine does, which only the one who measures knows.
    if bench.small:
        bench.report(what, text, shares)
    else:
        bench.judge(shares["p99"] <= 100, what, f"{text} (bar 100)", shares, 100)
