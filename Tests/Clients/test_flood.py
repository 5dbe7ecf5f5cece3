"""Many requests at once: each is answered, and only the newest of equal ones is worked out."""

import time
from pathlib import Path

from rawclient import is_late
from test_stock import client


def test_of_equal_questions_the_newest_survive(store, folder):
    text = "".join(f"### r{n}\nGET http://127.0.0.1:1/{n}?a={{{{b}}}}\n" for n in range(2_000))
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        params = {"textDocument": {"uri": uri}}
        began = time.monotonic()
        with c.server.at_once():
            ids = [c.start("textDocument/documentSymbol", params) for _ in range(300)]
        other = c.at("textDocument/hover", uri, 1, 2)
        assert other
        answers = []
        for id in ids:
            while id not in c.results:
                c.step()
            answers.append(c.results.pop(id))
        in_time = [it for it in answers if not is_late(it, began)]
        given_up = [it for it in in_time if "error" in it]
        assert {it["error"]["code"] for it in given_up} == {-32800}
        # As many as are worked on at once are never given up, and the last one not at all.
        assert len(given_up) > 200
        assert all(
            is_late(it, began) or len(it["result"]) == 2_000 for it in answers[-4:])


def test_a_large_document_holds_up_no_other(store, folder):
    text = "".join(f"### r{n}\nGET http://127.0.0.1:1/{n}?a={{{{b}}}}\n" for n in range(8_000))
    methods = ("documentSymbol", "codeLens", "documentLink", "diagnostic")
    with client(store, folder) as c:
        c.initialize()
        large = {"textDocument": {"uri": c.open(folder / "large.http", text)}}
        uri = c.open(folder / "small.http", "GET http://127.0.0.1:1/\n")
        # As many of each as are worked on, so that none is given up.
        began = time.monotonic()
        with c.server.at_once():
            ids = [c.start(f"textDocument/{method}", large) for _ in range(4) for method in methods]
            hover = c.start("textDocument/hover", {
                "textDocument": {"uri": uri}, "position": {"line": 0, "character": 1}})
        assert c.finish(hover)
        # In one queue with them it would have been the last.
        answered = sum(id in c.results for id in ids)
        for id in ids:
            while id not in c.results:
                c.step()
            answer = c.results.pop(id)
            assert "error" not in answer or is_late(answer, began)
        assert answered <= len(ids) // 2


def test_a_client_that_reads_slowly_is_waited_for(store, folder, target):
    """Much more is asked for than may wait to be read; nothing is lost, nobody is given up."""
    size, pages = 1 << 20, 120
    target.bodies["/long"] = ("text/plain", b"x" * size)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### a\nGET {target.url}/long\n")
        sent = c.command("postkit.send", {"uri": uri, "name": "a"})
        wanted = {"id": sent["id"], "length": size}
        server = c.server
        server.hold()
        ids = [c.start("postkit/exchange", wanted) for _ in range(pages)]
        # What is to be done does not wait behind what is to be read.
        target.seen.clear()
        sending = c.start("workspace/executeCommand", {
            "command": "postkit.send", "arguments": [{"uri": uri, "name": "a"}]})
        while not target.seen:
            assert server.process.poll() is None, server.errors
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        c.notify("$/cancelRequest", {"id": ids[-1]})
        server.go_on()
        assert c.finish(sending)["state"] == "done"
        answers = []
        for id in ids:
            while id not in c.results:
                c.step()
            answers.append(c.results.pop(id))
        assert answers[-1]["error"]["code"] == -32800
        assert all(len(it["result"]["data"]) == size for it in answers[:-1])
    memory = int(status.partition("VmRSS:")[2].split()[0])
    assert memory < 200_000, f"{memory} kB while nobody reads"
