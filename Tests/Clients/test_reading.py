"""What an editor folds, selects and lists."""

import pytest
from rawclient import ResponseError
from test_tokens import READING, client, encoded, unit_text


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
