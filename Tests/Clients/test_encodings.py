"""One folder seen by three clients that count columns in different units: every place that the
server names, in the open document and in other files, is the same place (PROMISES.md D10, D13)."""

import json
import time

import pytest
from rawclient import TIMEOUT, ResponseError
from test_abilities import ALL
from test_stock import client, without

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
OTHER = "@from = 😀é\n\n### süß 😀 in\nGET {{höst}}/😀/{{token}}\n"
MAIN = (
    "import ./öther.http\n@wer = 😀 é\n\n### é😀 one\n# @name öne\n"
    "POST {{höst}}/😀{{wer}}?größe={{wer}}&b=😀{{nöpe}}\nX-A: 😀{{wer}}{{from}}\n"
    'Content-Type:application/json\n\n{"é😀": {"k": "😀{{wer}}", "l": [1,\n"😀"]}}\n\n'
    "### é😀 two\n# @ref öne\nPOST {{höst}}/{{öne.response.body.$.é😀}}\n\n< ./bödy😀.json\n"
)
PUBLIC = {"dev": {"😀": "é", "höst": "http://127.0.0.1:1"}, "prod": {"höst": "😀"}}


@pytest.fixture
def project(folder):
    (folder / "öther.http").write_text(OTHER)
    (folder / "bödy😀.json").write_text("{}")
    (folder / "http-client.env.json").write_text(json.dumps(PUBLIC, ensure_ascii=False))
    (folder / "postkit.json").write_text('{"environment": "dev"}')
    return folder


def units(text, encoding):
    if encoding == "utf-32":
        return len(text)
    return len(text.encode()) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def character(line, column, encoding):
    """Which character a column is; it must not be within one."""
    for at in range(len(line) + 1):
        if units(line[:at], encoding) == column:
            return at
    raise AssertionError(f"no character begins at column {column} in {encoding}: {line!r}")


class View:
    """A client in one encoding; what it is told comes with characters for columns."""

    def __init__(self, c, folder, encoding):
        self.c = c
        self.folder = folder
        self.encoding = encoding
        self.uri = c.open(folder / "main.http", MAIN)
        self.texts = {self.uri: MAIN}

    def lines(self, uri):
        if uri not in self.texts:
            known = {it.as_uri(): it for it in self.folder.iterdir()}
            # A file that an edit makes is empty.
            self.texts[uri] = known[uri].read_text() if uri in known else ""
        return self.texts[uri].split("\n")

    def told(self, value, uri):
        """A result with all of its positions turned into characters."""
        if isinstance(value, list):
            return [self.told(it, uri) for it in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {"line", "character"}:
            line = self.lines(uri)[value["line"]]
            return [value["line"], character(line, value["character"], self.encoding)]
        if "targetUri" in value:
            origin = self.told(value.get("originSelectionRange"), uri)
            rest = {key: self.told(it, value["targetUri"]) for key, it in value.items()
                    if key != "originSelectionRange"}
            return {**rest, "originSelectionRange": origin}
        inner = value.get("uri") or (value.get("textDocument") or {}).get("uri") or uri
        if not isinstance(inner, str) or not inner.startswith("file:"):
            inner = uri
        found = {}
        for key, it in value.items():
            # Counts of lines and columns without a position, and what is for the server alone.
            if key in ("startCharacter", "endCharacter"):
                line = self.lines(inner)[value["startLine" if key[0] == "s" else "endLine"]]
                it = character(line, it, self.encoding)
            if key not in ("data", "resultId"):
                # The edits of a `changes` map belong to the document that is their key.
                place = key if key.startswith("file:") else inner
                found[key] = self.told(it, place)
        return found

    def ask(self, method, **params):
        params = {"textDocument": {"uri": self.uri}, **params}
        answer = self.c.request(f"textDocument/{method}", params)
        end = time.monotonic() + TIMEOUT
        # What is not all that there is yet is asked for again, as while somebody types.
        while method == "completion" and answer["isIncomplete"] and time.monotonic() < end:
            answer = self.c.request(f"textDocument/{method}", params)
        return self.told(answer, self.uri)

    def place(self, mark):
        before = MAIN[: MAIN.index(mark)]
        line = before[before.rfind("\n") + 1:]
        return {"line": before.count("\n"), "character": units(line, self.encoding)}

    def all(self):
        """Everything that is said with places."""
        whole = {"start": {"line": 0, "character": 0},
                 "end": {"line": MAIN.count("\n"), "character": 0}}
        marks = ["höst}}/😀", "wer}}?", "wer}}{{", "from}}", "nöpe", "öne.resp", "./bödy",
                 "öne\nPOST", "é😀\":"]
        found = {name: self.ask(name) for name in (
            "documentSymbol", "foldingRange", "documentLink", "codeLens", "diagnostic")}
        found["inlayHint"] = self.ask("inlayHint", range=whole)
        options = {"tabSize": 2, "insertSpaces": True}
        found["formatting"] = self.ask("formatting", options=options)
        found["rangeFormatting"] = self.ask("rangeFormatting", options=options, range={
            "start": self.place("POST {{höst}}/😀"), "end": self.place("X-A")})
        found["codeAction"] = self.ask("codeAction", range={
            "start": self.place("wer}}?"), "end": self.place("&b=")},
            context={"diagnostics": [], "only": ["quickfix", "refactor"]})
        for action in self.c.request("textDocument/codeAction", {
                "textDocument": {"uri": self.uri}, "range": {
                    "start": self.place("nöpe"), "end": self.place("nöpe")},
                "context": {"diagnostics": [], "only": ["quickfix"]}}):
            if "data" in action:
                action = self.c.request("codeAction/resolve", action)
            found[f"fix {action['title']}"] = self.told(action.get("edit"), self.uri)
        for mark in marks:
            position = self.place(mark)
            for name, extra in [
                ("hover", {}), ("definition", {}), ("implementation", {}),
                ("documentHighlight", {}),
                ("references", {"context": {"includeDeclaration": True}}), ("completion", {}),
                ("prepareCallHierarchy", {}),
            ]:
                found[f"{name} {mark}"] = self.ask(name, position=position, **extra)
            found[f"selectionRange {mark}"] = self.ask("selectionRange", positions=[position])
        for mark in ("wer}}?", "höst}}/😀", "öne.resp", "from}}"):
            found[f"rename {mark}"] = self.ask(
                "rename", position=self.place(mark), newName="neu")
        found["symbols"] = self.told(self.c.request("workspace/symbol", {"query": "ö"}), self.uri)
        return found


def test_every_place_is_the_same_in_every_encoding(store, project):
    seen = {}
    for encoding in ENCODINGS:
        eager = without(ALL, "workspace.symbol.resolveSupport")
        capabilities = {**eager, "general": {"positionEncodings": [encoding]}}
        with client(store, project, capabilities) as c:
            c.initialize()
            assert c.server_capabilities["positionEncoding"] == encoding
            seen[encoding] = View(c, project, encoding).all()
    first = seen["utf-32"]
    for encoding in ("utf-8", "utf-16"):
        for what, value in first.items():
            assert seen[encoding][what] == value, (encoding, what)
    # There was something to compare.
    empty = [what for what, value in first.items() if not value]
    assert not [it for it in empty if it.split(" ")[0] not in (
        "hover", "definition", "implementation", "documentHighlight", "references", "completion",
        "prepareCallHierarchy", "selectionRange")], empty
    assert len(empty) < len(first) / 3, empty
    assert {link["targetUri"].rsplit("/")[-1] for link in first["definition from}}"]} == {
        "%C3%B6ther.http"}


SPELLINGS = [
    "file:///w/a%20b.http", "file:///w/a%7eb.http", "file:///c%3A/w/a.http", "FILE:///w/x.http",
    "untitled:Untitled-1", "vscode-notebook-cell:/w/n.ipynb#W0", "file:///w/%C3%A9.http",
    "file://localhost/w/l.http", "zipfile:///w/a.zip::b.http",
]


@pytest.mark.parametrize("uri", SPELLINGS)
def test_a_document_keeps_the_name_that_its_client_gave_it(store, folder, uri):
    text = "@x = 1\nGET http://127.0.0.1:1/{{x}}{{y}}\n"
    push = {"textDocument": {"publishDiagnostics": {}}}
    with client(store, folder, push) as c:
        c.initialize()
        item = {"uri": uri, "languageId": "http", "version": 1, "text": text}
        c.notify("textDocument/didOpen", {"textDocument": item})
        c.expect("textDocument/publishDiagnostics", lambda it: it["uri"] == uri)
        (place,) = c.at("textDocument/definition", uri, 1, 25)
        assert place["uri"] == uri
        found = c.at("textDocument/references", uri, 1, 25, context={"includeDeclaration": True})
        assert {it["uri"] for it in found} == {uri} and len(found) == 2
        edit = c.at("textDocument/rename", uri, 1, 25, newName="z")
        assert list(edit["changes"]) == [uri]
        symbols = c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert {it["location"]["uri"] for it in symbols} == {uri}
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        with pytest.raises(ResponseError):
            c.at("textDocument/hover", uri, 0, 0)


def test_two_spellings_are_one_document(store, folder):
    with client(store, folder) as c:
        c.initialize()
        (folder / "a b~.http").write_text("GET http://127.0.0.1:1/\n")
        uri = c.open(folder / "a b~.http")
        other = uri.replace("%20", "\u0020").replace("~", "%7E")
        assert other != uri
        assert c.at("textDocument/hover", other, 0, 1)
