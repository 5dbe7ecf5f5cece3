"""Hovers, hints, lenses and checks: what an editor draws beside the text, and what it hides."""

import json

import pytest
from rawclient import TIMEOUT, ResponseError
from test_stock import FULL, client

SECRET = "s3cr3t-t0ken"
RELATING = {
    **FULL,
    "textDocument": {**FULL["textDocument"], "diagnostic": {"relatedInformation": True}},
}


@pytest.fixture
def environments(folder, target):
    public = {"dev": {"host": target.url, "who": "ann"}, "prod": {"host": "https://prod.test"}}
    private = {"dev": {"token": SECRET}, "prod": {"token": "pr0d-t0ken"}}
    (folder / "http-client.env.json").write_text(json.dumps(public))
    (folder / "http-client.private.env.json").write_text(json.dumps(private))


def hints(c, uri):
    found = c.range("textDocument/inlayHint", uri)
    return [
        (hint["position"]["line"], "".join(part["value"] for part in hint["label"]))
        for hint in found
    ]


def results(c, uri):
    """The lines that have a last result, and how it is to be drawn."""
    found = c.range("textDocument/inlayHint", uri)
    return [(hint["position"]["line"], hint["data"]["result"])
            for hint in found if "result" in hint["data"]]


def choose(c, name, folder):
    c.command("postkit.selectEnvironment", {"name": name, "folder": folder.as_uri()})


TEXT = """### first
GET {{host}}/a?t={{token}}

?? status == 200
?? status == 201

### second
# @ref first
GET {{host}}/{{who}}/{{first.response.body.$.token}}
"""


def test_hints_follow_the_environment_and_what_is_sent(store, folder, target, environments):
    (folder / "postkit.json").write_text(json.dumps({"inlay": {"variables": "url"}}))
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        assert hints(c, uri) == [
            (1, " not defined"),
            (1, " not defined"),
            (7, "not sent yet"),
            (8, " not defined"),
            (8, " not defined"),
        ]
        choose(c, "dev", folder)
        c.expect("workspace/inlayHint/refresh")
        assert hints(c, uri) == [
            (1, f" = {target.url}"),
            (1, " = ••••••"),
            (7, "not sent yet"),
            (8, f" = {target.url}"),
            (8, " = ann"),
        ]
        c.requests.clear()
        sent = c.command("postkit.send", {"uri": uri, "name": "first"})
        c.expect("workspace/inlayHint/refresh")
        found = c.range("textDocument/inlayHint", uri)
        ref = next(hint for hint in found if hint["position"]["line"] == 7)
        assert ref["label"][0]["value"] == "200, just now"
        assert ref["label"][0]["command"]["arguments"] == [{"id": sent["id"]}]
        value = next(hint for hint in found if hint["label"][0]["value"] == " = ann")
        assert value["textEdits"][0]["newText"] == "ann"
        secret = next(hint for hint in found if hint["label"][0]["value"] == " = ••••••")
        assert "textEdits" not in secret
        resolved = c.request("inlayHint/resolve", value)
        assert resolved["tooltip"]["value"].startswith("`who` = `ann`")
        resolved = c.request("inlayHint/resolve", secret)["tooltip"]["value"]
        assert "- `prod`: `••••••`" in resolved
        c.change(uri, TEXT + "\n")
        with pytest.raises(ResponseError) as caught:
            c.request("inlayHint/resolve", value)
        assert caught.value.code == -32801
        seen = b"".join(c.server.messages)
    assert SECRET.encode() not in seen and b"pr0d-t0ken" not in seen


@pytest.mark.parametrize(
    ("setting", "count"), [(None, 1), ("off", 0), ("unresolved", 1), ("url", 2), ("all", 3)]
)
def test_which_values_are_shown_is_a_setting(store, folder, setting, count, environments):
    inlay = {} if setting is None else {"variables": setting}
    (folder / "postkit.json").write_text(json.dumps({"environment": "dev", "inlay": inlay}))
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET {{host}}/{{nope}}\nX: {{who}}\n")
        assert len(hints(c, uri)) == count


def test_lenses_say_connect_and_copy_where_wanted(store, folder):
    text = "GET http://127.0.0.1:1/\nAccept: text/event-stream\n\n###\nGET http://127.0.0.1:1/\n"
    for copies in (False, True):
        settings = {"codeLens": {"copyAsCurl": copies}}
        (folder / "postkit.json").write_text(json.dumps(settings))
        with client(store, folder) as c:
            c.initialize()
            uri = c.open(folder / "a.http", text)
            lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
            titles = [lens["command"]["title"] for lens in lenses]
            assert titles[2] == "Connect" and "Send" in titles
            assert titles.count("Copy as curl") == (2 if copies else 0)
            for lens in lenses:
                if lens["command"]["title"] == "Copy as curl":
                    order = {key: lens["command"][key] for key in ("command", "arguments")}
                    text_of = c.request("workspace/executeCommand", order)
                    assert "curl" in json.dumps(text_of)


def test_a_hover_on_a_request_shows_what_came_back(store, folder, target, environments):
    target.bodies[f"/secret?t={SECRET}"] = ("application/json", json.dumps({"t": SECRET}).encode())
    text = "### a\nGET {{host}}/b\n\n### s\nGET {{host}}/secret?t={{token}}\n"
    with client(store, folder) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", text)
        c.command("postkit.send", {"uri": uri, "name": "a"})
        c.command("postkit.send", {"uri": uri, "name": "s"})
        shown = c.at("textDocument/hover", uri, 1, 1)["contents"]["value"]
        assert "GET" in shown
        shown = c.at("textDocument/hover", uri, 1, 13)["contents"]["value"]
        assert f"`GET {target.url}/b`" in shown and "Last result: 200 OK" in shown
        assert '```\n{\n  "path": "/b",' in shown
        shown = c.at("textDocument/hover", uri, 4, 14)["contents"]["value"]
        assert '"t": "••••••"' in shown
        shown = c.at("textDocument/hover", uri, 4, 8)["contents"]["value"]
        assert "- `prod`: `https://prod.test`" in shown
        sent = b"".join(c.server.messages)
    assert SECRET.encode() not in sent


def diagnostics(c, uri):
    found = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    return [item for item in found if item["code"] == "assertion-failed"]


def test_a_failed_check_is_told_at_its_line_with_the_response(store, folder, target, environments):
    with client(store, folder, RELATING) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", TEXT)
        assert diagnostics(c, uri) == []
        c.requests.clear()
        sent = c.command("postkit.send", {"uri": uri, "name": "first"})
        c.expect("workspace/diagnostic/refresh")
        (item,) = diagnostics(c, uri)
        assert item["range"]["start"]["line"] == 4 and item["severity"] == 2
        assert item["message"].startswith("This check failed at the last run. The value is `200`.")
        (related,) = item["relatedInformation"]
        page = related["location"]["uri"]
        assert page == f"postkit:/response/{sent['id']}.http"
        text = c.request("workspace/textDocumentContent", {"uri": page})["text"]
        assert "HTTP/1.1 200" in text
        shown = c.at("textDocument/hover", uri, 4, 5)["contents"]["value"]
        assert shown.startswith("Failed at the last run.")
        # A line that says something else now was not checked.
        c.change(uri, TEXT.replace("== 201", "== 200"))
        assert diagnostics(c, uri) == []
        c.change(uri, "\n\n" + TEXT)
        (item,) = diagnostics(c, uri)
        assert item["range"]["start"]["line"] == 6


def test_a_failed_check_is_pushed_and_taken_back_when_its_line_changes(
        store, folder, target, environments):
    pushed = json.loads(json.dumps(RELATING))
    del pushed["textDocument"]["diagnostic"]
    pushed["textDocument"]["publishDiagnostics"] = {
        "relatedInformation": True, "versionSupport": True}
    with client(store, folder, pushed) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", TEXT)

        def told(where):
            """Waits for the pushed checks to be of a kind."""
            def fits(params):
                failed = [d for d in params["diagnostics"] if d["code"] == "assertion-failed"]
                return params["uri"] == uri and where(params, failed)
            found = c.expect("textDocument/publishDiagnostics", fits)["diagnostics"]
            return [d for d in found if d["code"] == "assertion-failed"]

        sent = c.command("postkit.send", {"uri": uri, "name": "first"})
        (item,) = told(lambda params, failed: failed)
        assert item["range"]["start"]["line"] == 4
        page = item["relatedInformation"][0]["location"]["uri"]
        assert page == f"postkit:/response/{sent['id']}.http"
        c.change(uri, TEXT.replace("== 201", "== 200"))
        told(lambda params, failed: params["version"] == 2 and not failed)


def test_only_a_result_says_that_it_is_one(store, folder, target, environments):
    text = TEXT.replace("== 201", "== 200") + "\n### third\nGET {{host}}/missing?q={{nobody}}\n"
    with client(store, folder) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", text)
        assert results(c, uri) == []
        c.command("postkit.send", {"uri": uri, "name": "first"})
        # The hint behind the name of it leads to the same response.
        assert (7, "200, just now") in hints(c, uri) and results(c, uri) == [(1, "done")]
        c.change(uri, text.replace("?q={{nobody}}", ""))
        c.command("postkit.send", {"uri": uri, "name": "third"})
        assert results(c, uri) == [(1, "done"), (11, "failed")]
        c.change(uri, text.replace("/missing?q={{nobody}}", "/hang"))
        send = c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "third"})
        # It begins soon after the server has read that; each look is a question to it.
        looks = iter(range(5_000))
        while results(c, uri)[1:] != [(11, "sending")]:
            next(looks)
        assert c.command("postkit.cancel", {"uri": uri}) == 1
        assert c.finish(send)["state"] == "cancelled"
        assert results(c, uri)[1:] == [(11, "cancelled")]


def test_a_failed_check_is_still_told_after_a_restart(store, folder, target, environments):
    with client(store, folder, RELATING) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", TEXT)
        sent = c.command("postkit.send", {"uri": uri, "name": "first"})
        assert sent["tests"]["failed"] == 1
        before = hints(c, uri)
        assert any("✗ 1 of 2 tests failed" in text for _, text in before)
        assert results(c, uri) == [(1, "failed")]
    with client(store, folder, RELATING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        (item,) = diagnostics(c, uri)
        assert item["message"].startswith("This check failed at the last run. The value is `200`.")
        page = item["relatedInformation"][0]["location"]["uri"]
        assert page == f"postkit:/response/{sent['id']}.http"
        assert [text for _, text in hints(c, uri)] == [text for _, text in before]
        shown = c.at("textDocument/hover", uri, 4, 5)["contents"]["value"]
        assert shown.startswith("Failed at the last run. The value is `200`.")
        # A line that was not checked yet tells what there is to check.
        c.change(uri, TEXT.replace("== 201", "== 204"))
        assert diagnostics(c, uri) == []
        shown = c.at("textDocument/hover", uri, 4, 5)["contents"]["value"]
        assert shown == "Not checked yet. The value in the last response is `200`."
        # What another process sends is looked up anew.
        c.change(uri, TEXT)
        assert len(diagnostics(c, uri)) == 1
        c.requests.clear()
        with client(store, folder, RELATING) as other:
            other.initialize()
            other.open(folder / "a.http", TEXT.replace("== 201", "== 200"))
            assert other.command("postkit.send", {"uri": uri, "name": "first"})["state"] == "done"
        c.expect("workspace/diagnostic/refresh")
        assert diagnostics(c, uri) == []


def test_where_nothing_can_be_related_only_the_check_is_told(store, folder, environments):
    with client(store, folder) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", TEXT)
        c.command("postkit.send", {"uri": uri, "name": "first"})
        (item,) = diagnostics(c, uri)
        assert "relatedInformation" not in item


def test_a_trace_tells_what_was_worked_on_and_no_secret(store, folder, target, environments):
    with client(store, folder) as c:
        c.initialize()
        choose(c, "dev", folder)
        uri = c.open(folder / "a.http", TEXT)
        c.request("textDocument/hover", {
            "textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}})
        c.command("postkit.send", {"uri": uri, "name": "first"})
        assert not [m for m in c.notifications if m["method"] == "$/logTrace"]
        c.notify("$/setTrace", {"value": "messages"})
        c.at("textDocument/hover", uri, 1, 6)
        params = c.expect(
            "$/logTrace", lambda params: params["message"].startswith("textDocument/hover ("))
        assert params["message"].endswith(" ms") and "verbose" not in params
        c.notify("$/setTrace", {"value": "verbose"})
        private = TEXT + f"X-Key: {SECRET}\nX-Unknown: 0ther-canary\n"
        c.change(uri, private)
        params = c.expect(
            "$/logTrace", lambda params: params["message"].startswith("textDocument/didChange:"))
        assert f"({len(private.encode())} bytes)" in params["verbose"]
        variables = {"x": "t0ld-canary"}
        c.command("postkit.send", {"uri": uri, "name": "first", "variables": variables})
        params = c.expect(
            "$/logTrace", lambda params: "executeCommand" in params["message"])
        assert "postkit.send" in params["verbose"]
        c.command("postkit.history", {"search": SECRET})
        c.expect("$/logTrace", lambda params: "postkit.history" in (params.get("verbose") or ""))
        c.notify("$/setTrace", {"value": "off"})
        c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        traced = [m for m in c.notifications if m["method"] == "$/logTrace"]
        assert not [m for m in traced if "codeLens" in m["params"]["message"]]
        seen = b"".join(c.server.messages)
    for canary in (SECRET, "0ther-canary", "t0ld-canary"):
        assert canary.encode() not in seen


def test_each_folder_has_its_own_settings(store, folder, target, environments):
    other = folder.parent / "other"
    other.mkdir()
    with client(store, folder) as c:
        asked = []

        def answer(params):
            asked.append([item.get("scopeUri") for item in params["items"]])
            scoped = [{"inlay": {"variables": "off"}} if "other" in scope else {}
                      for scope in asked[-1][1:]]
            return [{"inlay": {"variables": "unresolved"}}, *scoped]

        c.answers["workspace/configuration"] = answer
        c.initialize()
        text = "GET http://127.0.0.1:1/{{nope}}\n"
        first = c.open(folder / "a.http", text)
        second = c.open(other / "b.http", text)
        c.notify(
            "workspace/didChangeWorkspaceFolders",
            {"event": {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}},
        )
        c.expect("workspace/configuration", lambda params: len(params["items"]) == 3)
        assert asked == [[None], [None, folder.as_uri(), other.as_uri()]]
        assert len(hints(c, first)) == 1
        assert hints(c, second) == []
        c.requests.clear()
        settings = {"postkit": {"inlay": {"variables": "off"}}}
        c.notify("workspace/didChangeConfiguration", {"settings": settings})
        c.expect("workspace/configuration")
        assert len(hints(c, first)) == 1


def test_settings_that_were_taken_away_hold_no_longer(store, folder):
    """A client with no settings answers null; those it had said before are gone then."""
    with client(store, folder) as c:
        said = [{"inlay": {"variables": "off"}}]
        c.answers["workspace/configuration"] = lambda params: said
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1:1/{{a}}\n")
        c.expect("workspace/configuration")
        assert hints(c, uri) == []
        said[0] = None
        c.requests.clear()
        c.notify("workspace/didChangeConfiguration", {"settings": None})
        c.expect("workspace/configuration")
        assert len(hints(c, uri)) == 1


def test_what_takes_its_time_says_so(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### a\nGET {target.url}/slow\n\n### b\nGET /\n")
        sending = c.start(
            "workspace/executeCommand",
            {"command": "postkit.send", "arguments": [{"uri": uri, "name": "a"}]},
        )
        assert target.hanging.wait(TIMEOUT)
        c.expect("workspace/inlayHint/refresh")
        assert hints(c, uri) == [(1, "sending…")]
        target.release.set()
        c.finish(sending)
        (hint,) = hints(c, uri)
        assert hint[0] == 1 and hint[1].startswith("200 OK  ")
        assert hint[1][-3] == ":" and hint[1].count("  ") == 3
