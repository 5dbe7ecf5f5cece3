"""Canaries: secrets that go over the wire, and must then be found nowhere that anything is kept,
shown or logged (contracts.md, section 5)."""

import base64
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import threading
import urllib.parse
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from rawclient import ResponseError, binary
from test_stock import FULL, client

# What a secret comes from, and its value. Most are spelt otherwise in URLs, JSON and base64.
ENVIRONMENT = {
    "private": 'canary "private" é/1',
    "dotenv": "canary&dotenv=2",
    "process": "canary+process\\3",
}
ASKED = {"password": "canary%20password 4", "deep": "canary<deep>ü5"}
STORED = {"stored": 'canary{stored}"6'}
WRITTEN = {
    "bearer": "canary-bearer-7", "basic": "canary-basic-8", "cookie": "canary-cookie-9",
    "digest": "canary-digest-10", "signing": "canary-signing-11", "session": "canary-session-12",
    "url": "canary-url-13", "proxy": "canary-proxy-14", "passphrase": "canary passphrase 15",
    "curl": "canary-curl-16", "settings": "canary-settings-17", "proxied": "canary-proxied-18",
}
CANARIES = {**ENVIRONMENT, **ASKED, **STORED, **WRITTEN}


def spellings(secret):
    """The forms in which a secret would be recognized, each with its name."""
    plain = secret.encode()
    quoted = json.dumps(secret, ensure_ascii=False)[1:-1]
    yield "plain", plain
    yield "latin-1", secret.encode("latin-1")
    yield "JSON", json.dumps(secret)[1:-1].encode()
    yield "JSON in UTF-8", quoted.encode()
    yield "JSON with \\/", quoted.replace("/", "\\/").encode()
    yield "JSON in JSON", json.dumps(quoted, ensure_ascii=False)[1:-1].encode()
    for safe in ("", "/", "/+", "!$&'()*+,;=:@/?", "!$'()*,;:@/?", "!$&'()*,;=:@/?"):
        yield "percent-encoded", urllib.parse.quote(secret, safe=safe).encode()
        yield "percent-encoded", urllib.parse.quote(secret, safe=safe).lower().encode()
    yield "form", urllib.parse.quote_plus(secret).encode()
    yield "hexadecimal", plain.hex().encode()
    yield "URL-safe base64", base64.urlsafe_b64encode(plain).rstrip(b"=")
    # Wherever it stands in what was encoded: the characters that it alone decides.
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + plain)
        yield "base64", whole[(before * 8 + 5) // 6:(before + len(plain)) * 8 // 6]


NEEDLES = sorted({
    (spelling, name, kind)
    for name, secret in CANARIES.items() for kind, spelling in spellings(secret)
})


class Found:
    """What was looked through; each place where a canary is counts once."""

    def __init__(self):
        self.places = {}

    def search(self, data, place, allowed=()):
        data = data if isinstance(data, bytes) else data.encode()
        for spelling, name, kind in NEEDLES:
            at = data.find(spelling)
            if at >= 0 and name not in allowed:
                near = data[max(0, at - 40):at + len(spelling) + 20]
                self.places.setdefault((name, place), (kind, near))

    def check(self):
        assert not self.places, "\n".join(str(place) for place in sorted(self.places.items()))


class Echo(BaseHTTPRequestHandler):
    """Repeats what it gets; /redirect leads on to what its query says."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.path, self.headers.items(), body))
        url = urllib.parse.urlsplit(self.path)
        status, extra = 200, [("Set-Cookie", "sid=canary-of-a-server")]
        if url.path == "/hang":
            self.server.hanging.set()
            self.connection.recv(1)
            self.close_connection = True
            return
        if url.path == "/digest" and "Authorization" not in self.headers:
            status, extra = 401, [("WWW-Authenticate", 'Digest realm="r", nonce="n", qop="auth"')]
        if url.path.startswith("/redirect"):
            status, extra = 307, [("Location", "/echo?" + url.query)]
        if url.path == "/broken":
            status, extra = 302, [("Location", "http://[" + url.query + "/")]
        if url.path == "/circle":
            status, extra = 302, [("Location", self.path)]
        # A cookie is no known secret where a server repeats it.
        lines = [f"{name}: {value}" for name, value in self.headers.items() if name != "Cookie"]
        answer = "\n".join([self.path, urllib.parse.unquote_plus(self.path), *lines]).encode()
        answer = answer + b"\n\n" + body
        if url.path == "/json":
            answer = json.dumps({"again": answer.decode("utf-8", "replace")}).encode()
        self.send_response(status)
        for name, value in extra:
            self.send_header(name, value)
        kind = "application/json" if url.path == "/json" else "text/plain"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_PUT = do_GET


@pytest.fixture
def echo():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    server.daemon_threads = True
    server.seen = []
    server.hanging = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


REQUESTS = """\
@url = {URL}
@derived = <{{{{private}}}}>

### every header
# @name headers
# @prompt password
# @secret deep
POST {{{{url}}}}/echo?a={{{{private}}}}&b={{{{derived}}}}&c={{{{API_KEY}}}}&d={{{{deep}}}}
Authorization: Bearer {bearer}
X-Dotenv: {{{{API_KEY}}}} {{{{$dotenv API_KEY}}}}
X-Process: {{{{$processEnv CANARY_TOKEN}}}}
X-Prompt: {{{{password}}}}
X-Deep: {{{{deep}}}}
Cookie: own={cookie}
Content-Type: text/plain

{{{{private}}}} {{{{API_KEY}}}} {{{{$processEnv CANARY_TOKEN}}}} {{{{password}}}} {{{{deep}}}}

### JSON
# @prompt password
# @secret deep
POST {{{{url}}}}/json
Content-Type: application/json

{{"a": "{{{{password}}}}", "b": "{{{{deep}}}}", "c": "{{{{API_KEY}}}}"}}

### form
# @prompt password
# @secret deep
POST {{{{url}}}}/echo
Content-Type: application/x-www-form-urlencoded

a={{{{password}}}}&b={{{{deep}}}}&c={{{{API_KEY}}}}&d={{{{private}}}}

### parts
# @prompt password
POST {{{{url}}}}/json
Content-Type: multipart/form-data; boundary=border

--border
Content-Disposition: form-data; name="a"

{{{{password}}}} {{{{private}}}}
--border--

### basic
GET {{{{url}}}}/echo
Authorization: Basic ann:{basic}

### basic of a variable
GET {{{{url}}}}/json
Authorization: Basic ann {{{{private}}}}

### digest
GET {{{{url}}}}/digest
Authorization: Digest ann {digest}

### signature
GET {{{{url}}}}/echo
Authorization: AWS AKID {signing} token:{session} service:s3

### user information
GET http://ann:{url}@{HOST}/echo

###
GET http://ann:{url}@{HOST}/echo?nameless

###
GET http://ann:{url}@{HOST}/echo?unresolved={{{{nope}}}}

### user information of a variable
GET http://{{{{API_KEY}}}}:{{{{API_KEY}}}}@{HOST}/echo

### hops
# @name hops
POST {{{{url}}}}/redirect/{{{{API_KEY}}}}?x={{{{API_KEY}}}}
Authorization: Bearer {bearer}
X-Key: {{{{API_KEY}}}}

{{{{API_KEY}}}}

### read what came back
POST {{{{url}}}}/echo
Content-Type: text/plain

{{{{headers.response.body}}}} {{{{hops.response.body}}}}

### a broken hop
# @secret deep
GET {{{{url}}}}/broken?{{{{deep}}}}{{{{API_KEY}}}}

### a circle of hops
GET {{{{url}}}}/circle?{{{{API_KEY}}}}

### a proxy that refuses
# @proxy http://ann:{proxy}@127.0.0.1:1
GET {{{{url}}}}/echo

### a proxy that answers
# @proxy http://ann:{proxy}@{HOST}
GET {{{{url}}}}/echo

### a command line
curl -u ann:{curl} -d 'x={{{{API_KEY}}}}' {{{{url}}}}/json

### the cookies and the proxy of a command line
curl -b 'sid={cookie}' -H 'Authorization: Bearer {bearer}' \\
  -x http://ann:{proxy}@{HOST} {{{{url}}}}/json

### the cookie field and the bearer of a command line
curl -H "cookie: a=b; sid={cookie}" --oauth2-bearer {bearer} \\
  --pass '{passphrase}' {{{{url}}}}/json

### what a command line says that is passed by
curl --proxy-user ann:{proxy} --tlspassword {curl} {{{{url}}}}/json

### tags of a command line
# @curl-user ann:{curl}
# @curl-cookie sid={cookie}
GET {{{{url}}}}/json

### a certificate
GET https://{HOST}/{{{{API_KEY}}}}

### no such host
GET http://{{{{API_KEY}}}}.invalid/{{{{API_KEY}}}}

### a host of a secret
# @secret deep
GET http://x{{{{deep}}}}.invalid/

### refused
GET http://ann:{{{{API_KEY}}}}@127.0.0.1:1/{{{{private}}}}

### no answer
# @timeout 20 ms
GET {{{{url}}}}/hang?{{{{API_KEY}}}}

### unresolved
GET {{{{url}}}}/{{{{private}}}}/{{{{nope}}}}
Authorization: Bearer {{{{API_KEY}}}}

### no such file
POST {{{{url}}}}/

< ./{{{{API_KEY}}}}.json

### a wrong method
{{{{API_KEY}}}} {{{{url}}}}/echo

### a wrong duration
# @timeout {{{{API_KEY}}}}
GET {{{{url}}}}/echo

### checked
# @assert status == {{{{API_KEY}}}}
GET {{{{url}}}}/echo
X-Key: {{{{API_KEY}}}}

?? body == {{{{API_KEY}}}}
?? header x-none == {{{{private}}}}
"""


@pytest.fixture
def project(folder, echo):
    """A folder whose requests use every source of secrets."""
    host = f"127.0.0.1:{echo.server_port}"
    text = REQUESTS.format(URL=f"http://{host}", HOST=host, **WRITTEN)
    (folder / "a.http").write_text(text)
    (folder / ".env").write_text(f"API_KEY={CANARIES['dotenv']}\n")
    (folder / "http-client.env.json").write_text('{"dev": {"shown": "1"}}')
    (folder / "http-client.private.env.json").write_text(
        json.dumps({"dev": {"private": CANARIES["private"]}}))
    (folder / "postkit.json").write_text(json.dumps({
        "tls.certificates": {"127.0.0.1": {
            "cert": "broken.pem", "key": "broken.pem", "passphrase": CANARIES["passphrase"]}}}))
    (folder / "broken.pem").write_text("no certificate")
    return folder


def environment(folder):
    """What a process finds: one secret of its own, and nobody's keyring."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    return {
        **kept, "CANARY_TOKEN": CANARIES["process"], "POSTKIT_SQL_TRACE": "1",
        "HOME": str(folder.parent), "DBUS_SESSION_BUS_ADDRESS": "",
    }


def stored_files(store):
    """Every file of a store but the one that may hold secrets, with its bytes."""
    for path in sorted(store.rglob("*")):
        if path.is_file():
            if path.name == "secrets.json":
                assert path.stat().st_mode & 0o777 == 0o600
                continue
            yield path, path.read_bytes()


class CommandLine:
    """Runs the program and searches what it prints."""

    def __init__(self, store, folder):
        self.store = store
        self.folder = folder
        self.environment = environment(folder)
        self.found = Found()

    def run(self, *words, shows_responses=False):
        result = subprocess.run(
            [binary(), *words, "--store", str(self.store)], cwd=self.folder, env=self.environment,
            capture_output=True, timeout=60)
        self.found.search(result.stderr, f"standard error of {words[:3]}")
        if not shows_responses:
            self.found.search(result.stdout, f"standard output of {words}")
        return result

    def look_back(self):
        """Asks for everything that is kept, in every form; the entries of the history."""
        entries = json.loads(self.run("history", "--json", "--limit", "100").stdout)
        for entry in entries:
            for how in ((), ("--json",), ("--body",)):
                self.run("history", "show", entry["id"], *how)
        self.run("history", "show", entries[0]["id"], "--diff", entries[-1]["id"])
        self.run("history", "timeline", entries[0]["id"])
        for words in (
            ("history",), ("env", "a.http"), ("env", "a.http", "--json", "--env", "dev"),
            ("check", "a.http"), ("check", "a.http", "--json", "--env", "dev"),
            ("doctor",), ("doctor", "--json"), ("collections",), ("collections", "--json"),
            ("export", "history", "--format", "har"), ("export", "history", "--format", "jsonl"),
            ("export", "history", "--format", "http"),
        ):
            self.run(*words)
        for path, data in stored_files(self.store):
            self.found.search(data, path.name)
        return entries


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


def search_session(found, server):
    """Searches all that a server has said."""
    for message in server.messages:
        # An edit of the document has what its author wrote.
        message = re.sub(rb'"newText":"(?:[^"\\]|\\.)*"', b"", message)
        found.search(message, message[:160].decode("utf-8", "replace"))
    assert b"sql " in server.errors
    found.search(server.errors, "standard error of the server")


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
    assert echo.hanging.wait(30)
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


def keep_two_secrets(line, port):
    """Has a collection whose one request needs two secrets, which are kept where they are now."""
    (line.folder / "a.http").write_text(
        f"### kept\nGET http://127.0.0.1:{port}/\nX-Key: {{{{a}}}}{{{{b}}}}\n")
    assert line.run("collections", "save", "a.http", "--to", "Shop").returncode == 0
    place = ("--env", "live", "--collection", "Shop")
    for name in ("a", "b"):
        secret = f"{name}={CANARIES['stored']}"
        assert line.run("collections", "set", secret, "--secret", *place).returncode == 0
    assert line.run("collections", "use", "Shop", "live").returncode == 0


def refused_send(line):
    """Sends that request from an editor, twice; what is said of it."""
    options = {"postkit": {"testing": True, "trusted": True}}
    with client(
            line.store, line.folder, options=options, environment=line.environment) as c:
        c.initialize()
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        for _ in range(2):
            with pytest.raises(ResponseError) as caught:
                c.request("postkit/send", {"textDocument": {"uri": node["children"][0]["uri"]}})
    search_session(line.found, c.server)
    return str(caught.value)


@pytest.mark.parametrize("asker", ["command line", "editor"])
def test_a_bus_that_says_nothing_is_waited_for_once(store, project, echo, tmp_path, asker):
    line = CommandLine(store, project)
    keep_two_secrets(line, echo.server_port)
    (store / "secrets.json").unlink()
    with socket.socket(socket.AF_UNIX) as bus:
        bus.bind(str(tmp_path / "bus"))
        bus.listen()
        bus.setblocking(False)
        line.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={tmp_path / 'bus'}"
        if asker == "editor":
            told = refused_send(line)
        else:
            sent = line.run("collections", "send", "Shop/kept")
            assert sent.returncode == 5
            told = sent.stderr.decode()
        assert "gave no answer within 5 seconds" in told
        assert "DBUS_SESSION_BUS_ADDRESS empty" in told
        bus.accept()[0].close()
        with pytest.raises(BlockingIOError):
            bus.accept()
    assert echo.seen == [] and not (store / "secrets.json").exists()
    line.found.check()


@contextmanager
def keyring(folder, password=None):
    """A message bus that starts a real keyring, which is locked where no password is given; its
    address."""
    (folder / "services").mkdir(parents=True, exist_ok=True)
    (folder / "run").mkdir(exist_ok=True)
    (folder / "password").write_text(password or "")
    unlock = f"--unlock < '{folder}/password'" if password else ""
    (folder / "start").write_text(
        f"export HOME='{folder}' XDG_DATA_HOME='{folder}/data' XDG_RUNTIME_DIR='{folder}/run'\n"
        f"exec gnome-keyring-daemon --foreground --components=secrets {unlock}\n")
    (folder / "services" / "keyring.service").write_text(
        f"[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/sh {folder}/start\n")
    (folder / "bus.conf").write_text(
        f"<busconfig><type>session</type><listen>unix:path={folder}/bus</listen>"
        f"<auth>EXTERNAL</auth><servicedir>{folder}/services</servicedir>"
        "<policy context='default'><allow send_destination='*' eavesdrop='true'/>"
        "<allow eavesdrop='true'/><allow own='*'/></policy></busconfig>")
    with subprocess.Popen(
            ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"],
            stdout=subprocess.PIPE) as bus:
        try:
            # It tells the address when it can be reached.
            yield bus.stdout.readline().decode().strip()
        finally:
            bus.terminate()


def test_an_editor_is_told_of_a_locked_keyring(store, project, echo, tmp_path):
    if not all(map(shutil.which, ["dbus-daemon", "gnome-keyring-daemon"])):
        assert os.environ.get("POSTKIT_REQUIRE_ALL") != "1"
        pytest.skip("there is no keyring on this machine")
    line = CommandLine(store, project)
    with keyring(tmp_path / "session", "open sesame") as address:
        line.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        keep_two_secrets(line, echo.server_port)
    assert not (store / "secrets.json").exists()
    # The first keyring is gone, and with it the password that was given.
    with keyring(tmp_path / "session") as address:
        line.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        assert "The desktop's keyring is locked" in refused_send(line)
    assert echo.seen == [] and not (store / "secrets.json").exists()
    line.found.check()
