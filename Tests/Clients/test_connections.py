"""How a request reaches its server is not for a folder to choose before its user has agreed: which
proxy it goes through, and whose certificates are good."""

import json
import os
import ssl
import subprocess
import threading

import pytest
from conftest import Target
from rawclient import TIMEOUT, binary
from test_questions import ASKING, DISTRUST, METHOD, TRUST, asked, cannot, closes, presses, refusal
from test_stock import client

SERVICE = "http://service.test"
MASK = "••••••"


class Counting(Target):
    """Counts the connections, too: nothing may so much as knock."""

    def __init__(self):
        super().__init__()
        self.connections = 0

    def get_request(self):
        self.connections += 1
        return super().get_request()


def served(server):
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def proxy():
    yield from served(Counting())


class Secure(Counting):
    """Speaks TLS with a certificate that only its own file vouches for."""

    def __init__(self, folder):
        super().__init__()
        self.certificate = folder / "authority.pem"
        key = folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout",
             key, "-out", self.certificate, "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
        self.url = f"https://127.0.0.1:{self.server_port}"

    def get_request(self):
        connection, address = super().get_request()
        try:
            return self.context.wrap_socket(connection, server_side=True), address
        except OSError:
            # A client that does not like the certificate leaves.
            connection.close()
            raise


@pytest.fixture
def secure(folder):
    yield from served(Secure(folder))


# Where a project can name a proxy: the file, and its text.
PROXIES = {
    "settings": ("postkit.json", {"proxy": "URL"}),
    "environment": ("http-client.env.json", {"dev": {"request_proxy": "URL"}}),
    "private environment": ("http-client.private.env.json", {"dev": {"request_proxy": "URL"}}),
    "shared": ("http-client.env.json", {"dev": {}, "$shared": {"request_proxy": "URL"}}),
    "VS Code": (".vscode/settings.json", {
        "rest-client.environmentVariables": {"dev": {"request_proxy": "URL"}}}),
    "httpYac": (".httpyac.json", {"environments": {"dev": {"request_proxy": "URL"}}}),
    "dotenv": (".env", "request_proxy=URL\n"),
}


def write(folder, name, content, url):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text.replace("URL", url))
    if name != "http-client.env.json" and not (folder / "http-client.env.json").exists():
        (folder / "http-client.env.json").write_text('{"dev": {}}')
    return path


@pytest.fixture(params=list(PROXIES))
def chosen(request, folder, proxy):
    """The file of the project that names the proxy."""
    return write(folder, *PROXIES[request.param], proxy.url)


def named(proxy, path):
    """How a proxy is named; a private environment's values are secrets."""
    return f"the proxy {MASK if 'private' in path.name else proxy.url} of {path}"


def order(c, folder, text=f"GET {SERVICE}/x\n"):
    uri = c.open(folder / "a.http", text)
    line = next(n for n, it in enumerate(text.splitlines()) if it.startswith(("GET", "curl")))
    return {"uri": uri, "position": {"line": line, "character": 0}, "environment": "dev"}


def test_a_proxy_of_the_project_is_asked_about_once(store, folder, proxy, chosen):
    knocked = []

    def agree(params):
        knocked.append(proxy.connections)
        assert named(proxy, chosen) in params["message"]
        assert str(folder) in params["message"]
        return presses(TRUST)(params)

    with client(store, folder, ASKING) as c:
        c.answers[METHOD] = agree
        c.initialize()
        send = order(c, folder)
        for _ in range(2):
            assert c.command("postkit.send", send)["state"] == "done"
        assert knocked == [0] and len(proxy.seen) == 2
    # Another editor need not ask.
    with client(store, folder, {}) as c:
        c.initialize()
        assert c.command("postkit.send", order(c, folder))["state"] == "done"
        assert len(proxy.seen) == 3


@pytest.mark.parametrize("answer, questions, remedy", [
    (presses(DISTRUST), 1, "`postkit.trusted` to true"),
    (closes, 2, "choose `Trust this folder`"),
    (cannot, 2, "`postkit.trusted` to true"),
    (None, 0, "Trust the folder in your editor"),
], ids=["no", "closed", "can't", "distrusting client"])
def test_without_trust_no_proxy_is_reached(
        store, folder, proxy, chosen, answer, questions, remedy):
    options = {} if answer else {"trusted": False}
    with client(store, folder, ASKING, options={"postkit": options}) as c:
        c.answers[METHOD] = answer
        c.initialize()
        send = order(c, folder)
        for _ in range(2):
            error = refusal(c, "postkit.send", send)
            assert named(proxy, chosen) in error.message
            assert "Nothing is sent" in error.message and "not trusted" in error.message
            assert remedy in error.message and f"take it out of {chosen}" in error.message
            assert error.data["code"] == "usage"
        assert len(asked(c)) == questions
        assert proxy.connections == 0


def test_a_client_that_trusts_goes_through_the_proxy(store, folder, proxy, chosen):
    with client(store, folder, ASKING, options={"postkit": {"trusted": True}}) as c:
        c.initialize()
        assert c.command("postkit.send", order(c, folder))["state"] == "done"
        assert asked(c) == [] and len(proxy.seen) == 1


def test_nothing_goes_out_for_a_preview(store, folder, proxy, chosen):
    with client(store, folder, ASKING) as c:
        c.initialize()
        send = order(c, folder)
        assert c.command("postkit.send", {**send, "dryRun": True})
        c.command("postkit.copyAsCurl", {"uri": send["uri"], "position": send["position"]})
        assert asked(c) == [] and proxy.connections == 0


def test_the_password_of_a_proxy_is_not_in_the_question(store, folder, proxy):
    url = proxy.url.replace("://", "://ann:pass-word-1@")
    write(folder, *PROXIES["settings"], url)
    with client(store, folder, ASKING) as c:
        c.answers[METHOD] = presses(DISTRUST)
        c.initialize()
        refusal(c, "postkit.send", order(c, folder))
        (question,) = asked(c)
        assert f"***@127.0.0.1:{proxy.server_port}" in question["message"]
        assert b"pass-word-1" not in b"".join(c.server.messages)


# What the user chose, each with the text of the request; `{proxy}` is the other proxy.
OWN = {
    "tag": f"# @proxy {{proxy}}\nGET {SERVICE}/x\n",
    "variable": f"@request_proxy = {{proxy}}\n\nGET {SERVICE}/x\n",
    "command line": f"curl -x {{proxy}} {SERVICE}/x\n",
    "none": "# @no-proxy\nGET {proxy}/x\n",
}


@pytest.mark.parametrize("text", OWN.values(), ids=list(OWN))
def test_what_the_request_says_is_not_asked_about(store, folder, proxy, target, text):
    write(folder, *PROXIES["settings"], proxy.url)
    write(folder, *PROXIES["environment"], proxy.url)
    with client(store, folder, ASKING) as c:
        c.initialize()
        send = order(c, folder, text.replace("{proxy}", target.url))
        assert c.command("postkit.send", send)["state"] == "done"
        assert asked(c) == [] and proxy.connections == 0 and len(target.seen) == 1


@pytest.mark.parametrize("place", ["editor", "environment of the process", "variables", "config"])
def test_the_users_own_proxy_is_not_asked_about(store, folder, proxy, place, monkeypatch):
    if place == "environment of the process":
        monkeypatch.setenv("http_proxy", proxy.url)
    if place == "config":
        store.mkdir()
        (store / "config.json").write_text(json.dumps({"proxy": proxy.url}))
    (folder / "http-client.env.json").write_text('{"dev": {}}')
    editor = {"proxy": proxy.url} if place == "editor" else None
    capabilities = {**ASKING, "workspace": {"configuration": True}}
    with client(store, folder, capabilities) as c:
        c.answers["workspace/configuration"] = lambda params: [editor]
        c.initialize()
        send = order(c, folder)
        if place == "variables":
            send["variables"] = {"request_proxy": proxy.url}
        assert c.command("postkit.send", send)["state"] == "done"
        assert asked(c) == [] and len(proxy.seen) == 1


def test_environments_for_all_projects_are_not_asked_about(
        store, folder, proxy, tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "http-client.env.json").write_text(
        json.dumps({"dev": {"request_proxy": proxy.url}}))
    monkeypatch.setenv("HTTPYAC_ENV", str(shared))
    with client(store, folder, ASKING) as c:
        c.initialize()
        assert c.command("postkit.send", order(c, folder))["state"] == "done"
        assert asked(c) == [] and len(proxy.seen) == 1


# What decides whose certificates are good: the file, its text, and how it is named.
CERTIFICATES = {
    "JetBrains": ("http-client.private.env.json", {
        "dev": {"SSLConfiguration": {"verifyHostCertificate": False}}},
        "no verification of certificates, which {file} turns off"),
    "httpYac": ("http-client.env.json", {"dev": {"request_rejectUnauthorized": "false"}},
        "no verification of certificates, which {file} turns off"),
    "authority": ("postkit.json", {"tls.caFile": "URL"}, "the authorities {authority} of {file}"),
}


@pytest.fixture(params=list(CERTIFICATES))
def vouched(request, folder, secure):
    """How the question names what the project chooses."""
    name, content, clause = CERTIFICATES[request.param]
    path = write(folder, name, content, str(secure.certificate))
    return clause.format(file=path, authority=secure.certificate)


@pytest.mark.parametrize("answer", [presses(DISTRUST), None], ids=["no", "distrusting client"])
def test_without_trust_no_certificate_is_good_by_the_project(
        store, folder, secure, vouched, answer):
    options = {} if answer else {"trusted": False}
    with client(store, folder, ASKING, options={"postkit": options}) as c:
        c.answers[METHOD] = answer
        c.initialize()
        error = refusal(c, "postkit.send", order(c, folder, f"GET {secure.url}/x\n"))
        assert vouched in error.message and "not trusted" in error.message
        assert "take it out of" in error.message
        assert secure.connections == 0


def test_certificates_are_good_by_the_project_after_a_yes(store, folder, secure, vouched):
    with client(store, folder, ASKING) as c:
        c.answers[METHOD] = presses(TRUST)
        c.initialize()
        send = order(c, folder, f"GET {secure.url}/x\n")
        for _ in range(2):
            assert c.command("postkit.send", send)["state"] == "done"
        (question,) = asked(c)
        assert vouched in question["message"]
        assert len(secure.seen) == 2


def test_authorities_count_from_the_file_that_names_them(store, folder, secure, tmp_path):
    relative = os.path.relpath(secure.certificate, folder)
    text = f"GET {secure.url}/x\n"
    abilities = {**ASKING, "workspace": {**ASKING.get("workspace", {}), "configuration": True}}
    with client(store, folder, abilities, options={"postkit": {"trusted": True}}) as c:
        c.answers["workspace/configuration"] = lambda params: [
            {"tls": {"caFile": relative}} for _ in params["items"]]
        c.initialize()
        send = {"uri": c.open(folder / "a.http", text), "position": {"line": 0, "character": 0}}
        assert c.command("postkit.send", send)["state"] == "done"
    (folder / "postkit.json").write_text(json.dumps({"tls.caFile": relative}))
    subprocess.run(
        [binary(), "run", folder / "a.http", "--store", str(store)], cwd=tmp_path, check=True,
        capture_output=True, timeout=60)
    assert len(secure.seen) == 2


@pytest.mark.parametrize("text", ["# @insecure\nGET {url}/x\n", "curl -k {url}/x\n"])
def test_a_request_that_verifies_nothing_by_its_own_word_is_not_asked_about(
        store, folder, secure, text):
    write(folder, *CERTIFICATES["JetBrains"][:2], "")
    with client(store, folder, ASKING) as c:
        c.initialize()
        send = order(c, folder, text.format(url=secure.url))
        assert c.command("postkit.send", send)["state"] == "done"
        assert asked(c) == [] and len(secure.seen) == 1


def test_a_resend_asks_as_a_send_does(store, folder, proxy, target):
    with client(store, folder, ASKING) as c:
        c.answers[METHOD] = presses(DISTRUST)
        c.initialize()
        (folder / "http-client.env.json").write_text('{"dev": {}}')
        sent = c.command("postkit.send", order(c, folder, f"GET {target.url}/x\n"))
        path = write(folder, *PROXIES["settings"], proxy.url)
        error = refusal(c, "postkit.resend", {"id": sent["id"]})
        assert f"of {path}" in error.message
        assert len(target.seen) == 1 and proxy.connections == 0


def test_the_command_line_needs_no_trust(store, folder, proxy, chosen):
    (folder / "a.http").write_text(f"GET {SERVICE}/x\n")
    subprocess.run(
        [binary(), "run", "a.http", "--env", "dev", "--store", str(store)], cwd=folder,
        check=True, capture_output=True, timeout=TIMEOUT)
    assert len(proxy.seen) == 1
