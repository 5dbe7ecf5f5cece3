"""What is done with a list of the history as a whole, and with documents that come of it."""

import pytest
from rawclient import ResponseError
from test_collections import ASKING, presses, settles
from test_history import ids, sent
from test_inputs import INPUT
from test_lists import PLAIN
from test_stock import client
from test_views import actions, path, run, show


def opens(store, folder, reads):
    return client(
        store, folder, ASKING if reads else PLAIN, options={"postkit": {"testing": True}})


def titled(c, uri, line, title):
    found = actions(c, uri, line)
    return next((each for each in found if each["title"].startswith(title)), None)


def opened(c, action):
    """What an action opens: its URI and its text."""
    uri = run(c, action)
    return uri, show(c, uri)


@pytest.mark.parametrize("reads", [True, False])
def test_figures_are_a_document_whose_rows_lead_on(store, folder, target, reads):
    with opens(store, folder, reads) as c:
        c.initialize()
        assert show(c, c.command("postkit.statistics")) == "# Nothing has been sent yet.\n"
        sent(c, folder, target)
        c.command("postkit.send", {
            "uri": c.open(folder / "b.http", f"### other thing\nGET {target.url}/gone\n"),
            "position": {"line": 1, "character": 0}})
        history = c.command("postkit.history", {"query": "line=since:1h"})
        show(c, history)
        figures, text = opened(c, titled(c, history, 0, "Show the statistics"))
        lines = text.split("\n")
        assert lines[0] == "# 4 matching requests by request." and lines[2] == "#"
        assert lines[3].split()[1:] == [
            "REQUEST", "COUNT", "FAILED", "MEDIAN", "P95", "MAX", "SENT", "RECEIVED", "LAST"]
        assert lines[4].startswith("# find  (a.http)") and lines[4].split()[3] == "3"
        _, found = opened(c, titled(c, figures, 4, "Show its requests"))
        assert found.startswith("# Latest 3 matching requests") and "/gone" not in found
        _, found = opened(c, titled(c, figures, 5, "Show its requests"))
        assert found.startswith("# Latest matching request ") and "other thing" in found
        days, text = opened(c, titled(c, figures, 0, "Count by day"))
        assert text.startswith("# 4 matching requests by day.")
        _, found = opened(c, titled(c, days, 4, "Show its requests"))
        assert found.startswith("# Latest 4 matching requests")
        none, _ = opened(c, titled(c, days, 4, "Count by environment"))
        # No filter finds what has no environment.
        assert titled(c, none, 4, "Show its requests") is None
        back, _ = opened(c, titled(c, none, 4, "Show all these"))
        assert titled(c, back, 0, "Pin all that match")
        for query, sentence in (("by=colour", "`by` must be request, host"),
                                ("colour=red", "the history knows no `colour`")):
            with pytest.raises(ResponseError, match=sentence):
                c.request(
                    "workspace/textDocumentContent", {"uri": f"postkit:/statistics?{query}"})


def test_figures_of_what_has_more_filters_are_narrower(store, folder, target):
    with opens(store, folder, True) as c:
        c.initialize()
        sent(c, folder, target)
        figures = c.command(
            "postkit.statistics", {"by": "status", "query": "line=status:2xx%20needle"})
        show(c, figures)
        uri, _ = opened(c, titled(c, figures, 4, "Show its requests"))
        assert uri == "postkit:/history?line=status:200%20needle"
        assert titled(c, figures, 3, "Show its requests") is None


def test_a_row_of_a_name_like_a_path_leads_to_its_request(store, folder, target):
    with opens(store, folder, True) as c:
        c.initialize()
        uri = c.open(folder / "a.http", f"### GET /users\nGET {target.url}/api/users\n")
        c.command("postkit.send", {"uri": uri, "position": {"line": 1, "character": 0}})
        figures = c.command("postkit.statistics", {"by": "request"})
        show(c, figures)
        _, found = opened(c, titled(c, figures, 4, "Show its requests"))
        assert found.startswith("# Latest matching request ") and "/api/users" in found


@pytest.mark.parametrize("reads", [True, False])
def test_saved_searches_are_a_document(store, folder, target, reads):
    with opens(store, folder, reads) as c:
        c.initialize()
        assert show(c, c.command("postkit.savedSearches")).startswith("# No saved searches yet.")
        sent(c, folder, target)
        c.request("postkit/edit", {"ops": [
            {"op": "search.save", "name": "old", "query": 'host:127.0.0.1 "needle"'}]})
        searches = c.command("postkit.savedSearches")
        text = show(c, searches)
        assert text.split("\n")[2].startswith('# old  host:127.0.0.1 "needle"  ')
        _, found = opened(c, titled(c, searches, 2, "Show what it finds"))
        assert found.startswith("# Latest 3 matching requests")
        _, figures = opened(c, titled(c, searches, 2, "Show its statistics"))
        assert figures.startswith("# 3 matching requests by request.")
        run(c, titled(c, searches, 2, "Delete the search `old`"))
        assert c.request("postkit/savedSearches", {}) == {"searches": []}
        settles(c)
        assert not actions(c, searches, 2)
        if not reads:
            assert path(searches).stat().st_mode & 0o777 == 0o600


def test_a_search_is_saved_under_a_name_that_is_asked_for(store, folder, target):
    with client(store, folder, {**ASKING, **INPUT}) as c:
        c.answers["postkit/input"] = lambda params: {"value": "mine"}
        c.initialize()
        sent(c, folder, target)
        history = c.command("postkit.history", {"query": "line=needle%20sort:ms"})
        show(c, history)
        run(c, titled(c, history, 0, "Save this search"))
        [search] = c.request("postkit/savedSearches", {})["searches"]
        assert (search["name"], search["query"]) == ("mine", "sort:ms needle")


def test_a_list_is_sorted_and_says_its_order(store, folder, target):
    with opens(store, folder, True) as c:
        c.initialize()
        sent(c, folder, target)
        history = c.command("postkit.history", {"query": "line=needle&limit=2"})
        assert show(c, history).startswith("# Latest 2 matching requests")
        uri, text = opened(c, titled(c, history, 0, "Sort by duration"))
        assert uri == "postkit:/history?line=sort:ms%20needle&limit=2"
        assert text.startswith("# Slowest 2 matching requests")
        uri, text = opened(c, titled(c, uri, 0, "Sort by size"))
        assert text.startswith("# Largest 2 matching requests")
        uri, text = opened(c, titled(c, uri, 0, "Sort by time"))
        assert uri == history
        assert titled(c, history, 0, "Sort by time") is None


def test_all_that_a_list_finds_is_changed_when_its_number_is_agreed_to(store, folder, target):
    with opens(store, folder, True) as c:
        asked, presses_next = [], ["Cancel", "no such button", "Forget"]

        def answer(params):
            asked.append(params["message"])
            title = presses_next.pop(0)
            return next((each for each in params["actions"] if each["title"] == title), None)

        c.answers["window/showMessageRequest"] = answer
        c.initialize()
        kept = sent(c, folder, target)
        whole = c.command("postkit.history")
        show(c, whole)
        assert titled(c, whole, 0, "Forget all") is None
        # More than a page shows.
        history = c.command("postkit.history", {"query": "line=path:/items&limit=1"})
        show(c, history)
        run(c, titled(c, history, 0, "Pin all that match"))
        c.expect("window/showMessage", lambda params: params["message"] == "Pinned 3 requests.")
        assert ids(c, pinned=True) == kept and asked == []
        forget = titled(c, history, 0, "Forget all that match")
        for _ in range(2):
            with pytest.raises(ResponseError, match="Nothing was changed"):
                run(c, forget)
        assert ids(c) == kept
        assert asked == ["Forget 3 requests? This can't be undone."] * 2
        run(c, forget)
        assert ids(c) == []
        with pytest.raises(ResponseError, match="No request matches"):
            run(c, forget)


def test_many_are_not_marked_without_a_question(store, folder, target):
    with opens(store, folder, True) as c:
        c.answers["window/showMessageRequest"] = presses("Cancel")
        c.initialize()
        sent(c, folder, target, 100)
        history = c.command("postkit.history", {"query": "line=needle"})
        show(c, history)
        with pytest.raises(ResponseError, match="Nothing was changed"):
            run(c, titled(c, history, 0, "Pin all that match"))
        assert ids(c, pinned=True) == []
