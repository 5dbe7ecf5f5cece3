"""Names, tags and small words of scripts as people write them, in the real program."""

import json
import os
import subprocess

import pytest
from rawclient import binary

LIMIT = 60


def ran(folder, text, *words):
    """Runs all requests of a file; the process, and its report."""
    (folder / "a.http").write_text(text)
    environment = {**os.environ, "HOME": str(folder), "POSTKIT_HOME": str(folder.parent / "store")}
    result = subprocess.run(
        [binary(), "run", "a.http", "--all", "--report", "json=report.json", *words], cwd=folder,
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT,
    )
    return result, json.loads((folder / "report.json").read_text())


def printed(report):
    return [line["text"] for entry in report["requests"] for line in entry.get("output") or []]


# What a file sends: the text, and the targets.
SENT = {
    "an identifier stands for a name that is none": (
        "@who-am-i = me\nGET $U/{{whoAmI}}/{{whoAmI + '!'}}", ["/me/me!"]),
    "a path with an index goes into `$global`": (
        "{{\n$global.o = { a: [{ b: 2 }] };\n}}\n###\nGET $U/{{$global.o.a[0].b}}", ["/2"]),
    "what changes inside of `$global` stays": (
        "{{\n$global.list = []; $global.list.push(1);\n}}\n"
        "GET $U/a\n\n> {%\n$global.list.push(2)\n%}\n###\nGET $U/{{list[1]}}", ["/a", "/2"]),
    "`@if` is `@disabled` turned round": (
        "# @if 1 === 2\nGET $U/no\n###\n# @if 1 === 1\nGET $U/yes\n###\n# @if\nGET $U/bare\n###\n"
        "# @if true\n# @disabled 1 === 1\nGET $U/both", ["/yes", "/bare"]),
    "`@sleep` takes JavaScript": (
        "@wait = 2\n# @sleep wait * 2\nGET $U/a\n###\n# @sleep wait\nGET $U/b\n###\n"
        "# @sleep {{wait}}\nGET $U/c", ["/a", "/b", "/c"]),
}


@pytest.mark.parametrize("case", SENT)
def test_what_is_sent(case, folder, target):
    text, wanted = SENT[case]
    result, _ = ran(folder, text.replace("$U", target.url) + "\n")
    assert result.returncode == 0, result.stderr
    assert [path for _, path, _, _ in target.seen] == wanted, result.stderr


def test_a_pause_that_is_no_duration_is_refused(folder, target):
    for written in ["soon", "10 parsecs"]:
        result, report = ran(folder, f"# @sleep {written}\nGET {target.url}/a\n")
        assert report["error"] == "syntax", result.stderr
        assert f"`{written}` is not a duration" in result.stderr


def test_errors_have_the_codes_that_scripts_ask_for(folder, target):
    script = """
    const code = async (work) => { try { await work() } catch (e) { return `${e.name} ${e.code}` } }
    const fs = require('fs')
    client.log(await code(() => fs.readFileSync('none.txt')))
    client.log(await code(() => fs.readdirSync('none')))
    client.log(await code(() => fs.promises.readFile('/etc/passwd')))
    client.log(await code(() => require('./none')))
    client.log(await code(() => require('lodash')))
    client.log(await code(() => $httpyac.execute('gone')))
    """
    text = f"### gone\nGET http://127.0.0.1:9/x\n###\nGET {target.url}/a\n\n> {{%{script}%}}\n"
    result, report = ran(folder, text)
    assert printed(report) == [
        "Error ENOENT", "Error ENOENT", "Error EACCES", "Error MODULE_NOT_FOUND",
        "Error MODULE_NOT_FOUND", "RequestError connection",
    ], result.stderr


def test_a_path_with_a_mistake_is_told_in_words(folder, target):
    script = "jsonPath({ a: 1 }, '$[')"
    result, _ = ran(folder, f"GET {target.url}/a\n\n> {{% {script} %}}\n")
    assert "jsonPath: a selector is missing at offset 2" in result.stderr, result.stderr


# What other tools have: who calls it reads why it is not there.
ABSENT = {
    "vscode": "`vscode` exists in httpYac's editor only",
    "fetch('http://x')": "`fetch` is not there: a script has no network",
    "axios.get('http://x')": "`axios` is not there: a script has no network",
    "$random.input('who')": "`$random.input` exists in httpYac's editor only",
}


@pytest.mark.parametrize("text", ABSENT)
def test_what_other_tools_have_is_named(text, folder, target):
    result, report = ran(folder, f"< {{% {text} %}}\nGET {target.url}/a\n")
    assert (result.returncode, report["error"]) == (3, "script-failed")
    assert ABSENT[text] in result.stderr, result.stderr


def test_a_script_in_a_file_asks_from_its_own_folder(folder, target):
    (folder / "s").mkdir()
    (folder / "s" / "d.json").write_text('{"q": 1}')
    (folder / "s" / "m.js").write_text("export const m = 2")
    (folder / "s" / "h.js").write_text(
        "#!/usr/bin/env node\nimport { m } from './m.js'\n"
        "const path = require('path')\n"
        "client.log(require('./d').q, m, path.basename(__dirname), path.basename(__filename))\n")
    result, report = ran(folder, f"GET {target.url}/a\n\n> ./s/h.js\n")
    assert printed(report) == ["1 2 s h.js"], result.stderr


# Definitions that are JavaScript, and who reads them.
DEFINED = {
    "a definition reads another one": (
        "@z = {{[1,2].join('-')}}\n@y = {{z + '!'}}\n@x = {{y + '.'}}\nGET $U/{{x}}", "/1-2!."),
    "an expression reads one": ("@z = {{[1,2].join('-')}}\nGET $U/{{z + 'q'}}", "/1-2q"),
    "a path goes into one": ("@z = {{'a' + 1}}\n@y = {{z + 2}}\nGET $U/{{y.length}}", "/3"),
    "a text holds one": (
        "@z = {{[1,2].join('-')}}\n@y = a{{z}}\nGET $U/{{y + 'q'}}/{{y.length}}", "/a1-2q/4"),
    "a script reads one by its bare name": (
        "@z = {{[1,2].join('-')}}\n{{\nexports.w = z + '!';\n}}\nGET $U/{{w}}", "/1-2!"),
    "a script reads one of the file": (
        "@z = {{[1,2].join('-')}}\n< {%\nrequest.variables.set('w', client.variables.file.get('z'))"
        "\n%}\nGET $U/{{w}}", "/1-2"),
    "a script does not see one that fails": (
        "@z = {{none()}}\n{{\nexports.w = typeof z;\n}}\nGET $U/{{w}}", "/undefined"),
}


@pytest.mark.parametrize("case", DEFINED)
def test_definitions_that_are_javascript(case, folder, target):
    text, wanted = DEFINED[case]
    result, _ = ran(folder, text.replace("$U", target.url) + "\n")
    assert [path for _, path, _, _ in target.seen] == [wanted], result.stderr


def test_definitions_in_a_circle_end(folder, target):
    text = f"@a = {{{{b + 1}}}}\n@b = {{{{a + 1}}}}\nGET {target.url}/{{{{a}}}}\n"
    result, report = ran(folder, text)
    assert report["error"] == "unresolved-variable", result.stderr
    assert "Did you mean" not in result.stderr


def test_variables_of_a_request_end_with_it(folder, target):
    text = (f"< {{% request.variables.set('a', '1') %}}\nGET {target.url}/{{{{a}}}}\n"
            f"###\nGET {target.url}/{{{{a}}}}\n")
    result, report = ran(folder, text)
    assert [entry["error"] for entry in report["requests"]] == [None, "unresolved-variable"]
    assert [path for _, path, _, _ in target.seen] == ["/1"], result.stderr
