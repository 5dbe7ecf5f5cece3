"""What was measured, held against bars; and what every room measures with."""

import os
import signal
import statistics
import subprocess
import time
from pathlib import Path

ATTEMPTS = 5
SECONDS = 300
# What a bar is multiplied by in the small size. Few rounds beside other work, another disk and a
# slower server move a ratio by a few tenths; what became many times slower is still found.
SLACK = 1.5


class Bench:
    """The folder and the server of one run, and what was found."""

    def __init__(self, folder, url, program, small):
        self.folder, self.url, self.program, self.small = folder, url, program, small
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

    def bar(self, real, small=0):
        """What a ratio may be at most: the promise, or in the small size that and a slack.

        `small` is for work whose small size is made of other things, so that it needs still more.
        """
        return max(small, real * SLACK) if self.small else real

    def ratio(self, what, bar, count, ours, theirs):
        """Compares two ways to take seconds; a bar is missed only if every round misses it."""
        quotient, mine, other, kind = self.compare(bar, count, ours, theirs)
        self.judge(
            quotient <= bar, what, f"{mine * 1000:.1f} ms against {other * 1000:.1f} ms ({kind}):"
            f" {quotient:.2f} (bar {bar:g})", quotient, bar)

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

    def good(self, is_good, measure):
        """The first of some measurements that is good, else the last: memory that was freed is not
        given back yet where other work holds up who does that."""
        for _ in range(ATTEMPTS):
            if is_good(found := measure()):
                break
        return found

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


def memory_of(process, field):
    """A figure of /proc in bytes: `VmRSS` now, `VmHWM` at its highest."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"no {field}")
