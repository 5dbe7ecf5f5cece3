"""What a command costs: seconds of the processor and bytes of memory."""

import os
import subprocess
import sys

# The peak of a process is never below that of the one that it was forked from, so a small one is.
LAUNCHER = """
import os, sys
child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
"""


def used(command, environment, folder):
    """The processor seconds of a command that ends well, and its memory at the highest.

    The command's output is dropped, its first word a path.
    """
    words = [os.fspath(word) for word in command]
    result = subprocess.run(
        [sys.executable, "-S", "-E", "-c", LAUNCHER, *words], env=environment, cwd=folder,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} ended with {result.returncode}")
    seconds, peak = result.stdout.split()
    return float(seconds), int(peak)
