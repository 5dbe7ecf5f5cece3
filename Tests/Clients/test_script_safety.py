"""What scripts must not do: let a secret out, hold a run up, read too much."""

import base64
import json
import os
import subprocess
from pathlib import Path

from rawclient import TIMEOUT, ResponseError, binary
from test_questions import client
from test_scripts import OWN, TRUSTED, handled, send

SECRET = "s3cr3t-Value-9981"

# Each way in which a script could let the secret `k` out; the name is that of a request.
BEFORE = {
    "printed": "client.log('a', k); console.error({k}); console.table([{k}]); console.dir([k])",
    "encoded": "client.log(btoa(k), btoa('a' + k), btoa('ab' + k), encodeURIComponent(k + '/'))",
    "left-out": "request.skip('because of ' + k)",
    "given-up": "request.abort('because of ' + k)",
    "thrown": "throw new TypeError('no ' + k)",
    "asked": "await $kulala.prompt('what is ' + k)",
    "module": "require('./' + k)",
    "file": "require('fs').readFileSync(k + '.txt')",
    "kept": "request.variables.set('v', 'Basic ' + btoa('user:' + k)); "
            "client.global.set('w', 'x' + k); client.global.set(k, k); exports.e = k",
    "read": "client.log(require('fs').readFileSync('http-client.private.env.json'))",
    "syntax": "const x = ; // never run",
}
AFTER = {
    "tests": "client.test('name ' + k, () => client.assert(false, 'message ' + k));"
             "client.test('equal', () => require('assert').deepStrictEqual({k}, {k: k + 'x'}))",
    "late": "throw new Error('late ' + k)",
    "next": "pm.execution.setNextRequest('after ' + k)",
    "unknown": "await $httpyac.execute('no ' + k)",
}


def requests(target):
    key = "const k = request.environment.get('key');"
    text = "".join(
        f"### {name}\n< {{% {key} {script} %}}\nPOST {target.url}/{name}?k={{{{key}}}}\n"
        "X-Key: a{{key}}\n\nbody {{key}}\n\n" for name, script in BEFORE.items())
    text += (
        f"### hook\n{{{{@request\nrequest.headers['X-Hook'] = 'v' + key\n"
        f"request.url += '?h=' + key\nrequest.body = key\n}}}}\nPOST {target.url}/hook\n\nx\n\n"
        f"### method\n{{{{@request\nrequest.method = 'G ' + key\n}}}}\nGET {target.url}/method\n\n"
        f"### expression\nGET {target.url}/x?{{{{'b' + key}}}}\n\n?? js 'q' + key == 5\n\n"
        f"### broken\nGET {target.url}/{{{{(() => {{ throw new Error(key) }})()}}}}\n\n"
        f"### shown\nGET {target.url}/shown\n\n{{{{@responseLogging\n"
        "response.body = 'shown ' + key\n}}\n\n"
        f"### ended\nGET {target.url}/ended\n\n{{{{@after\n"
        "throw new Error('after ' + key)\n}}\n\n")
    # What chooses the next request ends the run.
    return text + "".join(
        handled(target, f"const k = client.global.get('w')?.slice(1);\n{script}", name)
        for name, script in sorted(AFTER.items(), key=lambda item: item[0] == "next"))


def forms():
    """The bytes of the secret, and what base64 makes of it wherever it begins."""
    found = [SECRET.encode()]
    for start in range(3):
        text = base64.b64encode(b"x" * start + SECRET.encode()).decode()
        # The first and the last letters depend on what stands beside the secret.
        found.append(text[4 if start else 0:-4].encode())
    return found


def private(folder):
    (folder / "http-client.env.json").write_text('{"dev": {}}')
    (folder / "http-client.private.env.json").write_text(
        json.dumps({"dev": {"key": SECRET}}))


def told(places):
    """The places whose bytes have the secret in one of its forms."""
    return [(name, form) for name, data in places.items() for form in forms() if form in data]


def files(directory):
    return {str(path): path.read_bytes() for path in Path(directory).rglob("*") if path.is_file()}


def test_a_run_lets_no_secret_out(store, folder, target):
    private(folder)
    (folder / "a.http").write_text(requests(target))
    reports = [f"{kind}=report.{kind}" for kind in ("json", "junit", "tap")]
    words = [word for report in reports for word in ("--report", report)]
    run = subprocess.run(
        [binary(), "run", "a.http", "--all", "-e", "dev", *words], cwd=folder,
        env={**os.environ, "POSTKIT_HOME": str(store)}, capture_output=True, timeout=TIMEOUT,
        stdin=subprocess.DEVNULL)
    # Everything has run: the last one has chosen what goes next.
    assert b"wants to go on with" in run.stderr and run.returncode == 3
    assert len(target.seen) >= 10 and SECRET in str(target.seen)
    places = {"standard error": run.stderr, **files(store)}
    places.update({path.name: path.read_bytes() for path in folder.glob("report.*")})
    assert len(places) > 5 and told(places) == []


def test_a_server_lets_no_secret_out(store, folder, target):
    private(folder)
    options = {"postkit": {"trusted": True, "settings": {"environment": "dev"}}}
    with client(store, folder, OWN, options=options) as c:
        c.initialize()
        uri = c.open(folder / "a.http", requests(target))
        results = []
        for name in [*BEFORE, "hook", "method", "expression", "broken", "shown", "ended", *AFTER]:
            try:
                results.append(send(c, uri, name))
            except ResponseError as error:
                results.append({"error": error.message, "data": error.data})
        hints = c.range("textDocument/inlayHint", uri)
        report = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        uris = [f"postkit:/response/{it['id']}.http" for it in results if it.get("id")]
        documents = [
            c.request("workspace/textDocumentContent", {"uri": uri}) for uri in uris]
        places = {
            "results": results, "hints": hints, "diagnostics": report, "documents": documents,
            "messages": c.notifications + c.requests}
        places = {name: json.dumps(value).encode() for name, value in places.items()}
        assert told({**places, **files(store)}) == []


def test_what_is_kept_later_is_hidden_in_what_was_printed(store, folder, target):
    target.bodies["/login"] = ("application/json", b'{"access_token": "tok-abcdef-123456"}')
    (folder / "a.http").write_text(handled(
        target, "client.log('got', response.body.access_token)\n"
        "client.global.set('access_token', response.body.access_token)"))
    run = subprocess.run(
        [binary(), "run", "a.http", "--report", "json=report.json"], cwd=folder,
        env={**os.environ, "POSTKIT_HOME": str(store)}, capture_output=True, timeout=TIMEOUT)
    assert run.returncode == 0, run.stderr
    report = (folder / "report.json").read_text()
    assert '"got ' in report and "tok-abcdef-123456" not in report
    assert not [name for name, data in files(store).items() if b"tok-abcdef-123456" in data]


def test_a_script_runs_several_requests_at_the_same_time(store, folder, target):
    text = handled(
        target,
        "const all = await Promise.all(['a', 'b', 'c', 'd'].map((n) => $kulala.runRequest(n)))\n"
        "client.log(all.map((it) => it.status).join())", "all")
    text += "".join(
        handled(target, f"client.test('{name}', () => {{}})", name) for name in "abcd")
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        result = send(c, c.open(folder / "a.http", text), "all")
        assert result["state"] == "done" and result.get("error") is None
        assert [line["text"] for line in result["output"]] == ["200,200,200,200"]
        assert [path for _, path, _, _ in target.seen] == ["/all", "/a", "/b", "/c", "/d"]


def test_a_script_that_failed_is_no_request_that_went_well(store, folder, target):
    text = handled(target, "throw new Error('x')") + handled(target, "client.log(1)", "other")
    (folder / "a.http").write_text(text)
    run = subprocess.run(
        [binary(), "run", "a.http", "--all"], cwd=folder, capture_output=True, timeout=TIMEOUT,
        env={**os.environ, "POSTKIT_HOME": str(store)})
    lines = run.stderr.decode().splitlines()
    assert run.returncode == 3 and lines[-1] == "2 requests: 1 ok, 1 failed"
    # It is said once.
    assert [line for line in lines if "script-failed" in line] == [
        "a.http:6:7: error: x [script-failed]"]


def test_a_module_is_small_enough_to_be_read(store, folder, target):
    (folder / "large.js").write_text("module.exports = 1 //" + "x" * (8 << 20))
    (folder / "small.js").write_text("module.exports = 1")
    script = (
        "for (const name of ['large', 'small', 'small']) {\n"
        "  try { client.log(require('./' + name)) } catch (e) { client.log(e.message) }\n}")
    with client(store, folder, OWN, options=TRUSTED) as c:
        c.initialize()
        result = send(c, c.open(folder / "a.http", handled(target, script)))
        said = [line["text"] for line in result["output"]]
        assert said[0].endswith("more than the 8388608 that a module may have")
        assert said[1:] == ["1", "1"]
