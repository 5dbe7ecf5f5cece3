"""Importing a large collection of another tool, and asking whether it would change anything.

The time is that of the processor, of all threads, the start of the program included.
"""

import json
import os
import shutil
import tempfile
from pathlib import Path

from usage import used
from working import Work

# Processor time of an import to that of a tree of the same JSON, its memory at the highest to the
# bytes of the file, and the time of a second look to that of the import.
# The first is not reached yet, so that the small size only finds what becomes still slower.
IMPORT = 6
MEMORY = 5
CHECK = 1.2
WORDS = ("order", "user", "item", "price", "stock", "cart", "login", "token", "report", "parcel")
FOLDER = 40
DEPTH = 12


def body(number):
    """Every twentieth is long, and a third of the others a form in parts."""
    if number % 20 == 0:
        return {"mode": "raw", "raw": json.dumps({"data": "z" * 8000})}
    if number % 3 == 0:
        parts = [
            {"key": f"part{place}", "value": WORDS[(number + place) % 10], "type": "text"}
            for place in range(8)
        ]
        return {"mode": "formdata", "formdata": parts}
    text = {WORDS[number % 10]: number, "list": list(range(12)), "text": "w" * (number * 37 % 350)}
    return {
        "mode": "raw", "raw": json.dumps(text), "options": {"raw": {"language": "json"}},
    }


def request(number):
    path = [WORDS[number * 7 % 10], ":id", WORDS[number * 3 % 10]]
    test = ["pm.test(\"is there\", function () {", "  pm.response.to.have.status(200);", "});"]
    return {
        "name": f"{WORDS[number % 9]} {number}",
        "event": [{"listen": "test", "script": {"type": "text/javascript", "exec": test}}],
        "request": {
            "method": ("GET", "POST", "PUT")[number % 3],
            "header": [{"key": f"X-{n}", "value": WORDS[number * n % 10]} for n in range(1, 4)],
            "body": body(number),
            "url": {
                "raw": "{{base}}/" + "/".join(path), "host": ["{{base}}"], "path": path,
                "query": [{"key": word, "value": "1"} for word in WORDS[:2]],
                "variable": [{"key": "id", "value": str(number)}],
            },
            "description": f"What it says about {WORDS[number % 10]}. " * 3,
        },
        "response": [],
    }


def collection(count):
    """A collection of Postman: folders of requests, in each other up to twelve deep."""
    schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    root = {"info": {"name": "Long", "schema": schema}, "item": [],
            "variable": [{"key": "base", "value": "http://127.0.0.1:1"}]}
    way = [root]
    for number in range(count):
        if number % FOLDER == 0:
            depth = number // FOLDER % DEPTH
            folder = {"name": f"Folder {number // FOLDER}", "item": []}
            way[depth]["item"].append(folder)
            way[depth + 1:] = [folder]
        way[-1]["item"].append(request(number))
    return json.dumps(root)


def importing(bench):
    """The import of a collection, to a folder in memory where there is one."""
    count = 1500 if bench.small else 36_000
    source = bench.file("long.json", collection(count))
    size = os.path.getsize(source)
    memory = Path("/dev/shm")
    place = memory if os.access(memory, os.W_OK) else bench.folder
    with tempfile.TemporaryDirectory(prefix="postkit-bench-", dir=place) as name:
        target = os.path.join(name, "imported")

        def cost(*words):
            return used([bench.program, *words], bench.environment, bench.folder)

        def first():
            shutil.rmtree(target, ignore_errors=True)
            return cost("import", source, "--to", target)

        def again():
            return cost("import", source, "--to", target, "--check")

        what = f"the import of {count} requests ({size / 1e6:.0f} MB)"
        with Work("file", source) as work:
            bench.ratio(
                f"{what}, against parsing the JSON", bench.bar(IMPORT, small=60), 3,
                lambda: first()[0], work.seconds("parse"))
        bench.ratio(
            "the same again with `--check`, against the import", bench.bar(CHECK), 3,
            lambda: again()[0], lambda: first()[0])
        # What an import of next to nothing takes is most of it in the small size.
        little = bench.file("short.json", collection(1))
        least = used(
            [bench.program, "import", little, "--to", os.path.join(name, "little")],
            bench.environment, bench.folder)[1]
        limit = bench.bar(MEMORY) * size + (least if bench.small else 0)
        peak = bench.good(lambda found: found <= limit, lambda: first()[1])
        bench.judge(
            peak <= limit, "memory of the import at the highest",
            f"{peak / 1e6:.0f} MB (bar {limit / 1e6:.0f})", peak, limit)
        peak = again()[1]
        bench.report("memory of `--check` at the highest", f"{peak / 1e6:.0f} MB", peak)
