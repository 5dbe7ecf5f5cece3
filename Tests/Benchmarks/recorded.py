"""What is made of the history: a description of its services, and a mock that answers alike."""

import contextlib
import http.client
import subprocess
import urllib.parse
from pathlib import Path

from serving import Server
from typist import Typist
from usage import used
from working import Work

# What a description of the history may take, in an export of the same as lines of JSON.
EXPORT = 3
# Megabytes of the program that makes it.
EXPORT_MEMORY = 64
# The processor time of a mock's answers, in that of the example server's.
MOCK = 1.5
# What is asked for: JSON of about 1 KB, which both have ready.
ASKED = "/json"


def exporting(bench):
    count = 5_000 if bench.small else 100_000
    home = bench.place("exported")
    with Work("store", count, home):
        pass
    peaks = []

    def export(form):
        command = [bench.program, "export", "history", "--format", form,
                   "--output", str(bench.folder / f"exported.{form}"), "--force"]
        environment = dict(bench.environment, POSTKIT_HOME=str(home))
        seconds, peak = used(command, environment, bench.folder)
        if form == "openapi":
            peaks.append(peak)
        return seconds

    bench.ratio(
        f"a description of {count} exchanges, against the same as lines of JSON",
        # A short history has as many operations, whose schemas are made all the same.
        bench.bar(EXPORT, small=6), 3, lambda: export("openapi"), lambda: export("jsonl"))
    peak = max(peaks) / 1e6
    bench.judge(
        peak <= EXPORT_MEMORY, "memory that the description takes",
        f"{peak:.1f} MB (bar {EXPORT_MEMORY})", peak, EXPORT_MEMORY)


def mock(bench):
    """Equal answers on one connection each: of the example server, and recorded from it."""
    count = 200 if bench.small else 2_000
    bench.environment = dict(bench.environment, POSTKIT_HOME=str(bench.place("mocked")))
    source = bench.file("mocked.http", f"GET {{{{$exampleServer}}}}{ASKED}\n")
    with Server([bench.program, "lsp"], bench.environment, bench.folder) as server:
        server.initialize()
        Typist(server, source, "http", {"line": 0, "character": 0})
        place = {"uri": Path(source).as_uri(), "position": {"line": 0, "character": 0}}
        server.request(
            "workspace/executeCommand", {"command": "postkit.send", "arguments": [place]})
        [exchange] = server.request("postkit/history", {"limit": 1})["items"]
        command = [bench.program, "mock", "--from", "history"]
        with subprocess.Popen(
            command, env=bench.environment, cwd=bench.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as mocked:
            try:
                with (
                    answers(mocked.stdout.readline().strip(), mocked, count) as ours,
                    answers(exchange["url"], server.process, count) as theirs,
                ):
                    bench.ratio(
                        f"{count} answers of a mock on one connection, against the example server",
                        bench.bar(MOCK), 5, ours, theirs)
            finally:
                mocked.terminate()


@contextlib.contextmanager
def answers(url, process, count):
    """A function that asks a server so often, and gives the processor time it took."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port)

    def ask(number):
        for _ in range(number):
            connection.request("GET", ASKED)
            answer = connection.getresponse()
            if answer.status != 200 or not answer.read():
                raise RuntimeError(f"{url} answered {answer.status}")

    def measured():
        before = processor_seconds(process)
        ask(count)
        return processor_seconds(process) - before

    ask(10)
    yield measured
    connection.close()


def processor_seconds(process):
    """The processor time of the threads that a process has now."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
