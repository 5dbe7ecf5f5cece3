"""What an editor asks about large files and folders, and how soon it is answered."""

import statistics
import time

from typist import asked


def names(bench, server, settled):
    """References to a key of an environment that every file of a folder uses."""
    count = 100 if bench.small else 1_000
    folder = bench.folder / "names"
    folder.mkdir()
    (folder / "http-client.env.json").write_text('{"dev": {"host": "http://127.0.0.1"}}')
    for index in range(count):
        place = folder / f"group{index % 20}"
        place.mkdir(exist_ok=True)
        blocks = [
            f"### Request {index}-{number}\n# @name r{number}\nPOST {{{{host}}}}/items/{number}\n"
            f"X-A: {{{{own}}}}\n\n{{\"n\": \"{{{{r0.response.body.$.id}}}}\"}}\n"
            for number in range(10)
        ]
        (place / f"file{index}.http").write_text(f"@own = {index}\n\n" + "\n".join(blocks))
    with server(folder) as server:
        server.initialize(workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
        server.notify("initialized", {})
        before = settled(server)
        uri = server.open(folder / "group0/file0.http")
        use = {
            "textDocument": {"uri": uri}, "position": {"line": 4, "character": 8},
            "context": {"includeDeclaration": True},
        }
        times = []
        for _ in range(6 if bench.small else 30):
            taken, found = asked(server, "textDocument/references", use)
            times.append(taken)
            if len(found) != 10 * count + 1:
                raise RuntimeError(f"{len(found)} references were found")
        bench.report(f"the first references in {count} files", f"{times[0]:.0f} ms", times[0])
        warm = sorted(times[1:])
        middle = warm[len(warm) // 2]
        bench.report(
            f"references in {count} files, once these are known",
            f"{middle:.1f} ms, at most {warm[-1]:.1f} ms", middle)
        taken, _ = asked(server, "textDocument/rename", {**use, "newName": "base"})
        bench.report(f"renaming in {count} files", f"{taken:.1f} ms", taken)
        more = (settled(server) - before) / 1e6
        bench.report(f"memory of the names of {count} files", f"{more:.1f} MB", more)


def reading(bench, server):
    """What an editor asks for when it shows a file: tokens, folds, the outline."""
    count = 500 if bench.small else 10_000
    blocks = [
        f"### Request {index}\n# @name request{index}\n"
        f"POST {{{{host}}}}/items/{index}?page=1&size=2\n"
        f"Content-Type: application/json\nAuthorization: Bearer {{{{token}}}}\n\n"
        f'{{"name": "{{{{host}}}}", "number": {index}, "tags": ["alpha", "beta", "gamma"]}}\n'
        for index in range(count)
    ]
    source = bench.file("reading.http", "@host = http://a.test\n\n" + "\n".join(blocks))
    tokens = {
        "requests": {"full": {"delta": True}, "range": True}, "tokenModifiers": [],
        "tokenTypes": [
            "namespace", "parameter", "variable", "property", "function", "method", "class",
            "decorator", "keyword", "comment", "string", "number", "operator"],
        "formats": ["relative"],
    }
    symbols = {"hierarchicalDocumentSymbolSupport": True}
    with server(bench.folder) as server:
        server.initialize(document={"semanticTokens": tokens, "documentSymbol": symbols})
        uri = server.open(source)
        document = {"textDocument": {"uri": uri}}
        screen = {"start": {"line": 4 * count, "character": 0},
                  "end": {"line": 4 * count + 60, "character": 0}}
        kind = "textDocument/semanticTokens/"

        def timed(what, method, parameters, turns, change=None):
            times, result = [], None
            for turn in range(turns):
                started = time.perf_counter()
                if change:
                    change(turn)
                before = (time.perf_counter() - started) * 1000
                taken, result = asked(server, method, parameters(result))
                times.append(before + taken)
            first, times = times[0], sorted(times)
            shares = {f"p{n}": times[min(len(times) - 1, len(times) * n // 100)] for n in (50, 99)}
            text = ", ".join(f"{name} {value:.2f} ms" for name, value in shares.items())
            bench.report(f"{what} of {count} requests", f"{text}, at first {first:.2f} ms", shares)
            return result

        def same(_):
            return document

        # The first answer waits until the text has been parsed.
        server.request("textDocument/foldingRange", document)
        turns = 5 if bench.small else 50
        timed("tokens of a screen", kind + "range", lambda _: {**document, "range": screen}, turns)
        whole = timed("all tokens", kind + "full", same, turns)
        last = [whole["resultId"]]
        place = {"line": 4 * count + 4, "character": 0}

        def typed(turn):
            server.notify("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": turn + 2},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": "x"}],
            })

        def since(result):
            if result:
                last[0] = result["resultId"]
            return {**document, "previousResultId": last[0]}

        timed("an edit until the change of tokens", kind + "full/delta", since, turns * 4, typed)
        timed("folds", "textDocument/foldingRange", same, turns)
        timed("the outline", "textDocument/documentSymbol", same, turns)
        timed("lenses", "textDocument/codeLens", same, turns)
        timed("links", "textDocument/documentLink", same, turns)


# What a hover beside a long history may take, in those beside a history of one exchange.
LONG_HISTORY = 2


def remembering(bench, editor):
    """A hover on a request that was sent, with a long history of its file and with hardly any."""
    rounds, count = 5, 100 if bench.small else 1_000
    block = "### r{0}\nGET {1}/small.json?{0}\n\n"
    source = bench.file(
        "remembered.http", "".join(block.format(index, bench.url) for index in range(count)))
    homes = {}
    for what, repeats in (("one", 0), ("many", rounds)):
        bench.environment = dict(
            bench.environment, POSTKIT_HOME=str(bench.place(f"remembering-{what}")))
        bench.run(bench.program, "run", source, "--name", "r0")
        for _ in range(repeats):
            bench.run(bench.program, "run", source, "--all")
        homes[what] = editor(bench)(bench.folder)
    with homes["one"] as one, homes["many"] as many:
        first = {}
        for what, server in (("one", one), ("many", many)):
            server.initialize()
            hover = {"textDocument": {"uri": server.open(source)},
                     "position": {"line": 1, "character": len("GET http")}}
            first[what], found = asked(server, "textDocument/hover", hover)
            if "200" not in str(found):
                raise RuntimeError(f"a hover does not tell what came back: {found}")

        def hovers(server):
            # One alone would measure how threads are woken.
            return lambda: statistics.median(
                asked(server, "textDocument/hover", hover)[0] for _ in range(5)) / 1000

        total = rounds * count
        bench.report(
            f"the first hover beside {total} exchanges",
            f"{first['many']:.1f} ms, {first['one']:.1f} ms beside one", first["many"])
        bench.ratio(
            f"a hover beside {total} exchanges of its file, against one", bench.bar(LONG_HISTORY),
            9 if bench.small else 41, hovers(many), hovers(one))


# Places of a request, `|` for the caret, of which each asks for something else.
PLACES = {
    "a method": "G|", "a target": "GET |", "a path": "GET {{host}}/|",
    "a query": "GET {{host}}/small.json?|", "a header": "GET {{host}}/\nA|",
    "a reference": "GET {{host}}/{{|", "a narrow reference": "GET {{host}}/{{var49|",
    "a key of JSON": 'POST {{host}}/small.json\nContent-Type: application/json\n\n{"|',
    "a value of JSON": 'POST {{host}}/small.json\nContent-Type: application/json\n\n{"a": |',
    "a tag": "# @|",
}


def completion(bench, editor, program):
    """Completion in a long file with many variables, after many requests were sent."""
    count, names, paths = (500, 250, 100) if bench.small else (10_000, 5_000, 1_000)
    bench.environment = dict(bench.environment, POSTKIT_HOME=str(bench.folder / "typed"))
    rows = bench.file("typed-rows.http", "".join(
        f"###\nGET {bench.url}/small.json?id={index}\n" for index in range(paths)))
    bench.run(program, "run", rows, "--all")
    head = f"@host = {bench.url}\n" + "".join(f"@var{n} = value {n}\n" for n in range(names))
    block = "### Request {0}\nGET {{{{host}}}}/items/{0}?page={0}\nX-Own: {{{{var{1}}}}}\n\n"
    blocks = [block.format(index, index % names) for index in range(count)]
    half = count // 2
    before = head + "\n" + "".join(blocks[:half]) + "###\n"
    source = bench.file("typed.http", before + "GET /\n\n" + "".join(blocks[half:]))
    start = {"line": before.count("\n"), "character": 0}
    with editor(bench)(bench.folder) as server:
        server.initialize()
        typing = Typing(server, server.open(source), start)
        for _ in range(5):
            found = {what: typing.times(marked, 10 if bench.small else 200)
                     for what, marked in PLACES.items()}
            everything = sorted(time for times, _ in found.values() for time in times)
            value = share(everything, 99)
            if value <= 5:
                break
        for what, (times, items) in found.items():
            if not items and "JSON" not in what:
                raise RuntimeError(f"nothing is offered for {what}")
            shares = {f"p{n}": share(times, n) for n in (50, 99)}
            bench.report(
                f"completion of {what}, {items} items",
                ", ".join(f"{name} {value:.2f} ms" for name, value in shares.items()), shares)
        bench.report(
            f"completion among {count} requests, {names} variables, {paths} sent",
            f"p99 {value:.2f} ms", value)


class Typing:
    """One request of a file that is written anew, place by place."""

    def __init__(self, server, uri, start):
        self.server, self.uri, self.start = server, uri, start
        self.lines, self.version = 1, 1

    def times(self, marked, count):
        """The milliseconds of completions at a place, in order, and how many items there are."""
        typed, _, rest = marked.partition("|")
        end = {"line": self.start["line"] + self.lines, "character": 0}
        self.lines, self.version = typed.count("\n") + 1, self.version + 1
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version},
            "contentChanges": [
                {"range": {"start": self.start, "end": end}, "text": typed + rest + "\n"}]})
        caret = {"line": self.start["line"] + self.lines - 1,
                 "character": len(typed.rpartition("\n")[2])}
        asked = {"textDocument": {"uri": self.uri}, "position": caret}
        times = []
        # The first ones open the store and collect the names of the file.
        for _ in range(count + 5):
            started = time.perf_counter()
            found = self.server.request("textDocument/completion", asked)
            times.append((time.perf_counter() - started) * 1000)
        return sorted(times[5:]), len(found["items"])


def share(times, percent):
    """The time that so many of a hundred do not exceed."""
    return times[min(len(times) - 1, len(times) * percent // 100)]
