"""What a user prefers is in files and in the editor: the databases have none of it."""

import json
import sqlite3

from test_stock import FULL, client

# Values that nothing else has.
KEPT = {
    "timeout": 481_516_234, "history": {"maxEntries": 231_485, "maxBodyBytes": 67_215_432},
    "codeLens": {"copyAsCurl": True}, "inlay": {"variables": "all"},
}
PROJECT = {"timeout": 314_159_265, "diagnostics": {"unused": True}}
# The lens that is there only where it is preferred (`codeLens.copyAsCurl`).
PREFERRED = "Copy as curl"
EDITOR = {"history": {"maxAgeDays": 27_182, "maxBytes": 2_718_281_828}}


def words(value):
    """The numbers and the names of settings."""
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from words(inner)
        else:
            yield key
            if isinstance(inner, int) and not isinstance(inner, bool):
                yield str(inner)


def cells(store):
    """Everything that the databases hold, as texts; what stands for each table, too."""
    for name in ("history.sqlite", "collections.sqlite"):
        with sqlite3.connect(store / name) as database:
            tables = [row[0] for row in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for table in tables:
                yield name, table, table
                for row in database.execute(f'SELECT * FROM "{table}"'):
                    for cell in row:
                        text = cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)
                        yield name, table, text


def lenses(c, uri):
    return {c.request("codeLens/resolve", lens)["command"]["title"] for lens in
            c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})}


def work(store, folder, target):
    """A session in which something of each kind is kept; the titles of its lenses."""
    (folder / "http-client.env.json").write_text('{"dev": {"who": "ada"}}')
    with client(store, folder, FULL) as c:
        c.answers["workspace/configuration"] = lambda params: [EDITOR] * len(params["items"])
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{who}}}}\n")
        c.command("postkit.selectEnvironment", {"name": "dev"})
        sent = c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
        assert sent["state"] == "done" and sent["recorded"]
        ops = [{"op": "collection.create", "kind": "collection", "name": "Shop"}]
        c.request("postkit/edit", {"ops": ops})
        return lenses(c, uri)


def test_preferences_are_in_no_database(store, folder, target):
    store.mkdir()
    (store / "config.json").write_text(json.dumps(KEPT))
    (folder / "postkit.json").write_text(json.dumps(PROJECT))
    assert PREFERRED in work(store, folder, target)
    wanted = {word for place in (KEPT, PROJECT, EDITOR) for word in words(place)}
    assert len(wanted) > 12
    found = [cell for cell in cells(store) if any(word in cell[2] for word in wanted)]
    # That something was kept is seen by what is no preference.
    kept = {text for _, _, text in cells(store)}
    assert {"dev", "Shop"} <= kept and found == []


def test_preferences_go_with_their_files(store, folder, target):
    store.mkdir()
    (store / "config.json").write_text(json.dumps(KEPT))
    assert PREFERRED in work(store, folder, target)
    (store / "config.json").unlink()
    assert PREFERRED not in work(store, folder, target)
