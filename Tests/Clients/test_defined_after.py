"""Names that are defined after a response: once it is there, later sends of an editor have them."""

import pytest
from rawclient import Client, ResponseError

PULL = {"textDocument": {"diagnostic": {}}}
TAGS = {
    "a member": ("# @env-json-key TOKEN token\n", ""),
    "a header": ("# @env-header-key TOKEN X-Token\n", ""),
    "a text": ("", "\n@TOKEN = {{response.body.$.token}}\n"),
    "a text that names its request": ("", "\n@TOKEN = {{login.response.body.$.token}}\n"),
}


def text(target, tags, after):
    return (
        f"### login\n# @name login\n{tags}GET {target.url}/login\n{after}\n"
        f"### ask\n# @name ask\nGET {target.url}/{{{{TOKEN}}}}\n"
    )


def send(c, uri, line):
    return c.command("postkit.send", {"uri": uri, "position": {"line": line, "character": 0}})


def diagnostics(c, uri):
    params = {"textDocument": {"uri": uri}}
    return [d["code"] for d in c.request("textDocument/diagnostic", params)["items"]]


@pytest.mark.parametrize("tags, after", TAGS.values(), ids=TAGS)
def test_a_name_has_its_value_after_the_response(store, folder, target, tags, after):
    written = text(target, tags, after)
    ask = written[: written.index("# @name ask")].count("\n")
    target.headers["/login"] = {"X-Token": "t-1"}
    with Client(store, PULL, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", written)
        assert diagnostics(c, uri) == ["request-not-run"]
        assert send(c, uri, 1)["state"] == "done"
        assert diagnostics(c, uri) == []
        # Twice, and the first request is not sent again for it.
        assert [send(c, uri, ask)["state"] for _ in range(2)] == ["done", "done"]
        character = len(f"GET {target.url}/{{{{T")
        position = {"line": ask + 1, "character": character}
        asked = {"textDocument": {"uri": uri}, "position": position}
        told = c.request("textDocument/hover", asked)["contents"]
        assert "t-1" in (told["value"] if isinstance(told, dict) else told)
    assert [path for _, path, _, _ in target.seen] == ["/login", "/t-1", "/t-1"]


def test_a_response_without_the_member_is_named(store, folder, target):
    written = text(target, "# @env-json-key TOKEN nothing.there\n", "")
    ask = written[: written.index("# @name ask")].count("\n")
    with Client(store, PULL, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", written)
        assert send(c, uri, 1)["state"] == "done"
        with pytest.raises(ResponseError, match="`@env-json-key` gives `TOKEN` no value"):
            send(c, uri, ask)
    assert [path for _, path, _, _ in target.seen] == ["/login"]
