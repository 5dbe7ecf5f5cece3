"""What the server sends follows what the client declared: each ability is taken from a client that
has them all, and what it stands for is there with it and gone without it (PROMISES.md Q11)."""

import json
import time

import pytest
from rawclient import TIMEOUT, Client, ResponseError
from test_tokens import TOKENS
from test_stock import without

ALL = {
    "general": {"positionEncodings": ["utf-8"]},
    "workspace": {
        "applyEdit": True,
        "executeCommand": {},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"],
                          "changeAnnotationSupport": {}},
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "symbol": {"resolveSupport": {"properties": ["location.range"]}},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "textDocumentContent": {},
    },
    "textDocument": {
        "diagnostic": {"codeDescriptionSupport": True, "relatedInformation": True},
        "completion": {
            "completionItem": {
                "snippetSupport": True, "labelDetailsSupport": True,
                "documentationFormat": ["markdown"],
                "resolveSupport": {"properties": ["documentation"]},
            },
            "completionList": {"itemDefaults": ["editRange"]},
        },
        "hover": {"contentFormat": ["markdown"]},
        "signatureHelp": {"signatureInformation": {"documentationFormat": ["markdown"]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            "disabledSupport": True, "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
        "definition": {"linkSupport": True},
        "typeDefinition": {"linkSupport": True},
        "implementation": {"linkSupport": True},
        "documentLink": {"tooltipSupport": True},
        "foldingRange": {"foldingRange": {"collapsedText": True}},
        "rename": {"prepareSupport": True},
        "semanticTokens": TOKENS,
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}, "showMessage": {}},
    "experimental": {"postkit": {
        "version": 1, "input": True, "storeEvents": True, "status": True}},
}
TEXT = (
    "@host = {url}\n\n### first\n# @name first\nGET {{{{host}}}}/slow?a={{{{who}}}}\n"
    "Authorization: Bearer {{{{key}}}}\nAccept: */*\n\n?? status == 201\n\n"
    "### second\nPOST {{{{host}}}}/{{{{nope}}}}\n\n< ./none.json\n"
)


# The one message that comes only while something is under way.
CREATE = "window/workDoneProgress/create"


class Session:
    """A client in a folder where everything has something to show."""

    def __init__(self, c, folder, target, is_able):
        self.c = c
        # Whether what is asked about has to come.
        self.is_able = is_able
        self.target = target
        self.folder = folder
        self.text = TEXT.format(url=target.url)
        self.uri = c.open(folder / "a.http", self.text)
        c.command("postkit.selectEnvironment", {"name": "dev", "uri": self.uri})
        self.document = {"textDocument": {"uri": self.uri}}

    def at(self, method, mark, **extra):
        before = self.text[: self.text.index(mark)]
        column = len(before) - (before.rfind("\n") + 1)
        return self.c.at(f"textDocument/{method}", self.uri, before.count("\n"), column, **extra)

    def of(self, method, **extra):
        return self.c.request(f"textDocument/{method}", {**self.document, **extra})

    def actions(self, mark, *kinds):
        line = self.text[: self.text.index(mark)].count("\n")
        column = self.text.split("\n")[line].index(mark)
        place = {"line": line, "character": column}
        return self.of("codeAction", range={"start": place, "end": place},
                       context={"diagnostics": [], "only": list(kinds)})

    def item(self, marked, label):
        """An item of completion behind a text, and what holds for all of them."""
        self.c.change(self.uri, marked)
        lines = marked.split("\n")
        found = self.c.at("textDocument/completion", self.uri, len(lines) - 1, len(lines[-1]))
        return next(it for it in found["items"] if it["label"] == label), found

    @property
    def said(self):
        """What the server has said without being asked."""
        return [m["method"] for m in self.c.requests + self.c.notifications]

    def listen(self, method):
        """Waits for a message; without one as long as a display of progress takes, and more: that
        comes after 150 ms."""
        until = time.monotonic() + 0.4
        while method and method not in self.said:
            self.c.step()
        while not method and time.monotonic() < until:
            self.c.at("textDocument/hover", self.uri, 0, 0)

    def sent(self, method=None):
        """Sends the first request. What the server says meanwhile has come when it is back."""
        id = self.c.start("workspace/executeCommand", {
            "command": "postkit.send", "arguments": [{"uri": self.uri, "name": "first"}]})
        assert self.target.hanging.wait(TIMEOUT)
        self.listen(method if method == CREATE else None)
        self.target.release.set()
        result = self.c.finish(id)
        self.c.request("postkit/history", {})
        self.listen(method)
        return result

    def announced(self, *path):
        value = self.c.server_capabilities
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return value

    def says(self, method):
        self.sent(method if self.is_able else None)
        return method in self.said

    def refused(self, command, argument):
        try:
            self.c.command(command, argument)
        except ResponseError as error:
            return error.code == -32803
        return False


def said_early(method, name=None):
    """Whether a message comes by itself after the start."""
    def probe(s):
        def is_said():
            found = [m for m in s.c.requests + s.c.notifications if m["method"] == method]
            return any(not name or name in json.dumps(m) for m in found)

        s.c.request("postkit/environments", {})
        while s.is_able and not is_said():
            s.c.step()
        return is_said()

    return probe


def registered(method):
    return said_early("client/registerCapability", method)


def edit_of(s, title):
    chosen = next(it for it in s.actions("nope", "quickfix") if it["title"].startswith(title))
    return chosen.get("edit") or s.c.request("codeAction/resolve", chosen)["edit"]


def documentation(s):
    item, _ = s.item("GET /\nAcc", "Accept")
    found = item.get("documentation") or s.c.request("completionItem/resolve", item).get(
        "documentation")
    # Who names no form gets a text, which has no kind.
    return isinstance(found, dict) and found["kind"] == "markdown"


def explained(s):
    s.c.change(s.uri, "GET /{{$randomInt 1 }}")
    help = s.c.at("textDocument/signatureHelp", s.uri, 0, 19)
    return help["signatures"][0]["documentation"]["kind"] == "markdown"


def typed(s):
    (s.folder / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": {"/a": {
        "put": {"requestBody": {"content": {"application/json": {"schema": {}}}}}}}}))
    s.c.change(s.uri, f"PUT {s.target.url}/a\n")
    return s.c.at("textDocument/typeDefinition", s.uri, 0, 1)[0]


def pasted(s):
    s.c.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    return not s.refused("postkit.pasteCurl", {"uri": s.uri, "text": "curl http://127.0.0.1/"})


def asked_for_input(s):
    s.c.answers["postkit/input"] = lambda params: {"value": "x"}
    s.c.change(s.uri, f"# @prompt who\nGET {s.target.url}/{{{{who}}}}\n")
    place = {"uri": s.uri, "position": {"line": 1, "character": 0}}
    return not s.refused("postkit.send", place)


def painted_anew(s):
    assert s.of("semanticTokens/full")
    s.c.command("postkit.selectEnvironment", {"name": "prod", "uri": s.uri})
    return s.says("workspace/semanticTokens/refresh")


def sent_after_a_question(s):
    s.c.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
    s.c.change(s.uri, f"# @note Really?\nGET {s.target.url}/\n")
    place = {"uri": s.uri, "position": {"line": 1, "character": 0}}
    return not s.refused("postkit.send", place)


def failed_check(s):
    s.sent()
    found = s.of("diagnostic")["items"]
    return "relatedInformation" in next(it for it in found if it["code"] == "assertion-failed")


ITEM = "textDocument.completion.completionItem"
PROBES = {
    "workspace.applyEdit": pasted,
    "workspace.executeCommand": lambda s: s.actions("GET", "postkit.send"),
    "workspace.workspaceEdit.documentChanges": lambda s: "documentChanges" in edit_of(
        s, "Define `nope` in this file"),
    "workspace.workspaceEdit.changeAnnotationSupport": lambda s: "changeAnnotations" in edit_of(
        s, "Define `nope` in the environment"),
    "workspace.workspaceEdit.resourceOperations": lambda s: any(
        it["title"].startswith("Create `") and "disabled" not in it
        for it in s.actions("./none", "quickfix")),
    "workspace.configuration": said_early("workspace/configuration"),
    "workspace.didChangeConfiguration.dynamicRegistration": registered(
        "workspace/didChangeConfiguration"),
    "workspace.didChangeWatchedFiles.dynamicRegistration": registered(
        "workspace/didChangeWatchedFiles"),
    "workspace.didChangeWatchedFiles.relativePatternSupport": registered("baseUri"),
    "workspace.symbol.resolveSupport": lambda s: "range" not in s.c.request(
        "workspace/symbol", {"query": "first"})[0]["location"],
    "workspace.inlayHint.refreshSupport": lambda s: s.says("workspace/inlayHint/refresh"),
    "workspace.codeLens.refreshSupport": lambda s: s.says("workspace/codeLens/refresh"),
    "workspace.diagnostics.refreshSupport": lambda s: s.says("workspace/diagnostic/refresh"),
    "workspace.semanticTokens.refreshSupport": painted_anew,
    "workspace.textDocumentContent": lambda s: s.announced("workspace", "textDocumentContent")
    and s.sent()["uri"].startswith("postkit:"),
    "textDocument.diagnostic": lambda s: s.announced("diagnosticProvider")
    and s.of("diagnostic") and "textDocument/publishDiagnostics" not in s.said,
    "textDocument.diagnostic.codeDescriptionSupport": lambda s: "codeDescription" in s.of(
        "diagnostic")["items"][0],
    "textDocument.diagnostic.relatedInformation": failed_check,
    f"{ITEM}.snippetSupport": lambda s: s.item(
        "GET /{{$", "$processEnv")[0].get("insertTextFormat") == 2,
    f"{ITEM}.labelDetailsSupport": lambda s: "labelDetails" in s.item(
        "@host = 1\nGET {{", "host")[0],
    f"{ITEM}.documentationFormat": documentation,
    f"{ITEM}.resolveSupport": lambda s: "documentation" not in s.item(
        "GET /\nAcc", "Accept")[0],
    "textDocument.completion.completionList.itemDefaults": lambda s: "itemDefaults" in s.item(
        "GET /\nAcc", "Accept")[1],
    "textDocument.hover.contentFormat": lambda s: s.at("hover", "host}")["contents"][
        "kind"] == "markdown",
    "textDocument.signatureHelp.signatureInformation.documentationFormat": explained,
    "textDocument.documentSymbol.hierarchicalDocumentSymbolSupport": lambda s: "children" in s.of(
        "documentSymbol")[1],
    "textDocument.codeAction.codeActionLiteralSupport": lambda s: isinstance(
        s.announced("codeActionProvider"), dict) and "kind" in s.actions("GET", "postkit.send")[0],
    "textDocument.codeAction.disabledSupport": lambda s: any(
        "disabled" in it for it in s.actions("key}", "refactor.inline")),
    "textDocument.codeAction.dataSupport": lambda s: "data" in s.actions("nope", "quickfix")[0],
    "textDocument.codeAction.resolveSupport": lambda s: "data" in s.actions("nope", "quickfix")[0],
    "textDocument.definition.linkSupport": lambda s: "targetUri" in s.at("definition", "host}")[0],
    "textDocument.typeDefinition.linkSupport": lambda s: "targetUri" in typed(s),
    "textDocument.implementation.linkSupport": lambda s: "targetUri" in s.at(
        "implementation", "who}")[0],
    "textDocument.documentLink.tooltipSupport": lambda s: any(
        "tooltip" in (it if "data" not in it else s.c.request("documentLink/resolve", it))
        for it in s.of("documentLink")),
    "textDocument.foldingRange.foldingRange.collapsedText": lambda s: "collapsedText" in s.of(
        "foldingRange")[0],
    "textDocument.rename.prepareSupport": lambda s: isinstance(s.announced("renameProvider"), dict),
    "textDocument.semanticTokens": lambda s: s.announced("semanticTokensProvider"),
    "textDocument.semanticTokens.requests.full": lambda s: s.announced(
        "semanticTokensProvider", "full"),
    "textDocument.semanticTokens.requests.full.delta": lambda s: s.announced(
        "semanticTokensProvider", "full", "delta"),
    "textDocument.semanticTokens.requests.range": lambda s: s.announced(
        "semanticTokensProvider", "range"),
    "window.workDoneProgress": lambda s: s.says(CREATE),
    "window.showDocument": lambda s: s.c.command("postkit.history") and any(
        m["method"] == "window/showDocument" for m in s.c.requests),
    "window.showMessage": sent_after_a_question,
    "experimental.postkit.input": asked_for_input,
    "experimental.postkit.storeEvents": lambda s: s.says("postkit/didChangeStore"),
    "experimental.postkit.status": said_early("postkit/status"),
}


def leaves(capabilities, path=""):
    """The abilities of a client, each by its path."""
    for name, value in capabilities.items():
        inner = f"{path}.{name}" if path else name
        if isinstance(value, dict) and value:
            yield from leaves(value, inner)
        else:
            yield inner


def test_every_ability_is_tried():
    tried = set(PROBES)
    left = [path for path in leaves(ALL) if not any(
        path == it or path.startswith(f"{it}.") for it in tried)]
    # What an encoding means is in test_encodings.py; the others say how tokens are painted.
    assert left == ["general.positionEncodings", "experimental.postkit.version"]


@pytest.mark.parametrize("is_there", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("path", PROBES)
def test_what_an_ability_stands_for_comes_and_goes_with_it(store, folder, target, path, is_there):
    (folder / "http-client.env.json").write_text(
        '{"dev": {"who": "ann"}, "prod": {"who": "bob", "key": "k"}}')
    (folder / "http-client.private.env.json").write_text('{"dev": {"key": "s3cr3t-value"}}')
    capabilities = ALL if is_there else without(ALL, path)
    if path == "workspace.workspaceEdit.documentChanges" and not is_there:
        # Whose edits can make files takes document changes, unless it says otherwise.
        capabilities["workspace"]["workspaceEdit"]["documentChanges"] = False
    with Client(store, capabilities, folder=folder) as c:
        c.answers["workspace/configuration"] = lambda params: [None]
        c.initialize()
        assert bool(PROBES[path](Session(c, folder, target, is_there))) == is_there
