"""Runs of the program, and what they left in the store."""

import hashlib
import json
import sqlite3
import subprocess
import threading
import uuid

from rawclient import TIMEOUT, binary


def command(store, *arguments):
    return [binary(), *map(str, arguments), "--store", str(store)]


def start(store, *arguments, **options):
    """Starts the program with its outputs in pipes."""
    return subprocess.Popen(
        command(store, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def run(store, *arguments, **options):
    """Runs the program to its end."""
    return subprocess.run(
        command(store, *arguments), capture_output=True, timeout=TIMEOUT, check=False, **options
    )


def one(folder):
    """A file with one request; its answer is on standard output when it was recorded."""
    path = folder / "one.http"
    path.write_text("GET {{$exampleServer}}/get?mark={{mark}}\n")
    return path


def many(folder, count):
    """A file with many requests, whose bodies are in rows, in files, and in files they share."""
    blocks = []
    for number in range(count):
        line = "GET {{$exampleServer}}/get?"
        if number % 10 == 3:
            line = f"GET {{{{$exampleServer}}}}/bytes/{70_000 + number}?"
        body = ""
        if number % 10 == 7:
            line = "POST {{$exampleServer}}/post?"
            (folder / f"{number}.bin").write_bytes(bytes([number % 251]) * (80_000 + number))
            body = f"\n< ./{number}.bin\n"
        blocks.append(f"### {number}\n{line}number={number}&mark={{{{mark}}}}\n{body}\n")
    path = folder / "many.http"
    path.write_text("".join(blocks))
    return path


def new_mark():
    return uuid.uuid4().hex


def marks(store):
    """How many exchanges there are of each mark."""
    query = "SELECT substr(url, instr(url, 'mark=') + 5), count(*) FROM exchange GROUP BY 1"
    with opened(store) as database:
        return dict(database.execute(query))


def opened(store, name="history.sqlite"):
    return sqlite3.connect(store / name, isolation_level=None)


def audit(store, has_lost=False):
    """Looks at all there is, as nobody writes any more; answers how much it was. A body is there,
    unless some could not be kept."""
    counted = {}
    for name in ["history.sqlite", "collections.sqlite"]:
        with sqlite3.connect(store / name) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    named = audit_bodies(store / "bodies")
    with opened(store) as database:
        for table in words(database):
            database.execute(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
        rows = database.execute(
            """
            SELECT id, state, request_body_hash, request_body_size, length(request_body),
              response_body_hash, response_body_size, length(response_body) FROM exchange
            """
        )
        count = 0
        for identifier, state, *bodies in rows:
            count += 1
            assert uuid.UUID(identifier).version == 7 and state in ("done", "failed", "cancelled")
            for hash, size, inline in [bodies[:3], bodies[3:]]:
                if hash is None:
                    assert inline == size or size == 0 or has_lost and inline == 0, identifier
                else:
                    assert named[hash] == size, identifier
        counted["exchanges"] = count
    counted["body files"] = len(named)
    return counted


def words(database):
    """The tables that find words."""
    return [
        name
        for name, sql in database.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL")
        if sql.upper().startswith("CREATE VIRTUAL TABLE") and "fts5" in sql.lower()
    ]


def audit_bodies(folder):
    """The sizes of body files by their names, each of which is the hash of what is in it."""
    sizes = {}
    for path in folder.glob("??/??/*"):
        data = path.read_bytes()
        assert hashlib.sha256(data).hexdigest() == path.name
        sizes[path.name] = len(data)
    return sizes


def history(store, *arguments, limit=100_000):
    """What the program says is in the history."""
    result = run(store, "history", "--json", "--limit", limit, *arguments)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def together(actions):
    """Does all of it at once; the first failure is the test's."""
    failures = []

    def guarded(action):
        try:
            action()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=[action]) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
