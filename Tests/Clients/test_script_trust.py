"""Scripts and expressions run where somebody trusts the folder and asks, and hold up nothing."""

import os
import threading
import time
from pathlib import Path

import pytest
from rawclient import ResponseError
from test_questions import (
    ASKING,
    DISTRUST,
    METHOD,
    TRUST,
    asked,
    cannot,
    client,
    closes,
    presses,
    refusal,
)
from test_scripts import GOOD_AND_BAD, OWN, TRUSTED, handled, send
from test_stock import FULL


def evaluated(c, uri, line, character):
    return c.command("postkit.evaluateExpression", {
        "uri": uri, "position": {"line": line, "character": character}})


def test_an_expression_is_evaluated_where_somebody_asks_and_nothing_is_sent(
        store, folder, target):
    (folder / "http-client.private.env.json").write_text('{"dev": {"pass": "s3cr3t-value"}}')
    text = (
        f"@base = {target.url}\n@list = abc\n### a\n"
        "GET {{base}}/{{ list.length + 1 }}/{{pass + '!'}}/{{nosuch}}"
        "/{{client.global.set('x', 1)}}\n")
    with client(store, folder, OWN, options={"postkit": {
            "trusted": True, "settings": {"environment": "dev"}}}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        line = text.split("\n")[3]
        assert evaluated(c, uri, 3, line.index("base")) == target.url
        assert evaluated(c, uri, 3, line.index("list")) == "4"
        assert evaluated(c, uri, 3, line.index("pass")) == "••••••!"
        shown = [c.expect("window/showMessage")["message"] for _ in range(3)]
        assert shown[1] == "{{ list.length + 1 }} = 4" and "s3cr3t" not in str(shown)
        with pytest.raises(ResponseError, match="`nosuch` is not defined"):
            evaluated(c, uri, 3, line.index("nosuch"))
        with pytest.raises(ResponseError, match="no reference here"):
            evaluated(c, uri, 2, 0)
        titles = [it["title"] for it in c.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "context": {"diagnostics": []},
            "range": {"start": {"line": 3, "character": line.index("list")},
                      "end": {"line": 3, "character": line.index("list")}}})]
        assert "Evaluate `{{ list.length + 1 }}`" in titles
        assert not target.seen


def test_no_expression_is_evaluated_in_a_folder_that_is_not_trusted(store, folder, target):
    with client(store, folder, ASKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{1 + 1}}}}\n")
        c.answers[METHOD] = presses(DISTRUST)
        with pytest.raises(ResponseError, match="not trusted"):
            evaluated(c, uri, 0, len(f"GET {target.url}/") + 3)
        assert not children(c)


def children(c):
    """The processes that the server has started: the words of each, by its number."""
    found = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int(fields(entry)[1]) == c.server.process.pid:
                found[int(entry.name)] = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            pass
    return found


def only_reads(c):
    """Whether there is at most a child that reads scripts, which is confined and runs nothing."""
    found = children(c)
    return len(found) <= 1 and all(it[1:2] == [b"__script-host"] for it in found.values())


def fields(entry):
    """What the system tells of a process, behind its name."""
    return (entry / "stat").read_text().rpartition(")")[2].split()


def wait_until(is_so):
    """Waits until something is so, which must not take a minute."""
    end = time.monotonic() + 60
    while not (answer := is_so()):
        assert time.monotonic() < end, "It never came."
        threading.Event().wait(0.01)
    return answer


def test_trust_is_asked_for_before_scripts_run(store, folder, target):
    text = handled(target, GOOD_AND_BAD) + handled(target, "client.log(1)", "other")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        c.answers[METHOD] = presses(TRUST)
        for _ in range(2):
            result = c.command("postkit.send", {"uri": uri, "name": "login"})
            assert result["tests"] == {"passed": 1, "failed": 1}
        (question,) = asked(c)
        assert question["message"].startswith(
            f"A request in {folder} runs scripts of the folder: login. "
            "Do you trust this folder? Then its scripts run, ")
        assert [action["title"] for action in question["actions"]] == [TRUST, DISTRUST]


@pytest.mark.parametrize("answer", [presses(DISTRUST), closes, cannot])
def test_without_trust_nothing_runs(store, folder, target, answer):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", handled(target, GOOD_AND_BAD))
        c.answers[METHOD] = answer
        error = refusal(c, "postkit.send", {"uri": uri, "name": "login"})
        assert error.data["code"] == "script-failed" and "not trusted" in error.message
        assert error.data.get("declined") == (None if answer is cannot else True)
        assert len(asked(c)) == 1 and target.seen == [] and only_reads(c)


def test_a_client_without_buttons_is_told_how_to_trust(store, folder, target):
    with client(store, folder, {}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", handled(target, GOOD_AND_BAD))
        error = refusal(c, "postkit.send", {"uri": uri, "name": "login"})
        assert "set `postkit.trusted` to true" in error.message
        assert target.seen == [] and only_reads(c)


# --- nothing runs by being read


def test_reading_a_hostile_file_runs_nothing(store, folder, target):
    evil = f"require('http').get('{target.url}/evil'); client.global.set('ran', 'yes')"
    (folder / "evil.js").write_text(evil)
    text = (
        f"={{%\n{evil}\n%}}\n\n### evil\n< {{%\n{evil}\n%}}\n< ./evil.js\n"
        f"GET {target.url}/x?a={{{{ (() => {{ client.global.set('ran', 'yes') }})() }}}}\n\n"
        f"{{{{\n{evil}\nexports.ran = 'yes'\n}}}}\n\n> {{%\n{evil}\n%}}\n\n"
        "### asks\nGET {{ran}}\n"
    )
    with client(store, folder, {**FULL, **ASKING}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        document = {"textDocument": {"uri": uri}}
        for line in range(text.count("\n")):
            for column in (0, 4, 12):
                c.at("textDocument/hover", uri, line, column)
                c.at("textDocument/completion", uri, line, column)
        for method in ("documentSymbol", "diagnostic", "codeLens", "documentLink"):
            c.request(f"textDocument/{method}", document)
        c.range("textDocument/inlayHint", uri)
        c.range("textDocument/codeAction", uri, context={"diagnostics": []})
        assert target.seen == [] and asked(c) == []
        assert only_reads(c)
        assert "yes" not in str(c.request("postkit/variables", document))


# --- a loop holds nobody up


def test_an_endless_loop_holds_up_no_hover(store, folder, target):
    def hovers(c, uri):
        """How long hovers take in which most of them are answered, in seconds."""
        times = []
        for _ in range(60):
            start = time.monotonic()
            assert c.at("textDocument/hover", uri, 0, 2)
            times.append(time.monotonic() - start)
        return sorted(times)[len(times) * 19 // 20]

    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        text = f"@host = {target.url}\n\n" + handled(target, "for (;;) {}")
        uri = c.open(folder / "a.http", text)
        before = hovers(c, uri)
        number = c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "login"})
        wait_until(lambda: any(used(pid) > 20 for pid in children(c)))
        during = hovers(c, uri)
        print(f"hovers: {before * 1000:.1f} ms, within a loop {during * 1000:.1f} ms")
        # The loop goes on meanwhile; it would take ten seconds. It has a processor of its own or
        # shares one, so that a hover may take its time several times over.
        assert during < max(0.5, 10 * before)
        c.notify("$/cancelRequest", {"id": number})
        with pytest.raises(ResponseError) as caught:
            c.finish(number)
        assert caught.value.code == -32800


def test_the_engine_ends_with_the_server(store, folder, target):
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        uri = c.open(folder / "a.http", handled(target, "client.log(1)"))
        assert send(c, uri)["state"] == "done"
        processes = list(children(c))
        assert processes
    wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in processes))


def used(pid):
    """The time of the processor that a process has used, in hundredths of a second."""
    try:
        return int(fields(Path("/proc") / str(pid))[11])
    except OSError:
        return 0
