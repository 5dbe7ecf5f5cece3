"""What an editor paints and folds: tokens as numbers, as a client adds them up."""

import pytest
from rawclient import Client, ResponseError
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


def document(uri):
    return {"textDocument": {"uri": uri}}


FOLDS = (
    "# one\n# two\n### é😀\n# @name x\nPOST http://127.0.0.1/a\nA: b\nB: c\n\n"
    '{"a": {\n  "b": "é😀", "c": [\n1]\n}}\n\n### y\nGET http://127.0.0.1/b\n\n'
)


def folds(c, uri):
    return [
        (f["startLine"], f["endLine"], f.get("kind"), f.get("collapsedText"))
        for f in c.request("textDocument/foldingRange", document(uri))
    ]


def with_folding(**abilities):
    text = {**READING["textDocument"], "foldingRange": abilities}
    return {**READING, "textDocument": text}


def test_folds_as_the_client_wants_them(store, folder):
    with client(store, folder, with_folding(foldingRange={"collapsedText": True})) as c:
        c.initialize()
        uri = c.open(folder / "a.http", FOLDS)
        assert folds(c, uri) == [
            (0, 1, "comment", "# …"),
            (2, 11, "region", "POST http://127.0.0.1/a - x"),
            (5, 6, "region", "Headers (2)"),
            (8, 11, None, None),
            (8, 11, None, None),
            (9, 10, None, None),
            (13, 14, "region", "GET http://127.0.0.1/b - y"),
        ]
        found = c.request("textDocument/foldingRange", document(uri))
        assert (found[3]["startCharacter"], found[3]["endCharacter"]) == (1, 1)
        assert "startCharacter" not in found[0]
    with client(store, folder, with_folding(lineFoldingOnly=True)) as c:
        c.initialize()
        uri = c.open(folder / "a.http")
        assert folds(c, uri) == [
            (0, 1, "comment", None),
            (2, 11, "region", None),
            (5, 6, "region", None),
            (8, 10, None, None),
            (8, 10, None, None),
            (13, 14, "region", None),
        ]
    with client(store, folder, with_folding(rangeLimit=3)) as c:
        c.initialize()
        uri = c.open(folder / "a.http")
        assert [fold[:2] for fold in folds(c, uri)] == [(0, 1), (2, 11), (13, 14)]


def test_what_is_selected_is_at_the_place_in_any_file(store, folder):
    with client(store, folder) as c:
        c.initialize()
        for name in ["http-client.env.json", ".env", "postkit.json"]:
            uri = c.open(folder / name, '\n {"dev": {"host": "😀x"}}')
            place = {"line": 1, "character": 12}
            (found,) = c.request(
                "textDocument/selectionRange", {**document(uri), "positions": [place]})
            while found:
                start, end = ((it["line"], it["character"]) for it in found["range"].values())
                assert min(start, end) <= (1, 12) <= max(start, end), found
                found = found.get("parent")


def test_of_what_nobody_reads_whole_the_middle_is_left_out(store, folder):
    name = "n" * 100_000
    text = f"### {name}\nGET http://a.test/?q={name}\n\n###\nPOST /{name}\n\n{{\"{name}\": 1}}\n"
    with client(store, folder, READING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        for method in ["documentSymbol", "foldingRange"]:
            assert len(str(c.request(f"textDocument/{method}", document(uri)))) < 40_000
        for line in [1, 4]:
            (item,) = c.at("textDocument/prepareCallHierarchy", uri, line, 0)
            assert len(str(item)) < 10_000
            assert c.request("callHierarchy/outgoingCalls", {"item": item}) == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_selections_grow(store, folder, encoding):
    with client(store, folder, encoded(READING, encoding)) as c:
        c.initialize()
        uri = c.open(folder / "a.http", FOLDS)
        lines = FOLDS.split("\n")
        column = len(unit_text('  "b": "é', encoding)[0])
        places = [{"line": 9, "character": column}, {"line": 999, "character": 0}]
        first, last = c.request(
            "textDocument/selectionRange", {**document(uri), "positions": places}
        )

        def text(span):
            start, end = span["start"], span["end"]
            if start["line"] != end["line"]:
                return end["line"] - start["line"]
            units, join = unit_text(lines[start["line"]], encoding)
            return join(units[start["character"] : end["character"]])

        chain = []
        while first:
            chain.append(text(first["range"]))
            first = first.get("parent")
        assert chain[:3] == ["é😀", '"é😀"', '"b": "é😀"']
        assert chain[-1] == len(lines) - 1
        assert last["range"]["end"]["line"] == len(lines) - 1


def test_the_outline_with_its_parts(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(
            folder / "a.http",
            f"@host = {target.url}\n\n### one\nPOST {{{{host}}}}/a?b=c\n"
            'Content-Type: application/json\nAuthorization: Bearer abc\n\n{"k": 1}\n',
        )
        c.command("postkit.send", {"uri": uri, "position": {"line": 3, "character": 0}})
        host, one = c.request("textDocument/documentSymbol", document(uri))
        assert host["kind"] == 13 and host["detail"] == target.url
        assert one["kind"] == 6 and one["detail"].startswith(target.url[7:] + ", 200 OK - ")
        line, headers, body = one["children"]
        assert (line["name"], line["kind"], line["detail"]) == ("POST", 11, "{{host}}/a?b=c")
        assert [(k["name"], k["kind"], k["detail"]) for k in line["children"]] == [("b", 20, "c")]
        assert (headers["name"], headers["kind"]) == ("Headers (2)", 23)
        assert headers["children"][1]["detail"] == "Bearer ••••••"
        assert (body["name"], body["kind"], body["detail"]) == (
            "Body - application/json", 19, "8 B",
        )
        assert body["children"][0]["name"] == "k"

        def check(symbol):
            inner, outer = symbol["selectionRange"], symbol["range"]
            assert key(outer["start"]) <= key(inner["start"]) <= key(inner["end"])
            assert key(inner["end"]) <= key(outer["end"])
            for child in symbol.get("children", []):
                check(child)

        def key(place):
            return place["line"], place["character"]

        check(one)


def test_links_are_worked_out_late(store, folder):
    (folder / "http-client.private.env.json").write_text('{"$shared": {"key": "s3cr3t-value"}}')
    (folder / "x.json").write_text("{}")
    text = (
        "@host = https://a.test\n###\nPOST {{host}}/é?a={{$timestamp}}\n\n< ./x.json\n"
        "###\nGET {{host}}/b\n###\nGET {{host}}/{{key}}\n###\nGET https://b.test/c\n"
    )
    tips = {**READING["textDocument"], "documentLink": {"tooltipSupport": True}}
    for shows, document_abilities in ((False, READING["textDocument"]), (True, tips)):
        with client(store, folder, {**READING, "textDocument": document_abilities}) as c:
            c.initialize()
            uri = c.open(folder / "a.http", text)
            links = c.request("textDocument/documentLink", document(uri))
            post, file, plain, secret, written = links
            assert file["target"] == (folder / "x.json").as_uri()
            assert written["target"] == "https://b.test/c" and "data" not in written
            assert "target" not in plain and "tooltip" not in plain
            found = c.request("documentLink/resolve", plain)
            assert found["target"] == "https://a.test/b"
            assert found.get("tooltip") == ("https://a.test/b" if shows else None)
            found = c.request("documentLink/resolve", secret)
            assert "target" not in found
            assert found.get("tooltip") == ("https://a.test/••••••" if shows else None)
            c.change(uri, "\n" + text)
            with pytest.raises(ResponseError) as error:
                c.request("documentLink/resolve", plain)
            assert error.value.code == -32801


def test_a_link_comes_back_with_its_members_in_any_order(store, folder):
    """Clients that keep objects in tables, such as Neovim, know no order."""
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "@host = https://a.test\n###\nGET {{host}}/b\n")
        (link,) = c.request("textDocument/documentLink", document(uri))
        link["data"] = dict(reversed(link["data"].items()))
        assert c.request("documentLink/resolve", link)["target"] == "https://a.test/b"


def test_an_answer_folds_and_links(store, folder, target):
    body = b'{"a": {"href": "https://a.test/b"}, "c": [1, 2]}'
    target.bodies["/links"] = ("application/json", body)
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/links\n")
        sent = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        text = c.request("workspace/textDocumentContent", {"uri": sent["uri"]})["text"]
        item = {"uri": sent["uri"], "languageId": "http", "version": 1, "text": text}
        c.notify("textDocument/didOpen", {"textDocument": item})
        lines = text.split("\n")
        starts = {lines[fold[0]].strip() for fold in folds(c, sent["uri"])}
        assert {"HTTP/1.1 200 OK", "{", '"a": {', '"c": ['} <= starts
        links = c.request("textDocument/documentLink", document(sent["uri"]))
        assert "https://a.test/b" in [link["target"] for link in links]
        chain = c.request(
            "textDocument/selectionRange",
            {**document(sent["uri"]), "positions": [{"line": len(lines) - 3, "character": 2}]},
        )
        assert chain[0]["parent"]
