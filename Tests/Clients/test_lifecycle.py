"""What may be said when, and to whom it is answered: frames, ids and the end (L1 to L12)."""

import json
import os
import signal
import subprocess
import time

import pytest
from rawclient import TIMEOUT, Client, Ended, ResponseError, Server, binary, is_late
from test_raw import INITIALIZE, frame
from test_stock import FULL, client

HOVER = {"textDocument": {"uri": "file:///none.http"}, "position": {"line": 0, "character": 0}}


@pytest.fixture
def server(store):
    made = Server(store=store)
    yield made
    made.close()


def told(method, params=None):
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def asked(id, method, params=None):
    return {"id": id, **told(method, params)}


def answered(server):
    """The next answer; the log is the server's own business."""
    while (message := server.receive()).get("method") == "window/logMessage":
        pass
    return message


def reach(server, state):
    """Brings a session to a state."""
    if state != "fresh":
        server.send(INITIALIZE)
        assert server.receive()["id"] == 0
    if state in ("ready", "over"):
        server.send(told("initialized", {}))
    if state == "over":
        server.send(asked("down", "shutdown"))
        assert answered(server) == {"jsonrpc": "2.0", "id": "down", "result": None}


# What each message is answered with in each state: a code, `result`, `nothing` or an exit.
STATES = ["fresh", "answered", "ready", "over"]
MATRIX = {
    "initialize": ["result", -32600, -32600, -32600],
    "shutdown": [-32002, "result", "result", -32600],
    "textDocument/hover": [-32002, -32602, -32602, -32600],
    "no/such": [-32002, -32601, -32601, -32600],
    "$/noSuch": [-32002, -32601, -32601, -32600],
    "initialized, told": ["nothing"] * 4,
    "textDocument/didClose, told": ["nothing"] * 4,
    "$/noSuch, told": ["nothing"] * 4,
    "$/cancelRequest, told": ["nothing"] * 4,
    "exit, told": ["exit 1", "exit 1", "exit 1", "exit 0"],
}
PARAMS = {
    "initialize": INITIALIZE["params"], "textDocument/hover": HOVER, "initialized": {},
    "textDocument/didClose": {"textDocument": HOVER["textDocument"]}, "$/cancelRequest": {"id": 7},
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", MATRIX)
def test_each_state_answers_each_message_in_its_way(server, state, what):
    method, _, is_told = what.partition(", ")
    expected = MATRIX[what][STATES.index(state)]
    reach(server, state)
    params = PARAMS.get(method)
    server.send(told(method, params) if is_told else asked(1, method, params))
    if str(expected).startswith("exit"):
        assert server.wait() == int(expected[5:])
        return
    if expected != "nothing":
        answer = answered(server)
        assert answer["id"] == 1
        assert ("result" if "result" in answer else answer["error"]["code"]) == expected
    # The session goes on: another request is refused in words, or answered.
    server.send(asked(2, "no/such"))
    answer = answered(server)
    states = {"initialize": "answered", "shutdown": "over"} if expected == "result" else {}
    assert answer["id"] == 2
    assert answer["error"]["code"] == MATRIX["no/such"][STATES.index(states.get(method, state))]


def test_an_unknown_method_is_logged_once(store, folder):
    with Client(store, {}, folder=folder) as c:
        c.initialize()
        for _ in range(3):
            c.server.send(told("no/notice", {}))
            with pytest.raises(ResponseError) as caught:
                c.pending[c.next_id] = "no/request"
                c.server.send(asked(c.next_id, "no/request"))
                c.next_id += 1
                c.finish(c.next_id - 1)
            assert caught.value.code == -32601
        c.request("postkit/environments", {})
        said = [m["params"]["message"] for m in c.notifications
                if m["method"] == "window/logMessage"]
        assert len([line for line in said if "no/notice" in line]) == 1
        assert len([line for line in said if "no/request" in line]) == 1


def test_ids_come_back_as_they_were(store, folder, target):
    ids = [1, "1", 0, -7, 2**31 - 1, "", "ü", "null", "a" * 300]
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        for id in ids:
            c.pending[id] = "postkit/send"
            c.server.send(asked(id, "postkit/send", {
                "textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}))
        # All of them are under way, so that 1 and "1" would be taken for each other.
        for id in reversed(ids):
            c.server.send(told("$/cancelRequest", {"id": id}))
            while id not in c.results:
                c.step()
            assert type(c.results[id]["id"]) is type(id)
            assert c.results[id]["error"]["code"] == -32800
            assert [other for other in ids if other in c.results] == ids[ids.index(id):]


def test_an_id_in_use_is_refused_and_its_first_request_goes_on(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/slow\n")
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        id = c.start("postkit/send", place)
        assert target.hanging.wait(TIMEOUT)
        c.server.send(asked(id, "textDocument/hover", place))
        c.step()
        while id not in c.results:
            c.step()
        assert c.results.pop(id)["error"]["code"] == -32600
        c.pending[id] = "postkit/send"
        target.release.set()
        assert c.finish(id)["status"] == 200
        assert len(target.seen) == 1


@pytest.mark.parametrize("charset", ["utf-16", "latin1", '"us-ascii"'])
def test_another_charset_is_refused_and_the_session_goes_on(server, charset):
    head = b"Content-Type: application/vscode-jsonrpc; charset=%s\r\n" % charset.encode()
    server.write(frame(INITIALIZE, head + b"Content-Length: %d\r\n\r\n"))
    answer = server.receive()
    assert answer["id"] is None and answer["error"]["code"] == -32700
    assert "UTF-8" in answer["error"]["message"] or "utf-8" in answer["error"]["message"]
    server.write(frame(INITIALIZE))
    assert server.receive()["id"] == 0


@pytest.mark.parametrize("head", [
    b"Content-Length: -5\r\n\r\n",
    b"Content-Length: 5 6\r\n\r\n",
    b"Content-Length: 0x10\r\n\r\n",
    b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
    b"Content-Length: 18446744073709551621\r\n\r\n",
    b"Content-Type: application/vscode-jsonrpc\r\n\r\n",
    b"X: " + b"a" * 1_000_000 + b"\r\n\r\n",
], ids=["negative", "two", "hexadecimal", "duplicate", "overflow", "absent", "a megabyte"])
def test_a_length_that_says_nothing_is_never_waited_for(server, head):
    try:
        server.write(head + frame(INITIALIZE))
    except BrokenPipeError:
        pass
    # Either the message behind it is found, or the server ends with a word; it never hangs.
    try:
        while server.receive().get("id") != 0:
            pass
    except Ended:
        assert server.wait(TIMEOUT) == 1
        assert server.errors


def test_a_message_above_the_limit_is_left_out_and_the_next_one_read(server):
    size = 65 << 20
    server.write(b"Content-Length: %d\r\n\r\n" % size)
    part = b" " * (1 << 20)
    for _ in range(65):
        server.write(part)
    server.write(frame(INITIALIZE))
    answers = [server.receive(), server.receive()]
    assert {answer["id"] for answer in answers} == {None, 0}
    refused = next(answer for answer in answers if answer["id"] is None)
    assert refused["error"]["code"] in (-32600, -32700) and "64" in refused["error"]["message"]
    with open(f"/proc/{server.process.pid}/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    # In kB: it was not kept.
    assert peak < 60_000


def test_json_that_is_odd_has_one_meaning(store, folder):
    options = {"postkit": {"testing": True}}
    with client(store, folder, options=options) as c:
        c.initialize()

        def opened(text, uri="file:///a.http"):
            c.server.send(
                b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{'
                b'"uri":"%s","languageId":"http","version":1,%s}}}' % (uri.encode(), text))
            return c.request("postkit/debug/text", {"textDocument": {"uri": uri}})["text"]

        # The last of two equal keys counts; half of a pair is no character; NUL is one.
        assert opened(b'"text":"first","text":"last"') == "last"
        assert opened(rb'"text":"a\ud800b\udc00c"') == "a\ufffdb\ufffdc"
        assert opened(rb'"text":"a\ud83d\ude00b"') == "a😀b"
        assert opened(rb'"text":"a\u0000b"') == "a\0b"
        for number, code in [(b"2147483648", -32602), (b"1e3", None), (b"1.0", None),
                             (b"1.5", -32602), (b"-1", -32602), (b"9" * 400, -32602)]:
            id = c.next_id
            c.next_id += 1
            c.pending[id] = "textDocument/hover"
            c.server.send(
                b'{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":'
                b'{"uri":"file:///a.http"},"position":{"line":%s,"character":0}}}' % (id, number))
            if code is None:
                c.finish(id)
                continue
            with pytest.raises(ResponseError) as caught:
                c.finish(id)
            assert caught.value.code == code and "line" in caught.value.message


def test_nothing_in_the_process_can_write_between_the_frames(server):
    server.send(INITIALIZE)
    server.receive()
    folder = f"/proc/{server.process.pid}/fd"
    standard = {number: os.readlink(f"{folder}/{number}") for number in "012"}
    # What prints, prints to standard error; the pipe to the client is another number.
    assert standard["1"] == standard["2"]
    ours = os.readlink(f"/proc/self/fd/{server.process.stdout.fileno()}")
    assert standard["1"] != ours
    assert ours in [os.readlink(f"{folder}/{number}") for number in os.listdir(folder)]


def test_what_is_not_read_waits_and_a_cancel_arrives_all_the_same(store, folder, target):
    """The client stops reading until the pipe and more are full, and cancels a send meanwhile."""
    server = Server(store=store)
    server.hold()
    try:
        server.send({**INITIALIZE, "params": {**INITIALIZE["params"], "capabilities": FULL}})
        uri = (folder / "a.http").as_uri()
        text = "".join(f"### r{n}\nGET {target.url}/hang\n" for n in range(1_000))
        server.send(told("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1, "text": text}}))
        place = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 0}}
        server.send(asked("send", "postkit/send", place))
        assert target.hanging.wait(TIMEOUT)
        began = time.monotonic()
        count = 40
        for id in range(1, count + 1):
            # Each answer is larger than the pipe; another document each, so that none is given up.
            other = {"uri": f"{uri}{id}", "languageId": "http", "version": 1, "text": text}
            server.send(told("textDocument/didOpen", {"textDocument": other}))
            server.send(asked(id, "textDocument/documentSymbol", {
                "textDocument": {"uri": other["uri"]}}))
        server.send(told("$/cancelRequest", {"id": "send"}))
        assert target.closed.wait(TIMEOUT), "the cancel was not read"
        assert server.frames.empty()
        server.go_on()
        answers = {}
        while len(answers) < count + 2:
            message = server.receive()
            if "method" not in message:
                answers[message["id"]] = message
        assert answers["send"]["error"]["code"] == -32800
        found = [answers[id] for id in range(1, count + 1)]
        assert [it for it in found if len(it.get("result", [])) != 1_000
                and not is_late(it, began)] == []
        assert any("result" in it for it in found)
    finally:
        server.go_on()
        server.close()


def test_an_output_that_closes_after_shutdown_ends_it_well(store):
    process = subprocess.Popen(
        [binary(), "lsp", "--store", str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        process.stdin.write(frame(INITIALIZE) + frame(asked("down", "shutdown")))
        process.stdin.flush()
        seen = b""
        while b'"down"' not in seen:
            seen += process.stdout.read1()
        # The answer to what comes now finds nobody.
        process.stdout.close()
        process.stdin.write(frame(asked(2, "textDocument/hover", HOVER)))
        process.stdin.flush()
        assert process.wait(TIMEOUT) == 0
    finally:
        process.kill()
        process.wait()
        process.stdin.close()


def shut_down(c):
    c.request("shutdown")
    c.notify("exit")
    return 0


def leave(c):
    c.notify("exit")
    return 1


def close_input(c):
    c.server.process.stdin.close()
    return 1


def signalled(number):
    def end(c):
        c.server.process.send_signal(number)
        return 128 + number

    end.__name__ = signal.Signals(number).name
    return end


@pytest.mark.parametrize(
    "end", [shut_down, leave, close_input, signalled(signal.SIGTERM), signalled(signal.SIGINT),
            signalled(signal.SIGHUP)], ids=lambda end: end.__name__)
def test_every_end_closes_the_sockets_and_leaves_a_record(store, folder, target, end):
    began = time.monotonic()
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        c.start("workspace/executeCommand", {"command": "postkit.send", "arguments": [
            {"uri": uri, "position": {"line": 0, "character": 0}}]})
        assert target.hanging.wait(TIMEOUT)
        beginning = time.monotonic() - began
        began = time.monotonic()
        code = end(c)
        assert c.server.wait() == code
        # Half a second to leave a record, and what else a slow machine needs, as it does to begin.
        assert time.monotonic() - began < 5 + 20 * beginning
        assert target.closed.wait(TIMEOUT)
    with client(store, folder) as c:
        c.initialize()
        items = c.request("postkit/history", {})["items"]
        assert [item["state"] for item in items] == ["cancelled"]


@pytest.mark.parametrize(("words", "code"), [(["--stdio"], 0), (["--what"], 2), (["--pipe"], 2)])
def test_the_words_it_is_started_with(store, words, code):
    run = subprocess.run(
        [binary(), "lsp", *words], capture_output=True, timeout=TIMEOUT,
        input=frame(INITIALIZE) + frame(asked(1, "shutdown")) + frame(told("exit")),
        env={**os.environ, "POSTKIT_HOME": str(store)})
    assert run.returncode == code
    if code == 0:
        first = run.stdout.partition(b"\r\n\r\n")[2]
        assert json.JSONDecoder().raw_decode(first.decode())[0]["id"] == 0
    else:
        # On standard error: what reads standard output waits for frames.
        assert run.stdout == b"" and words[0].encode() in run.stderr
