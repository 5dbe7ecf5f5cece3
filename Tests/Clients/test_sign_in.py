"""Signing in with a browser or a code, at servers that other people wrote and at scripted ones:
what comes back to the port of a sign-in, what does not, and what an editor shows meanwhile.
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
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
import requests
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


@pytest.fixture(scope="module")
def provider():
    """oidc-provider-mock: who posts `sub` is signed in."""
    process, url = started("-m", "oidc_provider_mock", "--host", "127.0.0.1", "--port", "{port}")
    yield url
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def toolkit():
    """django-oauth-toolkit."""
    process, url = started(str(Path(__file__).parent / "oauth_toolkit.py"), "{port}")
    yield f"{url}/o"
    process.kill()
    process.wait()


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


@pytest.fixture
def browser(tmp_path):
    return Browser(tmp_path)


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


def test_a_browser_comes_back_from_a_provider(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, environment=browser.environment) as session:
        address = browser.opened()
        assert address.startswith(f"{provider}/oauth2/authorize?")
        page = requests.post(address, data={"sub": "ann"})
        assert page.status_code == 200
        assert "You can close this page." in page.text and "<script" not in page.text
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert page.headers["Cache-Control"] == "no-store"
        assert session.result()["state"] == "done"
        assert bearer(target)
        with pytest.raises(requests.ConnectionError):
            requests.get(redirect_of(address)[0])


def test_a_code_is_worth_nothing_without_its_verifier(store, folder, target, toolkit, browser):
    file = write(folder, target, **endpoints(toolkit, authorize="/authorize/", token="/token/"))
    with Session(store, folder, file, environment=browser.environment) as session:
        address = browser.opened()
        query = dict(parse_qsl(urlsplit(address).query))
        assert query["code_challenge_method"] == "S256"
        assert "You can close this page." in requests.get(address).text
        assert session.result()["state"] == "done"
        assert bearer(target)


def test_what_nobody_waits_for_is_turned_away(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, environment=browser.environment) as session:
        address = browser.opened()
        back, state = redirect_of(address)
        root = back.removesuffix("/callback")
        for url, status in [
            (f"{back}?code=x&state=wrong", 400), (f"{back}?code=x", 400), (back, 400),
            (f"{back}?error=x&state=wrong", 400), (f"{root}/favicon.ico", 404),
            (f"{root}/shutdown", 404), (f"{root}/reject?state={state}", 404),
        ]:
            assert requests.get(url).status_code == status, url
        assert requests.put(f"{back}?code=x&state={state}").status_code == 405
        for host in ["evil.example", "localhost", urlsplit(back).netloc + ".evil.example"]:
            answer = requests.get(f"{back}?code=x&state={state}", headers={"Host": host})
            assert answer.status_code == 421
        found = requests.post(address, data={"sub": "ann"}, allow_redirects=False)
        assert requests.get(found.headers["Location"]).status_code == 200
        assert session.result()["state"] == "done"


def test_who_says_no_has_ended_the_sign_in(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, environment=browser.environment) as session:
        page = requests.post(browser.opened(), data={"action": "deny"})
        assert "did not succeed" in page.text
        failure = session.failure()
        assert failure.data["code"] == "auth-access_denied"
    assert target.seen == []


def test_connections_that_hang_and_heads_without_end(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, environment=browser.environment) as session:
        address = browser.opened()
        place = urlsplit(redirect_of(address)[0])
        held = [socket.create_connection((place.hostname, place.port)) for _ in range(40)]
        for number, connection in enumerate(held):
            if number % 2:
                connection.sendall(b"GET /callback?state=")
        with socket.create_connection((place.hostname, place.port)) as endless:
            try:
                endless.sendall(b"GET /callback?state=" + b"x" * (1 << 20))
            except OSError:
                pass  # It had enough.
        assert requests.post(address, data={"sub": "ann"}).status_code == 200
        assert session.result()["state"] == "done"
        for connection in held:
            connection.close()


def test_a_form_comes_back_too(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, environment=browser.environment) as session:
        found = requests.post(browser.opened(), data={"sub": "ann"}, allow_redirects=False)
        place = urlsplit(found.headers["Location"])
        form = {name: values[0] for name, values in parse_qs(place.query).items()}
        page = requests.post(place._replace(query="").geturl(), data=form)
        assert page.status_code == 200
        assert session.result()["state"] == "done"


def test_a_port_that_is_taken_is_told(store, folder, target, provider, browser):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        file = write(folder, target, **of_provider(provider), **{
            "Redirect URL": f"http://localhost:{port}/callback"})
        with Session(store, folder, file, environment=browser.environment) as session:
            failure = session.failure()
    assert failure.data["code"] == "auth-port-in-use"
    assert failure.message.startswith(f"Port {port} on localhost is taken by another program")


def test_an_editor_that_opens_pages_opens_this_one(store, folder, target, provider):
    file = write(folder, target, **of_provider(provider))
    capabilities = {"window": {**ASKING["window"], "showDocument": {"support": True}}}
    with Session(store, folder, file, capabilities) as session:
        shown = session.client.expect("window/showDocument")
        assert shown["external"] is True
        requests.post(shown["uri"], data={"sub": "ann"})
        assert session.result()["state"] == "done"
        messages = [m["method"] for m in session.client.requests + session.client.notifications]
        assert "window/showMessageRequest" not in messages
        assert "window/showMessage" not in messages


def test_an_editor_without_a_way_to_open_it_shows_the_address(store, folder, target, provider):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, {}) as session:
        text = session.client.expect("window/showMessage")["message"]
        address = text[text.index(f"{provider}/oauth2/authorize?"):]
        requests.post(address, data={"sub": "ann"})
        assert session.result()["state"] == "done"


def test_cancel_ends_a_sign_in_and_its_port(store, folder, target, provider):
    file = write(folder, target, **of_provider(provider))
    session = Session(store, folder, file, ASKING)
    session.client.answers["window/showMessageRequest"] = lambda params: {"title": "Cancel"}
    with session:
        question = session.client.expect("window/showMessageRequest")
        titles = [action["title"] for action in question["actions"]]
        assert titles == ["Open the page", "Copy the address", "Cancel"]
        session.failure()
        address = question["message"][question["message"].index("http"):]
        with pytest.raises(requests.ConnectionError):
            requests.get(redirect_of(address)[0])
    assert target.seen == []


def test_a_send_that_is_cancelled_closes_its_port(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    with Session(store, folder, file, environment=browser.environment) as session:
        back, _ = redirect_of(browser.opened())
        session.client.notify("$/cancelRequest", {"id": session.send})
        session.failure()
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                requests.get(back)
            except requests.ConnectionError:
                break
            assert time.monotonic() < end, "the port is still open"
    assert target.seen == []


def test_where_nobody_can_paste_the_command_is_told(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider), **{
        "Redirect URL": "https://app.example/callback"})
    with Session(store, folder, file, environment=browser.environment) as session:
        failure = session.failure()
    assert failure.data["code"] == "auth-paste-needed"
    assert failure.message.endswith("Run `postkit auth login a.http --id shop --env dev`.")


def test_an_address_is_pasted_into_a_field(store, folder, target, provider):
    file = write(folder, target, **of_provider(provider), **{
        "Redirect URL": "https://app.example/callback"})
    capabilities = {
        "experimental": {"postkit": {"version": 1, "input": True}},
        "window": {"showDocument": {"support": True}},
    }
    session = Session(store, folder, file, capabilities)
    session.client.answers["postkit/input"] = ...
    with session:
        shown = session.client.expect("window/showDocument")
        found = requests.post(shown["uri"], data={"sub": "ann"}, allow_redirects=False)
        question = session.client.take("postkit/input")
        assert question["params"]["title"].startswith("Sign-in: paste the address")
        session.client.reply(question, {"value": found.headers["Location"]})
        assert session.result()["state"] == "done"
        assert bearer(target)


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


@pytest.fixture
def devices():
    server = Scripted()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def of_devices(url):
    return {"Grant Type": "Device Authorization", "Device Auth URL": f"{url}/code",
            "Token URL": f"{url}/token"}


def test_a_code_is_shown_until_another_device_has_it(store, folder, target, devices):
    file = write(folder, target, **of_devices(devices.url))
    session = Session(store, folder, file, ASKING)
    session.client.answers["window/showMessageRequest"] = ...
    with session:
        question = session.client.take("window/showMessageRequest")
        assert "WDJB-MJHT" in question["params"]["message"]
        titles = [action["title"] for action in question["params"]["actions"]]
        assert titles == ["Open the page", "Copy the code", "Cancel"]
        assert session.result()["state"] == "done"
        assert bearer(target) == "from-a-device"
        session.client.reply(question, None)


def test_cancel_ends_the_wait_for_another_device(store, folder, target, devices):
    file = write(folder, target, **of_devices(devices.url))
    session = Session(store, folder, file, ASKING)
    session.client.answers["window/showMessageRequest"] = lambda params: {"title": "Cancel"}
    with session:
        session.failure()
    assert target.seen == []


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


def test_a_terminal_has_the_address_and_takes_one(store, folder, target, provider):
    file = write(folder, target, **of_provider(provider), **{
        "Redirect URL": "https://app.example/callback"})
    terminal = Terminal(store, file, {"DISPLAY": "", "WAYLAND_DISPLAY": ""})
    try:
        text = terminal.read(until="paste the address that the browser ends at: ")
        address = next(line for line in text.split() if line.startswith(provider))
        found = requests.post(address, data={"sub": "ann"}, allow_redirects=False)
        os.write(terminal.main, found.headers["Location"].encode() + b"\n")
        assert terminal.process.wait(TIMEOUT) == 0
        assert bearer(target)
    finally:
        terminal.close()


def test_over_ssh_a_terminal_says_how_a_browser_elsewhere_comes_back(
    store, folder, target, provider
):
    file = write(folder, target, **of_provider(provider))
    terminal = Terminal(store, file, {
        "DISPLAY": "", "WAYLAND_DISPLAY": "", "SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"})
    try:
        text = terminal.read(until="paste the address that the browser ends at: ")
        address = next(line for line in text.split() if line.startswith(provider))
        back, _ = redirect_of(address)
        port = urlsplit(back).port
        assert f"ssh -L {port}:127.0.0.1:{port} 10.0.0.2" in text
        # The tunnel may be there after all.
        requests.post(address, data={"sub": "ann"})
        assert terminal.process.wait(TIMEOUT) == 0
        assert bearer(target)
    finally:
        terminal.close()


def test_without_a_terminal_nobody_is_asked(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider))
    result = subprocess.run(
        [binary(), "run", str(file), "--env", "dev"], stdin=subprocess.DEVNULL,
        capture_output=True, text=True,
        env={**os.environ, **browser.environment, "POSTKIT_HOME": str(store)},
    )
    assert result.returncode == 3, result.stderr
    assert "postkit auth login" in result.stderr and "--id shop --env dev" in result.stderr
    assert target.seen == []
