"""A language client that speaks raw messages and holds each one against the meta-model."""

import json
import os
import queue
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from metamodel import ROOT, Model, Violation
from wiretap import Tap

# How long anything is waited for that has to come: only a test that fails takes so long, on however
# slow a machine.
TIMEOUT = 60
# Every diagnostic has a code of the catalogue, and so a page.
CODES = {row["code"] for row in json.loads((ROOT / "protocol/diagnostics.json").read_text())}


def binary():
    """The built program; POSTKIT_BIN names another one."""
    return os.environ.get("POSTKIT_BIN") or str(ROOT / ".build/debug/postkit")


def is_late(answer, since):
    """Whether a question about a document, asked at that time, was given up as its two seconds were
    over (R5): where a machine has much to do that may come to any of many at once."""
    code = answer.get("error", {}).get("code")
    return code == -32803 and time.monotonic() - since >= 2


class Ended(Exception):
    """The server closed its end."""


class ResponseError(Exception):
    """An error response."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.message = error["message"]
        self.data = error.get("data")


class Server:
    """A server process and its bytes. It may be sent anything; what our own server sends is held
    against the model and the rules of a session, also what no test takes up."""

    # Those whose end the tests have not looked at (conftest.py).
    open = set()

    def __init__(self, *arguments, store, environment=None, command=None):
        variables = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
        variables.update(POSTKIT_HOME=str(store), **(environment or {}))
        command = command or [binary(), "lsp", *arguments]
        self.tap = Tap() if command[0] == binary() else None
        if self.tap:
            Server.open.add(self)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables,
        )
        self.frames = queue.Queue()
        # Everything that was received, as bytes.
        self.messages = []
        self.stray = b""
        # What waits to be written with more; nothing does but within `at_once`.
        self._gathered = None
        self._errors = b""
        self._may_read = threading.Event()
        self._may_read.set()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._error_reader = threading.Thread(target=self._read_errors, daemon=True)
        self._error_reader.start()

    def _read(self):
        stream = self.process.stdout
        while True:
            line = stream.readline()
            if not line:
                break
            if not line.endswith(b"\n") and b"Content-Length: ".startswith(line[:16]):
                # Killed within a frame.
                break
            if not line.startswith(b"Content-Length: "):
                self.stray += line
                continue
            length = int(line[16:])
            while stream.readline() != b"\r\n":
                pass
            self._may_read.wait()
            body = stream.read(length)
            if len(body) < length:
                break
            self.messages.append(body)
            self.frames.put(body)
        self.frames.put(None)

    def hold(self):
        """Reads nothing more, but for a message that has begun."""
        self._may_read.clear()

    def go_on(self):
        """Reads what there is."""
        self._may_read.set()

    def _read_errors(self):
        with self.process.stderr as stream:
            while part := stream.read1():
                self._errors += part

    @property
    def errors(self):
        """What the server wrote to standard error: so far, or all of it once it has ended."""
        if self.process.poll() is not None:
            self._error_reader.join(TIMEOUT)
        return self._errors

    def write(self, data):
        """Writes bytes of which the tap knows nothing."""
        if self.tap:
            self.tap.is_whole = False
        self._write(data)

    def _write(self, data):
        if self._gathered is not None:
            self._gathered += data
            return
        self.process.stdin.write(data)
        self.process.stdin.flush()

    @contextmanager
    def at_once(self):
        """Has all that is sent meanwhile arrive together, however fast the client is."""
        self._gathered = b""
        yield
        data, self._gathered = self._gathered, None
        self._write(data)

    def send(self, message):
        body = json.dumps(message).encode() if not isinstance(message, bytes) else message
        if self.tap:
            try:
                # Before it is written, so that it is known when its answer comes.
                self.tap.client(json.loads(body))
            except (ValueError, RecursionError):
                pass
        self._write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self, timeout=TIMEOUT):
        body = self.frames.get(timeout=timeout)
        if body is None:
            self.frames.put(None)
            raise Ended()
        message = json.loads(body)
        if self.tap:
            self.tap.server(message)
        return message

    def check_rest(self):
        """Holds what nobody took up against the rules, too; the server has ended."""
        Server.open.discard(self)
        self._reader.join(TIMEOUT)
        try:
            while True:
                self.receive(0)
        except (Ended, queue.Empty):
            pass
        if self.stray:
            raise Violation(f"bytes outside of frames: {self.stray[:200]!r}")

    def wait(self, timeout=TIMEOUT):
        return self.process.wait(timeout)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(TIMEOUT)
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class Client:
    """A well-behaved client: its own messages must fit the model, too."""

    def __init__(self, store, capabilities=None, options=None, folder=None, arguments=(), **kwargs):
        self.model = Model.default()
        self.server = Server(*arguments, store=store, **kwargs)
        self.capabilities = capabilities or {}
        self.options = options
        self.folder = folder
        # Further workspace folders.
        self.more_folders = []
        self.next_id = 1
        self.pending = {}
        self.results = {}
        self.notifications = []
        self.requests = []
        # How the server's requests are answered; the default is null, `...` is never. One that
        # raises `ResponseError` answers with it.
        self.answers = {"window/showDocument": lambda params: {"success": True}}
        self.versions = {}

    # --- messages

    def _send(self, message):
        message = {"jsonrpc": "2.0", **message}
        if "method" in message:
            self.model.check_message(message, from_server=False)
        self.server.send(message)

    def notify(self, method, params=None):
        self._send({"method": method} if params is None else {"method": method, "params": params})

    def start(self, method, params=None):
        """Sends a request and does not wait for its answer."""
        id = self.next_id
        self.next_id += 1
        self.pending[id] = method
        message = {"id": id, "method": method}
        if params is not None:
            message["params"] = params
        self._send(message)
        return id

    def finish(self, id, timeout=TIMEOUT):
        """Waits for the answer to a request."""
        deadline = time.monotonic() + timeout
        while id not in self.results:
            self.step(max(0.01, deadline - time.monotonic()))
        answer = self.results.pop(id)
        if "error" in answer:
            raise ResponseError(answer["error"])
        return answer["result"]

    def request(self, method, params=None, timeout=TIMEOUT):
        """Asks and waits for the answer; again where a machine stood still and it was given up."""
        deadline = time.monotonic() + timeout
        while True:
            began = time.monotonic()
            try:
                return self.finish(self.start(method, params), timeout)
            except ResponseError as error:
                late = is_late({"error": {"code": error.code}}, began)
                if not (late and method.startswith("textDocument/")) or time.monotonic() > deadline:
                    raise

    def step(self, timeout=TIMEOUT):
        """Takes up one message of the server."""
        message = self.server.receive(timeout)
        if "method" in message:
            if message["method"] == "textDocument/publishDiagnostics":
                self.check_codes(message["params"]["diagnostics"])
            if "id" in message:
                self.requests.append(message)
                answer = self.answers.get(message["method"], lambda params: None)
                if answer is not Ellipsis:
                    self._send({"id": message["id"], **self._answer(answer, message)})
            else:
                self.notifications.append(message)
            return
        id = message["id"]
        method = self.pending.pop(id, None)
        assert method is not None, f"an answer to nothing: {message}"
        if method == "textDocument/diagnostic" and "result" in message:
            self.check_codes(message["result"].get("items", []))
        self.results[id] = message

    @staticmethod
    def check_codes(diagnostics):
        """What is said has a code that can be looked up."""
        assert {item["code"] for item in diagnostics} <= CODES, diagnostics

    @staticmethod
    def _answer(answer, message):
        try:
            return {"result": answer(message.get("params"))}
        except ResponseError as error:
            return {"error": {"code": error.code, "message": error.message}}

    def take(self, method, timeout=TIMEOUT):
        """Waits for a request of the server that `answers` leaves open; the whole message."""
        deadline = time.monotonic() + timeout
        while not (found := [m for m in self.requests if m["method"] == method]):
            self.step(max(0.01, deadline - time.monotonic()))
        self.requests.remove(found[0])
        return found[0]

    def reply(self, message, result):
        """Answers a request of the server."""
        self._send({"id": message["id"], "result": result})

    def expect(self, method, where=lambda params: True, timeout=TIMEOUT):
        """Waits for a notification or request of the server and takes it out; its parameters."""
        deadline = time.monotonic() + timeout
        while True:
            for seen in (self.notifications, self.requests):
                for message in seen:
                    if message["method"] == method and where(message.get("params")):
                        seen.remove(message)
                        return message.get("params")
            self.step(max(0.01, deadline - time.monotonic()))

    # --- sessions

    def initialize(self):
        params = {
            "processId": os.getpid(),
            "rootUri": self.folder.as_uri() if self.folder else None,
            "capabilities": self.capabilities,
        }
        if self.options is not None:
            params["initializationOptions"] = self.options
        if self.folder:
            params["workspaceFolders"] = [{"uri": self.folder.as_uri(), "name": "folder"}] + [
                {"uri": folder.as_uri(), "name": folder.name} for folder in self.more_folders
            ]
        result = self.request("initialize", params)
        self.notify("initialized", {})
        self.server_capabilities = result["capabilities"]
        return result

    def open(self, path, text=None):
        path = Path(path)
        if text is not None:
            path.write_text(text)
        return self.show(path, path.read_text())

    def show(self, path, text):
        """Opens a document with a text that is not on disk."""
        uri = Path(path).as_uri()
        self.versions[uri] = 1
        self.notify(
            "textDocument/didOpen",
            {
                "textDocument": {
                    "uri": uri,
                    "languageId": "http",
                    "version": 1,
                    "text": text,
                }
            },
        )
        return uri

    def change(self, uri, text):
        self.versions[uri] += 1
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": self.versions[uri]},
                "contentChanges": [{"text": text}],
            },
        )

    def command(self, name, argument=None, timeout=TIMEOUT):
        params = {"command": name}
        if argument is not None:
            params["arguments"] = [argument]
        return self.request("workspace/executeCommand", params, timeout)

    def at(self, method, uri, line, character, **extra):
        position = {"line": line, "character": character}
        return self.request(method, {"textDocument": {"uri": uri}, "position": position, **extra})

    def range(self, method, uri, first=0, last=1000, **extra):
        span = {
            "start": {"line": first, "character": 0},
            "end": {"line": last, "character": 0},
        }
        return self.request(method, {"textDocument": {"uri": uri}, "range": span, **extra})

    def stop(self):
        """Ends the session as a client should; the server's exit code must be 0."""
        self.request("shutdown")
        self.notify("exit")
        code = self.server.wait()
        assert code == 0, (code, self.server.errors)
        assert self.server.stray == b""

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            if kind is None and self.server.process.poll() is None:
                self.stop()
        finally:
            self.server.close()
