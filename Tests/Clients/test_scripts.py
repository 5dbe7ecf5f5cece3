"""Scripts as editors see them: what they print, test, display and set, with their places."""

from test_questions import client
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
