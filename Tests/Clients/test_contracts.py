"""Responses that are not as the description of their API says, as an editor shows it."""

import json

from test_hints import results
from test_stock import client

API = {
    "openapi": "3.0.3",
    "paths": {"/users/1": {"get": {"operationId": "getUser", "responses": {"200": {"content": {
        "application/json": {"schema": {
            "type": "object", "required": ["nobody has this"]}}}}}}}},
}
TEXT = """### user
GET {url}/users/1

### checked
GET {url}/users/1

?? openapi
"""


def content(c, id):
    found = c.request("workspace/textDocumentContent", {"uri": f"postkit:/response/{id}.http"})
    return found["text"]


def test_deviations_stand_behind_the_result_and_above_the_response(store, folder, target):
    (folder / "openapi.json").write_text(json.dumps(API))
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT.format(url=target.url))
        sent = c.command("postkit.send", {"uri": uri, "name": "user"})
        assert sent["state"] == "done" and sent["tests"] == {"passed": 0, "failed": 0}
        shown = [hint["label"][0]["value"] for hint in c.range("textDocument/inlayHint", uri)
                 if "result" in hint.get("data", {})]
        assert len(shown) == 1 and " from openapi.json " in shown[0]
        assert len(results(c, uri)) == 1
        assert "from openapi.json\n#   " in content(c, sent["id"])
        checked = c.command("postkit.send", {"uri": uri, "name": "checked"})
        assert checked["tests"] == {"passed": 0, "failed": 1}


def test_without_a_description_nothing_is_said(store, folder, target):
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", TEXT.format(url=target.url))
        sent = c.command("postkit.send", {"uri": uri, "name": "user"})
        assert "deviation" not in content(c, sent["id"])
