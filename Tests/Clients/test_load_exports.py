"""Requests that are exported for other programs are sent by them as we send them."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from rawclient import binary

HERE = Path(__file__).parent
SHOP = """@host = {{base}}/v1

### Log in
# @name login
POST {{host}}/login
Content-Type: application/json

{"user": "{{user}}", "password": "{{password}}"}

?? status == 200

### Order
GET {{host}}/orders/{{login.response.body.$.data.id}}?q=a b&c=%C3%A9
Authorization: Bearer {{login.response.body.$.token}}
X-Twice: a
X-Twice: b

?? status == 200
?? body $.state == new
?? body $.id == 9007199254740993
?? header Content-Type contains json

### Stale
POST {{host}}/stale
Authorization: Basic {{user}} {{password}}
Content-Type: application/x-www-form-urlencoded

city={{city}}
&mark=%26

?? body $.state == new

### Parts
PUT {{host}}/parts
Content-Type: multipart/form-data; boundary=b

--b
Content-Disposition: form-data; name="photo"; filename="a.bin"

< ./photo.bin
--b--
"""
PLACES = {
    "/v1/login": {"token": "t-1", "data": {"id": 0}},
    "/v1/orders/9007199254740993?q=a%20b&c=%C3%A9": {"state": "new", "id": 0},
    "/v1/stale": {"state": "old"},
}


@pytest.fixture
def shop(folder, target):
    """The requests, their environment, and a server that knows them."""
    (folder / "shop.http").write_text(SHOP)
    (folder / "photo.bin").write_bytes(bytes(range(256)))
    (folder / "http-client.env.json").write_text(json.dumps(
        {"dev": {"base": target.url, "user": "ann", "city": "Bonn am Rhein"}}))
    (folder / "http-client.private.env.json").write_text(json.dumps({"dev": {"password": "pw-1"}}))
    for path, value in PLACES.items():
        text = json.dumps(value).replace(": 0", ": 9007199254740993")
        target.bodies[path] = ("application/json", text.encode())
    return folder


def exported(folder, form, path):
    subprocess.run(
        [binary(), "export", "requests", "shop.http", "--format", form, "--env", "dev",
         "--output", path],
        cwd=folder, check=True, timeout=60)
    text = (folder / path).read_text()
    assert "pw-1" not in text
    return folder / path


def seen(target):
    """What was sent: method, path, the fields that matter, and body."""
    names = ["Authorization", "Content-Type"]
    return [
        (method, path, [fields.get(name) for name in names], body)
        for method, path, fields, body in target.seen
    ]


def sent_by_us(folder, target):
    subprocess.run(
        [binary(), "run", "shop.http", "--all", "--env", "dev", "--no-history"], cwd=folder,
        timeout=60, capture_output=True)
    result = seen(target)
    assert [it[0] for it in result] == ["POST", "GET", "POST", "PUT"]
    target.seen.clear()
    return result


def needs(program):
    """A program that may be absent on a machine of a contributor."""
    found = shutil.which(program) or (
        Path(sys.executable).parent / program if (Path(sys.executable).parent / program).exists()
        else None)
    if found is None:
        assert os.environ.get("POSTKIT_REQUIRE_ALL") != "1", f"{program} is absent"
        pytest.skip(f"{program} is absent")
    return str(found)


def test_a_script_of_curl_commands_sends_the_same(shop, target):
    needs("jq")
    ours = sent_by_us(shop, target)
    path = exported(shop, "curl", "shop.sh")
    environment = {**os.environ, "POSTKIT_PASSWORD": "pw-1", "POSTKIT_CITY": "Bonn%20am%20Rhein"}
    subprocess.run(["sh", path], cwd=shop, check=True, timeout=60, env=environment,
                   capture_output=True)
    theirs = seen(target)
    # jq rounds large numbers before 1.7.
    assert [it[1].replace("90071992547409932", "9007199254740993").replace(
        "9007199254740992", "9007199254740993") for it in theirs] == [it[1] for it in ours]
    assert [it[2:] for it in theirs] == [it[2:] for it in ours]


def test_a_script_for_k6_sends_the_same(shop, target):
    node = needs("node")
    ours = sent_by_us(shop, target)
    path = exported(shop, "k6", "shop.js")
    path = path.rename(path.with_suffix(".mjs"))
    environment = {**os.environ, "POSTKIT_PASSWORD": "pw-1"}
    run = subprocess.run(
        [node, HERE / "k6_stand_in.mjs", path, "3"], cwd=shop, check=True, timeout=120,
        env=environment, capture_output=True, text=True)
    assert seen(target) == ours[:1] + ours[1:] * 3
    results = json.loads(run.stdout)
    assert results.pop("Stale: ?? body $.state == new") == {"passed": 0, "failed": 3}
    assert results.pop("Log in: ?? status == 200") == {"passed": 1, "failed": 0}
    assert len(results) == 4
    assert all(it == {"passed": 3, "failed": 0} for it in results.values())


def test_a_script_without_a_secret_says_its_name(shop):
    node = needs("node")
    path = exported(shop, "k6", "shop.mjs")
    run = subprocess.run(
        [node, HERE / "k6_stand_in.mjs", path, "1"], cwd=shop, timeout=60, capture_output=True,
        text=True)
    assert run.returncode != 0
    assert "Set POSTKIT_PASSWORD: its value is a secret and was not exported." in run.stderr


def test_workers_of_locust_send_the_same(shop, target):
    locust = needs("locust")
    ours = sent_by_us(shop, target)
    path = exported(shop, "locust", "shop_load.py")
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        port = str(it.getsockname()[1])
    environment = {**os.environ, "POSTKIT_PASSWORD": "pw-1"}
    quiet = {"cwd": shop, "env": environment, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    worker = [locust, "-f", path, "--worker", "--master-host", "127.0.0.1", "--master-port", port]
    workers = [subprocess.Popen(worker, **quiet) for _ in range(2)]
    try:
        master = subprocess.run(
            [locust, "-f", path, "--master", "--master-bind-host", "127.0.0.1",
             "--master-bind-port", port, "--expect-workers", "2", "-u", "4", "-r", "4", "-t", "3s",
             "--headless", "--exit-code-on-error", "1", "--json"],
            cwd=shop, env=environment, timeout=120, capture_output=True, text=True)
    finally:
        for it in workers:
            it.kill()
            it.wait()
    assert master.returncode == 1, master.stderr
    counts = {it["name"]: it for it in json.loads(master.stdout)}
    assert counts["Log in"]["num_requests"] == 4
    assert not counts["Log in"]["num_failures"]
    assert counts["Order"]["num_requests"] > 4 and not counts["Order"]["num_failures"]
    assert counts["Stale"]["num_failures"] == counts["Stale"]["num_requests"] > 4
    assert "?? body $.state == new" in master.stderr
    assert {str(it) for it in seen(target)} == {str(it) for it in ours}
