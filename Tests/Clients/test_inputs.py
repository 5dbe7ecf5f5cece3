"""What a send asks for in an editor: values of prompts and of references such as `$input`."""

import pytest
from rawclient import Client, ResponseError

METHOD = "postkit/input"
BUTTONS = "window/showMessageRequest"
INPUT = {"experimental": {"postkit": {"version": 1, "input": True}}}
STOCK = {"window": {"showMessage": {"messageActionItem": {}}}}


def send(c, uri):
    return c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})


def asked(c, method=METHOD):
    """The questions that were asked so far, taken out."""
    questions = [m["params"] for m in c.requests if m["method"] == method]
    c.requests = [m for m in c.requests if m["method"] != method]
    return questions


def test_values_are_asked_for_and_offered_again(store, folder, target):
    text = (
        "# @prompt user Who are you\n# @secret pin\n"
        f"GET {target.url}/{{{{user}}}}/{{{{$input room $value: attic}}}}\nX-Pin: {{{{pin}}}}\n"
    )
    answers = {"Who are you": "ada", "pin": "hush-hush", "room": "cellar"}
    for turn in range(2):
        with Client(store, INPUT, folder=folder) as c:
            c.initialize()
            c.answers[METHOD] = lambda params: {"value": answers[params["title"]]}
            uri = c.open(folder / "a.http", text)
            assert send(c, uri)["state"] == "done"
            user, pin, room = asked(c)
            assert (user["kind"], pin["kind"], room["kind"]) == ("text", "password", "text")
            # Another process offers what was answered; never a secret.
            assert user.get("default") == (None, "ada")[turn]
            assert room["default"] == ("attic", "cellar")[turn]
            assert "default" not in pin
    assert [path for _, path, _, _ in target.seen] == ["/ada/cellar"] * 2


def test_some_are_asked_once_a_session(store, folder, target):
    with Client(store, INPUT, folder=folder) as c:
        c.initialize()
        c.answers[METHOD] = lambda params: {"value": "ada"}
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{$input-askonce who}}}}\n")
        for _ in range(2):
            assert send(c, uri)["state"] == "done"
        assert len(asked(c)) == 1
        uri = c.open(folder / "b.http", f"GET {target.url}/{{{{$input who}}}}\n")
        for _ in range(2):
            assert send(c, uri)["state"] == "done"
        assert len(asked(c)) == 2


def test_choices_are_buttons_in_a_stock_client(store, folder, target):
    text = f"GET {target.url}/{{{{$pick Which color $value: red, blue}}}}\n"
    with Client(store, STOCK, folder=folder) as c:
        c.initialize()
        c.answers[BUTTONS] = lambda params: params["actions"][1]
        assert send(c, c.open(folder / "a.http", text))["state"] == "done"
        (question,) = asked(c, BUTTONS)
        assert question["message"] == "Which color"
        assert [a["title"] for a in question["actions"]] == ["red", "blue"]
    assert [path for _, path, _, _ in target.seen] == ["/blue"]


def test_a_question_that_is_closed_is_no_mistake(store, folder, target):
    text = (
        f"### one\n# @prompt user\n# @prompt pin\nGET {target.url}/{{{{user}}}}\n\n"
        f"### two\n# @ref one\nGET {target.url}/two\n"
    )
    with Client(store, INPUT, folder=folder) as c:
        c.initialize()
        c.answers[METHOD] = lambda params: None
        uri = c.open(folder / "a.http", text)
        for name in ("one", "two"):
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.send", {"uri": uri, "name": name})
            assert caught.value.data["declined"] is True
            assert "You entered none. Send it again" in caught.value.message
            # Who has closed one is not asked the next one.
            assert [it["title"] for it in asked(c)] == ["user"]
        results = c.command("postkit.sendAll", {"uri": uri})
        assert [it["error"].get("declined") for it in results] == [True, None]
        assert target.seen == []


def test_a_client_that_cannot_ask_is_told_of_the_shell(store, folder, target):
    with Client(store, STOCK, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"# @prompt user\nGET {target.url}/{{{{user}}}}\n")
        with pytest.raises(ResponseError) as caught:
            send(c, uri)
        assert "`postkit run FILE --input user=VALUE`" in caught.value.message
        assert "declined" not in caught.value.data


@pytest.mark.parametrize("capabilities", [None, STOCK, INPUT])
def test_what_nobody_answers_is_named(store, folder, target, capabilities):
    text = f"# @prompt user\nGET {target.url}/{{{{user}}}}/{{{{$input a room}}}}\n"
    with Client(store, capabilities, folder=folder) as c:
        c.initialize()
        c.answers[METHOD] = lambda params: None
        uri = c.open(folder / "a.http", text)
        with pytest.raises(ResponseError) as caught:
            send(c, uri)
        assert caught.value.code == -32803
        assert "The request asks for values of `user` and `a room`." in str(caught.value)
        result = c.command(
            "postkit.send",
            {
                "uri": uri,
                "position": {"line": 0, "character": 0},
                "variables": {"user": "ada", "a room": "r1"},
            },
        )
        assert result["state"] == "done"
    assert [path for _, path, _, _ in target.seen] == ["/ada/r1"]


def test_questions_are_no_mistakes(store, folder):
    with Client(store, INPUT, folder=folder) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            "GET http://127.0.0.1/{{$input who}}/{{$pick color $value: a,b}}\n"
            "X: {{$password pin}}\n",
        )
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert report["items"] == []
        assert asked(c) == []
