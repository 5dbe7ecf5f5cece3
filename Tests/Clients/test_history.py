"""The history from an editor: found by filters, marked, edited and forgotten."""

import subprocess

import pytest
from rawclient import TIMEOUT, ResponseError, binary
from test_lists import becomes
from test_stock import FULL, client, without
from test_views import path, run, show

ASKING = {**FULL, "experimental": {"postkit": {"version": 1, "input": True}}}
PLAIN = without(FULL, "workspace.textDocumentContent")


def sent(c, folder, target, count=3):
    """Sends a request some times; its ids, newest first."""
    uri = c.open(folder / "a.http", f"### find\nGET {target.url}/items/7?q=needle\n")
    place = {"uri": uri, "position": {"line": 1, "character": 0}}
    return [c.command("postkit.send", place)["id"] for _ in range(count)][::-1]


def ids(c, **filters):
    return [item["id"] for item in c.request("postkit/history", filters)["items"]]


def test_filters_find_what_they_say(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        all_of_them = sent(c, folder, target)
        for filters in (
            {"query": "needle"}, {"path": "/items"}, {"request": "find"}, {"host": "127.0.0.1"},
            {"since": "1h"}, {"maxSize": 10_000_000}, {"pinned": False}, {"state": "done"},
        ):
            assert ids(c, **filters) == all_of_them, filters
        for filters in (
            {"query": "absent"}, {"path": "/other"}, {"status": "5xx"}, {"until": "1h"},
            {"minMs": 1_000_000}, {"failedTests": True}, {"label": "x"}, {"environment": "dev"},
        ):
            assert ids(c, **filters) == [], filters
        with pytest.raises(ResponseError, match="a status such as 404"):
            ids(c, status="often")


def test_edits_are_made_in_order_and_refused_when_stale(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        newest, middle, oldest = sent(c, folder, target)
        revision = c.request("postkit/history", {})["revision"]
        result = c.request("postkit/edit", {"ifRevision": revision, "ops": [
            {"op": "history.pin", "ids": [newest, oldest]},
            {"op": "history.label", "ids": [middle], "text": "odd"},
            {"op": "history.note", "ids": [middle], "text": "peculiar words"},
            {"op": "history.unpin", "ids": [oldest]},
        ]})
        assert result["count"] == 5 and result["revision"] > revision
        assert ids(c, pinned=True) == [newest]
        assert ids(c, label="odd") == ids(c, query="peculiar") == [middle]
        with pytest.raises(ResponseError) as stale:
            c.request("postkit/edit", {"ifRevision": revision, "ops": [
                {"op": "history.clear"},
            ]})
        assert stale.value.code == -32801
        assert len(ids(c)) == 3
        c.request("postkit/edit", {"ops": [{"op": "history.delete", "ids": [middle]}]})
        assert ids(c) == [newest, oldest]
        c.request("postkit/edit", {"ops": [{"op": "history.clear", "host": "127.0.0.1"}]})
        assert ids(c) == []


@pytest.mark.parametrize("wrong", [
    {"op": "history.pin"},
    {"op": "collection.delete", "id": "x"}, {"op": "history.clear", "host": "a", "since": "1h"},
    {"op": "history.clear", "since": "soon"},
])
def test_a_wrong_edit_changes_nothing(store, folder, target, wrong):
    with client(store, folder) as c:
        c.initialize()
        sent(c, folder, target, 1)
        with pytest.raises(ResponseError) as error:
            pin = {"op": "history.pin", "ids": ids(c)}
            c.request("postkit/edit", {"ops": [pin, wrong]})
        assert error.value.code == -32602
        assert ids(c, pinned=False) == ids(c) and len(ids(c)) == 1


@pytest.mark.parametrize("wrong", [
    {"op": "history.clear", "ids": ["x"]}, {"op": "history.delete", "ids": [], "host": "a"},
    {"op": "history.pin", "ids": [], "text": "x"}, {"op": "collection.delete", "ids": ["x"]},
    {"op": "collection.rename", "id": "x", "name": "y", "source": "GET /"},
])
def test_a_member_that_an_operation_does_not_have_is_refused(store, folder, target, wrong):
    with client(store, folder) as c:
        c.initialize()
        sent(c, folder, target, 1)
        with pytest.raises(ResponseError, match=r"params\.ops\[0\]\.\w+: `.*` takes only") as error:
            c.request("postkit/edit", {"ops": [wrong]})
        assert error.value.code == -32602
        own = "history" if wrong["op"].startswith("history") else "collection"
        with pytest.raises(ResponseError, match="takes only"):
            c.command(f"postkit.{own}Edit", wrong)
        assert len(ids(c)) == 1


def test_what_is_forgotten_stands_alone(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        sent(c, folder, target, 1)
        for forgetting in {"op": "history.clear"}, {"op": "history.delete", "ids": ids(c)}:
            pin = {"op": "history.pin", "ids": ids(c)}
            for ops in [pin, forgetting], [forgetting, pin], [forgetting, forgetting]:
                with pytest.raises(ResponseError, match="a message of its own") as error:
                    c.request("postkit/edit", {"ops": ops})
                assert error.value.code == -32602
        assert ids(c, pinned=False) == ids(c) and len(ids(c)) == 1


def forgets_here(c, id, store, folder):
    c.request("postkit/edit", {"ops": [{"op": "history.delete", "ids": [id]}]})


def forgets_elsewhere(c, id, store, folder):
    with client(store, folder) as other:
        other.initialize()
        other.request("postkit/edit", {"ops": [{"op": "history.clear"}]})


@pytest.mark.parametrize("forgets", [forgets_here, forgets_elsewhere])
def test_what_is_forgotten_is_gone_from_the_session_too(store, folder, target, forgets):
    with client(store, folder, PLAIN) as c:
        c.initialize()
        [id] = sent(c, folder, target, 1)
        uri = (folder / "a.http").as_uri()
        assert len(c.range("textDocument/inlayHint", uri)) == 1
        view = store / "view" / f"{id}.http"
        assert view.exists()
        forgets(c, id, store, folder)
        assert c.range("textDocument/inlayHint", uri) == []
        for method, params in [
            ("postkit/exchange", {"id": id}),
            ("workspace/executeCommand", {
                "command": "postkit.showResponse", "arguments": [{"id": id}]}),
            ("workspace/executeCommand", {"command": "postkit.resend", "arguments": [{"id": id}]}),
        ]:
            with pytest.raises(ResponseError, match="not found, neither in this session"):
                c.request(method, params)
        with pytest.raises(ResponseError, match="Nothing has been sent yet"):
            c.command("postkit.showResponse")
        assert not view.exists()


def test_a_response_that_was_spooled_has_the_file_of_the_history_alone(store, folder, target):
    def files():
        return [path for path in (store / "bodies").rglob("*") if path.is_file()]

    def holders():
        return [path for path in store.rglob("*") if path.is_file()
                and b"canary of a large response" in path.read_bytes()]

    body = b"canary of a large response " * 100_000
    target.bodies["/spooled"] = ("text/plain", body)
    with client(store, folder, PLAIN) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### spooled\nGET {target.url}/spooled\n")
        for _ in range(2):
            answer = c.command("postkit.send", {"uri": uri, "name": "spooled"})
            assert answer["size"] == len(body)
            assert c.request("postkit/exchange", {"id": answer["id"]})["total"] == len(body)
            view = (store / "view" / f"{answer['id']}.http").read_text()
            assert view.count("canary") > 30_000
        assert [path.stat().st_nlink for path in files() if path.suffix != ".owner"] == [1]
        words = ["history", "forget", "--all", "--store", store]
        subprocess.run([binary(), *words], check=True, capture_output=True, timeout=TIMEOUT)
        assert holders() == []
    # What is in no history is the session's own, for as long as that lasts.
    (folder / "postkit.json").write_text('{"history.enabled": false}')
    with client(store, folder, PLAIN) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### spooled\nGET {target.url}/spooled\n")
        answer = c.command("postkit.send", {"uri": uri, "name": "spooled"})
        assert c.request("postkit/exchange", {"id": answer["id"]})["total"] == len(body)
        assert len(holders()) == 2
    assert files() == []


def test_what_is_not_kept_is_remembered_whatever_is_forgotten(store, folder, target):
    (folder / "postkit.json").write_text('{"history.enabled": false}')
    with client(store, folder) as c:
        c.initialize()
        [id] = sent(c, folder, target, 1)
        c.request("postkit/edit", {"ops": [{"op": "history.clear"}]})
        assert c.request("postkit/exchange", {"id": id})["total"] > 0


def test_forgetting_leaves_views_that_show_no_exchange(store, folder, target):
    with client(store, folder, PLAIN) as c:
        c.initialize()
        newest, _ = sent(c, folder, target, 2)
        c.command("postkit.collections")
        c.command("postkit.history")
        others = {"collections.http"}
        assert len({f.name for f in (store / "view").iterdir()} - others) == 3
        c.request("postkit/edit", {"ops": [{"op": "history.delete", "ids": [newest]}]})
        # The list showed the one that is gone.
        assert len({f.name for f in (store / "view").iterdir()} - others) == 1
        c.request("postkit/edit", {"ops": [{"op": "history.clear"}]})
        assert {f.name for f in (store / "view").iterdir()} == others


def test_a_stock_client_lists_and_edits_by_commands(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        newest, oldest = sent(c, folder, target, 2)
        c.command("postkit.historyEdit", {"op": "history.pin", "ids": [oldest]})
        uri = c.command("postkit.history", {"query": "pinned=true&search=needle"})
        assert uri == "postkit:/history?pinned=true&search=needle"
        text = c.request("workspace/textDocumentContent", {"uri": uri})["text"]
        assert oldest in text and newest not in text


def titled(c, uri, line):
    found = c.range("textDocument/codeAction", uri, line, line, context={"diagnostics": []})
    return {action["title"]: action for action in found}


def test_a_list_marks_and_forgets_by_its_actions(store, folder, target):
    with client(store, folder, ASKING, options={"testing": True}) as c:
        asked = []

        def answer(params):
            asked.append((params["title"], params.get("default")))
            return {"value": "odd one"} if len(asked) < 4 else None

        c.answers["postkit/input"] = answer
        c.initialize()
        newest, oldest = sent(c, folder, target, 2)
        uri = c.command("postkit.history")
        text = show(c, uri)
        line = next(n for n, each in enumerate(text.splitlines()) if newest in each)
        assert "pinned" not in text
        run(c, titled(c, uri, line)["Pin it"])
        for title in ("Label it…", "Add a note…", "Label it…"):
            run(c, titled(c, uri, line)[title])
        assert asked == [("Label", None), ("Note", None), ("Label", "odd one")]
        c.expect("workspace/textDocumentContent/refresh", lambda params: params["uri"] == uri)
        text = show(c, uri)
        assert f"pinned  [odd one]  (odd one)  {newest}" in text
        with pytest.raises(ResponseError, match="nothing was changed") as left:
            run(c, titled(c, uri, line)["Label it…"])
        assert left.value.code == -32800 and ids(c, label="odd one") == [newest]
        run(c, titled(c, uri, line)["Unpin it"])
        assert ids(c, pinned=True) == []
        run(c, titled(c, uri, line)["Forget it"])
        assert ids(c) == [oldest]


def test_a_text_that_somebody_changes_while_another_is_typed_is_not_overwritten(
        store, folder, target):
    capabilities = {**FULL, "experimental": {"postkit": {"version": 1, "input": True}}}
    with client(store, folder, capabilities) as c, client(store, folder) as other:
        c.initialize()
        other.initialize()
        [id] = sent(c, folder, target, 1)
        asked = []

        def answer(params):
            asked.append((params["title"], params.get("default")))
            if len(asked) == 1:
                other.request("postkit/edit", {"ops": [
                    {"op": "history.note", "ids": [id], "text": "theirs"}]})
                return {"value": "mine"}
            return {"value": params["default"] + " and theirs"}

        c.answers["postkit/input"] = answer
        done = c.command("postkit.historyEdit", {"op": "history.note", "ids": [id], "ask": True})
        assert done["count"] == 1
        assert asked == [("Note", None), ("Note (meanwhile changed to `theirs`)", "mine")]
        [item] = c.request("postkit/history", {})["items"]
        assert item["note"] == "mine and theirs"


def test_a_text_is_asked_for_by_the_command_alone(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        [id] = sent(c, folder, target, 1)
        assert "Label it…" not in titled(c, (folder / "a.http").as_uri(), 1)
        ask = {"op": "history.label", "ids": [id], "ask": True}
        with pytest.raises(ResponseError, match="postkit history label"):
            c.command("postkit.historyEdit", ask)
        with pytest.raises(ResponseError, match=r"ops\[0\].ask"):
            c.request("postkit/edit", {"ops": [ask]})
        for wrong in ({**ask, "ids": [id, id]}, {**ask, "op": "history.pin"}, {**ask, "text": ""}):
            with pytest.raises(ResponseError, match="one entry"):
                c.command("postkit.historyEdit", wrong)


@pytest.mark.parametrize("capabilities", [FULL, PLAIN])
def test_the_timeline_of_a_request_says_what_changed(store, folder, target, capabilities):
    target.bodies["/items/7?q=needle"] = ("text/plain", b"one")
    with client(store, folder, capabilities, options={"testing": True}) as c:
        c.initialize()
        first, = sent(c, folder, target, 1)
        c.command("postkit.send", {"uri": c.open(
            folder / "b.http", f"GET {target.url}/other\n"), "position": {
                "line": 0, "character": 0}})
        second, = sent(c, folder, target, 1)
        target.bodies["/items/7?q=needle"] = ("text/plain", b"two")
        third, = sent(c, folder, target, 1)
        place = {"uri": (folder / "a.http").as_uri(), "position": {"line": 1, "character": 0}}
        action = titled(c, place["uri"], 1)["Show earlier responses"]
        assert action["command"]["arguments"] == [{"id": third}]
        for argument in ({"id": third}, place, {"id": first}):
            uri = c.command("postkit.history", argument)
            lines = show(c, uri).splitlines()
            assert lines[0].startswith("# Earlier responses of `find` from http://")
            said = "  GET /items/7?q=needle  "
            assert [line.partition(" B  ")[2] for line in lines[3:]] == [
                f"body changed{said}{third}", f"same body{said}{second}", said.lstrip() + first]
        run(c, titled(c, uri, 4)["Show the response"])
        run(c, titled(c, uri, 3)["Pin it"])
        if uri.startswith("file:"):
            becomes(c, path(uri), lambda text: f"needle  pinned  {third}" in text)
        else:
            c.expect("workspace/textDocumentContent/refresh", lambda params: params["uri"] == uri)
        with pytest.raises(ResponseError, match="either a query or a request"):
            c.command("postkit.history", {"id": third, "query": "search=x"})


def test_only_a_client_that_knows_us_not_is_shown_where_the_lists_are(store, folder, target):
    for capabilities, shown in ((FULL, True), (ASKING, False)):
        with client(store, folder, capabilities) as c:
            c.initialize()
            found = titled(c, c.open(folder / "a.http", f"GET {target.url}/\n"), 0)
            for title in ("Show the history", "Show the collections"):
                assert (title in found) == shown
            if shown:
                assert run(c, found["Show the history"]) == "postkit:/history"
                assert run(c, found["Show the collections"]) == "postkit:/collections"
