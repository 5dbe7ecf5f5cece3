"""Full disks, places that may not be written, too few descriptors, clocks that go backwards."""

import json
import os
import resource
import shutil
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from program import audit, history, many, marks, one, run
from rawclient import TIMEOUT, Client, binary

NOBODY = 65534

# An editor that opens responses, so that it is told of nothing but what went wrong.
OPENS = {"window": {"showDocument": {"support": True}}}


def limited(count, kind=resource.RLIMIT_FSIZE):
    """Lets a process write no file beyond a size, or have no more of another kind."""

    def set_limit():
        resource.setrlimit(kind, (count, count))

    return set_limit


def library(folder, source):
    """Compiles what a process gets in place of functions of the system."""
    compiler = shutil.which("cc") or shutil.which("clang")
    (folder / "library.c").write_text(source)
    command = [compiler, "-shared", "-fPIC", "-o", folder / "library.so"]
    subprocess.run([*command, folder / "library.c", "-ldl"], check=True)
    return folder / "library.so"


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
    """A command that runs another with a folder on a disk of 1.7 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    script = f'mount -t tmpfs -o size=1700k tmpfs "{folder}" && exec "$@"'
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


class Echo(BaseHTTPRequestHandler):
    """Answers with the path that was asked for."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = f"<{self.path}>".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere(tmp_path):
    """A file with three requests to a server that has descriptors of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = tmp_path / "elsewhere.http"
        requests = [f"GET http://127.0.0.1:{server.server_port}/{x}\n" for x in "abc"]
        path.write_text("###\n".join(requests))
        yield path
        server.shutdown()


POLLS = b"looks for news of requests every 20 ms"


@pytest.mark.parametrize("count", range(8, 15))
def test_a_run_with_few_descriptors_ends(store, elsewhere, count):
    limits = {"preexec_fn": limited(count, resource.RLIMIT_NOFILE), "stdin": subprocess.DEVNULL}
    result = run(store, "run", elsewhere, "--all", **limits)
    # Which of all that opens files is the first without one is chance; each has its words.
    assert result.returncode in (0, 4), result.stderr
    assert result.stderr.count(POLLS) <= 1
    shown = [f"</{x}>".encode() in result.stdout for x in "abc"]
    assert all(shown) == (result.returncode == 0), result.stderr
    assert result.stderr.count(b"[connection]") == shown.count(False), result.stderr


WAKE_UP = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
static int is_for_libcurl(void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && strstr(info.dli_fname, "libcurl");
}
#define REFUSED(name, parameters, arguments) \\
  int name parameters { \\
    int (*real) parameters = dlsym(RTLD_NEXT, #name); \\
    if (!is_for_libcurl(__builtin_return_address(0))) return real arguments; \\
    errno = EMFILE; \\
    return -1; \\
  }
REFUSED(socketpair, (int a, int b, int c, int pair[2]), (a, b, c, pair))
REFUSED(pipe, (int pair[2]), (pair))
REFUSED(pipe2, (int pair[2], int flags), (pair, flags))
REFUSED(eventfd, (unsigned start, int flags), (start, flags))
"""


def test_a_run_ends_where_nothing_can_wake_libcurl(store, elsewhere, tmp_path):
    variables = {**os.environ, "LD_PRELOAD": str(library(tmp_path, WAKE_UP))}
    result = run(store, "run", elsewhere, "--all", env=variables)
    assert result.returncode == 0, result.stderr
    assert all(f"</{x}>".encode() in result.stdout for x in "abc")
    assert result.stderr.count(POLLS) == 1
    assert len(history(store)) == 3


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
    clock = library(tmp_path, CLOCK)
    file = many(tmp_path, 20)
    for back in ["0", "86400", "864000"]:
        variables = {**os.environ, "LD_PRELOAD": str(clock), "BACK": back}
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
