"""Large descriptions of APIs: reading them, what editors show with them, and what is kept."""

import json
import os
import random
import time

from asking import Typing
from bench import memory_of
from typist import Typist, asked, share
from working import Work

# Milliseconds that a description may add to a key, and to a completion.
ADDED = 1
# Milliseconds of a completion with it, 99 of 100.
COMPLETION = 5
# Megabytes that a server may have more once it has forgotten what it read.
FORGOTTEN = 2
# Seconds until it forgets, and a moment.
KEPT = 61


def description(count):
    """A description with so many paths of three operations each, and as many schemas."""
    pick = random.Random(20)
    words = "A value of the service, which somebody described at the length that people do. " * 2

    def schema(depth):
        if depth == 0 or pick.random() < 0.3:
            kind = pick.choice(("string", "integer", "boolean", "number"))
            return {"type": kind, "description": words}
        members = {f"field{number}": schema(depth - 1) for number in range(6)}
        return {"type": "object", "required": ["field0"], "properties": members}

    schemas = {f"Thing{number}": schema(2) for number in range(count)}
    for number in range(0, count, 5):
        # Every fifth is made of its neighbour and holds itself.
        own = {"self": reference(number), "size": {"type": "integer"}}
        schemas[f"Thing{number}"] = {
            "allOf": [reference((number + 1) % count), {"type": "object", "properties": own}]}
    return {
        "openapi": "3.1.0", "info": {"title": "Large", "version": "1"},
        "servers": [{"url": "http://127.0.0.1:1"}],
        "paths": {f"/group{number % 40}/things{number}/{{thingId}}": operations(number)
                  for number in range(count)},
        "components": {"schemas": schemas},
    }


def reference(number):
    return {"$ref": f"#/components/schemas/Thing{number}"}


def operations(number):
    content = {"content": {"application/json": {"schema": reference(number)}}}
    identifier = {"name": "thingId", "in": "path", "required": True, "schema": {"type": "integer"}}
    choice = {"type": "string", "enum": ["first", "second", "third"]}
    return {
        method: {
            "tags": [f"group{number % 40}"], "operationId": f"{method}Thing{number}",
            "summary": f"{method} thing {number}",
            "description": "What it does, who may ask for it and what comes back. " * 8,
            "parameters": [
                identifier,
                *({"name": f"query{n}", "in": "query", "schema": choice} for n in range(6)),
            ],
            **({"requestBody": content} if method != "get" else {}),
            "responses": {"200": {"description": "done", **content}, "404": {"description": "no"}},
        } for method in ("get", "post", "put")
    }


def yaml(value, indent=0):
    """The lines of a value in the block style of YAML, texts in quotes."""
    entries = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for name, item in entries:
        head = "  " * indent + ("-" if name is None else f"{json.dumps(name)}:")
        if isinstance(item, (dict, list)) and item:
            yield head
            yield from yaml(item, indent + 1)
        else:
            yield f"{head} {json.dumps(item)}"


def describing(bench, editor):
    count = 50 if bench.small else 1_000
    value = description(count)
    texts = {
        "json": bench.file("large.json", json.dumps(value, indent=1)),
        "yaml": bench.file("large.yaml", "\n".join(yaml(value)) + "\n"),
    }
    reading(bench, count, texts)
    typing(bench, editor, count, texts["json"])


def reading(bench, count, texts):
    """What the reader of JSON, and that of YAML's events, are the yardsticks of."""
    rounds = 5 if bench.small else 9
    with Work("description", texts["json"], texts["yaml"]) as work:
        size = work.once("parse")["bytes"]
        what = f"a description of {3 * count} operations ({size / 1e6:.1f} MB)"
        index, parse = work.seconds("index"), work.seconds("parse")
        bench.ratio(
            f"reading and indexing {what}, against parsing it", bench.bar(2), rounds, index, parse)
        bench.ratio(
            f"samples of all bodies of {what}, against reading and indexing it", bench.bar(3),
            rounds, work.seconds("samples"), index)
        bench.ratio(
            f"{what} in YAML until it is indexed, against libyaml's events", bench.bar(2.5),
            rounds, work.seconds("yaml"), work.seconds("events"))
    bar = 1.2 * size + 200 * 3 * count
    with Work("description", texts["json"], texts["yaml"]) as work:
        before = memory_of(work.process, "VmRSS")
        work.once("index")
        kept = memory_of(work.process, "VmRSS") - before + size
    bench.report(
        f"memory of {what}, its text included", f"{kept / 1e6:.1f} MB (bar {bar / 1e6:.1f})", kept)


# Places of a request, `|` for the caret, of which a description says something.
PLACES = {
    "a path": "POST {{host}}/group1/|", "a query": "POST {{host}}/group1/things1/2?|",
    "a key of JSON": "POST {{host}}/group1/things1/2\nContent-Type: application/json\n\n{\"|",
}


def typing(bench, editor, count, path):
    """Completion and diagnostics in a long file, with a description around it and without."""
    requests, turns = (500, 20) if bench.small else (10_000, 200)
    block = (
        "### Change thing {0}\nPOST {{{{host}}}}/group{1}/things{2}/{0}?query0=first\n"
        "Content-Type: application/json\n\n{{\"field0\": {0}, \"other\": \"{0}\"}}\n\n"
    )
    blocks = [block.format(index, index % count % 40, index % count) for index in range(requests)]
    half = requests // 2
    head = "@host = http://127.0.0.1:1\n\n" + "".join(blocks[:half]) + "###\n"
    start = {"line": head.count("\n"), "character": 0}
    folders = {}
    for what in ("with", "without"):
        folders[what] = bench.folder / f"typed-{what}"
        folders[what].mkdir()
        (folders[what] / "typed.http").write_text(head + "GET /\n\n" + "".join(blocks[half:]))
    os.link(path, folders["with"] / "openapi.json")
    with editor(folders["with"]) as one, editor(folders["without"]) as other:
        places, keys = [], []
        for server in (one, other):
            server.initialize()
            server.notify("initialized", {})
        for server in (one, other):
            document = server.folder / "typed.http"
            typist = Typist(server, document, "http", dict(start))
            if server is one and not bench.small:
                unread(bench, typist)
            typist.diagnostics()
            places.append(Typing(server, typist.uri, start))
            keys.append(typist)
        for what, marked in PLACES.items():
            completing(bench, f"completion of {what} among {requests} requests", places, marked,
                       turns)
        for writer, typist in zip(places, keys, strict=True):
            # Both write into the same document.
            typist.version = max(typist.version, writer.version)
            typist.place = {"line": 3, "character": 0}
            typist.times(5)
        added = least(lambda: [share(typist.times(turns), 99) for typist in keys])
        judge(bench, added[0] - added[1] <= ADDED, f"a key in {requests} requests until fresh"
              f" diagnostics, with {3 * count} operations described, 99 of 100", added, ADDED)
        if not bench.small:
            forgotten(bench, keys)


def unread(bench, typist):
    """The first completion, while nobody has read the description yet."""
    typist.key()
    taken, answer = asked(typist.server, "textDocument/completion", {
        **typist.document, "position": typist.place})
    bench.judge(
        answer["isIncomplete"], "the first completion, before a description is read",
        f"{taken:.1f} ms, complete: {not answer['isIncomplete']}", taken, None)


def completing(bench, what, places, marked, turns):
    def once():
        answers = [place.times(marked, turns) for place in places]
        if not answers[0][1]:
            raise RuntimeError(f"nothing is offered for {what}")
        return [share(times, 99) for times, _ in answers]

    figures = least(once)
    good = figures[0] - figures[1] <= ADDED and figures[0] <= COMPLETION
    judge(bench, good, f"{what}, with a description, 99 of 100", figures, ADDED)


def least(measure):
    """The pair of figures, with a description and without, whose difference is the least of some:
    other processes hold one up in one round, but not in each."""
    return min((measure() for _ in range(5)), key=lambda pair: pair[0] - pair[1])


def judge(bench, is_good, what, figures, bar):
    text = f"{figures[0]:.2f} ms against {figures[1]:.2f} ms without"
    # Milliseconds depend on what else the machine does, which only the one who measures knows.
    if bench.small:
        bench.report(what, text, figures[0])
    else:
        bench.judge(is_good, what, f"{text} (bar {bar} ms more)", figures[0], bar)


def forgotten(bench, typists):
    """The memory of servers a minute after their documents were closed, the first of which had a
    description."""
    read = resident(typists[0].server)
    for typist in typists:
        typist.server.notify("textDocument/didClose", typist.document)
    time.sleep(KEPT)
    left = [resident(typist.server) for typist in typists]
    more = (left[0] - left[1]) / 1e6
    bench.judge(
        more <= FORGOTTEN, "memory of a server that has closed its documents and had a description",
        f"{left[0] / 1e6:.1f} MB, {read / 1e6:.1f} MB while they were open: {more:.1f} MB more than"
        f" one without (bar {FORGOTTEN})", more, FORGOTTEN)


def resident(server):
    """The memory of a process that is no page of a file, once it rests."""
    time.sleep(2)
    return memory_of(server.process, "RssAnon")
