"""Edits, questions and cancels by chance: no crash, no wrong text, one reply to each request."""

import fuzz
import pytest


@pytest.mark.parametrize("encoding", fuzz.ENCODINGS)
def test_the_text_stays_right_and_all_is_answered(encoding):
    # 20,000 edits together; as a program it makes a million steps.
    edits, replies = fuzz.run(7_800, encoding, seed=fuzz.ENCODINGS.index(encoding))
    assert edits > 6_700 and replies > 700
