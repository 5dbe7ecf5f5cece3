"""What a server says of a document after many edits is what a new one says of its text."""

import random

import pytest
from test_stock import client

PIECES = (
    "###\n", "### a\n", "# @name b\n", "# @ref a\n", "# @loop 2\n", "@x = 1\n", "@x = {{y}}\n",
    "@y = é\n", "GET http://127.0.0.1:1/{{x}}\n", "X-A: {{a.response.body.$.t}}\n",
    "X-B: {{z}}{{$xpath //t}}\n", "import ./c.http\n", "\n", "\r\n", "{{", "text", "é", "",
)


def asked(c, uri):
    document = {"textDocument": {"uri": uri}}
    report = c.request("textDocument/diagnostic", document)
    links = c.request("textDocument/documentLink", document)
    for link in links:
        # The version of the text, which is for the server alone.
        link.pop("data", None)
    return report["items"], links, [
        c.request(f"textDocument/{method}", document) for method in ("documentSymbol", "codeLens")
    ]


@pytest.mark.parametrize("seed", range(12))
def test_after_edits_the_answers_are_those_of_a_new_server(store, folder, seed):
    generator = random.Random(seed)
    (folder / "c.http").write_text("@z = 2\n\n### a\nGET http://127.0.0.1:1/\n")
    text = "".join(generator.choices(PIECES, k=40))
    with client(store, folder, options={"postkit": {"testing": True}}) as c:
        c.initialize()
        uri = c.show(folder / "a.http", text)
        version, seen = 1, None
        for turn in range(40):
            lines = text.split("\n")
            start, end = sorted(generator.randrange(len(lines)) for _ in range(2))
            if generator.random() < 0.7:
                end = start
            piece = generator.choice(PIECES)
            version += 1
            c.notify("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{
                    "range": {
                        "start": {"line": start, "character": 0},
                        "end": {"line": end, "character": 0},
                    },
                    "text": piece,
                }],
            })
            text = "\n".join(lines[:start] + [piece + lines[end]] + lines[end + 1:])
            # Each look leaves something for the next one to keep.
            known = {"previousResultId": seen} if seen else {}
            report = c.request(
                "textDocument/diagnostic", {"textDocument": {"uri": uri}, **known})
            seen = report["resultId"]
            if turn % 8 == 7:
                ours = c.request("postkit/debug/text", {"textDocument": {"uri": uri}})
                assert ours["text"] == text
                with client(store, folder) as fresh:
                    fresh.initialize()
                    fresh.show(folder / "a.http", text)
                    assert asked(c, uri) == asked(fresh, uri)
