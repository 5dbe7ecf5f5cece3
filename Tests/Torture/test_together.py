"""Many processes on one store, some of which stand still."""

import os
import signal
import subprocess
import time
from pathlib import Path

from program import (
    audit,
    command,
    history,
    many,
    marks,
    new_mark,
    one,
    opened,
    run,
    start,
    together,
)
from rawclient import TIMEOUT, Client


def test_twenty_first_runs_at_once(store, tmp_path):
    file = one(tmp_path)
    seen = [new_mark() for _ in range(20)]
    processes = [start(store, "run", file, "--var", f"mark={mark}") for mark in seen]
    for process in processes:
        errors = process.communicate(timeout=TIMEOUT)[1]
        assert process.returncode == 0 and b"history" not in errors, errors
    assert marks(store) == {mark: 1 for mark in seen}
    audit(store)


def holds(pid, path):
    """Whether a process has locked a file; an editor that is idle locks the same one at times."""
    inode = f":{path.stat().st_ino}"
    locks = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return any(
        lock[1:2] == ["FLOCK"] and lock[4] == str(pid) and lock[5].endswith(inode)
        for lock in locks)


def stopped_writer(store, file):
    """A run that was stopped while it held the lock, which is inside of a transaction."""
    process = subprocess.Popen(
        command(store, "run", file, "--all", "--repeat", "1000", "--var", "mark=stopped"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(5_000):
        process.send_signal(signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
        if holds(process.pid, store / "store.lock"):
            return process
        process.send_signal(signal.SIGCONT)
        time.sleep(0.002)
    raise AssertionError("it was never seen in a transaction")


def test_a_writer_that_stands_still_costs_others_five_seconds_and_no_answer(store, tmp_path):
    file = one(tmp_path)
    assert run(store, "run", file, "--var", "mark=before").returncode == 0
    client = Client(store, folder=tmp_path)
    client.initialize()
    uri = client.open(tmp_path / "editor.http", "GET {{$exampleServer}}/get?mark=editor\n")
    send = {"uri": uri, "position": {"line": 0, "character": 0}}
    before = client.command("postkit.send", send)
    stopped = stopped_writer(store, many(tmp_path, 200))
    answers = {}

    def send_from_editor():
        answers["editor"] = client.command("postkit.send", send)

    def send_from_shell():
        result = run(store, "run", file, "--var", "mark=shell")
        answers["shell"] = result, time.monotonic() - started

    try:
        started = time.monotonic()
        together([send_from_editor, send_from_shell])
        # Nobody waited for it to go on.
        assert stopped.poll() is None
    finally:
        stopped.kill()
        stopped.wait()
    answer = answers["editor"]
    assert answer["state"] == "done" and answer["status"] == 200
    shell, seconds = answers["shell"]
    assert shell.returncode == 0 and b'"mark": "shell"' in shell.stdout and seconds > 4.5
    assert shell.stderr.count(b"Another PostKit has held") == 1
    assert answer["recorded"]
    # As soon as the other one has gone all is as before.
    after = client.command("postkit.send", send)
    client.stop()
    found = {line["id"] for line in history(store)}
    # What could not be written when it was answered is written by whoever comes next.
    assert {before["id"], answer["id"], after["id"]} <= found
    assert marks(store)["shell"] == 1
    audit(store)


def test_the_log_is_short_again_after_a_reader_that_held_it(store, tmp_path, scale, report):
    file = many(tmp_path, 50)
    run(store, "run", file, "--all", "--var", "mark=before")
    reader = opened(store)
    reader.execute("BEGIN")
    count = reader.execute("SELECT count(*) FROM exchange").fetchone()
    log = store / "history.sqlite-wal"
    end = time.monotonic() + scale["seconds"]
    while time.monotonic() < end or log.stat().st_size < 4_000_000:
        result = run(store, "run", file, "--all", "--repeat", "40", "--var", "mark=meanwhile")
        assert result.returncode == 0
    assert reader.execute("SELECT count(*) FROM exchange").fetchone() == count
    reader.execute("COMMIT")
    longest = log.stat().st_size
    run(store, "run", file, "--all", "--var", "mark=after")
    length = log.stat().st_size
    reader.close()
    assert length < 1_000_000
    audit(store)
    report(f"a reader of {scale['seconds']} s: log of {longest} bytes, afterwards {length}")
