"""Reports of a run, read as CI systems read them.

The JUnit form is checked against the structure that Ant's and Jenkins' schemas have in common,
written down below; TAP by a parser of its own. Both need nothing but Python.
"""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET

import pytest
from rawclient import binary

NUMBER = re.compile(r"\d+")
DECIMAL = re.compile(r"\d+(\.\d+)?")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
ANY = re.compile(r"(?s).*")
NAME = re.compile(r"(?s).+")

# Element: its attributes, required and allowed, and its children: names in their order, each with
# how often it may stand there at least and at most.
OUTCOME = {
    "required": {"type": ANY},
    "allowed": {"message": ANY},
    "children": [],
}
SCHEMA = {
    "testsuites": {"required": {}, "allowed": {}, "children": [("testsuite", 0, None)]},
    "testsuite": {
        "required": {
            "name": NAME,
            "package": NAME,
            "id": NUMBER,
            "timestamp": TIME,
            "hostname": NAME,
            "tests": NUMBER,
            "failures": NUMBER,
            "errors": NUMBER,
            "time": DECIMAL,
        },
        "allowed": {"skipped": NUMBER},
        "children": [
            ("properties", 1, 1),
            ("testcase", 0, None),
            ("system-out", 1, 1),
            ("system-err", 1, 1),
        ],
    },
    "properties": {"required": {}, "allowed": {}, "children": [("property", 0, None)]},
    "property": {"required": {"name": NAME, "value": ANY}, "allowed": {}, "children": []},
    "testcase": {
        "required": {"name": NAME, "classname": NAME, "time": DECIMAL},
        "allowed": {},
        # One of them at most.
        "children": [("skipped|error|failure", 0, 1)],
    },
    "skipped": {"required": {}, "allowed": {"message": ANY}, "children": []},
    "error": OUTCOME,
    "failure": OUTCOME,
    "system-out": {"required": {}, "allowed": {}, "children": []},
    "system-err": {"required": {}, "allowed": {}, "children": []},
}


def check(element, path=""):
    """Holds an element and all below it against the schema."""
    path += "/" + element.tag
    rule = SCHEMA[element.tag]
    allowed = {**rule["required"], **rule["allowed"]}
    assert set(rule["required"]) <= set(element.attrib) <= set(allowed), path
    for name, value in element.attrib.items():
        assert allowed[name].fullmatch(value), f"{path}/@{name}: {value!r}"
    children = [child.tag for child in element]
    for tags, least, most in rule["children"]:
        count = 0
        while children and children[0] in tags.split("|"):
            children.pop(0)
            count += 1
        assert least <= count and (most is None or count <= most), f"{path}: {count} of {tags}"
    assert children == [], f"{path}: {children[0]} stands in the wrong place"
    for child in element:
        check(child, path)


def junit(text):
    """The cases of a report, once it is known to be valid: name, and what went wrong."""
    root = ET.fromstring(text)
    assert root.tag == "testsuites"
    check(root)
    cases = []
    for suite in root:
        own = suite.findall("testcase")
        assert int(suite.get("tests")) == len(own)
        for kind, name in (("failures", "failure"), ("errors", "error")):
            assert int(suite.get(kind)) == len(suite.findall(f"testcase/{name}")), kind
        assert float(suite.get("time")) == pytest.approx(sum(float(c.get("time")) for c in own))
        for case in own:
            cases.append((case.get("name"), case[0].tag if len(case) else None))
    return cases


def tap(text):
    """The tests of a TAP stream: name, whether it is well, what is said; `None` for a bail out."""
    assert text.endswith("\n") and "\r" not in text
    lines = text[:-1].split("\n")
    assert lines.pop(0) == "TAP version 13"
    plan = re.fullmatch(r"1\.\.(\d+)", lines.pop(0))
    tests = []
    while lines:
        line = lines.pop(0)
        if line.startswith("Bail out!"):
            assert lines == [] and tests == [] and plan[1] == "0"
            return None
        found = re.fullmatch(r"(not )?ok (\d+) - (.*)", line)
        assert found, line
        assert int(found[2]) == len(tests) + 1
        # A hash that is not escaped would begin a directive.
        name, directive = re.fullmatch(r"((?:[^\\#]|\\.|\\$)*)(#.*)?", found[3]).groups()
        assert directive is None, line
        said = None
        if lines and lines[0] == "  ---":
            end = lines.index("  ...")
            (message,) = lines[1:end]
            # A text of JSON is one of YAML.
            said = json.loads(message.removeprefix("  message: "))
            del lines[: end + 1]
        # Backslashes are doubled before a hash, as they are read there.
        plain = re.sub(r"(\\+)#", lambda m: m[1][: len(m[1]) // 2] + "#", name)
        tests.append((plain, found[1] is None, said))
    assert len(tests) == int(plan[1])
    return tests


@pytest.fixture
def run(tmp_path, folder):
    """Runs a file and gives exit code, JUnit, TAP and JSON."""

    def runs(text, *options):
        (folder / "a & <b>.http").write_text(text)
        reports = {kind: folder / f"report.{kind}" for kind in ("junit", "tap", "json")}
        command = [binary(), "run", "a & <b>.http", "--no-history", *options]
        for kind, path in reports.items():
            path.unlink(missing_ok=True)
            command += ["--report", f"{kind}={path.name}"]
        environment = {**os.environ, "POSTKIT_HOME": str(tmp_path / "store")}
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=60, check=False
        )
        texts = {kind: path.read_text() for kind, path in reports.items()}
        cases, tests = junit(texts["junit"]), tap(texts["tap"])
        return ended.returncode, cases, tests, json.loads(texts["json"])

    return runs


def test_requests_and_checks_are_cases(run, target):
    code, cases, tests, report = run(
        f"### one\nGET {target.url}/\n\n?? status == 200\n?? status == 201\n\n"
        f"### two\nGET {target.url}/\n\n?? body token matches ^t\n",
        "--all",
    )
    assert code == 1
    assert cases == [
        ("one", None),
        ("one: status == 200", None),
        ("one: status == 201", "failure"),
        ("two", None),
        ("two: body token matches ^t", None),
    ]
    assert [(name, well) for name, well, _ in tests] == [
        (name, wrong is None) for name, wrong in cases
    ]
    assert tests[2][2] == "The value is `200`."
    assert [test["passed"] for test in report["tests"]] == [True, False, True]


def test_what_is_not_answered_or_not_built_is_an_error(run, target):
    code, cases, tests, report = run(
        "### refused\nGET http://127.0.0.1:1/\n\n### built\nGET {{nope}}\n\n"
        f"### well\nGET {target.url}/\n",
        "--all",
    )
    assert code == 3
    assert cases == [("refused", "error"), ("built", "error"), ("well", None)]
    assert [well for _, well, _ in tests] == [False, False, True]
    assert tests[0][2].startswith("connection: ") and "`nope`" in tests[1][2]
    assert [request["error"] for request in report["requests"]] == [
        "connection",
        "unresolved-variable",
        None,
    ]


NASTY = [
    "a <&>\"']]>",
    "tab\there",
    "# SKIP not",
    "a \\# SKIP b",
    "back\\slash \\",
    "bell\a",
    "ü 😀",
]


@pytest.mark.parametrize("name", NASTY)
def test_names_of_any_kind_are_cases_like_others(run, target, name):
    code, cases, tests, _ = run(f"### {name}\nGET {target.url}/\n\n?? status == {name}\n")
    assert code == 1
    shown = name.replace("\a", "\N{REPLACEMENT CHARACTER}")
    assert [wrong for _, wrong in cases] == [None, "failure"]
    assert cases[0][0] == shown and cases[1][0].startswith(shown + ": status == ")
    assert [well for _, well, _ in tests] == [True, False]
    assert tests[0][0] == name


def test_what_needs_javascript_is_never_well(run, target):
    code, cases, tests, report = run(f"GET {target.url}/\n\n?? js response.status + 1 == 201\n")
    assert code == 1
    assert [wrong for _, wrong in cases] == [None, "failure"]
    assert [well for _, well, _ in tests] == [True, False]
    (test,) = report["tests"]
    assert test["passed"] is False and "not supported yet" in test["message"]


@pytest.mark.parametrize("options", [("--name", "none"), ("--line", "999"), ("--parallel", "x")])
def test_a_run_that_could_not_begin_has_reports(run, target, options):
    code, cases, tests, report = run(f"### one\nGET {target.url}/\n", *options)
    assert code == 2
    assert cases == [("run", "error")]
    assert tests is None
    assert report["requests"] == [] and report["error"] in ("request-not-found", "usage")
    assert target.seen == []


def test_rounds_beside_each_other_are_all_counted(run, target):
    text = "\n".join(f"### r{n}\nGET {target.url}/{n}\n\n?? status == 200\n" for n in range(4))
    code, cases, tests, _ = run(text, "--all", "--repeat", "3", "--parallel", "4")
    assert code == 0
    assert len(cases) == len(tests) == 24
    assert all(wrong is None for _, wrong in cases)
