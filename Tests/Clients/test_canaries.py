"""Canaries: secrets that go over the wire, and must then be found nowhere that anything is kept,
shown or logged (CONTRACTS.md, section 5)."""

import json
import os
import resource
import signal
import subprocess
import urllib.parse
from pathlib import Path

import pytest
from canaries import (
    ASKED,
    CANARIES,
    ENVIRONMENT,
    CommandLine,
    Found,
    echoing,
    environment,
    filled,
    search_session,
    stored_files,
)
from rawclient import TIMEOUT, ResponseError, binary
from test_stock import FULL, client


@pytest.fixture
def echo():
    with echoing() as server:
        yield server


@pytest.fixture
def project(folder, echo):
    return filled(folder, echo.server_port)


def test_the_command_line_leaves_no_secret(store, project):
    line = CommandLine(store, project)
    answers = [word for name in ASKED for word in ("--input", f"{name}={ASKED[name]}")]
    kinds = ("json", "junit", "tap")
    reports = [word for kind in kinds for word in ("--report", f"{kind}=r.{kind}")]
    sent = line.run(
        "run", "a.http", "--all", "--env", "dev", *answers, *reports, shows_responses=True)
    assert sent.returncode == 3, sent.stderr
    assert b"sql " in sent.stderr
    for name in ENVIRONMENT.keys() | ASKED:
        assert CANARIES[name].encode() in sent.stdout, name
    for kind in kinds:
        line.found.search((project / f"r.{kind}").read_bytes(), f"the report {kind}")
    assert len(line.look_back()) > 20
    line.found.check()


@pytest.mark.parametrize("place", ["settings", "environment"])
def test_the_password_of_a_proxy_is_no_part_of_what_is_kept(store, project, echo, place):
    line = CommandLine(store, project)
    proxy = "http://ann:{}@127.0.0.1:" + str(echo.server_port)
    if place == "settings":
        (project / "postkit.json").write_text(json.dumps(
            {"proxy": proxy.format(CANARIES["settings"])}))
    else:
        line.environment["http_proxy"] = proxy.format(CANARIES["proxied"])
    (project / "a.http").write_text("GET http://service.test/echo\n\n###\nGET http://ftp:x@[/\n")
    line.run("run", "a.http", "--all", "--report", "json=r.json", shows_responses=True)
    assert echo.seen[0][0] == "http://service.test/echo"
    assert "Basic " in dict(echo.seen[0][1])["Proxy-Authorization"]
    line.found.search((project / "r.json").read_bytes(), "the report")
    line.look_back()
    line.found.check()


def test_a_stored_secret_is_in_its_file_alone(store, project, echo):
    line = CommandLine(store, project)
    host = f"127.0.0.1:{echo.server_port}"
    (project / "a.http").write_text(
        f"### kept\nPOST http://{host}/json?a={{{{key}}}}\nX-Key: {{{{key}}}}\n\n"
        "x={{key}}\n\n### lost\nGET http://x.invalid/{{key}}\n")
    for name in ("kept", "lost"):
        saved = line.run("collections", "save", "a.http", "--name", name, "--to", "Shop")
        assert saved.returncode == 0
    secret = f"key={CANARIES['stored']}"
    place = ("--env", "live", "--collection", "Shop")
    assert line.run("collections", "set", secret, "--secret", *place).returncode == 0
    assert line.run("collections", "use", "Shop", "live").returncode == 0
    assert line.run("collections", "send", "Shop/kept", shows_responses=True).returncode == 0
    assert line.run("collections", "send", "Shop/lost").returncode == 4
    line.run("collections", "show", "Shop/kept")
    line.run("collections", "find", "shop", "--json")
    line.run("collections", "environments", "--json")
    line.run("collections", "duplicate", "Shop")
    assert line.run("export", "collection", "Shop", "--output", "out").returncode == 0
    for path, data in stored_files(project / "out"):
        line.found.search(data, str(path))
    line.look_back()
    assert len(echo.seen) == 1
    found = line.found
    options = {"postkit": {"testing": True, "trusted": True}}
    with client(
            store, project, options=options, environment=environment(project)) as c:
        c.initialize()
        [node, _] = c.request("postkit/collections", {"depth": 2})["nodes"]
        for child in node["children"]:
            sent = c.request("postkit/send", {"textDocument": {"uri": child["uri"]}})
            assert sent["status"] == (200 if child["name"] == "kept" else None)
            opened = c.command("postkit.collections", {"id": child["id"]})
            text = Path(urllib.parse.unquote(opened[7:])).read_text()
            c.show(Path(urllib.parse.unquote(opened[7:])), text)
            queries(c, opened, text)
        c.request("workspace/textDocumentContent", {"uri": "postkit:/collections"})
    search_session(found, c.server)
    assert len(echo.seen) == 2
    for path, data in stored_files(store):
        found.search(data, path.name)
    kept = (store / "secrets.json").read_text()
    assert list(json.loads(kept)["secrets"].values()) == [CANARIES["stored"]] * 2
    found.check()


def test_a_secret_client_of_a_collection_is_exported_without_its_secrets(store, project):
    line = CommandLine(store, project)
    (project / "a.http").write_text(
        '### kept\nGET http://h/\nAuthorization: Bearer {{$auth.token("svc")}}\n')
    assert line.run("collections", "save", "a.http", "--to", "Shop").returncode == 0
    client_fields = {
        "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "https://a/t",
        "Client ID": "me", "Client Secret": CANARIES["stored"]}
    secret = "Security=" + json.dumps({"Auth": {"svc": client_fields}})
    place = ("--env", "live", "--collection", "Shop")
    assert line.run("collections", "set", secret, "--secret", *place).returncode == 0
    made = line.run(
        "export", "requests", "collection:Shop", "--format", "bruno", "--env", "live",
        "--output", "out")
    assert made.returncode == 0
    texts = [path.read_text() for path in (project / "out").rglob("*.bru")]
    assert any("grant_type: client_credentials" in text for text in texts), texts
    for path, data in stored_files(project / "out"):
        line.found.search(data, str(path))
    line.found.check()


def queries(c, uri, text):
    """Everything that an editor asks about a document while somebody moves through it."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        columns = {0, len(line)} | {at + 3 for at in range(len(line)) if line.startswith("{{", at)}
        columns |= {at for at in range(0, len(line), 9)}
        for column in sorted(columns):
            c.at("textDocument/hover", uri, number, column)
        for column in sorted(columns & {0, len(line), *(line.find("{{") + 2,)}):
            listed = c.at("textDocument/completion", uri, number, max(0, column))
            for item in (listed or {}).get("items", [])[:8]:
                c.request("completionItem/resolve", item)
        if line.startswith("###"):
            found = c.range(
                "textDocument/codeAction", uri, number + 1, number + 1, context={"diagnostics": []})
            assert found is not None
    for lens in c.request("textDocument/codeLens", {"textDocument": {"uri": uri}}):
        c.request("codeLens/resolve", lens)
    for method in ("documentSymbol", "diagnostic", "documentLink"):
        c.request(f"textDocument/{method}", {"textDocument": {"uri": uri}})
    c.range("textDocument/inlayHint", uri)
    c.request("postkit/variables", {"textDocument": {"uri": uri}})
    c.request("postkit/environments", {"textDocument": {"uri": uri}})


def test_an_editor_is_told_no_secret(store, project):
    found = Found()
    text = (project / "a.http").read_text()
    abilities = {
        **FULL, "experimental": {"postkit": {
            "version": 1, "stream": True, "input": True, "storeEvents": True, "status": True}}}
    options = {"postkit": {
        "testing": True, "trusted": True, "settings": {"environment": "dev"}}}
    with client(
            store, project, abilities, options=options, environment=environment(project)) as c:
        c.answers["postkit/input"] = lambda params: {"value": ASKED[params["title"]]}
        c.initialize()
        uri = c.open(project / "a.http", text)
        queries(c, uri, text)
        results = []
        for number, line in enumerate(text.split("\n")):
            if not line.startswith("### "):
                continue
            place = {"position": {"line": number + 1, "character": 0}}
            params = {"textDocument": {"uri": uri}, **place, "workDoneToken": number}
            try:
                results.append(c.request("postkit/send", params))
            except ResponseError as error:
                assert error.code == -32803, error
        assert len(results) > 20
        c.request("workspace/executeCommand", {
            "command": "postkit.sendAll", "arguments": [{"uri": uri}]})
        queries(c, uri, text)
        for entry in c.request("postkit/history", {"limit": 100})["items"]:
            document = f"postkit:/response/{entry['id']}.http"
            shown = c.request("workspace/textDocumentContent", {"uri": document})["text"]
            assert shown
            for part in ("request", "response"):
                for view in ("raw", "pretty", "headers"):
                    c.request("postkit/exchange", {"id": entry["id"], "part": part, "view": view})
            c.command("postkit.history", {"id": entry["id"]})
            timeline = f"postkit:/timeline/{entry['id']}.http"
            c.request("workspace/textDocumentContent", {"uri": timeline})
        for form in ("har", "jsonl", "http"):
            c.request("postkit/transfer", {"direction": "export", "format": form})
        for name in ("history", "cookies", "session", "environments"):
            c.request("workspace/textDocumentContent", {"uri": f"postkit:/{name}"})
    search_session(found, c.server)
    for path, data in stored_files(store):
        found.search(data, path.name)
    found.check()


@pytest.mark.parametrize("number", [signal.SIGILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_crash_leaves_nothing_of_what_is_in_memory(store, project, echo, tmp_path, number):
    # What Swift's runtime would start to have it print registers and the memory they point at.
    backtrace = tmp_path / "backtrace"
    backtrace.write_text(f"#!/bin/sh\ntouch '{tmp_path}/started'\n")
    backtrace.chmod(0o755)
    (project / "a.http").write_text(
        f"GET http://127.0.0.1:{echo.server_port}/hang\nX-Key: {{{{API_KEY}}}}\n")
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    process = subprocess.Popen(
        [binary(), "run", "a.http", "--store", str(store)], cwd=project,
        env={
            **environment(project), "SWIFT_BACKTRACE": f"enable=yes,swift-backtrace={backtrace}"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most)))
    assert echo.hanging.wait(TIMEOUT)
    os.kill(process.pid, number)
    _, status = os.waitpid(process.pid, 0)
    process.returncode = -number
    assert os.WTERMSIG(status) == number and not os.WCOREDUMP(status)
    assert not (tmp_path / "started").exists()
    assert process.stdout.read() == b""
    found = Found()
    found.search(process.stderr.read(), "standard error")
    for stream in (process.stdout, process.stderr):
        stream.close()
    for path, data in stored_files(store):
        found.search(data, path.name)
    found.check()
