"""From names to where they are defined, in a file, in those it imports and in environments."""

import json

import pytest
from rawclient import Client

LINKS = {
    "textDocument": {
        "definition": {"linkSupport": True},
        "implementation": {"linkSupport": True},
    }
}

PUBLIC = {
    "$shared": {"region": "eu"},
    "dev": {"host": "http://127.0.0.1:1", "größe": "ü"},
    "prod": {"host": "https://prod.test", "region": "us"},
}


@pytest.fixture
def project(folder):
    (folder / "http-client.env.json").write_text(
        json.dumps(PUBLIC, indent=2, ensure_ascii=False), encoding="utf-8"
    )
    (folder / "common.http").write_text("@from = common\n\n### sign in\nGET {{host}}/login\n")
    (folder / "body.json").write_text("{}")
    return folder


MAIN = """import common.http
@host = http://file.test

### ask
# @ref sign in
POST {{host}}/ö/{{region}}?t={{signin.response.body.$.t}}&f={{from}}

< ./body.json
"""


def place(text, mark):
    """The position of a mark's first character in a text of one-unit characters."""
    before = text[: text.index(mark)]
    return before.count("\n"), len(before) - (before.rfind("\n") + 1)


def at(c, method, uri, mark, text=MAIN, by=0, **extra):
    line, character = place(text, mark)
    return c.at(f"textDocument/{method}", uri, line, character + by, **extra)


def span(text, range):
    """The text of a range on one line."""
    line = text.split("\n")[range["start"]["line"]]
    assert range["start"]["line"] == range["end"]["line"]
    return line[range["start"]["character"] : range["end"]["character"]]


def seen(project, links, name="targetUri"):
    """Where locations lead: the file's name and the text there."""
    result = []
    for link in links or []:
        path = next(p for p in project.iterdir() if p.as_uri() == link[name])
        text = path.read_text(encoding="utf-8")
        range = link["targetSelectionRange" if name == "targetUri" else "range"]
        result.append((path.name, span(text, range)))
    return result


def test_a_name_leads_to_the_definition_in_force_and_what_it_covers(store, project):
    with Client(store, LINKS, folder=project) as c:
        c.initialize()
        assert c.server_capabilities["definitionProvider"] is True
        uri = c.open(project / "main.http", MAIN)
        c.command("postkit.selectEnvironment", {"name": "dev", "uri": uri})
        links = at(c, "definition", uri, "host}}/ö")
        assert seen(project, links) == [
            ("main.http", "host"),
            ("http-client.env.json", '"http://127.0.0.1:1"'),
        ]
        assert span(MAIN, links[0]["originSelectionRange"]) == "{{host}}"
        assert seen(project, at(c, "definition", uri, "from}}")) == [("common.http", "common")]
        for mark in ["sign in\nPOST", "signin.resp"]:
            assert seen(project, at(c, "definition", uri, mark)) == [("common.http", "sign in")]


def test_a_path_leads_to_its_file(store, project):
    with Client(store, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)
        for mark, name in [("common.http", "common.http"), ("./body", "body.json")]:
            places = at(c, "definition", uri, mark, by=1)
            assert [(p["uri"], p["range"]["start"]) for p in places] == [
                ((project / name).as_uri(), {"line": 0, "character": 0})
            ]
        assert at(c, "definition", uri, "POST") is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_are_counted_in_the_units_agreed_upon(store, project, encoding):
    capabilities = {"general": {"positionEncodings": [encoding]}}
    text = "GET http://127.0.0.1/😀{{größe}}\n"
    with Client(store, capabilities, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", text)
        units = {
            "utf-8": lambda t: len(t.encode()),
            "utf-16": lambda t: len(t.encode("utf-16-le")) // 2,
            "utf-32": len,
        }[encoding]
        c.command("postkit.selectEnvironment", {"name": "dev", "uri": uri})
        (found,) = c.at("textDocument/definition", uri, 0, units(text[: text.index("röße")]))
        environments = (project / "http-client.env.json").read_text(encoding="utf-8").split("\n")
        line = next(i for i, text in enumerate(environments) if "größe" in text)
        start = environments[line].index('"ü"')
        assert found["range"] == {
            "start": {"line": line, "character": units(environments[line][:start])},
            "end": {"line": line, "character": units(environments[line][: start + 3])},
        }


def test_implementations_are_the_values_of_all_environments(store, project):
    with Client(store, LINKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)
        for mark in ["host = http", "host}}/ö"]:
            assert seen(project, at(c, "implementation", uri, mark)) == [
                ("http-client.env.json", '"http://127.0.0.1:1"'),
                ("http-client.env.json", '"https://prod.test"'),
            ]
        assert seen(project, at(c, "implementation", uri, "region")) == [
            ("http-client.env.json", '"eu"'),
            ("http-client.env.json", '"us"'),
        ]
        assert at(c, "implementation", uri, "POST") is None


def test_without_an_environment_a_name_leads_to_what_each_of_them_says(store, project):
    with Client(store, LINKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "one.http", "GET {{host}}/{{none}}\n")
        links = c.at("textDocument/definition", uri, 0, 7)
        assert [text for _, text in seen(project, links)] == [
            '"http://127.0.0.1:1"',
            '"https://prod.test"',
        ]
        assert c.at("textDocument/definition", uri, 0, 17) is None


def test_an_open_buffer_wins_over_the_disk(store, project):
    with Client(store, LINKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)
        common = "\n\n@from = elsewhere\n"
        c.show(project / "common.http", common)
        (link,) = at(c, "definition", uri, "from}}")
        assert link["targetUri"] == (project / "common.http").as_uri()
        assert span(common, link["targetSelectionRange"]) == "elsewhere"


def test_a_path_into_an_object_leads_to_its_key(store, project):
    with Client(store, LINKS, folder=project) as c:
        c.initialize()
        text = "GET {{db.at.host}}\n"
        values = {name: {"db": {"at": {"host": name[0]}}} for name in ["dev", "prod"]}
        (project / "http-client.env.json").write_text(json.dumps(values))
        uri = c.open(project / "one.http", text)
        for method in ["definition", "implementation"]:
            found = seen(project, at(c, method, uri, "host", text))
            assert [value for _, value in found] == ['"d"', '"p"']
        c.command("postkit.selectEnvironment", {"name": "prod", "uri": uri})
        assert seen(project, at(c, "definition", uri, "at.host", text))[0][1] == '{"host": "p"}'


def test_a_name_leads_to_the_scripts_that_set_it(store, project):
    login = """POST {{host}}/login

> {%
  client.global.set("token", response.body.token);
%}
"""
    (project / "login.http").write_text(login)
    text = """@token = mine
GET {{token}}

> {% client.log(client.global.get("token")) %}
"""
    with Client(store, LINKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", text)
        found = [("main.http", "token"), ("login.http", "token")]
        assert seen(project, at(c, "definition", uri, "token}}", text)) == found
        assert sorted(seen(project, at(c, "definition", uri, 'token")', text))) == sorted(found)
