"""Types in the real Vim, in a terminal, what would have it ask for Enter where it need not."""

import os
import tempfile
import time
from pathlib import Path

import harness
import speed

# Vim tells from a timer, which runs while it waits for a key: `n` where that is a command, `r`
# where it is Enter.
ASK = ":echo 1 | call timer_start(50, {{-> writefile([mode()], '{told}')}})\r"


def wait(typist, is_there):
    """Waits until something is so of what was drawn meanwhile; answers whether it came."""
    end = time.monotonic() + harness.PATIENCE
    seen = b""
    while not is_there(seen):
        if time.monotonic() > end:
            return False
        seen += typist.read(0.05)
    return True


def result(vim, program):
    """How many checks passed and failed: a message behind a first response asks for nothing."""
    with tempfile.TemporaryDirectory(prefix="postkit-editor-") as name:
        folder = Path(name)
        environment = dict(os.environ, HOME=name, POSTKIT_HOME=str(folder / "store"),
                           TERM="xterm-256color", LC_ALL="C.UTF-8", DBUS_SESSION_BUS_ADDRESS="")
        file, vimrc, told = folder / "a.http", folder / "vimrc", folder / "told"
        file.write_text("GET {{$exampleServer}}/get\n", encoding="utf-8")
        vimrc.write_text(speed.settings(program, True), encoding="utf-8")
        typist = speed.Typist([vim, "-n", "-i", "NONE", "-u", str(vimrc), str(file)], environment)
        os.write(typist.terminal, b":PostKit send\r")
        answered = wait(typist, lambda seen: b"application/json" in seen)
        os.write(typist.terminal, ASK.format(told=told).encode())
        said = wait(typist, lambda _: told.exists() and told.read_text(encoding="utf-8"))
        mode = told.read_text(encoding="utf-8").strip() if said else "nothing"
        typist.end()
    if answered and mode == "n":
        return 1, 0
    print(f"not ok a message behind the first response: answered {answered}, mode {mode}")
    return 0, 1
