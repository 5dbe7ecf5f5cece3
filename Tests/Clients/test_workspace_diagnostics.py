"""Diagnostics of the files that are not open: unchanged, in parts, and held until there is news."""

import os
import time

import pytest
from rawclient import ResponseError
from test_stock import FULL, PULL, client
from test_trust import Watch

BROKEN = "GET http://127.0.0.1/{{nope}}\n"
FINE = "GET http://127.0.0.1/\n"


@pytest.fixture
def files(folder):
    (folder / "sub").mkdir()
    paths = [folder / "a.http", folder / "b.rest", folder / "sub/c.http"]
    for path, text in zip(paths, (BROKEN, FINE, BROKEN), strict=True):
        path.write_text(text)
    return paths


def start(c, reports=(), **extra):
    """Asks, knowing some reports."""
    known = [{"uri": r["uri"], "value": r["resultId"]} for r in reports]
    return c.start("workspace/diagnostic", {"previousResultIds": known, **extra})


def pulled(c, reports=(), **extra):
    return c.finish(start(c, reports, **extra))["items"]


def kinds(items):
    """What is said of each file, by its name."""
    return {
        item["uri"].rsplit("/", 1)[1]: [d["code"] for d in item["items"]]
        if item["kind"] == "full"
        else item["kind"]
        for item in items
    }


def changed(c, path, kind=2):
    change = {"uri": path.as_uri(), "type": kind}
    c.notify("workspace/didChangeWatchedFiles", {"changes": [change]})


def test_files_that_are_not_open_are_told_of_and_open_ones_are_not(store, folder, files):
    with client(store, folder) as c:
        result = c.initialize()
        assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is True
        first = pulled(c)
        assert kinds(first) == {
            "a.http": ["unresolved-variable"], "b.rest": [], "c.http": ["unresolved-variable"],
        }
        assert all(item["version"] is None for item in first)
        uri = c.open(files[0])
        # The same is said where the file is open, with the same id.
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert report["items"] == first[0]["items"]
        assert report["resultId"] == first[0]["resultId"]
        assert kinds(pulled(c)) == {"b.rest": [], "c.http": ["unresolved-variable"]}


def news(c, held, reports):
    """What an answer that was held comes to: it ends when there may be news, which is asked for."""
    items = c.finish(held)["items"]
    return items if "full" in [item["kind"] for item in items] else pulled(c, reports)


def test_an_answer_waits_until_there_is_news(store, folder, files):
    with client(store, folder) as c:
        c.initialize()
        first = pulled(c)
        held = start(c, first)
        uri = c.show(folder / "d.http", FINE)
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        assert c.request("textDocument/hover", place)
        assert held not in c.results
        files[2].write_text(FINE)
        changed(c, files[2])
        second = news(c, held, first)
        assert kinds(second) == {"a.http": "unchanged", "b.rest": "unchanged", "c.http": []}
        # What is gone has no mistakes any more, and that is said once.
        held = start(c, second)
        files[0].unlink()
        changed(c, files[0], 3)
        third = news(c, held, second)
        assert kinds(third) == {"a.http": [], "b.rest": "unchanged", "c.http": "unchanged"}
        held = start(c, third)
        (folder / "http-client.env.json").write_text("{")
        changed(c, folder / "http-client.env.json", 1)
        assert "environment-file" in kinds(news(c, held, third))["b.rest"]


def test_a_folder_without_files_is_told_of_at_once(store, folder):
    with client(store, folder) as c:
        c.initialize()
        assert pulled(c) == []


def test_a_held_answer_can_be_cancelled_and_keeps_nobody_from_ending(store, folder, files):
    with client(store, folder, PULL) as c:
        c.initialize()
        first = pulled(c)
        held = start(c, first)
        c.notify("$/cancelRequest", {"id": held})
        with pytest.raises(ResponseError) as caught:
            c.finish(held)
        assert caught.value.code == -32800
        start(c, first)
        c.request("shutdown")
        c.notify("exit")
        assert c.server.wait() == 0


def test_what_is_found_comes_in_parts_where_that_is_wished(store, folder, files):
    with client(store, folder) as c:
        c.initialize()
        assert pulled(c, partialResultToken="p") == []
        parts = [m["params"] for m in c.notifications if m["method"] == "$/progress"]
        assert all(part["token"] == "p" for part in parts) and len(parts) == 3
        items = [item for part in parts for item in part["value"]["items"]]
        assert kinds(items)["a.http"] == ["unresolved-variable"]
        assert pulled(c, items[:2], partialResultToken="q") == []


def test_who_is_sent_diagnostics_is_not_offered_them(store, folder, files):
    push = {**FULL, "textDocument": {"publishDiagnostics": {}}}
    with client(store, folder, push) as c:
        assert "diagnosticProvider" not in c.initialize()["capabilities"]


def aged(*paths):
    """Makes files that nobody has touched for an hour: the time of the next change is another."""
    for path in paths:
        then = time.time() - 3_600
        os.utime(path, (then, then))


def test_files_are_read_again_only_where_something_they_depend_on_has_changed(
    store, folder, files, target
):
    environments = folder / "http-client.env.json"
    environments.write_text('{"dev": {"nope": "x"}}')
    lone, reading = folder / "lone.http", folder / "reading.http"
    lone.write_text("GET http://127.0.0.1/{{missing}}\n")
    reading.write_text("# @name login\nGET http://127.0.0.1/\n\n"
                       "###\nGET http://127.0.0.1/{{login.response.body.$.id}}\n")
    including = folder / "including.http"
    including.write_text("POST http://127.0.0.1/\n\n< ./body.json\n")
    everything = [*files, lone, reading, including]
    aged(*everything, environments)
    alone = {path.name for path in (*files, lone)}
    with client(store, folder) as c:
        c.initialize()
        watch = Watch(*everything)
        first = pulled(c)
        assert alone | {reading.name, including.name} <= watch.opened()

        def again(reports):
            """Asks as one who knows only a part, so that the answer is not held."""
            items = pulled(c, [r for r in reports if not r["uri"].endswith("/lone.http")])
            return items, watch.opened()

        # What is kept is for who knows it; one file is looked at for who does not.
        items, opened = again(first)
        assert {item["kind"] for item in items if "lone" not in item["uri"]} == {"unchanged"}
        assert opened == {lone.name, including.name}
        # What was sent is of interest to who reads a response.
        uri = c.show(folder / "open.http", f"GET {target.url}/json\n")
        c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert again(first)[1] == {lone.name, including.name, reading.name}
        # The same text again, by another hand: it is looked at and is the same.
        files[0].write_text(BROKEN)
        changed(c, files[0])
        items, opened = again(first)
        assert files[0].name in opened and not opened & {files[1].name, files[2].name}
        assert kinds(items)["a.http"] == "unchanged"
        aged(files[0])
        # All of a folder depend on its environments; others do on what the editor has of them.
        environments.write_text('{"dev": {"nope": "x"}}')
        aged(environments)
        changed(c, environments)
        assert alone <= again(first)[1]
        assert not again(first)[1] & {files[0].name, files[1].name, files[2].name}
        c.show(environments, "{")
        items, opened = again(first)
        assert alone <= opened
        assert "environment-file" in kinds(items)["b.rest"]
