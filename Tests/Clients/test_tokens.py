"""What an editor paints: tokens as numbers, as a client adds them up."""

import pytest
from rawclient import Client
from test_stock import FULL, without

TYPES = (
    "namespace type class enum interface struct typeParameter parameter variable property"
    " enumMember event function method macro keyword modifier comment string number regexp"
    " operator decorator label"
).split()
MODIFIERS = (
    "declaration definition readonly static deprecated abstract async modification documentation"
    " defaultLibrary"
).split()
TOKENS = {
    "requests": {"range": True, "full": {"delta": True}},
    "tokenTypes": TYPES,
    "tokenModifiers": MODIFIERS,
    "formats": ["relative"],
    "multilineTokenSupport": False,
    "overlappingTokenSupport": False,
}
READING = {
    **FULL,
    "workspace": {**FULL["workspace"], "semanticTokens": {"refreshSupport": True}},
    "textDocument": {**FULL["textDocument"], "semanticTokens": TOKENS},
}


def client(store, folder, capabilities=READING, **kwargs):
    made = Client(store, capabilities, folder=folder, **kwargs)
    made.answers["workspace/configuration"] = lambda params: [None]
    return made


def encoded(capabilities, encoding):
    return {**capabilities, "general": {"positionEncodings": [encoding]}}


def unit_text(line, encoding):
    """A line as a list of its units, so that columns cut it."""
    if encoding == "utf-8":
        return [bytes([b]) for b in line.encode()], lambda units: b"".join(units).decode()
    if encoding == "utf-32":
        return list(line), "".join
    raw = line.encode("utf-16-le")
    pairs = [raw[i : i + 2] for i in range(0, len(raw), 2)]
    return pairs, lambda units: b"".join(units).decode("utf-16-le")


def read(legend, data, text, encoding="utf-8"):
    """The tokens as (line, text, type, modifiers)."""
    lines = text.replace("\r\n", "\n").split("\n")
    tokens, line, column, end = [], 0, 0, 0
    assert len(data) % 5 == 0
    for at in range(0, len(data), 5):
        below, right, length, kind, bits = data[at : at + 5]
        line, column = (line + below, right) if below else (line, column + right)
        assert below or column >= end, "tokens overlap"
        end = column + length
        units, join = unit_text(lines[line], encoding)
        assert length > 0 and end <= len(units)
        names = [n for i, n in enumerate(legend["tokenModifiers"]) if bits >> i & 1]
        tokens.append((line, join(units[column:end]), legend["tokenTypes"][kind], names))
    return tokens


def apply(edits, data):
    result = list(data)
    for edit in sorted(edits, key=lambda edit: -edit["start"]):
        first = edit["start"]
        result[first : first + edit["deleteCount"]] = edit.get("data", [])
    return result


TEXT = (
    "@host = http://127.0.0.1\n\n### sign in é😀\n# @name login\n"
    "GET {{host}}/{{who}}?a=é😀{{nope}}\nPragma: x\n\n"
    '### use\nPOST {{host}}\n\n{"é😀": "{{login.response.body.$.x}}", "k": "{{key}}"}\n'
)


def tokens(c, uri):
    return c.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})


def delta(c, uri, previous):
    params = {"textDocument": {"uri": uri}, "previousResultId": previous}
    return c.request("textDocument/semanticTokens/full/delta", params)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_tokens_of_a_file(store, folder, encoding):
    (folder / "http-client.env.json").write_text('{"$shared": {"who": "ann"}}')
    (folder / "http-client.private.env.json").write_text('{"$shared": {"key": "s3cr3t-value"}}')
    with client(store, folder, encoded(READING, encoding)) as c:
        c.initialize()
        legend = c.server_capabilities["semanticTokensProvider"]["legend"]
        uri = c.open(folder / "a.http", TEXT)
        whole = tokens(c, uri)
        found = read(legend, whole["data"], TEXT, encoding)
        assert (2, "sign in é😀", "comment", ["documentation"]) in found
        assert (4, "GET", "method", ["defaultLibrary"]) in found
        assert (4, "who", "variable", ["readonly"]) in found
        assert (4, "é😀", "string", []) in found
        assert (4, "nope", "variable", ["unresolved"]) in found
        assert (5, "Pragma", "property", ["deprecated"]) in found
        assert (10, "login", "label", []) in found
        assert (10, "key", "variable", ["readonly", "secret"]) in found
        assert not any("s3cr3t" in token[1] for token in found)
        # Nothing inside of the body but what stands between braces.
        assert {token[1] for token in found if token[0] == 10} == {
            "{{", "}}", "login", "response.body.$.x", "key",
        }
        span = c.range("textDocument/semanticTokens/range", uri, 4, 5)
        screen = read(legend, span["data"], TEXT, encoding)
        assert screen == [token for token in found if token[0] in (4, 5)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_deltas_add_up_to_the_whole(store, folder, encoding):
    with client(store, folder, encoded(READING, encoding)) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        first = tokens(c, uri)
        data, previous = first["data"], first["resultId"]
        texts = [
            TEXT.replace("in é", "in éé"),
            "# one more line\n" + TEXT,
            TEXT.replace("@host", "@hos"),
            TEXT + "\n### new 😀\nGET /{{host}}",
            "",
            TEXT,
            TEXT,
        ]
        for text in texts:
            c.change(uri, text)
            answer = delta(c, uri, previous)
            data, previous = apply(answer["edits"], data), answer["resultId"]
            assert data == tokens(c, uri)["data"]
        # What is asked for without the answer in between: the one before is still known.
        c.change(uri, TEXT + "\n# more")
        delta(c, uri, previous)
        c.change(uri, TEXT + "\n# more and more")
        data = apply(delta(c, uri, previous)["edits"], data)
        assert data == tokens(c, uri)["data"]
        # An answer that nobody remembers gives all of them.
        assert delta(c, uri, "none")["data"] == data


def test_a_change_of_the_environment_paints_anew(store, folder):
    public = folder / "http-client.env.json"
    public.write_text('{"dev": {"who": "ann"}, "prod": {}}')
    with client(store, folder) as c:
        c.initialize()
        legend = c.server_capabilities["semanticTokensProvider"]["legend"]
        uri = c.open(folder / "a.http", TEXT)
        first = tokens(c, uri)

        def who(data):
            return next(t[3] for t in read(legend, data, TEXT) if t[1] == "who")

        assert who(first["data"]) == ["unresolved"]
        c.command("postkit.selectEnvironment", {"name": "dev"})
        c.expect("workspace/semanticTokens/refresh")
        answer = delta(c, uri, first["resultId"])
        data = apply(answer["edits"], first["data"])
        assert who(data) == ["readonly"]
        # One number of one block has changed.
        assert sum(len(edit["data"]) for edit in answer["edits"]) <= 10
        text = '{"dev": {"other": "ann"}}'
        item = {"uri": public.as_uri(), "languageId": "json", "version": 1, "text": text}
        c.notify("textDocument/didOpen", {"textDocument": item})
        c.expect("workspace/semanticTokens/refresh")
        data = apply(delta(c, uri, answer["resultId"])["edits"], data)
        assert who(data) == ["unresolved"]


def test_tokens_only_for_who_shows_them(store, folder):
    quiet = without(READING, "workspace.semanticTokens")
    for capabilities in (quiet, without(quiet, "textDocument.semanticTokens")):
        (folder / "http-client.env.json").write_text('{"dev": {"who": "ann"}}')
        with client(store, folder, capabilities) as c:
            c.initialize()
            uri = c.open(folder / "a.http", TEXT)
            answer = tokens(c, uri)
            c.command("postkit.selectEnvironment", {"name": "dev"})
            c.command("postkit.selectEnvironment", {"name": ""})
            assert not [r for r in c.requests if "semanticTokens" in r["method"]]
    assert answer is None
    assert "semanticTokensProvider" not in c.server_capabilities
    whole = {**TOKENS, "requests": {"full": True}, "tokenTypes": ["variable"], "tokenModifiers": []}
    only = {**READING, "textDocument": {**READING["textDocument"], "semanticTokens": whole}}
    with client(store, folder, only) as c:
        c.initialize()
        assert c.server_capabilities["semanticTokensProvider"] == {
            "legend": {"tokenTypes": ["variable"], "tokenModifiers": ["unresolved", "secret"]},
            "full": {"delta": False},
        }
        uri = c.open(folder / "a.http", TEXT)
        legend = c.server_capabilities["semanticTokensProvider"]["legend"]
        found = read(legend, tokens(c, uri)["data"], TEXT)
        assert {token[1] for token in found} == {"host", "who", "nope", "key"}


def test_tokens_of_an_answer(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/a\n")
        sent = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        text = c.request("workspace/textDocumentContent", {"uri": sent["uri"]})["text"]
        item = {"uri": sent["uri"], "languageId": "http", "version": 1, "text": text}
        c.notify("textDocument/didOpen", {"textDocument": item})
        legend = c.server_capabilities["semanticTokensProvider"]["legend"]
        found = read(legend, tokens(c, sent["uri"])["data"], text)
        numbers = [t[1:3] for t in found if t[2] in ("keyword", "number")]
        assert numbers[0] == ("HTTP/1.1", "keyword")
        assert any(t[1:3] == ("Content-Type", "property") for t in found)
