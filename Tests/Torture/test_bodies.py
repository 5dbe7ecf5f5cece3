"""Calls that a disk refuses while a body becomes a file: the answer is whole, as is the rest."""

import hashlib
import json
import os
import shutil
import subprocess

import pytest
from program import audit, history, one, opened, run
from rawclient import Client
from test_places import limited

# Fails calls of one kind on files below `bodies/`, after as many as are to succeed.
FAULTS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long seen;

static int strikes(const char *call, const char *path) {
  const char *wanted = getenv("FAULT");
  if (!wanted || strcmp(call, wanted) || !path || !strstr(path, "/bodies/")) return 0;
  if (strstr(path, ".owner") || strstr(path, "/new-")) return 0;
  if (__atomic_fetch_add(&seen, 1, __ATOMIC_RELAXED) < atol(getenv("AFTER"))) return 0;
  errno = strcmp(call, "write") ? EIO : ENOSPC;
  return 1;
}

static int strikes_file(const char *call, int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int saved = errno;
  ssize_t count = readlink(link, path, sizeof path - 1);
  errno = saved;
  if (count < 0) return 0;
  path[count] = 0;
  return strikes(call, path);
}

#define REAL(name) dlsym(RTLD_NEXT, name)

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  if (flags & O_CREAT && strikes("open", path)) return -1;
  if (!(flags & O_CREAT) && strikes("read", path)) return -1;
  return ((int (*)(const char *, int, ...))REAL("open"))(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  if (flags & O_CREAT && strikes("open", path)) return -1;
  if (!(flags & O_CREAT) && strikes("read", path)) return -1;
  return ((int (*)(const char *, int, ...))REAL("open64"))(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (strikes_file("write", file)) return -1;
  return ((ssize_t (*)(int, const void *, size_t))REAL("write"))(file, bytes, count);
}

int fsync(int file) {
  if (strikes_file("fsync", file)) return -1;
  return ((int (*)(int))REAL("fsync"))(file);
}

int fchmod(int file, mode_t mode) {
  if (strikes_file("fchmod", file)) return -1;
  return ((int (*)(int, mode_t))REAL("fchmod"))(file, mode);
}

int link(const char *from, const char *to) {
  if (strikes("link", to)) return -1;
  return ((int (*)(const char *, const char *))REAL("link"))(from, to);
}

int rename(const char *from, const char *to) {
  if (strikes("rename", to)) return -1;
  return ((int (*)(const char *, const char *))REAL("rename"))(from, to);
}

int mkdir(const char *path, mode_t mode) {
  if (strikes("mkdir", path)) return -1;
  return ((int (*)(const char *, mode_t))REAL("mkdir"))(path, mode);
}
"""

# How many of three bodies are lost where each call fails. Where a link or the rights of a spooled
# file are refused it is copied.
LOST = {"open": 3, "write": 3, "fsync": 3, "fchmod": 0, "link": 0, "rename": 3, "mkdir": 3}
CALLS = [*LOST, "read"]

# An editor that opens responses, so that it is told of nothing but what went wrong.
OPENS = {"window": {"showDocument": {"support": True}}}


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    (folder / "faults.c").write_text(FAULTS)
    compiler = shutil.which("cc") or shutil.which("clang")
    command = [compiler, "-shared", "-fPIC", "-o", folder / "faults.so", folder / "faults.c"]
    subprocess.run([*command, "-ldl"], check=True)
    return folder / "faults.so"


def variables(library, call, after):
    return {**os.environ, "LD_PRELOAD": str(library), "FAULT": call, "AFTER": str(after)}


def three(folder):
    """Requests whose bodies become files: one held in memory, one that is spooled, an upload."""
    (folder / "large.bin").write_bytes(b"upload" * 400_000)
    path = folder / "three.http"
    path.write_text(
        "### memory\nGET {{$exampleServer}}/bytes/90000\n\n"
        "### spooled\nGET {{$exampleServer}}/bytes/3000000\n\n"
        "### upload\nPOST {{$exampleServer}}/status/200\n\n< ./large.bin\n"
    )
    return path


def hashes(store):
    """The bodies that the history has, by the ends of the URLs; `None` for one that was lost."""
    with opened(store) as database:
        rows = database.execute(
            "SELECT url, coalesce(request_body_hash, response_body_hash) FROM exchange "
            "ORDER BY sequence"
        )
        return [(url.rsplit("/", 1)[1], kept) for url, kept in rows]


def told(errors):
    """How often it was said that a body could not be kept."""
    return errors.count(b"can't be kept or read") + errors.count(b"No space left")


def left_over(store):
    return [path.name for path in (store / "bodies" / "incoming").glob("*")]


@pytest.fixture
def whole(tmp_path):
    """What the bodies are without a fault."""
    store = tmp_path / "whole"
    result = run(store, "run", three(tmp_path), "--all")
    assert result.returncode == 0, result.stderr
    found = dict(hashes(store))
    assert len(found) == 3 and None not in found.values()
    return result.stdout, found


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize("call", [call for call in CALLS if call != "read"])
def test_a_run_shows_what_a_disk_would_not_keep(store, tmp_path, library, whole, call, after):
    output, kept = whole
    file = three(tmp_path)
    lost = 0
    for repeats in [1, 3]:
        options = ["--repeat", str(repeats)]
        result = run(store, "run", file, "--all", *options, env=variables(library, call, after))
        assert result.returncode == 0, result.stderr
        assert result.stdout == output * repeats
        found = hashes(store)[-3 * repeats :]
        assert [pair for pair in found if pair[1] not in (None, kept[pair[0]])] == []
        names = [name for name, body in found if body is None]
        # One reason is told, once, wherever something was lost.
        assert told(result.stderr) == (1 if names else 0), result.stderr
        assert b"the history was not written" not in result.stderr
        lost += len(names)
        if after == 0 and repeats == 1:
            assert len(names) == LOST[call], found
    assert len(hashes(store)) == 12 and left_over(store) == []
    audit(store, has_lost=lost > 0)
    # The disk is well again.
    assert run(store, "run", file, "--all").stdout == output
    assert dict(hashes(store)[-3:]) == kept
    audit(store, has_lost=lost > 0)


@pytest.mark.parametrize("call", CALLS)
def test_an_editor_shows_what_a_disk_would_not_keep(store, tmp_path, library, whole, call):
    kept = whole[1]
    file = three(tmp_path)
    client = Client(store, OPENS, folder=tmp_path, environment=variables(library, call, 0))
    client.initialize()
    uri = client.open(file, file.read_text())
    for name, size in [("memory", 90_000), ("spooled", 3_000_000), ("upload", 38)] * 2:
        answer = client.command("postkit.send", {"uri": uri, "name": name})
        assert answer["state"] == "done" and answer["status"] == 200
        assert answer["size"] == size, answer
    shown = [x["params"] for x in client.notifications if x["method"] == "window/showMessage"]
    client.stop()
    found = hashes(store)
    assert len(found) == 6 and left_over(store) == []
    assert [pair for pair in found if pair[1] not in (None, kept[pair[0]])] == []
    lost = [name for name, body in found if body is None]
    assert len(shown) == (1 if lost else 0), shown
    audit(store, has_lost=len(lost) > 0)


@pytest.mark.parametrize("count", [0, 500_000, 1_500_000])
def test_a_spooled_answer_is_whole_where_its_file_can_grow_no_further(
    store, tmp_path, whole, count
):
    assert run(store, "run", one(tmp_path), "--var", "mark=before").returncode == 0
    file = three(tmp_path)
    for place in [store, tmp_path / "new"]:
        result = run(place, "run", file, "--name", "spooled", preexec_fn=limited(count))
        assert result.returncode == 0, result.stderr
        assert hashlib.sha256(result.stdout).hexdigest() == whole[1]["3000000"]
        history_lost = result.stderr.count(b"the history was not written")
        assert history_lost + (told(result.stderr) and not history_lost) == 1, result.stderr
    assert run(store, "run", file, "--name", "spooled").stdout == result.stdout
    audit(store, has_lost=True)


def test_a_body_that_is_lost_is_told_where_it_is_shown(store, tmp_path):
    assert run(store, "run", three(tmp_path), "--name", "memory").returncode == 0
    shutil.rmtree(store / "bodies")
    identifier = history(store)[0]["id"]
    shown = run(store, "history", "show", identifier)
    assert shown.returncode == 0 and b"90000 bytes received, 0 stored" in shown.stdout
    body = run(store, "history", "show", identifier, "--body")
    assert body.stdout == b"" and b"stored only the first 0 of 90000 bytes" in body.stderr
    response = json.loads(run(store, "history", "show", identifier, "--json").stdout)["response"]
    assert response["truncated"]
