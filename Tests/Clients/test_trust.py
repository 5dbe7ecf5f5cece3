"""What an editor opens reads nothing outside of its folder before the user has agreed (R4)."""

import ctypes
import os
import struct

import pytest
from test_questions import ASKING, METHOD, TRUST, presses
from test_stock import client

OPENED = 0x20
CANARY = "canary-of-the-outside"


class Watch:
    """Tells whether files were opened, by inotify."""

    def __init__(self, *paths):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(os.O_NONBLOCK)
        assert self.fd >= 0
        self.names = {}
        for path in paths:
            number = self.libc.inotify_add_watch(self.fd, os.fsencode(path), OPENED)
            assert number >= 0, path
            self.names[number] = path.name

    def opened(self):
        """The names of the files that were opened since this was asked last."""
        found = set()
        while True:
            try:
                events = os.read(self.fd, 65536)
            except BlockingIOError:
                return found
            while events:
                number, _, _, length = struct.unpack_from("iIII", events)
                found.add(self.names[number])
                events = events[16 + length:]


TEXT = """import ../outside.http
run ../outside.http

### body
POST http://127.0.0.1:1/{{far}}/{{linked}}/{{token}}
Content-Type: application/json

< ../outside.json

### template
POST http://127.0.0.1:1/

<@ ../outside.txt

### link
POST http://127.0.0.1:1/

<@ ./link.txt
"""


@pytest.fixture
def outside(folder):
    """Files beside the folder, and links to them."""
    files = {
        "outside.http": f"@far = {CANARY}\n\n### over there\nGET http://127.0.0.1:1/{CANARY}\n",
        "outside.json": f'{{"{CANARY}": "{{{{x}}}}"}}', "outside.txt": f"{CANARY} {{{{x}}}}",
        "secrets.env": f"token={CANARY}\n",
        "env.json": f'{{"dev": {{"linked": "{CANARY}"}}}}',
    }
    for name, text in files.items():
        (folder.parent / name).write_text(text)
    (folder / "link.txt").symlink_to(folder.parent / "outside.txt")
    (folder / ".env").symlink_to(folder.parent / "secrets.env")
    (folder / "http-client.env.json").symlink_to(folder.parent / "env.json")
    return [folder.parent / name for name in files]


def everything(c, uri, folder):
    """Asks all that an editor asks while somebody reads and types."""
    document = {"textDocument": {"uri": uri}}
    lines = TEXT.splitlines()
    for number, line in enumerate(lines):
        for character in {0, len(line) // 2, len(line)}:
            for method in ("hover", "completion", "definition", "implementation", "signatureHelp",
                           "documentHighlight"):
                c.at(f"textDocument/{method}", uri, number, character)
            # Most places have no name.
            c.start("textDocument/prepareRename", {
                **document, "position": {"line": number, "character": character}})
            c.at("textDocument/references", uri, number, character,
                 context={"includeDeclaration": True})
        c.range("textDocument/codeAction", uri, number, number, context={"diagnostics": []})
    for method in ("documentSymbol", "codeLens", "documentLink", "foldingRange",
                   "semanticTokens/full", "diagnostic"):
        c.request(f"textDocument/{method}", document)
    c.range("textDocument/inlayHint", uri)
    c.request("workspace/symbol", {"query": ""})
    c.request("postkit/environments", document)
    c.request("postkit/variables", {**document, "environment": "dev", "reveal": ["token"]})
    for name in ("body", "template", "link"):
        c.start("postkit/send", {**document, "name": name, "dryRun": True, "environment": "dev"})
    c.request("textDocument/formatting", {
        **document, "options": {"tabSize": 2, "insertSpaces": True}})
    environments = c.open(folder / "http-client.private.env.json", '{"dev": {""}}')
    c.at("textDocument/completion", environments, 0, 10)
    return c.request("textDocument/diagnostic", document)["items"]


@pytest.mark.parametrize("trusted", [None, False], ids=["nobody asked", "refused"])
def test_nothing_outside_is_read_for_what_is_shown(store, folder, outside, trusted):
    options = {} if trusted is None else {"trusted": trusted}
    watch = Watch(*outside)
    with client(store, folder, ASKING, options={"postkit": options}) as c:
        c.initialize()
        found = everything(c, c.open(folder / "a.http", TEXT), folder)
        assert any("not trusted" in item["message"] for item in found)
        # What only has to be agreed to is no mistake of the text.
        kinds = {item["severity"] for item in found if "outside.txt" in item["message"]}
        assert kinds == {3}
        assert watch.opened() == set()
        assert CANARY.encode() not in b"".join(c.server.messages)
        assert [m for m in c.requests if m["method"] == METHOD] == []


def test_what_is_trusted_is_read(store, folder, outside, target):
    watch = Watch(*outside)
    with client(store, folder, ASKING) as c:
        c.initialize()
        text = TEXT.replace("http://127.0.0.1:1", target.url)
        uri = c.open(folder / "a.http", text)
        place = {"textDocument": {"uri": uri}}
        assert "not trusted" in str(c.request("textDocument/diagnostic", place)["items"])
        c.answers[METHOD] = presses(TRUST)
        assert c.command("postkit.send", {"uri": uri, "name": "template"})["state"] == "done"
        assert target.seen[-1][3].startswith(CANARY.encode())
        opened = watch.opened()
        assert "outside.txt" in opened
        # The answer holds for what is shown, too, some of which was read with it.
        assert "not trusted" not in str(c.request("textDocument/diagnostic", place)["items"])
        assert {"outside.http", "env.json", "secrets.env"} <= opened | watch.opened()


def test_a_client_that_trusts_reads_all(store, folder, outside):
    watch = Watch(*outside)
    with client(store, folder, ASKING, options={"postkit": {"trusted": True}}) as c:
        c.initialize()
        everything(c, c.open(folder / "a.http", TEXT), folder)
        assert {"outside.http", "env.json", "secrets.env"} <= watch.opened()
