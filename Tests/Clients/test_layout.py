"""The layout of ranges, and what follows a typed character."""

from test_stock import client
from test_writing import Editor


def test_a_range_is_laid_out_request_by_request(store, folder):
    text = "###\nGET   http://a\nA:1\n\n###\nGET   http://b\nB:2\n\n###\nGET   http://c\nC:3\n"
    with client(store, folder) as c:
        capabilities = c.initialize()["capabilities"]
        assert capabilities["documentRangeFormattingProvider"] == {"rangesSupport": True}
        editor = Editor(c, folder / "a.http")
        document = editor.place(text + "|")["textDocument"]
        options = {"tabSize": 2, "insertSpaces": True}
        middle = {"start": {"line": 5, "character": 3}, "end": {"line": 6, "character": 0}}
        edits = c.request("textDocument/rangeFormatting", {
            "textDocument": document, "range": middle, "options": options})
        assert editor.applied(edits) == text.replace("GET   http://b\nB:2", "GET http://b\nB: 2")
        first = {"start": {"line": 1, "character": 0}, "end": {"line": 4, "character": 0}}
        last = {"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 0}}
        edits = c.request("textDocument/rangesFormatting", {
            "textDocument": document, "ranges": [first, last], "options": options})
        assert editor.applied(edits) == (
            text.replace("GET   http://a\nA:1", "GET http://a\nA: 1")
            .replace("GET   http://c\nC:3", "GET http://c\nC: 3"))


def test_typing_indents_json_and_parts_requests(store, folder):
    with client(store, folder) as c:
        provider = c.initialize()["capabilities"]["documentOnTypeFormattingProvider"]
        assert provider == {"firstTriggerCharacter": "\n", "moreTriggerCharacter": ["}", "]", "#"]}
        editor = Editor(c, folder / "a.http")

        def typed(marked, character, **options):
            place = editor.place(marked)
            options = {"tabSize": 4, "insertSpaces": True, **options}
            edits = c.request(
                "textDocument/onTypeFormatting", {**place, "ch": character, "options": options})
            return editor.applied(edits or [])

        body = 'POST /\nContent-Type: application/json\n\n{"é": "😀", "a": [\n'
        assert typed(body + "|", "\n") == body + "        "
        assert typed(body + "|", "\n", insertSpaces=False) == body + "\t\t"
        assert typed(body + "        ]|", "]") == body + "    ]"
        assert typed("GET /\n\n###|", "#") == "GET /\n\n### "
