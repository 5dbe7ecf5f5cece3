"""Starts an editor on a copy of the fixtures, in a terminal of its own, and judges its results."""

import ctypes
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
# E: every editor; M: Emacs; N: what Neovim's own client makes of the server.
SCENARIO = re.compile(r"^\| ([EMN])(\d+) \|(.*)\|$")
# Of <sys/prctl.h>.
PR_SET_CHILD_SUBREAPER = 36
# How long anything is waited for that has to come, in seconds: only a run that fails takes so long.
PATIENCE = 60
RESULT = re.compile(r"^(ok|not ok) ([EMN]\d+) (.*)$")


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


def asked_for():
    """The scenarios that the command line names, with the first one, in which the editor starts;
    none where all are to run."""
    named = [word for word in sys.argv[1:] if re.fullmatch(r"[EMN]\d+", word)]
    return {kind + "1" for kind, *_ in named} | set(named)


def rows(kinds, program):
    """The scenarios of these kinds that the suite of an editor has to report on."""
    asked = asked_for()
    return [row for row in all_rows(kinds, program) if not asked or row in asked]


def all_rows(kinds, program):
    """The scenarios of these kinds for which the table of README.md names a test of the editor, of
    Emacs all."""
    lines = (EDITORS / "README.md").read_text(encoding="utf-8").splitlines()
    found = [row for row in map(SCENARIO.match, lines) if row and row[1] in kinds]
    if program == "emacs":
        return [row[1] + row[2] for row in found]
    heading = next(line for line in lines if line.startswith("| id | Vim |"))
    column = heading.split(" | ").index({"nvim": "Neovim", "vim": "Vim"}[program]) - 1
    start = lines.index(heading)
    found = [row for row in map(SCENARIO.match, lines[start:]) if row and row[1] in kinds]
    return [row[1] + row[2] for row in found if "`" in row[3].split(" | ")[column]]


def lacks(editor):
    """Tells that an editor is not installed, which is a failure where all are required; answers how
    many passed and failed."""
    required = os.environ.get("POSTKIT_REQUIRE_ALL") == "1"
    print(f"{'FAILED' if required else 'SKIPPED'}: {editor} is not installed")
    return 0, 1 if required else 0


def missing(editor):
    """Ends the run because an editor is not installed."""
    passed, failed = lacks(editor)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def run(name, command, seconds, kind="E"):
    """Runs one editor on the scenarios of one kind or more; answers how many passed and failed."""
    wanted = rows(kind, name.split()[0])
    if not wanted:
        return 0, 0
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
            POSTKIT_ROWS=" ".join(sorted(asked_for())),
            # The keyring of whoever runs the tests is left alone.
            DBUS_SESSION_BUS_ADDRESS="",
            LC_ALL="C.UTF-8",
            NO_COLOR="1",
        )
        environment.pop("VIMINIT", None)
        become_reaper()
        started = time.monotonic()
        output, ended = in_terminal(command, work, environment, seconds)
        lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
        left = processes()
        strays = opened(home)
    seconds = time.monotonic() - started
    problems = [f"left processes behind: {left}"] if left else []
    if strays:
        problems.append(f"used the home of its user: {strays}")
    for identifier in left:
        os.kill(identifier, signal.SIGKILL)
    return judge(name, wanted, lines, ended, output, problems, seconds)


def opened(home):
    """What a program that was told no store has made in the places of a user."""
    places = ["config", "data", "state", ".config", ".local/share", ".local/state"]
    return [place for place in places if (home / place / "postkit").exists()]


def in_terminal(command, folder, environment, seconds):
    """Runs a command in a pseudo terminal of 120 by 40; answers its output and its exit code."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=follower, stdout=follower, stderr=follower,
        # Emacs opens /dev/tty, so the terminal has to be that of the new session.
        start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
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


def become_reaper():
    """Has orphans of the editors handed to this process, which then finds them as its children."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the harness can't become the reaper of orphans")


def processes():
    """The processes this run left behind. What is in their memory they show to nobody but root,
    their environment too, so that they are known by their parent alone."""
    deadline = time.monotonic() + PATIENCE
    while True:
        left = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                # Behind the name of the program, which may contain anything.
                state, parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            except OSError:
                continue
            if int(parent) != os.getpid():
                continue
            if state == b"Z":
                os.waitpid(int(entry.name), 0)
            else:
                left.append(int(entry.name))
        if not left or time.monotonic() > deadline:
            return left


def judge(name, expected, lines, ended, output, problems, seconds):
    """Prints the results of one editor; answers how many passed and how many failed."""
    passed, failed = [], []
    for line in lines:
        found = RESULT.match(line)
        if found:
            (passed if found[1] == "ok" else failed).append((found[2], found[3]))
    told = {row for row, _ in passed + failed}
    for row in expected:
        if row not in told:
            failed.append((row, "no result was reported"))
    if ended != 0:
        how = "did not end in time" if ended is None else f"ended with code {ended}"
        failed.append((expected[-1], f"the editor {how}"))
    failed += [(expected[-1], problem) for problem in problems]
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
