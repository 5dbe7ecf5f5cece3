#!/usr/bin/env python3
"""Holds PostKit's speed and memory against yardsticks measured in the same run, on loopback.

    Tests/Benchmarks/run.py [--binary PATH] [--tiny] [--json FILE]

A ratio compares runs that alternate, by their minimum and by their median; the better one counts.
A bar that is missed is measured again up to four times, as the machine may have been busy. Needs
curl, ruff and, for a server as fast as the yardsticks, nginx. See README.md.
"""

import argparse
import contextlib
import functools
import http.server
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import asking
import editing

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POSTKIT_BIN") or str(ROOT / ".build-release/release/postkit")
MEASURE = str(ROOT / ".build-release/release/measure")
ATTEMPTS = 5
SECONDS = 300
MEBIBYTE = 1 << 20
NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off; sendfile on; keepalive_requests 1000000;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{port}; root {folder}/www; default_type application/json; }}
}}
"""


class Bench:
    """The folder and the server of one run, and what was found."""

    def __init__(self, folder, url, small):
        self.folder, self.url, self.small = folder, url, small
        self.passed = self.failed = 0
        self.figures = []
        self.environment = dict(os.environ, POSTKIT_HOME=str(folder / "store"), NO_COLOR="1")

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def place(self, name):
        """A directory for a store of its own."""
        path = self.folder / f"store-{name}"
        path.mkdir(exist_ok=True)
        return path

    def run(self, *command):
        """The seconds that a command takes; it must end well."""
        # Python waits with a timeout by looking now and then, which would round what is measured up
        # to 8, 16, 32 ms and so on; the alarm ends a wait that has none.
        signal.alarm(SECONDS)
        started = time.perf_counter()
        code = subprocess.call(
            command, env=self.environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        taken = time.perf_counter() - started
        signal.alarm(0)
        if code != 0:
            raise RuntimeError(f"{command[0]} ended with {code}")
        return taken

    def ratio(self, what, bar, count, ours, theirs):
        """Compares two ways to take seconds; a bar fails only if every round misses it."""
        quotient, mine, other, kind = self.compare(bar, count, ours, theirs)
        self.judge(
            quotient <= bar, what, f"{mine * 1000:.1f} ms against {other * 1000:.1f} ms ({kind}):"
            f" {quotient:.2f} (bar {bar})", quotient, bar)

    def compare(self, goal, count, ours, theirs):
        """The best quotient of rounds, up to one that reaches the goal, and what it is made of."""
        best = None
        for _ in range(ATTEMPTS):
            pairs = [(ours(), theirs()) for _ in range(count)]
            for kind, pick in (("minimum", min), ("median", statistics.median)):
                mine, other = (pick(times) for times in zip(*pairs, strict=True))
                if best is None or mine / other < best[0]:
                    best = (mine / other, mine, other, kind)
            if best[0] <= goal:
                break
        return best

    def report(self, what, figures, value=None):
        """Prints a figure without a bar."""
        self.figures.append({"name": what, "value": value, "text": figures})
        print(f"{what}: {figures}", flush=True)

    def judge(self, is_good, what, figures, value, bar):
        self.passed += is_good
        self.failed += not is_good
        self.figures.append(
            {"name": what, "value": value, "bar": bar, "passed": bool(is_good), "text": figures})
        print(f"{'' if is_good else 'FAILED: '}{what}: {figures}", flush=True)


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


def memory_of(process, field):
    """A figure of /proc in bytes: `VmRSS` now, `VmHWM` at its highest."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field}")


def one_request(bench):
    source = bench.file("one.http", f"GET {bench.url}/small.json\n")
    bench.ratio(
        # A pair takes 20 ms, so that the small size, too, can have enough to find a quiet moment.
        "one request, history on, against a curl process", 1.6 if bench.small else 1.5, 101,
        lambda: bench.run(PROGRAM, "run", source),
        lambda: bench.run("curl", "-s", f"{bench.url}/small.json"),
    )


def many_requests(bench):
    # Fewer would measure the start of the two programs.
    count = 1000
    blocks = [f"###\nGET {bench.url}/small.json?{index}\n" for index in range(count)]
    source = bench.file("many.http", "\n".join(blocks))
    # Both sides write to /dev/null: files would cost curl more than its requests.
    lines = [f'url = "{bench.url}/small.json?{index}"' for index in range(count)]
    config = bench.file("many.curl", "\n".join(lines))
    bench.ratio(
        f"{count} requests of one file, history on, against curl -K", 1.25, 3 if bench.small else 7,
        lambda: bench.run(PROGRAM, "run", source, "--all"),
        lambda: bench.run("curl", "-s", "-K", config),
    )


def server_start(bench):
    def start(*command):
        started = time.perf_counter()
        with Server(command, bench.environment, bench.folder) as server:
            server.initialize()
            return time.perf_counter() - started

    bench.ratio(
        "server start to the reply to initialize, against ruff server", 2.5,
        5 if bench.small else 31,
        lambda: start(PROGRAM, "lsp"), lambda: start(ruff(), "server"),
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
    with Server([PROGRAM, "lsp"], bench.environment, bench.folder) as server:
        server.initialize()
        server.notify("initialized", {})
        idle = settled(server)
        # A megabyte is a million bytes here, the stricter reading.
        bench.judge(
            idle <= 15e6, "memory of an idle server before the first send",
            f"{idle / 1e6:.1f} MB (bar 15)", idle / 1e6, 15)
        uri = server.open(source)
        # An answer means that what was sent before it has been taken up.
        server.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        opened = settled(server)
        bench.report("the same with a small file open", f"{opened / 1e6:.1f} MB", opened / 1e6)
        arguments = {"uri": uri, "position": {"line": 0, "character": 0}}
        started = time.perf_counter()
        result = server.request(
            "workspace/executeCommand", {"command": "postkit.send", "arguments": [arguments]})
        seconds = time.perf_counter() - started
        if result["state"] != "done" or result["size"] != size:
            raise RuntimeError(f"the large response did not arrive: {result}")
        growth = (server.memory("VmHWM") - opened) / 1e6
        bench.judge(
            growth <= 16, f"memory that a response of {size // MEBIBYTE} MiB adds",
            f"{growth:.1f} MB (bar 16), {size / MEBIBYTE / seconds:.0f} MiB/s", growth, 16)


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
        with Server(command or [PROGRAM, "lsp"], bench.environment, bench.folder) as server:
            server.initialize()
            server.notify("initialized", {})
            yield server

    editing.typing(bench, start, settled, lambda: start(ruff(), "server"))
    editing.beside(bench, start, settled, PROGRAM)


def editor(bench):
    """A server for the questions of an editor."""
    return functools.partial(Server, [PROGRAM, "lsp"], bench.environment)


def names(bench):
    asking.names(bench, editor(bench), settled)


def reading(bench):
    asking.reading(bench, editor(bench))


def completion(bench):
    asking.completion(bench, editor, PROGRAM)


def history(bench):
    """The newest page of a long history, which `run` itself has written."""
    rows = 1000 if bench.small else 100_000
    bench.environment = dict(bench.environment, POSTKIT_HOME=str(bench.folder / "long"))
    text = f"###\nGET {bench.url}/small.json\n"
    source = bench.file("rows.http", text * 1000)
    for _ in range(rows // 1000):
        bench.run(PROGRAM, "run", source, "--all")
    with Server([PROGRAM, "lsp"], bench.environment, bench.folder) as server:
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
        Server([PROGRAM, "lsp"], bench.environment, bench.folder) as writer,
        Server([PROGRAM, "lsp"], bench.environment, bench.folder) as reader,
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


class Work:
    """The program that does one piece of work at a time (measure/Main.swift)."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [MEASURE, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.names = self.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(SECONDS)

    def read(self):
        line = self.process.stdout.readline()
        if not line.startswith((b"[", b"{")):
            raise RuntimeError(f"{MEASURE} ended: {line.decode()}")
        return json.loads(line)

    def once(self, name):
        self.process.stdin.write(name.encode() + b"\n")
        self.process.stdin.flush()
        return self.read()

    def seconds(self, name):
        """A function that does the work and gives its processor time."""
        return lambda: self.once(name)["seconds"]

    def pace(self, name):
        """The same for each byte."""
        def measured():
            figures = self.once(name)
            return figures["seconds"] / figures["bytes"]
        return measured


def parsing(bench):
    """The parser and the lowering, in a process of their own."""
    count = 1000 if bench.small else 10_000
    with Work("requests", count) as work:
        newlines, parse = work.seconds("newlines"), work.seconds("parse")
        bench.ratio(
            f"parsing {count} requests, against counting their newlines with memchr",
            40 if bench.small else 12, 21, parse, newlines)
        best = min(parse() for _ in range(5))
        size = work.once("parse")["bytes"]
        bench.report(
            f"the same, {size / 1e6:.1f} MB", f"{best * 1000:.1f} ms, {size / best / 1e6:.0f} MB/s",
            size / best)
        # Each text is held against the ordinary one beside it, byte for byte.
        slowest = max(
            (bench.compare(3, 3, work.pace(name), work.pace("parse"))[0], name)
            for name in work.names)
        what = f"the slowest of {len(work.names)} hostile texts a byte, against the ordinary one"
        bar = 10 if bench.small else 3
        bench.judge(
            slowest[0] <= bar, what, f"{slowest[0]:.2f} ({slowest[1]}; bar {bar})", slowest[0], bar)
        lower, texts = work.seconds("lower"), work.seconds("texts of lower")
        what = f"lowering {count} requests with five variables each"
        bench.ratio(
            f"{what}, against looking their lines up", 25, 3 if bench.small else 9, lower, texts)
        best = min(lower() for _ in range(5))
        bench.report(what, f"{best * 1000:.0f} ms", best)


def selecting(bench):
    """JSONPath on a large body, whose parser is the yardstick."""
    size = (2 if bench.small else 100) * 1_000_000
    with Work("json", size) as work:
        parse = work.seconds("parse")
        for path in ("$..id", "$.items[*].name", "$.items[?@.x > 5]"):
            bench.ratio(
                f"`{path}` on JSON of {size // 1_000_000} MB, against parsing it", 2, 3,
                work.seconds(path), parse)
        best = min(parse() for _ in range(3))
        bench.report("parsing that JSON", f"{size / best / 1e6:.0f} MB/s", size / best)
        # Two trees are there at the highest: the one that is asked and the one that is made.
        peak = memory_of(work.process, "VmHWM")
        bench.judge(
            peak <= 12 * size + 20e6, "memory of two trees of that JSON, and of what is selected",
            f"{peak / 1e6:.0f} MB (bar {(12 * size + 20e6) / 1e6:.0f})", peak, 12 * size + 20e6)


def storing(bench):
    """The store against the same statements through SQLite from C, and histories of two lengths."""
    short, long = (1_000, 10_000) if bench.small else (10_000, 1_000_000)
    with Work("store", long, bench.place("long")) as work:
        for what, name, bar in (
            ("one insert, a transaction of its own", "insert", 2),
            ("500 inserts in one transaction", "bulk insert", 1.5),
            ("reading an exchange by its id", "read", 1.5),
        ):
            bench.ratio(
                f"{what}, against the same from C", bar, 3 if bench.small else 9,
                work.seconds(name), work.seconds(f"{name} in C"))
        hop = statistics.median(work.seconds("hop")() for _ in range(21))
        bench.report("the way to the store's thread and back", f"{hop * 1e6:.1f} us", hop)
        with Work("store", short, bench.place("short")) as other:
            for name, bar in QUERIES:
                growth(bench, name, bar, work, other, (short, long))


# What is asked of a history, and the milliseconds that 99 of 100 should take at any length.
QUERIES = (
    ("open", 2), ("newest page", 5), ("page of a host", 5), ("page of a status", 5),
    ("page of a request", 5), ("next page", 5), ("word", 50), ("two words", 50),
    ("beginning of words", 50),
)


def growth(bench, name, goal, long, short, lengths):
    """A query must not become slower with the history than its bar says."""
    count = 40 if bench.small else 300

    def slowest(work):
        times = sorted(work.seconds(name)() for _ in range(count))
        return times[count * 99 // 100 - 1]

    quotient, mine, other, _ = bench.compare(2, 1, lambda: slowest(long), lambda: slowest(short))
    # The smallest figures are those of the machine rather than of the query.
    quotient = mine / max(other, 0.0005)
    bar = 5 if bench.small else 2
    bench.judge(
        quotient <= bar, f"{name}, 99 of 100, of {lengths[1]} exchanges against {lengths[0]}",
        f"{mine * 1000:.2f} ms (aim {goal}) against {other * 1000:.2f} ms: {quotient:.2f}"
        f" (bar {bar})", quotient, bar)


@contextlib.contextmanager
def nginx(folder):
    """A web server on a free port of loopback."""
    (folder / "www").mkdir()
    (folder / "www/small.json").write_text('{"id": 1, "name": "Ada", "roles": ["admin"]}\n')
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin") or sys.exit("no nginx")
    process = subprocess.Popen([program, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
    try:
        for _ in range(100):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def fallback(folder):
    """Python's server where nginx is missing: slower, so that the ratios are milder."""
    (folder / "www").mkdir()
    (folder / "www/small.json").write_text('{"id": 1, "name": "Ada", "roles": ["admin"]}\n')

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

    handler = functools.partial(Handler, directory=str(folder / "www"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=PROGRAM, help="the program (POSTKIT_BIN)")
    parser.add_argument("--tiny", action="store_true", help="seconds for each workload")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    options = parser.parse_args()
    PROGRAM = os.path.abspath(options.binary)
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"there is no {PROGRAM}: make the release build or name one with --binary")
    if not os.access(MEASURE, os.X_OK):
        sys.exit(f"there is no {MEASURE}: make the release build")
    has_nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    # nginx runs its worker as another user, who must reach the files.
    with tempfile.TemporaryDirectory(prefix="postkit-bench-") as name:
        os.chmod(name, 0o755)
        with (nginx if has_nginx else fallback)(Path(name)) as url:
            small = options.tiny and os.environ.get("POSTKIT_BENCH") != "1"
            bench = Bench(Path(name), url, small)
            for measure in (
                one_request, many_requests, server_start, memory, typing, names, reading,
                completion, history, notification, parsing, selecting, storing,
            ):
                measure(bench)
    if options.json:
        Path(options.json).write_text(json.dumps(bench.figures, indent=2) + "\n")
    print(f"{bench.passed} passed, {bench.failed} failed")
    sys.exit(1 if bench.failed else 0)


if __name__ == "__main__":
    main()
