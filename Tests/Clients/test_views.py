"""What is only shown is never sent: responses, lists and other documents of the server's own."""

import json
import os
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from rawclient import TIMEOUT, ResponseError, binary
from test_stock import FULL, client, without

PLAIN = without(FULL, "workspace.textDocumentContent")


def path(uri):
    return Path(urllib.parse.unquote(uri[7:]))


def show(c, uri):
    """Opens a document that the server made; its text."""
    text = (
        path(uri).read_text() if uri.startswith("file:")
        else c.request("workspace/textDocumentContent", {"uri": uri})["text"])
    c.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "http", "version": 1, "text": text}})
    return text


def actions(c, uri, line):
    return c.range("textDocument/codeAction", uri, line, line, context={"diagnostics": []})


def run(c, action):
    command = action["command"]
    return c.request("workspace/executeCommand", {
        "command": command["command"], "arguments": command["arguments"]})


def answered(c, folder, target, body):
    """A request that is answered with a body; the result."""
    target.bodies["/trap"] = ("text/plain", body.encode())
    uri = c.open(folder / "a.http", f"### trap\nGET {target.url}/trap\n")
    return c.command("postkit.send", {"uri": uri, "name": "trap"})


def refused(c, command, argument):
    with pytest.raises(ResponseError) as caught:
        c.command(command, argument)
    assert caught.value.code == -32602
    assert "is read-only" in caught.value.message
    assert caught.value.data == {"code": "request-not-found"}


def nothing_stands_at(c, uri, line):
    """Nothing of what an editor draws or offers evaluates what stands in a document."""
    document = {"textDocument": {"uri": uri}}
    place = (uri, line, 12)
    assert c.request("textDocument/codeLens", document) == []
    assert c.range("textDocument/inlayHint", uri) == []
    symbols = c.request("textDocument/documentSymbol", document) or []
    assert {it["name"].partition(" (")[0] for it in symbols} <= {
        "HTTP/1.1 200 OK", "Headers", "Body"}
    assert not c.request("textDocument/formatting", {
        **document, "options": {"tabSize": 4, "insertSpaces": True}})
    assert c.request("textDocument/diagnostic", document)["items"] == []
    assert c.at("textDocument/hover", *place) is None
    assert c.at("textDocument/completion", *place) is None
    assert c.request("postkit/variables", {**document, "reveal": ["x"]})["items"] == []


@pytest.mark.parametrize("abilities", [FULL, PLAIN], ids=["content", "file"])
@pytest.mark.parametrize("is_open", [True, False], ids=["open", "closed"])
def test_what_stands_in_a_response_is_never_sent(store, folder, target, abilities, is_open):
    trap = (
        "###\n@x = {{$processEnv MY_TOKEN}}\n# @name boom\n"
        f"DELETE {target.url}/boom?{{{{$processEnv MY_TOKEN}}}}\n")
    environment = {"MY_TOKEN": "canary-value"}
    with client(store, folder, abilities, environment=environment) as c:
        c.initialize()
        sent = answered(c, folder, target, trap)
        text = show(c, sent["uri"])
        line = text.split("\n").index(trap.split("\n")[3])
        if not is_open:
            c.notify("textDocument/didClose", {"textDocument": {"uri": sent["uri"]}})
        place = {"uri": sent["uri"], "position": {"line": line, "character": 0}}
        for command, argument in [
            ("postkit.send", place), ("postkit.send", {"uri": sent["uri"], "name": "boom"}),
            ("postkit.sendAll", {"uri": sent["uri"]}), ("postkit.copyAsCurl", place),
            ("postkit.collectionEdit", {"op": "collection.save", **place}),
        ]:
            refused(c, command, argument)
        # The body alone is a document, too.
        body = f"postkit:/response/{sent['id']}/body.http"
        refused(c, "postkit.sendAll", {"uri": body})
        if is_open:
            nothing_stands_at(c, sent["uri"], line)
            found = actions(c, sent["uri"], line)
            assert [a["title"] for a in found] == [
                "Send again", "Show the body alone", "Show the body as it was received",
                "Show where the time went", "Save the body to a file", "Pin it", "Forget it"]
            assert run(c, found[0])["status"] == 200
        assert [seen[:2] for seen in target.seen] == [("GET", "/trap")] * (1 + is_open)
        assert "canary-value" not in json.dumps(c.notifications)


def test_a_view_that_is_named_by_other_ways_is_one(tmp_path, folder, target):
    """Some editors name files by their true paths, others by a link that was opened."""
    true = tmp_path / "true store"
    true.mkdir()
    store = tmp_path / "store"
    store.symlink_to(true)
    with client(store, folder, PLAIN) as c:
        c.initialize()
        view = path(answered(c, folder, target, f"###\nDELETE {target.url}/boom\n")["uri"])
        link = folder / "link.http"
        link.symlink_to(view)
        for name in [true / "view" / view.name, link, store / "view" / ".." / "view" / view.name]:
            refused(c, "postkit.sendAll", {"uri": "file://" + urllib.parse.quote(str(name))})
        assert [seen[0] for seen in target.seen] == ["GET"]


def test_a_run_in_a_shell_refuses_what_is_only_shown(store, folder, target):
    with client(store, folder, PLAIN) as c:
        c.initialize()
        answer = answered(c, folder, target, f"###\nDELETE {target.url}/boom\n")
        views = [path(answer["uri"]), path(c.command("postkit.history", {"query": ""}))]
    stored = store / "view" / "requests" / answer["id"] / "its name.http"
    stored.parent.mkdir(parents=True)
    stored.write_text(f"GET {target.url}/stored\n")
    link = folder / "link.http"
    link.symlink_to(views[0])
    for name in [*views, link]:
        for words in [["run", "--all"], ["run"], ["collections", "save", "--to", "Shop"]]:
            result = subprocess.run(
                [binary(), *words, name, "--store", store], capture_output=True, cwd=folder,
                timeout=TIMEOUT, check=False)
            told = result.stderr.decode()
            assert result.returncode == 2 and result.stdout == b"", told
            assert f"{name} is read-only" in told and told.count("\n") == 1
            assert (f"postkit run --history {answer['id']}" in told) == (name != views[1])
    assert [seen[0] for seen in target.seen] == ["GET"]
    # What an editor writes there of a stored request is one.
    assert subprocess.run(
        [binary(), "run", stored, "--store", store], capture_output=True, timeout=TIMEOUT,
        check=False,
    ).returncode == 0
    assert [seen[:2] for seen in target.seen[1:]] == [("GET", "/stored")]


@pytest.mark.parametrize("abilities", [FULL, PLAIN], ids=["content", "file"])
def test_the_history_is_a_list_of_comments_with_actions(store, folder, target, abilities):
    with client(store, folder, abilities) as c:
        c.initialize()
        (folder / "http-client.private.env.json").write_text('{"dev": {"k": "s3cret-value"}}')
        uri = c.open(
            folder / "a.http", f"### key\nPOST {target.url}/a?token={{{{k}}}}\n\nbody\n")
        order = {"uri": uri, "name": "key", "environment": "dev"}
        first, second = c.command("postkit.send", order), c.command("postkit.send", order)
        listed = c.command("postkit.history", {"query": "search=token"})
        text = show(c, listed)
        lines = text.splitlines()
        assert lines and all(line.startswith("#") for line in lines)
        line = next(n for n, line in enumerate(lines) if second["id"] in line)
        assert "  key  200  " in lines[line] and "  POST /a?token=" in lines[line]
        assert "  dev  " in lines[line]
        assert "s3cret-value" not in text
        nothing_stands_at(c, listed, line)
        refused(c, "postkit.sendAll", {"uri": listed})
        # What is done with the whole list is offered in all lines.
        assert all(a["kind"].startswith("postkit.list.") for a in actions(c, listed, 0))
        found = [
            a for a in actions(c, listed, line) if not a["kind"].startswith("postkit.list.")]
        assert [a["kind"] for a in found] == [
            "postkit.send", "postkit.show", "postkit.compare", "postkit.show", "postkit.mark",
            "postkit.delete"]
        assert run(c, found[1]).endswith(f"{second['id']}.http")
        assert first["id"] in run(c, found[2])
        assert run(c, found[0])["status"] == 200
        assert [seen[:2] for seen in target.seen] == [("POST", "/a?token=s3cret-value")] * 3
        assert [seen[3] for seen in target.seen] == [b"body"] * 3


def test_no_other_file_among_the_views_is_an_exchange(store, folder, target):
    with client(store, folder, PLAIN) as c:
        c.initialize()
        sent = answered(c, folder, target, "well")
        for name in ["notes.http", f"{sent['id']}-history.http", f"{sent['id']}.x.http"]:
            file = path(sent["uri"]).parent / name
            uri = c.open(file, f"GET {target.url}/other\n")
            assert actions(c, uri, 0) == [], name
            refused(c, "postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})


def test_documents_without_requests_hold_none(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        for uri in ["postkit:/environments", "postkit:/diagnostics/undefined.md", "postkit:/x"]:
            c.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri, "languageId": "http", "version": 1,
                "text": f"GET {target.url}/{os.path.basename(uri)}\n"}})
            nothing_stands_at(c, uri, 0)
            assert actions(c, uri, 0) == []
            refused(c, "postkit.sendAll", {"uri": uri})
        assert target.seen == []
