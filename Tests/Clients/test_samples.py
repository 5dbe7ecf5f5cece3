"""Every request that the server knows, with right and with wrong parameters: the wrong ones are
refused with -32602 and the place, the right ones are understood (PROMISES.md Q2, P3)."""

import re

import pytest
from metamodel import ROOT, Model
from rawclient import Server
from samples import BASES, Samples
from test_stock import FULL

MODEL = Model(ROOT / "protocol/lsp.subset.json", ROOT / "protocol/postkit.metaModel.json")
METHODS = [
    method for method, message in MODEL.messages.items()
    if message["messageDirection"] != "serverToClient" and "result" in message
    and message.get("params") and method != "initialize"
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    made = Server(store=folder / "store")
    options = {"postkit": {"testing": True}}
    made.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "processId": None, "rootUri": None, "capabilities": FULL,
        "initializationOptions": options}})
    made.receive()
    made.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    made.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": BASES["DocumentUri"][0], "languageId": "http", "version": 1, "text": "GET x\n"}}})
    yield made
    made.close()


def replies(server, method, samples):
    """What each of the parameters is answered with, in their order."""
    found = []
    for id, params in enumerate(samples):
        # One after the other: of many that ask the same the oldest would be given up.
        server.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        while len(found) == id:
            message = server.receive()
            if "method" not in message:
                assert message["id"] == id
                found.append(message)
            elif "id" in message:
                server.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    return found


@pytest.mark.parametrize("method", METHODS)
def test_wrong_parameters_are_refused_with_their_place(server, method):
    wrong = list(Samples(MODEL).wrong(MODEL.messages[method]["params"]))
    assert wrong
    for (place, params), reply in zip(
            wrong, replies(server, method, [it for _, it in wrong]), strict=True):
        assert reply.get("error", {}).get("code") == -32602, (place, params, reply)
        name = place.split("[")[0].split(".")[-1] or "params"
        assert name in reply["error"]["message"], (place, reply)


# What a type is called in the message that refuses a value of another one.
TYPE = re.compile(r"expected (string|boolean|u?integer|decimal|object|array|null|[A-Z]\w+)\.$")


@pytest.mark.parametrize("method", METHODS)
def test_right_parameters_are_understood(server, method):
    right = Samples(MODEL).right(MODEL.messages[method]["params"])
    for params, reply in zip(right, replies(server, method, right), strict=True):
        error = reply.get("error", {"code": 0, "message": ""})
        # A value of the right type may mean nothing, such as a cursor that never was one.
        assert error["code"] in (0, -32602, -32801, -32803), (params, reply)
        assert not TYPE.search(error["message"]), (params, reply)
