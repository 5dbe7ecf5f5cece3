"""No test opens the store of whoever runs it: the guard of `home.py` finds one that does."""

import os
import subprocess

import home
import pytest
from rawclient import TIMEOUT, binary


def run(folder, **environment):
    """Sends a request by a program that was told no store."""
    path = folder / "one.http"
    path.write_text("GET {{$exampleServer}}/get\n")
    subprocess.run(
        [binary(), "run", path], env={**os.environ, **environment}, check=True,
        capture_output=True, timeout=TIMEOUT)


def test_what_tests_start_has_a_home_of_its_own():
    assert "POSTKIT_HOME" not in os.environ
    for name in home.PLACES:
        assert home.HOME in [path := home.Path(os.environ[name]), *path.parents], name


def test_a_program_without_a_store_is_found(folder):
    run(folder)
    with pytest.raises(AssertionError, match="without a store"):
        home.check()
    # Its traces are gone, so that the next test is not blamed.
    home.check()


def test_a_program_that_ignores_the_directories_of_xdg_is_found(folder):
    run(folder, **{name: "" for name in home.PLACES if name != "HOME"})
    assert home.left() == [".local/share/postkit"]


def test_a_program_with_a_store_leaves_nothing(folder, store):
    run(folder, POSTKIT_HOME=str(store))
    assert (store / "history.sqlite").exists() and home.left() == []
