"""What editors and terminals show of a sign-in, and what a person does there."""

import os
import subprocess
from urllib.parse import urlsplit

import pytest
import requests
from rawclient import TIMEOUT, binary
from sign_in import (
    ASKING,
    Session,
    Terminal,
    bearer,
    of_devices,
    of_provider,
    redirect_of,
    write,
)


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


def test_where_nobody_can_paste_the_command_is_told(store, folder, target, provider, browser):
    file = write(folder, target, **of_provider(provider), **{
        "Redirect URL": "https://app.example/callback"})
    with Session(store, folder, file, environment=browser.environment) as session:
        failure = session.failure()
    assert failure.data["code"] == "auth-paste-needed"
    assert failure.message.endswith(
        "Run `postkit auth login a.http --id shop --env dev` in a terminal.")


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
