"""What `postkit demo` leaves is there in an editor: a collection that can be opened and sent."""

import subprocess

from rawclient import TIMEOUT, binary
from test_collections import client


def demo(store, *options):
    subprocess.run(
        [binary(), "demo", *options, "--store", store], check=True, capture_output=True,
        timeout=TIMEOUT)


def test_the_collection_of_a_demo_opens(store, folder):
    demo(store)
    with client(store, folder) as c:
        c.initialize()
        [collection] = c.request("postkit/collections", {"depth": 9})["nodes"]
        assert (collection["name"], collection["requestCount"]) == ("postkit-demo", 2)
        [inner] = collection["children"]
        requests = {node["name"]: node["uri"] for node in inner["children"]}
        assert set(requests) == {"users", "login"}
        for uri in requests.values():
            text = c.request("workspace/textDocumentContent", {"uri": uri})["text"]
            c.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri, "languageId": "http", "version": 1, "text": text}})
            found = c.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
            assert [it for it in found if it["severity"] == 1] == []
            line = next(n for n, it in enumerate(text.splitlines()) if "{{host}}" in it)
            sent = c.command("postkit.send", {"uri": uri, "position": {
                "line": line, "character": 0}})
            assert (sent["state"], sent["status"]) == ("done", 200)
            found = c.request("postkit/variables", {"textDocument": {"uri": uri}})["items"]
            assert {"host", "user"} <= {item["name"] for item in found}
    demo(store, "--remove")
    with client(store, folder) as c:
        c.initialize()
        assert c.request("postkit/collections", {})["nodes"] == []
