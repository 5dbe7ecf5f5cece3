"""What somebody waits for who opens 10,000 requests, and types the first name into them."""

import time

from editing import python
from typist import Typist, asked, share, shares, words

# Milliseconds from opening the file until all its diagnostics are there, and as a part of what ruff
# takes for as much Python.
FIRST = 80
FIRST_TO_RUFF = 3
# Milliseconds of a completion with all names of the file: in the middle, and 99 of 100; and the
# middle as a part of that of a hover at the same place.
OFFER = 1
SLOW_OFFER = 3
OFFER_TO_HOVER = 5


def referring(count, names):
    """Requests with two references each to one of some variables of the file."""
    blocks = [f"@var{number} = value{number}\n" for number in range(names)]
    blocks += [
        f"\n### Request number {index} of the collection\n# @name request{index}\n"
        f"GET http://127.0.0.1:1/items/{{{{var{index % names}}}}}?page={index}&size=20\n"
        f"Accept: application/json\nX-Own: {{{{var{index * 7 % names}}}}}\n"
        for index in range(count)
    ]
    return "".join(blocks)


def opening(bench, start, yardstick):
    """Rows of a file that is new; `start` makes a server of ours, `yardstick` one of ruff."""
    count, names = (500, 200) if bench.small else (10_000, 200)
    text = referring(count, names)
    source = bench.file("opening.http", text)
    other = python(len(text))
    peer = bench.file("opening.py", other)
    top = {"line": 0, "character": 0}
    what = f"opening {count} requests with {names} variables until their diagnostics"

    def first(begin, path, language):
        with begin() as server:
            started = time.perf_counter()
            Typist(server, path, language, top).diagnostics()
            return time.perf_counter() - started

    def ours():
        return first(start, source, "http")

    bench.ratio(
        f"{what}, against ruff on as much Python", bench.bar(FIRST_TO_RUFF), 3, ours,
        lambda: first(yardstick, peer, "python"))
    milliseconds = bench.good(lambda taken: taken <= FIRST, lambda: ours() * 1000)
    figures = f"{milliseconds:.0f} ms"
    if bench.small:
        bench.report(what, figures, milliseconds)
    else:
        bench.judge(milliseconds <= FIRST, what, f"{figures} (bar {FIRST})", milliseconds, FIRST)
    offering(bench, start, source, text, names)


def offering(bench, start, source, text, names):
    """What is offered behind braces in the middle of that file."""
    lines = text.split("\n")
    line = next(n for n in range(len(lines) // 2, len(lines)) if lines[n].startswith("X-Own"))
    place = {"line": line, "character": 0}
    with start() as server:
        typist = Typist(server, source, "http", place)
        typist.diagnostics()
        server.notify("textDocument/didChange", {
            "textDocument": {"uri": typist.uri, "version": 2},
            "contentChanges": [{"range": {"start": place, "end": place}, "text": "X-A: {{\n"}],
        })
        caret = {**typist.document, "position": {"line": line, "character": len("X-A: {{")}}
        hover = {**typist.document, "position": {"line": line + 1, "character": len("X-Own: {{v")}}

        def times(method, parameters):
            found = [asked(server, f"textDocument/{method}", parameters) for _ in range(205)]
            if not found[-1][1]:
                raise RuntimeError(f"there is no answer to {method}")
            # The first ones collect the names of the file.
            return sorted(taken for taken, _ in found[5:])

        def is_good(it):
            return it["p50"] <= OFFER and it["p99"] <= SLOW_OFFER

        what = f"completion of {names} variables among these requests"
        quotient, mine, its, _ = bench.compare(
            bench.bar(OFFER_TO_HOVER), 1, lambda: share(times("completion", caret), 50),
            lambda: share(times("hover", hover), 50))
        bar = bench.bar(OFFER_TO_HOVER)
        bench.judge(
            quotient <= bar, f"{what}, against a hover there",
            f"{mine:.2f} ms against {its:.2f} ms: {quotient:.2f} (bar {bar:g})", quotient, bar)
        figures = bench.good(is_good, lambda: shares(times("completion", caret)))
        if bench.small:
            bench.report(what, words(figures), figures)
        else:
            bench.judge(
                is_good(figures), what, f"{words(figures)} (bars {OFFER} and {SLOW_OFFER})",
                figures, [OFFER, SLOW_OFFER])
