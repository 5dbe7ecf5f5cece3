#!/usr/bin/env python3
"""Runs the scenarios of Emacs in ../../README.md in the real Emacs with Debian's eglot."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import harness  # noqa: E402

SECONDS = 240


def main():
    editor = shutil.which("emacs")
    has_eglot = editor and subprocess.run(
        [editor, "-q", "--batch", "-l", str(HERE / "packages.el"), "--eval", "(require 'eglot)"],
        capture_output=True, check=False).returncode == 0
    if not has_eglot:
        harness.missing("Emacs with eglot")
    # CI has none, or one that can't place a cursor.
    os.environ["TERM"] = "xterm-256color"
    command = [editor, "-nw", "-q", "-l", str(HERE / "packages.el")]
    harness.finish([
        compiles(editor),
        harness.run("emacs -nw", command + ["-l", str(HERE / "scenarios.el")], SECONDS, kind="M"),
    ])


def compiles(editor):
    """Fails unless the byte compiler finds nothing to say about the plugin."""
    # The compiler puts a file in the place of its target, be that a device.
    with tempfile.TemporaryDirectory() as folder:
        source = shutil.copy(HERE.parent / "postkit.el", folder)
        form = ("(progn (setq byte-compile-error-on-warn t)"
                f' (unless (byte-compile-file "{source}") (kill-emacs 1)))')
        done = subprocess.run(
            [editor, "-q", "--batch", "-l", str(HERE / "packages.el"), "--eval", form],
            capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("not ok postkit.el does not compile without a warning:")
        print(done.stderr)
        return 0, 1
    return 1, 0


if __name__ == "__main__":
    main()
