"""Measures in the real Vim what E32 promises: how long the plugin takes to load, and how long a key
takes to be seen in a file of 10,000 requests, with the plugin and without it."""

import fcntl
import os
import pty
import re
import select
import statistics
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path

PLUGIN = Path(__file__).resolve().parents[1]
REQUESTS = 10_000
KEYS = 80
ROUNDS = 3
# Of so many keys the quickest counts. What Vim itself does before it draws, and what it waits for,
# it does for each key; on a machine that has much to do most keys also wait for others, a server
# that looks at the key before among them.
OF = 20
# Between two keys, as of a person who types fast; what follows a key has begun by then.
PAUSE = 0.04
# Of the time that Vim's own plugins take at the same start: 1 ms where ours takes 0.4, and 6 ms
# where their files are not in memory.
LOAD_PART = 1.0
# The plugin may cost a key this much: less than can be told from the noise of one machine.
KEY_FACTOR, KEY_SLACK = 1.5, 1.0


def text():
    """A request file of the size of the promise."""
    blocks = (
        f"### request {number}\nGET {{{{host}}}}/get?n={number}&q={{{{host}}}}\nAccept: */*\n\n"
        for number in range(REQUESTS)
    )
    return "@host = {{$exampleServer}}\n\n" + "".join(blocks)


def settings(program, enabled):
    """The lines of a vimrc; without the plugin, colours and options of the filetype stay."""
    return "\n".join([
        "set nocompatible laststatus=2 encoding=utf-8",
        f"set runtimepath^={PLUGIN}",
        "filetype plugin on",
        "syntax on",
        f"let g:postkit_enable = {'v:true' if enabled else 'v:false'}",
        f"let g:postkit = {{'command': ['{program}', 'lsp']}}",
    ]) + "\n"


def load_milliseconds(vim, folder, vimrc, environment):
    """The time that the plugin's own file takes at the start, and the part it is of what Vim's own
    plugins take; the least of some."""
    found = []
    for number in range(7):
        log = folder / f"start{number}"
        command = [vim, "-n", "-i", "NONE", "-u", str(vimrc), "-es", "--startuptime", str(log)]
        subprocess.run(command + ["-c", "qall!"], env=environment, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, timeout=30, check=False)
        sourced = dict(
            (file, float(took)) for took, file in re.findall(
                r"^\S+ +(\S+) +\S+: sourcing (\S+/plugin/[^/\s]+\.vim)$",
                log.read_text(encoding="utf-8"), re.MULTILINE))
        own = sourced.pop(str(PLUGIN / "plugin" / "postkit.vim"))
        found.append((own, own / sum(sourced.values())))
    return min(own for own, _ in found), min(part for _, part in found)


class Typist:
    """A Vim in a terminal, and somebody who types."""

    def __init__(self, command, environment):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def read(self, seconds):
        """What comes within some time; empty when nothing does, or at the end."""
        if not select.select([self.terminal], [], [], max(0, seconds))[0]:
            return b""
        try:
            return os.read(self.terminal, 1 << 16)
        except OSError:
            return b""

    def rest(self, seconds):
        """Lets some time go by and takes what is drawn."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read(end - time.monotonic()):
                time.sleep(0.005)

    def settle(self, seconds):
        """Waits until nothing has been drawn for a while: the server has looked at the file."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.read(2):
            pass

    def key(self, key):
        """How many milliseconds a key takes to be seen."""
        start = time.monotonic()
        os.write(self.terminal, key)
        seen = b""
        while key not in seen and time.monotonic() - start < 5:
            seen += self.read(1)
        return (time.monotonic() - start) * 1000

    def end(self):
        """Ends Vim."""
        os.write(self.terminal, b"\x1b:qall!\r")
        self.rest(0.7)
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def key_milliseconds(vim, vimrc, file, environment):
    """The time from a key to what it draws: of the quickest of `OF` keys, and the median."""
    typist = Typist([vim, "-n", "-i", "NONE", "-u", str(vimrc), str(file)], environment)
    typist.settle(30)
    os.write(typist.terminal, b":%d\rA " % (REQUESTS * 2))
    typist.rest(0.5)
    times = []
    for number in range(KEYS):
        times.append(typist.key(b"abcdefghij"[number % 10:number % 10 + 1]))
        typist.rest(PAUSE)
    typist.end()
    return sorted(times)[len(times) // OF], statistics.median(times)


def result(vim, program):
    """The line for the results of the scenarios."""
    with tempfile.TemporaryDirectory(prefix="postkit-editor-") as name:
        folder = Path(name)
        environment = dict(os.environ, HOME=name, POSTKIT_HOME=str(folder / "store"),
                           TERM="xterm-256color", LC_ALL="C.UTF-8", DBUS_SESSION_BUS_ADDRESS="")
        file = folder / "many.http"
        file.write_text(text(), encoding="utf-8")
        rcs = {}
        for enabled in (False, True):
            rcs[enabled] = folder / f"vimrc{int(enabled)}"
            rcs[enabled].write_text(settings(program, enabled), encoding="utf-8")
        load, part = load_milliseconds(vim, folder, rcs[True], environment)
        # By turns, so that what else the machine does meets both.
        found = {False: [], True: []}
        for enabled in (False, True) * ROUNDS:
            found[enabled].append(key_milliseconds(vim, rcs[enabled], file, environment))
    (bare, usual), (plugin, with_it) = min(found[False]), min(found[True])
    good = part < LOAD_PART and plugin <= bare * KEY_FACTOR + KEY_SLACK
    return (f"{'ok' if good else 'not ok'} E32 speed: loads in {load:.2f} ms, "
            f"{part:.2f} of what Vim's own plugins take; key to redraw "
            f"{plugin:.2f} ms (median: {with_it:.2f}), without the plugin {bare:.2f} ms "
            f"(median: {usual:.2f})")
