"""A home for all that tests start. A program that was told no store would open that of whoever runs
the tests; here it is found instead."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# The home of this run, and what of the environment leads to it.
HOME = Path(tempfile.mkdtemp(prefix="postkit-home-"))
PLACES = {
    "HOME": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
}


def leave():
    """Takes the home of whoever runs the tests, and a store that they have named, out of the
    environment that programs inherit."""
    atexit.register(shutil.rmtree, HOME, ignore_errors=True)
    os.environ.pop("POSTKIT_HOME", None)
    for name, place in PLACES.items():
        os.environ[name] = str(HOME / place)


def left(home=HOME):
    """What PostKit has left in a home: its directories, relative to it. It is gone afterwards, so
    that no other test is blamed for it."""
    found = sorted(home.rglob("postkit"))
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
    return [str(path.relative_to(home)) for path in found]


def check():
    """Fails where a test, or what it started, has opened the store of whoever runs the tests."""
    assert left() == [], "a program was started without a store of the test's own (POSTKIT_HOME)"
