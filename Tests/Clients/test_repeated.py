"""Diagnostics that the client has already are not pushed again."""

from test_meaning import TOP
from test_stock import FULL, client, without

COUNT = 100


def test_a_send_pushes_only_what_changed(store, folder, target):
    push = without(FULL, "textDocument.diagnostic")
    with client(store, folder, push) as c:
        c.initialize()
        text = f"### login\nGET {target.url}/login\n### use\nGET {target.url}/{{{{nosuch}}}}\n"
        uris = [c.open(folder / f"{number}.http", text) for number in range(COUNT)]
        for uri in uris:
            c.expect("textDocument/publishDiagnostics", lambda it, uri=uri: it["uri"] == uri)
        for _ in range(3):
            c.command("postkit.send", {"uri": uris[0], "position": TOP})
            c.request("postkit/debug/synchronize")
        c.request("shutdown")
        c.notify("exit")
        assert c.server.wait() == 0
        pushed = [it for it in c.notifications
                  if it["method"] == "textDocument/publishDiagnostics"]
        assert pushed == []
