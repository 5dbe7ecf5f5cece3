"""What an editor shows of tokens, and what its commands do: nothing is sent unasked."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from test_changes import actions, titled
from test_environment_files import hover, opened
from test_stock import FULL, client


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


TOKEN = f"{part({'alg': 'none'})}.{part({'sub': 'claimed-ann'})}.c2lnbmF0dXJlLWNhbmFyeQ"


@pytest.fixture
def provider():
    """A token endpoint that counts what it is asked."""
    asked = []

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            body = json.dumps({"access_token": TOKEN, "expires_in": 3600}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.asked = asked
    server.url = f"http://127.0.0.1:{server.server_address[1]}/token"
    yield server
    server.shutdown()
    server.server_close()


def environment(folder, url):
    text = json.dumps({"dev": {"Security": {"Auth": {"shop": {
        "Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": url,
        "Client ID": "cli", "Client Secret": "hush-canary"}}}}})
    (folder / "http-client.env.json").write_text(text)
    (folder / "postkit.json").write_text('{"environment": "dev"}')
    return text


OPTIONS = {"postkit": {"trusted": True, "settings": {"auth.store": "keyring"}}}
TEXT = 'GET http://127.0.0.1:1/\nAuthorization: Bearer {{$auth.token("shop")}}\n'


def test_a_token_is_got_shown_and_forgotten_where_it_is_named(store, folder, provider):
    text = environment(folder, provider.url)
    with client(store, folder, FULL, options=OPTIONS) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        env = opened(c, folder / "http-client.env.json", text, "json")
        column = text.index('"shop"') + 2
        places = [(uri, 1, 40), (env, 0, column)]
        for document, line, at in places:
            shown = hover(c, document, line, at)
            assert "none: the next send gets one." in shown and "`127.0.0.1:" in shown
            assert "command:" not in shown
        found = [it["title"] for it in actions(c, uri, 1, 40, only=["postkit.token"])]
        assert found == ["Sign in for `shop`"]
        assert provider.asked == []
        sign_in = titled(actions(c, env, 0, column, only=["postkit.token"]), found[0])["command"]
        said = c.command(sign_in["command"], sign_in["arguments"][0])
        assert said.startswith("Signed in for `shop`. The token is valid for ")
        assert len(provider.asked) == 1
        for document, line, at in places:
            assert "Token: valid for" in hover(c, document, line, at)
        kept = {it["title"]: it["command"] for it in actions(c, uri, 1, 40, only=["postkit.token"])}
        assert list(kept)[1:] == [
            "Forget the token of `shop`", "Show the claims of the token of `shop`"]
        shown = list(kept.values())[2]
        page = c.command(shown["command"], shown["arguments"][0])
        assert "claims" in page
        forget = list(kept.values())[1]
        assert "is forgotten" in c.command(forget["command"], forget["arguments"][0])
        assert "none: the next send gets one." in hover(c, uri, 1, 40)
        assert len(provider.asked) == 1
        sent = b"".join(c.server.messages)
    assert b"hush-canary" not in sent and TOKEN.encode() not in sent


def test_a_client_that_runs_links_has_the_commands_in_its_hover(store, folder, provider):
    environment(folder, provider.url)
    links = {**FULL, "experimental": {"postkit": {"version": 1, "links": True}}}
    with client(store, folder, links, options=OPTIONS) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT)
        last = hover(c, uri, 1, 40).split("\n")[-1]
        assert last.startswith("[Sign in](command:postkit.signIn?%5B") and "\u00b7" not in last
        definition = c.at("textDocument/definition", uri, 1, 40)
        (place,) = definition if isinstance(definition, list) else [definition]
        assert (place.get("targetUri") or place["uri"]).endswith("http-client.env.json")
    assert provider.asked == []
