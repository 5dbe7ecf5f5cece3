"""What lies beside a folder, the links that lead there, and every question about a document."""

import json

from fuzz import AT_POSITION, EXTRA, IN_RANGE, WHOLE
from metamodel import ROOT
from rawclient import ResponseError
from test_trust import CANARY

HERE = "http://127.0.0.1:1"
TEXT = f"""import ../far/request.http
import ./link.http
import ./nested/inside.http
run ../far/inner/other.http
import ./sub/other.http
@who = {{{{far}}}}

### plain
GET {HERE}/{{{{who}}}}/{{{{token}}}}/{{{{linked}}}}/{{{{$dotenv token}}}}

### body
POST {HERE}/
Content-Type: application/json

< ../far/body.json

### template
POST {HERE}/

<@ ./text.txt

### script
< ../far/script.js
GET {HERE}/

> ./script.js

### deep
# @ref over
POST {HERE}/

<@ ./sub/deep.txt

### curl
curl {HERE}/ -d @../far/text.txt --cacert ../far/authority.pem --cert ../far/own.pem
"""
# What lies outside: all that a request file can reach.
FILES = {
    "request.http": f"@far = {CANARY}\n\n### over\nGET {HERE}/{CANARY}\n",
    "notes.md": f"```http\n### {CANARY}\nGET {HERE}/\n```\n",
    "body.json": f'{{"{CANARY}": "{{{{x}}}}"}}', "text.txt": f"{CANARY} {{{{x}}}}",
    "script.js": f'client.global.set("{CANARY}", 1)', "secrets.env": f"token={CANARY}\n",
    "env.json": f'{{"dev": {{"linked": "{CANARY}"}}}}',
    "settings.json": f'{{"rest-client.environmentVariables": {{"{CANARY}": {{}}}}}}',
    "x.code-workspace": f'{{"settings": {{"{CANARY}": 1}}}}', "httpyac.json": '{"envDirName": "e"}',
    "postkit.json": '{"environment": "dev", "dialect": "httpyac"}', "authority.pem": "",
    "own.pem": "",
    "inner/other.http": f"### {CANARY}\nGET {HERE}/\n", "inner/deep.txt": CANARY,
    "inner/.env": f"token={CANARY}\n", "inner/postkit.json": "{}", "inner/settings.json": "{}",
    "inner/dev.env": f"token={CANARY}\n",
}
LINKS = {
    "link.http": "request.http", "notes.md": "notes.md", "text.txt": "text.txt",
    "script.js": "script.js", ".env": "secrets.env", "http-client.env.json": "env.json",
    "http-client.private.env.json": "env.json", "x.code-workspace": "x.code-workspace",
    ".httpyac.json": "httpyac.json", "postkit.json": "postkit.json", "sub": "inner", "e": "inner",
    "env": "inner", ".vscode": "inner", "nested/postkit.json": "postkit.json",
    "nested/link.http": "request.http", "below/.vscode/settings.json": "settings.json",
}
# What lies above is none of the folder's, either.
ABOVE = [".env", "http-client.env.json", "postkit.json", ".httpyac.json"]


def places():
    for number, line in enumerate(TEXT.splitlines()):
        for character in sorted({0, len(line) // 2, max(0, len(line) - 2), len(line)}):
            yield {"line": number, "character": character}


WHOLE_RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}


def asked(c, method, **params):
    """An answer; what can't be done is refused, not guessed."""
    try:
        return c.request(method, params)
    except ResponseError as error:
        assert error.code in (-32602, -32801, -32803), (method, error)
        return None


def resolved(list_method, method, **params):
    def ask(c):
        for item in asked(c, list_method, **document(c), **params) or []:
            if "data" in item:
                asked(c, method, **item)
    return ask


def document(c):
    return {"textDocument": {"uri": c.uri}}


def everywhere(method, **extra):
    def ask(c):
        for place in places():
            asked(c, method, **document(c), position=place, **extra)
    return ask


def once(method, **params):
    return lambda c: asked(c, method, **params)


def about(method, **params):
    return lambda c: asked(c, method, **document(c), **params)


def completions(c):
    for place in places():
        found = asked(c, "textDocument/completion", **document(c), position=place)
        for item in (found["items"] if isinstance(found, dict) else found or [])[:20]:
            asked(c, "completionItem/resolve", **item)


def calls(method):
    def ask(c):
        for place in places():
            prepared = asked(
                c, "textDocument/prepareCallHierarchy", **document(c), position=place)
            for item in prepared or []:
                asked(c, method, item=item)
    return ask


def symbols(c):
    for item in asked(c, "workspace/symbol", query="") or []:
        asked(c, "workspaceSymbol/resolve", **item)


def tokens(c):
    found = asked(c, "textDocument/semanticTokens/full", **document(c))
    asked(c, "textDocument/semanticTokens/full/delta", **document(c),
          previousResultId=found["resultId"])


def renamed(c):
    for old, new in (("link.http", "other.http"), ("text.txt", "other.txt"), ("sub", "there")):
        asked(c, "workspace/willRenameFiles", files=[
            {"oldUri": (c.folder / old).as_uri(), "newUri": (c.folder / new).as_uri()}])


NAMES = ["plain", "body", "template", "script", "deep", "curl"]


def sent(c):
    for name in NAMES:
        for dry in (True, False):
            asked(c, "postkit/send", **document(c), name=name, environment="dev", dryRun=dry)
            asked(c, "postkit/send", **document(c), name=name, dryRun=dry)
    # What is not open is not read, either, where it is a link.
    for name in ("link.http", "sub/other.http"):
        uri = (c.folder / name).as_uri()
        asked(c, "postkit/send", textDocument={"uri": uri},
              position={"line": 3, "character": 0}, dryRun=True)


def edited(c):
    for name in NAMES:
        asked(c, "postkit/edit", ops=[{
            "op": "collection.create", "kind": "collection", "name": name}])
        asked(c, "postkit/edit", ops=[{
            "op": "collection.save", "uri": c.uri, "name": name, "parent": "x"}])


def pulled(c):
    asked(c, "textDocument/diagnostic", **document(c))
    for name in ("http-client.private.env.json", "postkit.json"):
        with_text = c.show(c.folder / "nested" / name, '{"dev": {""}}')
        asked(c, "textDocument/diagnostic", textDocument={"uri": with_text})
        asked(c, "textDocument/completion", textDocument={"uri": with_text},
              position={"line": 0, "character": 10})


def commanded(c):
    for command in COMMANDS:
        run_command(c, command)


QUESTIONS = {
    **{f"textDocument/{name}": everywhere(f"textDocument/{name}", **EXTRA.get(name, {}))
       for name in AT_POSITION},
    **{f"textDocument/{name}": about(
        f"textDocument/{name}", range=WHOLE_RANGE, **EXTRA.get(name, {})) for name in IN_RANGE},
    **{f"textDocument/{name}": about(f"textDocument/{name}", **EXTRA.get(name, {}))
       for name in WHOLE},
    "textDocument/completion": completions,
    "completionItem/resolve": completions,
    "textDocument/diagnostic": pulled,
    "textDocument/selectionRange": lambda c: asked(
        c, "textDocument/selectionRange", **document(c), positions=list(places())),
    "textDocument/rangesFormatting": about(
        "textDocument/rangesFormatting", ranges=[WHOLE_RANGE], **EXTRA["formatting"]),
    "textDocument/semanticTokens/full/delta": tokens,
    "codeLens/resolve": resolved("textDocument/codeLens", "codeLens/resolve"),
    "documentLink/resolve": resolved("textDocument/documentLink", "documentLink/resolve"),
    "inlayHint/resolve": resolved(
        "textDocument/inlayHint", "inlayHint/resolve", range=WHOLE_RANGE),
    "codeAction/resolve": resolved(
        "textDocument/codeAction", "codeAction/resolve", range=WHOLE_RANGE,
        **EXTRA["codeAction"]),
    "workspace/diagnostic": once("workspace/diagnostic", previousResultIds=[]),
    "workspace/symbol": symbols,
    "workspaceSymbol/resolve": symbols,
    "callHierarchy/incomingCalls": calls("callHierarchy/incomingCalls"),
    "callHierarchy/outgoingCalls": calls("callHierarchy/outgoingCalls"),
    "workspace/willRenameFiles": renamed,
    "workspace/executeCommand": commanded,
    "workspace/textDocumentContent": once(
        "workspace/textDocumentContent", uri="postkit:/environments"),
    "postkit/send": sent,
    "postkit/exchange": once("postkit/exchange", id="none", part="response", view="raw"),
    "postkit/history": once("postkit/history"),
    "postkit/statistics": once("postkit/statistics", by="host"),
    "postkit/savedSearches": once("postkit/savedSearches"),
    "postkit/transfer": lambda c: asked(
        c, "postkit/transfer", direction="import", format="http", uri=c.folder.as_uri()),
    "postkit/environments": lambda c: asked(c, "postkit/environments", **document(c)),
    "postkit/variables": about("postkit/variables", environment="dev", reveal=["token"]),
    "postkit/collections": once("postkit/collections"),
    "postkit/cookies": once("postkit/cookies"),
    "postkit/edit": edited,
}
COMMANDS = json.loads((ROOT / "protocol/commands.json").read_text())


def arguments(c, command):
    """The examples of the table, else each request by its name."""
    examples = command.get("examples", [{"uri": "{document}", "name": "{request}"}])
    for example in examples:
        text = json.dumps(example).replace("{document}", c.uri)
        text = text.replace("{folder}", c.folder.as_uri())
        for name in NAMES if "{request}" in text else [""]:
            yield json.loads(text.replace("{request}", name))


def run_command(c, command):
    for argument in [*arguments(c, command), None]:
        try:
            c.command(command["command"], argument)
        except ResponseError as error:
            assert error.code in (-32602, -32801, -32803), (command["command"], argument, error)
            # What the table shows can be read.
            if argument and "examples" in command:
                assert "params.arguments" not in str(error), (command["command"], argument, error)
