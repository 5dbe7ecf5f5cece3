"""The requests of protocol/examples, replayed against the real server (PROMISES.md P8).

Their files and ids are made first, under other names, which take the place of those written.
"""

import json

import pytest
from metamodel import ROOT
from test_collections import edit
from test_stock import FULL
from test_stock import client as stock

EXAMPLES = ROOT / "protocol/examples"
NAMES = sorted(path.name for path in EXAMPLES.glob("*.request.json"))
# Sent by the server, which test_inputs.py has it do.
OF_THE_SERVER = {"input.request.json"}
TEXT = "### users\n@user = 1\n\nGET {url}/users/{{{{user}}}}\n"


@pytest.fixture
def session(store, folder, target):
    """A client, and the text of an example as it is sent here."""
    (folder / "api").mkdir()
    requests = folder / "shop/requests"
    requests.mkdir(parents=True)
    (requests / "a.http").write_text(TEXT.format(url=target.url))
    (folder / "api/http-client.env.json").write_text('{"dev": {"host": "a.test"}}')
    with stock(store, folder, FULL, options={"postkit": {"testing": True}}) as c:
        c.initialize()
        uri = c.open(folder / "api/users.http", TEXT.format(url=target.url))
        sent = c.request(
            "postkit/send",
            {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 0}})
        assert sent["status"] == 200
        orders = c.open(folder / "shop/orders.http", "\n" + TEXT.format(url=target.url))
        c.request(
            "postkit/send",
            {"textDocument": {"uri": orders}, "position": {"line": 4, "character": 0}})
        made = edit(c, {"op": "collection.create", "kind": "collection", "name": "Kept"})
        shop = made["ids"]["0"]
        made = edit(
            c, {"op": "collection.create", "kind": "folder", "parent": shop, "name": "orders"},
            {"op": "collection.create", "kind": "folder", "parent": shop, "name": "open"})
        names = {
            "file:///home/ada": folder.as_uri(),
            "019a8f2e-7c11-7b3e-9d55-0a1b2c3d4e5f": sent["id"],
            "019f0a1b-2c3d-7e4f-8a5b-6c7d8e9f0a1b": shop,
            "019f0a1b-2c3d-7e4f-8a5b-6c7d8e9f0a1c": made["ids"]["0"],
            "019f0a1b-2c3d-7e4f-8a5b-6c7d8e9f0a1d": made["ids"]["1"],
            '"ifRevision": 7': f'"ifRevision": {made["revision"]}',
        }

        def read(name):
            text = (EXAMPLES / name).read_text()
            for written, here in names.items():
                text = text.replace(written, here)
            return json.loads(text)

        yield c, read


@pytest.mark.parametrize("name", [it for it in NAMES if it not in OF_THE_SERVER])
def test_an_example_is_answered_like_its_answer(session, name):
    c, read = session
    example = read(name)
    answered = c.request(example["method"], example.get("params"))
    file = EXAMPLES / name.replace(".request.", ".response.")
    if not file.exists():
        return
    expected = read(file.name)["result"]
    assert type(answered) is type(expected)
    if isinstance(expected, dict):
        # What an answer has depends on what there is; a member that is never there is a mistake.
        model = c.model.messages[example["method"]]["result"]
        known = {it["name"] for it in c.model.properties(c.model.structures[model["name"]])}
        assert expected.keys() <= known
        assert answered.keys() & expected.keys()


def test_every_example_is_replayed():
    others = {path.name for path in EXAMPLES.glob("*.json")} - set(NAMES)
    for name in others:
        kind = name.split(".")[1]
        assert kind in ("response", "notification", "progress"), name
