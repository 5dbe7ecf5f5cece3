"""Editors read settings in the first and last lines of files; a server can't give them any."""

import subprocess
from pathlib import Path

import pytest
from rawclient import TIMEOUT
from test_stock import FULL, client, without
from test_views import answered, path

LIST = "x\nLocal Variables:\ntab-width: 3\nEnd:\n"
# What is in it, and whether Vim obeys it (else Emacs).
TEXTS = {
    "last": ("a\nb\n\nvim: set shiftwidth=3 tabstop=3 :\n", True),
    "first": ("/* vim600: set shiftwidth=3 : */\n" + "x\n" * 30, True),
    "list": ("x\n" * 30 + LIST, False),
    "page": ("x\n\x0c\n" + LIST, False),
    "head": ("x -*- tab-width: 3 -*-\n" + "x\n" * 30, False),
}
VIEWS = ["all", "raw", "pretty"]


def vim(file, output):
    subprocess.run(
        ["vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "--cmd", "set modeline modelines=5",
         "-c", f"call writefile([&shiftwidth], '{output}')", "-c", "qa!", file],
        timeout=TIMEOUT, check=False)
    return output.read_text().strip()


def emacs(file, output):
    subprocess.run(
        ["emacs", "-Q", "--batch", "--eval",
         f'(progn (setq enable-local-variables :all) (find-file "{file}")'
         f' (let ((width tab-width)) (with-temp-file "{output}" (insert (format "%s" width)))))'],
        timeout=TIMEOUT, check=True)
    return output.read_text().strip()


@pytest.mark.parametrize("name", TEXTS)
def test_an_editor_takes_no_settings_from_a_response(store, folder, target, tmp_path, name):
    text, is_vims = TEXTS[name]
    ask = vim if is_vims else emacs
    plain = tmp_path / "plain.txt"
    plain.write_text(text)
    # As a file of its own it is obeyed.
    assert ask(plain, tmp_path / "out") == "3"
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        answer = answered(c, folder, target, text)
        for view in VIEWS:
            shown = c.command("postkit.showResponse", {"id": answer["id"], "view": view})
            file = path(shown["uri"] if isinstance(shown, dict) else shown)
            assert text.rstrip("\n") in file.read_text()
            assert ask(file, tmp_path / "out") == "8", view


def test_a_header_and_a_difference_give_none_either(store, folder, target, tmp_path):
    trap = "vim: set shiftwidth=3 :"
    target.headers["/trap"] = {"X-Trap": trap}
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        first = answered(c, folder, target, "one\n")
        uri = (folder / "a.http").as_uri()
        target.bodies["/trap"] = ("text/plain", f"two\n {trap}\n".encode())
        second = c.command("postkit.send", {"uri": uri, "name": "trap"})
        shown = [
            c.command("postkit.showResponse", {"id": first["id"], "view": view})
            for view in ["all", "headers"]]
        shown.append(c.command("postkit.diffResponses", {"a": first["id"], "b": second["id"]}))
        for uri in shown:
            file = path(uri["uri"] if isinstance(uri, dict) else uri)
            assert trap in Path(file).read_text()
            assert vim(file, tmp_path / "out") == "8", file.read_text()


def test_any_other_response_is_shown_as_it_is(store, folder, target):
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        answer = answered(c, folder, target, "the vim way\n")
        shown = c.command("postkit.showResponse", {"id": answer["id"], "view": "raw"})
        assert path(shown["uri"] if isinstance(shown, dict) else shown).read_text() == (
            "the vim way\n")
