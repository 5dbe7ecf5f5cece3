"""Every probe of the misbehaviour matrix ends in order."""

import misbehaviour
import pytest
from rawclient import TIMEOUT


@pytest.mark.parametrize(
    "title, probe, wanted", misbehaviour.PROBES, ids=[row[0] for row in misbehaviour.PROBES])
def test_probe(title, probe, wanted):
    postkit = misbehaviour.targets()["postkit"]
    assert misbehaviour.outcome(probe, postkit, TIMEOUT) in wanted
