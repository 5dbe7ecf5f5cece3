"""Parsing and selecting, each a piece of work in a process of its own."""

import json
import subprocess
from pathlib import Path

from bench import SECONDS, memory_of

MEASURE = str(Path(__file__).resolve().parents[2] / ".build-release/release/measure")


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
            bench.bar(12, small=40), 21, parse, newlines)
        best = min(parse() for _ in range(5))
        size = work.once("parse")["bytes"]
        bench.report(
            f"the same, {size / 1e6:.1f} MB", f"{best * 1000:.1f} ms, {size / best / 1e6:.0f} MB/s",
            size / best)
        bar = bench.bar(3, small=10)
        # Each text is held against the ordinary one beside it, byte for byte.
        slowest = max(
            (bench.compare(bar, 3, work.pace(name), work.pace("parse"))[0], name)
            for name in work.names)
        what = f"the slowest of {len(work.names)} hostile texts a byte, against the ordinary one"
        bench.judge(
            slowest[0] <= bar, what, f"{slowest[0]:.2f} ({slowest[1]}; bar {bar:g})",
            slowest[0], bar)
        lower, texts = work.seconds("lower"), work.seconds("texts of lower")
        what = f"lowering {count} requests with five variables each"
        bench.ratio(
            f"{what}, against looking their lines up", bench.bar(25), 3 if bench.small else 9,
            lower, texts)
        best = min(lower() for _ in range(5))
        bench.report(what, f"{best * 1000:.0f} ms", best)


def checking(bench):
    """A response of 1 MB against the schema of a description, whose parser is the yardstick."""
    with Work("schema", 1_000_000) as work:
        bench.ratio(
            "a check of JSON of 1 MB against a schema of 200 parts, against parsing it",
            bench.bar(3), 9, work.seconds("check"), work.seconds("parse"))


def selecting(bench):
    """JSONPath on a large body, whose parser is the yardstick."""
    size = (2 if bench.small else 100) * 1_000_000
    with Work("json", size) as work:
        parse = work.seconds("parse")
        for path in ("$..id", "$.items[*].name", "$.items[?@.x > 5]"):
            bench.ratio(
                f"`{path}` on JSON of {size // 1_000_000} MB, against parsing it", bench.bar(2),
                3, work.seconds(path), parse)
        best = min(parse() for _ in range(3))
        bench.report("parsing that JSON", f"{size / best / 1e6:.0f} MB/s", size / best)
        # Two trees are there at the highest: the one that is asked and the one that is made.
        peak = memory_of(work.process, "VmHWM")
        bench.judge(
            peak <= 12 * size + 20e6, "memory of two trees of that JSON, and of what is selected",
            f"{peak / 1e6:.0f} MB (bar {(12 * size + 20e6) / 1e6:.0f})", peak, 12 * size + 20e6)
