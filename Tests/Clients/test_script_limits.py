"""What scripts may use up is the user's word, in the editor and at the command line."""

import json
import os
import re
import signal
import subprocess

import pytest
from rawclient import ResponseError, binary
from test_questions import client
from test_script_trust import children, wait_until
from test_scripts import OWN, TRUSTED, handled, send

LOOP = "for (;;) {}"
HUNGRY = "const all = []; for (;;) all.push(new Array(1e5).fill(1.5))"


def keep(store, settings):
    store.mkdir(exist_ok=True)
    (store / "config.json").write_text(json.dumps(settings))


def sent(store, folder, target, script, **options):
    """What a send says of a script that fails after the response."""
    with client(store, folder, OWN, options={"postkit": {**TRUSTED["postkit"], **options}}) as c:
        c.initialize()
        result = send(c, c.open(folder / "a.http", handled(target, script)))
        return result["error"]["message"] if "error" in result else str(result)


def ran(store, folder, target, script):
    """The same of `postkit run`."""
    (folder / "a.http").write_text(handled(target, script))
    end = subprocess.run(
        [binary(), "run", str(folder / "a.http")], capture_output=True, text=True, timeout=120,
        env={**os.environ, "POSTKIT_HOME": str(store)})
    assert end.returncode == 3, end
    return end.stderr


@pytest.mark.parametrize("way", [sent, ran])
def test_the_user_limits_the_time_of_scripts(store, folder, target, way):
    keep(store, {"scripts": {"timeout": 300}})
    # No folder changes that.
    (folder / "postkit.json").write_text('{"scripts.timeout": 60000}')
    assert "took longer than 300 ms" in way(store, folder, target, LOOP)


@pytest.mark.parametrize("way", [sent, ran])
def test_the_user_limits_the_memory_of_scripts(store, folder, target, way):
    keep(store, {"scripts.memory": 32 << 20, "scripts.timeout": 60_000})
    (folder / "postkit.json").write_text('{"scripts": {"memory": 1073741824}}')
    assert "used more than 32 MB" in way(store, folder, target, HUNGRY)


def test_the_editor_may_say_it_too(store, folder, target):
    said = sent(store, folder, target, LOOP, settings={"scripts": {"timeout": 200}})
    assert "took longer than 200 ms" in said


# --- an engine that ends


def crash(c, uri, how):
    """Kills the child while its script loops; the sentence of the send."""
    number = c.start("postkit/send", {"textDocument": {"uri": uri}, "name": "login"})

    def looping():
        return [pid for pid in children(c) if cpu(pid) > 5]

    (child,) = wait_until(looping)
    os.kill(child, how)
    if how == signal.SIGSEGV:
        # The engine has a handler of its own, which takes the first one for its own mistake.
        wait_until(lambda: child not in children(c) or os.kill(child, how))
    try:
        return str(c.finish(number))
    except ResponseError as error:
        return error.message


def cpu(pid):
    """The time of the processor that a process has used, in hundredths of a second."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[11])
    except OSError:
        return 0


PHASES = {
    "before": "### login\n< {% for (;;) {} %}\nGET URL/login\n",
    "expression": "### login\nGET URL/{{ (() => { for (;;) {} })() }}\n",
    "request": "### login\n{{@request\nfor (;;) {}\n}}\nGET URL/login\n",
    "response": "### login\nGET URL/login\n\n> {% for (;;) {} %}\n",
    "after": "### login\nGET URL/login\n\n{{@after\nfor (;;) {}\n}}\n",
    "import block": "={% for (;;) {} %}\n\n### login\n< {% 1 %}\nGET URL/login\n",
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP])
def test_a_child_that_ends_costs_its_script_alone(store, folder, target, phase, how):
    """One sentence with the signal's name, and the next script runs."""
    keep(store, {"scripts": {"timeout": 2_000}})
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        text = PHASES[phase].replace("URL", target.url)
        uri = c.open(folder / "a.http", text)
        said = crash(c, uri, how)
        if phase == "after":
            # What ends behind the response is warned of, and the result stands.
            assert "'status': 200" in said
        elif how == signal.SIGSTOP:
            assert "took longer than" in said
        else:
            assert len(re.findall(f"The script engine ended \\({how.name}\\)", said)) >= 1
            assert "SIGABRT" not in said
        c.change(uri, handled(target, "client.test('lives', () => {})"))
        assert send(c, uri)["tests"]["passed"] == 1


def test_functions_of_a_child_that_ended_say_so(store, folder, target):
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        text = (
            f"={{%\nfunction double(n) {{ return 2 * n }}\n%}}\n\n"
            f"### login\n{{{{\nexports.double = (n) => 2 * n\n}}}}\nGET {target.url}/a\n\n"
            "> {% for (;;) {} %}\n{{@after\nconsole.log(double(2))\n}}\n"
        )
        uri = c.open(folder / "a.http", text)
        said = crash(c, uri, signal.SIGKILL)
        assert "The script engine ended (SIGKILL)" in said
        told = c.expect("window/logMessage", lambda p: "restarted" in p["message"])
        assert "double is no longer there: the script engine was restarted" in told["message"]


def test_scripts_are_off_after_three_crashes_in_a_minute(store, folder, target):
    capabilities = {**OWN, "experimental": {"postkit": {
        **OWN["experimental"]["postkit"], "status": True}}}
    with client(store, folder, capabilities, options=TRUSTED) as c:
        c.initialize()
        uri = c.open(folder / "a.http", handled(target, LOOP))
        for _ in range(3):
            assert "(SIGKILL)" in crash(c, uri, signal.SIGKILL)
        told = c.expect("postkit/status", lambda p: "no more scripts" in str(p))
        assert "3 times within a minute" in str(told)
        result = send(c, uri)
        assert "no more scripts" in str(result)
        assert children(c) == {}


# --- requests of scripts


@pytest.mark.parametrize("way", [sent, ran])
def test_scripts_send_requests_where_the_user_allows_it(store, folder, target, way):
    script = (f"const found = await pm.sendRequest('{target.url}/own');\n"
              "throw new Error('sent ' + found.code)")
    (folder / "postkit.json").write_text('{"scripts.allowRequests": true}')
    assert "scripts.allowRequests" in way(store, folder, target, script)
    assert "/own" not in [path for _, path, _, _ in target.seen]
    keep(store, {"scripts": {"allowRequests": True}})
    assert "sent 200" in way(store, folder, target, script)
    assert "/own" in [path for _, path, _, _ in target.seen]
