"""A link that somebody changes while requests are sent never lets a folder that isn't trusted send
what lies outside of it."""

import os
import subprocess
import sys

import pytest
from rawclient import ResponseError
from test_questions import ASKING, client

INSIDE, OUTSIDE = "inside", "far-away-secret"
SENDS = 60

# Points a link to one target and to the other, as fast as it can, until it is ended.
SWAP = """
import os, sys
link, targets = sys.argv[1], sys.argv[2:]
while True:
    for target in targets:
        os.symlink(target, link + ".next")
        os.replace(link + ".next", link)
"""

# A request, the file that it reads, and that file's content around a word.
READS = {
    "a file as it is": ("POST {url}/\n\n< ./body.txt\n", "body.txt", "{word}"),
    "a file with references": ("POST {url}/\n\n<@ ./body.txt\n", "body.txt", "{word}"),
    "an environment": ("GET {url}/{{{{x}}}}\n", ".env", "x={word}\n"),
    "an imported file": ("import ./other.http\n\n###\nGET {url}/{{{{x}}}}\n", "other.http",
                         "@x = {word}\n"),
}


@pytest.mark.parametrize("read", list(READS))
def test_nothing_outside_is_sent(store, folder, target, read):
    text, name, content = READS[read]
    (folder / "inner").mkdir()
    places = [folder / "inner/file", folder.parent / "far"]
    for place, word in zip(places, (INSIDE, OUTSIDE), strict=True):
        place.write_text(content.format(word=word))
    os.symlink(places[0], folder / name)
    text = text.format(url=target.url)
    line = next(n for n, it in enumerate(text.split("\n")) if it.startswith(("GET", "POST")))
    with client(store, folder, ASKING, options={"postkit": {"trusted": False}}) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        swapper = subprocess.Popen([sys.executable, "-c", SWAP, folder / name, *places])
        try:
            answers = [send(c, uri, line) for _ in range(SENDS)]
        finally:
            swapper.kill()
            swapper.wait()
        (folder / name).unlink(missing_ok=True)
        os.symlink(places[0], folder / name)
        assert send(c, uri, line) == "done"
    assert OUTSIDE not in repr(target.seen), answers
    assert INSIDE in repr(target.seen)


def send(c, uri, line):
    place = {"uri": uri, "position": {"line": line, "character": 0}}
    try:
        return c.command("postkit.send", place)["state"]
    except ResponseError as error:
        return error.message
