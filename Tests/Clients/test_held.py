"""A process that holds the store, as one that was stopped does, keeps no editor waiting."""

import fcntl
import json
import os
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress

import pytest
from rawclient import TIMEOUT, ResponseError, binary
from test_stock import FULL, client as stock

TEXT = "### a\nGET {url}/a\n"


@contextmanager
def held(store):
    """Holds the lock that every write takes; it is free again when the block ends."""
    with open(store / "store.lock", "r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def names(c):
    return [item["id"] for item in c.request("postkit/history", {})["items"]]


def ids(store):
    found = subprocess.run(
        [binary(), "history", "--json", "--limit", "99", "--store", str(store)],
        capture_output=True, timeout=TIMEOUT, check=True)
    return {line["id"] for line in json.loads(found.stdout)}


def run(store, file, *arguments):
    """A run with its report."""
    process = subprocess.run(
        [binary(), "run", str(file), *arguments, "--store", str(store), "--report",
         f"json={file}.json"], capture_output=True, timeout=TIMEOUT, check=False)
    with open(f"{file}.json") as report:
        return process, json.load(report)


def told(c):
    return [n["params"]["message"] for n in c.notifications if n["method"] == "window/showMessage"]


def test_what_is_shown_waits_for_nobody(store, folder, target):
    with stock(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT.format(url=target.url))
        c.command("postkit.send", {"uri": uri, "name": "a"})
    with held(store), stock(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT.format(url=target.url))
        c.at("textDocument/hover", uri, 1, 6)
        c.at("textDocument/completion", uri, 1, 6)
        c.range("textDocument/inlayHint", uri, 0, 2)
        # Opening the store was not given up yet.
        assert told(c) == []
        # What is sent waits for that, once, and is kept without it.
        sent = [c.command("postkit.send", {"uri": uri, "name": "a"}) for _ in range(2)]
        assert [answer["status"] for answer in sent] == [200, 200]
        assert [answer["recorded"] for answer in sent] == [True, True]
        assert "The history is not available" in told(c)[0]
        assert "not in the history yet" in told(c)[1]
    assert {answer["id"] for answer in sent} < ids(store)


def test_an_answer_does_not_wait_to_be_recorded(store, folder, target):
    with stock(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT.format(url=target.url))
        first = c.command("postkit.send", {"uri": uri, "name": "a"})
        with held(store):
            later = [c.command("postkit.send", {"uri": uri, "name": "a"}) for _ in range(3)]
            assert [answer["status"] for answer in later] == [200, 200, 200]
            assert all(answer["recorded"] for answer in [first, *later])
            assert names(c) == [first["id"]]
            assert [message for message in told(c) if "not in the history yet" in message]
        # Nothing is lost when the store is free again.
        end = time.monotonic() + TIMEOUT
        expected = [answer["id"] for answer in (later[::-1] + [first])]
        while names(c) != expected:
            assert time.monotonic() < end
        # What was recorded late is forgotten like the rest.
        c.request("postkit/edit", {"ops": [{"op": "history.clear"}]})
        for id in expected:
            with pytest.raises(ResponseError):
                c.request("postkit/exchange", {"id": id, "part": "response", "view": "raw"})


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_what_was_answered_while_the_store_is_held_outlives_the_editor(
        store, folder, target, end):
    target.bodies["/a"] = ("application/octet-stream", bytes(range(256)) * 8_000)
    c = stock(store, folder, FULL)
    c.initialize()
    uri = c.open(folder / "a.http", TEXT.format(url=target.url))
    answers = [c.command("postkit.send", {"uri": uri, "name": "a"})]
    with held(store):
        answers += [c.command("postkit.send", {"uri": uri, "name": "a"}) for _ in range(3)]
        if end == "kill":
            c.server.process.kill()
        else:
            c.stop()
        c.server.close()
    assert [answer["recorded"] for answer in answers] == [True] * 4
    # Whoever comes next writes it.
    assert ids(store) == {answer["id"] for answer in answers}
    shown = subprocess.run(
        [binary(), "history", "show", answers[-1]["id"], "--body", "--store", str(store)],
        capture_output=True, timeout=TIMEOUT, check=True)
    assert shown.stdout == bytes(range(256)) * 8_000


def test_a_run_loses_nothing_beside_a_process_that_holds_the_store(store, folder, target):
    file = folder / "a.http"
    file.write_text(TEXT.format(url=target.url) + "\n### b\nGET {}/b\n".format(target.url))
    ran = [run(store, file, "--name", "a")]
    with held(store):
        ran += [run(store, file, "--name", "a"), run(store, file, "--all")]
    reports = [report for _, report in ran]
    for process, _ in ran[1:]:
        assert process.returncode == 0, process.stderr
        assert process.stderr.count(b"not in the history yet") == 1, process.stderr
    sent = [entry for report in reports for entry in report["requests"]]
    assert [entry["recorded"] for entry in sent] == [True] * 4
    assert ids(store) == {entry["id"] for entry in sent}


SETTING = """# @name login
GET {url}/login

@global.count = {{{{response.body.$.path}}}}
"""


def session(store):
    """The cookies and session values that the store has: their names and values."""
    found = []
    for arguments in (["cookies", "--reveal"], ["session"]):
        listed = subprocess.run(
            [binary(), *arguments, "--json", "--store", str(store)],
            capture_output=True, timeout=TIMEOUT, check=True)
        found += json.loads(listed.stdout)
    return sorted((row["name"], str(row["value"])) for row in found)


KEPT = [("count", '"/login"'), ("sid", "s-1")]


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_cookies_and_globals_of_a_held_store_outlive_the_editor(store, folder, target, end):
    target.cookies["/login"] = ["sid=s-1; Path=/"]
    c = stock(store, folder, FULL)
    c.initialize()
    uri = c.open(folder / "a.http", TEXT.format(url=target.url) + "\n### login\n"
                 + SETTING.format(url=target.url))
    c.command("postkit.send", {"uri": uri, "name": "a"})
    with held(store):
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["status"] == 200
        # The next request of the session has the cookie already.
        c.command("postkit.send", {"uri": uri, "name": "a"})
        assert target.seen[-1][2]["Cookie"] == "sid=s-1"
        if end == "kill":
            c.server.process.kill()
        else:
            c.stop()
        c.server.close()
    for path in (store / "bodies" / "incoming").glob("change-*"):
        assert path.stat().st_mode & 0o777 == 0o600
    # Whoever comes next writes them.
    assert session(store) == KEPT


@pytest.mark.parametrize("before", [True, False])
def test_a_run_keeps_its_cookies_and_globals_beside_a_process_that_holds_the_store(
        store, folder, target, before):
    target.cookies["/login"] = ["sid=s-1; Path=/"]
    (folder / "postkit.json").write_text('{"persistGlobals": true}')
    file = folder / "a.http"
    file.write_text("### a\nGET {url}/slow\n\n### login\n".format(url=target.url)
                    + SETTING.format(url=target.url))
    target.release.set()
    assert run(store, file, "--name", "a")[0].returncode == 0
    if before:
        with held(store):
            process, _ = run(store, file, "--name", "login")
    else:
        # Most often the run has opened the store by then.
        target.release.clear()
        target.hanging.clear()
        command = [binary(), "run", str(file), "--all", "--store", str(store)]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert target.hanging.wait(TIMEOUT)
        with held(store):
            target.release.set()
            output, errors = running.communicate(timeout=TIMEOUT)
        process = subprocess.CompletedProcess(command, running.returncode, output, errors)
    assert process.returncode == 0, process.stderr
    assert process.stderr.count(b"not in the history yet") == 1, process.stderr
    assert session(store) == KEPT
    # The next run sends the cookie.
    assert run(store, file, "--name", "a")[0].returncode == 0
    assert target.seen[-1][2]["Cookie"] == "sid=s-1"


def test_what_is_not_kept_is_said_not_to_be(store, folder, target):
    text = TEXT.format(url=target.url) + "\n### quiet\n# @no-log\nGET {}/b\n".format(target.url)
    with stock(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert not c.command("postkit.send", {"uri": uri, "name": "quiet"})["recorded"]
        assert not c.request(
            "postkit/send",
            {"textDocument": {"uri": uri}, "name": "a", "dryRun": True})["recorded"]
        answer = c.command("postkit.send", {"uri": uri, "name": "a"})
        assert answer["recorded"] and ids(store) == {answer["id"]}
    file = folder / "a.http"
    file.write_text(text)
    _, report = run(store, file, "--name", "a", "--no-history")
    assert [entry["recorded"] for entry in report["requests"]] == [False]
    _, report = run(store, file, "--all")
    assert [entry["recorded"] for entry in report["requests"]] == [True, False]
    # Where nothing can be kept, that is told as well.
    shutil.rmtree(store)
    store.write_text("a file where the directory should be")
    process, report = run(store, file, "--name", "a")
    assert process.returncode == 0 and b"history was not written" in process.stderr
    assert [entry["recorded"] for entry in report["requests"]] == [False]
    with stock(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(file, text)
        assert not c.command("postkit.send", {"uri": uri, "name": "a"})["recorded"]
        assert any("can't be created" in message for message in told(c))


READING = """# @name login
GET {url}/json

### next
# @assert status == 200
GET {url}/next?id={{{{login.response.body.$.id}}}}&typed={typed}
"""


def test_who_types_asks_the_store_nothing_while_nothing_is_written(store, folder, target):
    traced = {"POSTKIT_SQL_TRACE": "1"}
    target.bodies["/json"] = ("application/json", b'{"id": 7}')
    with stock(store, folder, FULL, environment=traced) as c:
        c.initialize()
        uri = c.open(folder / "a.http", READING.format(url=target.url, typed=""))
        for name in ("login", "next"):
            c.command("postkit.send", {"uri": uri, "name": name})

        def asks(number):
            """How many statements a key costs."""
            # What was written in the last moment could be written again without a trace.
            for path in store.glob("*.sqlite*"):
                # A journal is there for a moment.
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime > time.time() - 60:
                        os.utime(path, (time.time() - 3_600,) * 2)
            before = c.server.errors.count(b"sql ")
            c.change(uri, READING.format(url=target.url, typed=number))
            c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            c.range("textDocument/inlayHint", uri, 0, 6)
            c.at("textDocument/hover", uri, 1, 1)
            return c.server.errors.count(b"sql ") - before

        # The upkeep of the history takes its time, and goes on in between.
        costs = [asks(number) for number in range(300)]
        assert any(sum(costs[at:at + 20]) == 0 for at in range(280)), costs
        c.command("postkit.send", {"uri": uri, "name": "next"})
        assert sum(asks(number) for number in range(20)) > 0


def test_who_types_beside_sends_asks_the_store_once_whether_it_has_changed(
        store, folder, target):
    traced = {"POSTKIT_SQL_TRACE": "1"}
    target.bodies["/json"] = ("application/json", b'{"id": 7}')
    with stock(store, folder, FULL, environment=traced) as c:
        c.initialize()
        uri = c.open(folder / "a.http", READING.format(url=target.url, typed=""))
        other = c.open(folder / "b.http", f"GET {target.url}/b\n")
        c.command("postkit.send", {"uri": uri, "name": "login"})

        def asks(number):
            """How many statements a key costs right after a send of another file."""
            c.command("postkit.send", {"uri": other, "position": {"line": 0, "character": 0}})
            before = c.server.errors.count(b"sql ")
            c.change(uri, READING.format(url=target.url, typed=number))
            c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            return c.server.errors.count(b"sql ") - before

        # The history and the collections are asked. The upkeep goes on in between.
        costs = [asks(number) for number in range(40)]
        assert min(costs) <= 2, costs


def test_a_trace_that_nobody_reads_holds_up_nothing(store, folder, target):
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while os.write(writing, b"x" * 65_536):
            pass
    os.set_blocking(writing, True)
    # A server whose standard error is that pipe, which is full.
    command = ["sh", "-c", f"exec '{binary()}' lsp 2>/proc/{os.getpid()}/fd/{writing}"]
    traced = {"POSTKIT_SQL_TRACE": "1"}
    try:
        with stock(store, folder, FULL, environment=traced, command=command) as c:
            c.initialize()
            uri = c.open(folder / "a.http", READING.format(url=target.url, typed=""))
            for _ in range(40):
                assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
            assert c.at("textDocument/hover", uri, 1, 1) is not None
    finally:
        os.close(reading)
        os.close(writing)


def test_what_another_process_does_is_seen_beside_sends(store, folder, target):
    (folder / "http-client.env.json").write_text('{"dev": {"who": "ann"}, "prod": {"who": "bea"}}')
    text = f"GET {target.url}/{{{{who}}}}\n"
    with stock(store, folder, FULL) as c, stock(store, folder, FULL) as d:
        for server in (c, d):
            server.initialize()
        uri = c.open(folder / "a.http", text)
        d.open(folder / "a.http", text)
        for name in ("dev", "prod", "dev"):
            d.command("postkit.selectEnvironment", {"name": name})
            c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
            found = str(c.at("textDocument/hover", uri, 0, len(text) - 4))
            assert {"dev": "ann", "prod": "bea"}[name] in found, found
        assert [path for _, path, _, _ in target.seen] == ["/ann", "/bea", "/ann"]
