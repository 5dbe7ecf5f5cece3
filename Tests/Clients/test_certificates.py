"""The certificates that settings and environments name: links to them, those that are missing, and
paths that follow them."""

import json

import pytest
from rawclient import Client
from test_abilities import ALL
from test_references import applied

PAIR = {"cert": "keys/a.pem", "key": "keys/none.pem"}
# Each kind of file, with its text; a path counts from the folder `from`, seen from the file's own.
FILES = {
    "postkit.json": ({"tls.certificates": {"a.test": PAIR}}, "."),
    "sub/postkit.json": ({"tls": {"certificates": {"a.test": PAIR}}}, "."),
    ".vscode/settings.json": ({"rest-client.certificates": {"a.test": PAIR}}, ".."),
    "sub/.vscode/settings.json": ({"rest-client.certificates": {"a.test": PAIR}}, ".."),
    "all.code-workspace": ({"settings": {"rest-client.certificates": {"a.test": PAIR}}}, "."),
    ".httpyac.json": ({"clientCertificates": {"a.test": PAIR}}, "."),
    "http-client.private.env.json": ({"dev": {"SSLConfiguration": {
        "clientCertificate": "keys/a.pem", "clientCertificateKey": "keys/none.pem"}}}, "."),
}


@pytest.fixture(params=list(FILES))
def named(request, folder):
    """A file, its text, and the folder with the certificate."""
    value, base = FILES[request.param]
    path = folder / request.param
    keys = (path.parent / base / "keys").resolve()
    keys.mkdir(parents=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    (keys / "a.pem").write_text("")
    return path, json.dumps(value), keys


def test_certificates_are_links_or_missing(store, folder, named):
    path, text, keys = named
    with Client(store, ALL, folder=folder) as c:
        c.initialize()
        uri = c.open(path, text)
        (link,) = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        assert link["target"] == (keys / "a.pem").as_uri()
        start, end = (link["range"][it]["character"] for it in ("start", "end"))
        assert text[start:end] == "keys/a.pem"
        found = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        (missing,) = [it for it in found if it["code"] == "file-not-found"]
        start, end = (missing["range"][it]["character"] for it in ("start", "end"))
        assert text[start:end] == "keys/none.pem"
        assert str(keys / "none.pem") in missing["message"]


def test_paths_follow_certificates(store, folder, named):
    path, text, keys = named
    path.write_text(text)
    with Client(store, ALL, folder=folder) as c:
        c.initialize()
        edit = c.request("workspace/willRenameFiles", {"files": [
            {"oldUri": (keys / "a.pem").as_uri(), "newUri": (keys / "b.pem").as_uri()}]})
        moved = applied(folder, edit)
    assert moved[str(path.relative_to(folder))] == text.replace("keys/a.pem", "keys/b.pem")


def test_an_authority_is_a_link(store, folder):
    (folder / "ca.pem").write_text("")
    text = json.dumps({"tls.caFile": str(folder / "ca.pem")})
    with Client(store, ALL, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "postkit.json", text)
        (link,) = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        assert link["target"] == (folder / "ca.pem").as_uri()
        c.change(uri, '{"tls": {"caFile": "ca.pem"}}')
        (link,) = c.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        assert link["target"] == (folder / "ca.pem").as_uri()
