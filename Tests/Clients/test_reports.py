"""Reports of a run, read as CI systems read them.

The JUnit form is checked against the schema of Jenkins' xUnit plugin (.ci/junit-schema), and
against Ant's structure, which is stricter in places and written down below. TAP is read by tap.py.
"""

import json
import os
import re
import subprocess

import pytest
from lxml import etree
from metamodel import ROOT
from rawclient import TIMEOUT, binary
from tap.parser import Parser

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


@pytest.fixture(scope="session")
def schema():
    """Jenkins' schema as it was fetched."""
    path = os.environ.get("JUNIT_SCHEMA") or str(ROOT / ".build-tools/junit-10.xsd")
    if not os.path.exists(path) and os.environ.get("POSTKIT_REQUIRE_ALL") != "1":
        pytest.skip("the schema is missing: .ci/setup test fetches it")
    return etree.XMLSchema(etree.parse(path))


def junit(text, schema):
    """The cases of a report, once it is known to be valid: name, and what went wrong."""
    root = etree.fromstring(text)
    schema.assertValid(root)
    assert root.tag == "testsuites"
    check(root)
    cases = []
    for suite in root:
        own = suite.findall("testcase")
        assert int(suite.get("tests")) == len(own)
        for kind, name in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.get(kind)) == len(suite.findall(f"testcase/{name}")), kind
        assert float(suite.get("time")) == pytest.approx(sum(float(c.get("time")) for c in own))
        for case in own:
            cases.append((case.get("name"), case[0].tag if len(case) else None))
    return cases


def tap(text):
    """The tests of a TAP stream: name, whether it is well, what is said; `None` for a bail out."""
    assert text.endswith("\n") and "\r" not in text
    version, plan, *lines = Parser().parse_text(text)
    assert (version.category, version.version, plan.category) == ("version", 13, "plan")
    if [line.category for line in lines] == ["bail"]:
        assert plan.expected_tests == 0 and lines[0].reason
        return None
    assert [line.category for line in lines] == ["test"] * plan.expected_tests
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    tests = []
    for line in lines:
        assert not line.todo and line.description.startswith("- ")
        said = line.directive.reason if line.skip else None
        if not line.ok:
            # `None` where it is no YAML.
            said = line.yaml_block["message"]
        tests.append((line.description.removeprefix("- "), line.ok, said))
        # What is not well is never said to be skipped.
        assert line.ok or not line.skip
    return tests


@pytest.fixture
def run(tmp_path, folder, schema):
    """Runs a file and gives exit code, JUnit, TAP and JSON."""

    def runs(text, *options):
        text = text if isinstance(text, bytes) else text.encode()
        (folder / "a & <b>.http").write_bytes(text)
        reports = {kind: folder / f"report.{kind}" for kind in ("junit", "tap", "json")}
        command = [binary(), "run", "a & <b>.http", "--no-history", *options]
        for kind, path in reports.items():
            path.unlink(missing_ok=True)
            command += ["--report", f"{kind}={path.name}"]
        environment = {**os.environ, "POSTKIT_HOME": str(tmp_path / "store")}
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT, check=False
        )
        read = {kind: path.read_bytes() for kind, path in reports.items()}
        cases, tests = junit(read["junit"], schema), tap(read["tap"].decode())
        return ended.returncode, cases, tests, json.loads(read["json"])

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
    "a #todo",
    "back\\slash \\",
    "bell\a",
    "ü 😀",
    "delete \x7f, next line \x85, string terminator \x9c",
    "line \u2028 and paragraph \u2029 end",
    "no characters \ufffe \uffff",
    "byte order \ufeff mark",
]


@pytest.mark.parametrize("name", NASTY)
def test_names_of_any_kind_are_cases_like_others(run, target, name):
    code, cases, tests, _ = run(f"### {name}\nGET {target.url}/\n\n?? status == {name}\n")
    assert code == 1
    shown = re.sub("[\a\ufffe\uffff]", "\N{REPLACEMENT CHARACTER}", name)
    assert [wrong for _, wrong in cases] == [None, "failure"]
    assert cases[0][0] == shown and cases[1][0].startswith(shown + ": status == ")
    assert [well for _, well, _ in tests] == [True, False]
    # Readers of version 13 know no escape: what could begin a directive only looks like it.
    name = name.replace("#", "\N{FULLWIDTH NUMBER SIGN}")
    assert tests[0][0] == re.sub("[\x85\u2028\u2029]", " ", name)


# What is said of a wrong value holds it, so that it comes into the YAML of TAP.
@pytest.mark.parametrize("character", "\x7f\x9c\ufeff\ufffe\uffff😀\"\\\t")
def test_what_is_said_is_read_back_whatever_it_holds(run, target, character):
    kind = "text/plain; charset=utf-8"
    target.bodies["/odd"] = (kind, f"a{character}b".encode())
    code, _, tests, report = run(f"GET {target.url}/odd\n\n?? body == c\n")
    assert code == 1
    assert tests[1][2] == report["tests"][0]["message"]
    assert character in tests[1][2]


def test_bytes_that_are_no_text_are_shown_as_such(run, target):
    text = f"### a \udcff b\nGET {target.url}/\n".encode(errors="surrogateescape")
    code, cases, tests, _ = run(text)
    assert code == 0
    assert cases == [("a \N{REPLACEMENT CHARACTER} b", None)]
    assert [name for name, _, _ in tests] == ["a \N{REPLACEMENT CHARACTER} b"]


def test_what_is_switched_off_is_skipped(run, target):
    text = f"### off\n# @disabled\nGET {target.url}/off\n\n### on\nGET {target.url}/on\n"
    code, cases, tests, report = run(text, "--all")
    assert code == 0
    assert cases == [("on", None), ("off", "skipped")]
    assert tests == [("on", True, None), ("off", True, "`@disabled` turns it off")]
    assert len(report["requests"]) == 1
    code, cases, tests, report = run(text, "--name", "off")
    assert code == 0
    assert cases == [("off", "skipped")] and len(tests) == 1 and report["requests"] == []


def test_a_file_without_a_request_is_an_error(run):
    for text in ("", "\n\n", "@a = 1\n"):
        code, cases, tests, report = run(text, "--all")
        assert code == 2, text
        assert cases == [("run", "error")]
        assert tests is None
        assert report["error"] == "request-not-found"


def test_a_plan_that_stops_tells_how_far_it_came(run, target):
    text = (
        "### one\n# @name one\nGET http://127.0.0.1:1/\n\n"
        f"### two\n# @ref one\nGET {target.url}/\n\n### three\nGET {target.url}/\n"
    )
    code, cases, tests, _ = run(text, "--name", "two")
    assert code == 3
    assert cases == [("one", "error"), ("two", "error")]
    assert "`one`, which failed" in tests[1][2]
    code, cases, tests, _ = run(text, "--all", "--fail-fast")
    assert cases == [("one", "error")]
    assert [well for _, well, _ in tests] == [False]


def test_a_check_in_javascript_is_made(run, target):
    checks = "?? js response.status + 1 == 201\n?? js response.status + 1 == 202\n"
    code, cases, tests, report = run(f"GET {target.url}/\n\n{checks}")
    assert code == 1
    assert [wrong for _, wrong in cases] == [None, None, "failure"]
    assert [well for _, well, _ in tests] == [True, True, False]
    assert [test["passed"] for test in report["tests"]] == [True, False]


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
