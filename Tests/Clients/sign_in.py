"""What tests of sign-ins share: servers that other people wrote, a browser that is the test, and
sends that wait for both.
"""

import json
import os
import pty
import shutil
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from rawclient import TIMEOUT, Client, ResponseError, binary

ASKING = {"window": {"showMessage": {"messageActionItem": {}}}}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def python_of_servers():
    """The Python that has the servers; their packages are not those of the tests."""
    if program := shutil.which("oidc-provider-mock"):
        return str(Path(program).parent / "python")
    if os.environ.get("POSTKIT_REQUIRE_ALL") == "1":
        pytest.fail("POSTKIT_REQUIRE_ALL=1 and there is no oidc-provider-mock")
    pytest.skip("no oidc-provider-mock; .ci/setup test installs it")


def started(*arguments):
    """A server on a free port, once it answers; its process and its URL."""
    port = free_port()
    process = subprocess.Popen(
        [python_of_servers(), *(it.format(port=port) for it in arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return process, f"http://127.0.0.1:{port}"
        except OSError:
            assert process.poll() is None and time.monotonic() < end, "the server did not start"
            time.sleep(0.05)


def provided():
    """oidc-provider-mock: who posts `sub` is signed in."""
    return started("-m", "oidc_provider_mock", "--host", "127.0.0.1", "--port", "{port}")


def toolkit():
    """django-oauth-toolkit."""
    process, url = started(str(Path(__file__).parent / "oauth_toolkit.py"), "{port}")
    return process, f"{url}/o"


class Browser:
    """In place of xdg-open: tells the test the address, and the test is the browser."""

    def __init__(self, folder):
        self.pipe = folder / "opened"
        os.mkfifo(self.pipe)
        program = folder / "bin" / "xdg-open"
        program.parent.mkdir()
        # What is printed must not get into what an editor reads.
        program.write_text(
            f'#!/bin/sh\necho noise\necho noise >&2\nprintf "%s %s" "$#" "$1" > {self.pipe}\n'
        )
        program.chmod(0o755)
        self.environment = {"DISPLAY": ":7", "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def opened(self):
        """The address that was opened, alone in its arguments."""
        found = []
        reader = threading.Thread(
            target=lambda: found.append(self.pipe.read_text()), daemon=True
        )
        reader.start()
        reader.join(TIMEOUT)
        assert found, "no browser was started"
        count, _, address = found[0].partition(" ")
        assert count == "1"
        return address


def redirect_of(address):
    """Where a page comes back to, and the state that it brings."""
    query = dict(parse_qsl(urlsplit(address).query))
    return query["redirect_uri"], query["state"]


def write(folder, target, **settings):
    """A request that needs the token of `shop`, which these settings get."""
    auth = {"Type": "OAuth2", "Grant Type": "Authorization Code", "Client ID": "code"}
    (folder / "http-client.env.json").write_text(
        json.dumps({"dev": {"Security": {"Auth": {"shop": {**auth, **settings}}}}})
    )
    file = folder / "a.http"
    file.write_text(f'GET {target.url}/\nAuthorization: Bearer {{{{$auth.token("shop")}}}}\n')
    return file


def endpoints(url, *, authorize, token):
    return {"Auth URL": url + authorize, "Token URL": url + token, "Client Secret": "s3cret"}


def of_provider(url):
    return {**endpoints(url, authorize="/oauth2/authorize", token="/oauth2/token"),
            "Scope": "openid"}


class Session:
    """A client that sends the request, and the send that waits for a sign-in."""

    def __init__(self, store, folder, file, capabilities=None, environment=None):
        self.client = Client(
            store, capabilities, {"postkit": {"trusted": True}}, folder,
            environment={"DISPLAY": "", "WAYLAND_DISPLAY": "", **(environment or {})},
        )
        self.file = file

    def __enter__(self):
        self.client.__enter__()
        self.client.initialize()
        uri = self.client.open(self.file)
        self.send = self.client.start(
            "postkit/send",
            {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0},
             "environment": "dev"},
        )
        return self

    def __exit__(self, *error):
        self.client.__exit__(*error)

    def result(self):
        return self.client.finish(self.send)

    def failure(self):
        with pytest.raises(ResponseError) as error:
            self.result()
        return error.value


def bearer(target):
    """The token of the last request."""
    scheme, _, token = target.seen[-1][2]["Authorization"].partition(" ")
    assert scheme == "Bearer"
    return token


class Scripted(ThreadingHTTPServer):
    """A provider for devices that gives a token at the second question."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), ScriptedHandler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.asked = []


class ScriptedHandler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.append((self.path, dict(parse_qsl(body.decode()))))
        count = sum(path == "/token" for path, _ in self.server.asked)
        status, answer = 200, {
            "device_code": "d3v1ce", "user_code": "WDJB-MJHT", "interval": 1, "expires_in": 60,
            "verification_uri": f"{self.server.url}/device",
        }
        if self.path == "/token":
            answer = {"access_token": "from-a-device", "token_type": "Bearer"}
            if count == 1:
                status, answer = 400, {"error": "authorization_pending"}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def of_devices(url):
    return {"Grant Type": "Device Authorization", "Device Auth URL": f"{url}/code",
            "Token URL": f"{url}/token"}


class Terminal:
    """`postkit run` on a terminal of its own."""

    def __init__(self, store, file, environment):
        self.main, other = pty.openpty()
        variables = {
            key: value for key, value in os.environ.items()
            if key != "CI" and not key.startswith("XDG_")
        }
        variables.update(POSTKIT_HOME=str(store), **environment)
        self.process = subprocess.Popen(
            [binary(), "run", str(file), "--env", "dev"], stdin=other, stdout=subprocess.DEVNULL,
            stderr=other, env=variables,
        )
        os.close(other)
        self.text = ""

    def read(self, *, until):
        while until not in self.text:
            part = os.read(self.main, 4096)
            assert part, self.text
            self.text += part.decode(errors="replace")
        return self.text

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.main)
