"""What tokens cost: many requests with one that is kept, the first one, and a look at it."""

import json
import statistics

from serving import editor
from typist import asked

# 1,000 requests with a token that is kept, to the same with a literal one.
KEPT = 1.03
# A token and a request, to two requests.
FIRST = 1.10
# A hover on a token, to one on a variable; milliseconds of 99 of 100.
HOVER = 1.5
HOVER_MILLISECONDS = 5


def signing(bench):
    """All of it, against a token endpoint of the web server."""
    client = {
        "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": f"{bench.url}/token",
        "Client ID": "cli", "Client Secret": "s3cret", "Client Credentials": "in body"}
    folder = bench.folder / "tokens"
    folder.mkdir()
    (folder / "http-client.env.json").write_text(
        json.dumps({"dev": {"host": bench.url, "Security": {"Auth": {"shop": client}}}}))
    keeping(bench, folder)
    first(bench, folder)
    hovering(bench, folder)


def requests(bench, path, count, token):
    path.write_text("\n".join(
        f"###\nGET {bench.url}/small.json?{number}\nAuthorization: Bearer {token}\n"
        for number in range(count)))
    return str(path)


def keeping(bench, folder):
    """One token request for all of a run."""
    count = 1000
    ours, theirs = (
        requests(bench, folder / f"{name}.http", count, token)
        for name, token in (("kept", '{{$auth.token("shop")}}'), ("literal", "t0k3n-t0k3n")))
    bench.ratio(
        f"{count} requests with a token that is kept, to the same with a literal one",
        bench.bar(KEPT), 5 if bench.small else 15,
        lambda: bench.run(bench.program, "run", ours, "--all", "--env", "dev"),
        lambda: bench.run(bench.program, "run", theirs, "--all", "--env", "dev"))


def first(bench, folder):
    """Without a history nothing is kept, so that each run asks for a token."""
    ours = requests(bench, folder / "first.http", 1, '{{$auth.token("shop")}}')
    theirs = requests(bench, folder / "two.http", 2, "t0k3n-t0k3n")
    bench.ratio(
        "the first token and a request, to two requests", bench.bar(FIRST), 101,
        lambda: bench.run(bench.program, "run", ours, "--env", "dev", "--no-history"),
        lambda: bench.run(bench.program, "run", theirs, "--env", "dev", "--no-history", "--all"))


def hovering(bench, folder):
    """A hover asks nobody but the store."""
    path = folder / "hover.http"
    path.write_text(
        'GET {{host}}/small.json\nAuthorization: Bearer {{$auth.token("shop")}}\n')
    count = 100 if bench.small else 400
    with editor(bench)(folder) as server:
        server.initialize()
        server.notify("initialized", {})
        uri = server.open(path)
        server.request("workspace/executeCommand", {
            "command": "postkit.selectEnvironment", "arguments": [{"name": "dev"}]})

        def hover(line, character):
            taken, found = asked(server, "textDocument/hover", {
                "textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
            if not found:
                raise RuntimeError(f"a hover in line {line} shows nothing")
            return taken / 1000

        times = []

        def token():
            times.append(hover(1, 36))
            return times[-1]

        bench.ratio(
            "a hover on a token, to one on a variable", bench.bar(HOVER), count, token,
            lambda: hover(0, 7))
    middle = statistics.median(times) * 1000
    high = sorted(times)[len(times) * 99 // 100] * 1000
    text = f"{middle:.2f} ms, 99 of 100 {high:.2f} ms"
    if bench.small:
        bench.report("the same, until it is there", text, high)
    else:
        bench.judge(
            high <= HOVER_MILLISECONDS, "the same, until it is there",
            f"{text} (bar {HOVER_MILLISECONDS})", high, HOVER_MILLISECONDS)
