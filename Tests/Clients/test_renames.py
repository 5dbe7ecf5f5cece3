"""A name is changed everywhere, after a look; paths and the history follow renamed files."""

import json

import pytest
from rawclient import Client, ResponseError
from test_references import ALL, AUTH, HOST, MAIN, applied, at, places, filled, references, text_at


@pytest.fixture
def project(folder):
    return filled(folder)


def test_a_variable_is_renamed_everywhere(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        assert c.server_capabilities["renameProvider"] == {"prepareProvider": True}
        uri = c.open(project / "main.http")
        prepared = at(c, "prepareRename", uri, "host}}/😀")
        assert prepared["placeholder"] == "host"
        assert text_at(MAIN, prepared["range"]) == "host"
        edit = at(c, "rename", uri, "host}}/😀", newName="base")
        assert applied(project, edit) == {
            "auth.http": AUTH.replace("host", "base"),
            "http-client.env.json": (project / "http-client.env.json")
            .read_text()
            .replace("host", "base"),
            "main.http": MAIN.replace("{{host}}", "{{base}}"),
        }
        documents = [change["textDocument"] for change in edit["documentChanges"]]
        versions = {document["uri"]: document["version"] for document in documents}
        assert versions[uri] == 1
        assert versions[(project / "auth.http").as_uri()] is None
        assert "changeAnnotations" not in edit
        edit = at(c, "rename", uri, "login.", newName="sign in")
        assert applied(project, edit) == {
            "auth.http": AUTH.replace("log in", "sign in"),
            "main.http": MAIN.replace("log in", "sign in").replace("login.", "signin."),
        }


def test_private_files_are_changed_only_after_a_look(store, project):
    for capabilities in [ALL, {}]:
        with Client(store, capabilities, folder=project) as c:
            c.initialize()
            auth = c.open(project / "auth.http")
            edit = at(c, "rename", auth, "token}}", AUTH, newName="api_token")
            assert set(applied(project, edit)) == {"auth.http", "http-client.private.env.json"}
            if capabilities:
                (name,) = edit["changeAnnotations"]
                assert edit["changeAnnotations"][name]["needsConfirmation"] is True
                marked = [
                    (d["textDocument"]["uri"].rsplit("/")[-1], "annotationId" in e)
                    for d in edit["documentChanges"]
                    for e in d["edits"]
                ]
                assert marked == [("auth.http", False), ("http-client.private.env.json", True)]
            else:
                assert set(edit) == {"changes"}
            assert "s3cr3t-canary" not in json.dumps([m.decode() for m in c.server.messages])


def test_an_environment_file_is_asked_like_any_other(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        path = project / "http-client.env.json"
        text = '{"dev": {"host": "http://dev.test", "url": "{{host}}/api"}}'
        uri = c.show(path, text)
        # What its value refers to is looked up where that is used: `own.http` sees it, too.
        own, other = at(c, "definition", uri, "host}}", text)
        assert (own["uri"], text_at(text, own["range"])) == (uri, "host")
        assert places(project, [other]) == [("other/own.http", 1, "host")]
        edit = at(c, "rename", uri, "host}}", text, newName="base")
        assert applied(project, edit, {path.name: text})["http-client.env.json"] == text.replace(
            "host", "base"
        )
        highlights = at(c, "documentHighlight", uri, "host}}", text)
        assert [h["kind"] for h in highlights] == [3, 2]


def test_what_is_changed_is_compared_with_the_disk_first(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        uri = c.open(project / "main.http")
        assert places(project, references(c, uri, "host}}/😀")) == HOST
        # Nobody tells of this change.
        (project / "auth.http").write_text("# a line more\n" + AUTH)
        edit = at(c, "rename", uri, "host}}/😀", newName="base")
        changed = applied(project, edit)["auth.http"]
        assert changed == "# a line more\n" + AUTH.replace("host", "base")


def test_what_can_not_be_renamed_says_why(store, project):
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        text = "GET {{host}}/{{$uuid}}/{{none}}\n"
        uri = c.show(project / "r.http", text)
        for method, mark, name, words in [
            ("prepareRename", "uuid", None, "dynamic variable"),
            ("prepareRename", "GET", None, "no name here"),
            ("rename", "host", "token", "defined at http-client.private.env.json:1 already"),
            ("rename", "host", "a b", "Use letters, digits"),
            ("rename", "none", "some", "No file of the workspace defines `none`"),
        ]:
            with pytest.raises(ResponseError) as caught:
                extra = {"newName": name} if name else {}
                at(c, method, uri, mark, text, **extra)
            assert caught.value.code == -32803
            assert words in caught.value.message


def test_paths_follow_renamed_files(store, project):
    body = "POST /\n\n< ./other/body 1.json\n"
    (project / "other/body 1.json").write_text("{}")
    (project / "post.http").write_text(body)
    with Client(store, ALL, folder=project) as c:
        c.initialize()
        operations = c.server_capabilities["workspace"]["fileOperations"]
        assert set(operations) == {"willRename", "didRename"}

        def rename(old, new):
            files = [{"oldUri": (project / old).as_uri(), "newUri": (project / new).as_uri()}]
            return c.request("workspace/willRenameFiles", {"files": files})

        moved = applied(project, rename("auth.http", "other/session.http"))
        assert moved == {"main.http": MAIN.replace("./auth", "./other/session")}
        moved = applied(project, rename("main.http", "other/main.http"))
        assert moved == {"main.http": MAIN.replace("./auth", "../auth")}
        moved = applied(project, rename("other", "else"))
        assert moved == {"post.http": body.replace("./other", "./else").replace("y 1", "y\\ 1")}
        assert rename("nothing.http", "something.http") is None
        (project / "auth.http").rename(project / "session.http")
        (project / "main.http").write_text(MAIN.replace("auth.http", "session.http"))
        files = [
            {
                "oldUri": (project / "auth.http").as_uri(),
                "newUri": (project / "session.http").as_uri(),
            }
        ]
        c.notify("workspace/didRenameFiles", {"files": files})
        uri = c.open(project / "main.http")
        text = (project / "main.http").read_text()
        found = places(project, references(c, uri, "login.", text))
        assert found[-1] == ("session.http", 1, "log in")


def test_every_kind_of_path_follows_a_renamed_folder(store, folder):
    (folder / "old").mkdir()
    names = ["a.http", "b.json", "c.js", "d.gql", "e.out", "f.txt", "cert.pem", "k.pem"]
    for name in names:
        (folder / "old" / name).write_text("")
    text = """import ./old/a.http
run ./old/a.http
# @import old/a.http

###
< ./old/c.js
gql F < old/d.gql
POST /
Content-Type: text/plain

< ./old/b.json
<@ ./old/f.txt

> ./old/c.js
>> old/e.out
<> old/e.out

###
# A path that leads nowhere stays.
POST /

< ./old/missing.json
"""
    keys = {"clientCertificate": "old/cert.pem", "clientCertificateKey": {"path": "./old/k.pem"}}
    environments = json.dumps({"dev": {"SSLConfiguration": keys, "a": "old/b.json"}})
    (folder / "main.http").write_text(text)
    (folder / "http-client.private.env.json").write_text(environments)
    with Client(store, ALL, folder=folder) as c:
        c.initialize()
        files = [{"oldUri": (folder / "old").as_uri(), "newUri": (folder / 'ne"w').as_uri()}]
        edit = c.request("workspace/willRenameFiles", {"files": files})
        moved = applied(folder, edit)
    assert moved["main.http"] == text.replace("old/", 'ne"w/').replace('ne"w/miss', "old/miss")
    assert json.loads(moved["http-client.private.env.json"]) == {
        "dev": {
            "SSLConfiguration": {
                "clientCertificate": 'ne"w/cert.pem',
                "clientCertificateKey": {"path": './ne"w/k.pem'},
            },
            "a": "old/b.json",
        }
    }


def test_the_history_follows_renamed_files(store, folder, target):
    capabilities = {**ALL, "textDocument": {"inlayHint": {}}}
    old, new = folder / "a.http", folder / "deep/b.http"
    old.write_text(f"# @name one\nGET {target.url}/x\n\n###\nGET {target.url}/missing\n")
    (folder / "deep").mkdir()

    def rename(c, old, new):
        c.notify("textDocument/didClose", {"textDocument": {"uri": old.as_uri()}})
        old.rename(new)
        files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
        c.notify("workspace/didRenameFiles", {"files": files})

    def shown(c, path):
        c.open(path)
        labels = [h["label"] for h in c.range("textDocument/inlayHint", path.as_uri())]
        texts = [x if isinstance(x, str) else "".join(p["value"] for p in x) for x in labels]
        return [t.split()[0] for t in texts if t[:3] in ("200", "404")]

    def files(c):
        found = c.request("postkit/history", {})["items"]
        return {item["file"] for item in found}

    with Client(store, capabilities, folder=folder) as c:
        c.initialize()
        uri = c.open(old)
        c.command("postkit.sendAll", {"uri": uri})
        assert shown(c, old) == ["200", "404"]
        rename(c, old, new)
        assert shown(c, new) == ["200", "404"]
        (folder / "deep").rename(folder / "deeper")
        moved = [{"oldUri": (folder / f).as_uri(), "newUri": (folder / t).as_uri()}
                 for f, t in [("deep", "deeper")]]
        c.notify("textDocument/didClose", {"textDocument": {"uri": new.as_uri()}})
        c.notify("workspace/didRenameFiles", {"files": moved})
        new = folder / "deeper/b.http"
        assert shown(c, new) == ["200", "404"]
    with Client(store, capabilities, folder=folder) as c:
        c.initialize()
        assert shown(c, new) == ["200", "404"]
        assert files(c) == {str(new)}
