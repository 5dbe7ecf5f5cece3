"""A send that is cancelled as soon as it was asked for, before anything of it has begun."""

import pytest
from rawclient import ResponseError
from test_questions import ASKING
from test_stock import client

OWN = "postkit/send"
COMMAND = "workspace/executeCommand"


def ask(c, uri, form):
    """Asks for a send in one of the ways there are, under a token of the client's own."""
    place = {"line": 0, "character": 0}
    params = {
        "own": (OWN, {"textDocument": {"uri": uri}, "position": place}),
        "name": (OWN, {"textDocument": {"uri": uri}, "name": "one"}),
        "command": (COMMAND, {
            "command": "postkit.send", "arguments": [{"uri": uri, "position": place}]}),
        "all": (COMMAND, {"command": "postkit.sendAll", "arguments": [{"uri": uri}]}),
        "lines": (COMMAND, {"command": "postkit.sendAll", "arguments": [
            {"uri": uri, "range": {"start": place, "end": {"line": 1, "character": 0}}}]}),
    }
    method, params = params[form]
    return c.start(method, {**params, "workDoneToken": "own"})


def cancel(c, **argument):
    return c.start(COMMAND, {
        "command": "postkit.cancel", "arguments": [argument] if argument else []})


@pytest.mark.parametrize("form", ["own", "name", "command", "all", "lines"])
def test_a_send_is_cancelled_before_it_has_begun(store, folder, target, form):
    text = f"### one\nGET {target.url}/hang\n\n### two\nGET {target.url}/hang\n"
    here, there = {"line": 1, "character": 3}, {"line": 4, "character": 3}
    with client(store, folder, ASKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        for meant in [{"uri": uri}, {"uri": uri, "position": here}, {}] * 5:
            sent = ask(c, uri, form)
            others = [cancel(c, uri=uri + "x"), cancel(c, id="none")]
            if form != "all":
                others.append(cancel(c, uri=uri, position=there))
            right = cancel(c, **meant)
            assert [c.finish(other) for other in others] == [0] * len(others)
            assert c.finish(right) == 1
            result = c.finish(sent)
            results = result if isinstance(result, list) else [result]
            assert results and {it["state"] for it in results} == {"cancelled"}
            assert c.command("postkit.cancel") == 0


def test_a_send_is_cancelled_by_the_clients_own_token_at_once(store, folder, target):
    with client(store, folder, ASKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### one\nGET {target.url}/hang\n")
        for form in ["own", "command"] * 5:
            sent = ask(c, uri, form)
            c.notify("window/workDoneProgress/cancel", {"token": "own"})
            assert c.finish(sent)["state"] == "cancelled"


def test_what_was_not_sent_is_not_cancelled(store, folder, target):
    """A send that ended, failed or was given up leaves nothing behind that could be cancelled."""
    with client(store, folder, ASKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### one\nGET {target.url}/\n")
        assert c.finish(ask(c, uri, "own"))["state"] == "done"
        with pytest.raises(ResponseError):
            c.request(OWN, {"textDocument": {"uri": uri}, "name": "none"})
        for _ in range(20):
            given_up = ask(c, uri, "own")
            c.notify("$/cancelRequest", {"id": given_up})
            try:
                c.finish(given_up)
            except ResponseError as error:
                assert error.code == -32800
        c.request(OWN, {
            "textDocument": {"uri": uri}, "name": "one", "dryRun": True})
        assert c.command("postkit.cancel") == 0
