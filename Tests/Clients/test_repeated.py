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


def test_a_send_is_seen_where_its_response_is_read(store, folder, target):
    """Documents that import the one that is sent, and its own; no other is looked at again."""
    push = without(FULL, "textDocument.diagnostic")
    (folder / "login.http").write_text(f"# @name login\nGET {target.url}/login\n")
    uses = "import ./login.http\n\n###\n# @name use\nGET http://a.test/{{login.response.status}}\n"
    with client(store, folder, push) as c:
        c.initialize()
        login = c.open(folder / "login.http", f"# @name login\nGET {target.url}/login\n")
        uri = c.open(folder / "uses.http", uses)

        def codes(params):
            return params["uri"] == uri and [it["code"] for it in params["diagnostics"]]

        assert codes(c.expect("textDocument/publishDiagnostics", codes)) == ["request-not-run"]
        c.command("postkit.send", {"uri": login, "position": TOP})
        c.expect("textDocument/publishDiagnostics", lambda it: codes(it) == [])
