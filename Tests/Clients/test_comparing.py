"""What did this return before: responses compared from a stock client."""

import json
import os
import re
import stat
import urllib.parse
from pathlib import Path

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, without

JSON = "application/json"


def twice(c, folder, target):
    """Sends a request twice, with another answer the second time; its place and the two ids."""
    uri = c.open(folder / "a.http", f"### price\nGET {target.url}/price\n")
    place = {"uri": uri, "position": {"line": 1, "character": 0}}
    ids = []
    for price in (b"12.50", b"12.75"):
        target.bodies["/price"] = (JSON, b'{"price": ' + price + b', "n": 1}')
        ids.append(c.command("postkit.send", place)["id"])
    return place, ids


def actions(c, uri):
    found = c.range("textDocument/codeAction", uri, 1, 1, context={"diagnostics": []})
    return [a for a in found if a["title"] == "Compare with the previous response"]


@pytest.mark.parametrize("keeps_history", [True, False])
def test_an_action_compares_with_the_response_before(store, folder, target, keeps_history):
    (folder / "postkit.json").write_text(json.dumps({"history.enabled": keeps_history}))
    with client(store, folder) as c:
        c.initialize()
        place, (first, second) = twice(c, folder, target)
        [action] = actions(c, place["uri"])
        assert action["kind"] == "postkit.compare"
        uri = c.request("workspace/executeCommand", {
            "command": action["command"]["command"],
            "arguments": action["command"]["arguments"],
        })
        assert uri == f"postkit:/diff/{first}/{second}.diff"
        while c.expect("window/showDocument")["uri"] != uri:
            pass
        text = c.request("workspace/textDocumentContent", {"uri": uri})["text"]
        assert re.match(
            r"--- \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  price  GET http\S+/price\n\+\+\+ ", text)
        assert first not in text and second not in text
        assert "\n-$.price: 12.50\n+$.price: 12.75\n" in text
        assert len(target.seen) == 2
        kept = c.request("postkit/history", {})["items"]
        assert len(kept) == (2 if keeps_history else 0)


def test_the_command_finds_what_is_meant(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        place, (first, second) = twice(c, folder, target)
        wanted = f"postkit:/diff/{first}/{second}.diff"
        for argument in (None, {}, {"b": second}, place, {"a": first, "b": second}):
            assert c.command("postkit.diffResponses", argument) == wanted
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.diffResponses", {"b": first})
        assert caught.value.code == -32803 and "no earlier response" in str(caught.value)
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.diffResponses", {"a": "0" * 36, "b": first})
        assert caught.value.code == -32801
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.diffResponses", {"a": 7})
        assert caught.value.code == -32602


def test_clients_without_content_documents_get_a_file(store, folder, target):
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        place, (first, second) = twice(c, folder, target)
        uri = c.command("postkit.diffResponses", place)
        path = Path(urllib.parse.unquote(uri[7:]))
        assert path == store / "view" / f"{second}-{first}.diff"
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert "+$.price: 12.75\n" in path.read_text()
        # The response itself is a file, in which the same can be asked for.
        response = c.command("postkit.showResponse", {"id": second})
        text = Path(urllib.parse.unquote(response[7:])).read_text()
        shown = c.open(Path(urllib.parse.unquote(response[7:])), text)
        [action] = actions(c, shown)
        assert action["command"]["arguments"] == [{"a": first, "b": second}]
        titles = [
            a["title"]
            for a in c.range("textDocument/codeAction", shown, 1, 1, context={"diagnostics": []})
        ]
        # The text of a response is no request.
        assert titles == [
            "Send again", "Show the body alone", "Show the body as it was received",
            "Show where the time went", "Save the body to a file",
            "Compare with the previous response", "Show earlier responses", "Pin it",
            "Forget it"]


def test_a_request_that_was_sent_once_has_nothing_to_compare(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### one\nGET {target.url}/one\n")
        assert actions(c, uri) == []
        c.command("postkit.send", {"uri": uri, "name": "one"})
        assert actions(c, uri) == []
