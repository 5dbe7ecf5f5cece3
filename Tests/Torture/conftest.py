"""The store under what machines and people do to it: small in every test run, large on demand.

pytest -q Tests/Torture                     the small form, about two minutes
pytest -q Tests/Torture --scale large       what the figures of Sources/PostKitStore are about
"""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "Clients"))

import home  # noqa: E402

home.leave()

SMALL = {"exchanges": 60, "kills": 25, "seconds": 2, "steps": 12, "turmoil": 60}
LARGE = {"exchanges": 5_000, "kills": 1_000, "seconds": 600, "steps": 300, "turmoil": 600}
figures = []


def pytest_addoption(parser):
    parser.addoption("--scale", choices=["small", "large"], default="small")
    parser.addoption("--seed", type=int, default=4, help="decides where processes are killed")


def pytest_terminal_summary(terminalreporter):
    for line in figures:
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def homeless():
    """No test opens the store of whoever runs it."""
    yield
    home.check()


@pytest.fixture
def scale(request):
    """How much: exchanges of a writer, processes killed, seconds held."""
    return LARGE if request.config.getoption("--scale") == "large" else SMALL


@pytest.fixture
def chance(request):
    """Random numbers that are the same in each run of a test."""
    return random.Random(f"{request.node.name} {request.config.getoption('--seed')}")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


@pytest.fixture
def report():
    """Takes figures that are shown at the end of the run."""
    return figures.append
