"""Values that are hidden in a response, and how its user sees them all the same."""

from pathlib import Path

import pytest
from rawclient import ResponseError
from test_history import titled
from test_stock import FULL, client, without

COOKIE = "tok-canary-51"
NAMED = (
    "### login\nGET {}/login\n\n"
    "### next\nGET {}/next\nX-T: {{{{login.response.body.$.token}}}}\n")
MASK = "••••••"
FILES = without(FULL, "workspace.textDocumentContent")


def login(c, folder, target):
    """Sends a login whose body repeats the cookie that it sets; the file and the exchange's id."""
    target.cookies["/login"] = [f"sid={COOKIE}; HttpOnly", "lang=english; Path=/"]
    target.bodies["/login"] = (
        "application/json", f'{{"token":"{COOKIE}","speaks":"english"}}'.encode())
    uri = c.open(folder / "a.http", NAMED.format(target.url, target.url))
    place = {"uri": uri, "position": {"line": 1, "character": 0}}
    return uri, c.command("postkit.send", place)["id"]


def content(c, uri):
    return c.request("workspace/textDocumentContent", {"uri": uri})["text"]


def opened(c, uri, text):
    """Opens a document of the server's; its URI."""
    c.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "http", "version": 1, "text": text}})
    return uri


def kept(store):
    """All bytes of the store's files."""
    return b"".join(file.read_bytes() for file in Path(store).rglob("*") if file.is_file())


def test_hidden_values_are_shown_on_request_and_never_stored(store, folder, target):
    with client(store, folder, options={"testing": True}) as c:
        c.initialize()
        _, id = login(c, folder, target)
        whole = f"postkit:/response/{id}.http"
        hidden = content(c, whole)
        assert COOKIE not in hidden and hidden.count(MASK) == 3
        opened(c, whole, hidden)
        action = titled(c, whole, 0)["Show hidden values"]
        assert action["kind"] == "postkit.show"
        revealed = c.command("postkit.showResponse", action["command"]["arguments"][0])
        assert revealed == f"{whole}?reveal=true"
        text = content(c, revealed)
        assert text.startswith("# Hidden values are shown. They are never stored.\n")
        assert f"Set-Cookie: sid={COOKIE}; HttpOnly" in text and f'"token": "{COOKIE}"' in text
        assert MASK not in text
        # The other views of it reveal in their own form, and each can be hidden again.
        opened(c, revealed, text)
        back = titled(c, revealed, 0)["Hide the values again"]
        assert c.command("postkit.showResponse", back["command"]["arguments"][0]) == whole
        body = c.command("postkit.showResponse", {"id": id, "view": "pretty", "reveal": True})
        assert body == f"postkit:/response/{id}/body.json?reveal=true"
        assert f'"token": "{COOKIE}"' in content(c, body)
        one = c.command("postkit.showResponse", {"id": id, "select": "$.token", "reveal": True})
        assert COOKIE in content(c, one)
        assert "Show hidden values" not in titled(
            c, opened(c, f"postkit:/response/{id}/timings.txt", ""), 0)
    # The jar has the cookie; the history, its words and the views have not.
    with client(store, folder, options={"testing": True}) as c:
        c.initialize()
        assert COOKIE not in content(c, whole)
        with pytest.raises(ResponseError, match="not known any more") as caught:
            content(c, revealed)
        assert caught.value.code == -32801
        assert c.request("postkit/history", {"query": COOKIE})["items"] == []
        c.command("postkit.cookieEdit", {"op": "cookie.clear"})
        # Closing the store empties its journal.
    assert COOKIE.encode() not in kept(store)


def test_one_rule_hides_a_value_in_heads_bodies_completion_and_hover(store, folder, target):
    with client(store, folder, options={"testing": True}) as c:
        c.initialize()
        uri, id = login(c, folder, target)
        shown = content(c, f"postkit:/response/{id}.http")
        assert COOKIE not in shown and f'"token": "{MASK}"' in shown
        # What is no id is left alone.
        assert '"speaks": "english"' in shown
        line = NAMED.split("\n")[5].format("", "")
        place = {"line": 5, "character": line.index("token")}
        hover = c.at("textDocument/hover", uri, **place)
        items = c.at("textDocument/completion", uri, **place)["items"]
        assert [item["label"] for item in items if "token" in item["label"]]
        assert COOKIE not in str(hover) + str(items)
        # References read the true value all the same.
        c.command("postkit.send", {"uri": uri, "position": {"line": 4, "character": 0}})
        assert dict(target.seen[-1][2])["X-T"] == COOKIE


def test_an_editor_that_opens_files_is_not_offered_hidden_values(store, folder, target):
    with client(store, folder, FILES, options={"testing": True}) as c:
        c.initialize()
        _, id = login(c, folder, target)
        uri = c.command("postkit.showResponse", {"id": id})
        file = Path(uri.removeprefix("file://").replace("%20", " "))
        c.open(file)
        assert "Show the body alone" in titled(c, uri, 0)
        assert "Show hidden values" not in titled(c, uri, 0)
        with pytest.raises(ResponseError, match="never written to one"):
            c.command("postkit.showResponse", {"id": id, "reveal": True})


def test_a_response_without_hidden_values_offers_none(store, folder, target):
    with client(store, folder, FULL, options={"testing": True}) as c:
        c.initialize()
        place = {"uri": c.open(folder / "b.http", f"GET {target.url}/plain\n"),
                 "position": {"line": 0, "character": 0}}
        id = c.command("postkit.send", place)["id"]
        uri = opened(c, f"postkit:/response/{id}.http", "")
        assert "Send again" in titled(c, uri, 0)
        assert "Show hidden values" not in titled(c, uri, 0)
