"""Secrets of one request in another: sent as they are in a session, shown and kept nowhere."""

import pytest
from rawclient import ResponseError
from test_stock import FULL, client

INPUT = {"experimental": {"postkit": {"version": 1, "input": True}}}
PASSWORD = "hush-of-a-prompt"
TOKEN = "hush-of-a-header"
COOKIE = "sid=hush-of-a-cookie"
SECRETS = (PASSWORD, TOKEN, "hush-of-a-cookie")


def login(target):
    target.headers["/login"] = {"Set-Cookie": COOKIE}
    return (
        "### login\n# @secret pw\n"
        f"POST {target.url}/login\nContent-Type: application/json\nAuthorization: Bearer {TOKEN}\n"
        '\n{"password": "{{pw}}"}\n\n'
    )


def session(store, folder):
    c = client(store, folder, {**FULL, **INPUT})
    c.answers["postkit/input"] = lambda params: {"value": PASSWORD}
    return c


def send(c, uri, name, **more):
    return c.request("postkit/send", {"textDocument": {"uri": uri}, "name": name, **more})


def shows(text):
    return [secret for secret in SECRETS if secret in str(text)]


def test_what_another_request_reads_is_masked_there(store, folder, target):
    reading = (
        f"### next\nPOST {target.url}/next?x={{{{login.request.body.$.password}}}}\n"
        "X-Token: {{login.request.headers.Authorization}}\n\n"
        "pw={{login.request.body.$.password}}\n\n"
        f"### last\nGET {target.url}/last?x={{{{next.request.headers.X-Token}}}}\n"
    )
    with session(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", login(target) + reading)
        send(c, uri, "login")
        id = send(c, uri, "next", partialResultToken="p")["id"]
        _, path, headers, body = target.seen[-1]
        assert path == f"/next?x={PASSWORD}" and body == f"pw={PASSWORD}".encode()
        assert headers["X-Token"] == f"Bearer {TOKEN}"
        # What comes by way of two requests is known as well.
        send(c, uri, "last")
        assert target.seen[-1][1] == f"/last?x=Bearer%20{TOKEN}"
        for part in ("request", "response"):
            assert not shows(c.request("postkit/exchange", {"id": id, "part": part}))
        assert not shows(c.request("postkit/history", {}))
        assert not shows(c.notifications)
    for file in store.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        # The jar keeps the cookie, to be sent again.
        assert PASSWORD.encode() not in content and TOKEN.encode() not in content, file


@pytest.mark.parametrize(
    "line",
    [
        "X-A: {{login.request.headers.Authorization}}\n",
        "X-A: {{login.response.headers.Set-Cookie}}\n",
        "X-A: {{login.response.cookies.sid.value}}\n",
        "\n{{login.request.body.$.password}}\n",
    ],
)
def test_no_mask_is_sent_in_a_later_session(store, folder, target, line):
    text = login(target) + f"### next\nPOST {target.url}/next\n{line}"
    with session(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        send(c, uri, "login")
        assert send(c, uri, "next")["state"] == "done"
    seen = len(target.seen)
    with session(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        with pytest.raises(ResponseError) as caught:
            send(c, uri, "next")
        assert caught.value.code == -32803
        # What was no secret is read from the history as before.
        c.change(uri, text.replace(line, "X-A: {{login.response.body.$.token}}\n"))
        assert send(c, uri, "next")["state"] == "done"
        assert target.seen[-1][2]["X-A"] == "t-1"
    assert len(target.seen) == seen + 1


def test_displays_read_what_may_be_shown(store, folder, target):
    target.bodies["/login"] = ("application/json", f'{{"again": "{PASSWORD}"}}'.encode())
    references = [
        "{{login.request.body.$.password}}",
        "{{login.request.headers.Authorization}}",
        "{{login.response.cookies.sid.value}}",
        "{{login.response.body.$.again}}",
        "{{login.response.headers.Set-Cookie}}",
    ]
    fields = "".join(f"X-{number}: {text}\n" for number, text in enumerate(references))
    start = login(target)
    text = start + f"### next\nGET {target.url}/next?x={references[3]}\n{fields}"
    with session(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        send(c, uri, "login")
        first = start.count("\n") + 1
        for line in range(first, first + 6):
            answer = c.at("textDocument/hover", uri, line, 6 if line == first else 10)
            assert answer is not None and not shows(answer)
        column = len(f"GET {target.url}/next?x=") + 22
        assert "••••••" in str(c.at("textDocument/hover", uri, first, 6))
        assert "••••••" in str(c.at("textDocument/hover", uri, first, column))
        items = str(c.at("textDocument/completion", uri, first, column + 6))
        assert "again" in items and not shows(items)
        assert not shows(c.range("textDocument/inlayHint", uri))
        actions = c.range("textDocument/codeAction", uri, context={"diagnostics": []})
        assert actions and not shows(actions)
        # Nothing is wrong with what is only masked for the eye.
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert [item["code"] for item in report["items"]] == ["secret-in-file"]
        assert send(c, uri, "next")["state"] == "done"
        assert target.seen[-1][1] == f"/next?x={PASSWORD}"


@pytest.mark.parametrize("command", [False, True])
def test_a_dry_run_says_what_would_be_sent(store, folder, target, command):
    (folder / "http-client.private.env.json").write_text(f'{{"dev": {{"token": "{TOKEN}"}}}}')
    text = (
        f"### a\n# @prompt who\nPOST {target.url}/a?t={{{{token}}}}&n={{{{n}}}}\n"
        "Authorization: Bearer {{token}}\nContent-Type: application/json\n\n"
        '{"t": "{{token}}", "n": 1.10}\n\n'
        f"### b\nGET {target.url}/{{{{nope}}}}\n\n"
        f"### c\n# @note Really?\nGET {target.url}/{{{{a.response.body.$.token}}}}\n")

    with session(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)

        def preview(name, **more):
            more.update({"environment": "dev", "dryRun": True})
            if command:
                return c.command("postkit.send", {"uri": uri, "name": name, **more})
            return send(c, uri, name, **more)

        found = preview("a", variables={"n": "7", "who": "ada"})
        assert (found["state"], found["status"], found["id"]) == ("done", None, "")
        resolved = found["resolved"]
        assert resolved["method"] == "POST"
        assert resolved["url"] == f"{target.url}/a?t=••••••&n=7"
        assert ["Authorization", "••••••"] in resolved["headers"]
        assert resolved["body"] == '{"t": "••••••", "n": 1.10}'
        for name, word in [("b", "unresolved-variable"), ("c", "unresolved-variable")]:
            with pytest.raises(ResponseError) as caught:
                preview(name)
            assert caught.value.code == -32803 and caught.value.data["code"] == word
            assert "range" in caught.value.data
        assert target.seen == []
        assert {request["method"] for request in c.requests} <= {"workspace/configuration"}
        assert not shows(b"".join(c.server.messages))
        assert send(c, uri, "a", dryRun=False, environment="dev", variables={"n": "7"})
        assert len(target.seen) == 1
        # What was sent can be looked at like what is to be.
        history = c.request("postkit/history", {})["items"]
        again = c.request("postkit/send", {
            "historyId": history[0]["id"], "dryRun": True, "variables": {"n": "8"}})
        assert again["resolved"]["url"] == f"{target.url}/a?t=••••••&n=8"
    assert len(target.seen) == 1
