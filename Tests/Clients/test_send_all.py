"""Several requests of one send: each has its own state, and its result as soon as it is there."""

import json

import pytest
from rawclient import TIMEOUT, ResponseError
from test_hints import hints, results
from test_sending import values
from test_stock import FULL, client

EACH = {"version": 1, "stream": True, "steps": True, "each": True}
KNOWING = {**FULL, "experimental": {"postkit": EACH}}


def three(target, middle="slow"):
    """A file of which the second request is answered when the target is released."""
    return (
        f"### one\nGET {target.url}/one\n\n### two\nGET {target.url}/{middle}\n\n"
        f"### three\nGET {target.url}/three\n")


def send_all(c, uri, **more):
    argument = {"uri": uri, **more}
    return c.start(
        "workspace/executeCommand", {"command": "postkit.sendAll", "arguments": [argument]})


def of_kind(kind, **members):
    """Whether progress is a partial result of a kind about the request of a title."""
    return lambda p: p["value"].get("kind") == kind and (
        not members or p["value"].get("request", {}).get("title") == members["title"])


def drawn_until(c, uri, wanted):
    """Asks for the hints as often as the server says that they have changed."""
    while (seen := [state for _, state in results(c, uri)]) != wanted:
        c.expect("workspace/inlayHint/refresh")
    return seen


def test_each_request_has_its_own_state_at_its_line(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", three(target))
        id = send_all(c, uri)
        assert target.hanging.wait(TIMEOUT)
        # The first is answered, the second is on its way, the third has not begun.
        drawn_until(c, uri, ["done", "sending", "waiting"])
        texts = [text for _, text in hints(c, uri)]
        assert texts[0].startswith("200 OK") and texts[2] == "waiting"
        assert texts[1].startswith("sending…")
        assert [path for _, path, _, _ in target.seen] == ["/one", "/slow"]
        target.release.set()
        assert [r["status"] for r in c.finish(id)] == [200, 200, 200]
        drawn_until(c, uri, ["done", "done", "done"])


def test_a_display_of_progress_counts_the_requests(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", three(target))
        id = send_all(c, uri)
        begun = c.expect("$/progress", lambda p: p["value"]["kind"] == "begin")["value"]
        assert begun["title"] == "3 requests"
        # The display may begin while the first request is under way.
        if not (begun.get("message") or "").startswith("2 of 3: two"):
            c.expect(
                "$/progress",
                lambda p: (p["value"].get("message") or "").startswith("2 of 3: two"))
        target.release.set()
        c.finish(id)


def test_a_result_is_told_before_the_next_request_is_answered(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", three(target))
        id = send_all(c, uri, partialResultToken="all")
        queue = c.expect("$/progress", of_kind("queue"))["value"]["requests"]
        assert [(r["title"], r["line"]) for r in queue] == [("one", 1), ("two", 4), ("three", 7)]
        told = c.expect("$/progress", of_kind("result", title="one"))["value"]
        assert (told["done"], told["total"]) == (1, 3)
        assert told["request"] == {"title": "one", "line": 1}
        result = told["result"]
        assert (result["status"], result["name"], result["title"]) == (200, "one", "[one] 200 OK")
        assert result["summary"].startswith("200 OK  ")
        begun = c.expect("$/progress", of_kind("started", title="two"))["value"]
        assert (begun["number"], begun["total"]) == (2, 3)
        target.release.set()
        answer = c.finish(id)
        assert answer[0] == result
        assert [p["result"]["id"] for p in values(c, "result")] == [r["id"] for r in answer[1:]]
        assert values(c, "over") == [{"kind": "over", "summary": "3 ok"}]


def test_a_selection_is_told_request_by_request_where_it_stands(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        text = three(target)
        uri = c.open(folder / "a.http", text)
        id = c.start("postkit/send", {
            "textDocument": {"uri": uri}, "position": {"line": 3, "character": 0},
            "text": "".join(text.splitlines(True)[3:]), "partialResultToken": "t"})
        queue = c.expect("$/progress", of_kind("queue"))["value"]["requests"]
        assert [r["line"] for r in queue] == [4, 7]
        assert target.hanging.wait(TIMEOUT)
        drawn_until(c, uri, ["sending", "waiting"])
        target.release.set()
        assert [r["line"] for r in c.finish(id)["results"]] == [4, 7]


def test_what_a_request_needs_waits_and_is_told_as_well(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            f"### use\n# @ref login\nGET {target.url}/use\n\n### login\nGET {target.url}/slow\n")
        id = c.start("postkit/send", {
            "textDocument": {"uri": uri}, "name": "use", "partialResultToken": "t"})
        assert target.hanging.wait(TIMEOUT)
        drawn_until(c, uri, ["waiting", "sending"])
        target.release.set()
        assert c.finish(id)["name"] == "use"
        assert [p["request"]["title"] for p in values(c, "result")] == ["login", "use"]


def cancelled_by_command(c, id, uri):
    assert c.command("postkit.cancel", {"uri": uri}) == 1
    c.finish(id)


def cancelled_by_message(c, id, uri):
    c.notify("$/cancelRequest", {"id": id})
    with pytest.raises(ResponseError) as caught:
        c.finish(id)
    assert caught.value.code == -32800


@pytest.mark.parametrize("cancel", [cancelled_by_command, cancelled_by_message])
def test_what_was_never_begun_says_so(store, folder, target, cancel):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", three(target, middle="hang"))
        id = send_all(c, uri)
        assert target.hanging.wait(TIMEOUT)
        cancel(c, id, uri)
        drawn_until(c, uri, ["done", "cancelled", "cancelled"])
        last = c.range("textDocument/inlayHint", uri)[-1]
        assert last["label"][0]["value"] == "not sent"
        assert last["tooltip"]["value"] == "The run was cancelled before this request was sent."
        assert [path for _, path, _, _ in target.seen] == ["/one", "/hang"]
        # It follows its request, and goes when that is sent.
        c.change(uri, "### zero\nGET http://127.0.0.1:1/\n\n" + three(target, middle="hang"))
        assert results(c, uri)[-1] == (10, "cancelled")
        c.command("postkit.send", {"uri": uri, "name": "three"})
        assert results(c, uri)[-1] == (10, "done")


def test_the_end_names_what_was_never_begun(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", three(target, middle="hang"))
        id = send_all(c, uri, partialResultToken="all")
        assert target.hanging.wait(TIMEOUT)
        assert c.command("postkit.cancel") == 1
        assert [r["state"] for r in c.finish(id)] == ["done", "cancelled"]
        assert values(c, "over") == [{
            "kind": "over", "summary": "1 ok, 1 cancelled, 1 not sent",
            "notSent": [{"title": "three", "line": 7, "summary": "not sent"}],
            "reason": "The run was cancelled before this request was sent."}]
        c.change(uri, f"### one\nGET {target.url}/missing\n\n### two\nGET http://127.0.0.1:1/\n\n"
                      f"### three\nGET {target.url}/\n")
        id = send_all(c, uri, partialResultToken="next", stopOnFailure=True)
        c.finish(id)
        over = values(c, "over")[-1]
        assert over["summary"] == "1 answered 4xx, 1 failed, 1 not sent"
        assert over["reason"] == "`two` failed, which ended the run."


def test_what_is_switched_off_is_named(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            f"### one\nGET {target.url}/one\n\n### off\n# @disabled\nGET {target.url}/off\n\n"
            f"### three\nGET {target.url}/three\n")
        assert len(c.finish(send_all(c, uri, partialResultToken="all"))) == 2
        assert [p["request"] for p in values(c, "skipped")] == [{"title": "off", "line": 5}]
        assert values(c, "over") == [{"kind": "over", "summary": "2 ok"}]


def test_a_client_that_knows_no_waiting_is_told_of_none(store, folder, target):
    older = {**FULL, "experimental": {"postkit": {"version": 1, "stream": True, "steps": True}}}
    with client(store, folder, older) as c:
        c.initialize()
        uri = c.open(folder / "a.http", three(target))
        id = send_all(c, uri, partialResultToken="all")
        assert target.hanging.wait(TIMEOUT)
        drawn_until(c, uri, ["done", "sending"])
        target.release.set()
        c.finish(id)
        kinds = {
            m["params"]["value"]["kind"] for m in c.notifications if m["method"] == "$/progress"}
        assert not kinds & {"queue", "result", "over"}


def test_a_hundred_requests_have_one_result_each(store, folder, target):
    text = "".join(f"### r{n}\nGET {target.url}/{n}\n\n" for n in range(100))
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        answer = c.finish(send_all(c, uri, partialResultToken="all"))
        told = values(c, "result")
        assert [p["result"]["id"] for p in told] == [r["id"] for r in answer]
        assert [p["done"] for p in told] == list(range(1, 101))
        assert results(c, uri) == [(n * 3 + 1, "done") for n in range(100)]
        assert json.dumps(values(c, "over")) == '[{"kind": "over", "summary": "100 ok"}]'


def test_the_text_of_a_body_is_told_before_the_next_request_begins(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        target.bodies["/events"] = ("text/event-stream", b"data: one\n\n")
        text = "".join(f"### r{i}\nGET {target.url}/events\n\n" for i in range(20))
        uri = c.open(folder / "a.http", text)
        c.finish(send_all(c, uri, partialResultToken="all"))
        told = [m["params"]["value"] for m in c.notifications if m["method"] == "$/progress"]
        order = [v["kind"] for v in told if v["kind"] in ("started", "head") or "text" in v]
        assert order == ["started", "head", "data"] * 20
