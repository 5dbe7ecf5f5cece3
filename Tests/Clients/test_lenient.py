"""Clients that are not quite right: what can be done without is done without, so that they work;
what can't be is refused with its place."""

import pytest
from rawclient import Server

LEAST = {"processId": None, "rootUri": None, "capabilities": {}}
CAPABILITIES = {
    "textDocument": {
        "hover": {"contentFormat": ["asciidoc", "markdown"]},
        "completion": {"completionItem": {"documentationFormat": ["asciidoc"]}},
        "publishDiagnostics": {"tagSupport": {"valueSet": [1, 99]}},
    },
    "general": {"positionEncodings": ["utf-7", "utf-8"]},
}


def without(name):
    return {key: value for key, value in LEAST.items() if key != name}


def end(server):
    server.send({"jsonrpc": "2.0", "id": 9, "method": "shutdown"})
    while server.receive().get("id") != 9:
        pass
    server.send({"jsonrpc": "2.0", "method": "exit"})
    assert server.wait() == 0
    server.close()


def started(store, params, initialized=None):
    """A server and its answer to those parameters of `initialize`."""
    server = Server(store=store)
    server.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    answer = server.receive()
    if "result" in answer:
        server.send({"jsonrpc": "2.0", "method": "initialized", **(initialized or {})})
    return server, answer


def asked(server, method, params):
    server.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    while True:
        message = server.receive()
        if message.get("id") == 1 and "method" not in message:
            return message


@pytest.mark.parametrize("params", [
    {},
    without("processId"),
    without("rootUri"),
    without("capabilities"),
    {**LEAST, "capabilities": None},
    {**LEAST, "workspaceFolders": None, "clientInfo": None, "trace": None},
    {**LEAST, "trace": "loud"},
    {**LEAST, "capabilities": CAPABILITIES},
    {**LEAST, "initializationOptions": []},
])
@pytest.mark.parametrize("initialized", [{}, {"params": None}, {"params": {}}])
def test_what_a_client_leaves_out_or_we_do_not_know_stops_no_session(store, params, initialized):
    server, answer = started(store, params, initialized)
    assert "result" in answer, answer
    if params.get("capabilities") == CAPABILITIES:
        assert answer["result"]["capabilities"]["positionEncoding"] == "utf-8"
    end(server)


def test_of_a_list_what_is_known_counts(store, folder):
    server, _ = started(store, {**LEAST, "capabilities": CAPABILITIES})
    uri = (folder / "a.http").as_uri()
    server.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": uri, "languageId": "http", "version": 1.0, "text": "GET http://a.test/\n"}}})
    place = {"textDocument": {"uri": uri}, "position": {"line": 0.0, "character": 1.0}}
    hover = asked(server, "textDocument/hover", place)["result"]
    assert hover["contents"]["kind"] == "markdown"
    span = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    diagnostic = {"range": span, "message": "x", "severity": 9, "tags": [7]}
    answer = asked(server, "textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": span,
        "context": {"diagnostics": [diagnostic], "triggerKind": 9}})
    assert "result" in answer, answer
    end(server)


@pytest.mark.parametrize("params, place", [
    ({**LEAST, "processId": "5"}, "params.processId"),
    ({**LEAST, "capabilities": []}, "params.capabilities"),
    ({**LEAST, "trace": 5}, "params.trace"),
    ({**LEAST, "capabilities": {"general": {"positionEncodings": [8]}}}, "positionEncodings[0]"),
    ([], "params"),
])
def test_what_is_of_another_kind_is_refused_with_its_place(store, params, place):
    server, answer = started(store, params)
    assert answer["error"]["code"] == -32602
    assert place in answer["error"]["message"]
    server.close()
