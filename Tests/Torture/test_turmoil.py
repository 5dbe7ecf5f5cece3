"""Editors, runs and commands at once, of which some are killed and some stand still."""

from turmoil import Turmoil


def test_nothing_that_was_acknowledged_is_lost(tmp_path, scale, request, report):
    seed = request.config.getoption("--seed")
    seconds = scale["turmoil"]
    report(f"{seconds} s of eight users: {Turmoil(tmp_path, seed, seconds).run()}")
