"""Starts an editor on a copy of the fixtures, in a terminal of its own, and judges its results."""

import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from pathlib import Path

EDITORS = Path(__file__).resolve().parent
SCENARIO = re.compile(r"^\| (E\d+) \|", re.MULTILINE)
RESULT = re.compile(r"^(ok|not ok) (E\d+) (.*)$")


def program():
    """The `postkit` under test."""
    default = EDITORS.parent / ".build" / "debug" / "postkit"
    path = Path(os.environ.get("POSTKIT_BIN") or default).resolve()
    if not path.exists():
        sys.exit(f"there is no {path}: run `swift build --product postkit` or set POSTKIT_BIN")
    return path


def same_syntax():
    """Fails unless both plugins, which are installed apart, carry the same syntax files."""
    vim, neovim = (
        {path.name: path.read_bytes() for path in (EDITORS / name / "syntax").iterdir()}
        for name in ("vim", "neovim")
    )
    different = sorted(n for n in vim.keys() | neovim.keys() if vim.get(n) != neovim.get(n))
    for name in different:
        print(f"not ok vim/syntax/{name} and neovim/syntax/{name} differ; copy the changed one")
    return (0, len(different)) if different else (1, 0)


def missing(editor):
    """Ends the run because an editor is not installed: loudly, and badly where all are required."""
    required = os.environ.get("POSTKIT_REQUIRE_ALL") == "1"
    print(f"{'FAILED' if required else 'SKIPPED'}: {editor} is not installed")
    print(f"0 passed, {1 if required else 0} failed")
    sys.exit(1 if required else 0)


def run(name, command, seconds):
    """Runs one editor; answers how many scenarios passed and the sentences of those that failed."""
    with tempfile.TemporaryDirectory(prefix="postkit-editor-") as folder:
        home = Path(folder)
        work = home / "work"
        shutil.copytree(EDITORS / "fixtures", work)
        results = home / "results"
        environment = dict(
            os.environ,
            HOME=folder,
            XDG_CONFIG_HOME=str(home / "config"),
            XDG_DATA_HOME=str(home / "data"),
            XDG_STATE_HOME=str(home / "state"),
            XDG_CACHE_HOME=str(home / "cache"),
            POSTKIT_HOME=str(home / "store"),
            POSTKIT_BIN=str(program()),
            POSTKIT_RESULTS=str(results),
            POSTKIT_WORK=str(work),
            LC_ALL="C.UTF-8",
            NO_COLOR="1",
        )
        environment.pop("VIMINIT", None)
        started = time.monotonic()
        output, ended = in_terminal(command, work, environment, seconds)
        lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
        left = processes(home)
    return judge(name, lines, ended, output, left, time.monotonic() - started)


def in_terminal(command, folder, environment, seconds):
    """Runs a command in a pseudo terminal of 120 by 40; answers its output and its exit code."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=follower, stdout=follower, stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    output = bytearray()

    def drain():
        try:
            while chunk := os.read(leader, 65536):
                output.extend(chunk)
        except OSError:
            pass

    reader = threading.Thread(target=drain, daemon=True)
    reader.start()
    try:
        ended = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        ended = None
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    reader.join(timeout=2)
    os.close(leader)
    return output.decode("utf-8", "replace"), ended


def processes(home):
    """The servers this run left behind: those whose environment names its store."""
    deadline = time.monotonic() + 3
    mark = f"POSTKIT_HOME={home / 'store'}".encode()
    while True:
        left = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    left.append(int(entry.name))
            except OSError:
                continue
        if not left or time.monotonic() > deadline:
            return left


def judge(name, lines, ended, output, left, seconds):
    """Prints the results of one editor; answers how many passed and how many failed."""
    passed, failed = [], []
    for line in lines:
        found = RESULT.match(line)
        if found:
            (passed if found[1] == "ok" else failed).append((found[2], found[3]))
    told = {row for row, _ in passed + failed}
    for row in SCENARIO.findall((EDITORS / "README.md").read_text(encoding="utf-8")):
        if row not in told:
            failed.append((row, "no result was reported"))
    if ended != 0:
        how = "did not end in time" if ended is None else f"ended with code {ended}"
        failed.append(("E17", f"the editor {how}"))
    if left:
        failed.append(("E17", f"left processes behind: {left}"))
        for identifier in left:
            os.kill(identifier, signal.SIGKILL)
    print(f"{name}: {len(passed)} passed, {len(failed)} failed in {seconds:.1f} s")
    if os.environ.get("POSTKIT_VERBOSE"):
        for row, sentence in passed:
            print(f"  ok {row} {sentence}")
    for row, sentence in failed:
        print(f"  not ok {row} {sentence}")
    if failed and output.strip():
        print("  the editor said:")
        for line in output.splitlines()[-25:]:
            print(f"    {line}")
    return len(passed), len(failed)


def finish(counts):
    """Prints the closing line and ends the program."""
    passed = sum(count[0] for count in counts)
    failed = sum(count[1] for count in counts)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
