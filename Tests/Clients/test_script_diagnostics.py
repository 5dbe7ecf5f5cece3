"""What is said about scripts while they are typed, and after they failed."""

import pytest
from test_questions import asked, client
from test_script_trust import children
from test_scripts import OWN, TRUSTED, handled, send
from test_stock import FULL, without

RELATING = {**FULL, "textDocument": {
    **FULL["textDocument"], "diagnostic": {"relatedInformation": True}}}


def pull(c, uri):
    report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    codes = ("script-syntax", "script-engine-missing", "script-failed")
    return [item for item in report["items"] if item["code"] in codes]


def known(c, uri, is_so):
    """Pulls as often as the server says that there is news, until something is so."""
    while not is_so(found := pull(c, uri)):
        c.expect("workspace/diagnostic/refresh")
    return found


def span(item):
    start, end = item["range"]["start"], item["range"]["end"]
    return start["line"], start["character"], end["line"], end["character"]


# The script's only mistake is the `;` of `f(;`, in its second line.
PLACES = {
    "in a script": ("GET http://a.test/\n\n> {%\nf();\n  f(;)\n%}\n", (4, 4, 4, 5)),
    "on the marker's line": ("GET http://a.test/\n\n> {% f(;) %}\n", (2, 7, 2, 8)),
    "above the request": ("< {%\nf(;)\n%}\nGET http://a.test/\n", (1, 2, 1, 3)),
    "in a block": ("{{\nf(;)\n}}\nGET http://a.test/\n", (1, 2, 1, 3)),
    "in a hook": ("{{@request\nf(;)\n}}\nGET http://a.test/\n", (1, 2, 1, 3)),
    "in an import block": ("={%\nimport './x.js';\nf(;)\n%}\n\n###\nGET http://a.test/\n",
                           (2, 2, 2, 3)),
    "in a URL": ("GET http://a.test/{{ f(;) }}\n", (0, 23, 0, 24)),
    "in a header": ("GET http://a.test/\nA: {{ f(;) }}\n", (1, 8, 1, 9)),
    "in a body": ("POST http://a.test/\nContent-Type: text/plain\n\nx {{ f(;) }}\n",
                  (3, 7, 3, 8)),
    "in a definition": ("@a = {{ f(;) }}\nGET http://a.test/{{a}}\n", (0, 10, 0, 11)),
    "after letters of two bytes": ("GET http://a.test/\n\n> {% 'äöü'; f(;) %}\n", (2, 14, 2, 15)),
    "after letters of two units": ("GET http://a.test/\n\n> {% '😀'; f(;) %}\n", (2, 13, 2, 14)),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("form", ["LF", "CRLF", "BOM", "UTF-8"])
def test_a_mistake_of_syntax_is_shown_at_its_token(store, folder, place, form):
    text, wanted = PLACES[place]
    capabilities = {**FULL, "general": {"positionEncodings": ["utf-16"]}}
    if form == "CRLF":
        text = text.replace("\n", "\r\n")
    if form == "BOM":
        text = "\ufeff" + text
        if wanted[0] == 0:
            wanted = (0, wanted[1] + 1, 0, wanted[3] + 1)
    if form == "UTF-8":
        capabilities = {**FULL, "general": {"positionEncodings": ["utf-8"]}}
        line = text.split("\n")[wanted[0]]
        column = line.index(";", line.index("f(")) if "f(" in line else wanted[1]
        column = len(line[:column].encode())
        wanted = (wanted[0], column, wanted[2], column + 1)
    with client(store, folder, capabilities) as c:
        c.initialize()
        (folder / "x.js").write_text("")
        path = folder / "a.http"
        path.write_bytes(text.encode())
        uri = c.show(path, text)
        (item,) = known(c, uri, lambda found: found)
        assert item["code"] == "script-syntax" and item["severity"] == 1
        assert span(item) == wanted
        assert item["message"] == "`;` can't stand here."


def test_what_is_typed_is_read_again_and_nothing_runs(store, folder, target):
    """A folder that nobody trusts: its scripts are read, and none runs."""
    with client(store, folder, FULL) as c:
        c.initialize()
        text = handled(target, f"require('http').get('{target.url}');\nf(")
        uri = c.open(folder / "a.http", text)
        (item,) = known(c, uri, lambda found: found)
        assert item["message"] == "This `(` is not closed."
        assert span(item) == (6, 1, 6, 2)
        # What comes behind a mistake doesn't change it: it stays while the text is read again.
        c.change(uri, text.replace("f(", "f(1 2"))
        assert [item["code"] for item in pull(c, uri)] == ["script-syntax"]
        known(c, uri, lambda found: found[0]["message"] == "Expected `)` before `2`.")
        c.change(uri, text.replace("f(", "f(1)"))
        known(c, uri, lambda found: not found)
        assert target.seen == [] and asked(c) == []
        (words,) = children(c).values()
        assert words[1:2] == [b"__script-host"]


def test_mistakes_are_pushed_to_who_does_not_pull(store, folder):
    with client(store, folder, without(FULL, "textDocument.diagnostic")) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://a.test/\n\n> {% f(;) %}\n")

        def says(code):
            return lambda params: code in [item["code"] for item in params["diagnostics"]]

        c.expect("textDocument/publishDiagnostics", says("script-syntax"))
        c.change(uri, "GET http://a.test/\n\n> {% f() %}\n")
        c.expect("textDocument/publishDiagnostics",
                 lambda params: not says("script-syntax")(params))


def test_without_a_library_the_first_script_says_so(store, folder, monkeypatch):
    monkeypatch.setenv("POSTKIT_JAVASCRIPT_LIBRARY", "libnothing.so.0")
    with client(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://a.test/\n\n> {% f(;) %}\n\n> {% f(;) %}\n")
        (item,) = known(c, uri, lambda found: found)
        assert item["code"] == "script-engine-missing" and item["severity"] == 3
        assert item["range"]["start"]["line"] == 2
        other = c.open(folder / "b.http", "GET http://a.test/{{a}}\n")
        assert pull(c, other) == []


def test_a_file_without_scripts_starts_nothing(store, folder):
    with client(store, folder, FULL) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "@a = 1\nGET http://a.test/{{a}}\n\n?? status == 200\n")
        assert pull(c, uri) == []
        assert children(c) == {}


# --- the last run


def last(found):
    return [item for item in found if item["code"] == "script-failed"]


def test_what_a_script_threw_stands_where_it_threw(store, folder, target):
    with client(store, folder, RELATING, options=TRUSTED) as c:
        c.initialize()
        script = "function deep(x) {\n  return x.y.z;\n}\ndeep({});"
        text = handled(target, script)
        uri = c.open(folder / "a.http", text)
        send(c, uri)
        (item,) = known(c, uri, last)
        assert item["message"].startswith("The script failed at the last run. TypeError: ")
        assert item["severity"] == 1
        assert span(item) == (6, 13, 6, 14)
        (outer,) = item["relatedInformation"]
        assert outer["location"]["uri"] == uri
        assert outer["location"]["range"]["start"] == {"line": 8, "character": 0}
        # It moves with its script, and goes when that says something else.
        c.change(uri, "# above\n" + text)
        assert span(last(pull(c, uri))[0])[0] == 7
        c.change(uri, text.replace("deep({})", "deep({y: {}})"))
        assert last(pull(c, uri)) == []
        c.change(uri, text)
        assert last(pull(c, uri)) != []
        # A run that passes takes it away for good.
        good = text.replace("deep({})", "deep({y: {}})")
        c.change(uri, good)
        send(c, uri)
        c.change(uri, text)
        assert last(pull(c, uri)) == []


def test_what_a_file_threw_stands_at_its_line(store, folder, target):
    with client(store, folder, RELATING, options=TRUSTED) as c:
        c.initialize()
        (folder / "check.js").write_text("const a = 1;\nnull.foo;\n")
        text = f"### login\nGET {target.url}/login\n\n> ./check.js\n"
        uri = c.open(folder / "a.http", text)
        send(c, uri)
        (item,) = known(c, uri, last)
        assert span(item) == (3, 2, 3, 12)
        (place,) = item["relatedInformation"]
        assert place["location"]["uri"] == (folder / "check.js").as_uri()
        assert place["location"]["range"]["start"]["line"] == 1
        (folder / "check.js").write_text("// Something else stands here now.\n")
        assert last(pull(c, uri)) == []


def test_results_that_are_not_shown_are_not_said(store, folder, target):
    options = {"postkit": {"trusted": True, "settings": {"inlay": {"results": False}}}}
    with client(store, folder, OWN, options=options) as c:
        c.initialize()
        uri = c.open(folder / "a.http", handled(target, "null.foo"))
        send(c, uri)
        c.expect("workspace/diagnostic/refresh")
        assert last(pull(c, uri)) == []


def test_a_script_that_keeps_its_request_from_being_sent_is_marked(store, folder, target):
    with client(store, folder, FULL, options=TRUSTED) as c:
        c.initialize()
        text = f"### login\n< {{%\n  null.foo\n%}}\nGET {target.url}/login\n"
        uri = c.open(folder / "a.http", text)
        with pytest.raises(Exception, match="null"):
            send(c, uri)
        (item,) = known(c, uri, last)
        assert span(item)[0] == 2
        assert target.seen == []


# --- scripts in files of their own

PUSHED = {**RELATING, "textDocument": {
    **RELATING["textDocument"], "publishDiagnostics": {"relatedInformation": True}}}


def told(c, path, fits=lambda found: True):
    """What the server says of a file that nobody asked about."""
    def is_it(params):
        return params["uri"] == path.as_uri() and fits(params["diagnostics"])

    return c.expect("textDocument/publishDiagnostics", is_it)["diagnostics"]


@pytest.mark.parametrize("pulls", [True, False])
def test_mistakes_of_script_files_are_told_at_their_places(store, folder, pulls):
    capabilities = PUSHED if pulls else without(PUSHED, "textDocument.diagnostic")
    (folder / "lib").mkdir()
    script, module = folder / "check.js", folder / "lib" / "m.js"
    script.write_text("require('./lib/m');\nconst é = '😀'; f(1 2);\n")
    module.write_text("export const a = [1;\n")
    with client(store, folder, capabilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://a.test/\n\n> ./check.js\n")
        if pulls:
            known(c, uri, lambda _: True)
            c.expect("workspace/diagnostic/refresh")
            assert pull(c, uri) == []
        (item,) = told(c, script, bool)
        assert item["code"] == "script-syntax" and item["message"] == "Expected `)` before `2`."
        column = len("const é = '😀'; f(1 ".encode())
        assert span(item) == (1, column, 1, column + 1)
        (item,) = told(c, module, bool)
        assert span(item) == (0, 19, 0, 20)
        # What is mended is told as well, and what nobody names any more.
        module.write_text("export const a = [1];\n")
        c.notify("workspace/didChangeWatchedFiles",
                 {"changes": [{"uri": module.as_uri(), "type": 2}]})
        if pulls:
            c.expect("workspace/diagnostic/refresh")
            known(c, uri, lambda _: True)
        assert told(c, module) == []
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert told(c, script) == []


def test_what_a_script_file_threw_is_told_at_its_line(store, folder, target):
    (folder / "lib").mkdir()
    script, module = folder / "check.js", folder / "lib" / "m.js"
    script.write_text("const { f } = require('./lib/m');\n\n  f(null);\n")
    module.write_text("exports.f = (x) => {\n  return 'é' + x.y;\n};\n")
    with client(store, folder, PUSHED, options=TRUSTED) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### login\nGET {target.url}/login\n\n> ./check.js\n")
        send(c, uri)
        (item,) = known(c, uri, last)
        assert span(item) == (3, 2, 3, 12)
        places = [it["location"] for it in item["relatedInformation"]]
        assert [place["uri"] for place in places] == [module.as_uri(), script.as_uri()]
        # The columns are bytes, as this client counts.
        column = module.read_text().split("\n")[1].encode().index(b"x.y") + 2
        assert places[0]["range"]["start"] == {"line": 1, "character": column}
        (item,) = told(c, module, bool)
        assert item["message"].startswith("The script failed at the last run. TypeError: ")
        assert span(item)[:2] == (1, column)
        (outer,) = item["relatedInformation"]
        assert outer["location"]["uri"] == script.as_uri()
        assert outer["location"]["range"]["start"]["line"] == 2
        # A run that passes takes it away.
        module.write_text("exports.f = (x) => 1;\n")
        send(c, uri)
        known(c, uri, lambda found: not found)
        assert told(c, module) == []


def test_a_script_file_that_is_open_answers_for_itself(store, folder):
    script = folder / "check.js"
    script.write_text("f(1 2);\n")
    with client(store, folder, PUSHED) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://a.test/\n\n> ./check.js\n")
        known(c, uri, lambda _: True)
        c.expect("workspace/diagnostic/refresh")
        pull(c, uri)
        assert told(c, script, bool)
        # It is JavaScript and no request, whatever the editor calls it.
        mine = c.show(script, script.read_text())
        assert told(c, script) == []
        (item,) = known(c, mine, bool)
        assert item["code"] == "script-syntax" and span(item) == (0, 4, 0, 5)
        symbols = c.request("textDocument/documentSymbol", {"textDocument": {"uri": mine}})
        assert not symbols
        c.change(mine, "f(1, 2);\n")
        known(c, mine, lambda found: not found)
        # The text of the editor counts for the request as well.
        pull(c, uri)
        c.notify("textDocument/didClose", {"textDocument": {"uri": mine}})
        known(c, uri, lambda _: True)
        assert told(c, script, bool)
