"""Session values in an editor: seen, forgotten, and not used any more."""

import os
import stat

import pytest
from rawclient import ResponseError
from test_globals import reading, setting
from test_lists import REFRESH, becomes
from test_stock import FULL, client as stock, without
from test_views import actions, path, run, show

LIST = "postkit:/session"
INPUT = {**FULL, "experimental": {"postkit": {"version": 1, "input": True}}}


def client(store, folder, capabilities=FULL):
    return stock(store, folder, capabilities, options={"testing": True})


def send(c, uri):
    return c.command("postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})


def line_of(text, word):
    [line] = [number for number, line in enumerate(text.splitlines()) if word in line]
    return line


def test_a_stock_client_sees_and_forgets_a_global(store, folder, target):
    (folder / "http-client.env.json").write_text('{"dev": {}}')
    target.bodies["/login"] = ("application/json", b'{"token": "t-1"}')
    with client(store, folder) as c:
        c.initialize()
        assert c.command("postkit.session") == LIST
        assert show(c, LIST).startswith("# Nothing is stored")
        assert send(c, c.open(folder / "a.http", setting(target)))["state"] == "done"
        c.expect(REFRESH, lambda params: params["uri"] == LIST)
        c.command("postkit.selectEnvironment", {"name": "dev", "folder": folder.as_uri()})
        c.command("postkit.selectEnvironment", {"name": None, "folder": folder.as_uri()})
        text = show(c, LIST)
        assert f"# {folder}\n" in text and "t-1" not in text.replace(str(folder), "")
        row = line_of(text, "global:token")
        # Its name is that of a secret.
        assert "global:token  ••••••  a global that requests have set" in text
        assert "environment  (none)  the environment that editors use" in text
        assert actions(c, LIST, 0) == [] == actions(c, LIST, 99)
        forget, clear = actions(c, LIST, row)
        assert forget["title"] == "Forget `global:token`" and forget["kind"] == "postkit.delete"
        assert clear["title"] == f"Forget all values of {folder}"
        assert run(c, forget)["count"] == 1
        with pytest.raises(ResponseError, match="token"):
            send(c, c.open(folder / "b.http", reading(target)))
        assert "global:" not in show(c, LIST)
        assert run(c, clear)["count"] == 1
        assert show(c, LIST).startswith("# Nothing is stored")


def test_an_answer_of_this_session_is_forgotten_too(store, folder, target):
    with client(store, folder, INPUT) as c:
        asked = []

        def answer(params):
            asked.append(params["title"])
            return {"value": f"a{len(asked)}"}

        c.answers["postkit/input"] = answer
        c.initialize()
        uri = c.open(folder / "a.http", f"GET {target.url}/{{{{$input-askonce who}}}}\n")
        send(c, uri), send(c, uri)
        kept = len(asked)
        edit = {"op": "session.clear", "folder": str(folder)}
        assert c.request("postkit/edit", {"ops": [edit]})["count"] == 1
        send(c, uri)
        assert len(asked) == kept + 1


def test_what_is_forgotten_stands_alone_and_is_named_whole(store, folder):
    with client(store, folder) as c:
        c.initialize()
        delete = {"op": "session.delete", "folder": str(folder), "name": "trust"}
        assert c.request("postkit/edit", {"ops": [delete]})["count"] == 0
        for ops, more, message in (
            ([delete, delete], {}, "a message of its own"),
            ([{"op": "session.delete", "folder": "/x"}], {}, "folder and name are needed"),
            ([{**delete, "domain": "x"}], {}, r"ops\[0\].domain"),
            ([delete], {"ifRevision": 1}, "have no revision"),
        ):
            with pytest.raises(ResponseError, match=message) as failure:
                c.request("postkit/edit", {"ops": ops, **more})
            assert failure.value.code == -32602
        for argument in ((), ({"op": "history.clear"},)):
            with pytest.raises(ResponseError):
                c.command("postkit.sessionEdit", *argument)


def test_without_content_documents_the_list_is_a_private_file(store, folder, target):
    with client(store, folder, without(FULL, "workspace.textDocumentContent")) as c:
        c.initialize()
        send(c, c.open(folder / "a.http", setting(target)))
        file = path(c.command("postkit.session"))
        assert file.name == "session.http" and stat.S_IMODE(os.stat(file).st_mode) == 0o600
        text = file.read_text()
        c.open(file, text)
        [forget, _] = actions(c, file.as_uri(), line_of(text, "global:token"))
        run(c, forget)
        becomes(c, file, lambda text: "global:token" not in text)
        with pytest.raises(ResponseError, match="is read-only"):
            send(c, file.as_uri())
