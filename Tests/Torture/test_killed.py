"""Processes that are killed: what they said they had kept is there, and nothing is half there."""

import os
import subprocess
import threading
import time

from program import (
    audit,
    audit_bodies,
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
from rawclient import Client, Ended

WRITERS = 8


def test_eight_writers_of_which_some_are_killed(store, tmp_path, scale, chance, report):
    batch = min(scale["exchanges"], 250)
    file = many(tmp_path, batch)
    started = time.monotonic()
    assert run(store, "run", file, "--all", "--var", "mark=first").returncode == 0
    usual = time.monotonic() - started
    finished, killed = [], []
    seeds = [chance.random() for _ in range(WRITERS)]

    def write(seed):
        dice = type(chance)(seed)
        kept = 0
        while kept < scale["exchanges"]:
            mark = new_mark()
            process = start(store, "run", file, "--all", "--var", f"mark={mark}")
            if dice.random() < 0.6:
                try:
                    process.communicate(timeout=dice.uniform(0, usual * 4))
                except subprocess.TimeoutExpired:
                    process.kill()
                    killed.append(mark)
            errors = process.communicate()[1]
            if process.returncode == 0:
                finished.append(mark)
                kept += batch
            elif mark not in killed:
                raise AssertionError(errors.decode())

    together([lambda seed=seed: write(seed) for seed in seeds])
    found = marks(store)
    assert found["first"] == batch
    assert {mark: found.get(mark) for mark in finished} == {mark: batch for mark in finished}
    counts = audit(store)
    assert len(history(store, "--search", "mark=first")) == batch
    report(
        f"{WRITERS} writers: {len(finished)} runs of {batch} exchanges finished, {len(killed)} "
        f"were killed, {counts} in {time.monotonic() - started:.0f} s"
    )


def test_an_editor_that_is_killed_kept_what_it_answered(store, tmp_path, scale, chance, report):
    file = many(tmp_path, 8)
    answered, started = [], time.monotonic()

    def send(client, uri):
        name = str(chance.randrange(8))
        answer = client.command("postkit.send", {"uri": uri, "name": name})
        assert answer["state"] == "done"
        answered.append(answer["id"])

    for _ in range(scale["kills"]):
        client = Client(store, folder=tmp_path)
        client.initialize()
        uri = client.open(file, file.read_text().replace("{{mark}}", "editor"))
        for _ in range(chance.randrange(1, 4)):
            send(client, uri)
        killer = threading.Timer(chance.uniform(0, 0.02), client.server.process.kill)
        killer.start()
        try:
            while True:
                send(client, uri)
        except (Ended, BrokenPipeError):
            pass
        killer.join()
        client.server.close()
    counts = audit(store)
    found = {line["id"] for line in history(store)}
    assert [identifier for identifier in answered if identifier not in found] == []
    report(
        f"{scale['kills']} editors killed while they sent: {len(answered)} answers, {counts} in "
        f"{time.monotonic() - started:.0f} s"
    )


def test_a_run_that_is_killed_kept_what_it_printed(store, tmp_path, scale, chance, report):
    file = one(tmp_path)
    run(store, "run", file, "--var", "mark=first")
    started = time.monotonic()
    run(store, "run", file, "--var", "mark=second")
    usual = time.monotonic() - started
    printed, started = [], time.monotonic()
    for number in range(scale["kills"]):
        mark = new_mark()
        process = start(store, "run", file, "--var", f"mark={mark}")
        output = b""
        if number % 2 == 0:
            # Killed when it has printed, while it does what comes last.
            while not output.rstrip().endswith(b"}"):
                piece = os.read(process.stdout.fileno(), 65_536)
                assert piece, process.communicate()[1]
                output += piece
            process.kill()
        else:
            try:
                process.wait(chance.uniform(0, usual * 1.5))
            except subprocess.TimeoutExpired:
                process.kill()
        output += process.communicate()[0]
        if output.rstrip().endswith(b"}"):
            printed.append(mark)
    found = marks(store)
    assert [mark for mark in printed if found.get(mark) != 1] == []
    counts = audit(store)
    report(
        f"{scale['kills']} runs killed: {len(printed)} had printed, {counts} in "
        f"{time.monotonic() - started:.0f} s"
    )


def test_forgetting_that_is_killed_forgets_all_or_nothing(store, tmp_path, scale, chance, report):
    count = 30
    file = many(tmp_path, count)
    cookie = tmp_path / "cookie.http"
    cookie.write_text("GET {{$exampleServer}}/cookies/set?kept=yes\n")
    assert run(store, "run", cookie).returncode == 0
    assert run(store, "run", file, "--all", "--var", f"mark={new_mark()}").returncode == 0
    started = time.monotonic()
    assert run(store, "history", "forget", "--all").returncode == 0
    usual, killed, stayed = time.monotonic() - started, 0, 0
    started = time.monotonic()
    for number in range(scale["kills"]):
        mark = new_mark()
        assert run(store, "run", file, "--all", "--var", f"mark={mark}").returncode == 0
        process = start(store, "history", "forget", "--all")
        try:
            process.wait(chance.uniform(0, usual * 1.2))
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
        process.communicate()
        # Whoever comes next ends what was begun: one that reads, or one that writes.
        if number % 2 == 0:
            history(store)
        else:
            assert run(store, "run", cookie).returncode == 0
        left = marks(store).get(mark, 0)
        assert left in (0, count)
        stayed += left == count
        with opened(store) as database:
            assert database.execute("SELECT value FROM cookie").fetchall() == [("yes",)]
        audit(store)
    assert run(store, "history", "forget", "--all").returncode == 0
    assert marks(store) == {} and audit_bodies(store / "bodies") == {}
    report(
        f"{killed} of {scale['kills']} times forgetting was killed, {stayed} times before it "
        f"began, in {time.monotonic() - started:.0f} s"
    )
