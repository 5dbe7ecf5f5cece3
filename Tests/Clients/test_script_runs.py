"""What `postkit run` makes of scripts: how they end, what they see, and what other files add."""

import json
import os
import subprocess

import pytest
from rawclient import binary

LIMIT = 60


def postkit(folder, *words, **more):
    environment = {**os.environ, "HOME": str(folder), "POSTKIT_HOME": str(folder.parent / "store")}
    return subprocess.run(
        [binary(), *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=LIMIT, **more,
    )


def ran(folder, text, *words):
    """Runs all requests of a file; the process, and its report."""
    (folder / "a.http").write_text(text)
    result = postkit(folder, "run", "a.http", "--all", "--report", "json=report.json", *words)
    return result, json.loads((folder / "report.json").read_text())


# The table of SC-32: what a script does, the exit code, the entry of the report, and what is said.
# `$U` stands for the server, `sent` for whether the request goes out.
ENDS = {
    "syntax error before": ("< {% let = %}\nGET $U/a", False, 3, "script-failed", "a.http:1:"),
    "syntax error in imports": (
        "={% const a = ; %}\n\n###\n< {% console.log(1) %}\nGET $U/a", False, 3,
        "script-failed", "a.http:1:"),
    "throw before": (
        "< {% throw new Error('no') %}\nGET $U/a", False, 3, "script-failed", "a.http:1:"),
    "throw in a hook before sending": (
        "GET $U/a\n\n{{@request\nthrow new Error('no')\n}}", False, 3, "script-failed",
        "a.http:4:"),
    "throw in an expression": (
        "GET $U/{{(() => { throw new Error('no') })()}}", False, 3, "script-failed", "no"),
    "unknown name in an expression": (
        "GET $U/{{nothing + 1}}", False, 3, "unresolved-variable", "nothing"),
    "syntax error after": ("GET $U/a\n\n> {% let = %}", True, 3, "script-failed", "a.http:3:"),
    "throw after": (
        "GET $U/a\n\n> {%\nthrow new Error('no')\n%}\n> {% console.log('left out') %}", True, 3,
        "script-failed", "a.http:4:"),
    "throw in logging": (
        "GET $U/a\n\n{{@responseLogging\nthrow new Error('no')\n}}", True, 0, None,
        "a.http:4:"),
    "throw at the end": (
        "GET $U/a\n\n{{@after\nthrow new Error('no')\n}}", True, 0, None, "a.http:4:"),
    "failed test": (
        "GET $U/a\n\n> {% client.test('t', () => client.assert(false, 'why')) %}", True, 1, None,
        "✗ t"),
    "recorded assertion": (
        "GET $U/a\n\n> {% assert.true(false, 'said') %}", True, 1, None, "✗ said"),
    "assertion outside of a test": (
        "GET $U/a\n\n> {% client.assert(false, 'why') %}", True, 3, "script-failed", "why"),
    "skip": ("< {% request.skip('not now') %}\nGET $U/a", False, 0, "skipped", "not now"),
    "cancel": ("{{\nexports.$cancel = true\n}}\nGET $U/a", False, 0, "skipped", "not sent"),
    "abort": (
        "< {% request.abort('stop here') %}\nGET $U/a", False, 3, "script-failed", "stop here"),
    "Lua": ("GET $U/a\n\n> {% lang=lua\nprint(1)\n%}", True, 0, None, "script-language"),
    "replay without end": (
        "GET $U/a\n\n> {% request.replay() %}", True, 3, "script-failed", "100 times"),
    "circle of requests": (
        "# @name a\n{{\nawait $httpyac.execute('b')\n}}\nGET $U/a\n\n"
        "###\n# @name b\n{{\nawait $httpyac.execute('a')\n}}\nGET $U/b",
        False, 3, "script-failed", "a runs b runs a"),
    "a promise that nothing settles": (
        "< {% await new Promise(() => {}) %}\nGET $U/a", False, 3, "script-failed",
        "nothing settles"),
    "a test that never ends": (
        "GET $U/a\n\n> {% client.test('t', () => new Promise(() => {})) %}", True, 3,
        "script-failed", "✗ t"),
}


@pytest.mark.parametrize("case", ENDS)
def test_how_scripts_end(case, folder, target):
    text, is_sent, code, error, says = ENDS[case]
    result, report = ran(folder, text.replace("$U", target.url) + "\n")
    assert result.returncode == code, result.stderr
    assert says in result.stderr, result.stderr
    assert "left out" not in result.stderr
    assert bool(target.seen) == is_sent
    if error == "skipped":
        assert report["requests"] == []
    else:
        assert error in [entry["error"] for entry in report["requests"]], report
        assert (report["error"] is None) == (code in (0, 1)), report


def test_requests_that_run_each_other_eight_deep(folder, target):
    def chain(count):
        text = ""
        for number in range(count):
            script = f"{{{{\nawait $httpyac.execute('r{number + 1}')\n}}}}\n"
            if number == count - 1:
                script = ""
            text += f"###\n# @name r{number}\n{script}GET {target.url}/{number}\n\n"
        (folder / "a.http").write_text(text)
        return postkit(folder, "run", "a.http", "--name", "r0")

    assert chain(9).returncode == 0
    deep = chain(11)
    assert deep.returncode == 3 and "more than 8 deep" in deep.stderr, deep.stderr


def test_a_thousand_jumps_are_enough(folder, target):
    text = f"""### a
GET {target.url}/a

> {{% pm.execution.setNextRequest('a') %}}

### b
GET {target.url}/b
"""
    result, report = ran(folder, text)
    assert result.returncode == 3, result.stderr[-2000:]
    assert "more than 1000 times" in result.stderr
    assert len(target.seen) == 1001


def test_other_requests_go_on_after_a_script_that_fails(folder, target):
    text = f"""### one
< {{% throw 'x' %}}
GET {target.url}/one

### two
GET {target.url}/two
"""
    result, report = ran(folder, text)
    assert result.returncode == 3
    assert [seen[1] for seen in target.seen] == ["/two"]
    assert [entry["error"] for entry in report["requests"]] == ["script-failed", None]


def test_a_seed_makes_all_runs_the_same(folder, target):
    text = f"""GET {target.url}/{{{{Math.random()}}}}

> {{%
console.log(Math.random(), Date.now(), new Date().toISOString(), crypto.randomUUID(), $uuid,
  $random.alphabetic(8), $random.integer(0, 1000000), $randomInt, $timestamp);
setTimeout(() => console.log('later', Date.now()), 60000);
setTimeout(() => console.log('sooner', Date.now()), 1000);
%}}
"""
    outputs = []
    for seed in ["7", "7", "8"]:
        result, report = ran(folder, text, "--seed", seed)
        assert result.returncode == 0, result.stderr
        (entry,) = report["requests"]
        outputs.append((entry["url"], [line["text"] for line in entry["output"]]))
    assert outputs[0] == outputs[1]
    assert outputs[0] != outputs[2]
    time = outputs[0][1][0].split(" ")[1]
    assert outputs[0][1][1:] == [f"sooner {time}", f"later {time}"]


def test_scripts_see_what_a_request_they_ran_has_set(folder, target):
    text = f"""### login
# @name login
GET {target.url}/login?{{{{who}}}}

> {{% client.global.set('token', response.body.token); %}}
{{{{
exports.answer = 42;
}}}}

### main
{{{{
console.log(typeof answer, client.global.get('token'));
const all = await $httpyac.execute('login', {{ who: 'ann' }});
console.log(answer, client.global.get('token'), all.answer, all.token);
}}}}
GET {target.url}/main
"""
    (folder / "a.http").write_text(text)
    result = postkit(folder, "run", "a.http", "--name", "main")
    assert result.returncode == 0, result.stderr
    lines = result.stderr.splitlines()
    assert "undefined undefined" in lines and "42 t-1 42 t-1" in lines, result.stderr
    assert [seen[1] for seen in target.seen] == ["/login?ann", "/main"]


def test_a_script_imports_a_file(folder, target):
    (folder / "b.http").write_text(f"@base = v1\n\n### ping\n# @name ping\nGET {target.url}/ping\n")
    text = f"""### main
{{{{
await $httpyac.import('./b.http');
await $httpyac.execute('ping');
}}}}
GET {target.url}/{{{{base}}}}
"""
    result, _ = ran(folder, text)
    assert result.returncode == 0, result.stderr
    assert [seen[1] for seen in target.seen] == ["/ping", "/v1"]
    (folder.parent / "c.http").write_text("@base = v2\n")
    result, _ = ran(folder, text.replace("./b.http", "../c.http"))
    assert result.returncode == 3, result.stderr


def test_tests_and_lines_of_other_files_say_where_they_stand(folder, target):
    (folder / "check.js").write_text(
        "console.log('hi');\nclient.test('t', () => {\n  client.assert(false, 'why');\n});\n")
    result, report = ran(folder, f"GET {target.url}/a\n\n> ./check.js\n")
    assert result.returncode == 1, result.stderr
    # As the request file was named: from where the user is.
    path = "check.js"
    (entry,) = report["requests"]
    assert [(line["file"], line["line"]) for line in entry["output"]] == [(path, 1)]
    assert [(test["file"], test["line"]) for test in entry["tests"]] == [(path, 3)]
    assert f"  {path}:3:" in result.stderr, result.stderr


def test_where_tests_run_last_they_see_the_whole_script(folder, target):
    text = f"""GET {target.url}/a

> {{%
let seen = 'early';
client.test('t', () => console.log(seen));
seen = 'late';
%}}
"""
    def said(*words):
        return [line["text"] for line in ran(folder, text, *words)[1]["requests"][0]["output"]]

    assert said() == ["early"]
    assert said("--dialect", "jetbrains") == ["late"]
    (folder / "postkit.json").write_text('{"testsRun": "afterScript"}')
    assert said() == ["late"]


def test_a_preset_runs_the_scripts_of_its_tool_alone(folder, target):
    text = f"""{{{{
console.log('block');
}}}}
GET {target.url}/a

> {{% console.log('handler') %}}
"""
    def said(preset):
        report = ran(folder, text, "--dialect", preset)[1]
        return [line["text"] for line in report["requests"][0].get("output", [])]

    assert said("auto") == said("httpyac") == ["block", "handler"]
    assert said("jetbrains") == said("kulala") == ["handler"]
    assert said("restclient") == said("visualstudio") == []


def test_a_store_that_grows_is_read_by_any_name(folder, target):
    """A script has the names that stand in it; it asks for others."""
    text = f"""### set
GET {target.url}/a

> {{%
for (let i = 0; i < 50; i++) client.global.set('key ' + i, i);
%}}

### get
GET {target.url}/b

> {{%
console.log(client.global.get('key ' + 7), client.global.isEmpty(), client.global.get('no'),
  Object.keys($global).length);
client.global.set('key 7', 8);
console.log(client.global.get(['key', 7].join(' ')));
%}}
"""
    result, report = ran(folder, text)
    assert result.returncode == 0, result.stderr
    assert [it["text"] for it in report["requests"][1]["output"]] == ["7 false undefined 50", "8"]
