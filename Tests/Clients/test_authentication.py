"""Signing in at servers that other people wrote: NTLM and Negotiate as pyspnego accepts them, and
Digest as httpbin does.
"""

import base64
import json
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import spnego
from flask import Flask, request
from httpbin import app, helpers
from rawclient import TIMEOUT, Client, binary
from werkzeug.serving import WSGIRequestHandler, make_server

USERS = "HALL:ann:s3cret pass\n:bob:p\u00e4ss\n"


class Hall(ThreadingHTTPServer):
    """Lets in who signs in with its scheme, and remembers what came on which connection."""

    daemon_threads = True

    def __init__(self, scheme):
        super().__init__(("127.0.0.1", 0), Doorman)
        self.scheme = scheme
        self.seen = []
        self.url = f"http://127.0.0.1:{self.server_port}/"


class Doorman(BaseHTTPRequestHandler):
    """One connection, which is what NTLM signs in (MS-NTHT); its state ends with it."""

    protocol_version = "HTTP/1.1"
    context = None

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        scheme = self.server.scheme
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        given = self.headers.get("Authorization", "")
        self.server.seen.append((self.client_address, self.command, given, body))
        name, _, token = given.partition(" ")
        if name != scheme or not token:
            return self.answer(401, scheme, b"who are you?")
        try:
            self.context = self.context or spnego.server(protocol=scheme.lower())
            reply = self.context.step(base64.b64decode(token))
        except spnego.exceptions.SpnegoError:
            self.context = None
            return self.answer(401, scheme, b"not you")
        if self.context.complete:
            return self.answer(200, None, self.context.client_principal.encode())
        return self.answer(401, f"{scheme} {base64.b64encode(reply).decode()}", b"prove it")

    def answer(self, status, challenge, body):
        self.send_response(status)
        if challenge:
            self.send_header("WWW-Authenticate", challenge)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET


@pytest.fixture
def hall(tmp_path, monkeypatch):
    """Opens halls, which close with the test."""
    users = tmp_path / "users"
    users.write_text(USERS)
    monkeypatch.setenv("NTLM_USER_FILE", str(users))
    # Tickets of the machine must not decide.
    monkeypatch.setenv("KRB5CCNAME", f"FILE:{tmp_path / 'no tickets'}")
    halls = []

    def opens(scheme):
        halls.append(Hall(scheme))
        threading.Thread(target=halls[-1].serve_forever, daemon=True).start()
        return halls[-1]

    yield opens
    for hall in halls:
        hall.shutdown()
        hall.server_close()


@pytest.fixture
def postkit(folder, store):
    """Runs the program in the folder, with a store that lasts as long as the test."""

    def runs(*words):
        environment = {**os.environ, "POSTKIT_HOME": str(store)}
        return subprocess.run(
            [binary(), *words], cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT,
            check=False,
        )

    return runs


def shown(ended):
    return ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "written, who",
    [
        ("NTLM HALL\\ann s3cret pass", "HALL\\ann"),
        ("NTLM HALL\\ann:s3cret pass", "HALL\\ann"),
        # libcurl takes no text here but bytes, which it makes wide.
        ("ntlm bob p\u00e4ss", "bob"),
        ("NTLM {{user}} {{password}}", "HALL\\ann"),
        ("NTLM {{both}}", "bob"),
    ],
)
def test_ntlm_is_a_handshake_on_one_connection(hall, postkit, folder, written, who):
    server = hall("NTLM")
    definitions = "@user = HALL\\\\ann\n@password = s3cret pass\n@both = bob p\u00e4ss\n\n"
    (folder / "a.http").write_text(f"{definitions}GET {server.url}\nAuthorization: {written}\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == who.encode()
    connections, _, given, _ = zip(*server.seen, strict=True)
    assert len(server.seen) == 2 and len(set(connections)) == 1
    assert all(value.startswith("NTLM TlRMTVNTUAA") for value in given)


def test_the_body_comes_with_the_proof_alone(hall, postkit, folder):
    server = hall("NTLM")
    head = f"POST {server.url}\nAuthorization: NTLM bob p\u00e4ss\nContent-Type: text/plain\n\n"
    (folder / "a.http").write_text(head + "x" * 100_000 + "\n")
    ended = postkit("run", "a.http")
    assert ended.stdout == b"bob"
    assert [len(body) for *_, body in server.seen] == [0, 100_000]
    assert len({connection for connection, *_ in server.seen}) == 1


def test_a_wrong_password_is_a_401_that_is_shown_once(hall, postkit, folder):
    server = hall("NTLM")
    (folder / "a.http").write_text(f"GET {server.url}\nAuthorization: NTLM bob hushhush\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 0
    assert ended.stdout == b"not you"
    assert ended.stderr.count(b" 401 ") == 1
    assert len(server.seen) == 2
    assert b"hushhush" not in shown(ended)


@pytest.mark.parametrize("written", ["NTLM bob p\u00e4ss", "NTLM bob {{word}}"])
def test_the_history_knows_no_password(hall, postkit, folder, store, written):
    server = hall("NTLM")
    (folder / "http-client.private.env.json").write_text('{"dev": {"word": "p\u00e4ss"}}')
    (folder / "a.http").write_text(f"GET {server.url}\nAuthorization: {written}\n")
    assert postkit("run", "a.http", "--env", "dev").stdout == b"bob"
    (entry,) = json.loads(postkit("history", "--json").stdout)
    for words in (["history", "show", entry["id"]], ["history", "show", entry["id"], "--json"]):
        text = shown(postkit(*words))
        assert b"127.0.0.1" in text
        # Neither the password nor the proof of it, which can be tried at home.
        assert "p\u00e4ss".encode() not in text and b"TlRMTVNTUAA" not in text
    assert b"Authorization" in text
    stored = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert "p\u00e4ss".encode() not in stored and b"TlRMTVNTUAA" not in stored


@pytest.mark.parametrize(
    "scheme, written, remedy",
    [
        ("Negotiate", "Negotiate", b"kinit"),
        ("Negotiate", "Negotiate bob p\u00e4ss", b"kinit"),
        ("NTLM", "NTLM", b"NTLM USER PASSWORD"),
    ],
)
def test_who_can_not_sign_in_is_told_how(hall, postkit, folder, scheme, written, remedy):
    server = hall(scheme)
    (folder / "a.http").write_text(f"GET {server.url}\nAuthorization: {written}\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 4
    (line,) = [line for line in ended.stderr.splitlines() if b"error:" in line]
    assert remedy in line and b"127.0.0.1" in line
    # What the server said is shown all the same.
    assert ended.stderr.count(b" 401 ") == 1
    assert ended.stdout in (b"who are you?", b"not you")


@pytest.mark.parametrize(
    "scheme, written, state, remedy",
    [("NTLM", "NTLM bob p\u00e4ss", "done", ""), ("Negotiate", "Negotiate", "failed", "kinit")],
)
def test_an_editor_signs_in_alike(hall, store, folder, scheme, written, state, remedy):
    server = hall(scheme)
    with Client(store, None, folder=folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {server.url}\nAuthorization: {written}\n")
        place = {"uri": uri, "position": {"line": 0, "character": 0}}
        result = c.command("postkit.send", place)
    assert result["state"] == state
    assert remedy in json.dumps(result)


def test_a_password_that_libcurl_can_not_send_is_not_sent(hall, postkit, folder):
    server = hall("NTLM")
    (folder / "a.http").write_text(f"GET {server.url}\nAuthorization: NTLM bob \u03b1hush\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 4
    assert b"password" in ended.stderr and b"Latin-1" in ended.stderr
    assert b"hush" not in shown(ended)
    assert server.seen == []


class Quiet(WSGIRequestHandler):
    """Says nothing of requests."""

    def log(self, *arguments):
        pass


@pytest.fixture
def serve():
    """Serves applications, until the test ends, and gives their URLs."""
    servers = []

    def serves(application):
        server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.port}"

    yield serves
    for server in servers:
        server.shutdown()
        server.server_close()


def keeper(qop, algorithm, stale=0):
    """An application that takes any body, and calls the first `stale` sign-ins out of date."""
    keeper = Flask("keeper")
    keeper.seen = []

    @keeper.route("/<path:path>", methods=["GET", "POST", "PUT"])
    def answer(path):
        given = request.headers.get("Authorization", "")
        keeper.seen.append((given, request.data))
        if not given:
            return helpers.digest_challenge_response(keeper, qop, algorithm)
        if len(keeper.seen) <= stale + 1:
            return helpers.digest_challenge_response(keeper, qop, algorithm, True)
        if helpers.check_digest_auth(None, PASSWORD):
            return f"{request.method} {path} {len(request.data)}"
        return helpers.digest_challenge_response(keeper, qop, algorithm)

    return keeper


PASSWORD = 'p"w: x\\y'


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
@pytest.mark.parametrize("qop", ["auth", "auth-int", "both"])
def test_digest_is_what_httpbin_takes(serve, postkit, folder, qop, algorithm):
    # It knows no query and nothing escaped in a path; DigestTests do.
    url = f"{serve(app)}/digest-auth/{qop}/ann/s3cret/{algorithm}"
    (folder / "a.http").write_text(f"GET {url}\nAuthorization: Digest ann s3cret\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {"authenticated": True, "user": "ann"}


@pytest.mark.parametrize("qop", ["auth", None])
@pytest.mark.parametrize("user", ["ann", 'a"n\\n'])
def test_the_body_is_sent_with_the_digest(serve, postkit, folder, qop, user):
    application = keeper(qop, "SHA-256")
    url = serve(application)
    head = f"POST {url}/a\nAuthorization: Digest {user} {PASSWORD}\n\n"
    (folder / "a.http").write_text(head + "x" * 50_000 + "\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == b"POST a 50000"
    assert [(bool(given), len(body)) for given, body in application.seen] == [
        (False, 0), (True, 50_000),
    ]


def test_a_nonce_that_is_stale_is_replaced(serve, postkit, folder):
    application = keeper("auth", "MD5", stale=1)
    url = serve(application)
    (folder / "a.http").write_text(
        f"PUT {url}/x\nAuthorization: Digest ann {PASSWORD}\n\nbody\n"
    )
    ended = postkit("run", "a.http")
    assert ended.stdout == b"PUT x 4", ended.stderr
    assert ended.stderr.count(b"HTTP/1.1 200") == 1 and b"HTTP/1.1 401" not in ended.stderr
    # The third is signed with the second nonce.
    assert len({given for given, _ in application.seen}) == 3


def test_a_server_that_calls_every_nonce_stale_is_left(serve, postkit, folder):
    application = keeper("auth", "MD5", stale=1_000)
    url = serve(application)
    (folder / "a.http").write_text(f"GET {url}/x\nAuthorization: Digest ann {PASSWORD}\n")
    ended = postkit("run", "a.http")
    assert ended.returncode == 4
    (line,) = [line for line in ended.stderr.splitlines() if b"error:" in line]
    assert b"each time because the answer was stale" in line
    assert len(application.seen) < 20


@pytest.mark.parametrize(
    "qop, algorithm, rounds, remedy",
    [("auth-int", "MD5", 2, b"qop=auth."), ("auth", "SHA-512", 1, b"MD5 or SHA-256")],
)
def test_what_libcurl_can_not_sign_is_told(
    serve, postkit, folder, qop, algorithm, rounds, remedy
):
    application = keeper(qop, algorithm)
    url = serve(application)
    (folder / "a.http").write_text(
        f"POST {url}/x\nAuthorization: Digest ann {PASSWORD}\n\nbody\n"
    )
    ended = postkit("run", "a.http")
    assert ended.returncode == 4
    (line,) = [line for line in ended.stderr.splitlines() if b"error:" in line]
    assert remedy in line
    assert ended.stderr.count(b" 401 ") == 1
    assert len(application.seen) == rounds
