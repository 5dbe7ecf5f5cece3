"""What a description of an API says where a request is typed, and where that stands (IO-34)."""

import pytest
from rawclient import Client

OPENAPI = """openapi: 3.0.3
info: {title: Pets, version: "1"}
servers:
  - url: https://pets.test/v1
paths:
  /pets:
    get:
      summary: Lists pets
      parameters:
        - {name: status, in: query, required: true, schema: {type: string, enum: [sold, new]}}
    post:
      summary: Adds a pet
      deprecated: true
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Pet"}
  /pets/{id}:
    get:
      operationId: one
      summary: Tells of a pet
components:
  schemas:
    Pet:
      required: [kind]
      properties: {"😀": {type: string}, kind: {enum: [cat, dog]}, tame: {type: boolean}}
"""

MAIN = """@base = https://pets.test/v1

###
GET {{base}}/pets?status=sold

###
POST {{base}}/pets
Content-Type: application/json

{"kind": "cat"}

###
GET {{base}}/pets/7
"""

MARKS = {
    "textDocument": {
        "completion": {
            "completionItem": {"tagSupport": {"valueSet": [1]}, "labelDetailsSupport": True}
        },
        "definition": {"linkSupport": False},
    }
}


@pytest.fixture
def project(folder):
    (folder / "openapi.yaml").write_text(OPENAPI, encoding="utf-8")
    return folder


def place(text, mark, by=0):
    before = text[: text.index(mark) + by]
    return before.count("\n"), len(before) - (before.rfind("\n") + 1)


def complete(c, uri, text, mark, by=0):
    """The items of which a description says something; asked again while it was not read."""
    while True:
        answer = c.at("textDocument/completion", uri, *place(text, mark, by))
        items = [i for i in answer["items"] if i.get("detail")]
        if items or not answer["isIncomplete"]:
            return items


def test_completion_knows_the_description(store, project):
    with Client(store, MARKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)
        assert [i["label"] for i in complete(c, uri, MAIN, "?status")] == ["/pets", "/pets/{{id}}"]
        values = complete(c, uri, MAIN, "sold")
        assert [(i["label"], i["detail"]) for i in values] == [
            ("sold", '"sold" | "new"'),
            ("new", '"sold" | "new"'),
        ]
        keys = complete(c, uri, MAIN, '{"kind', by=1)
        assert [i["label"] for i in keys] == ["😀", "tame"]
        text = MAIN.replace("POST {{base}}/pets\n", "POST {{base}}/\n")
        c.change(uri, text)
        paths = complete(c, uri, text, "}}/\n", by=3)
        assert [(i["label"], i["detail"], i.get("tags")) for i in paths] == [
            ("/pets", "POST Adds a pet", [1]),
            ("/pets/{{id}}", "GET Tells of a pet", None),
        ]


def test_a_change_of_the_description_counts_at_once(store, project):
    with Client(store, MARKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)
        assert len(complete(c, uri, MAIN, "sold")) == 2
        text = OPENAPI.replace("enum: [sold, new]", "enum: [sold, lost, returned]")
        (project / "openapi.yaml").write_text(text, encoding="utf-8")
        while True:
            if [i["label"] for i in complete(c, uri, MAIN, "sold")][1:] == ["lost", "returned"]:
                break
        (project / "openapi.yaml").unlink()
        assert complete(c, uri, MAIN, "sold") == []


def test_a_hover_tells_the_operation_and_its_parts(store, project):
    with Client(store, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)

        def hover(mark, by=0):
            answer = c.at("textDocument/hover", uri, *place(MAIN, mark, by))
            return answer["contents"]["value"] if answer else ""

        assert "/pets/{id} Tells of a pet" in hover("/pets/7", 2)
        assert "Lists pets" in hover("/pets?", 2)
        assert "openapi.yaml:7" in hover("/pets?", 2)
        assert "status (query, required)" in hover("status=", 1)
        assert "kind (required)" in hover('"kind"', 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_definition_is_a_line_of_the_description(store, project, encoding):
    capabilities = {"general": {"positionEncodings": [encoding]}, **MARKS}
    lines = OPENAPI.split("\n")
    units = {
        "utf-8": lambda t: len(t.encode()),
        "utf-16": lambda t: len(t.encode("utf-16-le")) // 2,
    }
    with Client(store, capabilities, folder=project) as c:
        c.initialize()
        text = "# @openapi openapi.yaml#one\n" + MAIN
        uri = c.open(project / "main.http", text)

        def target(mark, by=0):
            places = c.at("textDocument/definition", uri, *place(text, mark, by))
            assert [p["uri"] for p in places] == [(project / "openapi.yaml").as_uri()]
            return places[0]["range"]["start"]

        def there(line, mark):
            return {"line": line, "character": units[encoding](lines[line].split(mark)[0])}

        assert target("/pets?", 2) == there(6, "get:")
        assert target("POST", 1) == there(10, "post:")
        assert target("status=", 1) == there(9, "{name")
        assert target('"kind"', 2) == there(25, "kind:")
        assert target("/pets/7", 2) == there(18, "get:")
        assert target("openapi.yaml#one", 1) == there(18, "get:")


@pytest.mark.parametrize("links", [True, False])
def test_a_type_definition_is_the_schema(store, project, links):
    description = OPENAPI.replace(
        "summary: Lists pets\n",
        "summary: Lists pets\n      responses: {200: {description: all, content: {application/json:"
        ' {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}}}\n',
    )
    (project / "openapi.yaml").write_text(description, encoding="utf-8")
    lines = description.split("\n")
    abilities = {"textDocument": {"typeDefinition": {"linkSupport": links}}}
    text = "# @name all\n" + MAIN.split("###\n", 1)[1] + "X: {{all.response.body.$[0].kind}}\n"
    text = text.replace("{{base}}", "https://pets.test/v1")
    with Client(store, abilities, folder=project) as c:
        assert c.initialize()["capabilities"]["typeDefinitionProvider"] is True
        uri = c.open(project / "main.http", text)

        def target(mark, by=0):
            places = c.at("textDocument/typeDefinition", uri, *place(text, mark, by))
            if places is None:
                return None
            (found,) = places
            assert found["targetUri" if links else "uri"] == (project / "openapi.yaml").as_uri()
            line = found["targetRange" if links else "range"]["start"]["line"]
            return line, found["targetRange" if links else "range"]["start"]["character"]

        def there(mark, within):
            (line,) = [number for number, text in enumerate(lines) if within in text]
            return line, len(lines[line].split(mark)[0].encode("utf-16-le")) // 2

        pet = there("Pet:", "    Pet:")
        assert target("POST", 1) == pet
        # What a list has is its type.
        assert target("/pets?", 2) == pet
        assert target('{"kind', 0) == pet
        assert target("status=", 1) == there("{type: string, enum: [sold", "enum: [sold")
        assert target('"kind"', 2) == there("{enum: [cat, dog]", "enum: [cat")
        assert target(".kind}}", 2) == there("{enum: [cat, dog]", "enum: [cat")
        assert target("Content-Type", 2) is None


def test_an_answer_is_described_by_the_tag_of_its_own_request(store, project):
    (project / "openapi.yaml").unlink()
    (project / "far").mkdir()
    text = OPENAPI.replace("summary: Tells of a pet", (
        "responses: {200: {description: one, content: {application/json: {schema: {$ref:"
        ' "#/components/schemas/Pet"}}}}}'))
    (project / "far/pets.yaml").write_text(text, encoding="utf-8")
    main = (
        "GET {{x}}/a?b={{one.response.body.}}\n\n###\n# @name one\n# @openapi far/pets.yaml\n"
        "GET https://pets.test/v1/pets/7\n"
    )
    with Client(store, MARKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", main)
        names = [i["label"] for i in complete(c, uri, main, "}}\n\n###")]
        assert {"kind", "tame"} <= set(names)
        changed = main.replace("body.}}", "body.tame}}")
        c.change(uri, changed)
        hover = c.at("textDocument/hover", uri, *place(changed, "tame", 1))
        assert "tame: boolean" in hover["contents"]["value"]


def test_nothing_outside_of_a_folder_without_trust_is_read(store, project, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "openapi.yaml"
    outside.write_text(OPENAPI, encoding="utf-8")
    (project / "openapi.yaml").unlink()
    (project / "openapi.yaml").symlink_to(outside)
    text = f"# @openapi {outside}\n" + MAIN
    with Client(store, MARKS, {"postkit": {"trusted": False}}, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", text)
        assert complete(c, uri, text, "sold") == []
        other = c.open(project / "other.http", MAIN)
        assert complete(c, other, MAIN, "sold") == []


def test_references_are_the_requests_of_an_operation(store, project):
    text = "GET https://pets.test/v1/pets/{{id}}\n\n###\nGET {{x}}/no\n"
    (project / "more.http").write_text(text)
    with Client(store, MARKS, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http", MAIN)
        more = (project / "more.http").as_uri()
        context = {"includeDeclaration": True}

        def found(uri, text, mark, by=0):
            line, character = place(text, mark, by)
            places = c.at("textDocument/references", uri, line, character, context=context)
            return sorted((p["uri"], p["range"]["start"]["line"]) for p in places or [])

        both = sorted([(uri, 12), (more, 0)])
        assert found(uri, MAIN, "/pets/7", 2) == both
        assert found(uri, MAIN, "POST", 1) == [(uri, 6)]
        # In the description itself nobody is answered who has not asked for that.
        description = c.show(project / "openapi.yaml", OPENAPI)
        assert found(description, OPENAPI, "operationId") == []
        c.notify(
            "workspace/didChangeConfiguration",
            {"settings": {"postkit": {"openapi": {"inDescriptions": True}}}},
        )
        assert found(description, OPENAPI, "operationId") == both
