"""Disks that are full, places that may not be written, clocks that go backwards."""

import json
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from program import audit, history, many, marks, one, run
from rawclient import TIMEOUT, Client, binary

NOBODY = 65534

# An editor that opens responses, so that it is told of nothing but what went wrong.
OPENS = {"window": {"showDocument": {"support": True}}}


def limited(count):
    """Lets a process write no file beyond a size."""

    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (count, count))

    return set_limit


@pytest.mark.parametrize("count", [0, 4_096, 40_000, 200_000])
def test_where_nothing_more_fits_the_answer_is_still_shown(store, tmp_path, count):
    file = one(tmp_path)
    for place in [store, tmp_path / "new"]:
        if place == store:
            run(store, "run", many(tmp_path, 20), "--all", "--var", "mark=before")
        result = run(place, "run", file, "--var", "mark=full", preexec_fn=limited(count))
        assert result.returncode == 0, result.stderr
        assert b'"mark": "full"' in result.stdout
        if count < 40_000:
            assert result.stderr.count(b"the history was not written") == 1
    assert marks(store)["before"] == 20
    assert run(store, "run", file, "--var", "mark=after").returncode == 0
    assert marks(store)["after"] == 1
    audit(store)


def test_a_body_that_does_not_fit_costs_its_exchange_only_the_body(store, tmp_path):
    assert run(store, "run", one(tmp_path), "--var", "mark=before").returncode == 0
    (tmp_path / "large.bin").write_bytes(b"x" * 2_000_000)
    file = tmp_path / "upload.http"
    file.write_text("POST {{$exampleServer}}/status/200?mark=upload\n\n< ./large.bin\n")
    result = run(store, "run", file, preexec_fn=limited(1_000_000))
    assert result.returncode == 0, result.stderr
    assert b"incoming" in result.stderr
    assert marks(store)["upload"] == 1
    identifier = history(store, "--search", "upload")[0]["id"]
    shown = run(store, "history", "show", identifier, "--json")
    request = json.loads(shown.stdout)["request"]
    assert request["truncated"] and request["body"] == ""
    assert [path.name for path in (store / "bodies").rglob("*") if path.is_file()] == []


@pytest.fixture
def disk(tmp_path):
    """A command that runs another with a folder on a disk of 1.5 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    script = f'mount -t tmpfs -o size=1500k tmpfs "{folder}" && exec "$@"'
    command = ["unshare", "--mount", "sh", "-c", script, "sh"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("only who may mount can make a small disk; RLIMIT_FSIZE is tried above")
    return folder, command


def test_a_small_disk_fills_up_and_has_room_again(disk, tmp_path):
    folder, command = disk
    file, more = one(tmp_path), many(tmp_path, 40)
    store = folder / "store"
    script = f"""
      set -e
      run() {{ "{binary()}" run "$@" --store "{store}"; }}
      run "{file}" --var mark=before
      head -c 900000 /dev/zero > "{folder}/other"
      run "{more}" --all --var mark=filling > /dev/null 2> "{tmp_path}/filling"
      cat /dev/zero > "{folder}/rest" 2> /dev/null || true
      run "{file}" --var mark=full > "{tmp_path}/full" 2> "{tmp_path}/notice"
      rm "{folder}/other" "{folder}/rest"
      run "{file}" --var mark=after
      cp -r "{store}" "{tmp_path}/kept"
    """
    result = subprocess.run(
        [*command, "sh", "-c", script], capture_output=True, timeout=TIMEOUT, check=False
    )
    assert result.returncode == 0, result.stderr
    assert b'"mark": "full"' in (tmp_path / "full").read_bytes()
    told = (tmp_path / "filling").read_text()
    assert "no space left" in told.lower()
    found = marks(tmp_path / "kept")
    assert found["before"] == 1 and found["after"] == 1
    # What isn't in the history was told, and only that: the log may have had room for one more.
    notice = (tmp_path / "notice").read_text()
    assert ("full" in found) != ("no space left" in notice.lower()), notice
    # Which write is the first without room is chance. Where it is that of a body, the exchange is
    # kept without it and the body is named.
    audit(tmp_path / "kept", has_lost=f"no space left to write {store}/bodies/" in told)


@pytest.fixture
def nobody():
    """A folder of a user without rights, with the program in it, and how to be that user."""
    if os.getuid() != 0:
        folder = Path(tempfile.mkdtemp())
        yield folder, {}
    else:
        folder = Path(tempfile.mkdtemp())
        os.chown(folder, NOBODY, NOBODY)
        yield folder, {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    for path, folders, _ in os.walk(folder):
        for name in ["", *folders]:
            os.chmod(os.path.join(path, name), 0o700)
    shutil.rmtree(folder)


def test_a_home_that_may_not_be_written(nobody):
    folder, options = nobody
    file = one(folder)
    os.chmod(folder, 0o555)
    for _ in range(2):
        result = run(
            folder / "store", "run", file, "--var", "mark=home", cwd="/", **options
        )
        assert result.returncode == 0 and b'"mark": "home"' in result.stdout, result.stderr
        assert result.stderr.count(b"the history was not written") == 1
    assert [path.name for path in folder.iterdir()] == ["one.http"]


@pytest.mark.parametrize("name", [".", "history.sqlite", "store.lock", "bodies"])
def test_rights_that_are_taken_away_under_an_editor(nobody, name):
    folder, options = nobody
    store = folder / "store"
    file = many(folder, 14)
    run(store, "run", file, "--all", "--var", "mark=before", cwd="/", **options)
    setpriv = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
    command = [*(setpriv if options else []), binary(), "lsp"]
    client = Client(store, OPENS, folder=folder, command=command)
    client.initialize()
    uri = client.open(file, file.read_text().replace("{{mark}}", "editor"))

    def send(number):
        answer = client.command("postkit.send", {"uri": uri, "name": str(number)})
        assert answer["state"] == "done" and answer["status"] == 200
        return answer["id"]

    kept = send(0)
    mode = (store / name).stat().st_mode & 0o777
    os.chmod(store / name, 0)
    # The first has a body that would become a file.
    send(3), send(4), send(13)
    os.chmod(store / name, mode)
    again = send(5)
    told = [x["params"] for x in client.notifications if x["method"] == "window/showMessage"]
    # What is open already can still be written.
    assert len(told) == (1 if name in [".", "bodies"] else 0), told
    client.stop()
    found = {line["id"] for line in history(store)}
    assert kept in found and again in found
    audit(store)


CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
static long steps;
int clock_gettime(clockid_t clock, struct timespec *time) {
  int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
  int code = real(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec -= atol(getenv("BACK")) + 60 * ++steps;
  return code;
}
"""


def test_a_clock_that_goes_backwards(store, tmp_path):
    compiler = shutil.which("cc") or shutil.which("clang")
    (tmp_path / "clock.c").write_text(CLOCK)
    library = tmp_path / "clock.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, tmp_path / "clock.c", "-ldl"], check=True
    )
    file = many(tmp_path, 20)
    for back in ["0", "86400", "864000"]:
        variables = {**os.environ, "LD_PRELOAD": str(library), "BACK": back}
        result = run(store, "run", file, "--all", "--var", f"mark={back}", env=variables)
        assert result.returncode == 0 and b"history" not in result.stderr, result.stderr
    lines = history(store)
    assert len(lines) == 60 and len({line["id"] for line in lines}) == 60
    assert [line["time"] for line in lines] == sorted((x["time"] for x in lines), reverse=True)
    assert all(0 <= line["ms"] < 60_000 for line in lines)
    assert marks(store) == {"0": 20, "86400": 20, "864000": 20}
    # The newest is what began last by the clock, page by page.
    assert [line["id"] for line in history(store, limit=1)] == [lines[0]["id"]]
    audit(store)
