"""For whom a chosen environment holds, and what other editors are told of it."""

import json

import pytest
from test_stock import client

ENVIRONMENTS = {"dev": {"who": "dev"}, "prod": {"who": "prod"}}


def prepared(c, folder, target):
    """Opens a request that says which environment it is sent with."""
    c.initialize()
    return c.open(folder / "a.http", f"GET {target.url}/{{{{who}}}}\n")


def sent(c, uri, target):
    assert c.command(
        "postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})["status"] == 200
    return target.seen[-1][1]


@pytest.fixture
def shared(folder):
    (folder / "http-client.env.json").write_text(json.dumps(ENVIRONMENTS))
    return folder


def test_another_editor_is_told_of_the_choice(store, shared, target):
    with client(store, shared) as one, client(store, shared) as other:
        uri = prepared(one, shared, target)
        prepared(other, shared, target)
        one.command("postkit.selectEnvironment", {"name": "dev"})
        assert sent(one, uri, target) == "/dev" and sent(other, uri, target) == "/dev"
        other.command("postkit.selectEnvironment", {"name": "prod"})
        told = one.expect(
            "window/showMessage", lambda params: "prod" in params["message"])
        assert told == {"type": 3, "message": "Another editor selected `prod` for `work folder`."}
        assert sent(one, uri, target) == "/prod"
        # Who chose is told nothing, and what is known already is no news.
        one.command("postkit.selectEnvironment", {"name": "prod"})
        one.command("postkit.selectEnvironment", {"name": None})
        other.expect("window/showMessage", lambda params: "no environment" in params["message"])


def test_a_choice_of_one_window_stays_in_it(store, shared, target):
    (shared / "postkit.json").write_text(
        json.dumps({"environment.scope": "window", "environment": "dev"}))
    with client(store, shared) as one, client(store, shared) as other:
        uri = prepared(one, shared, target)
        prepared(other, shared, target)
        one.command("postkit.selectEnvironment", {"name": "prod"})
        assert sent(one, uri, target) == "/prod" and sent(other, uri, target) == "/dev"
    # It ends with the window.
    with client(store, shared) as again:
        assert sent(again, prepared(again, shared, target), target) == "/dev"


def test_an_editor_says_the_scope_in_its_settings(store, shared, target):
    settings = {"postkit": {"testing": True, "settings": {"environment.scope": "window"}}}
    with client(store, shared, options=settings) as one, client(store, shared) as other:
        uri = prepared(one, shared, target)
        prepared(other, shared, target)
        other.command("postkit.selectEnvironment", {"name": "dev"})
        one.command("postkit.selectEnvironment", {"name": "prod"})
        assert sent(one, uri, target) == "/prod" and sent(other, uri, target) == "/dev"
