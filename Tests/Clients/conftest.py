"""A loopback server to send to, and folders that vanish."""

import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import home
import pytest
import sign_in
from rawclient import Server

# The keyring and the home of whoever runs the tests are left alone.
os.environ["DBUS_SESSION_BUS_ADDRESS"] = ""
home.leave()


@pytest.fixture(autouse=True)
def homeless():
    """No test opens the store of whoever runs it."""
    yield
    home.check()


@pytest.fixture(autouse=True)
def tapped():
    """What a server sent and no test took up is looked at before the test has passed."""
    yield
    for server in [it for it in Server.open if it.process.poll() is not None]:
        server.check_rest()


class Target(ThreadingHTTPServer):
    """Answers requests and remembers them; /hang is answered when `release` is set, /stream with
    the bytes that are put into `pieces`, until None."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen = []
        # Bodies of paths, each with its type, instead of the usual one.
        self.bodies = {}
        # Further header fields of paths.
        self.headers = {}
        # What answers to paths set as cookies.
        self.cookies = {}
        self.pieces = queue.Queue()
        self.release = threading.Event()
        self.hanging = threading.Event()
        self.closed = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        if self.path.startswith("/hang"):
            self.server.hanging.set()
            # The client breaking off is seen as the end of its bytes; a time limit would be
            # taken for that.
            try:
                if self.connection.recv(1) == b"":
                    self.server.closed.set()
            except OSError:
                self.server.closed.set()
            self.close_connection = True
            return
        if self.path.startswith("/stream"):
            return self.stream()
        if self.path.startswith("/slow"):
            self.server.hanging.set()
            self.server.release.wait()
        answer = json.dumps({"path": self.path, "token": "t-1", "größe": "ü"}, ensure_ascii=False)
        answer = answer.encode()
        if self.path.startswith("/large"):
            answer = b"[" + b"1," * 100_000 + b"1]"
        kind = "application/json; charset=utf-8"
        kind, answer = self.server.bodies.get(self.path, (kind, answer))
        status = 404 if self.path.startswith("/missing") else 200
        if self.path.startswith("/moved"):
            status = 302
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/" + self.path.partition("?")[2])
            self.send_header("Set-Cookie", "sid=from-the-redirect-1; Path=/")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        for name, value in self.server.headers.get(self.path, {}).items():
            self.send_header(name, value)
        for cookie in self.server.cookies.get(self.path, []):
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(answer)

    def stream(self):
        """Writes what it is given, as it is given."""
        kind, _ = self.server.bodies.get(self.path, ("text/event-stream", b""))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        for cookie in self.server.cookies.get(self.path, []):
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.close_connection = True
        # Those of this request, also when the next one has got pieces of its own.
        pieces = self.server.pieces
        try:
            while (piece := pieces.get()) is not None:
                self.wfile.write(piece)
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.server.closed.set()

    do_POST = do_PUT = do_DELETE = do_GET


@pytest.fixture
def target():
    server = Target()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.release.set()
    server.pieces.put(None)
    server.shutdown()
    server.server_close()


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "store"
    return path


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "work folder"
    path.mkdir()
    return path


@pytest.fixture(scope="module")
def provider():
    process, url = sign_in.provided()
    yield url
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def toolkit():
    process, url = sign_in.toolkit()
    yield url
    process.kill()
    process.wait()


@pytest.fixture
def browser(tmp_path):
    return sign_in.Browser(tmp_path)


@pytest.fixture
def devices():
    server = sign_in.Scripted()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
