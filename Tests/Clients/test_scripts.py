"""Scripts as editors see them: output, tests with their places, trust, and an endless loop."""

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
from test_stock import FULL

OWN = {**FULL, "experimental": {"postkit": {"version": 1, "output": True, "steps": True}}}
TRUSTED = {"postkit": {"trusted": True}}


def handled(target, script, name="login", before=""):
    """A request with a handler; its first line is the seventh of the file, counted from 1."""
    return f"### {name}\n{before}GET {target.url}/{name}\nAccept: */*\n\n> {{%\n{script}\n%}}\n\n"


GOOD_AND_BAD = (
    "client.log('status', response.status)\n"
    "client.test('is there', () => client.assert(response.status === 200))\n"
    "client.test('is gone', () => {\n"
    "  client.assert(response.status === 404, 'still there')\n"
    "})\n"
    "console.error('no \\u00e9')"
)


def send(c, uri, name="login", **more):
    return c.request(
        "postkit/send", {"textDocument": {"uri": uri}, "name": name, **more})


def test_tests_and_output_come_with_their_places(store, folder, target):
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        uri = c.open(folder / "a.http", handled(target, GOOD_AND_BAD))
        result = send(c, uri)
        assert (result["tests"]["passed"], result["tests"]["failed"]) == (1, 1)
        good, bad = result["checks"]
        assert good["passed"] and good["name"] == "is there" and good["ms"] >= 0
        assert not bad["passed"] and "still there" in bad["message"]
        # Counted from 0: the assertion, not the test around it.
        assert bad["line"] == 8
        assert result["output"] == [
            {"level": "log", "text": "status 200", "line": 5},
            {"level": "error", "text": "no é", "line": 10},
        ]
        told = [c.expect("postkit/didPrint") for _ in range(2)]
        assert [it["text"] for it in told] == ["status 200", "no é"]
        assert {it["id"] for it in told} == {result["id"]}
        assert {it["uri"] for it in told} == {uri}
        assert [it["line"] for it in told] == [5, 10]


def test_what_scripts_print_before_sending_has_the_id_too(store, folder, target):
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        text = handled(target, "client.log('after')", before="< {% client.log('before') %}\n")
        result = send(c, c.open(folder / "a.http", text))
        told = [c.expect("postkit/didPrint") for _ in range(2)]
        assert [(it["text"], it["id"]) for it in told] == [
            ("before", result["id"]), ("after", result["id"])]


def test_a_stock_client_finds_output_in_its_log(store, folder, target):
    with client(store, folder, FULL, options=TRUSTED) as c:
        c.initialize()
        script = "for (let i = 0; i < 300; i++) console.log('line ' + i)\nconsole.error('bad')"
        uri = c.open(folder / "a.http", handled(target, script))
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        seen = []
        while not seen or "left out" not in seen[-1]:
            seen.append(c.expect("window/logMessage")["message"])
        assert any("a.http:6: line 0\na.http:6: line 1\n" in text for text in seen)
        assert sum(text.count(": line ") for text in seen) <= 200
        assert not [m for m in c.requests if m["method"].startswith("window/showMessage")]


def test_the_response_has_the_output_and_the_place_of_what_failed(store, folder, target):
    with client(store, folder, FULL, options=TRUSTED) as c:
        c.initialize()
        script = GOOD_AND_BAD + "\nfor (let i = 0; i < 20; i++) console.log(i)"
        result = send(c, c.open(folder / "a.http", handled(target, script)))

        def text(path):
            uri = f"postkit:/response/{result['id']}{path}"
            return c.request("workspace/textDocumentContent", {"uri": uri})["text"]

        whole = text(".http")
        head = whole[:whole.index("HTTP/1.1 200")].split("\n")
        assert "# ✓ is there" in head
        (failed,) = [line for line in head if line.startswith("# ✗ is gone")]
        assert failed.endswith("(a.http:9)")
        start = head.index("# Output (22 lines)")
        assert head[start + 1:start + 4] == ["# status 200", "# error: no é", "# 0"]
        assert len(head) == start + 1 + 10 + 1 + 1
        lines = text("/output.txt").split("\n")
        assert lines[:3] == ["status 200", "error: no é", "0"] and lines[-2:] == ["19", ""]


def test_the_history_has_the_output_after_a_restart(store, folder, target):
    printing = "for (let i = 1; i <= 12; i++) console.log('line', i)"
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        sent = send(c, c.open(folder / "a.http", handled(target, printing)))["id"]
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        (item,) = c.request("postkit/history", {})["items"]
        assert (item["id"], item["origin"], item["purpose"]) == (sent, "editor", "request")
        assert not c.request("postkit/history", {"origin": "run"})["items"]
        assert not c.request("postkit/history", {"purpose": "token"})["items"]
        shown = {"uri": f"postkit:/response/{sent}/output.txt"}
        text = c.request("workspace/textDocumentContent", shown)["text"]
        assert text.splitlines() == [f"line {i}" for i in range(1, 13)]


def test_what_a_script_displays_is_in_the_view_and_not_in_the_history(store, folder, target):
    hook = "{{@responseLogging\nresponse.body = '{\"short\": true}'\n}}\n"
    shown, raw = {"view": "all"}, {"view": "raw"}
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### login\nGET {target.url}/login\n\n{hook}")
        sent = send(c, uri)["id"]

        def text(view):
            opened = c.command("postkit.showResponse", {"id": sent, **view})
            return c.request("workspace/textDocumentContent", {"uri": opened})["text"]

        assert '"short": true' in text(shown) and "t-1" not in text(shown)
        assert "t-1" in text(raw) and "short" not in text(raw)
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        assert "t-1" in text(shown) and "short" not in text(shown)


def test_globals_that_a_script_clears_are_gone_in_both_editors(store, folder, target):
    def setting(name, script):
        return f"### {name}\nGET {target.url}/{name}\n\n> {{%\n{script}\n%}}\n\n"

    text = (
        setting("set", "client.global.set('a', 'a-1'); client.global.set('b', 'b-1');"
                       "client.global.headers.set('X-G', 'g-1')")
        + setting("one", "client.global.clear('a')")
        + setting("all", "client.global.clearAll(); client.global.headers.clear('X-G')")
        + f"### read\nGET {target.url}/read\n\n{{{{a}}}} {{{{b}}}}\n")

    def seen():
        path, headers = target.seen[-1][1], target.seen[-1][2]
        return path, dict(headers).get("X-G"), target.seen[-1][3].decode().strip()

    with client(store, folder, OWN, options=TRUSTED) as c, \
            client(store, folder, OWN, options=TRUSTED) as other:
        c.initialize()
        other.initialize()
        uri = c.open(folder / "a.http", text)
        same = other.open(folder / "a.http", text)
        send(c, uri, "set")
        send(other, same, "read")
        assert seen() == ("/read", "g-1", "a-1 b-1")
        send(c, uri, "one")
        for each, where in [(c, uri), (other, same)]:
            send(each, where, "read")
            assert seen() == ("/read", "g-1", "{{a}} b-1")
        send(other, same, "all")
        for each, where in [(c, uri), (other, same)]:
            send(each, where, "read")
            assert seen() == ("/read", None, "{{a}} {{b}}")
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        send(c, c.open(folder / "a.http", text), "read")
        assert seen() == ("/read", None, "{{a}} {{b}}")


def test_lines_of_scripts_say_what_they_printed_and_set(store, folder, target):
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        script = (
            "client.global.set('seen', {id: 7})\n"
            "exports.count = 1 + 1\n"
            "client.global.set('token', 'abc' + 'defgh')\n"
            "for (let i = 0; i < 12; i++) console.log('turn ' + i)"
        )
        text = handled(target, script)
        uri = c.open(folder / "a.http", text)
        send(c, uri)

        def hints():
            return [
                (it["position"]["line"], "".join(part["value"] for part in it["label"]))
                for it in c.range("textDocument/inlayHint", uri) if it["position"]["line"] > 4]

        assert hints() == [
            (5, '= {"id":7}'), (6, "= 2"), (7, "= ••••••"), (8, "→ turn 11 ×12")]
        # Edited since, so that it is older than what stands there.
        c.change(uri, text.replace("exports.count = 1 + 1", "\n// two\nexports.count = 2"))
        assert hints() == [
            (5, '= {"id":7}  (before the edit)'), (9, "= ••••••  (before the edit)"),
            (10, "→ turn 11 ×12  (before the edit)")]


def evaluated(c, uri, line, character):
    return c.command("postkit.evaluateExpression", {
        "uri": uri, "position": {"line": line, "character": character}})


def test_an_expression_is_evaluated_where_somebody_asks_and_nothing_is_sent(
        store, folder, target):
    (folder / "http-client.private.env.json").write_text('{"dev": {"pass": "s3cr3t-value"}}')
    text = (
        f"@base = {target.url}\n@list = abc\n### a\n"
        "GET {{base}}/{{ list.length + 1 }}/{{pass + '!'}}/{{nosuch}}\n")
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


def test_secrets_are_masked_in_what_scripts_print(store, folder, target):
    (folder / "http-client.env.json").write_text('{"dev": {}}')
    (folder / "http-client.private.env.json").write_text('{"dev": {"key": "s3cr3t-value"}}')
    with client(store, folder, OWN, options={"postkit": {
            "trusted": True, "settings": {"environment": "dev"}}}) as c:
        c.initialize()
        script = "console.log('key', request.environment.get('key'), response.status)"
        result = send(c, c.open(folder / "a.http", handled(target, script)))
        told = c.expect("postkit/didPrint")
        assert "s3cr3t-value" not in str((result, told))
        assert told["text"].startswith("key ") and told["text"].endswith(" 200")


# --- trust


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
