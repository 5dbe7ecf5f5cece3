"""Quick fixes, pages about diagnostics, and other ways from a text to a better one."""

import json
import urllib.parse
from pathlib import Path

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, without

PROTOCOL = Path(__file__).parents[2] / "protocol"
LINKING = {
    **FULL,
    "textDocument": {**FULL["textDocument"], "diagnostic": {"codeDescriptionSupport": True}},
}


def applied(text, changes):
    """A text after the edits of one document, whose columns count bytes."""
    lines = text.encode().splitlines(keepends=True) + [b""]
    starts = [sum(map(len, lines[:number])) for number in range(len(lines))]

    def offset(position):
        return starts[position["line"]] + position["character"]

    result = text.encode()
    ends = [[offset(edit["range"][end]) for end in ("start", "end")] for edit in changes]
    edits = [(*span, edit["newText"]) for span, edit in zip(ends, changes, strict=True)]
    # Insertions at one place keep their order, which going backwards turns round.
    for start, end, new in reversed(sorted(edits, key=lambda edit: edit[:2])):
        result = result[:start] + new.encode() + result[end:]
    return result.decode()


def diagnostics(c, uri):
    return c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]


def actions(c, uri, line, **context):
    wanted = {"diagnostics": [], **context}
    return c.range("textDocument/codeAction", uri, line, line, context=wanted)


def test_a_fix_is_offered_at_its_place_and_mends_the_file(store, folder):
    head = "# ü\nPOST http://127.0.0.1:1/{{usre}}\nContent-Type: application/json\n"
    text = head + "{}\n\n###\n@user = ann\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert "quickfix" in c.server_capabilities["codeActionProvider"]["codeActionKinds"]
        (found,) = actions(c, uri, 3, only=["quickfix"])
        assert found["title"] == "Add a blank line before the body" and found["isPreferred"]
        assert found["diagnostics"][0]["code"] == "missing-blank-line"
        assert found["diagnostics"][0] in diagnostics(c, uri)
        text = applied(text, found["edit"]["changes"][uri])
        c.change(uri, text)
        fixes = c.range(
            "textDocument/codeAction", uri, 1, 2, context={"diagnostics": [], "only": ["quickfix"]}
        )
        assert [fix["title"] for fix in fixes] == ["Write `{{user}}`", "Define `usre` in this file"]
        assert [fix["isPreferred"] for fix in fixes] == [True, False]
        text = applied(text, fixes[0]["edit"]["changes"][uri])
        assert "/{{user}}\nContent-Type: application/json\n\n{}" in text
        c.change(uri, text)
        assert diagnostics(c, uri) == []
        assert actions(c, uri, 1, only=["quickfix"]) == []
        # Sending still comes first where everything is asked for.
        assert actions(c, uri, 1)[0]["kind"] == "postkit.send"


def test_a_code_links_to_a_page_about_it(store, folder):
    with client(store, folder, LINKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1/{{nope}}\n")
        (item,) = diagnostics(c, uri)
        page = item["codeDescription"]["href"]
        assert page == "postkit:/diagnostics/unresolved-variable.md"
        text = c.request("workspace/textDocumentContent", {"uri": page})["text"]
        assert text.startswith("# unresolved-variable\n\nA name is not defined.")
        for wrong in ("postkit:/diagnostics/none.md", "postkit:/diagnostics/usage"):
            with pytest.raises(ResponseError) as caught:
                c.request("workspace/textDocumentContent", {"uri": wrong})
            assert caught.value.code == -32602


def test_every_code_has_a_page(store, folder):
    codes = json.loads((PROTOCOL / "diagnostics.json").read_text())
    assert len(codes) > 60
    with client(store, folder, LINKING) as c:
        c.initialize()
        for code in codes:
            uri = f"postkit:/diagnostics/{code['code']}.md"
            text = c.request("workspace/textDocumentContent", {"uri": uri})["text"]
            words = [f"# {code['code']}", "", code["meaning"], "", code["remedy"]]
            if code["fixes"]:
                words += ["", "A quick fix does this."]
            assert text.splitlines() == words


def test_what_is_without_effect_or_obsolete_is_marked_so(store, folder):
    text = "GET http://127.0.0.1/\nContent-Length: 3\nPragma: no-cache\n"
    tags = {"tagSupport": {"valueSet": [1]}}
    pull = {**FULL, "textDocument": {**FULL["textDocument"], "diagnostic": tags}}
    with client(store, folder, pull) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        seen = [(d["code"], d.get("tags")) for d in diagnostics(c, uri)]
        assert seen == [("content-length", [1]), ("deprecated", None)]
    push = {"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}}}
    with client(store, folder, push) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        found = c.expect("textDocument/publishDiagnostics")["diagnostics"]
        assert [d.get("tags") for d in found] == [[1], [2]]


def test_the_request_whose_response_is_missing_can_be_sent(store, folder, target):
    text = f"### login\nGET {target.url}/a\n\n###\nGET {target.url}/{{{{login.response.status}}}}\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        (item,) = diagnostics(c, uri)
        assert item["code"] == "request-not-run"
        context = {"diagnostics": [], "only": ["quickfix"]}
        (fix,) = c.range("textDocument/codeAction", uri, 4, 5, context=context)
        assert c.range("textDocument/codeAction", uri, 1, 2, context=context) == []
        assert fix["title"] == "Send `login` first" and not fix.get("isPreferred")
        assert fix["diagnostics"] == [item]
        order = {key: fix["command"][key] for key in ("command", "arguments")}
        assert c.request("workspace/executeCommand", order)["status"] == 200
        assert [path for _, path, _, _ in target.seen] == ["/a"]
        assert diagnostics(c, uri) == []


@pytest.mark.parametrize("capabilities", [FULL, without(LINKING, "workspace.textDocumentContent")])
def test_no_page_for_who_could_not_read_it(store, folder, capabilities):
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1/{{nope}}\n")
        assert "codeDescription" not in diagnostics(c, uri)[0]


@pytest.mark.parametrize(
    "command",
    [
        "curl {url}/x -H 'A: it'\\''s' -d 'a=1'",
        "$ curl -X PUT {url}/x \\\n  -H 'A: b' \\\n  --data-raw 'ü {{{{who}}}}'",
    ],
)
def test_a_curl_command_becomes_a_request_that_sends_the_same(store, folder, target, command):
    text = "@who = ann\n\n### copied\n" + command.format(url=target.url) + "\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        order = {"uri": uri, "name": "copied"}
        assert c.command("postkit.send", order)["state"] == "done"
        (action,) = actions(c, uri, 3, only=["refactor"])
        assert action["title"] == "Convert to request" and action["kind"] == "refactor.rewrite"
        text = applied(text, action["edit"]["changes"][uri])
        assert "curl" not in text
        c.change(uri, text)
        assert c.command("postkit.send", order)["state"] == "done"
        first, second = target.seen
        assert first == second
        left = actions(c, uri, 3, only=["refactor"])
        assert "Convert to request" not in [action["title"] for action in left]


def test_run_lines_have_lenses_that_send_what_they_name(store, folder, target):
    (folder / "b.http").write_text(f"### b\nGET {target.url}/b\n\n### c\nGET {target.url}/c\n")
    text = f"### a\nGET {target.url}/a\n\n### both\nrun #a\nrun ./b.http\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        lines = [
            lens["range"]["start"]["line"] for lens in lenses if lens["command"]["title"] == "Send"
        ]
        assert lines == [1, 4]
        lens = next(lens for lens in lenses if lens["range"]["start"]["line"] == 4)
        order = {key: lens["command"][key] for key in ("command", "arguments")}
        assert c.request("workspace/executeCommand", order)["state"] == "done"
        assert [path for _, path, _, _ in target.seen] == ["/a", "/b", "/c"]


IMPORTER = "import ./b.http\n\n###\n# @ref login\nGET http://127.0.0.1/{{base}}\n"
IMPORTED = "@base = x\n\n### login\nGET http://127.0.0.1/\n"


def test_an_importer_is_looked_at_again_when_the_imported_file_changes(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", IMPORTER)
        imported = c.open(folder / "b.http", IMPORTED)
        assert diagnostics(c, uri) == []
        c.requests.clear()
        # An open file counts before it is saved.
        c.change(imported, IMPORTED.replace("login", "other").replace("base", "bass"))
        c.expect("workspace/diagnostic/refresh")
        assert [d["code"] for d in diagnostics(c, uri)] == [
            "request-not-found",
            "unresolved-variable",
        ]
        # Closed without being saved, the disk holds again.
        c.requests.clear()
        c.notify("textDocument/didClose", {"textDocument": {"uri": imported}})
        c.expect("workspace/diagnostic/refresh")
        assert diagnostics(c, uri) == []
        c.requests.clear()
        (folder / "b.http").unlink()
        change = {"uri": imported, "type": 3}
        c.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        c.expect("workspace/diagnostic/refresh")
        assert "import-unresolved" in [d["code"] for d in diagnostics(c, uri)]


def test_where_diagnostics_are_pushed_an_importer_gets_its_own_again(store, folder):
    push = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
    with client(store, folder, push) as c:
        c.initialize()
        uri = c.open(folder / "a.http", IMPORTER)
        imported = c.open(folder / "b.http", IMPORTED)

        def codes(*wanted):
            def are(params):
                found = [diagnostic["code"] for diagnostic in params["diagnostics"]]
                return params["uri"] == uri and found == [*wanted]

            c.expect("textDocument/publishDiagnostics", are)

        codes()
        c.change(imported, "")
        codes("request-not-found", "unresolved-variable")
        c.change(imported, IMPORTED)
        codes()


def test_files_that_are_there_are_links(store, folder, target):
    for name in ("body.json", "b.http", "out.json", "kept.json", "ä b.txt"):
        (folder / name).write_text("{}")
    text = (
        "import ./b.http\n\n###\n"
        f"POST {target.url}/\n\n< ./body.json\n\n"
        ">> out.json\n>>! ./missing.json\n\n<> kept.json\n\n"
        f"###\nPOST {target.url}/\n\n< ./ä\\ b.txt\n\n###\nrun ./b.http\n"
    )
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        links = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        lines = text.encode().splitlines()
        seen = []
        urls = [link["target"] for link in links if link["target"].startswith("http:")]
        assert urls == [f"{target.url}/"] * 2
        links = [link for link in links if link["target"] not in urls]
        for link in links:
            start, end = link["range"]["start"], link["range"]["end"]
            assert start["line"] == end["line"]
            written = lines[start["line"]][start["character"] : end["character"]].decode()
            seen.append((written, urllib.parse.unquote(link["target"]).rsplit("/", 1)[1]))
        assert seen == [
            ("./b.http", "b.http"),
            ("./body.json", "body.json"),
            ("out.json", "out.json"),
            ("kept.json", "kept.json"),
            ("./ä\\ b.txt", "ä b.txt"),
            ("./b.http", "b.http"),
        ]
        assert all(link["target"].startswith("file:///") for link in links)
        assert target.seen == []


def test_variables_that_nothing_reads_are_told_where_that_is_wanted(store, folder):
    text = "@used = 1\n@old = 2\nGET http://a.test/{{used}}\n"
    environments = folder / "http-client.env.json"
    environments.write_text('{"dev": {"gone": 1}}')

    def unused(c, uri):
        found = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        return [it["range"]["start"] for it in found if it["code"] == "variable-unused"]

    with client(store, folder) as c:
        c.initialize()
        assert unused(c, c.open(folder / "a.http", text)) == []
    wanted = {"postkit": {"settings": {"diagnostics": {"unused": True}}}}
    with client(store, folder, options=wanted) as c:
        c.initialize()
        uri = c.open(folder / "a.http")
        assert unused(c, uri) == [{"line": 1, "character": 1}]
        at = c.open(environments)
        assert unused(c, at) == [{"line": 0, "character": 9}]
        # Another file that imports this one, or lies beside the environments, may read them.
        c.open(folder / "b.http", "import ./a.http\n\n###\nGET http://a.test/{{old}}/{{gone}}\n")
        assert (unused(c, uri), unused(c, at)) == ([], [])
