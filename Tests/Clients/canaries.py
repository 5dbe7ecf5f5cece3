"""Secrets, all the forms in which one is recognized, and where they are looked for."""

import base64
import json
import os
import re
import subprocess
import threading
import urllib.parse
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rawclient import TIMEOUT, binary

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


@contextmanager
def echoing():
    """A server that repeats what it gets, and remembers it."""
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


def filled(folder, port):
    """A folder whose requests use every source of secrets."""
    host = f"127.0.0.1:{port}"
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
            capture_output=True, timeout=TIMEOUT)
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
            ("export", "history", "--format", "openapi"),
            ("export", "history", "--format", "http"),
        ):
            self.run(*words)
        for path, data in stored_files(self.store):
            self.found.search(data, path.name)
        return entries


def search_session(found, server):
    """Searches all that a server has said."""
    for message in server.messages:
        # An edit of the document has what its author wrote.
        message = re.sub(rb'"newText":"(?:[^"\\]|\\.)*"', b"", message)
        found.search(message, message[:160].decode("utf-8", "replace"))
    assert b"sql " in server.errors
    found.search(server.errors, "standard error of the server")
