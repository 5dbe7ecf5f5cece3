"""Stored requests in an editor: saved, listed, opened, sent and written back."""

import os
import stat
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from rawclient import ResponseError, binary
from test_stock import FULL, client as stock, without

ASKING = {**FULL, "window": {**FULL["window"], "showMessage": {"messageActionItem": {}}}}
METHOD = "window/showMessageRequest"


def client(store, folder, capabilities=ASKING):
    return stock(store, folder, capabilities, options={"postkit": {"testing": True}})


def presses(title):
    def answer(params):
        return next(action for action in params["actions"] if action["title"] == title)

    return answer


def edit(c, *ops, **more):
    return c.request("postkit/edit", {"ops": list(ops), **more})


def purge(store):
    """Deletes for good what can be taken back."""
    command = [binary(), "collections", "undo", "--purge", "--store", str(store)]
    subprocess.run(command, check=True, timeout=60, stdout=subprocess.DEVNULL)


def shop(c, text):
    """A collection with a request and an environment in use; the ids."""
    made = edit(c, {"op": "collection.create", "kind": "collection", "name": "Shop"})
    collection = made["ids"]["0"]
    made = edit(
        c,
        {"op": "collection.create", "kind": "request", "parent": collection, "source": text},
        {"op": "collection.create", "kind": "environment", "parent": collection, "name": "dev"})
    request, environment = made["ids"]["0"], made["ids"]["1"]
    edit(
        c,
        {"op": "collection.create", "kind": "variable", "parent": environment, "name": "n",
         "value": "41"},
        {"op": "environment.select", "id": collection, "environment": environment})
    return collection, request


def path(uri):
    return Path(urllib.parse.unquote(uri[7:]))


def saves(c, uri, text):
    path(uri).write_text(text)
    c.change(uri, text)
    c.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def stored(c, request):
    return c.request(
        "workspace/textDocumentContent", {"uri": f"postkit:/collections/{request}.http"})["text"]


def settles(c):
    c.request("postkit/debug/synchronize")


def test_the_tree_is_listed_level_by_level(store, folder):
    with client(store, folder) as c:
        c.initialize()
        assert c.request("postkit/collections", {}) == {"nodes": [], "revision": 0}
        collection, request = shop(c, "### one\nGET http://a.test/{{n}}\n")
        listed = c.request("postkit/collections", {})
        [node] = listed["nodes"]
        assert node["kind"] == "collection" and node["childCount"] == 1 and "children" not in node
        [child] = c.request("postkit/collections", {"parent": collection})["nodes"]
        times = {name: child.pop(name) for name in ("createdAt", "updatedAt")}
        assert all(time.endswith("Z") and len(time) == 24 for time in times.values())
        assert node["path"] == "Shop" and node["requestCount"] == 1
        assert child == {
            "id": request, "kind": "request", "name": "one", "method": "GET",
            "url": "http://a.test/{{n}}", "uri": f"postkit:/collections/{request}.http",
            "childCount": 0, "path": "Shop/one", "isFavourite": False}
        child |= times
        [deep] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert deep["children"] == [child]
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/collections", {"parent": "0" * 36})
        assert caught.value.code == -32801


def test_edits_are_one_transaction_and_know_their_revision(store, folder):
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, "### one\nGET http://a.test\n")
        revision = c.request("postkit/collections", {})["revision"]
        done = edit(
            c,
            {"op": "collection.rename", "id": request, "name": "two"},
            {"op": "collection.create", "kind": "folder", "parent": collection, "name": "f"},
            ifRevision=revision)
        assert done["revision"] == revision + 1 and done["ids"]["0"] == request
        assert stored(c, request) == "### two\nGET http://a.test\n"
        edit(c, {"op": "collection.move", "id": request, "parent": done["ids"]["1"]})
        for code, ops, more in [
            (-32801, [{"op": "collection.delete", "id": request}], {"ifRevision": revision}),
            (-32801, [{"op": "collection.delete", "id": request}], {"ifRevision": 1e300}),
            (-32801, [{"op": "collection.rename", "id": collection, "name": "x"},
                      {"op": "collection.delete", "id": "0" * 36}], {}),
            (-32602, [{"op": "collection.delete"}], {}),
            (-32602, [{"op": "collection.update", "id": request, "source": "# none"}], {}),
            (-32602, [{"op": "collection.rename", "id": collection, "name": " "}], {}),
            (-32602, [{"op": "collection.rename", "id": collection, "name": "A\nGET /"}], {}),
        ]:
            with pytest.raises(ResponseError) as caught:
                edit(c, *ops, **more)
            assert caught.value.code == code
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["name"] == "Shop"


def test_a_request_is_saved_by_a_code_action(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### price\nGET {target.url}/price\n")
        found = c.range("textDocument/codeAction", uri, 1, 1, context={"diagnostics": []})
        [action] = [a for a in found if a.get("kind") == "postkit.save"]
        c.answers[METHOD] = presses("New collection `folder`")
        command = action["command"]
        c.request("workspace/executeCommand", {
            "command": command["command"], "arguments": command["arguments"]})
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert node["name"] == "folder"
        assert [child["name"] for child in node["children"]] == ["price"]
        # Once more: the same request is brought up to date.
        c.answers[METHOD] = presses("folder")
        c.request("workspace/executeCommand", {
            "command": command["command"], "arguments": command["arguments"]})
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert len(node["children"]) == 1
        c.answers[METHOD] = lambda params: None
        with pytest.raises(ResponseError) as caught:
            c.request("workspace/executeCommand", {
                "command": command["command"], "arguments": command["arguments"]})
        assert caught.value.code == -32803 and "nothing was saved" in str(caught.value)


def test_a_stored_request_is_sent_with_its_environment(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, f"### one\nGET {target.url}/{{{{n}}}}\n")
        named = f"postkit:/collections/{request}.http"
        assert c.command("postkit.send", {"uri": named})["status"] == 200
        opened = c.command("postkit.collections", {"id": request})
        assert stat.S_IMODE(os.stat(path(opened)).st_mode) == 0o600
        assert path(opened).parent.name == request
        uri = c.open(path(opened), path(opened).read_text())
        hover = c.at("textDocument/hover", uri, 1, len(f"GET {target.url}/{{{{"))
        assert "41" in str(hover["contents"])
        items = c.at("textDocument/completion", uri, 1, len(f"GET {target.url}/{{{{"))
        assert "n" in [item["label"] for item in items["items"]]
        c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})
        assert [seen[1] for seen in target.seen] == ["/41", "/41"]
        kept = c.request("postkit/history", {})["items"]
        assert [item["file"] for item in kept] == [named, named]
        assert [item["environment"] for item in kept] == ["dev", "dev"]


def test_a_secret_is_sent_and_never_shown(store, folder, target):
    secret = "s3cret-canary"
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, f"### one\nGET {target.url}/x\nX-Key: {{{{key}}}}\n")
        [node] = c.request("postkit/collections", {})["nodes"]
        edit(c, {"op": "collection.create", "kind": "variable", "name": "key", "value": secret,
                 "secret": True, "parent": node["environment"]})
        opened = c.command("postkit.collections", {"id": request})
        uri = c.open(path(opened), path(opened).read_text())
        assert secret not in str(c.at("textDocument/hover", uri, 2, len("X-Key: {{k")))
        c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})
        [seen] = target.seen
        assert seen[2]["X-Key"] == secret
        edit(c, {"op": "collection.delete", "id": collection})

    def holders():
        return {file.name for file in store.rglob("*")
                if file.is_file() and secret.encode() in file.read_bytes()}

    # As long as the deletion can be taken back, the value is where secrets are.
    assert holders() == {"secrets.json"}
    purge(store)
    assert holders() == set()


@pytest.mark.parametrize("reads", [True, False])
def test_the_list_is_a_document_with_actions(store, folder, target, reads):
    abilities = ASKING if reads else without(ASKING, "workspace.textDocumentContent")
    with client(store, folder, abilities) as c:
        c.initialize()
        collection, request = shop(c, f"### one\nGET {target.url}/{{{{n}}}}\n")
        edit(c, {"op": "collection.create", "kind": "request", "parent": collection,
                 "source": "### a\x1bb\nGET http://a.test/\n"})
        uri = c.command("postkit.collections")
        if reads:
            assert uri == "postkit:/collections"
            text = c.request("workspace/textDocumentContent", {"uri": uri})["text"]
        else:
            assert path(uri) == store / "view" / "collections.http"
            text = path(uri).read_text()
        assert text.split("\n")[2] == f"# Shop/  {collection}"
        assert text.split("\n")[4].startswith("#   a\\x1Bb  GET http://a.test/  postkit:")
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "http", "version": 1, "text": text}})
        found = c.range("textDocument/codeAction", uri, 3, 3, context={"diagnostics": []})
        assert [a["kind"] for a in found if not a["kind"].startswith("postkit.list.")] == [
            "postkit.send", "postkit.open", "postkit.favourite", "postkit.delete"]
        for action in found[:4]:
            c.request("workspace/executeCommand", {
                "command": action["command"]["command"],
                "arguments": action["command"]["arguments"]})
        assert [seen[1] for seen in target.seen] == ["/41"]
        [node] = c.request("postkit/collections", {})["nodes"]
        assert node["childCount"] == 1
        found = c.range("textDocument/codeAction", uri, 2, 2, context={"diagnostics": []})
        assert [a["kind"] for a in found if not a["kind"].startswith("postkit.list.")] == [
            "postkit.send", "postkit.defaults", "postkit.delete"]


def test_a_message_renames_what_it_has_just_changed(store, folder):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, "### one\nGET http://a.test\n")
        edit(
            c,
            {"op": "collection.update", "id": request, "source": "### two\nGET http://new.test\n"},
            {"op": "collection.rename", "id": request, "name": "three"})
        assert stored(c, request) == "### three\nGET http://new.test\n"
        with pytest.raises(ResponseError) as caught:
            edit(c, {"op": "collection.rename", "id": request, "name": "a\nb"})
        assert caught.value.code == -32602 and "single line" in str(caught.value)


def test_a_message_fills_what_it_has_just_made(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "### price\nGET http://a.test\n")
        collection, inner, request = (f"0190a1b2-0000-7000-8000-00000000000{n}" for n in range(3))
        save = {"op": "collection.save", "uri": uri, "name": "price", "parent": inner}
        made = edit(
            c,
            {"op": "collection.create", "kind": "collection", "id": collection, "name": "Shop"},
            {"op": "collection.create", "kind": "folder", "id": inner, "name": "f",
             "parent": collection},
            {"op": "collection.create", "kind": "request", "id": request, "parent": collection,
             "source": "GET http://b.test\n"},
            {"op": "collection.move", "id": request, "parent": inner}, save, save)
        assert made["ids"]["4"] == made["ids"]["5"]
        [node] = c.request("postkit/collections", {"depth": 3})["nodes"]
        [child] = node["children"]
        assert [leaf["id"] for leaf in child["children"]] == [request, made["ids"]["4"]]
        with pytest.raises(ResponseError) as caught:
            edit(c, {**save, "parent": request})
        assert caught.value.code == -32801


def test_a_new_value_of_a_secret_stays_out_of_the_database(store, folder):
    with client(store, folder) as c:
        c.initialize()
        shop(c, "### one\nGET http://a.test\n")
        [node] = c.request("postkit/collections", {})["nodes"]
        variable = "0190a1b2-0000-7000-8000-000000000000"

        def set_value(value, **more):
            edit(c, {"op": "collection.update", "id": variable, "value": value, **more})

        def databases():
            return b"".join(path.read_bytes() for path in store.glob("collections.sqlite*"))

        edit(
            c,
            {"op": "collection.create", "kind": "variable", "id": variable, "name": "key",
             "value": "canary-made", "secret": True, "parent": node["environment"]},
            {"op": "collection.update", "id": variable, "value": "canary-batch"})
        set_value("canary-update")
        assert b"canary" not in databases()
        set_value("canary-shown", secret=False)
        assert b"canary-shown" in databases()
        set_value("canary-plain")
        assert b"canary-plain" in databases()


def test_an_environment_is_chosen_for_the_collection_of_a_stored_request(store, folder, target):
    (folder / "http-client.env.json").write_text('{"prod": {"n": "1"}, "here": {"n": "2"}}')
    with client(store, folder) as c:
        c.initialize()
        collection, request = shop(c, f"### one\nGET {target.url}/{{{{n}}}}\n")
        made = edit(c, {"op": "collection.create", "kind": "environment", "name": "prod",
                        "parent": collection})
        edit(c, {"op": "collection.create", "kind": "variable", "name": "n", "value": "42",
                 "parent": made["ids"]["0"]})
        opened = c.command("postkit.collections", {"id": request})
        uri = c.open(path(opened), path(opened).read_text())

        def actions():
            found = c.range("textDocument/codeAction", uri, 1, 1, context={"diagnostics": []})
            return {a["title"]: a["command"] for a in found
                    if a.get("kind") == "postkit.environment"}

        # What the folder has beside them would not be used: the collection has one in use.
        assert list(actions()) == ["Use the environment `prod`"]
        command = actions()["Use the environment `prod`"]
        c.request("workspace/executeCommand", {
            "command": command["command"], "arguments": command["arguments"]})
        c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})
        assert [seen[1] for seen in target.seen] == ["/42"]
        assert list(actions()) == ["Use the environment `dev`"]
        edit(c, {"op": "environment.select", "id": collection})
        assert len(actions()) == 3


def test_a_secret_of_a_stored_request_is_revealed_by_its_name(store, folder):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, "### one\nGET http://a.test\n")
        [node] = c.request("postkit/collections", {})["nodes"]
        for name in "key", "other":
            edit(c, {"op": "collection.create", "kind": "variable", "name": name,
                     "value": f"true {name}", "secret": True, "parent": node["environment"]})

        def variables(**more):
            uri = f"postkit:/collections/{request}.http"
            items = c.request("postkit/variables", {"textDocument": {"uri": uri}, **more})["items"]
            return {item["name"]: item.get("value") for item in items if item["name"] != "n"}

        assert variables() == {"key": None, "other": None}
        assert variables(reveal=["key"]) == {"key": "true key", "other": None}


def test_a_new_text_is_read_as_the_stored_one_was(store, folder, target):
    body = '{"a": 1}'
    with client(store, folder) as c:
        c.initialize()
        made = edit(c, {"op": "collection.create", "kind": "collection", "name": "Shop"})
        # What kulala infers and others don't: the type of a body.
        uri = c.open(
            folder / "a.http",
            f"# @dialect kulala\n### one\nGET {target.url}/one\n\n"
            f"### two\nPOST {target.url}/two\n\n{body}\n")
        made = edit(c, {
            "op": "collection.save", "uri": uri, "name": "two",
            "parent": made["ids"]["0"]})
        request = made["ids"]["0"]
        named = f"postkit:/collections/{request}.http"
        c.command("postkit.send", {"uri": named})
        source = f"### two\nPOST {target.url}/newer\n\n{body}\n"
        edit(c, {"op": "collection.update", "id": request, "source": source})
        c.command("postkit.send", {"uri": named})
        kinds = [(seen[1], seen[2].get("Content-Type")) for seen in target.seen]
        assert kinds == [("/two", "application/json"), ("/newer", "application/json")]
        # A text that says how it is read has the last word.
        source = "# @dialect restclient\n" + source
        edit(c, {"op": "collection.update", "id": request, "source": source})
        c.command("postkit.send", {"uri": named})
        assert target.seen[-1][2].get("Content-Type") != "application/json"
