"""What a request that is saved to a collection takes along of its file, and what it lacks then."""

from test_collections import ASKING, METHOD, client, presses


def test_who_saves_is_told_what_the_file_alone_defines(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        text = (
            f"@rest = a\n\n### one\nGET {target.url}/{{{{rest}}}}\n\n"
            f"### two\nGET {target.url}/\n")
        uri = c.open(folder / "a.http", text)
        titles = iter(["New collection `folder`", "Leave out"])
        c.answers[METHOD] = lambda params: {"title": next(titles)}
        save = {"op": "collection.save", "uri": uri}
        c.command("postkit.collectionEdit", {**save, "position": {"line": 3, "character": 0}})
        told = c.expect("window/showMessage")
        assert told["type"] == 2 and told["message"].startswith(
            "Saved `one`. The collection can't send it yet: "
            "`rest` is not defined.")
        c.answers[METHOD] = presses("folder")
        c.command("postkit.collectionEdit", {**save, "position": {"line": 6, "character": 0}})
        assert c.expect("window/showMessage") == {"type": 3, "message": "Saved `two`."}


def test_the_variables_of_its_file_go_with_a_saved_request(store, folder, target):
    asked = []

    def answer(params):
        titles = [action["title"] for action in params["actions"]]
        asked.append((params["message"], titles))
        return {"title": next(title for title in titles if title != "Cancel" and (
            "Copy" not in titles or title == "Copy"))}

    with client(store, folder, ASKING) as c:
        c.initialize()
        text = (
            f"@base = {target.url}\n@size = 20\n@more = {{{{size}}}}0\n@apiKey = k-1\n"
            "@unused = x\n\n### list\nGET {{base}}/items?n={{more}}&k={{apiKey}}\n\n"
            "### again\nGET {{base}}/again?n={{size}}\n")
        uri = c.open(folder / "a.http", text)
        c.answers[METHOD] = answer
        save = {"op": "collection.save", "uri": uri}
        c.command("postkit.collectionEdit", {**save, "position": {"line": 7, "character": 0}})
        assert asked[1] == (
            "`list` reads `base`, `size`, `more` and `apiKey` of its file. "
            "Copy them into the collection's environment?", ["Copy", "Leave out"])
        assert c.expect("window/showMessage")["message"] == "Saved `list`."
        [made] = c.request("postkit/collections", {"depth": 2})["nodes"]
        [request] = made["children"]
        c.answers[METHOD] = lambda params: None
        sent = c.command("postkit.send", {"uri": request["uri"], "name": "list"})
        assert sent["status"] == 200 and target.seen[-1][1] == "/items?n=200&k=k-1"
        [environment] = c.request("postkit/environments", {})["stored"]
        assert environment["name"] == "default" and environment["active"]
        assert [(v["name"], v["value"], v["masked"]) for v in environment["variables"]] == [
            ("base", target.url, False), ("size", "20", False), ("more", "{{size}}0", False),
            ("apiKey", None, True)]
        # What the collection has by now is not asked about.
        c.answers[METHOD] = presses("folder")
        c.command("postkit.collectionEdit", {**save, "position": {"line": 10, "character": 0}})
        assert c.expect("window/showMessage") == {"type": 3, "message": "Saved `again`."}


def test_credentials_become_secrets_whatever_their_names(store, folder, target):
    value, password = "abcdef-123456", "pass-654321"
    port = target.url.rpartition(":")[2]
    with client(store, folder, ASKING) as c:
        c.initialize()
        text = (
            f"@own = {value}\n@login = Bearer {{{{own}}}}\n@plain = {value[:6]}\n"
            f"@base = http://ann:{password}@127.0.0.1:{port}\n@reading = http://a.test/@x\n\n"
            "### list\nGET {{base}}/items?n={{plain}}&u={{reading}}\nAuthorization: {{login}}\n")
        uri = c.open(folder / "a.http", text)
        titles = iter(["New collection `folder`", "Copy"])
        c.answers[METHOD] = lambda params: {"title": next(titles)}
        c.command("postkit.collectionEdit", {
            "op": "collection.save", "uri": uri, "position": {"line": 6, "character": 0}})
        assert c.expect("window/showMessage")["message"] == "Saved `list`."
        [environment] = c.request("postkit/environments", {})["stored"]
        assert {v["name"]: v["value"] for v in environment["variables"]} == {
            "own": None, "login": "Bearer {{own}}", "plain": value[:6], "base": None,
            "reading": "http://a.test/@x"}
        [made] = c.request("postkit/collections", {"depth": 2})["nodes"]
        [request] = made["children"]
        c.answers[METHOD] = lambda params: None
        assert c.command("postkit.send", {"uri": request["uri"], "name": "list"})["status"] == 200
        assert target.seen[-1][2]["Authorization"] == f"Bearer {value}"
    for path in store.glob("*.sqlite*"):
        content = path.read_bytes()
        assert value.encode() not in content and password.encode() not in content, path


def test_variables_that_are_left_out_are_left_out(store, folder, target):
    with client(store, folder, ASKING) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"@base = {target.url}\n\n### one\nGET {{{{base}}}}/\n")
        titles = iter(["New collection `folder`", "Leave out"])
        c.answers[METHOD] = lambda params: {"title": next(titles)}
        c.command("postkit.collectionEdit", {
            "op": "collection.save", "uri": uri, "position": {"line": 3, "character": 0}})
        told = c.expect("window/showMessage")
        assert told["type"] == 2 and "`base` is not defined" in told["message"]
        assert c.request("postkit/environments", {})["stored"] == []
