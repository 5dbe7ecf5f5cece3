"""In a folder that isn't trusted a response replaces only what a response has made."""

from test_questions import ASKING, METHOD, TRUST, asked, client, closes, presses, refusal


def saving(target, name):
    return f"GET {target.url}/a\n\n>>! ./{name}\n"


def at(uri):
    return {"uri": uri, "position": {"line": 0, "character": 0}}


def test_a_file_of_the_folder_is_replaced_only_after_a_yes(store, folder, target):
    (folder / "build.sh").write_text("mine")
    with client(store, folder) as c:
        c.initialize()
        place = at(c.open(folder / "a.http", saving(target, "build.sh")))
        c.answers[METHOD] = closes
        error = refusal(c, "postkit.send", place)
        assert "build.sh" in error.message and "is not trusted" in error.message
        assert error.data["declined"] is True
        (question,) = asked(c)
        assert f"would replace {folder / 'build.sh'}." in question["message"]
        assert target.seen == [] and (folder / "build.sh").read_text() == "mine"
        c.answers[METHOD] = presses(TRUST)
        assert c.command("postkit.send", place)["state"] == "done"
        assert (folder / "build.sh").read_text() != "mine"
        assert len(asked(c)) == 1


def test_what_a_response_made_is_replaced_without_a_question(store, folder, target):
    options = {"postkit": {"trusted": False}}
    for turn in range(2):
        # The second client knows it from the history.
        with client(store, folder, ASKING, options=options) as c:
            c.initialize()
            place = at(c.open(folder / f"{turn}.http", saving(target, "new.txt")))
            for _ in range(2):
                assert c.command("postkit.send", place)["state"] == "done"
            assert asked(c) == []
    assert len(target.seen) == 4


def test_an_untrusted_folder_replaces_nothing(store, folder, target):
    (folder / "build.sh").write_text("mine")
    options = {"postkit": {"trusted": False}}
    with client(store, folder, ASKING, options=options) as c:
        c.initialize()
        place = at(c.open(folder / "a.http", saving(target, "build.sh")))
        assert "`trusted` is false" in refusal(c, "postkit.send", place).message
        assert target.seen == [] and asked(c) == []
        # A name of its own is free.
        place = at(c.open(folder / "b.http", saving(target, "build.sh").replace(">>!", ">>")))
        assert c.command("postkit.send", place)["state"] == "done"
        assert (folder / "build.sh").read_text() == "mine"
        assert (folder / "build-1.sh").exists()
