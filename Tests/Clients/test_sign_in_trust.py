"""A folder that is not trusted signs in nowhere before the user lets it (AU-51)."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from test_questions import ASKING, METHOD, asked, cannot, client, closes, presses, refusal

LET, DONT = "Let it sign in", "Don't"


class Provider(BaseHTTPRequestHandler):
    """Gives everybody a token."""

    def do_POST(self):
        self.server.asked.append(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"access_token": "access-canary", "expires_in": 3600}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def providers():
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), Provider) for _ in range(2)]
    for server in servers:
        server.asked = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield servers
    for server in servers:
        server.shutdown()
        server.server_close()


def address(provider):
    return f"http://127.0.0.1:{provider.server_address[1]}"


def write(folder, target, provider, name="shop"):
    fields = {
        "Type": "OAuth2",
        "Grant Type": "Client Credentials",
        "Token URL": address(provider) + "/token",
        "Client ID": "cli",
        "Client Secret": "s3cret",
    }
    members = {"dev": {"Security": {"Auth": {name: fields}}}}
    (folder / "http-client.private.env.json").write_text(json.dumps(members))
    path = folder / "a.http"
    path.write_text(
        f"### one\nGET {target.url}/one\n"
        f'Authorization: Bearer {{{{$auth.token("{name}")}}}}\n'
    )
    return path


def opened(c, path):
    """Opens the file, with the environment chosen that has the sign-in."""
    c.initialize()
    c.command("postkit.selectEnvironment", {"name": "dev", "folder": path.parent.as_uri()})
    return c.open(path)


def send(uri):
    return {"uri": uri, "name": "one"}


def test_it_is_asked_once_a_provider(store, folder, target, providers):
    with client(store, folder) as c:
        uri = opened(c, write(folder, target, providers[0]))
        c.answers[METHOD] = presses(LET)
        assert c.command("postkit.send", send(uri))["state"] == "done"
        (question,) = asked(c)
        sentence = f"wants to sign in at `{address(providers[0])}` as client `cli`"
        assert sentence in question["message"]
        assert [action["title"] for action in question["actions"]] == [LET, DONT]
    # The answer counts for all editors, and for no other provider.
    with client(store, folder) as c:
        uri = opened(c, write(folder, target, providers[1]))
        c.answers[METHOD] = presses(DONT)
        for _ in range(2):
            error = refusal(c, "postkit.send", send(uri))
            assert error.data["code"] == "auth-not-trusted"
        assert len(asked(c)) == 1
        uri = c.open(write(folder, target, providers[0], "other"))
    with client(store, folder) as c:
        uri = opened(c, folder / "a.http")
        c.answers[METHOD] = closes
        assert c.command("postkit.send", send(uri))["state"] == "done"
        assert asked(c) == []
    assert providers[1].asked == [] and len(target.seen) == 2


@pytest.mark.parametrize("answer", [closes, cannot])
def test_without_an_answer_nothing_is_sent(store, folder, target, providers, answer):
    with client(store, folder) as c:
        uri = opened(c, write(folder, target, providers[0]))
        c.answers[METHOD] = answer
        for _ in range(2):
            error = refusal(c, "postkit.send", send(uri))
            assert "not trusted" in error.message
        assert len(asked(c)) == 2
    assert providers[0].asked == [] and target.seen == []


@pytest.mark.parametrize("trusted", [True, False])
def test_what_the_client_says_is_not_asked(store, folder, target, providers, trusted):
    with client(store, folder, ASKING, options={"postkit": {"trusted": trusted}}) as c:
        uri = opened(c, write(folder, target, providers[0]))
        if trusted:
            assert c.command("postkit.send", send(uri))["state"] == "done"
        else:
            refusal(c, "postkit.send", send(uri))
        assert asked(c) == []
    assert len(providers[0].asked) == len(target.seen) == int(trusted)
