"""What comes back to the port of a sign-in from servers of other people, and what does not."""

import socket
import time
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
import requests
from rawclient import TIMEOUT
from sign_in import Session, bearer, endpoints, of_provider, redirect_of, write


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
