"""Workspaces of several folders: environments, settings, names and status of each."""

import json
import time

import pytest
from rawclient import TIMEOUT, Client
from test_references import applied, places
from test_stock import client

FULL = {
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {"inlayHint": {}, "diagnostic": {}},
    "experimental": {"postkit": {"version": 1, "status": True}},
}
TEXT = "GET {{host}}/\n"


@pytest.fixture
def folders(folder):
    """Two folders side by side, one in the second, and one that is no workspace folder."""
    for name in ["one", "two", "two/inner", "outside"]:
        path = folder / name
        path.mkdir()
        (path / "a.http").write_text(TEXT)
        value = {"host": f"http://{path.name}.test", path.name: "x"}
        text = json.dumps({path.name: value, "dev": value})
        (path / "http-client.env.json").write_text(text)
    return folder


def session(store, folders, capabilities=FULL, more=("two", "two/inner")):
    c = Client(store, capabilities, folder=folders / "one")
    c.more_folders = [folders / name for name in more]
    return c


def test_a_folder_is_known_however_its_end_is_written(store, folders):
    with session(store, folders) as c:
        c.initialize()
        two = c.open(folders / "two/a.http")
        assert files(folders, c, two) == ["two/a.http", "two/http-client.env.json"]
        uri = (folders / "two").as_uri() + "/"
        inner = (folders / "two/inner").as_uri() + "//"
        event = {"added": [], "removed": [{"uri": u, "name": "x"} for u in (uri, inner)]}
        c.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert files(folders, c, two) == ["two/a.http"]
        event = {"added": [{"uri": uri, "name": "two"}] * 2, "removed": []}
        c.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert "two/http-client.env.json" in files(folders, c, two)
        event = {"added": [], "removed": [{"uri": uri[:-1], "name": "two"}]}
        c.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        assert files(folders, c, two) == ["two/a.http"]


def change_folders(c, added=(), removed=()):
    def items(paths):
        return [{"uri": path.as_uri(), "name": path.name} for path in paths]

    event = {"added": items(added), "removed": items(removed)}
    c.notify("workspace/didChangeWorkspaceFolders", {"event": event})


def environment_names(c, uri=None):
    params = {"textDocument": {"uri": uri}} if uri else {}
    return [item["name"] for item in c.request("postkit/environments", params)["items"]]


def references(c, uri):
    return c.at("textDocument/references", uri, 0, 6, context={"includeDeclaration": True})


def files(folders, c, uri):
    return sorted({file for file, _, _ in places(folders, references(c, uri))})


def test_each_folder_has_its_own_names(store, folders):
    with session(store, folders) as c:
        c.initialize()
        for name in ["one", "two", "two/inner"]:
            uri = c.open(folders / name / "a.http")
            expected = [f"{name}/a.http", f"{name}/http-client.env.json"]
            assert files(folders, c, uri) == expected
            edit = c.at("textDocument/rename", uri, 0, 6, newName="base")
            assert sorted(applied(folders, edit)) == expected
            (first,) = {
                place["uri"] for place in c.at("textDocument/definition", uri, 0, 6)
            }
            assert first == (folders / name / "http-client.env.json").as_uri()


def test_each_folder_has_its_own_environment(store, folders):
    with session(store, folders) as c:
        c.initialize()
        uris = {name: c.open(folders / name / "a.http") for name in ["one", "two", "two/inner"]}
        assert environment_names(c, uris["two"]) == ["two", "dev"]
        assert environment_names(c, uris["two/inner"]) == ["inner", "dev"]
        assert environment_names(c) == ["one", "dev", "two", "inner"]
        c.command("postkit.selectEnvironment", {"name": "dev", "folder": folders.joinpath(
            "two").as_uri()})
        found = {}
        for name, uri in uris.items():
            params = {"textDocument": {"uri": uri}}
            items = c.request("postkit/environments", params)["items"]
            found[name] = [item["name"] for item in items if item["active"]]
        assert found == {"one": [], "two": ["dev"], "two/inner": []}
        # Each folder's line is told, that of the first last.
        wanted = (folders / "two").as_uri()
        two = c.expect(
            "postkit/status",
            lambda status: status["folder"] == wanted and status["environment"] is not None)
        assert two["environment"] == "dev"
        one = c.expect(
            "postkit/status", lambda status: status["folder"] == (folders / "one").as_uri())
        assert one["environment"] is None


def test_folders_come_and_go_while_the_session_runs(store, folders):
    with session(store, folders, more=()) as c:
        scopes = []

        def settings(params):
            scopes.append([item.get("scopeUri") for item in params["items"]])
            off = {"inlay": {"variables": "off"}}
            return [{"inlay": {"variables": "all"}}] + [
                off if scope.endswith("two") else {} for scope in scopes[-1][1:]
            ]

        c.answers["workspace/configuration"] = settings
        c.initialize()
        inner = c.open(folders / "two/inner/a.http")
        two = c.open(folders / "two/a.http")
        # Outside of all folders nothing above the file's own project is looked at.
        assert files(folders, c, inner) == ["two/inner/a.http"]
        change_folders(c, added=[folders / "two"])
        c.expect("workspace/configuration", lambda params: len(params["items"]) == 3)
        c.expect("workspace/diagnostic/refresh")
        expected = ["two/a.http", "two/http-client.env.json"]
        nested = ["two/inner/a.http", "two/inner/http-client.env.json"]
        assert files(folders, c, two) == expected + nested
        c.command("postkit.selectEnvironment", {
            "name": "dev", "folder": (folders / "two").as_uri()})

        def hints(uri):
            found = c.range("textDocument/inlayHint", uri)
            return ["".join(part["value"] for part in hint["label"]) for hint in found]

        assert hints(two) == []
        change_folders(c, added=[folders / "two/inner"])
        c.expect("workspace/configuration", lambda params: len(params["items"]) == 4)
        assert files(folders, c, two) == expected
        assert files(folders, c, inner) == nested
        # The inner folder has no settings of its own, and an environment that is not chosen yet.
        c.command("postkit.selectEnvironment", {
            "name": "dev", "folder": (folders / "two/inner").as_uri()})
        assert hints(inner) == [" = http://inner.test"]
        change_folders(c, removed=[folders / "two", folders / "two/inner"])
        c.expect("workspace/configuration", lambda params: len(params["items"]) == 1)
        assert files(folders, c, two) == ["two/a.http"]
        assert scopes == [
            [None, *(folders.joinpath(name).as_uri() for name in names)]
            for names in [[], ["one", "two"], ["one", "two", "two/inner"], []]
        ]


def test_a_file_outside_of_all_folders_has_its_own_project(store, folders):
    (folders / "outside/postkit.json").write_text("{}")
    with session(store, folders) as c:
        c.initialize()
        uri = c.open(folders / "outside/a.http")
        assert environment_names(c, uri) == ["outside", "dev"]
        places_found = c.at("textDocument/definition", uri, 0, 6)
        assert {place["uri"] for place in places_found} == {
            (folders / "outside/http-client.env.json").as_uri()
        }
        # The index holds the workspace alone, so that a rename there would miss what is outside.
        assert files(folders, c, uri) == ["outside/a.http"]


def test_questions_are_about_the_folder_where_somebody_works(store, folders):
    asking = {**FULL, "window": {"showMessage": {"messageActionItem": {}}}}
    with session(store, folders, asking) as c:
        c.initialize()
        uri = c.open(folders / "two/a.http")
        asked = []

        def answer(params):
            asked.append((params["message"], [a["title"] for a in params["actions"]]))
            return next(a for a in params["actions"] if a["title"] != "No environment")

        c.answers["window/showMessageRequest"] = answer
        c.at("textDocument/hover", uri, 0, 0)
        assert c.command("postkit.selectEnvironment") == {"active": "two"}
        save = {"op": "collection.save", "uri": uri, "position": {"line": 0, "character": 0}}
        c.command("postkit.collectionEdit", save)
        assert asked == [
            ("Which environment should be used in `two`?", ["No environment", "two", "dev"]),
            ("Where should the request be saved?", ["New collection `two`"]),
        ]


def test_a_folder_does_not_say_how_long_the_history_is_kept(store, folders, target):
    def settings(params):
        history = {"history": {"maxBytes": 1, "maxAgeDays": 30}}
        return [{"history": {"maxAgeDays": 30}}] + [history] * (len(params["items"]) - 1)

    with session(store, folders) as c:
        c.answers["workspace/configuration"] = settings
        c.initialize()
        uri = c.open(folders / "one/keep.http", f"GET {target.url}/a\n\n###\nGET {target.url}/b\n")
        sends = [{"uri": uri, "position": {"line": line, "character": 0}} for line in (0, 3)]
        ids = [c.command("postkit.send", send)["id"] for send in sends]
        told = c.expect("window/showMessage")["message"]
        # What it says as the window does is the user's own.
        assert "`history.maxBytes`" in told and str(store / "config.json") in told
        c.request("postkit/debug/synchronize")
        assert {line["id"] for line in c.request("postkit/history", {})["items"]} == set(ids)
        shown = [m["params"]["message"] for m in c.notifications if "showMessage" in m["method"]]
        assert not [line for line in shown if "maxAgeDays" in line]


def test_two_editors_whose_projects_differ_trim_by_what_their_user_says(
        store, folders, target, tmp_path):
    store.mkdir(mode=0o700)
    (store / "config.json").write_text('{"history": {"maxEntries": 20}}')
    projects = []
    for name, history in [("p", '{"maxBytes": 1}'), ("q", '{"maxEntries": 1}')]:
        project = tmp_path / name
        project.mkdir()
        (project / "postkit.json").write_text(f'{{"history": {history}}}')
        projects.append(project)
    with client(store, projects[0]) as one, client(store, projects[1]) as other:
        uris = []
        for c, project in zip((one, other), projects, strict=True):
            c.initialize()
            uris.append(c.open(project / "a.http", f"GET {target.url}/a\n"))
        sent = []
        for _ in range(40):
            for c, uri in zip((one, other), uris, strict=True):
                send = {"uri": uri, "position": {"line": 0, "character": 0}}
                sent.append(c.command("postkit.send", send)["id"])
                kept = {line["id"] for line in c.request("postkit/history", {"limit": 99})["items"]}
                # Of the last 20 none goes; whichever editor trims, it does what the user says.
                assert set(sent[-20:]) <= kept
        # It is trimmed after 64, and not again before 128.
        end = time.monotonic() + TIMEOUT
        while len(kept) > 36 and time.monotonic() < end:
            kept = {line["id"] for line in one.request("postkit/history", {"limit": 99})["items"]}
        assert 20 <= len(kept) <= 36 and set(sent[-20:]) <= kept
