#!/usr/bin/env python3
"""Compares two programs in the same run: starts, sends, and keys in 10,000 requests.

    Tests/Benchmarks/compare.py BEFORE AFTER [--rounds N]

The programs alternate. Each line says the medians of AFTER and BEFORE, their ratio, that of the
fastest rounds and that of the processor time of all.
"""

import argparse
import contextlib
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

import editing
import serving
import web
from bench import Bench
from typist import Typist


def children():
    """The seconds of processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def server_time(server):
    """The seconds of processor time of a server that runs."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compare(what, rounds, ways, clocks):
    """Prints how long two ways take that alternate, each with the clock of its processor time."""
    taken, used = ([], []), [0.0, 0.0]
    for _ in range(rounds):
        for index, way in enumerate(ways):
            started, began = clocks[index](), time.perf_counter()
            way()
            taken[index].append((time.perf_counter() - began) * 1000)
            used[index] += clocks[index]() - started
    old, new = map(statistics.median, taken)
    least = min(taken[1]) / min(taken[0])
    processor = f", processor time {used[1] / used[0]:.3f}" if used[0] else ""
    print(f"{what}: {new:.2f} ms against {old:.2f} ms: {new / old:.3f}, the fastest {least:.3f}"
          + processor, flush=True)


def programs(benches, rounds):
    """A start, sends and a server's start."""
    def runs(*words):
        return [lambda bench=bench: bench.run(bench.program, *words) for bench in benches]

    for bench in benches:
        bench.file("one.http", f"GET {bench.url}/small.json\n")
        bench.file("many.http", "".join(
            f"###\nGET {bench.url}/small.json?{index}\n" for index in range(1000)))
    clocks = [children, children]
    compare("start", rounds, runs("version"), clocks)
    compare("one request", rounds, runs("run", "one.http"), clocks)
    compare("1,000 requests", rounds // 20, runs("run", "many.http", "--all"), clocks)
    starts = [lambda bench=bench: serving.start(bench, bench.program, "lsp") for bench in benches]
    compare("start of the server", rounds // 3, starts, clocks)


def keys(benches, rounds):
    """Opening 10,000 requests, then a key until an answer."""
    text = editing.requests(10_000)
    with contextlib.ExitStack() as stack:
        servers = []
        for bench in benches:
            servers.append(stack.enter_context(serving.Server(
                [bench.program, "lsp"], bench.environment, bench.folder)))
            servers[-1].initialize()
            servers[-1].notify("initialized", {})
        clocks = [lambda server=server: server_time(server) for server in servers]

        def opening(index):
            source = benches[index].file("typing.http", text)
            typist = Typist(
                servers[index], source, "http", editing.place_in(text, "GET "))
            typist.diagnostics()
            return typist

        def visit(index):
            servers[index].notify("textDocument/didClose", opening(index).document)

        compare("opening 10,000 requests", max(3, rounds // 20), [
            lambda index=index: visit(index) for index in (0, 1)], clocks)
        typists = [opening(index) for index in (0, 1)]
        questions = [("diagnostics", lambda typist: typist.diagnostics)]
        questions += [
            (method, lambda typist, method=method: typist.at_caret(method))
            for method in ("completion", "hover", "definition", "documentHighlight")]
        questions.append(("inlayHint", lambda typist: typist.on_screen("inlayHint")))
        for what, question in questions:
            ways = [
                lambda typist=typist, ask=ask: (typist.key(), ask())
                for typist, ask in zip(typists, map(question, typists), strict=True)]
            compare(f"a key until {what}", rounds, ways, clocks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--rounds", type=int, default=301)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="postkit-bench-") as name:
        os.chmod(name, 0o755)
        with web.serve(Path(name)) as url:
            benches = []
            for index, program in enumerate((options.before, options.after)):
                folder = Path(name) / str(index)
                folder.mkdir()
                benches.append(Bench(folder, url, os.path.abspath(program), False))
            programs(benches, options.rounds)
            keys(benches, options.rounds)


if __name__ == "__main__":
    main()
