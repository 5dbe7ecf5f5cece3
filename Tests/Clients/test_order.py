"""Requests among edits, cancels and silences: which text an answer is about, and that it comes."""

import random
import time

import pytest
from rawclient import TIMEOUT, ResponseError
from test_changes import abilities
from test_stock import FULL, client

MANY = "".join(f"### r{n}\nGET http://127.0.0.1:1/{n}?a={{{{b}}}}\n" for n in range(3_000))


def test_an_answer_is_about_the_text_of_its_time(store, folder):
    """Edits that come in while an answer is worked out neither change it nor take it away."""
    retries = {"staleRequestSupport": {"cancel": True, "retryOnContentModified": [
        "textDocument/documentSymbol", "textDocument/completion"]}}
    capabilities = {**FULL, "general": {**FULL["general"], **retries}}
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", MANY)
        document = {"textDocument": {"uri": uri}}
        ids = []
        for turn in range(20):
            # Another kind each time: of equal ones the newest would replace the others.
            method = ("documentSymbol", "codeLens", "foldingRange", "diagnostic")[turn % 4]
            ids.append((turn, method, c.start(f"textDocument/{method}", document)))
            text = "".join(f"### n{n}\nGET http://127.0.0.1:1/\n" for n in range(turn + 1))
            c.change(uri, text)
            if turn % 4 == 3:
                for at, asked, id in ids[-4:]:
                    found = c.finish(id)
                    found = found["items"] if asked == "diagnostic" else found
                    # `turn` requests were there when it was asked; 3,000 at first.
                    count = at or 3_000
                    if asked == "documentSymbol":
                        assert len(found) == count
                    if asked == "foldingRange":
                        assert len(found) == count
                    if asked == "codeLens":
                        sends = [lens for lens in found if "command" in lens
                                 and lens["command"]["title"] == "Send"]
                        assert len(sends) == count
                    if asked == "diagnostic":
                        assert len(found) == (1_000 if at == 0 else 0) or at == 0


@pytest.mark.parametrize("seed", range(2))
def test_a_cancel_at_any_time_leaves_one_answer(store, folder, seed):
    """500 requests, each cancelled after a delay of its own: before, while or after it is done."""
    generator = random.Random(seed)
    with client(store, folder) as c:
        c.initialize()
        text = MANY[:20_000]
        uri = c.open(folder / "a.http", text)
        lines = text.count("\n")
        outcomes = {"result": 0, "cancelled": 0}
        for _ in range(500):
            line = generator.randrange(lines)
            method, extra = generator.choice([
                ("hover", {}), ("completion", {}), ("definition", {}),
                ("references", {"context": {"includeDeclaration": True}}),
                ("documentHighlight", {}),
            ])
            place = {
                "textDocument": {"uri": uri}, "position": {"line": line, "character": 6}, **extra}
            delay = generator.choice([0, 0, 0.0005, 0.001, 0.003, None])
            if delay == 0:
                # In one piece: a fast server would have answered the first before the second comes.
                with c.server.at_once():
                    id = c.start(f"textDocument/{method}", place)
                    c.notify("$/cancelRequest", {"id": id})
            else:
                id = c.start(f"textDocument/{method}", place)
                while delay is None and id not in c.results:
                    c.step()
                until = time.monotonic() + (delay or 0)
                while time.monotonic() < until:
                    pass
                c.notify("$/cancelRequest", {"id": id})
            try:
                c.finish(id)
                outcomes["result"] += 1
            except ResponseError as error:
                assert error.code == -32800
                outcomes["cancelled"] += 1
            if generator.random() < 0.2:
                # Of what is answered, and of what never was.
                c.notify("$/cancelRequest", {"id": id})
                c.notify("$/cancelRequest", {"id": generator.choice(["none", 10**9, -1])})
        assert outcomes["result"] and outcomes["cancelled"], outcomes
        # Nothing came twice: the tap would have said so.
        assert c.at("textDocument/hover", uri, 1, 1)


def test_a_cancel_is_answered_at_once_although_the_work_goes_on(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        delays, usual = [], []
        for _ in range(20):
            target.hanging.clear()
            began = time.monotonic()
            c.at("textDocument/hover", uri, 0, 1)
            usual.append(time.monotonic() - began)
            id = c.start("postkit/send", place)
            assert target.hanging.wait(TIMEOUT)
            began = time.monotonic()
            c.notify("$/cancelRequest", {"id": id})
            with pytest.raises(ResponseError) as caught:
                c.finish(id)
            delays.append(time.monotonic() - began)
            assert caught.value.code == -32800
        # Beside another answer of the same server: how fast the machine is is in both.
        assert sorted(delays)[10] < 20 * sorted(usual)[10], (delays, usual)


def test_a_cancelled_request_ends_its_progress_before_its_answer(store, folder, target):
    """With the answer the token of the client means nothing any more; the tap would say so."""
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/hang\n")
        id = c.start("postkit/send", {
            "textDocument": {"uri": uri}, "position": {"line": 0, "character": 0},
            "workDoneToken": "t"})
        c.expect("$/progress", lambda it: it["token"] == "t" and it["value"]["kind"] == "begin")
        c.notify("$/cancelRequest", {"id": id})
        with pytest.raises(ResponseError) as caught:
            c.finish(id)
        assert caught.value.code == -32800
        c.expect("$/progress", lambda it: it["token"] == "t" and it["value"]["kind"] == "end")


def test_a_client_that_answers_nothing_is_not_waited_for(store, folder, target):
    """Settings, watched files and a progress display are asked for; nobody ever answers."""
    capabilities = {**FULL, "workspace": {
        **FULL["workspace"], "didChangeWatchedFiles": {"dynamicRegistration": True},
        "semanticTokens": {"refreshSupport": True}}}
    with client(store, folder, capabilities) as c:
        for method in ("workspace/configuration", "client/registerCapability",
                       "window/workDoneProgress/create", "window/showDocument",
                       "workspace/inlayHint/refresh", "workspace/codeLens/refresh",
                       "workspace/diagnostic/refresh"):
            c.answers[method] = ...
        c.initialize()
        uri = c.open(folder / "a.http", f"### a\nGET {target.url}/slow\n")
        id = c.start("workspace/executeCommand", {"command": "postkit.send", "arguments": [
            {"uri": uri, "name": "a"}]})
        create = c.take("window/workDoneProgress/create")
        target.release.set()
        # Well below the ten seconds after which an answer is given up.
        assert c.finish(id, timeout=8)["state"] == "done"
        assert c.at("textDocument/hover", uri, 1, 1)
        assert not [m for m in c.notifications if m["method"] == "$/progress"]
        # Answers that come late are nobody's.
        for message in [create, *c.requests]:
            c.reply(message, [None] if "configuration" in message["method"] else None)
        assert c.at("textDocument/hover", uri, 1, 1)


def test_an_edit_that_waits_for_a_person_holds_up_nothing_and_can_be_cancelled(store, folder):
    capabilities = abilities()
    capabilities["workspace"] = {**capabilities["workspace"], "applyEdit": True}
    with client(store, folder, capabilities) as c:
        c.answers["workspace/applyEdit"] = ...
        c.initialize()
        uri = c.open(folder / "a.http", "")
        order = {"uri": uri, "text": "curl http://127.0.0.1:1/x"}
        id = c.start("workspace/executeCommand", {
            "command": "postkit.pasteCurl", "arguments": [order]})
        asked = c.take("workspace/applyEdit")
        assert c.at("textDocument/hover", uri, 0, 0) is None
        c.notify("$/cancelRequest", {"id": id})
        with pytest.raises(ResponseError) as caught:
            c.finish(id)
        assert caught.value.code == -32800
        c.reply(asked, {"applied": True})
        assert c.at("textDocument/hover", uri, 0, 0) is None


def test_a_save_has_the_files_of_the_disk_looked_at_again(store, folder):
    """For clients that watch no files: what is saved may be read by any open document."""
    public = folder / "http-client.env.json"
    public.write_text('{"$shared": {"who": "ann"}}')
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1:1/{{who}}{{late}}\n")
        document = {"textDocument": {"uri": uri}}
        assert len(c.request("textDocument/diagnostic", document)["items"]) == 1
        c.requests.clear()
        public.write_text('{"$shared": {"who": "ann", "late": "1"}}')
        c.notify("textDocument/didSave", {"textDocument": {"uri": public.as_uri()}})
        c.expect("workspace/diagnostic/refresh")
        assert c.request("textDocument/diagnostic", document)["items"] == []


def test_every_command_answers_without_an_argument(store, folder):
    """A palette can give none: each does what it can, or says what it needs."""
    with client(store, folder) as c:
        c.answers["window/showMessageRequest"] = lambda params: None
        c.initialize()
        commands = c.server_capabilities["executeCommandProvider"]["commands"]
        assert len(commands) > 15
        done = []
        for name in commands:
            try:
                c.command(name)
                done.append(name)
            except ResponseError as error:
                assert error.code in (-32602, -32803), name
                assert len(error.message) > 20, name
        assert {"postkit.cancel", "postkit.history", "postkit.collections", "postkit.cookies",
                "postkit.session"} <= set(done)


def refuse(params):
    raise ResponseError({"code": -32601, "message": "There is no such method."})


def test_what_the_client_refuses_is_a_failure_with_a_remedy(store, folder):
    """Its own code would say that the command is unknown."""
    (folder / "http-client.env.json").write_text('{"dev": {}}')
    capabilities = abilities()
    capabilities["workspace"] = {**capabilities["workspace"], "applyEdit": True}
    text = "GET http://127.0.0.1:1/\nA: 1\n"
    with client(store, folder, capabilities) as c:
        c.answers["workspace/applyEdit"] = refuse
        c.answers["window/showMessageRequest"] = refuse
        c.initialize()
        uri = c.open(folder / "a.http", text)
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        line = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}
        for name, argument, remedy in [
            ("pasteCurl", {"uri": uri, "text": "curl http://127.0.0.1:1/"}, "Paste the text"),
            ("toggleLine", {"uri": uri, "range": line}, "Write `# `"),
            ("selectEnvironment", None, "`name`: dev"),
            ("import", None, "`uri`"),
            ("collectionEdit", {"op": "collection.save", **place}, "collections save"),
        ]:
            with pytest.raises(ResponseError) as caught:
                c.command(f"postkit.{name}", argument)
            assert caught.value.code == -32803, name
            assert remedy in caught.value.message
