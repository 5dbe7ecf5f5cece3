"""A keyring that gives no answer or is locked: nothing is sent, and no secret is put elsewhere."""

import os
import shutil
import socket
import subprocess
from contextlib import contextmanager

import pytest
from canaries import CANARIES, CommandLine, echoing, filled, search_session
from rawclient import ResponseError
from test_stock import client


@pytest.fixture
def echo():
    with echoing() as server:
        yield server


@pytest.fixture
def project(folder, echo):
    return filled(folder, echo.server_port)


def keep_two_secrets(line, port):
    """Has a collection whose one request needs two secrets, which are kept where they are now."""
    (line.folder / "a.http").write_text(
        f"### kept\nGET http://127.0.0.1:{port}/\nX-Key: {{{{a}}}}{{{{b}}}}\n")
    assert line.run("collections", "save", "a.http", "--to", "Shop").returncode == 0
    place = ("--env", "live", "--collection", "Shop")
    for name in ("a", "b"):
        secret = f"{name}={CANARIES['stored']}"
        assert line.run("collections", "set", secret, "--secret", *place).returncode == 0
    assert line.run("collections", "use", "Shop", "live").returncode == 0


def refused_send(line):
    """Sends that request from an editor, twice; what is said of it."""
    options = {"postkit": {"testing": True, "trusted": True}}
    with client(
            line.store, line.folder, options=options, environment=line.environment) as c:
        c.initialize()
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        for _ in range(2):
            with pytest.raises(ResponseError) as caught:
                c.request("postkit/send", {"textDocument": {"uri": node["children"][0]["uri"]}})
    search_session(line.found, c.server)
    return str(caught.value)


@pytest.mark.parametrize("asker", ["command line", "editor"])
def test_a_bus_that_says_nothing_is_waited_for_once(store, project, echo, tmp_path, asker):
    line = CommandLine(store, project)
    keep_two_secrets(line, echo.server_port)
    (store / "secrets.json").unlink()
    with socket.socket(socket.AF_UNIX) as bus:
        bus.bind(str(tmp_path / "bus"))
        bus.listen()
        bus.setblocking(False)
        line.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={tmp_path / 'bus'}"
        if asker == "editor":
            told = refused_send(line)
        else:
            sent = line.run("collections", "send", "Shop/kept")
            assert sent.returncode == 5
            told = sent.stderr.decode()
        assert "gave no answer within 5 seconds" in told
        assert "DBUS_SESSION_BUS_ADDRESS empty" in told
        bus.accept()[0].close()
        with pytest.raises(BlockingIOError):
            bus.accept()
    assert echo.seen == [] and not (store / "secrets.json").exists()
    line.found.check()


@contextmanager
def keyring(folder, password=None):
    """A message bus that starts a real keyring, which is locked where no password is given; its
    address."""
    (folder / "services").mkdir(parents=True, exist_ok=True)
    (folder / "run").mkdir(exist_ok=True)
    (folder / "password").write_text(password or "")
    unlock = f"--unlock < '{folder}/password'" if password else ""
    (folder / "start").write_text(
        f"export HOME='{folder}' XDG_DATA_HOME='{folder}/data' XDG_RUNTIME_DIR='{folder}/run'\n"
        f"exec gnome-keyring-daemon --foreground --components=secrets {unlock}\n")
    (folder / "services" / "keyring.service").write_text(
        f"[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/sh {folder}/start\n")
    (folder / "bus.conf").write_text(
        f"<busconfig><type>session</type><listen>unix:path={folder}/bus</listen>"
        f"<auth>EXTERNAL</auth><servicedir>{folder}/services</servicedir>"
        "<policy context='default'><allow send_destination='*' eavesdrop='true'/>"
        "<allow eavesdrop='true'/><allow own='*'/></policy></busconfig>")
    with subprocess.Popen(
            ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"],
            stdout=subprocess.PIPE) as bus:
        try:
            # It tells the address when it can be reached.
            yield bus.stdout.readline().decode().strip()
        finally:
            bus.terminate()


def test_an_editor_is_told_of_a_locked_keyring(store, project, echo, tmp_path):
    if not all(map(shutil.which, ["dbus-daemon", "gnome-keyring-daemon"])):
        assert os.environ.get("POSTKIT_REQUIRE_ALL") != "1"
        pytest.skip("there is no keyring on this machine")
    line = CommandLine(store, project)
    with keyring(tmp_path / "session", "open sesame") as address:
        line.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        keep_two_secrets(line, echo.server_port)
    assert not (store / "secrets.json").exists()
    # The first keyring is gone, and with it the password that was given.
    with keyring(tmp_path / "session") as address:
        line.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        assert "keyring, which has a secret variable, is locked" in refused_send(line)
    assert echo.seen == [] and not (store / "secrets.json").exists()
    line.found.check()
