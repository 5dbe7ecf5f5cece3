#!/usr/bin/env python3
"""Prints the functions that a run of one request and a server call, in an order for the linker.

    .ci/link-order.py PROGRAM

The program has 10 MB of code, of which a run of one request calls a fifteenth. Scattered, it lies
in a hundred pieces of 64 KiB, and the kernel maps each when it is first touched, which takes longer
than what the functions do and counts as memory of the program. First come the functions of a run,
then those that a server calls for a file that is opened and sent.

Needed: valgrind and binutils.
"""

import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers each request with a small JSON body."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = b'{"id": 1, "name": "Ada", "roles": ["admin"]}\n'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def session(folder, base):
    """The messages of a session of the server that opens one file and sends its request."""
    text = f"@base = {base}\n\nGET {{{{base}}}}/small.json\nAccept: application/json\n"
    uri = (folder / "open.http").as_uri()
    item = {"uri": uri, "languageId": "http", "version": 1, "text": text}
    document = {"textDocument": {"uri": uri}}
    place = {"line": 2, "character": 8}
    start = {
        "processId": None, "rootUri": folder.as_uri(),
        "capabilities": {"textDocument": {"diagnostic": {}}},
        "initializationOptions": {"postkit": {"trusted": True}},
    }
    send = {"command": "postkit.send", "arguments": [{"uri": uri, "position": place}]}
    edit = [{"range": {"start": place, "end": place}, "text": "x"}]
    return [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        {"id": 2, "method": "textDocument/codeLens", "params": document},
        {"id": 3, "method": "textDocument/diagnostic", "params": document},
        {"id": 4, "method": "textDocument/documentSymbol", "params": document},
        {"id": 5, "method": "workspace/executeCommand", "params": send},
        {"id": 6, "method": "textDocument/codeLens", "params": document},
        {"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": uri, "version": 2}, "contentChanges": edit}},
        {"id": 7, "method": "textDocument/diagnostic", "params": document},
        {"id": 8, "method": "textDocument/hover", "params": {**document, "position": place}},
        {"id": 9, "method": "textDocument/completion", "params": {**document, "position": place}},
        {"id": 10, "method": "shutdown"},
        {"method": "exit"},
    ]


def talk(process, messages):
    """Sends messages, each after the answer to the one before."""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()
        answer = {}
        while "id" in message and (answer.get("id") != message["id"] or "method" in answer):
            length = 0
            while (line := process.stdout.readline()) != b"\r\n":
                if not line:
                    raise RuntimeError(f"the server ended before it answered {message}")
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            answer = json.loads(process.stdout.read(length))
        if "error" in answer:
            raise RuntimeError(f"{message}: {answer['error']}")


def called(program, folder, words, messages=()):
    """The names of the functions that a run of the program calls, as the linker knows them."""
    profile = folder / "profile"
    with subprocess.Popen(
        ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}",
         program, *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "POSTKIT_HOME": str(folder / "store")},
    ) as process:
        talk(process, messages)
        process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"{words} ended with {process.returncode}")
    names = {}
    for line in profile.read_text().splitlines():
        if match := re.match(r"c?fn=\(\d+\) ([^'\s]+)", line):
            names[match[1]] = None
    return names


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # valgrind gives up on the debug information of a Swift program.
        program = folder / "postkit"
        subprocess.run(["objcopy", "--strip-debug", sys.argv[1], program], check=True)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        request = folder / "one.http"
        request.write_text(f"GET {base}/small.json\n")
        called(program, folder, ["run", request])  # makes the store
        names = called(program, folder, ["run", request])
        names |= called(program, folder, ["lsp"], session(folder, base))
        server.shutdown()
        print("\n".join(names))


if __name__ == "__main__":
    main()
