"""What a send asks the user with buttons, and what comes of each answer."""

import pytest
from rawclient import Client, ResponseError

ASKING = {"window": {"showMessage": {"messageActionItem": {}}}}
METHOD = "window/showMessageRequest"
TRUST, DISTRUST = "Trust this folder", "Don't trust it"


def client(store, folder, capabilities=ASKING, **kwargs):
    return Client(store, capabilities, folder=folder, **kwargs)


def presses(title):
    """Answers a question with the button of that title."""

    def answer(params):
        return next(action for action in params["actions"] if action["title"] == title)

    return answer


def closes(params):
    return None


def cannot(params):
    raise ResponseError({"code": -32601, "message": "What is that?"})


def asked(c):
    """The questions that were asked so far, taken out."""
    questions = [m["params"] for m in c.requests if m["method"] == METHOD]
    c.requests = [m for m in c.requests if m["method"] != METHOD]
    return questions


def paths(target):
    return [path for _, path, _, _ in target.seen]


def refusal(c, *arguments):
    with pytest.raises(ResponseError) as caught:
        c.command(*arguments)
    assert caught.value.code == -32803
    return caught.value


# --- requests that would have to go first


def needing(target):
    return (
        f"### session\nGET {target.url}/session\n\n"
        f"### login\nGET {target.url}/login?s={{{{session.response.body.$.token}}}}\n\n"
        f"### use\nGET {target.url}/use?t={{{{login.response.body.$.token}}}}\n"
    )


def test_one_request_is_sent_first(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", needing(target))
        c.answers[METHOD] = presses("Send `session` first")
        result = c.command("postkit.send", {"uri": uri, "name": "login"})
        assert result["state"] == "done"
        assert paths(target) == ["/session", "/login?s=t-1"]
        (question,) = asked(c)
        assert question["message"] == (
            "`login` reads the response of `session`, which has not been sent."
        )
        assert [a["title"] for a in question["actions"]] == ["Send `session` first", "Cancel"]
        # What was sent is known, so that nothing is asked.
        assert c.command("postkit.send", {"uri": uri, "name": "login"})["state"] == "done"
        assert c.command("postkit.send", {"uri": uri, "name": "use"})["state"] == "done"
        assert paths(target)[2:] == ["/login?s=t-1", "/use?t=t-1"]
        assert asked(c) == []


def test_a_chain_is_one_question(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", needing(target))
        c.answers[METHOD] = presses("Send these 2 first")
        result = c.command("postkit.send", {"uri": uri, "name": "use"})
        assert result["state"] == "done"
        assert paths(target) == ["/session", "/login?s=t-1", "/use?t=t-1"]
        (question,) = asked(c)
        assert "`session`, then `login`" in question["message"]


@pytest.mark.parametrize("answer", [presses("Cancel"), closes, cannot])
def test_without_consent_nothing_is_sent(store, folder, target, answer):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", needing(target))
        c.answers[METHOD] = answer
        error = refusal(c, "postkit.send", {"uri": uri, "name": "use"})
        assert error.message.endswith("Send `login` first.")
        assert error.data["code"] == "unresolved-variable"
        assert error.data["range"]["start"]["line"] == 7
        assert error.data["range"]["start"]["character"] > 20
        assert error.data.get("declined") == (None if answer is cannot else True)
        assert len(asked(c)) == 1
        assert target.seen == []


def test_a_client_without_buttons_is_told_what_to_send(store, folder, target):
    with client(store, folder, {}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", needing(target))
        error = refusal(c, "postkit.send", {"uri": uri, "name": "use"})
        assert error.message.endswith("Send `login` first.")
        assert asked(c) == [] and target.seen == []


def test_reading_never_asks(store, folder, target):
    capabilities = {**ASKING, "textDocument": {"diagnostic": {}}}
    (folder.parent / "outside.txt").write_text("{{x}}")
    text = needing(target) + f"\n### out\nPOST {target.url}/\n\n<@ ../outside.txt\n"
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        for line in (7, 12):
            c.at("textDocument/hover", uri, line, 50)
            c.at("textDocument/completion", uri, line, 3)
            c.range("textDocument/codeAction", uri, line, line, context={"diagnostics": []})
        c.range("textDocument/inlayHint", uri)
        c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert asked(c) == [] and target.seen == []


def test_what_is_asked_for_by_name_needs_no_question(store, folder, target):
    text = f"### a\nGET {target.url}/a\n\n### b\n# @ref a\nGET {target.url}/b\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert c.command("postkit.send", {"uri": uri, "name": "b"})["state"] == "done"
        # All requests of a file are asked for; a response is there before it is read.
        turned = f"### use\nGET {target.url}/{{{{a.response.body.$.token}}}}\n\n" + text
        other = c.open(folder / "b.http", turned)
        results = c.command("postkit.sendAll", {"uri": other})
        assert [r["state"] for r in results] == ["done"] * 3
        assert paths(target) == ["/a", "/b", "/a", "/t-1", "/b"]
        # The results are in the order of the document.
        texts = c.request("postkit/history", {})["items"]
        names = {item["id"]: item["name"] for item in texts}
        assert [names[r["id"]] for r in results] == ["use", "a", "b"]
        assert asked(c) == []


def test_a_circle_is_said_at_once(store, folder, target):
    text = (
        f"### a\nGET {target.url}/{{{{b.response.body.$.x}}}}\n\n"
        f"### b\nGET {target.url}/{{{{a.response.body.$.x}}}}\n"
    )
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        circle = refusal(c, "postkit.send", {"uri": uri, "name": "a"}).message
        assert "These requests need each other: a needs b needs a." in circle
        assert asked(c) == [] and target.seen == []


def test_a_chain_that_fails_stops(store, folder, target):
    text = (
        "### login\nGET http://127.0.0.1:1/\n\n"
        f"### use\nGET {target.url}/{{{{login.response.body.$.x}}}}\n"
    )
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        c.answers[METHOD] = presses("Send `login` first")
        error = refusal(c, "postkit.send", {"uri": uri, "name": "use"})
        assert "needs `login`, which failed" in error.message
        assert target.seen == []


# --- notes


@pytest.mark.parametrize("text", ["Really delete it?", ""])
def test_a_note_is_asked_before_its_request_is_sent(store, folder, target, text):
    file = f"### wipe\n# @note {text}\nDELETE {target.url}/all\n\n"
    file += f"### use\n# @ref wipe\nGET {target.url}/\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", file)
        c.answers[METHOD] = lambda params: params["actions"][0]
        assert c.command("postkit.send", {"uri": uri, "name": "wipe"})["state"] == "done"
        (question,) = asked(c)
        assert text in question["message"] and "wipe" in question["message"]
        assert [a["title"] for a in question["actions"]] == ["Send", "Cancel"]
        assert paths(target) == ["/all"]
        for answer in (presses("Cancel"), closes, cannot):
            c.answers[METHOD] = answer
            for name in ("wipe", "use"):
                error = refusal(c, "postkit.send", {"uri": uri, "name": name})
                assert error.data.get("declined") == (None if answer is cannot else True)
        assert paths(target) == ["/all"]


def test_without_buttons_a_note_keeps_its_request_from_being_sent(store, folder, target):
    with client(store, folder, {}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"# @note Sure?\nGET {target.url}/\n")
        place = {"uri": uri, "position": {"line": 1, "character": 0}}
        assert "`@note`" in refusal(c, "postkit.send", place).message
        assert target.seen == [] and asked(c) == []


# --- environments that ask first


GUARDED = '{"dev": {"host": "a"}, "prod": {"host": "a", "confirm": true}}'


def test_a_guarded_environment_asks_once_before_anything_is_sent(store, folder, target):
    (folder / "http-client.env.json").write_text(GUARDED)
    text = f"### one\nGET {target.url}/1?{{{{host}}}}\n### two\nGET {target.url}/2\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        listed = c.request("postkit/environments", {"textDocument": {"uri": uri}})["items"]
        assert [(it["name"], it.get("confirm")) for it in listed] == [("dev", None), ("prod", True)]
        one = {"uri": uri, "name": "one"}
        assert c.command("postkit.send", {**one, "environment": "dev"})["state"] == "done"
        assert asked(c) == []
        c.command("postkit.selectEnvironment", {"name": "prod"})
        c.answers[METHOD] = presses("Send")
        assert c.command("postkit.send", one)["state"] == "done"
        (question,) = asked(c)
        assert question["message"] == "Send `one` to the environment `prod`?"
        c.requests.clear()
        assert len(c.command("postkit.sendAll", {"uri": uri})) == 2
        assert [it["message"] for it in asked(c)] == ["Send 2 requests to the environment `prod`?"]
        count = len(target.seen)
        for answer in (presses("Cancel"), closes):
            c.answers[METHOD] = answer
            error = refusal(c, "postkit.send", one)
            assert "not sent" in error.message and error.data["declined"] is True
        assert len(target.seen) == count == 4


def test_without_buttons_a_guarded_environment_is_not_reached(store, folder, target):
    (folder / "http-client.env.json").write_text(GUARDED)
    with client(store, folder, {}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### one\nGET {target.url}/\n")
        order = {"uri": uri, "name": "one", "environment": "prod"}
        assert "shows no buttons" in refusal(c, "postkit.send", order).message
        assert target.seen == []
