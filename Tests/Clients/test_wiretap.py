"""The wire tap finds what it is there for: each message here breaks one rule, or breaks none."""

import json
import os
import subprocess
import sys

import pytest
from metamodel import ROOT, Violation
from rawclient import TIMEOUT, Server, binary
from wiretap import ABILITIES, REGISTERED, Tap

CAPABILITIES = {
    "workspace": {
        "configuration": True, "applyEdit": True, "inlayHint": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {"diagnostic": {}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}
RESULT = {"capabilities": {
    "positionEncoding": "utf-8", "experimental": {"postkit": {"version": 1, "methods": []}}}}
PLACE = {"textDocument": {"uri": "file:///a.http"}, "position": {"line": 0, "character": 0}}
SPAN = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
HOVER = {"contents": {"kind": "plaintext", "value": "x"}}


def tapped(capabilities=CAPABILITIES, **more):
    """A tap behind the answer to `initialize`."""
    tap = Tap()
    params = {"processId": None, "rootUri": None, "capabilities": capabilities, **more}
    tap.client({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    reply(tap, 0, RESULT)
    return tap


def ask(tap, id=1, method="textDocument/hover", params=PLACE):
    tap.client({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


def reply(tap, id=1, result=HOVER, **more):
    tap.server({"jsonrpc": "2.0", "id": id, "result": result, **more})


def fail(tap, id=1, code=-32803, message="Why.", **more):
    error = {"code": code, "message": message, **more}
    tap.server({"jsonrpc": "2.0", "id": id, "error": error})


def tell(tap, method, params, **more):
    tap.server({"jsonrpc": "2.0", "method": method, "params": params, **more})


def progress(tap, value, token="t"):
    tell(tap, "$/progress", {"token": token, "value": value})


def begin(tap, token="t"):
    progress(tap, {"kind": "begin", "title": "x"}, token)


def test_what_is_in_order_passes():
    tap = tapped()
    ask(tap, 1, params={**PLACE, "workDoneToken": "t"})
    begin(tap)
    progress(tap, {"kind": "report", "message": "x"})
    progress(tap, {"kind": "end"})
    reply(tap)
    ask(tap, "1")
    fail(tap, "1")
    tell(tap, "window/workDoneProgress/create", {"token": 5}, id=7)
    tap.client({"jsonrpc": "2.0", "id": 7, "result": None})
    begin(tap, 5)
    ask(tap, 2, "workspace/symbol", {"query": "", "partialResultToken": "p"})
    progress(tap, [], "p")
    reply(tap, 2, [])
    tell(tap, "window/logMessage", {"type": 3, "message": "x"})
    tell(tap, "window/showMessage", {
        "type": 3, "message": "Use `postkit run a.http -e dev` in a terminal."})
    ask(tap, 3, "shutdown", None)
    reply(tap, 3, None)
    progress(tap, {"kind": "end"}, 5)


WRONG = {
    "no version": lambda tap: tap.server({"id": 1, "result": None}),
    "an unknown member": lambda tap: (ask(tap), reply(tap, result={**HOVER, "x": 1})),
    "an unknown member further in": lambda tap: (
        ask(tap), reply(tap, result={"contents": {**HOVER["contents"], "x": 1}})),
    "an unknown member of the reply": lambda tap: (ask(tap), reply(tap, x=1)),
    "an unknown member of a notification": lambda tap: tell(
        tap, "window/logMessage", {"type": 3, "message": "x"}, x=1),
    "a missing member": lambda tap: (ask(tap), reply(tap, result={})),
    "a wrong type": lambda tap: (ask(tap), reply(tap, result=5)),
    "a result and an error": lambda tap: (ask(tap), reply(tap, error={"code": -32803})),
    "a second answer": lambda tap: (ask(tap), reply(tap), reply(tap)),
    "an answer to nobody": lambda tap: reply(tap, 9),
    "an answer to a number by a text": lambda tap: (ask(tap), reply(tap, "1")),
    "an unknown code": lambda tap: (ask(tap), fail(tap, code=-1)),
    "a mistake of the server": lambda tap: (ask(tap), fail(tap, code=-32603)),
    "an error without words": lambda tap: (ask(tap), fail(tap, message=" ")),
    "an option of the command line": lambda tap: (
        ask(tap), fail(tap, message="Give it with `--input x=VALUE`.")),
    "an environment of the command line": lambda tap: tell(
        tap, "window/showMessage", {"type": 3, "message": "Choose it with `-e dev`."}),
    "an error with more": lambda tap: (ask(tap), fail(tap, x=1)),
    "an unknown method": lambda tap: tell(tap, "window/noSuch", {}),
    "a message of the client's": lambda tap: tell(tap, "textDocument/didClose", {}),
    "a request without an id": lambda tap: tell(tap, "workspace/inlayHint/refresh", None),
    "an id that is a text": lambda tap: tell(tap, "workspace/inlayHint/refresh", None, id="7"),
    "an id that was used": lambda tap: [
        tell(tap, "workspace/inlayHint/refresh", None, id=7) for _ in range(2)],
    "what was not declared": lambda tap: tell(tap, "workspace/codeLens/refresh", None, id=7),
    "a pull and a push": lambda tap: tell(
        tap, "textDocument/publishDiagnostics", {"uri": "file:///a", "diagnostics": []}),
    "a trace that nobody wants": lambda tap: tell(tap, "$/logTrace", {"message": "x"}),
    "a registration": lambda tap: tell(
        tap, "client/registerCapability",
        {"registrations": [{"id": "a", "method": "workspace/didChangeConfiguration"}]}, id=7),
    "options of a registration": lambda tap: tell(
        tap, "client/registerCapability",
        {"registrations": [{"id": "a", "method": "workspace/didChangeWatchedFiles",
                            "registerOptions": {"watchers": [{"glob": "*"}]}}]}, id=7),
    "a token that nobody made": begin,
    "a report before the begin": lambda tap: (
        ask(tap, params={**PLACE, "workDoneToken": "t"}), progress(tap, {"kind": "report"})),
    "a begin twice": lambda tap: (
        ask(tap, params={**PLACE, "workDoneToken": "t"}), begin(tap), begin(tap)),
    "an end twice": lambda tap: (
        ask(tap, params={**PLACE, "workDoneToken": "t"}), begin(tap),
        progress(tap, {"kind": "end"}), progress(tap, {"kind": "end"})),
    "no end before the reply": lambda tap: (
        ask(tap, params={**PLACE, "workDoneToken": "t"}), begin(tap), reply(tap)),
    "progress after the reply": lambda tap: (
        ask(tap, params={**PLACE, "workDoneToken": "t"}), reply(tap), begin(tap)),
    "progress that goes back": lambda tap: (
        ask(tap, params={**PLACE, "workDoneToken": "t"}), begin(tap),
        progress(tap, {"kind": "report", "percentage": 9}),
        progress(tap, {"kind": "report", "percentage": 8})),
    "a display that was not taken": lambda tap: (
        tell(tap, "window/workDoneProgress/create", {"token": 5}, id=7),
        tap.client({"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "x"}}),
        begin(tap, 5)),
    "parts and a result": lambda tap: (
        ask(tap, 2, "textDocument/references",
            {**PLACE, "context": {"includeDeclaration": True}, "partialResultToken": "p"}),
        progress(tap, [], "p"), reply(tap, 2, [{"uri": "file:///a", "range": SPAN}])),
    "a part of another type": lambda tap: (
        ask(tap, 2, "workspace/symbol", {"query": "", "partialResultToken": "p"}),
        progress(tap, {}, "p")),
    "a command's result": lambda tap: (
        ask(tap, 2, "workspace/executeCommand", {"command": "postkit.cancel"}),
        reply(tap, 2, "x")),
    "something after shutdown": lambda tap: (
        ask(tap, 2, "shutdown", None), reply(tap, 2, None),
        tell(tap, "workspace/inlayHint/refresh", None, id=7)),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_what_is_not_in_order_is_found(wrong):
    tap = tapped()
    with pytest.raises(Violation):
        wrong(tap)


def test_nothing_but_the_log_comes_before_the_answer_to_initialize():
    tap = Tap()
    tap.client({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "capabilities": CAPABILITIES}})
    tell(tap, "window/logMessage", {"type": 3, "message": "x"})
    with pytest.raises(Violation):
        tell(tap, "workspace/inlayHint/refresh", None, id=7)


def test_every_message_of_the_server_needs_an_ability_or_needs_none():
    free = {"window/showMessage", "window/logMessage", "$/progress", "$/logTrace",
            "$/cancelRequest", "textDocument/publishDiagnostics", "client/registerCapability",
            # The protocol has no ability for it; who can't answer it says so.
            "window/showMessageRequest"}
    ours = {method for method, it in Tap().model.messages.items()
            if it["messageDirection"] != "clientToServer"}
    subset = json.loads((ROOT / "protocol/lsp.subset.json").read_text())
    spoken = {it["method"] for it in subset["requests"] + subset["notifications"]}
    spoken |= {method for method in ours if method.startswith("postkit/")}
    assert ours & spoken == ABILITIES.keys() | free
    assert REGISTERED.keys() <= spoken


def test_what_no_test_takes_up_is_looked_at(store):
    server = Server(store=store)
    server.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "processId": None, "rootUri": None, "capabilities": {}}})
    server.frames.get(timeout=TIMEOUT)
    # An answer to what the tap has not seen, as if the server had said it twice.
    server.frames.put(b'{"jsonrpc": "2.0", "id": 5, "result": null}')
    server.close()
    with pytest.raises(Violation):
        server.check_rest()


def test_a_tapped_program_is_the_program(store, tmp_path):
    told = tmp_path / "told"
    environment = {**os.environ, "POSTKIT_HOME": str(store), "POSTKIT_TAPPED": binary(),
                   "POSTKIT_TAP": str(told)}
    program = str(ROOT / "Tests/Clients/wiretap.py")
    run = subprocess.run([program, "--version"], env=environment, capture_output=True)
    assert run.returncode == 0 and run.stdout.startswith(b"postkit")
    environment.pop("POSTKIT_HOME")
    server = Server(store=store, command=[program, "lsp"], environment=environment)
    try:
        server.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "processId": None, "rootUri": None, "capabilities": {}}})
        assert server.receive()["result"]["serverInfo"]["name"] == "postkit"
        assert not told.exists()
        # The client's side is held against the model as well.
        server.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}})
        server.send({"jsonrpc": "2.0", "id": 1, "method": "shutdown"})
        while "id" not in (message := server.receive()):
            assert message["method"] == "window/logMessage"
        assert message["id"] == 1
        server.send({"jsonrpc": "2.0", "method": "exit"})
        assert server.wait() == 0
        assert "textDocument is missing" in told.read_text()
    finally:
        server.close()


EDITOR = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from rawclient import Server
server = Server(store=Path(sys.argv[2]))
server.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "processId": None, "rootUri": None, "capabilities": {}}})
server.receive()
params = json.loads(sys.argv[3])
server.send({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": params})
server.send({"jsonrpc": "2.0", "method": "exit"})
server.wait()
"""


@pytest.mark.parametrize(
    ("params", "code"), [('{"textDocument": {"uri": "file:///a"}}', 0), ("{}", 1)])
def test_the_tests_of_an_editor_fail_by_what_is_not_allowed(store, params, code):
    clients = ROOT / "Tests/Clients"
    editor = [sys.executable, "-c", EDITOR, str(clients), str(store), params]
    run = subprocess.run(
        [str(clients / "wiretap.py"), "--run", *editor], capture_output=True, text=True,
        env={**os.environ, "POSTKIT_BIN": binary()})
    assert run.returncode == code, run.stderr
    assert ("not allowed: Violation: textDocument/didClose" in run.stdout) == bool(code)
