"""What changes the meaning of a send takes effect before every later send of the connection, also
where neither is waited for."""

import json

import pytest
from rawclient import ResponseError
from test_stock import client

TOP = {"line": 0, "character": 0}
ROUNDS = 1_000
# How many sends of a test are under way at once.
WINDOW = 16


def environments(folder, target):
    """Two environments with a value of their own."""
    path = folder / "http-client.env.json"
    path.write_text(
        json.dumps({name: {"base": target.url, "who": name} for name in ("dev", "prod")}))


def sent(target):
    """What the server saw, in no order: the place of each send and what it meant."""
    return sorted((int(place), who) for place, who in (
        path.rpartition("/")[2].split("?who=") for _, path, _, _ in target.seen))


def alternate(c, begin, rounds=ROUNDS):
    """Begins so many sends, a few at once; all of them are answered."""
    ids = []
    for turn in range(rounds):
        ids += begin(turn)
        while len(ids) > (0 if turn == rounds - 1 else WINDOW):
            result = c.finish(ids.pop(0))
            results = result if isinstance(result, list) else [result]
            assert {it.get("state", "done") for it in results} == {"done"}, results


def execute(c, command, argument=None):
    return c.start("workspace/executeCommand", {
        "command": command, "arguments": [] if argument is None else [argument]})


def send(c, uri, way, turn):
    """Asks for a send in one of the ways there are; each knows the place by a variable."""
    place = {"position": TOP, "variables": {"place": str(turn)}}
    if way == "postkit/send":
        return c.start(way, {"textDocument": {"uri": uri}, **place})
    if way == "postkit.sendAll":
        return execute(c, way, {"uri": uri, "variables": {"place": str(turn)}})
    return execute(c, way, {"uri": uri, **place})


@pytest.mark.parametrize("way, rounds", [
    ("postkit.send", ROUNDS), ("postkit/send", 200), ("postkit.sendAll", 200)])
def test_an_environment_that_is_chosen_counts_for_the_next_send(
        store, folder, target, way, rounds):
    environments(folder, target)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET {{base}}/{{place}}?who={{who}}\n")

        def begin(turn):
            with c.server.at_once():
                name = ("dev", "prod")[turn % 2]
                chosen = execute(c, "postkit.selectEnvironment", {"name": name})
                return [chosen, send(c, uri, way, turn)]

        alternate(c, begin, rounds)
    assert sent(target) == [(turn, ("dev", "prod")[turn % 2]) for turn in range(rounds)]


def test_an_edit_counts_for_the_next_send(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{place}}}}?who=none\n")

        def begin(turn):
            with c.server.at_once():
                c.change(uri, f"GET {target.url}/{{{{place}}}}?who={turn}\n")
                return [send(c, uri, "postkit.send", turn)]

        alternate(c, begin)
    assert sent(target) == [(turn, str(turn)) for turn in range(ROUNDS)]


def test_a_send_after_a_cancel_is_not_cancelled(store, folder, target):
    """One cancels what goes on at a place and sends it anew, with nothing in between."""
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{place}}}}?who=none\n")
        for turn in range(100):
            with c.server.at_once():
                first = send(c, uri, "postkit.send", 2 * turn)
                cancel = execute(c, "postkit.cancel", {"uri": uri, "position": TOP})
                second = send(c, uri, "postkit.send", 2 * turn + 1)
            try:
                c.finish(first)
            except ResponseError:
                pass
            c.finish(cancel)
            assert c.finish(second)["state"] == "done"


def test_a_cookie_that_is_deleted_is_not_sent_again(store, folder, target):
    target.cookies["/set"] = ["sid=1; Path=/"]
    text = f"### set\nGET {target.url}/set\n### use\nGET {target.url}/{{{{place}}}}\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        sets, uses = {"uri": uri, "name": "set"}, {"uri": uri, "name": "use"}
        for turn in range(20):
            c.command("postkit.send", sets)
            with c.server.at_once():
                clear = execute(c, "postkit.cookieEdit", {"op": "cookie.clear"})
                last = execute(c, "postkit.send", {**uses, "variables": {"place": str(turn)}})
            assert c.finish(clear)["count"] == 1
            c.finish(last)
    used = [headers.get("Cookie") for _, path, headers, _ in target.seen if path != "/set"]
    assert used == [None] * 20


def test_what_is_shown_follows_the_environment(store, folder, target):
    environments(folder, target)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET {{base}}/0?who={{who}}\n")
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 21}}
        for turn in range(100):
            name = ("dev", "prod")[turn % 2]
            with c.server.at_once():
                execute(c, "postkit.selectEnvironment", {"name": name})
                hover = c.start("textDocument/hover", place)
                dry = c.start("postkit/send", {
                    "textDocument": {"uri": uri}, "position": TOP, "dryRun": True})
                values = c.start("postkit/variables", {"textDocument": {"uri": uri}})
            assert f"`{name}`" in c.finish(hover)["contents"]["value"]
            assert c.finish(dry)["resolved"]["url"].endswith(f"who={name}")
            shown = {it["name"]: it["value"] for it in c.finish(values)["items"]}
            assert shown["who"] == name


def test_an_environment_that_is_asked_for_counts_from_the_answer_on(store, folder, target):
    """Nothing waits for a person; what comes after the answer has what was chosen."""
    environments(folder, target)
    with client(store, folder) as c:
        c.answers["window/showMessageRequest"] = ...
        c.initialize()
        uri = c.open(folder / "a.http", "GET {{base}}/{{place}}?who={{who}}\n")
        c.command("postkit.selectEnvironment", {"name": "dev"})
        for turn in range(0, 40, 2):
            name = ("prod", "dev")[turn // 2 % 2]
            execute(c, "postkit.selectEnvironment")
            question = c.take("window/showMessageRequest")
            c.finish(send(c, uri, "postkit.send", turn))
            with c.server.at_once():
                c.reply(question, {"title": name})
                last = send(c, uri, "postkit.send", turn + 1)
            c.finish(last)
    names = [("dev", "prod")[(turn + 1) // 2 % 2] for turn in range(40)]
    assert sent(target) == list(enumerate(names))
