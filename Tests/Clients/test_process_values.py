"""A folder that isn't trusted may not send the secrets of the process environment: only the text
that is sent names them unasked."""

import json

import pytest
from test_questions import ASKING, METHOD, TRUST, asked, client, closes, paths, presses, refusal

NAME, OTHER = "MY_SECRET_TOKEN", "MY_COLOUR"
VALUE = "canary-7f31"
PROCESS = {NAME: VALUE, OTHER: "blue"}
READS = f"{{{{$processEnv {NAME}}}}}"

# How files of the folder can name it: the files, and the request.
WAYS = {
    "environment": (
        {"http-client.env.json": json.dumps({"dev": {"v": READS}})}, "GET {U}/{{v}}"),
    "private environment": (
        {"http-client.private.env.json": json.dumps({"dev": {"v": READS}})}, "GET {U}/{{v}}"),
    "value within a value": (
        {"http-client.env.json": json.dumps({"dev": {"v": "{{w}}", "w": READS}})},
        "GET {U}/{{v}}"),
    "member": (
        {"http-client.env.json": json.dumps({"dev": {"v": {"w": READS}}})}, "GET {U}/{{v.w}}"),
    "dotenv": ({".env": f"v={READS}\n"}, "GET {U}/{{v}}"),
    "host": (
        {"http-client.env.json": json.dumps({"dev": {"host": "{U}?v=" + READS}})}, "GET /x"),
    "header of all requests": (
        {"http-client.env.json": json.dumps({"dev": {"$default_headers": {"X-A": READS}}})},
        "GET {U}/"),
    "imported file": ({"b.http": f"@v = {READS}\n"}, "import ./b.http\n\nGET {U}/{{v}}"),
    "imported request": (
        {"b.http": f"# @name r\nGET {{U}}/{READS}\n"}, "import ./b.http\n\nrun #r"),
    "included file": (
        {"b.json": f'{{"v": "{READS}"}}'},
        "POST {U}/\nContent-Type: application/json\n\n<@ ./b.json"),
    "name in a file": (
        {"http-client.env.json": json.dumps({"dev": {"v": NAME}})},
        "GET {U}/{{$processEnv %v}}"),
    "another spelling": (
        {"http-client.env.json": json.dumps({"dev": {"v": f"{{{{$env.{NAME}}}}}"}})},
        "GET {U}/{{v}}"),
    "bare name": (
        {"http-client.env.json": json.dumps({"dev": {"v": f"{{{{{NAME}}}}}"}}),
         "postkit.json": '{"dialect": "kulala"}'},
        "GET {U}/{{v}}"),
}


def put(folder, target, way):
    files, request = WAYS[way]
    for name, text in files.items():
        (folder / name).write_text(text.replace("{U}", target.url))
    return request.replace("{U}", target.url) + "\n"


def order(uri, line):
    place = {"line": line, "character": 0}
    return {"uri": uri, "position": place, "environment": "dev"}


def sends(c, folder, text):
    uri = c.open(folder / "a.http", text)
    return order(uri, text.count("\n") - 1)


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_asks_before_it_sends_a_secret_of_the_process(store, folder, target, way):
    text = put(folder, target, way)
    (folder / "http-client.env.json").touch()
    if not (folder / "http-client.env.json").read_text():
        (folder / "http-client.env.json").write_text('{"dev": {}}')
    with client(store, folder, environment=PROCESS) as c:
        c.initialize()
        place = sends(c, folder, text)
        c.answers[METHOD] = closes
        error = refusal(c, "postkit.send", place)
        assert f"`{NAME}`" in error.message and "is not trusted" in error.message
        assert "take it out of" in error.message and VALUE not in error.message
        assert error.data["declined"] is True
        (question,) = asked(c)
        assert f"the environment variable `{NAME}`, which {folder}" in question["message"]
        assert target.seen == []
        c.answers[METHOD] = presses(TRUST)
        assert c.command("postkit.send", place)["state"] == "done"
        assert VALUE in repr(target.seen)
        assert len(asked(c)) == 1


def test_an_untrusted_folder_sends_none(store, folder, target):
    text = put(folder, target, "environment")
    options = {"postkit": {"trusted": False}}
    with client(store, folder, ASKING, options=options, environment=PROCESS) as c:
        c.initialize()
        error = refusal(c, "postkit.send", sends(c, folder, text))
        assert f"`{NAME}`" in error.message and "`trusted` is false" in error.message
        assert target.seen == [] and asked(c) == []


@pytest.mark.parametrize(
    "text",
    [
        f"GET {{U}}/{READS}",
        f"@v = {READS}\n\nGET {{U}}/{{{{v}}}}",
        f"GET {{U}}/{{{{$env.{NAME}}}}}",
        # What isn't called a secret is none.
        "GET {U}/{{colour}}",
    ],
)
def test_what_the_text_itself_names_is_free(store, folder, target, text):
    (folder / "http-client.env.json").write_text(
        json.dumps({"dev": {"colour": f"{{{{$processEnv {OTHER}}}}}"}}))
    options = {"postkit": {"trusted": False}}
    with client(store, folder, ASKING, options=options, environment=PROCESS) as c:
        c.initialize()
        place = sends(c, folder, text.replace("{U}", target.url) + "\n")
        assert c.command("postkit.send", place)["state"] == "done"
        assert paths(target) in ([f"/{VALUE}"], ["/blue"])
        assert asked(c) == []


def test_a_value_is_worked_out_anew_once_the_folder_is_trusted(store, folder, target):
    value = f"{{{{$uuid}}}}-{READS}"
    (folder / "http-client.env.json").write_text(json.dumps({"dev": {"v": value}}))
    with client(store, folder, environment=PROCESS) as c:
        c.initialize()
        c.answers[METHOD] = presses(TRUST)
        place = sends(c, folder, f"GET {target.url}/{{{{v}}}}/{{{{v}}}}\n")
        assert c.command("postkit.send", place)["state"] == "done"
        (path,) = paths(target)
        first, second = path[1:].split("/")
        assert first == second and first.endswith(f"-{VALUE}")
