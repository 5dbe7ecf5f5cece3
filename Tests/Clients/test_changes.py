"""Fixes and refactorings that change files, as each client takes them."""

import json

import pytest
from rawclient import ResponseError
from test_fixes import applied
from test_stock import FULL, client

ACTIONS = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
    "isPreferredSupport": True,
    "disabledSupport": True,
    "dataSupport": True,
    "resolveSupport": {"properties": ["edit"]},
}
EDITS = {
    "documentChanges": True,
    "resourceOperations": ["create"],
    "changeAnnotationSupport": {},
}


def abilities(actions=ACTIONS, edits=EDITS):
    return {
        **FULL,
        "workspace": {**FULL["workspace"], "workspaceEdit": edits},
        "textDocument": {**FULL["textDocument"], "codeAction": actions},
    }


def editing():
    """The abilities of a client that makes edits when it is asked to."""
    capabilities = abilities()
    capabilities["workspace"] = {**capabilities["workspace"], "applyEdit": True}
    return capabilities


def taking_edits(c):
    """The edits that the server asks for from now on, in order; the client makes each."""
    taken = []
    c.answers["workspace/applyEdit"] = lambda params: taken.append(params) or {"applied": True}
    return taken


def actions(c, uri, line, character=0, only=("quickfix", "refactor", "source")):
    place = {"line": line, "character": character}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "only": list(only)},
    }
    return c.request("textDocument/codeAction", params)


def diagnostics(c, uri):
    return c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]


def done(c, edit, texts):
    """Texts by URI after a `WorkspaceEdit`, which must say what it means in full."""
    texts = dict(texts)
    for change in edit.get("documentChanges", []):
        if "kind" in change:
            assert change["kind"] == "create" and change["uri"] not in texts
            texts[change["uri"]] = ""
            continue
        document = change["textDocument"]
        assert document["version"] == c.versions.get(document["uri"])
        texts[document["uri"]] = applied(texts[document["uri"]], change["edits"])
    for uri, edits in edit.get("changes", {}).items():
        texts[uri] = applied(texts[uri], edits)
    return texts


def titled(found, title):
    return next(action for action in found if action["title"] == title)


@pytest.fixture
def public(folder):
    path = folder / "http-client.env.json"
    path.write_text(json.dumps({"dev": {"host": "http://127.0.0.1:1"}, "prod": {}}))
    (folder / "postkit.json").write_text('{"environment": "dev"}')
    return path


def test_an_edit_is_made_when_its_action_is_chosen(store, folder, public):
    text = "GET {{host}}/{{ü}}/{{nope}}\n"
    with client(store, folder, abilities()) as c:
        result = c.initialize()
        assert result["capabilities"]["codeActionProvider"]["resolveProvider"] is True
        uri = c.open(folder / "a.http", text)
        found = actions(c, uri, 0, 22)
        assert all("edit" not in action for action in found)
        chosen = titled(found, "Define `nope` in all 2 environments")
        resolved = c.request("codeAction/resolve", chosen)
        texts = done(c, resolved["edit"], {uri: text, public.as_uri(): public.read_text()})
        values = json.loads(texts[public.as_uri()])
        assert values["dev"]["nope"] == "" and values["prod"] == {"nope": ""}
        label = resolved["edit"]["documentChanges"][0]["edits"][0]["annotationId"]
        assert resolved["edit"]["changeAnnotations"][label]["label"].startswith("Write to ")
        public.write_text(texts[public.as_uri()])
        assert "nope" not in [d["message"] for d in diagnostics(c, uri)]
        c.change(uri, text + "\n")
        with pytest.raises(ResponseError) as caught:
            c.request("codeAction/resolve", chosen)
        assert caught.value.code == -32801


def test_an_open_environment_file_is_changed_as_it_is_in_the_editor(store, folder, public):
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET {{host}}/{{nope}}\n")
        shown = '{"dev": {"host": "http://127.0.0.1:1", "other": 1}}'
        other = c.show(public, shown)
        chosen = titled(actions(c, uri, 0, 16), "Define `nope` in the environment `dev`")
        edit = c.request("codeAction/resolve", chosen)["edit"]
        texts = done(c, edit, {other: shown})
        assert json.loads(texts[other])["dev"]["nope"] == ""


@pytest.mark.parametrize("lazy", [True, False])
def test_a_secret_moves_into_a_file_of_its_own(store, folder, public, target, lazy):
    secret = "abcdefghijklmnopqrstuvwxyz"
    text = f"GET {target.url}/\nAuthorization: Bearer {secret}\n"
    own = ACTIONS if lazy else {k: ACTIONS[k] for k in ACTIONS if k != "resolveSupport"}
    with client(store, folder, abilities(own)) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        title = "Move it to `http-client.private.env.json` as `token`"
        chosen = titled(actions(c, uri, 1, 30), title)
        edit = chosen["edit"] if not lazy else c.request("codeAction/resolve", chosen)["edit"]
        texts = done(c, edit, {uri: text})
        assert secret not in texts[uri]
        private = folder / "http-client.private.env.json"
        private.write_text(texts[private.as_uri()])
        c.change(uri, texts[uri])
        assert diagnostics(c, uri) == []
        c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        first, second = target.seen
        assert first == second


def test_what_can_not_be_done_says_why_or_is_not_offered(store, folder, public):
    text = "GET {{host}}/\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyz\n"
    (folder / "http-client.private.env.json").write_text('{"dev": {"host": "s3cr3t-host"}}')
    for own in (ACTIONS, {**ACTIONS, "disabledSupport": False}):
        with client(store, folder, abilities(own, {})) as c:
            c.initialize()
            uri = c.open(folder / "a.http", text)
            found = actions(c, uri, 0, 6, only=["refactor.inline"])
            if own["disabledSupport"]:
                assert "secret" in found[0]["disabled"]["reason"]
                assert "edit" not in found[0] and "data" not in found[0]
            else:
                assert found == []


def test_without_document_changes_edits_are_plain_and_no_file_is_made(store, folder, public):
    own = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}}
    text = "POST {{host}}/?a=1&b=2\n\n< ./new.json\n"
    with client(store, folder, abilities(own, {})) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert [a["title"] for a in actions(c, uri, 2, 3, only=["quickfix"])] == []
        chosen = titled(actions(c, uri, 0, 16), "Put each parameter on its own line")
        assert "disabled" not in chosen and "data" not in chosen
        texts = done(c, chosen["edit"], {uri: text})
        assert texts[uri].startswith("POST {{host}}/\n    ?a=1\n    &b=2\n")


def test_a_missing_file_is_made(store, folder, public):
    text = "POST {{host}}/\n\n< ./new file.json\n"
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        chosen = titled(actions(c, uri, 2, 3), "Create `./new file.json`")
        edit = c.request("codeAction/resolve", chosen)["edit"]
        assert edit["documentChanges"][0]["uri"] == (folder / "new file.json").as_uri()
        (folder / "new file.json").write_text("")
        c.notify(
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": (folder / "new file.json").as_uri(), "type": 1}]},
        )
        assert diagnostics(c, uri) == []


def test_everything_safe_is_mended_at_once(store, folder, public):
    text = "POST {{host}}/\nA: b\n{}\n\n###\n# @timeout 5\nGET {{host}}/\n"
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        (chosen,) = actions(c, uri, 0, only=["source.fixAll"])
        assert chosen["kind"] == "source.fixAll.postkit"
        texts = done(c, c.request("codeAction/resolve", chosen)["edit"], {uri: text})
        assert "A: b\n\n{}" in texts[uri] and "@timeout 5 s" in texts[uri]
        c.change(uri, texts[uri])
        assert actions(c, uri, 0, only=["source"]) == []


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", None, "POST {url}/x\nA: b\n\nc=1\n"),
        ("GET {url}/", None, "GET {url}/\n\n###\nPOST {url}/x\nA: b\n\nc=1\n"),
        (
            "GET {url}/\n\n### b\nGET {url}/b\n",
            {"line": 0, "character": 2},
            "GET {url}/\n\n\n###\nPOST {url}/x\nA: b\n\nc=1\n\n### b\nGET {url}/b\n",
        ),
    ],
)
def test_a_curl_line_is_pasted_as_a_request(store, folder, target, text, position, expected):
    text = text.replace("{url}", target.url)
    with client(store, folder, editing()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        taken = taking_edits(c)
        order = {"uri": uri, "text": f"curl {target.url}/x -H 'A: b' -d c=1"}
        if position:
            order["position"] = position
        assert c.command("postkit.pasteCurl", order) is True
        (params,) = taken
        after = done(c, params["edit"], {uri: text})[uri]
        wanted = expected.replace("{url}", target.url)
        assert after.replace("Content-Type: application/x-www-form-urlencoded\n", "") == wanted
        c.answers["workspace/applyEdit"] = lambda params: {"applied": False}
        for bad, code in [({"uri": uri, "text": "wget x"}, -32803), ({"uri": uri}, -32602),
                          (order, -32803)]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.pasteCurl", bad)
            assert caught.value.code == code
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.pasteCurl", {**order, "uri": uri})
        assert caught.value.code == -32803


def test_a_header_is_switched_off_and_on_by_a_command(store, folder):
    text = "GET http://127.0.0.1:1/\nX-Id: ä1\nAccept: */*\n"
    with client(store, folder, editing()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        taken = taking_edits(c)

        def toggle(line):
            place = {"line": line, "character": 0}
            return c.command(
                "postkit.toggleLine", {"uri": uri, "range": {"start": place, "end": place}})

        assert toggle(0) is False and not taken
        assert toggle(1) is True
        off = done(c, taken[-1]["edit"], {uri: text})[uri]
        assert off == "GET http://127.0.0.1:1/\n# X-Id: ä1\nAccept: */*\n"
        assert taken[-1]["label"] == "Switch off header `X-Id`"
        c.change(uri, off)
        assert toggle(1) is True
        assert done(c, taken[-1]["edit"], {uri: off})[uri] == text
        c.answers["workspace/applyEdit"] = lambda params: {"applied": False}
        for argument, code in [
            ({"uri": uri, "range": {"start": {"line": 1, "character": 0},
                                    "end": {"line": 1, "character": 0}}}, -32803),
            ({"uri": uri}, -32602),
        ]:
            with pytest.raises(ResponseError) as caught:
                c.command("postkit.toggleLine", argument)
            assert caught.value.code == code
