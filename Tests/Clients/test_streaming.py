"""Responses that come bit by bit: partial results, documents that grow, progress that counts."""

import json
import queue
import re

import pytest
from rawclient import ResponseError
from test_stock import FULL, client

METHOD = "workspace/textDocumentContent/refresh"
KNOWING = {**FULL, "experimental": {"postkit": {"version": 1, "stream": True}}}
SECRET = "s3cret-of-the-stream"


def begin(c, folder, target, path="/stream", **more):
    uri = c.open(folder / "a.http", f"### events\nGET {target.url}{path}\n")
    return c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "events", **more})


def execute(c, folder, target, path):
    """Begins to send as a client does that knows nothing of us."""
    uri = c.open(folder / "a.http", f"### it\nGET {target.url}{path}\n")
    return c.start("workspace/executeCommand", {
        "command": "postkit.send", "arguments": [{"uri": uri, "name": "it"}]})


def partial(c, kind, where=lambda value: True):
    """The next partial result of a kind."""
    params = c.expect(
        "$/progress",
        lambda params: params["value"].get("kind") == kind and where(params["value"]))
    return params["value"]


def text(c):
    """The next text of a body."""
    return partial(c, "data", lambda value: "text" in value)


def test_lines_are_told_as_they_come(store, folder, target):
    (folder / "http-client.private.env.json").write_text(json.dumps({"dev": {"k": SECRET}}))
    with client(store, folder, KNOWING) as c:
        c.initialize()
        id = begin(c, folder, target, "/stream?k={{k}}", partialResultToken="p", environment="dev")
        started = partial(c, "started")
        assert started["url"].endswith("k=••••••")
        head = partial(c, "head")
        assert head["status"] == 200
        # A line that has not come whole is not told, as it may be a part of a secret.
        target.pieces.put(b"data: one\n\ndata: s3cret-of")
        assert text(c) == {
            "kind": "data", "received": len(b"data: one\n\ndata: s3cret-of"), "seq": 0,
            "text": "data: one\n\n", "summary": "receiving… 200  26 B"}
        target.pieces.put(b"-the-stream\n\n")
        found = text(c)
        assert (found["seq"], found["text"]) == (1, "data: ••••••\n\n")
        target.pieces.put(None)
        result = c.finish(id)
        assert result["state"] == "done" and result["id"] == started["id"]
        assert SECRET.encode() not in b"".join(c.server.messages)


def test_credentials_that_a_stream_repeats_are_not_told(store, folder, target):
    jar, own, set_here = "jar-cookie-1", "own-credential-2", "set-by-the-answer-3"
    target.cookies["/login"] = [f"sid={jar}; Path=/"]
    target.cookies["/stream"] = [f"next={set_here}; Path=/"]
    with client(store, folder, KNOWING) as c:
        c.initialize()
        login = c.open(folder / "b.http", f"### it\nGET {target.url}/login\n")
        c.command("postkit.send", {"uri": login, "name": "it"})
        c.notifications.clear()
        uri = c.open(
            folder / "a.http",
            f"### events\nGET {target.url}/stream\nAuthorization: Bearer {own}\n")
        id = c.start("postkit/send", {
            "textDocument": {"uri": uri}, "name": "events", "partialResultToken": "p"})
        target.pieces.put(f"data: {jar} {own} {set_here}\n\n".encode())
        assert text(c)["text"] == "data: •••••• •••••• ••••••\n\n"
        assert target.seen[-1][2]["Cookie"] == f"sid={jar}"
        target.pieces.put(None)
        assert c.finish(id)["state"] == "done"
        told = json.dumps([m["params"] for m in c.notifications])
        assert all(secret not in told for secret in (jar, own, set_here))


def test_credentials_of_a_hop_are_not_told_by_the_stream_behind_it(store, folder, target):
    own = "own-credential-2"
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http", f"### events\n# @no-cookie-jar\nGET {target.url}/moved?stream\n"
            f"Authorization: Bearer {own}\n")
        id = c.start("postkit/send", {
            "textDocument": {"uri": uri}, "name": "events", "partialResultToken": "p"})
        # The cookie of the redirect, which is not sent on.
        target.pieces.put(f"data: {own} from-the-redirect-1\n\n".encode())
        assert text(c)["text"] == "data: •••••• ••••••\n\n"
        target.pieces.put(None)
        assert c.finish(id)["state"] == "done"


def test_no_text_is_told_after_its_cancelled_request_is_answered(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        over = set()
        for number in range(30):
            token = f"p{number}"
            target.pieces = queue.Queue()
            id = begin(c, folder, target, partialResultToken=token)
            target.pieces.put(b"data: one\n\n")
            assert text(c)["text"] == "data: one\n\n"
            # What comes now is told a moment later; most often it is cancelled before.
            target.pieces.put(b"data: two\n\n")
            for _ in range(number % 6):
                c.request("postkit/history", {"limit": 1})
            c.notify("$/cancelRequest", {"id": id})
            with pytest.raises(ResponseError):
                c.finish(id)
            seen = [m["params"]["token"] for m in c.notifications if m["method"] == "$/progress"]
            assert over.isdisjoint(seen), seen
            c.notifications.clear()
            over.add(token)
            target.pieces.put(None)
            # What was received is in the history when the run is over.
            while len(c.request("postkit/history", {"limit": 99})["items"]) <= number:
                pass
        seen = [m["params"]["token"] for m in c.notifications if m["method"] == "$/progress"]
        assert over.isdisjoint(seen), seen


def test_pieces_are_not_too_long(store, folder, target):
    body = ("ä" * 100 + "\n").encode() * 2_000
    with client(store, folder, KNOWING) as c:
        c.initialize()
        target.bodies["/stream"] = ("text/plain", b"")
        id = begin(c, folder, target, partialResultToken="p")
        target.pieces.put(body)
        target.pieces.put(None)
        c.finish(id)
        seen = [m["params"]["value"] for m in c.notifications if m["method"] == "$/progress"]
        pieces = [value for value in seen if "text" in value]
        assert [value["seq"] for value in pieces] == list(range(len(pieces)))
        assert all(len(value["text"].encode()) <= 64 << 10 for value in pieces)
        assert "".join(value["text"] for value in pieces).encode() == body


def test_what_is_no_text_is_only_counted(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        target.bodies["/stream"] = ("application/octet-stream", b"")
        id = begin(c, folder, target, partialResultToken="p")
        target.pieces.put(b"line\n" * 10)
        target.pieces.put(None)
        c.finish(id)
        seen = [m["params"]["value"] for m in c.notifications if m["method"] == "$/progress"]
        assert [value["kind"] for value in seen][:3] == ["started", "head", "data"]
        assert not [value for value in seen if "text" in value]


def test_the_document_of_a_stream_grows(store, folder, target):
    """A client that knows nothing of us is shown a stream from its first byte on."""
    with client(store, folder) as c:
        c.initialize()
        id = execute(c, folder, target, "/stream")
        shown = c.expect("window/showDocument")
        assert shown["takeFocus"] is False
        page = shown["uri"]

        def content():
            return c.request("workspace/textDocumentContent", {"uri": page})["text"]

        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": page, "languageId": "http", "version": 1, "text": content()}})
        assert "Receiving…" in content() and "HTTP 200 OK\n" in content()

        def grows(holds):
            """Fetches the text whenever that is asked for, until it is as it should be."""
            while not holds(content()):
                c.expect(METHOD, lambda params: params["uri"] == page)

        for number in range(3):
            target.pieces.put(b"data: %d\n\n" % number)
            c.expect(METHOD, lambda params: params["uri"] == page)
            grows(lambda text, end=f"data: {number}\n\n": text.endswith(end))
        target.pieces.put(None)
        result = c.finish(id)
        assert result["uri"] == page
        c.expect(METHOD, lambda params: params["uri"] == page)
        grows(lambda text: "being received" not in text)
        assert content().endswith("data: 2\n")
        assert "HTTP/1.1 200 OK\n" in content() or "HTTP/1.0 200 OK\n" in content()


def test_a_stream_is_cancelled_and_kept(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        id = execute(c, folder, target, "/stream")
        target.pieces.put(b"data: 1\n\n")
        page = c.expect("window/showDocument")["uri"]
        assert c.command("postkit.cancel") == 1
        result = c.finish(id)
        assert result["state"] == "cancelled"
        [item] = c.request("postkit/history", {})["items"]
        assert item["state"] == "cancelled"
        # The document says what there is of it now.
        text = c.request("workspace/textDocumentContent", {"uri": page})["text"]
        assert "being received" not in text
        target.pieces.put(None)


def test_progress_says_how_long_it_has_taken(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        id = execute(c, folder, target, "/slow")
        begun = c.expect("$/progress")["value"]
        assert begun["kind"] == "begin" and " s" not in (begun.get("message") or "").split(", ")[-1]
        clock = re.compile(re.escape(f"GET {target.url}/slow, ") + r"(\d+) s")

        def counted():
            value = c.expect("$/progress", lambda it: clock.fullmatch(
                it["value"].get("message") or "") is not None)["value"]
            assert value["kind"] == "report"
            return int(clock.fullmatch(value["message"])[1])

        # Not each of them where the machine stands still for longer than that.
        assert 1 <= counted() < counted()
        target.release.set()
        assert c.finish(id)["state"] == "done"
        c.expect("$/progress", lambda params: params["value"]["kind"] == "end")
