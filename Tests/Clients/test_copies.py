"""Requests are copied for other programs: the answer has true values, what is shown has masks."""

import json
import re
import subprocess
import sys

import pytest
from rawclient import ResponseError
from test_send_commands import shown_copy
from test_stock import FULL, client, without

COMMENTS = dict.fromkeys(
    ["javascript", "axios", "go", "rust", "java", "kotlin", "csharp", "php", "swift"], "//")
BEGINNINGS = {
    "curl": "curl ", "httpie": "http ", "wget": "wget ", "python": "import requests",
    "httpx": "import httpx", "javascript": "const response = await fetch(",
    "axios": "const axios = require(", "go": "package main", "rust": "fn main()",
    "java": "import java.net.URI;", "kotlin": "import java.net.URI\n", "csharp": "using System;",
    "php": "<?php", "ruby": 'require "net/http"', "powershell": "Invoke-WebRequest ",
    "swift": "import Foundation", "hurl": "PUT http://", "http": "###\n",
}
PLACE = {"line": 0, "character": 0}


@pytest.mark.parametrize("target", BEGINNINGS)
def test_a_request_is_copied_as_it_would_be_sent(store, folder, target):
    (folder / "http-client.env.json").write_text(json.dumps({"dev": {"who": "ann"}}))
    text = "# @name it\nPUT http://127.0.0.1:1/{{who}}\nX-Who: {{who}}\n\n{\"a\": \"{{who}}\"}\n"
    options = {"postkit": {"commandPrefix": "two."}}
    with client(store, folder, options=options) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        copied = c.command("two.postkit.copyAs", {
            "uri": uri, "name": "it", "environment": "dev", "target": target})
        lines = copied.split("\n")
        code = "\n".join(line for line in lines if not line.startswith(("# ", "// ")))
        assert code.startswith(BEGINNINGS[target])
        # Ruby has the target apart from the origin.
        assert "http://127.0.0.1:1" in code and "/ann" in code
        assert "X-Who" in code and "{{" not in code
        if target == "curl":
            line = c.command("two.postkit.copyAsCurl", {
                "uri": uri, "name": "it", "environment": "dev"})
            assert line == copied


def test_a_copy_that_is_run_sends_the_request(store, folder, target):
    text = f"POST {target.url}/echo\nX-A: it's\nContent-Type: text/plain\n\n\"é\n"
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        code = c.command("postkit.copyAs", {"uri": uri, "position": PLACE, "target": "python"})
        assert target.seen == []
        assert c.command("postkit.send", {"uri": uri, "position": PLACE})["state"] == "done"
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
        ours, theirs = target.seen
        assert theirs[:2] == ours[:2] and theirs[3] == ours[3]
        assert theirs[2]["X-A"] == "it's"


def test_an_unknown_target_is_answered_with_those_there_are(store, folder):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", "GET http://127.0.0.1:1/\n")
        with pytest.raises(ResponseError) as caught:
            c.command("postkit.copyAs", {"uri": uri, "position": PLACE, "target": "perl"})
        assert caught.value.code == -32602
        names = re.findall(r"`(\w+)`", str(caught.value))
        assert names == ["perl", *BEGINNINGS]


@pytest.mark.parametrize("abilities", [FULL, without(FULL, "workspace.textDocumentContent")])
@pytest.mark.parametrize("target", BEGINNINGS)
def test_what_is_shown_of_a_copy_has_masks(store, folder, abilities, target):
    secret = 's3cret-"of\\the line'
    (folder / "http-client.private.env.json").write_text(json.dumps({"dev": {"k": secret}}))
    text = ("POST http://127.0.0.1:1/?a={{k}}\nAuthorization: Bearer other\nX-K: {{k}}\n"
            "Content-Type: text/plain\n\nbody {{k}}\n")
    with client(store, folder, abilities) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        argument = {
            "uri": uri, "position": PLACE, "environment": "dev", "target": target, "reveal": True}
        copied = c.command("postkit.copyAs", argument)
        assert "Bearer other" in copied and "s3cret" in copied
        found = shown_copy(c)
        assert found.startswith(COMMENTS.get(target, "#") + " This text masks secrets;")
        assert "s3cret" not in found and "Bearer other" not in found and "••••••" in found


SHELLS = {"curl", "httpie", "wget", "http"}


@pytest.mark.parametrize("target", BEGINNINGS)
def test_code_reads_secrets_from_its_environment(store, folder, target):
    (folder / "http-client.private.env.json").write_text(
        json.dumps({"dev": {"apiToken": "s3cret-value"}}))
    text = ("POST http://127.0.0.1:1/?a={{apiToken}}\nAuthorization: Bearer {{apiToken}}\n"
            "Content-Type: text/plain\n\nbody {{apiToken}}\n")
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        copied = c.command("postkit.copyAs", {
            "uri": uri, "position": PLACE, "environment": "dev", "target": target})
        assert ("s3cret-value" in copied) == (target in SHELLS)
        assert (copied.count("API_TOKEN") >= 4) == (target not in SHELLS)


def test_without_a_place_the_last_one_is_meant(store, folder):
    with client(store, folder) as c:
        c.initialize()
        with pytest.raises(ResponseError):
            c.command("postkit.copyAs", {"target": "wget"})
        uri = c.open(folder / "a.http", "GET http://127.0.0.1:1/one\n\n###\nGET http://h/two\n")
        c.at("textDocument/hover", uri, 3, 0)
        assert c.command("postkit.copyAs", {"target": "wget"}).endswith("http://h/two")
        assert c.command("postkit.copyAs").startswith("curl ")
