"""What somebody who types into 10,000 requests waits for: alone, beside sends, beside writers."""

import json
import socket
import subprocess
import threading
import time
from pathlib import Path

from bench import memory_of

# A keystroke may take at most this part of what ruff takes to lint a file of that size anew.
KEYSTROKE = 0.2
# A small file is checked so fast by both that the ways of the messages are most of it.
SMALL_KEYSTROKE = 2
# Megabytes of the server with the large file open.
OPEN = 45
# The same after a burst of work that made as much again of text and answers.
AFTER_BURST = 60
# Megabytes of the server with a small file, a moment after a send.
AFTER_SEND = 20


def requests(count):
    """A file as people write them: names, variables, bodies, responses that are read."""
    blocks = ["@host = http://127.0.0.1:1\n@token = abc\n"]
    for index in range(count):
        head = f"### Request number {index} of the collection\n# @name request{index}\n"
        kind = index % 5
        if index % 50 == 3:
            rest = f"DELETE {{{{host}}}}/items/{{{{request{index - 1}.response.body.$.id}}}}\n"
        elif kind in (0, 4):
            rest = (
                f"GET {{{{host}}}}/search?q=some%20words&page={index}\n"
                "Accept: application/json\nAuthorization: Bearer {{token}}\n"
            )
        else:
            rest = (
                f"POST {{{{host}}}}/items/{index}\nContent-Type: application/json\n"
                "X-Request-Id: {{$uuid}}\n\n"
                f'{{"id": {index}, "price": 12.5, "tags": ["alpha", "beta"], '
                f'"note": "{"n" * 40}"}}\n'
            )
        blocks.append(head + rest)
    return "\n".join(blocks)


def python(size):
    """A file of so many bytes for ruff, whose rules find nothing to say about it."""
    parts, written, index = [], 0, 0
    while written < size:
        part = (
            f'def function{index}(first, second):\n    """Adds things of number {index}."""\n'
            f"    total = first + second * {index}\n    for item in range(total):\n"
            "        total += item\n    return total\n\n\n"
        )
        parts.append(part)
        written += len(part)
        index += 1
    return "".join(parts)


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


def place_in(text, start):
    """The end of the line in the middle of a text that begins so."""
    lines = text.split("\n")
    found = [number for number, line in enumerate(lines) if line.startswith(start)]
    number = found[len(found) // 2]
    return {"line": number, "character": len(lines[number])}


def typing(bench, start, settled, yardstick):
    """Rows of one person's typing; `start` makes a server of ours, `yardstick` ruff's."""
    count = 500 if bench.small else 10_000
    keys = 20 if bench.small else 200
    text = requests(count)
    source = bench.file("typing.http", text)
    other = python(len(text))
    peer = bench.file("typing.py", other)
    size = len(text) / 1e6
    with start() as server, yardstick() as ruff:
        started = time.perf_counter()
        typist = Typist(server, source, "http", place_in(text, "GET "))
        typist.diagnostics()
        opening = (time.perf_counter() - started) * 1000
        what = f"opening {count} requests ({size:.1f} MB) until all their diagnostics"
        bench.report(what, f"{opening:.0f} ms", opening)
        linter = Typist(ruff, peer, "python", place_in(other, "    total = "))
        linter.diagnostics()
        typist.times(5)
        linter.times(5)
        bar = bench.bar(KEYSTROKE, small=SMALL_KEYSTROKE)
        quotient, mine, its, _ = bench.compare(
            bar, 1, lambda: share(typist.times(keys), 99),
            lambda: share(linter.times(keys // 4), 99))
        bench.judge(
            quotient <= bar, f"a key in {count} requests until fresh diagnostics, 99 of 100,"
            " against ruff on as much Python",
            f"{mine:.2f} ms against {its:.2f} ms: {quotient:.2f} (bar {bar:g})", quotient, bar)
        rows = [
            ("diagnostics", None), ("completion", typist.at_caret("completion")),
            ("a hover", typist.at_caret("hover")),
        ]
        # These are the first to need the names of the workspace.
        more = [
            ("a definition", typist.at_caret("definition")),
            ("the highlights", typist.at_caret("documentHighlight")),
            ("the hints of a screen", typist.on_screen("inlayHint")),
        ]

        def report(rows):
            for what, ask in rows:
                figures = shares(typist.times(keys, ask))
                bench.report(f"a key in {count} requests until {what}", words(figures), figures)

        report(rows)
        resident = settled(server) / 1e6
        bench.judge(
            resident <= OPEN, f"memory with {count} requests open and edited",
            f"{resident:.1f} MB (bar {OPEN})", resident, OPEN)
        report(more)
        figures = shares(sorted(outlines(server, typist, max(5, keys // 10))))
        bench.report(f"a key in {count} requests until all symbols", words(figures), figures)
        figures = shares(cancels(server, typist, keys))
        bench.report("a cancel until its reply", words(figures), figures)
        # What a burst has used is given back once nobody asks for anything.
        time.sleep(2)
        resident = settled(server) / 1e6
        bench.judge(
            resident <= AFTER_BURST,
            "memory after all symbols and cancels as fast as they can be sent",
            f"{resident:.1f} MB (bar {AFTER_BURST})", resident, AFTER_BURST)
    with start() as server:
        small = bench.file("small.http", requests(100))
        typist = Typist(server, small, "http", place_in(requests(100), "GET "))
        typist.times(20)
        figures = shares(typist.times(keys))
        bench.report("a key in 100 requests until fresh diagnostics", words(figures), figures)


def outlines(server, typist, count):
    """The milliseconds from a key to the last byte of all symbols."""
    for _ in range(count):
        started = time.perf_counter()
        typist.key()
        typed = (time.perf_counter() - started) * 1000
        yield typed + asked(server, "textDocument/documentSymbol", typist.document)[0]


def cancels(server, typist, count):
    """The milliseconds from a cancel to the reply of the request that it is about."""
    found = []
    for _ in range(count):
        typist.key()
        server.identifier += 1
        mine = server.identifier
        server.write({
            "id": mine, "method": "textDocument/documentSymbol", "params": typist.document})
        started = time.perf_counter()
        server.notify("$/cancelRequest", {"id": mine})
        server.pending = {mine}
        server.drain()
        found.append((time.perf_counter() - started) * 1000)
    return sorted(found)


def beside(bench, start, settled, program):
    """The same while requests are on their way, and while another process writes the history."""
    count = 500 if bench.small else 10_000
    keys = 20 if bench.small else 200
    text = requests(count)
    source = bench.file("typing.http", text)
    many = bench.file("sends.http", "".join(
        f"### s{n}\nGET {bench.url}/small.json?{n}\n\n" for n in range(100)))
    with start() as server:
        typist = Typist(server, source, "http", place_in(text, "GET "))
        sender = Typist(server, many, "http", {"line": 0, "character": 0})
        typist.diagnostics()
        send(server, sender, 0)
        times, rounds = [], 5
        for _ in range(rounds):
            server.pending = {send(server, sender, n, waits=False) for n in range(100)}
            times += typist.times(keys // rounds)
            server.drain()
        figures = shares(sorted(times))
        bench.report(
            f"a key in {count} requests until fresh diagnostics, beside 100 sends",
            words(figures), figures)
        writer = subprocess.Popen(
            ["sh", "-c", 'while "$0" run "$1" --all; do :; done', program, many],
            env=bench.environment, cwd=bench.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            figures = shares(typist.times(keys))
        finally:
            # The program that the shell runs ends by itself.
            writer.kill()
            writer.wait()
        bench.report(
            f"a key in {count} requests until fresh diagnostics, beside a process that writes",
            words(figures), figures)
    sending(bench, start, settled, many)


def sending(bench, start, settled, many):
    """What a send costs beside its own time, how soon it is stopped, and what it leaves."""
    count = 20 if bench.small else 200
    with start() as server:
        sender = Typist(server, many, "http", {"line": 0, "character": 0})
        send(server, sender, 0)
        times = {"ours": [], "a socket": []}
        for number in range(count):
            started = time.perf_counter()
            send(server, sender, number % 100)
            times["ours"].append((time.perf_counter() - started) * 1000)
            times["a socket"].append(raw_exchange(bench.url, number))
        ours, bare = (share(sorted(taken), 50) for taken in times.values())
        bench.report(
            "a send against the same through a bare socket",
            f"p50 {ours:.2f} ms against {bare:.2f} ms", ours - bare)
        figures = shares(sorted(closings(bench, server, count)))
        bench.report("a cancel of a send until its socket is closed", words(figures), figures)
    seconds = 1 if bench.small else 5
    resident, own, rested, wakes = bench.good(
        lambda it: it[0] <= AFTER_SEND and it[3] <= 1, lambda: rests(start, settled, many, seconds))
    # What a wait for the network leaves may end in between.
    bench.judge(
        wakes <= 1, "threads of an idle server that are woken, after the first send",
        f"{wakes} in {seconds} s (bar 1)", wakes, 1)
    bench.judge(
        resident <= AFTER_SEND, "memory of a server after a send, a hover and a key",
        f"{resident:.1f} MB (bar {AFTER_SEND}), {own:.1f} MB of it its own,"
        f" {rested:.1f} MB at rest", resident, AFTER_SEND)


def rests(start, settled, many, seconds):
    """A server that has sent: its megabytes, its own, those at rest, and how often it was woken."""
    with start() as server:
        sender = Typist(server, many, "http", {"line": 0, "character": 0})
        send(server, sender, 0)
        # Once a second has passed without work, what is free is given back, and code that is not
        # called again is let go.
        time.sleep(2)
        rested = settled(server) / 1e6
        # What somebody calls who reads on and types is there again.
        sender.at_caret("hover")()
        sender.times(1)
        resident = settled(server) / 1e6
        own = memory_of(server.process, "RssAnon") / 1e6
        # Once more what is free is given back, then there is nothing left to do.
        time.sleep(3)
        before = wakeups(server)
        time.sleep(seconds)
        # A thread that has ended had nothing to do.
        wakes = sum(count - before.get(task, 0) for task, count in wakeups(server).items())
        return resident, own, rested, wakes


def raw_exchange(url, number):
    """The milliseconds of the same request through a socket of Python's."""
    host, port = url.removeprefix("http://").split(":")
    started = time.perf_counter()
    with socket.create_connection((host, int(port))) as connection:
        head = f"GET /small.json?{number} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        while connection.recv(65536):
            pass
    return (time.perf_counter() - started) * 1000


def closings(bench, server, count):
    """The milliseconds from a cancel of a send until the other side sees the end of it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        path = bench.file("silent.http", f"GET http://127.0.0.1:{listener.getsockname()[1]}/\n")
        sender = Typist(server, path, "http", {"line": 0, "character": 0})
        for _ in range(count):
            number = send(server, sender, 0, waits=False)
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                ended = []
                # The end is seen while this thread waits for it, not when it looks for it.
                watcher = threading.Thread(
                    target=lambda peer=connection, ended=ended: (
                        peer.recv(1), ended.append(time.perf_counter())))
                watcher.start()
                started = time.perf_counter()
                server.notify("$/cancelRequest", {"id": number})
                watcher.join(10)
                server.pending = {number}
                server.drain()
                yield (ended[0] - started) * 1000


def wakeups(server):
    """How often each thread of the server has waited for something, which then woke it."""
    tasks = Path(f"/proc/{server.process.pid}/task").iterdir()
    texts = {task.name: (task / "status").read_text() for task in tasks}
    return {
        task: int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])
        for task, text in texts.items()
    }


def send(server, sender, number, waits=True):
    """Sends one request of the file of many; the id where nobody waits for it."""
    arguments = {"uri": sender.uri, "position": {"line": 3 * number, "character": 0}}
    parameters = {"command": "postkit.send", "arguments": [arguments]}
    if waits:
        return server.request("workspace/executeCommand", parameters)
    server.identifier += 1
    server.write({
        "id": server.identifier, "method": "workspace/executeCommand", "params": parameters})
    return server.identifier
