#!/usr/bin/env python3
"""Runs the scenarios of ../../README.md in the real Vim, silently and on a dumb terminal."""

import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import harness  # noqa: E402
import prompts  # noqa: E402
import speed  # noqa: E402

SECONDS = 180


def main():
    vim = shutil.which("vim")
    if not vim:
        harness.missing("Vim")
    # Measured from outside, where a person sits; Vim writes it among its other results.
    os.environ["POSTKIT_SPEED"] = speed.result(vim, harness.program())
    print(os.environ["POSTKIT_SPEED"])
    plain = [vim, "-Nu", "NONE", "-n", "-i", "NONE"]
    script = ["-S", str(HERE / "scenarios.vim")]
    harness.finish([
        harness.same_syntax(),
        prompts.result(vim, harness.program()),
        harness.run("vim -es", plain + ["-es"] + script, SECONDS, kind="EN"),
        harness.run(
            "vim -T dumb", plain + ["-T", "dumb", "--not-a-term"] + script, SECONDS, kind="EN"),
    ])


if __name__ == "__main__":
    main()
