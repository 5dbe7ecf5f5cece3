"""What is in an editor's buffers wins over the disk, for all that is read."""

import json

import pytest
from rawclient import Client, ResponseError


def send(c, uri, line=0):
    """Sends the request on or below a line."""
    return c.command("postkit.send", {"uri": uri, "position": {"line": line, "character": 0}})


def seen(target):
    """The path and the body of the last request."""
    _, path, _, body = target.seen[-1]
    return path, body


MAIN = """import ./common.http

### ask
POST {{base}}/{{from}}/{{key}}/{{$dotenv KEY}}
Content-Type: text/plain

< ./raw.txt
<@ ./text.txt
"""
FILES = {
    "http-client.env.json": ['{"dev": {"base": "TARGET/disk"}}', '{"dev": {"base": "TARGET/new"}}'],
    "common.http": ["@from = disk\n", "@from = new\n"],
    ".env": ["KEY=disk\nkey=disk\n", "KEY=new\nkey=new\n"],
    "raw.txt": ["disk {{from}}\n", "new {{from}}\n"],
    "text.txt": ["disk {{from}}", "new {{from}}"],
    "main.http": [MAIN, MAIN.replace("/{{key}}", "/{{key}}-unsaved")],
}


@pytest.fixture
def texts(folder, target):
    texts = {
        name: [text.replace("TARGET", target.url) for text in pair]
        for name, pair in FILES.items()
    }
    for name, (disk, _) in texts.items():
        (folder / name).write_text(disk)
    return texts


def test_every_reader_sees_the_buffers(store, folder, target, texts):
    with Client(store, folder=folder) as c:
        c.initialize()
        main = c.open(folder / "main.http")
        c.command("postkit.selectEnvironment", {"name": "dev", "folder": folder.as_uri()})
        send(c, main, 3)
        assert seen(target) == ("/disk/disk/disk/disk", b"disk {{from}}\n\ndisk disk")
        for name, (disk, new) in texts.items():
            uri = main if name == "main.http" else c.show(folder / name, disk)
            c.change(uri, new)
        send(c, main, 3)
        assert seen(target) == ("/new/new/new-unsaved/new", b"new {{from}}\n\nnew new")
        for name in texts:
            if name != "main.http":
                uri = (folder / name).as_uri()
                c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        send(c, main, 3)
        assert seen(target) == ("/disk/disk/disk-unsaved/disk", b"disk {{from}}\n\ndisk disk")


def test_files_that_were_never_saved_are_read(store, folder, target):
    with Client(store, folder=folder) as c:
        c.initialize()
        text = f"import ./never.http\nPOST {target.url}/{{{{x}}}}/{{{{y}}}}\n\n< ./never.txt\n"
        main = c.show(folder / "a.http", text)
        c.show(folder / "never.http", "@x = 1\n")
        c.show(folder / "never.txt", "body")
        c.show(folder / "http-client.env.json", json.dumps({"dev": {"y": "2"}}))
        c.command("postkit.selectEnvironment", {"name": "dev", "folder": folder.as_uri()})
        send(c, main, 1)
        assert seen(target) == ("/1/2", b"body")
        (found,) = c.at("textDocument/definition", main, 0, 10)
        assert found["uri"] == (folder / "never.http").as_uri()


@pytest.mark.parametrize(
    "saved, shown",
    [
        (b"\xef\xbb\xbfmarked\n", "marked\n"),
        (b"latin \xe4\n", "latin \u00e4\n"),
        (b"line\r\nline\r\n", "line\nline\n"),
    ],
)
def test_what_only_looks_otherwise_in_an_editor_is_sent_from_the_disk(
    store, folder, target, saved, shown
):
    (folder / "body.txt").write_bytes(saved)
    with Client(store, folder=folder) as c:
        c.initialize()
        main = c.open(folder / "a.http", f"POST {target.url}/\n\n< ./body.txt\n")
        c.show(folder / "body.txt", shown)
        send(c, main)
        assert seen(target)[1] == saved


def test_a_buffer_outside_of_the_folder_is_asked_about_like_its_file(store, folder, target):
    outside = folder.parent / "outside.txt"
    outside.write_text("disk")
    with Client(store, folder=folder) as c:
        c.initialize()
        main = c.open(folder / "a.http", f"POST {target.url}/\n\n< ../outside.txt\n")
        c.show(outside, "buffer")
        with pytest.raises(ResponseError, match="not trusted"):
            send(c, main)
        assert target.seen == []
