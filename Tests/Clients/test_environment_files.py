"""Environment files that are open themselves, whatever language the editor takes them for."""

import json

import pytest
from test_changes import abilities, actions, diagnostics, done, titled
from test_stock import FULL, client

PUBLIC = """{
  "dev": {"host": "http://127.0.0.1", "apiToken": "s3cr3t-canary", "host": "http://127.0.0.2"},
  "prod": {"host": "http://127.0.0.3"}
}
"""
PRIVATE = '{"dev": {"pin": "pr1vate-canary"}, "prod": {"pin": "pr2vate-canary"}}'


def opened(c, path, text, language):
    """Opens a document as a language."""
    uri = path.as_uri()
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    c.notify("textDocument/didOpen", {"textDocument": item})
    c.versions[uri] = 1
    return uri


def hover(c, uri, line, column):
    found = c.at("textDocument/hover", uri, line, column)
    return found and found["contents"]["value"]


def codes(c, uri):
    return [(d["code"], d["range"]["start"]["line"]) for d in diagnostics(c, uri)]


@pytest.fixture
def private(folder):
    path = folder / "http-client.private.env.json"
    path.write_text(PRIVATE)
    return path


@pytest.mark.parametrize("language", ["json", "http", "jsonc"])
def test_an_environment_file_is_no_file_of_requests(store, folder, private, language):
    with client(store, folder, abilities()) as c:
        c.initialize()
        path = folder / "http-client.env.json"
        uri = opened(c, path, PUBLIC, language)
        seen = [("duplicate-key", 1), ("secret-in-file", 1), ("missing-key", 2)]
        assert codes(c, uri) == seen
        document = {"textDocument": {"uri": uri}}
        assert c.request("textDocument/codeLens", document) == []
        assert not c.request("textDocument/documentSymbol", document)
        assert not c.request("textDocument/documentLink", document)
        assert c.range("textDocument/inlayHint", uri) == []
        context = {"diagnostics": []}
        found = c.range("textDocument/codeAction", uri, 1, 2, context=context)
        assert {action["kind"] for action in found} == {"quickfix"}
        titles = [action["title"] for action in found]
        assert titles == ["Remove this one", "Move it to `http-client.private.env.json`"]
        shown = hover(c, uri, 1, 13)
        assert shown == "`host`\n\n- `dev`: `http://127.0.0.2`\n- `prod`: `http://127.0.0.3`"
        assert hover(c, uri, 2, 4) == "The environment `prod` defines 1 name in this file."
        items = c.at("textDocument/completion", uri, 2, 35)["items"]
        assert items == [] or all("canary" not in json.dumps(item) for item in items)
        # What is mended is gone, and the file is still what it is.
        fixed = c.request("codeAction/resolve", found[1])
        texts = done(c, fixed["edit"], {uri: PUBLIC, private.as_uri(): PRIVATE})
        assert "apiToken" not in texts[uri]
        assert json.loads(texts[private.as_uri()])["dev"]["apiToken"] == "s3cr3t-canary"
        private.write_text(texts[private.as_uri()])
        c.change(uri, texts[uri])
        assert codes(c, uri) == [("duplicate-key", 1), ("missing-key", 2)]
        sent = b"".join(c.server.messages)
    assert b"pr1vate-canary" not in sent and b"pr2vate-canary" not in sent


def test_secrets_of_a_private_file_are_masked_where_it_is_open(store, folder, private):
    (folder / "http-client.env.json").write_text('{"dev": {"pin": "1"}}')
    with client(store, folder) as c:
        c.initialize()
        uri = opened(c, private, PRIVATE, "json")
        assert codes(c, uri) == []
        assert hover(c, uri, 0, 11) == "`pin`\n\n- `dev`: `••••••`\n- `prod`: `••••••`"


def test_a_broken_file_and_a_dotenv_file_have_their_mistakes_at_their_places(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = opened(c, folder / "http-client.env.json", '{\n  "dev": {,}\n}\n', "json")
        (item,) = diagnostics(c, uri)
        assert item["message"].startswith("Invalid JSON, so PostKit ignores the whole file: ")
        assert item["range"]["start"] == {"line": 1, "character": 10}
        dotenv = opened(c, folder / ".env", "A=1\nB=2\nA=3\n", "dotenv")
        assert codes(c, dotenv) == [("duplicate-key", 0)]
        (fix,) = actions(c, dotenv, 0, only=["quickfix"])
        (edit,) = fix["edit"]["changes"][dotenv]
        assert edit["newText"] == "" and edit["range"]["end"] == {"line": 1, "character": 0}
        assert hover(c, dotenv, 1, 0) == "`B`\n\n- without an environment: `2`"


@pytest.mark.parametrize("language", ["json", "http"])
def test_requests_are_looked_at_again_when_it_changes(store, folder, language):
    (folder / "postkit.json").write_text('{"environment": "dev"}')
    with client(store, folder) as c:
        c.initialize()
        request = c.open(folder / "a.http", "GET http://127.0.0.1/{{page}}\n")
        uri = opened(c, folder / "http-client.env.json", '{"dev": {}}', language)
        assert codes(c, request) == [("unresolved-variable", 0)]
        c.requests.clear()
        c.change(uri, '{"dev": {"page": "1"}}')
        c.expect("workspace/diagnostic/refresh")
        assert codes(c, request) == []
        # A name that another environment has is missed in the other files, too.
        c.requests.clear()
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        c.expect("workspace/diagnostic/refresh")
        assert "unresolved-variable" in [code for code, _ in codes(c, request)]


@pytest.mark.parametrize("content", ["", "\n", "  \r\n"])
def test_a_file_made_by_a_fix_is_no_mistake_until_it_is_saved(store, folder, content):
    (folder / "http-client.env.json").write_text('{"dev": {"host": "http://127.0.0.1"}}')
    (folder / "postkit.json").write_text('{"environment": "dev"}')
    text = "GET {{host}}/\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyz\n"
    with client(store, folder, abilities()) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        fix = titled(
            actions(c, uri, 1, 30), "Move it to `http-client.private.env.json` as `token`")
        texts = done(c, c.request("codeAction/resolve", fix)["edit"], {uri: text})
        # The editor has made the file and keeps what is in it until it is saved.
        path = folder / "http-client.private.env.json"
        path.write_text(content)
        c.requests.clear()
        change = {"uri": path.as_uri(), "type": 1}
        c.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        c.change(uri, texts[uri])
        assert "environment-file" not in [code for code, _ in codes(c, uri)]
        private = opened(c, path, texts[path.as_uri()], "json")
        assert codes(c, uri) == [] and codes(c, private) == []


def test_diagnostics_of_an_environment_file_are_pushed_as_well(store, folder):
    push = {**FULL, "textDocument": {"publishDiagnostics": {}}}
    with client(store, folder, push) as c:
        c.initialize()
        uri = opened(c, folder / "http-client.env.json", PUBLIC, "json")
        found = c.expect("textDocument/publishDiagnostics", lambda params: params["uri"] == uri)
        assert [d["code"] for d in found["diagnostics"]][0] == "duplicate-key"


def test_a_web_token_is_read_where_it_is_written(store, folder, target):
    # {"alg":"RS256"} and {"sub":"ann","exp":820}
    token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4iLCJleHAiOjgyMH0.c2ln"
    with client(store, folder, abilities()) as c:
        c.initialize()
        places = [
            opened(c, folder / "http-client.env.json", f'{{"dev": {{"who": "{token}"}}}}', "json"),
            c.open(folder / "a.http", f"GET {target.url}/\nX-Who: {token}\n"),
        ]
        response = "postkit:/response/0192f3a0-0000-7000-8000-000000000000/body.json"
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": response, "languageId": "json", "version": 1, "text": f'{{"t": "{token}"}}'}})
        places.append(response)
        for uri, (line, column) in zip(places, [(0, 40), (1, 30), (0, 30)], strict=True):
            shown = hover(c, uri, line, column)
            assert "sub | ann" in shown.replace("`", "") and "expired" in shown
            assert "The signature was not checked." in shown
        assert hover(c, response, 0, 1) is None
        assert not target.seen
