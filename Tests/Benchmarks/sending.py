"""What a send costs a server beside its own time, how soon it is stopped, and what it leaves."""

import socket
import threading
import time
from pathlib import Path

from bench import memory_of
from typist import Typist, share, shares, words

# Megabytes of the server with a small file, a moment after a send; of these, those that are no
# page of a file. How many pages of its files are there, the machine decides: it maps more of them
# at once where they lie in large pieces of its cache. So the sum is also compared with the same
# server before its first send.
AFTER_SEND = 20
OWN_AFTER_SEND = 6
SENT_TO_BEGUN = 2.2


def sending(bench, start, settled, many):
    """What a send costs beside its own time, how soon it is stopped, and what it leaves."""
    count = 20 if bench.small else 200
    with start() as server:
        sender = Typist(server, many, "http", {"line": 0, "character": 0})
        send(server, sender, 0)
        times = {"ours": [], "a socket": []}
        for number in range(count):
            started = time.perf_counter()
            send(server, sender, number % 100)
            times["ours"].append((time.perf_counter() - started) * 1000)
            times["a socket"].append(raw_exchange(bench.url, number))
        ours, bare = (share(sorted(taken), 50) for taken in times.values())
        bench.report(
            "a send against the same through a bare socket",
            f"p50 {ours:.2f} ms against {bare:.2f} ms", ours - bare)
        figures = shares(sorted(closings(bench, server, count)))
        bench.report("a cancel of a send until its socket is closed", words(figures), figures)
    seconds = 1 if bench.small else 5
    begun, resident, own, rested, wakes = bench.good(
        lambda it: it[1] <= SENT_TO_BEGUN * it[0] and it[2] <= OWN_AFTER_SEND and it[4] <= 1,
        lambda: rests(start, settled, many, seconds))
    # What a wait for the network leaves may end in between.
    bench.judge(
        wakes <= 1, "threads of an idle server that are woken, after the first send",
        f"{wakes} in {seconds} s (bar 1)", wakes, 1)
    bench.judge(
        own <= OWN_AFTER_SEND, "memory of a server's own after a send, a hover and a key",
        f"{own:.1f} MB (bar {OWN_AFTER_SEND})", own, OWN_AFTER_SEND)
    shown = f"{resident:.1f} MB, {rested:.1f} MB at rest, {begun:.1f} MB before the first send"
    bench.judge(
        resident <= SENT_TO_BEGUN * begun,
        "memory of a server after a send, a hover and a key, to that before its first send",
        f"{resident / begun:.2f} (bar {SENT_TO_BEGUN}), {shown}", resident / begun, SENT_TO_BEGUN)
    if not bench.small:
        bench.judge(
            resident <= AFTER_SEND, "memory of a server after a send, a hover and a key",
            f"{shown} (bar {AFTER_SEND})", resident, AFTER_SEND)


def rests(start, settled, many, seconds):
    """A server that sends once: its megabytes before, then all, its own, at rest; its wake-ups."""
    with start() as server:
        begun = settled(server) / 1e6
        sender = Typist(server, many, "http", {"line": 0, "character": 0})
        send(server, sender, 0)
        # Once a second has passed without work, what is free is given back, and code that is not
        # called again is let go.
        time.sleep(2)
        rested = settled(server) / 1e6
        # What somebody calls who reads on and types is there again.
        sender.at_caret("hover")()
        sender.times(1)
        resident = settled(server) / 1e6
        own = memory_of(server.process, "RssAnon") / 1e6
        # Once more what is free is given back, then there is nothing left to do.
        time.sleep(3)
        before = wakeups(server)
        time.sleep(seconds)
        # A thread that has ended had nothing to do.
        wakes = sum(count - before.get(task, 0) for task, count in wakeups(server).items())
        return begun, resident, own, rested, wakes


def raw_exchange(url, number):
    """The milliseconds of the same request through a socket of Python's."""
    host, port = url.removeprefix("http://").split(":")
    started = time.perf_counter()
    with socket.create_connection((host, int(port))) as connection:
        head = f"GET /small.json?{number} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        while connection.recv(65536):
            pass
    return (time.perf_counter() - started) * 1000


def closings(bench, server, count):
    """The milliseconds from a cancel of a send until the other side sees the end of it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        path = bench.file("silent.http", f"GET http://127.0.0.1:{listener.getsockname()[1]}/\n")
        sender = Typist(server, path, "http", {"line": 0, "character": 0})
        for _ in range(count):
            number = send(server, sender, 0, waits=False)
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                ended = []
                # The end is seen while this thread waits for it, not when it looks for it.
                watcher = threading.Thread(
                    target=lambda peer=connection, ended=ended: (
                        peer.recv(1), ended.append(time.perf_counter())))
                watcher.start()
                started = time.perf_counter()
                server.notify("$/cancelRequest", {"id": number})
                watcher.join(10)
                server.pending = {number}
                server.drain()
                yield (ended[0] - started) * 1000


def wakeups(server):
    """How often each thread of the server has waited for something, which then woke it."""
    tasks = Path(f"/proc/{server.process.pid}/task").iterdir()
    texts = {task.name: (task / "status").read_text() for task in tasks}
    return {
        task: int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])
        for task, text in texts.items()
    }


def send(server, sender, number, waits=True):
    """Sends one request of the file of many; the id where nobody waits for it."""
    arguments = {"uri": sender.uri, "position": {"line": 3 * number, "character": 0}}
    parameters = {"command": "postkit.send", "arguments": [arguments]}
    if waits:
        return server.request("workspace/executeCommand", parameters)
    server.identifier += 1
    server.write({
        "id": server.identifier, "method": "workspace/executeCommand", "params": parameters})
    return server.identifier
