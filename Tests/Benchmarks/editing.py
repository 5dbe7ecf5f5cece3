"""What somebody who types into 10,000 requests waits for: alone, beside sends, beside writers."""

import subprocess
import time

from sending import send, sending
from typist import Typist, asked, share, shares, words

# A keystroke may take at most this part of what ruff takes to lint a file of that size anew.
KEYSTROKE = 0.2
# A small file is checked so fast by both that the ways of the messages are most of it.
SMALL_KEYSTROKE = 2
# Megabytes of the server with the large file open.
OPEN = 45
# The same after a burst of work that made as much again of text and answers.
AFTER_BURST = 60


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
