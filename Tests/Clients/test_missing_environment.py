"""A send that needs an environment while none is chosen: it is asked for, and the choice sends."""

import json

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, without

TEXT = "### a\nGET {{host}}/{{who}}\n"


@pytest.fixture
def environments(folder, target):
    public = {"dev": {"host": target.url, "who": "ann"}, "bare": {"host": target.url},
              "stage": {"host": target.url, "who": "bob"}}
    (folder / "http-client.env.json").write_text(json.dumps(public))


def test_choosing_an_environment_sends_with_it(store, folder, target, environments):
    with client(store, folder) as c:
        asked = []

        def choose(params):
            asked.append([action["title"] for action in params["actions"]])
            return {"title": "stage"}

        c.answers["window/showMessageRequest"] = choose
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        result = c.command("postkit.send", {"uri": uri, "name": "a"})
        assert (result["status"], result["environment"]) == (200, "stage")
        # Only those that define every name are offered, and it is asked once.
        assert asked == [["dev", "stage"]]
        c.command("postkit.sendAll", {"uri": uri})
        assert [path for _, path, _, _ in target.seen] == ["/bob", "/bob"] and len(asked) == 1


def test_what_a_request_sends_first_may_need_an_environment_too(
        store, folder, target, environments):
    target.bodies["/ann"] = ("application/json", b'{"id": 7}')
    text = TEXT.replace("### a", "### a\n# @name a") + (
        f"\n### b\nGET {target.url}/b?id={{{{a.response.body.$.id}}}}\n")
    with client(store, folder) as c:
        asked = []

        def choose(params):
            titles = [action["title"] for action in params["actions"]]
            asked.append(titles)
            return {"title": "dev" if "dev" in titles else titles[0]}

        c.answers["window/showMessageRequest"] = choose
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert c.command("postkit.send", {"uri": uri, "name": "b"})["status"] == 200
        assert asked[0] == ["dev", "stage"]
        assert [path for _, path, _, _ in target.seen] == ["/ann", "/b?id=7"]


def test_who_has_a_menu_of_its_own_is_asked_there(store, folder, target, environments):
    own = {**FULL, "experimental": {"postkit": {"version": 1, "input": True}}}
    with client(store, folder, own) as c:
        asked = []

        def choose(params):
            asked.append((params["kind"], params["options"]))
            return {"value": "dev"}

        c.answers["postkit/input"] = choose
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        assert c.command("postkit.sendAll", {"uri": uri})[0]["status"] == 200
        assert asked == [("select", ["dev", "stage"])]
        assert target.seen[0][1] == "/ann"


def test_without_a_choice_nothing_is_sent_and_the_error_says_what_to_do(
        store, folder, target, environments):
    with client(store, folder, without(FULL, "window.showMessage")) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.send", {"uri": uri, "name": "a"})
        assert caught.value.data["code"] == "unresolved-variable" and "`dev`" in str(caught.value)
    with client(store, folder) as c:
        c.answers["window/showMessageRequest"] = lambda params: None
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        with pytest.raises(ResponseError):
            c.command("postkit.send", {"uri": uri, "name": "a"})
    assert target.seen == []
