"""Documents of stored requests are written back when they are saved, and no text is lost by it."""

import pytest
from test_collections import METHOD, client, edit, path, presses, saves, settles, shop, stored

KEEP, TAKE = "Keep this text", "Take the stored text"
FIRST = "### one\nGET http://first.test\n"
MINE = "### one\nGET http://mine.test\n"
OTHER = "### one\nGET http://other.test\n"


def opened(c, request):
    """Opens a stored request in the editor; its URI."""
    uri = c.command("postkit.collections", {"id": request})
    c.open(path(uri), path(uri).read_text())
    return uri


def closes(c, uri):
    c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def changes(c, request, text):
    edit(c, {"op": "collection.update", "id": request, "source": text})


def asked(c):
    return [m for m in c.requests if m["method"] == METHOD]


def test_a_saved_document_is_written_back(store, folder):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, "### one\nGET http://a.test\n")
        uri = c.command("postkit.collections", {"id": request})
        c.open(path(uri), path(uri).read_text())
        text = "### uno\nPOST http://b.test\n\nx\n"
        saves(c, uri, text)
        settles(c)
        assert stored(c, request) == text
        [node] = c.request("postkit/collections", {"depth": 2})["nodes"]
        assert node["children"][0]["name"] == "uno"
        saves(c, uri, "# nothing\n")
        assert "has no request" in c.expect("window/showMessage")["message"]
        assert stored(c, request) == text


@pytest.mark.parametrize("choice", ["Keep this text", "Take the stored text", None])
def test_a_text_that_changed_meanwhile_is_never_lost(store, folder, choice):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, "### one\nGET http://a.test\n")
        uri = c.command("postkit.collections", {"id": request})
        c.open(path(uri), path(uri).read_text())
        other = "### one\nGET http://other.test\n"
        edit(c, {"op": "collection.update", "id": request, "source": other})
        mine = "### one\nGET http://mine.test\n"
        c.answers[METHOD] = presses(choice) if choice else lambda params: None
        saves(c, uri, mine)
        if choice is None:
            assert "has changed in the collection" in c.expect("window/showMessage")["message"]
        settles(c)
        assert stored(c, request) == (mine if choice == "Keep this text" else other)
        kept = other if choice == "Take the stored text" else mine
        assert path(uri).read_text() == kept


def dismissed(c, request, uri):
    changes(c, request, OTHER)
    saves(c, uri, MINE)
    assert "Save again" in c.expect("window/showMessage")["message"]
    return OTHER, MINE


def without_a_request(c, request, uri):
    saves(c, uri, "# nothing yet\n")
    assert "has no request" in c.expect("window/showMessage")["message"]
    return FIRST, "# nothing yet\n"


def edited_elsewhere(c, request, uri):
    closes(c, uri)
    path(uri).write_text(MINE)
    return FIRST, MINE


@pytest.mark.parametrize("happens", [dismissed, without_a_request, edited_elsewhere])
def test_what_was_saved_but_not_taken_over_is_there_when_it_is_opened_again(
        store, folder, happens):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, FIRST)
        uri = opened(c, request)
        c.answers[METHOD] = lambda params: None
        kept, mine = happens(c, request, uri)
        settles(c)
    with client(store, folder) as c:
        c.initialize()
        assert opened(c, request) == uri
        message = c.expect("window/showMessage")["message"]
        assert "is not in the collections" in message and str(path(uri)) in message
        assert path(uri).read_text() == mine and stored(c, request) == kept
        # Saving is the way out, and asks.
        c.answers[METHOD] = presses(KEEP)
        saves(c, uri, MINE)
        settles(c)
        assert stored(c, request) == MINE and len(asked(c)) == 1
    with client(store, folder) as c:
        c.initialize()
        changes(c, request, OTHER)
        # Nothing would be lost now, so that the stored text is opened without a word.
        assert opened(c, request) == uri and path(uri).read_text() == OTHER
        assert [m for m in c.notifications if m["method"] == "window/showMessage"] == []


def test_a_file_that_cannot_be_read_is_not_written_over(store, folder):
    with client(store, folder) as c:
        c.initialize()
        _, request = shop(c, FIRST)
        uri = opened(c, request)
        path(uri).unlink()
        path(uri).mkdir()
        with pytest.raises(Exception, match="one.http"):
            c.command("postkit.collections", {"id": request})


@pytest.mark.parametrize("choice", [KEEP, TAKE])
def test_two_editors_do_not_overwrite_each_other(store, folder, choice):
    with client(store, folder) as a, client(store, folder) as b:
        for c in (a, b):
            c.initialize()
        _, request = shop(a, FIRST)
        uri = opened(a, request)
        assert opened(b, request) == uri
        saves(b, uri, OTHER)
        settles(b)
        assert stored(a, request) == OTHER and asked(b) == []
        # The editor of A still has the text from before.
        a.answers[METHOD] = presses(choice)
        saves(a, uri, MINE)
        settles(a)
        assert len(asked(a)) == 1
        kept = MINE if choice == KEEP else OTHER
        assert stored(b, request) == kept and path(uri).read_text() == kept


def test_an_editor_that_reads_the_other_ones_text_is_not_asked(store, folder):
    with client(store, folder) as a, client(store, folder) as b:
        for c in (a, b):
            c.initialize()
        _, request = shop(a, FIRST)
        uri = opened(a, request)
        opened(b, request)
        saves(b, uri, OTHER)
        settles(b)
        a.change(uri, path(uri).read_text())
        saves(a, uri, MINE)
        settles(a)
        assert stored(b, request) == MINE and asked(a) == []


def questioned(c):
    """A text that is saved where another was stored meanwhile: its request, its document and what
    the user is asked."""
    _, request = shop(c, FIRST)
    uri = opened(c, request)
    changes(c, request, OTHER)
    c.answers[METHOD] = ...
    saves(c, uri, MINE)
    return request, uri, c.take(METHOD)


@pytest.mark.parametrize("choice", [KEEP, TAKE])
def test_a_text_that_is_saved_while_its_user_is_asked_is_the_one_that_counts(
        store, folder, choice):
    newest = "### one\nGET http://newest.test\n"
    with client(store, folder) as c:
        c.initialize()
        request, uri, question = questioned(c)
        saves(c, uri, newest)
        c.reply(question, {"title": choice})
        if choice == TAKE:
            # What was chosen was said of another text.
            c.reply(c.take(METHOD), {"title": KEEP})
        settles(c)
        assert stored(c, request) == newest == path(uri).read_text()
        saves(c, uri, MINE)
        settles(c)
        assert stored(c, request) == MINE and asked(c) == []


def test_a_store_that_changes_while_its_user_is_asked_is_asked_about_again(store, folder):
    with client(store, folder) as c:
        c.initialize()
        request, uri, question = questioned(c)
        changes(c, request, FIRST)
        changes(c, request, OTHER + "X-A: 1\n")
        c.reply(question, {"title": KEEP})
        c.reply(c.take(METHOD), {"title": TAKE})
        settles(c)
        assert stored(c, request) == OTHER + "X-A: 1\n" == path(uri).read_text()
