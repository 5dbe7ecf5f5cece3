"""What became of a request has the same words wherever it stands: in results, hints, lenses,
progress, the history and messages. The editors' suites read the same table."""

import json
import re

import pytest
from metamodel import ROOT
from rawclient import ResponseError
from test_hints import hints, results
from test_send_all import KNOWING, drawn_until, send_all
from test_sending import values
from test_stock import FULL, client, without

FIXTURES = ROOT / "editors" / "fixtures"
TABLE = json.loads((FIXTURES / "results.json").read_text())
TEXT = (FIXTURES / "results.http").read_text()
# Of a request that can't be built there is no exchange: a diagnostic marks its place, and no hint.
DRAWN = [row for row in TABLE if row["hint"]]


@pytest.fixture
def sent(store, folder):
    """All requests of the table, the last but one of them cancelled: client, document, results."""
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "results.http", TEXT)
        id = send_all(c, uri, partialResultToken="all")
        moods = [row["mood"] for row in DRAWN]
        drawn_until(c, uri, [*moods[:-2], "sending", "waiting"])
        assert c.command("postkit.cancel", {"uri": uri}) == 1
        told = c.finish(id)
        drawn_until(c, uri, moods)
        yield c, uri, told


def test_results_have_the_words_of_the_table(sent):
    _, _, told = sent
    for row, result in zip(TABLE, told, strict=False):
        assert re.search(row["words"], result["summary"]), row
        assert result["mood"] == row["mood"], row
    assert len(told) == len(TABLE) - 1


def test_partial_results_hints_lenses_and_history_say_the_same(sent):
    c, uri, told = sent
    assert [part["result"] for part in values(c, "result")] == told
    over = values(c, "over")[0]
    assert [it["summary"] for it in over["notSent"]] == [TABLE[-1]["name"]] == ["not sent"]
    drawn = dict(hints(c, uri))
    assert results(c, uri) == [(row["line"], row["mood"]) for row in DRAWN]
    ids = {result["summary"]: result["id"] for result in told if result["uri"]}
    for row in DRAWN:
        text = [*(result["summary"] for result in told), "not sent"][TABLE.index(row)]
        assert drawn[row["line"]].startswith(text)
    # What failed before there was a response is told by its word in the history.
    items = {it["id"]: it for it in c.request("postkit/history", {"limit": 50})["items"]}
    for text, id in ids.items():
        plain = re.sub("  [✓✗] .*", "", text)
        assert items[id]["summary"] == plain or text.startswith("failed: ")
        record = c.request("postkit/exchange", {"id": id, "view": "record", "length": 1})
        assert record["summary"] == text and record["size"].endswith("B")
        assert ("tests" in record) == (plain != text)


def test_what_comes_is_told_in_words(store, folder):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "results.http", TEXT)
        c.finish(c.start("postkit/send", {
            "textDocument": {"uri": uri}, "name": "big", "partialResultToken": "t"}))
        assert values(c, "head")[0]["summary"] == "receiving… 200"
        assert re.search("^receiving… 200  [0-9.]+ [kM]?B$", values(c, "data")[-1]["summary"])


def test_what_is_not_sent_says_so_in_the_error(store, folder):
    with client(store, folder, KNOWING) as c:
        c.initialize()
        uri = c.open(folder / "results.http", TEXT)
        row = next(row for row in TABLE if row["name"] == "not built")
        with pytest.raises(ResponseError) as caught:
            c.request("postkit/send", {"textDocument": {"uri": uri}, "name": row["name"]})
        data = caught.value.data
        assert re.search(row["words"], data["summary"]) and data["mood"] == "failed"


def test_a_client_without_a_display_is_told_in_the_same_words(store, folder):
    plain = without(without(FULL, "window.showDocument"), "workspace.textDocumentContent")
    with client(store, folder, plain) as c:
        c.initialize()
        uri = c.open(folder / "results.http", TEXT)
        result = c.command("postkit.send", {"uri": uri, "name": "failed checks"})
        said = c.expect("window/showMessage")["message"]
        assert said.startswith(result["summary"] + ". The response is in ")


# Where a plugin writes a time itself: the clock of a send that goes on, in VS Code also the steps
# in the drawing of where the time went, in Neovim how long its start took. By file, how many lines.
OWN = {
    "vim/autoload/postkit/words.vim": 3, "neovim/lua/postkit/words.lua": 3,
    "neovim/lua/postkit/health.lua": 1,
    "vscode/src/window/render.js": 3, "vscode/src/response/parts.js": 1, "emacs/postkit.el": 3,
}
# A unit behind a number that is put in, or the words of a verdict.
WORDED = re.compile(
    r"(?:%[.\d]*[df]|\}) (?:ms|s|min|h|[kMG]?B)\b|['\"`][kMGT]B\b"
    r"|tests? (?:passed|failed)|[Cc]ancelled after|answered %d")


def test_plugins_word_no_results_themselves():
    found = {}
    for folder, ending in [("vim/autoload", "vim"), ("neovim/lua", "lua"), ("vscode/src", "js"),
                           ("emacs", "el")]:
        for path in sorted((ROOT / "editors" / folder).rglob(f"*.{ending}")):
            if {"test", "meta"} & set(path.parts):
                continue
            count = sum(1 for line in path.read_text().splitlines()
                        if WORDED.search(line) and "@param" not in line)
            if count:
                found[str(path.relative_to(ROOT / "editors"))] = count
    assert found == OWN
