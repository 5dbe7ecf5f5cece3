"""Responses as documents: their views, pages, paths and files, in clients with and without them."""

import json
import os
import stat
import urllib.parse
from pathlib import Path

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, without
from test_views import PLAIN, actions, path, run, show

MIB = 1 << 20
# A number that no `Double` holds, an escape, a key that is no name, a key twice.
ITEMS = (
    b'{"total":12345678901234567890.10,"items":[{"id":1,"name":"\\u00e4"},'
    b'{"id":2,"a.b":null,"it\'s":[true]}],"total":1E400}')


def send(c, folder, target, body, kind="application/json", name="list"):
    """The answer to a request with a body; its result."""
    target.bodies["/list"] = (kind, body)
    uri = c.open(folder / "a.http", f"### {name}\nGET {target.url}/list\n")
    return c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})


def view(c, **meant):
    """The text of what `postkit.showResponse` opens, and its URI."""
    uri = c.command("postkit.showResponse", meant)
    return show(c, uri), uri


def titled(found, start):
    [action] = [a for a in found if a["title"].startswith(start)]
    return action


def place_of(text, word):
    before = text[: text.index(word)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def at(c, uri, text, word):
    line, character = place_of(text, word)
    start = {"line": line, "character": character}
    return c.request("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": {"start": start, "end": start},
        "context": {"diagnostics": []}})


@pytest.mark.parametrize("abilities", [FULL, PLAIN], ids=["content", "file"])
def test_the_views_of_a_response(store, folder, target, abilities):
    with client(store, folder, abilities) as c:
        c.initialize()
        id = send(c, folder, target, ITEMS)["id"]
        raw, uri = view(c, id=id, view="raw")
        assert raw.encode() == ITEMS
        pretty, uri = view(c, id=id, view="pretty")
        assert uri.endswith(".json")
        # Every digit, escape and member stays; only the blanks are others.
        assert "".join(pretty.split()) == "".join(ITEMS.decode().split())
        assert '\n  "total": 12345678901234567890.10,\n' in pretty
        headers, _ = view(c, id=id, view="headers")
        assert headers.splitlines()[:2] == [f"# GET {target.url}/list", "HTTP/1.1 200 OK"]
        assert "Content-Type: application/json" in headers and "total" not in headers
        timings, _ = view(c, id=id, view="timings")
        assert "first byte" in timings and " ms" in timings
        whole, uri = view(c, id=id)
        assert whole.endswith(pretty) and "HTTP/1.1 200 OK\n" in whole
        if abilities is PLAIN:
            files = list((store / "view").iterdir())
            assert len(files) == 5
            assert {stat.S_IMODE(os.stat(file).st_mode) for file in files} == {0o600}
            assert stat.S_IMODE(os.stat(store / "view").st_mode) == 0o700
        # What is forgotten is nowhere any more.
        c.command("postkit.historyEdit", {"op": "history.delete", "ids": [id]})
        if abilities is PLAIN:
            assert list((store / "view").iterdir()) == []
        with pytest.raises(ResponseError) as caught:
            view(c, id=id, view="raw")
        assert caught.value.code == -32801


@pytest.mark.parametrize("abilities", [FULL, PLAIN], ids=["content", "file"])
def test_a_path_selects_a_part(store, folder, target, abilities):
    with client(store, folder, abilities) as c:
        c.initialize()
        id = send(c, folder, target, ITEMS)["id"]
        assert view(c, id=id, select="$.items[1].id")[0] == "2\n"
        assert view(c, id=id, select="items[*].id")[0] == "[\n  1,\n  2\n]\n"
        found, uri = view(c, id=id, select="$.items[?@.id == 1 && @.name]")
        assert found == '[\n  {\n    "id": 1,\n    "name": "\\u00e4"\n  }\n]\n'
        assert uri.partition("?")[0].endswith(".json")
        if abilities is FULL:
            # VS Code encodes all that stands in a query.
            start, _, query = uri.partition("?")
            query = urllib.parse.quote(urllib.parse.unquote(query), safe="")
            params = {"uri": f"{start}?{query}"}
            assert c.request("workspace/textDocumentContent", params)["text"] == found
        for select, code, words in [
            ("$.items[", -32602, "Invalid JSONPath"), ("$.nope", -32803, "matches nothing"),
        ]:
            with pytest.raises(ResponseError) as caught:
                view(c, id=id, select=select)
            assert caught.value.code == code and words in caught.value.message
        page = c.request("postkit/exchange", {"id": id, "select": "$.items[0]", "length": 5})
        assert page["data"] == "{\n  \"" and not page["eof"]
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/exchange", {"id": id, "select": "$", "view": "headers"})
        assert caught.value.code == -32602


@pytest.mark.parametrize("kind", ["application/xml", "text/html; charset=utf-8"])
def test_an_xpath_selects_whole_nodes(store, folder, target, kind):
    body = b'<r><b k="1">eins <i>kursiv</i></b><b k="2">zwei</b></r>'
    if "html" in kind:
        body = b"<html><body>" + body + b"</body></html>"
    with client(store, folder) as c:
        c.initialize()
        id = send(c, folder, target, body, kind)["id"]
        assert view(c, id=id, select="//b")[0] == (
            '<b k="1">eins <i>kursiv</i></b>\n<b k="2">zwei</b>\n')
        assert view(c, id=id, select="//b/@k")[0] == "1\n2\n"
        assert view(c, id=id, select="count(//b)")[0] == "2\n"
        with pytest.raises(ResponseError) as caught:
            view(c, id=id, select="//b[")
        assert caught.value.code == -32602 and "Invalid XPath" in caught.value.message


@pytest.mark.parametrize("abilities", [FULL, PLAIN], ids=["content", "file"])
def test_a_long_body_has_pages(store, folder, target, abilities):
    # No page ends inside of a character, whatever the type says.
    body = ("ä" * 40 + "\n").encode() * 40_000 + b"end"
    with client(store, folder, abilities) as c:
        c.initialize()
        id = send(c, folder, target, body, "application/x-unknown")["id"]
        whole, uri = view(c, id=id)
        assert f"of {len(body)} bytes" in whole and "\ufffd" not in whole
        seen = ""
        for _ in range(8):
            found = [a for a in actions(c, uri, 0) if a["title"].startswith("Show the bytes from")]
            if seen and not found:
                break
            if not seen:
                text, uri = view(c, id=id, view="raw")
            else:
                links = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
                before = uri
                uri = run(c, found[0])
                text = show(c, uri)
                targets = [link.get("target") for link in links]
                assert abilities is PLAIN or uri in targets, (before, targets)
            *lines, note = text.splitlines(keepends=True)
            assert note.startswith("# Bytes ")
            seen += "".join(lines)
        assert seen.encode() == body + b"\n"


@pytest.mark.parametrize("abilities", [FULL, PLAIN], ids=["content", "file"])
def test_long_json_has_pages_of_laid_out_lines(store, folder, target, abilities):
    items = [{"id": n, "tags": ["ä" * 20, n], "text": "x" * 60} for n in range(9_000)]
    items[8_000]["text"] = "y" * 40_000
    body = json.dumps({"total": 1, "items": items}, separators=(",", ":")).encode()
    assert len(body) > MIB
    with client(store, folder, abilities) as c:
        c.initialize()
        id = send(c, folder, target, body)["id"]
        whole, uri = view(c, id=id)
        assert "\n# Page 1 of " in whole and '\n{\n  "total": 1,\n  "items": [\n' in whole
        assert titled(actions(c, uri, 0), "Show the next page (2 of ")
        text, uri = view(c, id=id, view="pretty")
        head = text.partition("\n")[0]
        total = int(head.split()[4].rstrip("."))
        seen, notes, begins = [], 0, []
        for number in range(1, total + 1):
            notes += text.count("\n# One string is too long for this page.")
            head, _, page = text.partition("\n")
            assert head.startswith(f"# Page {number} of {total}")
            assert len(page.splitlines()) < 6_500
            first = len(seen)
            if number > 1:
                begins.append(f"$.items[{first}]")
                assert f", from {begins[-1]}." in head
                # A place in a page has the path that it has in the whole body.
                found = at(c, uri, text, f'"id": {first + 1},')
                path = titled(found, "Copy the path")["title"]
                assert path == f"Copy the path `$.items[{first + 1}].id`"
                assert titled(found, f"Show the previous page ({number - 1} of {total})")
            shown = "".join(
                line for line in page.splitlines(keepends=True) if not line.startswith("#"))
            seen += json.loads(shown)["items"]
            if number < total:
                links = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
                uri = run(c, titled(actions(c, uri, 0), "Show the next page"))
                assert abilities is PLAIN or uri in [link.get("target") for link in links]
                text = show(c, uri)
        # An editor is slow with long lines: a string is cut, and its path shows it whole.
        assert notes == 1
        assert seen[8_000].pop("text") == "y" * (16_384 - 1) + "…"
        items[8_000].pop("text")
        assert seen == items
        assert view(c, id=id, select="$.items[8000].text")[0] == f'"{"y" * 40_000}"\n'
        with pytest.raises(ResponseError) as caught:
            view(c, id=id, view="raw", page=2)
        assert caught.value.code == -32602
        assert view(c, id=id, page=10_000)[0].startswith(f"# Page {total} of {total}")
        listed = json.loads(c.request("postkit/exchange", {"id": id, "view": "pages"})["data"])
        assert [page["number"] for page in listed] == list(range(1, total + 1))
        assert [page["path"] for page in listed] == ["$", *begins]


def test_one_line_of_a_gigabyte_is_cut_between_characters(store, folder, target):
    body = "😀".encode() * (MIB // 2)
    with client(store, folder) as c:
        c.initialize()
        id = send(c, folder, target, b"x" + body, "text/plain")["id"]
        text, _ = view(c, id=id, view="raw")
        assert "\ufffd" not in text and "# Bytes 0 to 1048573 of 2097153." in text
        text, _ = view(c, id=id, offset=1048573)
        assert text.startswith("😀") and "# Bytes 1048573 to 2097149 of 2097153." in text


def test_paths_are_copied_and_followed(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        id = send(c, folder, target, ITEMS)["id"]
        text, uri = view(c, id=id)
        for word, wanted in [
            ('"name"', "$.items[0].name"), ("true", "$.items[1]['it\\'s'][0]"),
            ("null", "$.items[1]['a.b']"), ("12345", "$.total"),
        ]:
            found = at(c, uri, text, word)
            assert titled(found, "Copy the path")["title"] == f"Copy the path `{wanted}`"
            assert run(c, titled(found, "Copy the path")) == wanted
            # A client that knows nothing of us is shown it, as the protocol has no clipboard.
            assert c.expect("window/showMessage")["message"] == wanted
        found = at(c, uri, text, '"name"')
        reference = run(c, titled(found, "Copy the reference"))
        assert reference == "{{list.response.body.$.items[0].name}}"
        selected = run(c, titled(found, "Show only"))
        inner, outer = show(c, selected), at(c, uri, text, '{\n      "id": 2')
        assert inner == '"\\u00e4"\n'
        # Paths in what was selected begin with what selected it.
        part = run(c, titled(outer, "Show only"))
        inner = show(c, part)
        found = at(c, part, inner, "true")
        assert titled(found, "Copy the path")["title"].endswith("`$.items[1]['it\\'s'][0]`")
        # There is no path in the head, in several values and where the text is no value.
        several, listed = view(c, id=id, select="$.items[*].id")
        for place in [at(c, uri, text, "HTTP/1.1"), at(c, listed, several, "1")]:
            assert [a for a in place if a["title"].startswith("Copy the path")] == []
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.copyPath", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert caught.value.code == -32803


def test_a_path_is_asked_for(store, folder, target):
    asking = {**FULL, "experimental": {"postkit": {"version": 1, "input": True}}}
    with client(store, folder, asking) as c:
        c.initialize()
        uri = send(c, folder, target, ITEMS)["uri"]
        show(c, uri)
        action = titled(actions(c, uri, 0), "Filter with a JSONPath")
        c.answers["postkit/input"] = lambda params: {"value": "$.items[0].id"}
        assert show(c, run(c, action)) == "1\n"
        c.answers["postkit/input"] = lambda params: None
        with pytest.raises(ResponseError) as caught:
            run(c, action)
        assert caught.value.code == -32800


def test_the_outline_folds_and_selections_of_a_response(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        id = send(c, folder, target, ITEMS)["id"]
        text, uri = view(c, id=id)
        document = {"textDocument": {"uri": uri}}
        status, headers, body = c.request("textDocument/documentSymbol", document)
        assert status["name"] == "HTTP/1.1 200 OK"
        assert {"Content-Type", "Content-Length"} <= {it["name"] for it in headers["children"]}
        assert [it["name"] for it in body["children"]] == ["total", "items", "total"]
        items = body["children"][1]["children"]
        assert [[it["name"] for it in item["children"]] for item in items] == [
            ["id", "name"], ["id", "a.b", "it's"]]
        assert items[0]["children"][0]["detail"] == "1"
        text, uri = view(c, id=id, view="pretty")
        document = {"textDocument": {"uri": uri}}
        folds = c.request("textDocument/foldingRange", document)
        assert [(it["startLine"], it["endLine"]) for it in folds][:2] == [
            (0, len(text.splitlines()) - 1), (2, len(text.splitlines()) - 3)]
        line, character = place_of(text, "null")
        [chain] = c.request("textDocument/selectionRange", {
            **document, "positions": [{"line": line, "character": character}]})
        sizes = []
        while chain:
            span = chain["range"]
            sizes.append((span["start"]["line"], span["end"]["line"]))
            chain = chain.get("parent")
        assert sizes[0] == (line, line) and sizes[-1][0] == 0 and len(sizes) > 4
        # What is JSON for the editor is painted as that.
        symbols = c.request("textDocument/documentSymbol", document)
        assert [it["name"] for it in symbols] == ["Body"]


def test_a_picture_is_described_and_saved(store, folder, target):
    picture = b"\x89PNG\r\n\x1a\n\0" + bytes(range(256)) * 20
    with client(store, folder) as c:
        c.initialize()
        sent = send(c, folder, target, picture, "image/png", name="the Logo/../x")
        for meant in ({}, {"view": "raw"}, {"view": "pretty"}):
            text, uri = view(c, id=sent["id"], **meant)
            assert f"# image/png, {len(picture)} bytes" in text and "Open or save it" in text
            assert not uri.endswith(".png")
        save = titled(actions(c, uri, 0), "Save the body")
        c.answers["window/showMessageRequest"] = lambda params: params["actions"][1]
        with pytest.raises(ResponseError) as caught:
            run(c, save)
        assert caught.value.code == -32800 and sorted(os.listdir(folder)) == ["a.http"]
        c.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
        saved = run(c, save)
        said = saved.pop("summary")
        assert saved == {"path": str(folder / "the-logo-x.png"), "size": len(picture)}
        assert Path(saved["path"]).read_bytes() == picture
        assert said.startswith("Saved ") and saved["path"] in said
        assert c.expect("window/showMessage")["message"] == said
        assert run(c, save)["path"] == str(folder / "the-logo-x-2.png")
        # Nothing is replaced unless that is asked for.
        order = {"id": sent["id"], "path": str(folder / "a.http")}
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.saveResponse", order)
        assert "already exists" in caught.value.message
        c.command("postkit.saveResponse", {**order, "overwrite": True})
        assert (folder / "a.http").read_bytes() == picture
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.saveResponse", {"id": sent["id"], "path": "x.png"})
        assert caught.value.code == -32602


def test_a_long_body_is_saved_whole(store, folder, target):
    body = os.urandom(3 * MIB)
    with client(store, folder, without(FULL, "window.showMessage")) as c:
        c.initialize()
        id = send(c, folder, target, body, "application/octet-stream")["id"]
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.saveResponse", {"id": id})
        assert "`path`" in caught.value.message
        c.command("postkit.saveResponse", {"id": id, "path": str(folder / "all.bin")})
        assert (folder / "all.bin").read_bytes() == body
        assert [name for name in os.listdir(folder) if name != "a.http"] == ["all.bin"]


def test_masks_stand_in_every_view(store, folder, target):
    secret = "s3cret-of-the-test"
    (folder / "http-client.private.env.json").write_text(json.dumps({"dev": {"k": secret}}))
    body = json.dumps({"again": secret, "n": [secret]}).encode()
    with client(store, folder) as c:
        c.initialize()
        target.bodies["/list"] = ("application/json", body)
        target.bodies[f"/list?{secret}"] = ("application/json", body)
        uri = c.open(folder / "a.http", f"### list\nGET {target.url}/list?{{{{k}}}}\n")
        sent = c.command("postkit.send", {"uri": uri, "name": "list", "environment": "dev"})
        for meant in ({}, {"view": "raw"}, {"view": "pretty"}, {"view": "headers"},
                      {"view": "timings"}, {"select": "$.n"}):
            text, shown = view(c, id=sent["id"], **meant)
            actions(c, shown, 2)
        assert text == '[\n  "••••••"\n]\n'
        order = {"id": sent["id"], "path": str(folder / "out.json")}
        assert c.command("postkit.saveResponse", order)["redacted"] is True
        assert secret.encode() not in b"".join(c.server.messages)
    assert secret not in (folder / "out.json").read_text()


def test_old_views_are_removed(store, folder, target):
    with client(store, folder, PLAIN) as c:
        c.initialize()
        sent = send(c, folder, target, ITEMS)
        kept = path(sent["uri"]).parent
        (kept / "notes.txt").write_text("the user's own")
        for number in range(120):
            view(c, id=sent["id"], select=f"$.items[?@.id < {number + 2}]")
        names = os.listdir(kept)
        assert "notes.txt" in names and len(names) <= 101
