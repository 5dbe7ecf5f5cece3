"""What a send tells: texts that stand in no document, plans, checks, warnings, redirects."""

import json

import pytest
from rawclient import TIMEOUT, ResponseError
from test_stock import FULL, client

OWN = {"version": 1, "stream": True, "steps": True, "status": True}
KNOWING = {**FULL, "experimental": {"postkit": OWN}}
SECRET = "s3cret-of-the-send"


def values(c, kind):
    """The partial results of a kind that have come."""
    return [
        m["params"]["value"] for m in c.notifications
        if m["method"] == "$/progress" and m["params"]["value"].get("kind") == kind]


def test_a_selection_is_sent_with_the_variables_of_its_file(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            f"@host = {target.url}\n@who = ann\n\n### login\nGET {{{{host}}}}/login\n\n"
            "### first\nGET {{host}}/first\n\n### second\nGET {{host}}/second\n")
        text = (
            "### first\nGET {{host}}/one?{{who}}\n\n"
            "### next\nGET {{host}}/two?{{first.response.body.$.path}}\n")
        result = c.request(
            "postkit/send",
            {"textDocument": {"uri": uri}, "position": {"line": 6, "character": 0}, "text": text})
        # In order, and a name means the request of the text, not the one of the file.
        assert [path for _, path, _, _ in target.seen] == ["/one?ann", "/two?/one?ann"]
        assert [r["name"] for r in result["results"]] == ["first", "next"]
        # Lines count where the text was taken from.
        assert [r["line"] for r in result["results"]] == [7, 10]
        assert result["id"] == result["results"][1]["id"] and result["status"] == 200
        history = c.request("postkit/history", {})["items"]
        assert {item["file"] for item in history} == {str(folder / "a.http")}


def test_a_part_of_a_request_is_sent_as_it_is_selected(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            f"@host = {target.url}\n\n### whole\nPOST {{{{host}}}}/whole\nX-A: 1\n\nbody\n")
        result = c.request(
            "postkit/send",
            {"textDocument": {"uri": uri}, "text": "POST {{host}}/whole\nX-A: 2"})
        method, path, headers, body = target.seen[0]
        assert (method, path, headers["X-A"], body) == ("POST", "/whole", "2", b"")
        assert result["line"] == 0


def test_a_snippet_needs_no_document(store, folder, target):
    (folder / "http-client.env.json").write_text(json.dumps({"dev": {"host": target.url}}))
    with client(store, folder, KNOWING) as c:
        c.initialize()
        result = c.request(
            "postkit/send", {"text": "GET {{host}}/snippet\n", "environment": "dev"})
        assert (result["status"], result["environment"]) == (200, "dev")
        assert target.seen[0][1] == "/snippet"
        preview = c.request(
            "postkit/send",
            {"text": "GET {{host}}/x\n", "environment": "dev", "dryRun": True})
        assert preview["results"][0]["resolved"]["url"] == f"{target.url}/x"
        assert len(target.seen) == 1


def test_a_text_that_can_not_be_sent_says_why_and_where(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"@host = {target.url}\n\nGET {{{{host}}}}/\n")
        with pytest.raises(ResponseError) as raised:
            c.request(
                "postkit/send",
                {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 0},
                 "text": "GET {{host}}/\nX-A: {{nothing}}\n"})
        assert raised.value.code == -32803
        assert raised.value.data["code"] == "unresolved-variable"
        assert raised.value.data["range"]["start"] == {"line": 3, "character": 5}
        for params, word in [
                ({"text": "@a = 1\n"}, "the text has no request"),
                ({"text": "GET /", "name": "x"}, "name may not be"),
                ({"text": "GET /", "historyId": "1"}, "nothing else may"),
        ]:
            with pytest.raises(ResponseError) as raised:
                c.request("postkit/send", params)
            assert raised.value.code == -32602 and word in raised.value.message
        assert target.seen == []


def test_the_command_sends_a_selection_too(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"@host = {target.url}\n")
        results = c.command(
            "postkit.sendAll", {"uri": uri, "text": "GET {{host}}/1\n###\nGET {{host}}/2\n"})
        assert [path for _, path, _, _ in target.seen] == ["/1", "/2"]
        assert [r["status"] for r in results] == [200, 200]


def test_a_plan_and_the_checks_are_told_while_it_runs(store, folder, target):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            f"### login\nGET {target.url}/login\n?? status == 200\n\n"
            f"### use\n# @ref login\nGET {target.url}/use\n?? status == 201\n")
        result = c.request(
            "postkit/send", {"textDocument": {"uri": uri}, "name": "use", "partialResultToken": 7})
        plan = values(c, "plan")
        assert [(r["title"], r["line"]) for r in plan[0]["requests"]] == [("login", 1), ("use", 6)]
        tests = values(c, "tests")
        assert [(t["passed"], t["failed"]) for t in tests] == [(1, 0), (0, 1)]
        assert tests[1]["id"] == result["id"] and result["checks"] == tests[1]["checks"]
        assert result["checks"] == [{
            "name": "status == 201", "passed": False, "message": "The value is `200`."}]
        assert result["tests"] == {"passed": 0, "failed": 1}
    # A client of an older version gets the kinds that it knows.
    older = {**FULL, "experimental": {"postkit": {"version": 1, "stream": True}}}
    with client(store, folder, older) as c:
        c.initialize()
        uri = c.open(folder / "a.http")
        c.request(
            "postkit/send", {"textDocument": {"uri": uri}, "name": "use", "partialResultToken": 7})
        kinds = {
            m["params"]["value"]["kind"] for m in c.notifications if m["method"] == "$/progress"}
        assert kinds <= {"started", "head", "data", "begin", "report", "end"}


def test_what_does_not_keep_a_request_from_being_sent_is_told(store, folder, target):
    text = f"POST {target.url}/a\n\nX {{{{nothing}}}}\n"
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        result = c.request(
            "postkit/send",
            {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0},
             "partialResultToken": "p"})
        warning = result["warnings"][0]
        assert warning["code"] == "unresolved-variable"
        assert warning["range"]["start"] == {"line": 2, "character": 2}
        assert values(c, "warnings")[0]["warnings"] == [warning]
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        c.expect(
            "window/logMessage",
            lambda p: p["type"] == 2 and f"{folder}/a.http:3:3: " in p["message"]
            and "[unresolved-variable]" in p["message"])


def test_a_result_has_what_a_plugin_shows(store, folder, target):
    (folder / "http-client.env.json").write_text(
        json.dumps({"live": {"host": target.url, "confirm": True}}))
    (folder / "http-client.private.env.json").write_text(json.dumps({"live": {"k": SECRET}}))
    with client(store, folder, KNOWING) as c:
        c.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
        c.initialize()
        uri = c.open(folder / "a.http", "### go\nGET {{host}}/moved?k={{k}}\n")
        order = {"textDocument": {"uri": uri}, "name": "go", "environment": "live"}
        first = c.request("postkit/send", order)
        assert first["confirm"] is True and first["environment"] == "live"
        assert (first["name"], first["line"], first["method"]) == ("go", 1, "GET")
        assert "previousId" not in first
        hop = first["redirects"][0]
        assert (hop["status"], hop["method"]) == (302, "GET")
        assert hop["url"] == f"{target.url}/moved?k=••••••"
        assert SECRET not in json.dumps(first)
        assert set(first["timings"]) == {"nameLookup", "connect", "tls", "firstByte", "total"}
        assert first["remoteAddress"].startswith("127.0.0.1")
        again = c.request("postkit/send", order)
        assert again["previousId"] == first["id"]
        head = c.request(
            "postkit/exchange", {"id": again["id"], "part": "request", "view": "headers"})
        assert head["data"].startswith(f"GET {target.url}/k=••••••\n")
        c.command("postkit.selectEnvironment", {"name": "live"})
        c.expect("postkit/status", lambda p: p["environment"] == "live" and p["confirm"] is True)
    # Another process knows what was sent before, too.
    with client(store, folder, KNOWING) as c:
        c.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
        c.initialize()
        c.open(folder / "a.http", "### go\nGET {{host}}/moved?k={{k}}\n")
        assert c.request("postkit/send", order)["previousId"] == again["id"]


def test_an_import_tells_of_its_progress_from_the_first_file_on(store, folder):
    api = folder / "api"
    api.mkdir()
    # So much that reading it takes longer than what is shown no progress of.
    body = "x" * 99 + "\n"
    for number in range(1_500):
        text = f"### r{number}\nPOST http://a.test/{number}\n\n{body * 1_000}\n"
        (api / f"r{number}.http").write_text(text)
    with client(store, folder) as c:
        c.initialize()
        id = c.start(
            "postkit/transfer",
            {"direction": "import", "format": "auto", "uri": api.as_uri(), "workDoneToken": "t"})
        told = []
        while not told or not told[-1].get("message", "").startswith("reading r"):
            told.append(c.expect("$/progress")["value"])
        assert told[0]["kind"] == "begin" and told[0]["title"] == "Import api"
        # 150 MB are more than other tests wait for.
        assert c.finish(id, 5 * TIMEOUT)["count"] == 1_500
