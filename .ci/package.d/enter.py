"""Runs a command in another system: enter.py ROOT NETWORK COMMAND...

It is called in namespaces of its own, for which NETWORK, if it is not empty, says that loopback has
to be brought up. With TERMINAL in the environment the command has a terminal of 120 by 40.
"""

import fcntl
import os
import pty
import socket
import struct
import sys
import termios


def bring_up_loopback():
    with socket.socket() as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS


def in_terminal(command):
    """Runs a command in a terminal and passes on what it writes; answers its exit code."""
    child, leader = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.environ["TERM"] = "xterm-256color"
        os.execvp(command[0], command)
    try:
        while chunk := os.read(leader, 65536):
            os.write(1, chunk)
    except OSError:
        pass  # how a terminal says that nobody has it open any more
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    root, network, *command = sys.argv[1:]
    if network:
        bring_up_loopback()
    command = ["chroot", root, "env", "--chdir=/root", *command]
    if os.environ.pop("TERMINAL", None):
        sys.exit(in_terminal(command))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
