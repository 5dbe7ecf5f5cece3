"""The messages and commands of now serve clients of the last release."""

import copy
import json

import pytest
from compatibility import breaks
from metamodel import ROOT

FOLDER = ROOT / "protocol"


def read(name):
    return json.loads((FOLDER / name).read_text())


MODEL = read("postkit.metaModel.json")
COMMANDS = read("commands.json")


def test_clients_of_the_last_release_are_served():
    assert breaks(read("released/postkit.metaModel.json"), MODEL,
                  read("released/commands.json"), COMMANDS) == []


def structure(model, name):
    return next(it for it in model["structures"] if it["name"] == name)


def member(model, of, name):
    return next(it for it in structure(model, of)["properties"] if it["name"] == name)


TEXT = {"kind": "base", "name": "string"}


def lose_method(model):
    model["requests"] = [it for it in model["requests"] if it["method"] != "postkit/history"]


def lose_member(model):
    structure(model, "PostkitHistoryResult")["properties"].pop(0)


def require(model):
    structure(model, "PostkitHistoryParams")["properties"].append({"name": "new", "type": TEXT})


def promise_less(model):
    member(model, "PostkitHistoryResult", "items")["optional"] = True


def narrow(model):
    member(model, "PostkitHistoryParams", "query")["type"] = {"kind": "stringLiteral", "value": "a"}


def widen(model):
    member(model, "PostkitHistoryResult", "revision")["type"] = {
        "kind": "or", "items": [TEXT, {"kind": "base", "name": "uinteger"}]}


def tell_more(model, capability="stream"):
    send = next(it for it in model["requests"] if it["method"] == "postkit/send")
    send["partialResult"]["items"].append({"kind": "reference", "name": "New"})
    model["structures"].append({
        "name": "New", "properties": [], "clientCapability": f"experimental.postkit.{capability}"})


def turn(model):
    model["notifications"][0]["messageDirection"] = "clientToServer"


@pytest.mark.parametrize("change, said", [
    (lose_method, "postkit/history is gone"),
    (lose_member, "PostkitHistoryResult.items is gone"),
    (require, "PostkitHistoryParams.new must be there now"),
    (promise_less, "PostkitHistoryResult.items may be missing now"),
    (narrow, "PostkitHistoryParams.query is narrower"),
    (widen, "PostkitHistoryResult.revision is wider"),
    (tell_more, "postkit/send partialResult is wider"),
    (turn, "postkit/didChangeStore goes the other way"),
], ids=lambda it: getattr(it, "__name__", None))
def test_what_breaks_is_found(change, said):
    changed = copy.deepcopy(MODEL)
    change(changed)
    assert said in breaks(MODEL, changed, COMMANDS, COMMANDS)


def test_a_lost_command_is_found():
    assert breaks(MODEL, MODEL, COMMANDS, COMMANDS[1:]) == [
        f"the command {COMMANDS[0]['command']} is gone"]


def add_optional(model):
    structure(model, "PostkitHistoryParams")["properties"].append(
        {"name": "new", "type": TEXT, "optional": True})


def promise_more(model):
    structure(model, "PostkitHistoryResult")["properties"].append({"name": "new", "type": TEXT})


def tell_more_to_who_wants_it(model):
    structure(model, "PostkitClientCapability")["properties"].append(
        {"name": "more", "type": {"kind": "base", "name": "boolean"}, "optional": True})
    tell_more(model, "more")


@pytest.mark.parametrize("change", [add_optional, promise_more, tell_more_to_who_wants_it])
def test_additions_are_no_break(change):
    changed = copy.deepcopy(MODEL)
    change(changed)
    assert breaks(MODEL, changed, COMMANDS, COMMANDS) == []
