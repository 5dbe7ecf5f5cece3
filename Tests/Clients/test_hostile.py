"""Files that nobody means well: each is answered in words, in bounded memory, and without waiting.

Time is that of the processor, and is compared with what an ordinary file of the same size takes, so
that a slow machine fails nothing; memory is the peak of the process, and is compared with that of a
run that has nothing to do.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass

import pytest
from hostile import CONTENTS, DEPTH, KINDS, SETTINGS, USES
from rawclient import Server, binary

# A debug build is many times slower than what is shipped.
GUARD = 120
MEGABYTE = 1 << 20
# What a run may have beside the program itself and beside what it is given.
SPARE = 32 * MEGABYTE
# For each byte of a file of settings, of which each may be a part of a name that is listed.
BYTES_PER_BYTE = 40
# How many times as long as an ordinary file of the same size and a bit more a file may take: an
# ordinary one costs 0.05 microseconds a byte, so that this allows 0.15.
FACTOR = 3
BIT = 2 * MEGABYTE

# The peak of a process is never below that of the one that it was forked from, so a small one is.
MEASURE = """
import os, sys
child = os.fork()
if child == 0:
    os.execv(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as file:
    file.write(f"{usage.ru_maxrss} {usage.ru_utime + usage.ru_stime}")
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
"""


@dataclass
class Result:
    code: int
    # Bytes, and seconds of the processor.
    peak: int
    time: float
    output: bytes
    errors: str


def postkit(folder, *words):
    """Runs the program in a folder that it takes for a user's home."""
    peak = folder.parent / "peak"
    environment = {**os.environ, "HOME": str(folder), "POSTKIT_HOME": str(folder.parent / "store")}
    process = subprocess.run(
        [sys.executable, "-S", "-E", "-c", MEASURE, str(peak), binary(), *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=GUARD,
    )
    errors = process.stderr.decode("utf-8", "strict")
    size, time = peak.read_text().split()
    return Result(process.returncode, int(size) * 1024, float(time), process.stdout, errors)


CASES = [
    pytest.param(case, id=f"{kind}: {name}")
    for kind, cases in KINDS.items()
    for name, case in cases.items()
]


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The peak of a run that has nothing to do."""
    folder = tmp_path_factory.mktemp("usual") / "folder"
    folder.mkdir()
    (folder / "a.http").write_bytes(b"GET http://127.0.0.1:1/")
    return postkit(folder, "run", "a.http").peak


ORDINARY = b"""### Request %d
# @name r%d
POST https://example.com/users/%d?page={{page}}
Content-Type: application/json
X-Request: {{id}}

{
  "name": "Ann",
  "roles": ["a", "b"]
}

"""


@pytest.fixture(scope="module")
def pace(tmp_path_factory):
    """The seconds that a byte of an ordinary file takes."""
    folder = tmp_path_factory.mktemp("pace") / "folder"
    folder.mkdir()
    text = b"@page = 1\n@id = 2\n\n"
    text += b"".join(ORDINARY % (n, n, n) for n in range(2 * MEGABYTE // len(ORDINARY)))
    (folder / "a.http").write_bytes(text)
    return max(postkit(folder, "check", "a.http").time for _ in range(3)) / len(text)


@pytest.fixture
def deep(target):
    """The server, with answers that are nested deeply."""
    target.bodies = {
        "/deep.json": ("application/json", b'{"a":' * DEPTH + b"1" + b"}" * DEPTH),
        "/array.json": ("application/json", b"[" * DEPTH + b"]" * DEPTH),
        "/deep.xml": ("application/xml", b"<a>" * DEPTH + b"</a>" * DEPTH),
        "/open.xml": ("application/xml", b"<a>" * DEPTH),
        "/xml": ("application/xml", b"<a/>"),
    }
    return target


def check_words(text):
    """No message floods a screen, and none is left without its end."""
    assert max(map(len, text.splitlines()), default=0) < 5_000
    assert len(text) < MEGABYTE // 2
    assert "Fatal error" not in text and "Crash" not in text
    assert ".." not in re.sub(r"\.\./|\.\.\.", "", text)


@pytest.mark.parametrize("case", CASES)
def test_a_file_that_nobody_means_well(case, folder, deep, usual, pace):
    url = deep.url.encode()
    text = case.text() if callable(case.text) else case.text
    text = text.replace(b"$URL", url)
    (folder / "a.http").write_bytes(text)
    for name, content in case.files.items():
        (folder / name).write_bytes(content.replace(b"$URL", url))
    bound = usual + SPARE + case.memory * len(text)
    limit = FACTOR * pace * (len(text) + BIT)

    def run(*words):
        results = [postkit(folder, *words)]
        # The least of some counts: what others do meets one run, what the program does each.
        while (results[-1].time >= limit or results[-1].peak >= bound) and len(results) < 4:
            results.append(postkit(folder, *words))
        result = results[-1]
        assert result.peak < bound, f"{result.peak // MEGABYTE} MB of {bound // MEGABYTE}"
        assert result.time < limit, f"{result.time} s of {limit}"
        check_words(result.errors)
        return result

    ran = run("run", "a.http", *(case.words or ("--all",)))
    assert ran.code == case.code, ran.errors[:1000]
    assert re.search(case.says, ran.errors), ran.errors[:1000]
    checked = run("check", "a.http")
    assert checked.code in (0, 3), checked.errors[:1000]
    check_words(checked.output.decode())
    formatted = run("format", "--stdout", "a.http")
    assert formatted.code == 0, formatted.errors[:1000]


def test_zero_bytes_are_told_of_in_json_as_fast_as_letters(folder):
    # Each zero byte is six of JSON, so that as many letters are given to write as much.
    (folder / "letters.http").write_bytes(b"GET http://a.test/" + b"a" * (6 * 2 * MEGABYTE))
    (folder / "zeros.http").write_bytes(b"\0" * (2 * MEGABYTE))

    def least(name):
        results = [postkit(folder, "check", "--json", name) for _ in range(3)]
        assert len(results[0].output) > 12 * MEGABYTE
        return min(result.time for result in results)

    assert least("zeros.http") < least("letters.http")


def as_folder(path):
    path.mkdir()


def as_endless(path):
    path.symlink_to("/dev/zero")


def as_unreadable(path):
    """A file that nobody can read, root neither."""
    path.symlink_to("/proc/self/mem")


def as_circle(path):
    path.symlink_to(path.name)


@pytest.mark.parametrize("make", [as_folder, os.mkfifo, as_endless, as_circle])
@pytest.mark.parametrize("use", USES)
def test_what_is_no_file_is_refused_at_once(make, use, folder, target, usual):
    text, name, words = USES[use]
    if text:
        (folder / "a.http").write_bytes(text.replace(b"$URL", target.url.encode()))
    (folder / "c.pem").write_bytes(b"")
    make(folder / name)
    for command in ["run", "check"]:
        result = postkit(folder, command, "a.http", *words)
        said = result.errors + result.output.decode()
        assert result.peak < usual + SPARE, f"{result.peak // MEGABYTE} MB"
        check_words(said)
        if command == "run":
            assert result.code in (2, 3, 4), said
            assert target.seen == []
        assert name in said or make is as_circle, said


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_nobody_means_well(name, content, folder, target, usual):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(CONTENTS[content])
    (folder / "a.http").write_text(f"GET {target.url}/\n")
    for command in ["run", "check", "env"]:
        result = postkit(folder, command, "a.http")
        assert result.code == 0, result.errors[:1000]
        bound = usual + SPARE + BYTES_PER_BYTE * len(CONTENTS[content])
        assert result.peak < bound, f"{result.peak // MEGABYTE} MB"
        check_words(result.errors)
    assert len(target.seen) == 1


ASKED = [
    "diagnostic",
    "hover",
    "completion",
    "documentSymbol",
    "inlayHint",
    "codeLens",
    "documentLink",
    "formatting",
    "codeAction",
]


class Editor:
    """A client that keeps what it is answered and told."""

    def __init__(self, folder):
        store = folder.parent / "store"
        self.server = Server(store=store, environment={"HOME": str(folder)})
        self.method = {}
        self.results = {}
        self.told = []
        capabilities = {
            "general": {"positionEncodings": ["utf-8"]},
            "textDocument": {
                "diagnostic": {},
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            },
        }
        uri = folder.as_uri()
        self.wait(
            self.ask(
                "initialize",
                {
                    "processId": None,
                    "rootUri": uri,
                    "workspaceFolders": [{"uri": uri, "name": "folder"}],
                    "capabilities": capabilities,
                },
            )
        )
        self.tell("initialized", {})

    def tell(self, method, params):
        self.server.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params):
        id = len(self.method) + 1
        self.method[id] = method
        self.server.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return id

    def wait(self, *ids):
        """Waits for answers; each comes once, and none is an error."""
        while not set(ids) <= set(self.results):
            message = self.server.receive(GUARD)
            if "method" in message:
                assert "id" not in message, message
                self.told.append(message)
                continue
            id = message["id"]
            assert id in self.method and id not in self.results, message
            assert "error" not in message, (self.method[id], message["error"])
            self.results[id] = message["result"]

    def open(self, path, text):
        document = {"uri": path.as_uri(), "languageId": "http", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return path.as_uri()

    def ask_about(self, uri, line, character, *names):
        position = {"line": line, "character": character}
        all_of_it = {"start": {"line": 0, "character": 0}, "end": position}
        extra = {
            "hover": {"position": position},
            "completion": {"position": position},
            "inlayHint": {"range": all_of_it},
            "codeAction": {"range": all_of_it, "context": {"diagnostics": []}},
            "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
        }
        document = {"textDocument": {"uri": uri}}
        return [
            self.ask(f"textDocument/{name}", {**document, **extra.get(name, {})})
            for name in names or ASKED
        ]


@pytest.mark.parametrize("make", [as_folder, os.mkfifo, as_endless, as_unreadable])
@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_are_no_file_are_told_once(name, make, folder, target):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    (folder / "a.http").write_text(f"GET {target.url}/\n")
    # A folder `.env` is one of Python's environments.
    times = 0 if name == ".env" and make is as_folder else 1
    for command in ["run", "check", "env"]:
        result = postkit(folder, command, "a.http")
        said = result.errors + (result.output.decode() if command == "check" else "")
        lines = [line for line in said.splitlines() if str(path) in line]
        assert len(lines) == times, said
        assert all("is ignored" in line and "place" in line for line in lines), said
    editor = Editor(folder)
    try:
        text = (folder / "a.http").read_text()
        uri = editor.open(folder / "a.http", text)
        other = editor.open(folder / "b.http", text)
        editor.wait(*editor.ask_about(uri, 0, 5), *editor.ask_about(other, 0, 5))
        (asked,) = editor.ask_about(uri, 0, 5, "diagnostic")
        editor.wait(asked)
        said = [item["message"] for item in editor.results[asked]["items"]]
        said += [told["params"]["message"] for told in editor.told if "Message" in told["method"]]
        assert len([text for text in said if str(path) in text]) == times, said
    finally:
        editor.server.close()
