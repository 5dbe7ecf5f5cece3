"""GraphQL bodies in any editor: what a schema beside the file knows, and one that is fetched."""

import json
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from rawclient import ResponseError
from test_fixes import actions, applied, diagnostics
from test_questions import ASKING, client as asking_client
from test_stock import client

SCHEMA = """type Query {
  "One person"
  user(id: ID!, order: Order): User
}
enum Order { ASC DESC }
type User { id: ID!, name: String, mail: String @deprecated(reason: "gone") }
"""
ANSWER = {"data": {"__schema": {
    "queryType": {"name": "Query"}, "directives": [],
    "types": [
        {"kind": "OBJECT", "name": "Query", "fields": [
            {"name": "viewer", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]},
        {"kind": "SCALAR", "name": "String"}]}}}


def place(text, word, inside=0):
    """The place of a word, so many letters into it."""
    before = text[:text.index(word) + inside]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def labels(c, uri, text, word, inside):
    answer = c.at("textDocument/completion", uri, *place(text, word, inside))
    return [item["label"] for item in answer["items"]]


def test_a_schema_beside_the_file_completes_explains_and_checks(store, folder, target):
    (folder / "schema.graphql").write_text(SCHEMA)
    text = (
        f"GRAPHQL {target.url}/graphql\n\n"
        "query A($id: ID!) {\n  user(id: $id, order: ) { nam mail }\n}\n\n{ \"id\": 1 }\n")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert "name" in labels(c, uri, text, "nam ", 3)
        assert labels(c, uri, text, ": ) {", 2)[:2] == ["ASC", "DESC"]
        hover = c.at("textDocument/hover", uri, *place(text, "user(", 1))
        shown = str(hover["contents"])
        assert "user(id: ID!, order: Order): User" in shown and "schema.graphql" in shown
        (found,) = c.at("textDocument/definition", uri, *place(text, "mail", 1))
        assert found.get("uri", found.get("targetUri")).endswith("/schema.graphql")
        assert (found.get("range") or found["targetRange"])["start"]["line"] == 5
        help = c.at("textDocument/signatureHelp", uri, *place(text, ": ) {", 2))
        assert help["signatures"][0]["label"].startswith("user(") and help["activeParameter"] == 1
        codes = {item["code"] for item in diagnostics(c, uri)}
        assert {"graphql-field", "graphql-deprecated"} <= codes
        line, character = place(text, "nam mail", 1)
        at = {"line": line, "character": character}
        fixes = [it for it in c.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": at, "end": at},
            "context": {"diagnostics": [], "only": ["quickfix"]}})
            if it["title"] == "Write `name`"]
        mended = applied(text, fixes[0]["edit"]["changes"][uri])
        assert "{ name mail }" in mended
        c.change(uri, mended.replace("order: ", "order: ASC"))
        assert [it["code"] for it in diagnostics(c, uri)] == ["graphql-deprecated"]
        # A schema that changes is read anew.
        (folder / "schema.graphql").write_text(SCHEMA.replace("name: String", "title: String"))
        assert "graphql-field" in {it["code"] for it in diagnostics(c, uri)}
    assert not target.seen


def test_a_schema_is_fetched_where_somebody_asks_and_is_kept(store, folder, target):
    target.bodies["/graphql"] = ("application/json", json.dumps(ANSWER).encode())
    text = (
        "### search\n"
        f"GRAPHQL {target.url}/graphql\nAuthorization: Bearer s3cr3t-value\n\nquery {{ vie }}\n")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert "viewer" not in labels(c, uri, text, "vie ", 3)
        assert not target.seen
        (offered,) = [it for it in actions(c, uri, 1) if it["title"] == "Fetch the GraphQL schema"]
        told = c.command(offered["command"]["command"], offered["command"]["arguments"][0])
        assert told == f"{target.url}/graphql: 1 type."
        assert len(target.seen) == 1
        assert "viewer" in labels(c, uri, text, "vie ", 3)
        assert [it["code"] for it in diagnostics(c, uri)] == ["graphql-field"]
        whole = text.replace("vie ", "viewer ")
        c.change(uri, whole)
        hover = c.at("textDocument/hover", uri, *place(whole, "viewer ", 1))
        assert "fetched just now" in str(hover["contents"])
        (found,) = c.at("textDocument/definition", uri, *place(whole, "viewer ", 1))
        document = found.get("uri", found.get("targetUri"))
        path = Path(unquote(urlparse(document).path))
        at = (found.get("range") or found["targetSelectionRange"])["start"]
        # Clients that can show documents of ours get one, others a file.
        lines = (
            c.request("workspace/textDocumentContent", {"uri": document})["text"]
            if document.startswith("postkit:") else path.read_text()).splitlines()
        assert path.suffix == ".graphql" and lines[0].startswith(f"# {target.url}/graphql, fetched")
        assert lines[at["line"]][at["character"]:].startswith("viewer: String")
        again = c.at("textDocument/definition", uri, *place(whole, "viewer ", 1))
        assert again == [found]
        c.change(uri, text)
    # Another session has it, too.
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert "viewer" in labels(c, uri, text, "vie ", 3)
    assert len(target.seen) == 1


def test_what_is_no_schema_is_told(store, folder, target):
    target.bodies["/graphql"] = ("text/html", b"<html></html>")
    text = f"GRAPHQL {target.url}/graphql\n\nquery {{ a }}\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        with pytest.raises(ResponseError, match="a web page that is no answer of GraphQL"):
            c.command("postkit.fetchSchema", {
                "uri": uri, "position": {"line": 0, "character": 0}})


def test_a_schema_outside_of_a_folder_that_is_not_trusted_is_not_read(
        store, folder, target, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "secret.graphql").write_text("type Query { hidden: Int }")
    text = (
        f"# @graphql-schema {other}/secret.graphql\n"
        f"GRAPHQL {target.url}/graphql\n\nquery {{ hid }}\n")
    with asking_client(store, folder, ASKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert "hidden" not in labels(c, uri, text, "hid ", 3)
        assert "graphql-schema" in {it["code"] for it in diagnostics(c, uri)}


def test_a_fragment_before_requests_is_known_and_renamed(store, folder, target):
    (folder / "schema.graphql").write_text(SCHEMA)
    text = (
        "fragment Names on User {\n  nam \n}\n\n### one\n"
        f"GRAPHQL {target.url}/graphql\n\nquery {{ user(id: 1) {{ ...Names }} }}\n")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        assert "name" in labels(c, uri, text, "nam ", 3)
        whole = text.replace("nam ", "name")
        c.change(uri, whole)
        assert not diagnostics(c, uri)
        at = place(whole, "...Names", 4)
        (found,) = c.at("textDocument/definition", uri, *at)
        start = (found.get("range") or found["targetSelectionRange"])["start"]
        assert (start["line"], start["character"]) == (0, 9)
        assert len(c.at("textDocument/documentHighlight", uri, *at)) == 2
        edit = c.at("textDocument/rename", uri, *at, newName="Person")
        (edits,) = edit["changes"].values()
        renamed = applied(whole, edits)
        assert renamed.count("Person") == 2 and "Names" not in renamed
        with pytest.raises(ResponseError, match="can't be the name of a fragment"):
            c.at("textDocument/rename", uri, *at, newName="on")
