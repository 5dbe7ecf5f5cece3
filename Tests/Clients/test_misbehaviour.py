"""Every probe of the misbehaviour matrix ends in order."""

import misbehaviour
import pytest


@pytest.mark.parametrize(
    "title, probe, wanted", misbehaviour.PROBES, ids=[row[0] for row in misbehaviour.PROBES])
def test_probe(title, probe, wanted):
    assert misbehaviour.outcome(probe, misbehaviour.targets()["postkit"]) in wanted
