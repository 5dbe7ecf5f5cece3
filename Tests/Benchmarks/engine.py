"""The process of the script engine: spoken to directly, and found among those of a program."""

import contextlib
import ctypes
import json
import struct
import subprocess
import time
from pathlib import Path


class Engine:
    """The engine's process, spoken to directly: frames of lengths and JSON."""

    def __init__(self, bench):
        version = subprocess.check_output([bench.program, "version"], text=True).split()[-1]
        self.process = subprocess.Popen(
            [bench.program, "__script-host"], env={"LANG": "C.UTF-8", "JSC_useJIT": "0"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        limits = {"ms": 10_000, "rss": 256 << 20, "output": 256 << 10}
        self.ask({"kind": "hello", "version": version, "limits": limits}, "ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)

    def ask(self, message, kind):
        text = json.dumps(message).encode()
        self.process.stdin.write(struct.pack("<II", 4 + len(text), len(text)) + text)
        self.process.stdin.flush()
        total, length = struct.unpack("<II", self.process.stdout.read(8))
        answer = json.loads(self.process.stdout.read(total - 4)[:length])
        if answer["kind"] != kind:
            raise RuntimeError(f"the engine answers {answer}")
        return answer

    def check(self, text):
        """The milliseconds of a check that finds nothing."""
        items = [{"key": "a", "text": text, "kind": "script"}]
        started = time.perf_counter()
        answer = self.ask({"kind": "check", "id": 1, "items": items}, "checked")
        taken = (time.perf_counter() - started) * 1000
        if any("error" in item for item in answer["items"]):
            raise RuntimeError(f"the engine finds {answer}")
        return taken


def children(process):
    """The processes that a process has started and that go on, and what each was called with."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            # One that ends meanwhile goes on no more.
            with contextlib.suppress(FileNotFoundError):
                parts = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
                found.append((int(child), b" ".join(parts).decode().strip()))
    return found


def has_library(process):
    return "javascriptcore" in Path(f"/proc/{process}/maps").read_text().lower()


def adopt():
    """Makes processes whose parents end children of this one, so that their time can be had."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def memory(process, field):
    """The MiB of a process that /proc tells."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {field}")
