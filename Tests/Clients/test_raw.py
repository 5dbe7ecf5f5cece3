"""Raw bytes against the built server: frames, lifecycle, exit codes, signals (F1 to F15)."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from metamodel import ROOT
from rawclient import TIMEOUT, Ended, Server, binary, is_late

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


@pytest.fixture
def server(store):
    made = Server(store=store)
    yield made
    made.close()


def frame(message, header=b"Content-Length: %d\r\n\r\n"):
    body = json.dumps(message).encode()
    return header % len(body) + body


@pytest.mark.parametrize("name", [b"Content-Length", b"content-length", b"CONTENT-LENGTH"])
@pytest.mark.parametrize("colon", [b": ", b":", b" :\t"])
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize(
    "extra", [b"", b"Content-Type: application/vscode-jsonrpc; charset=utf8%s", b"X: y%s"]
)
def test_headers_are_read_tolerantly(server, name, colon, end, extra):
    extra = extra.replace(b"%s", end)
    server.write(frame(INITIALIZE, extra + name + colon + b"%d" + end + extra + end))
    assert server.receive()["result"]["serverInfo"]["name"] == "postkit"


def test_a_session_in_single_bytes(server):
    for byte in frame(INITIALIZE) + frame({"jsonrpc": "2.0", "method": "exit"}):
        server.write(bytes([byte]))
    assert server.receive()["id"] == 0
    assert server.wait() == 1


def test_garbage_before_a_message_is_survived(server):
    server.write(b"welcome to the jungle\r\n" + frame(INITIALIZE))
    assert server.receive()["id"] == 0


@pytest.mark.parametrize(
    "garbage",
    [
        b"hello\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"Content-Length: 99999999999999999999999\r\n\r\n",
        b"X: " + b"a" * 20_000,
        b"lorem ipsum\n" * 10_000,
    ],
)
def test_garbage_alone_ends_the_server(server, garbage):
    try:
        server.write(garbage)
    except BrokenPipeError:
        pass
    assert server.wait(TIMEOUT) == 1
    assert b"error" in server.errors or not server.frames.empty()


def test_bodies_that_are_no_messages(server):
    server.send(INITIALIZE)
    server.receive()
    cases = [
        (b'{"jsonrpc', -32700),
        (b"\xff\xfe", -32700),
        (b'{"id":1,"method":"\xff"}', -32700),
        (b"[" * 20_000, -32700),
        (b"NaN", -32700),
        (b"[]", -32600),
        (b'{"id":null,"method":"a"}', -32600),
        (b'{"id":1.5,"method":"a"}', -32600),
    ]
    for body, code in cases:
        server.send(body)
        answer = server.receive()
        assert answer["id"] is None and answer["error"]["code"] == code, body[:40]


@pytest.mark.parametrize("end", ["exit", "eof"])
@pytest.mark.parametrize("state", ["fresh", "initialized", "shutdown"])
def test_exit_codes(server, state, end):
    if state != "fresh":
        server.send(INITIALIZE)
        server.receive()
    if state == "shutdown":
        server.send({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
        assert server.receive()["result"] is None
    if end == "exit":
        server.send({"jsonrpc": "2.0", "method": "exit"})
    else:
        server.process.stdin.close()
    assert server.wait() == (0 if state == "shutdown" else 1)
    assert server.stray == b""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_end_the_server_in_order(server, number):
    server.send(INITIALIZE)
    server.receive()
    server.process.send_signal(number)
    assert server.wait() == 128 + number


@pytest.mark.parametrize("how", ["processId", "--clientProcessId"])
def test_the_server_ends_with_its_client(store, how):
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        arguments = ["--clientProcessId", str(parent.pid)] if how.startswith("--") else []
        server = Server(*arguments, store=store)
        message = json.loads(json.dumps(INITIALIZE))
        if not arguments:
            message["params"]["processId"] = parent.pid
        server.send(message)
        server.receive()
        parent.kill()
        parent.wait()
        assert server.wait(TIMEOUT) == 1
        server.close()
    finally:
        if parent.poll() is None:
            parent.kill()


def test_the_server_ends_when_its_client_had_ended_before(server):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    message = json.loads(json.dumps(INITIALIZE))
    message["params"]["processId"] = gone.pid
    server.send(message)
    assert server.wait(TIMEOUT) == 1


# The first processes of a container have small numbers; the last was never given to a process.
@pytest.mark.parametrize("pid", [7, 4_194_303])
def test_a_process_that_cannot_be_seen_is_ignored(server, pid):
    while os.path.exists(f"/proc/{pid}"):
        pid += 1
    message = json.loads(json.dumps(INITIALIZE))
    message["params"]["processId"] = pid
    server.send(message)
    server.receive()
    server.send({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
    assert server.receive()["id"] == 1


def test_a_client_that_does_not_read_does_not_block_the_server(store, folder):
    """Requests flood in, nobody reads; a cancel still arrives, every request is answered once."""
    server = Server(store=store, command=[binary(), "lsp"])
    count = 3_000
    try:
        server.send(INITIALIZE)
        server.receive()
        uri = (folder / "a.http").as_uri()
        text = "GET http://127.0.0.1/\n\n###\n" * 200
        document = {"uri": uri, "languageId": "http", "version": 1, "text": text}
        server.send(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didOpen",
                "params": {"textDocument": document},
            }
        )
        asked = {}
        for id in range(1, count + 1):
            asked[id] = time.monotonic()
            server.send(
                {
                    "jsonrpc": "2.0",
                    "id": id,
                    "method": "textDocument/hover",
                    "params": {
                        "textDocument": {"uri": uri},
                        "position": {"line": id % 600, "character": 1},
                    },
                }
            )
            if id % 3 == 0:
                server.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}})
        seen, results = [], 0
        while len(seen) < count:
            message = server.receive()
            if "id" in message:
                seen.append(message["id"])
                error = message.get("error")
                assert error is None or error["code"] == -32800 or is_late(
                    message, asked[message["id"]]), message
                results += error is None
        assert sorted(seen) == list(range(1, count + 1)) and results > 0
    finally:
        server.close()


def test_a_closed_output_ends_the_server(store):
    process = subprocess.Popen(
        [binary(), "lsp", "--store", str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.stdout.close()
        process.stdin.write(frame(INITIALIZE))
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 1
    finally:
        process.kill()
        process.stdin.close()


def test_start_on_a_terminal_says_what_it_is(store):
    import pty

    leader, follower = pty.openpty()
    result = subprocess.run(
        [binary(), "lsp"],
        stdin=follower,
        capture_output=True,
        timeout=TIMEOUT,
        text=True,
        check=False,
    )
    os.close(leader)
    os.close(follower)
    assert result.returncode == 2 and "editor" in result.stderr and result.stdout == ""


def transcripts():
    folder = ROOT / "Tests/PostKitServerTests/Transcripts"
    return sorted(folder.glob("*.transcript"))


def steps(text):
    """The steps of a transcript: marks with their text, continuation lines joined."""
    found = []
    for line in text.splitlines():
        if line.startswith(" ") and found:
            found[-1][1] += "\n" + line
        elif line and not line.startswith("//"):
            found.append([line[:3], line[3:].strip()])
    return found


def matches(value, expected):
    if expected == "«any»":
        return True
    if isinstance(expected, dict):
        return isinstance(value, dict) and all(
            (key not in value)
            if wanted == "«absent»"
            else key in value and matches(value[key], wanted)
            for key, wanted in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(value, list)
            and len(value) == len(expected)
            and all(map(matches, value, expected))
        )
    return value == expected and isinstance(value, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("path", transcripts(), ids=lambda path: path.stem)
def test_transcripts_against_the_binary(server, path):
    """The sessions that the server's own tests run in process, over pipes."""
    received = []
    for mark, text in steps(path.read_text()):
        if mark == "-->" and text == "EOF":
            server.process.stdin.close()
        elif mark == "-->":
            server.send(text.encode())
        elif mark == "<==":
            assert server.wait() == int(text)
        else:
            expected = json.loads(text)
            expected = {
                **expected,
                **(
                    {"result": {**expected["result"], "serverInfo": {"name": "postkit"}}}
                    if isinstance(expected.get("result"), dict)
                    and "serverInfo" in expected["result"]
                    else {}
                ),
            }
            while not any(matches(message, expected) for message in received):
                received.append(server.receive())
            received.remove(next(m for m in received if matches(m, expected)))
    if server.process.poll() is not None:
        with pytest.raises(Ended):
            while True:
                received.append(server.receive())
    # The log is the server's own business.
    left = [m for m in received if m.get("method") != "window/logMessage"]
    assert left == []
