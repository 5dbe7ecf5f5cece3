"""Writing in an editor: completion and signatures while somebody types."""

import os

import pytest
from rawclient import ResponseError
from test_stock import FULL, client, without


def with_defaults():
    """A client that takes one range for all items."""
    completion = {
        **FULL["textDocument"]["completion"], "completionList": {"itemDefaults": ["editRange"]}
    }
    return {**FULL, "textDocument": {**FULL["textDocument"], "completion": completion}}


def with_insertion(capabilities=FULL):
    """A client whose users choose between inserting and replacing, and that asks for more."""
    completion = capabilities["textDocument"]["completion"]
    item = {**completion["completionItem"], "insertReplaceSupport": True}
    return {
        **capabilities,
        "textDocument": {
            **capabilities["textDocument"], "completion": {**completion, "completionItem": item},
        },
        "experimental": {"commands": {"commands": ["editor.action.triggerSuggest"]}},
    }


class Editor:
    """A document of a client, with `|` for the caret."""

    def __init__(self, c, path):
        self.c = c
        self.path = path
        self.uri = None
        self.text = ""

    def place(self, marked):
        """Brings the document to a text; the position of the caret."""
        before, _, after = marked.partition("|")
        self.text = before + after
        if self.uri is None:
            self.uri = self.c.open(self.path, self.text)
        else:
            self.c.change(self.uri, self.text)
        line = before.count("\n")
        last = before.rpartition("\n")[2]
        encoding = self.c.server_capabilities["positionEncoding"]
        count = {"utf-8": len(last.encode()), "utf-16": len(last.encode("utf-16-le")) // 2,
                 "utf-32": len(last)}[encoding]
        return {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": count}}

    def ask(self, marked):
        return self.c.request("textDocument/completion", self.place(marked))

    def labels(self, marked):
        return [item["label"] for item in self.ask(marked)["items"]]

    def applied(self, edits):
        """The text once edits are in."""
        encoding = self.c.server_capabilities["positionEncoding"].replace("utf-16", "utf-16-le")
        encoding = encoding.replace("utf-32", "utf-32-le")
        width = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[encoding]
        lines = self.text.split("\n")

        def offset(position):
            before = sum(len(line) + 1 for line in lines[: position["line"]])
            data = lines[position["line"]].encode(encoding)[: position["character"] * width]
            return before + len(data.decode(encoding))

        text = self.text
        for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
            start, end = (offset(edit["range"][name]) for name in ("start", "end"))
            text = text[:start] + edit["newText"] + text[end:]
        return text

    def insert(self, marked, label):
        """The text once an item is in."""
        answer = self.ask(marked)
        item = next(item for item in answer["items"] if item["label"] == label)
        edit = item.get("textEdit") or {
            "range": answer["itemDefaults"]["editRange"],
            "newText": item.get("textEditText", item["label"]),
        }
        return self.applied([edit])


def send(c, folder, name, text):
    """Sends a request of a file of its own."""
    uri = c.open(folder / name, text)
    place = {"uri": uri, "position": {"line": 0, "character": 0}}
    return c.command("postkit.send", place)


def test_what_was_sent_is_offered_again(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        send(c, folder, "one.http", f"GET {target.url}/users/7?page=2&size=5\nX-Tenant: acme\n")
        target.bodies["/make"] = ("application/json", b'{"id": 1, "owner": "me"}')
        send(c, folder, "two.http", f"POST {target.url}/make\nContent-Type: application/json\n\n"
             '{"name": "x", "kind": "big"}\n')
        editor = Editor(c, folder / "new.http")
        assert target.url in editor.labels("GET |")
        assert editor.labels(f"GET {target.url}/|") == ["/make", "/users/7"]
        assert editor.labels(f"GET {target.url}/users/7?|") == ["page", "size"]
        assert editor.labels(f"GET {target.url}/users/7?page=|") == ["2"]
        assert "X-Tenant" in editor.labels(f"GET {target.url}/\nX-T|")
        assert editor.labels(f"GET {target.url}/\nX-Tenant: |") == ["acme"]
        body = f"POST {target.url}/make\nContent-Type: application/json\n\n"
        assert editor.labels(body + "{|}") == ["name", "kind", "id", "owner"]
        assert editor.labels(body + '{"kind": "|"}')[0] == '"big"'
        origins = {item["label"]: item["labelDetails"]["description"]
                   for item in editor.ask(body + "{|}")["items"]}
        assert origins["kind"] == "history" and origins["owner"] == "response"


def test_edits_are_exact_in_every_encoding(store, folder, target):
    for encoding in ("utf-8", "utf-16", "utf-32"):
        for capabilities in (FULL, with_defaults()):
            offered = {**capabilities, "general": {"positionEncodings": [encoding]}}
            with client(store, folder, offered) as c:
                c.initialize()
                editor = Editor(c, folder / "a.http")
                head = "@größe = 5\n\nPOST http://127.0.0.1/😀?a={{gr|öß}}&b=😀\n"
                inserted = editor.insert(head, "größe")
                assert inserted == head.replace("|", "").replace("{{größ}}", "{{größe}}")
                body = 'POST /\nContent-Type: application/json\n\n{"😀": "{{gr|"}\n'
                inserted = editor.insert("@größe = 5\n\n" + body, "größe")
                assert inserted.endswith('{"😀": "{{größe}}"}\n')


def test_one_range_is_said_once_where_the_client_takes_that(store, folder):
    with client(store, folder, with_defaults()) as c:
        c.initialize()
        editor = Editor(c, folder / "a.http")
        answer = editor.ask("GET /\nConn|")
        assert answer["itemDefaults"]["editRange"]["start"] == {"line": 1, "character": 0}
        assert all("textEdit" not in item for item in answer["items"])
        assert answer["items"][0]["textEditText"] == "Connection: "
    with client(store, folder) as c:
        c.initialize()
        answer = Editor(c, folder / "b.http").ask("GET /\nConn|")
        assert "itemDefaults" not in answer
        assert all("textEdit" in item for item in answer["items"])


def test_snippets_go_to_clients_that_know_them(store, folder):
    plain = without(FULL, "textDocument.completion.completionItem.snippetSupport")
    for capabilities, form in ((FULL, 2), (plain, None)):
        with client(store, folder, capabilities) as c:
            c.initialize()
            editor = Editor(c, folder / "a.http")
            items = {item["label"]: item for item in editor.ask("GET /{{$|")["items"]}
            item = items["$processEnv"]
            assert item.get("insertTextFormat") == form
            text = "\\$processEnv ${1:NAME}\\}\\}" if form else "$processEnv "
            assert item["textEdit"]["newText"] == text
            assert items["$uuid"]["textEdit"]["newText"] == "$uuid}}"


def test_a_text_with_blanks_is_whole_in_clients_that_cut_plain_ones(store, folder):
    with client(store, folder) as c:
        c.initialize()
        editor = Editor(c, folder / "a.http")
        item = editor.ask("GET /\nContent-Type:|")["items"][0]
        assert item["insertTextFormat"] == 2
        assert item["textEdit"]["newText"] == " application/json"
    plain = without(FULL, "textDocument.completion.completionItem.snippetSupport")
    with client(store, folder, plain) as c:
        c.initialize()
        item = Editor(c, folder / "b.http").ask("GET /\nContent-Type:|")["items"][0]
        assert "insertTextFormat" not in item


def test_secrets_are_in_no_item(store, folder, target):
    (folder / "http-client.private.env.json").write_text(
        '{"dev": {"pin": "4711-secret", "host": "http://127.0.0.1"}}')
    with client(store, folder, options={"postkit": {}}) as c:
        c.answers["workspace/configuration"] = lambda params: [{"environment": "dev"}]
        c.initialize()
        editor = Editor(c, folder / "a.http")
        for marked in (
            "GET {{|", "GET |", "# @prompt |\nGET /", "POST /\n\n{\"a\": |", "GET /\nX-A: {{p|",
            "GET /?a=4711-secret\n\n###\nGET /?a=|",
        ):
            answer = editor.ask(marked)
            assert "4711" not in str(answer["items"]), marked
        item = next(i for i in editor.ask("GET {{pi|")["items"] if i["label"] == "pin")
        assert item["detail"] == "••••••"
        resolved = c.request("completionItem/resolve", item)
        assert "4711" not in str(resolved) and "private" in resolved["documentation"]["value"]


def test_an_item_is_resolved_while_its_place_is_there(store, folder):
    with client(store, folder) as c:
        c.initialize()
        editor = Editor(c, folder / "a.http")
        item = editor.ask("@host = x\n\nGET {{ho|")["items"][0]
        assert item["data"]["rev"] == 1 and len(str(item["data"])) < 200
        assert "line 1" in c.request("completionItem/resolve", item)["documentation"]["value"]
        # Who types on, or changes something below, has the same list before him.
        for text in [
                "@host = x\n\nGET {{hos|", "@host = x\n\nGET {{host}}|\nX: y\n",
                "@host = x\n\nGET {{st|"]:
            editor.place(text)
            assert "line 1" in c.request("completionItem/resolve", item)["documentation"]["value"]
        for text in [
                "@host = x\n\nGET /{{ho|", "\n@host = x\n\nGET {{ho|", "|", "GET|"]:
            editor.place(text)
            with pytest.raises(ResponseError) as refused:
                c.request("completionItem/resolve", item)
            assert refused.value.code == -32801
        header = editor.ask("GET /\nAcc|")["items"][0]
    with client(store, folder) as c:
        c.initialize()
        # What the catalogs say needs no document, nor the server that offered it.
        assert c.request("completionItem/resolve", header)["documentation"]["value"]


def test_files_outside_of_the_folder_stay_unseen(store, folder, tmp_path):
    (folder / "data").mkdir()
    (folder / "data" / "users.json").write_text("[]")
    (folder / "body.json").write_text("{}")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "private.json").write_text("{}")
    os.symlink(tmp_path / "outside", folder / "link")
    with client(store, folder) as c:
        c.initialize()
        editor = Editor(c, folder / "a.http")
        assert editor.labels("POST /\n\n< |") == ["body.json", "data/", "./", "../"]
        assert editor.labels("POST /\n\n< ./data/|") == ["users.json"]
        assert editor.labels("POST /\n\n< ./link/|") == []
        assert editor.labels("POST /\n\n< ../outside/|") == []
        assert editor.insert("POST /\n\n< ./da|", "data/") == "POST /\n\n< ./data/"


def test_cookies_of_the_jar_are_named(store, folder, target):
    target.cookies["/login"] = ["sid=very-secret; Path=/"]
    with client(store, folder) as c:
        c.initialize()
        send(c, folder, "one.http", f"GET {target.url}/login\n")
        editor = Editor(c, folder / "a.http")
        answer = editor.ask(f"GET {target.url}/\nCookie: |")
        assert [item["label"] for item in answer["items"]] == ["sid"]
        assert "very-secret" not in str(answer)


def test_environment_files_have_keys_completed(store, folder):
    (folder / "http-client.env.json").write_text('{"dev": {"host": "a", "id": 1}}')
    with client(store, folder) as c:
        c.initialize()
        editor = Editor(c, folder / "http-client.private.env.json")
        assert editor.labels('{"dev": {|}}') == ["host", "id", "Security"]
        assert editor.labels('{|}') == ["dev", "$shared"]


def test_signatures_follow_the_arguments(store, folder):
    with client(store, folder) as c:
        result = c.initialize()["capabilities"]["signatureHelpProvider"]
        assert result["triggerCharacters"] == [" ", "("]
        editor = Editor(c, folder / "a.http")
        help = c.request(
            "textDocument/signatureHelp", editor.place("GET /{{$randomInt 1 |}}"))
        assert help["signatures"][0]["label"] == "$randomInt [min max]"
        assert help["activeParameter"] == 1
        assert c.request("textDocument/signatureHelp", editor.place("GET /a |")) is None


def test_the_rest_of_a_word_may_stay_where_the_client_can_choose(store, folder):
    for capabilities in (with_insertion(), with_insertion(with_defaults())):
        with client(store, folder, capabilities) as c:
            c.initialize()
            editor = Editor(c, folder / "a.http")
            answer = editor.ask("@host = x\n\nGET {{ho|st}}/")
            edit = answer["items"][0].get("textEdit") or answer["itemDefaults"]["editRange"]
            assert edit["insert"]["end"]["character"] == 8
            assert edit["replace"]["end"]["character"] == 10
            assert "command" not in answer["items"][0]
            method = editor.ask("PO|")["items"][0]
            assert method["command"]["command"] == "editor.action.triggerSuggest"
    with client(store, folder) as c:
        c.initialize()
        editor = Editor(c, folder / "a.http")
        item = editor.ask("@host = x\n\nGET {{ho|st}}/")["items"][0]
        assert item["textEdit"]["range"]["end"]["character"] == 10
        assert "command" not in editor.ask("PO|")["items"][0]


def test_what_was_sent_serves_for_requests_like_it(store, folder, target):
    target.bodies["/users/7"] = ("application/json", b'{"id": 7, "tags": ["a"]}')
    with client(store, folder) as c:
        c.initialize()
        send(c, folder, "one.http", f"PUT {target.url}/users/7\nContent-Type: application/json\n\n"
             '{"name": "ann", "own": {"x": 1}}\n')
        editor = Editor(c, folder / "new.http")
        head = "Content-Type: application/json\n\n{|}"
        wanted = ["name", "own", "id", "tags"]
        assert editor.labels(f"PUT {target.url}/users/12?dry=1\n{head}") == wanted
        assert editor.labels(f"PUT {target.url}/users/{{{{id}}}}\n{head}") == wanted
        assert editor.labels(f"PUT {{{{base}}}}/users/9\n{head}") == wanted
        assert editor.labels(f"PUT {target.url}/groups/9\n{head}") == []
        named = f"### u\nPUT {target.url}/users/9\n\n###\nGET /{{{{u.response.body.$.|"
        answer = editor.ask(named)
        assert [item["label"] for item in answer["items"]] == ["id", "tags"]
        assert answer["items"][0]["labelDetails"]["description"] == "history"
        assert all("detail" not in item for item in answer["items"])


def test_names_of_the_process_environment_are_offered_without_values(store, folder):
    environment = {"PK_VISIBLE_NAME": "value-that-stays-unseen"}
    with client(store, folder, environment=environment) as c:
        c.initialize()
        editor = Editor(c, folder / "a.http")
        for marked in ("GET /{{$processEnv PK_V|", "GET /{{$env.PK_V|"):
            answer = editor.ask(marked)
            assert any("PK_VISIBLE_NAME" in item["label"] for item in answer["items"])
            assert "stays-unseen" not in str(answer)


def test_an_environment_file_is_no_request_file(store, folder):
    (folder / "a.http").write_text("GET {{host}}/{{lost}}/{{$dotenv KEY}}\n")
    (folder / ".env.dev").write_text("A=1\nB=2\n")
    with client(store, folder) as c:
        c.initialize()
        for name, text in (
            (".env", "host=http://a.test\nA=b\n|"),
            ("http-client.env.json", '{"dev": {"host": "http://b.test", |}}'),
        ):
            editor = Editor(c, folder / name)
            labels = editor.labels(text)
            assert "lost" in labels and "GET" not in labels
            document = {"textDocument": {"uri": editor.uri}}
            assert not c.request("textDocument/documentSymbol", document)
            assert not c.request("textDocument/codeLens", document)
            assert not c.request("textDocument/diagnostic", document)["items"]
            options = {"tabSize": 2, "insertSpaces": True}
            assert not c.request("textDocument/formatting", {**document, "options": options})
            offset = text.index("host")
            hover = c.at("textDocument/hover", editor.uri, 0, offset)
            assert hover["contents"]["value"].startswith("`host`\n\n- ")
        assert {"B", "KEY"} <= set(Editor(c, folder / ".env").labels("A=1\n|"))


def test_an_environment_file_refreshes_what_shows_its_values(store, folder):
    with client(store, folder) as c:
        c.initialize()
        c.open(folder / "a.http", "GET {{host}}/\n")
        uri = c.open(folder / ".env", "host=http://a.test\n")
        c.expect("workspace/inlayHint/refresh")
        c.change(uri, "host=http://b.test\n")
        c.expect("workspace/inlayHint/refresh")
