"""Edits, questions and cancels by chance: no crash, no wrong text, one reply to each request."""

import fuzz
import pytest


@pytest.mark.parametrize("encoding", fuzz.ENCODINGS)
def test_the_text_stays_right_and_all_is_answered(encoding):
    assert fuzz.run(6_700, encoding, seed=fuzz.ENCODINGS.index(encoding)) > 700
