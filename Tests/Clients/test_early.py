"""What a client does before it has said its settings, and what it is asked to watch."""

import functools
import json
import time

import pytest
from rawclient import TIMEOUT, ResponseError
from test_abilities import ALL
from test_stock import client, without

CONFIGURATION = "workspace/configuration"
ENVIRONMENTS = '{"dev": {"who": "ann"}, "prod": {"who": "bob"}}'


@pytest.fixture
def text(folder, target):
    (folder / "http-client.env.json").write_text(ENVIRONMENTS)
    return f"### a\nGET {target.url}/{{{{who}}}}\n"


def sends(uri):
    place = {"line": 1, "character": 0}
    return {
        "postkit.send": {"uri": uri, "position": place},
        "postkit.sendAll": {"uri": uri},
        "postkit.copyAsCurl": {"uri": uri, "position": place},
    }


def in_time(test):
    """The settings are waited for a second: where a test took longer, as the machine stood still,
    and failed, it is done again."""
    @functools.wraps(test)
    def tried(**fixtures):
        end = time.monotonic() + TIMEOUT
        while True:
            fixtures["target"].seen.clear()
            began = time.monotonic()
            try:
                return test(**fixtures)
            except (AssertionError, ResponseError):
                now = time.monotonic()
                if now - began < 1 or now > end:
                    raise
    return tried


@pytest.mark.parametrize("command", ["postkit.send", "postkit.sendAll", "postkit.copyAsCurl"])
@in_time
def test_a_send_waits_for_the_settings_that_were_asked_for(store, folder, target, text, command):
    with client(store, folder, ALL) as c:
        c.answers[CONFIGURATION] = ...
        c.initialize()
        uri = c.open(folder / "a.http", text)
        id = c.start("workspace/executeCommand", {
            "command": command, "arguments": [sends(uri)[command]]})
        question = c.take(CONFIGURATION)
        # What is asked beside it is answered, and nothing was sent for want of an environment.
        c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert id not in c.results and target.seen == []
        c.reply(question, [{"environment": "dev"}])
        answer = c.finish(id)
        if command == "postkit.copyAsCurl":
            assert "/ann" in answer
        else:
            assert [path for _, path, _, _ in target.seen] == ["/ann"]
        assert [m for m in c.notifications if "settings" in m["params"].get("message", "")] == []


@pytest.mark.parametrize("round", range(5))
@in_time
def test_a_send_of_our_own_method_waits_as_well(store, folder, target, text, round):
    # The answer comes before, while and after the send gets as far as to wait for it.
    with client(store, folder, ALL) as c:
        c.answers[CONFIGURATION] = ...
        c.initialize()
        uri = c.open(folder / "a.http", text)
        id = c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "a"})
        c.reply(c.take(CONFIGURATION), [{"environment": "prod"}])
        assert c.finish(id)["status"] == 200
        assert [path for _, path, _, _ in target.seen] == ["/bob"]


def test_settings_that_do_not_come_are_not_waited_for_twice(store, folder, target, text):
    with client(store, folder, ALL) as c:
        c.answers[CONFIGURATION] = ...
        c.initialize()
        uri = c.open(folder / "a.http", text)
        for _ in range(2):
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.send", {"uri": uri, "name": "a"})
            assert caught.value.data["code"] == "unresolved-variable"
        told = [m["params"]["message"] for m in c.notifications
                if m["method"] == "window/showMessage"]
        assert len([it for it in told if "sent no settings within" in it]) == 1
        assert target.seen == []
        # A late answer counts from then on.
        c.reply(c.take(CONFIGURATION), [{"environment": "dev"}])
        assert c.command("postkit.send", {"uri": uri, "name": "a"})["state"] == "done"
        assert [path for _, path, _, _ in target.seen] == ["/ann"]


@in_time
def test_a_send_that_waits_can_be_cancelled(store, folder, target, text):
    with client(store, folder, ALL) as c:
        c.answers[CONFIGURATION] = ...
        c.initialize()
        uri = c.open(folder / "a.http", text)
        id = c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "a"})
        question = c.take(CONFIGURATION)
        c.notify("$/cancelRequest", {"id": id})
        with pytest.raises(ResponseError) as caught:
            c.finish(id)
        assert caught.value.code == -32800
        c.reply(question, [{"environment": "dev"}])
        assert c.command("postkit.cancel") == 0
    assert target.seen == []


# --- watched files


def watched(message):
    for registration in message["params"]["registrations"]:
        if registration["method"] == "workspace/didChangeWatchedFiles":
            yield from (it["globPattern"] for it in registration["registerOptions"]["watchers"])


def test_files_are_watched_below_the_folders(store, folder):
    other = folder.parent / "other"
    other.mkdir()
    with client(store, folder, ALL) as c:
        c.initialize()
        globs = list(watched(c.take("client/registerCapability")))
        assert {it["baseUri"] for it in globs} == {folder.as_uri()}
        assert "**/postkit.json" in {it["pattern"] for it in globs}
        c.notify("workspace/didChangeWorkspaceFolders", {"event": {
            "added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}})
        taken_back = c.take("client/unregisterCapability")["params"]["unregisterations"]
        assert [it["id"] for it in taken_back] == ["postkit.files"]
        globs = list(watched(c.take("client/registerCapability")))
        assert {it["baseUri"] for it in globs} == {folder.as_uri(), other.as_uri()}
        assert len(globs) == 2 * len({it["pattern"] for it in globs})


def test_a_client_without_relative_patterns_has_plain_ones(store, folder):
    path = "workspace.didChangeWatchedFiles.relativePatternSupport"
    with client(store, folder, without(ALL, path)) as c:
        c.initialize()
        globs = list(watched(c.take("client/registerCapability")))
        assert "**/postkit.json" in globs and all(isinstance(it, str) for it in globs)
        c.notify("workspace/didChangeWorkspaceFolders", {"event": {
            "added": [{"uri": folder.parent.as_uri(), "name": "all"}], "removed": []}})
        c.request("workspace/symbol", {"query": ""})
        methods = {m["method"] for m in c.requests}
        assert "client/unregisterCapability" not in methods


# --- pages of Markdown


def test_pages_without_requests_leave_room_for_the_others(store, folder):
    pages = folder / "pages"
    pages.mkdir()
    for number in range(5_001):
        (pages / f"{number}.md").write_text("# Only words\n")
    (folder / "z").mkdir()
    (folder / "z/last.http").write_text("### the last one\nGET http://127.0.0.1:1/\n")
    (folder / "z/page.md").write_text(
        "```http\n### in a page\nGET http://127.0.0.1:1/\n```\n")
    with client(store, folder, ALL) as c:
        c.initialize()
        names = {item["name"] for item in c.request("workspace/symbol", {"query": ""})}
        assert {"the last one", "in a page"} <= names


# --- what is in force


def test_the_variables_of_a_place_are_a_list(store, folder, text):
    (folder / "http-client.private.env.json").write_text('{"dev": {"key": "s3cr3t-value"}}')
    for capabilities in (ALL, without(ALL, "workspace.textDocumentContent")):
        with client(store, folder, capabilities) as c:
            c.initialize()
            uri = c.open(folder / "a.http", "@own = 1\n" + text)
            shown = c.command("postkit.variables", {"uri": uri, "environment": "dev"})
            assert c.expect("window/showDocument")["uri"] == shown
            if shown.startswith("postkit:"):
                found = c.request("workspace/textDocumentContent", {"uri": shown})["text"]
            else:
                found = open(shown.removeprefix("file://").replace("%20", " ")).read()
            assert "own = 1" in found and "who = ann" in found
            assert "key = " in found and "s3cr3t" not in found
            assert f"{folder}/http-client.env.json:1" in found
            # Without an argument the place that was asked about last is meant.
            c.at("textDocument/hover", uri, 0, 0)
            again = c.command("postkit.variables")
            assert again.startswith(shown.split("?")[0])


def test_the_status_is_a_text(store, folder, text):
    plain = {"window": {"showMessage": {}}}
    for capabilities in (ALL, plain):
        with client(store, folder, capabilities) as c:
            c.initialize()
            (folder / "http-client.env.json").write_text(json.dumps({"dev": {}}))
            c.command("postkit.selectEnvironment", {"name": "dev"})
            found = c.command("postkit.status")
            assert "the environment `dev`" in found and "No requests running" in found
            assert str(store) in found and "PostKit" in found
            told = [m["params"]["message"] for m in c.notifications
                    if m["method"] == "window/showMessage"]
            assert (found in told) == (capabilities is plain)


def test_the_engine_begins_anew(store, folder, target):
    text = f"### a\nGET {target.url}/a\n\n### hang\nGET {target.url}/hang\n"
    with client(store, folder, ALL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert c.command("postkit.send", {"uri": uri, "name": "a"})["status"] == 200
        id = c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "hang"})
        assert target.hanging.wait(TIMEOUT)
        assert "1 send was ended" in c.command("postkit.restartEngine")
        assert c.finish(id)["state"] == "cancelled"
        assert target.closed.wait(TIMEOUT)
        assert c.command("postkit.send", {"uri": uri, "name": "a"})["status"] == 200
        assert "ended" not in c.command("postkit.restartEngine")
