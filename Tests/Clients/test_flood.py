"""Many requests at once: each is answered, and only the newest of equal ones is worked out."""

from test_stock import client


def test_of_equal_questions_the_newest_survive(store, folder):
    text = "".join(f"### r{n}\nGET http://127.0.0.1:1/{n}?a={{{{b}}}}\n" for n in range(2_000))
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", text)
        params = {"textDocument": {"uri": uri}}
        ids = [c.start("textDocument/documentSymbol", params) for _ in range(300)]
        other = c.at("textDocument/hover", uri, 1, 2)
        assert other
        answers = []
        for id in ids:
            while id not in c.results:
                c.step()
            answers.append(c.results.pop(id))
        given_up = [it for it in answers if "error" in it]
        assert {it["error"]["code"] for it in given_up} == {-32800}
        # As many as are worked on at once are never given up, and the last one not at all.
        assert len(given_up) > 200
        assert all(len(it["result"]) == 2_000 for it in answers[-4:])


def test_a_large_document_holds_up_no_other(store, folder):
    text = "".join(f"### r{n}\nGET http://127.0.0.1:1/{n}?a={{{{b}}}}\n" for n in range(8_000))
    methods = ("documentSymbol", "codeLens", "documentLink", "diagnostic")
    with client(store, folder) as c:
        c.initialize()
        large = {"textDocument": {"uri": c.open(folder / "large.http", text)}}
        uri = c.open(folder / "small.http", "GET http://127.0.0.1:1/\n")
        # As many of each as are worked on, so that none is given up.
        ids = [c.start(f"textDocument/{method}", large) for _ in range(4) for method in methods]
        assert c.at("textDocument/hover", uri, 0, 1)
        # In one queue with them it would have been the last.
        answered = sum(id in c.results for id in ids)
        for id in ids:
            while id not in c.results:
                c.step()
            assert "error" not in c.results.pop(id)
        assert answered <= len(ids) // 2
