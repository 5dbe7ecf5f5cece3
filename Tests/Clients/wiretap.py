#!/usr/bin/env python3
"""A wire tap: holds all that passes between a client and the server against the meta-model and
against the rules of a session, which no single message shows.

As a program it runs the tests of an editor with itself in the place of `postkit`:

    Tests/Clients/wiretap.py --run editors/neovim/test/run.py

What is not allowed, on either side, is printed at the end, and fails the run.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from metamodel import ROOT, Model, Violation, token_of_command

ERRORS = {it["code"] for it in json.loads((ROOT / "protocol/errors.json").read_text())}
# Each command's argument and result.
COMMANDS = {it["command"]: it for it in json.loads((ROOT / "protocol/commands.json").read_text())}
# What may be sent before `initialize` is answered, and after `shutdown` was.
EARLY = {"window/showMessage", "window/logMessage"}
# What a client must have declared for a message to be sent to it.
ABILITIES = {
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/semanticTokens/refresh": "workspace.semanticTokens.refreshSupport",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "workspace/textDocumentContent/refresh": "workspace.textDocumentContent",
    "workspace/configuration": "workspace.configuration",
    "workspace/applyEdit": "workspace.applyEdit",
    "client/unregisterCapability": "workspace.didChangeWatchedFiles.dynamicRegistration",
    "window/workDoneProgress/create": "window.workDoneProgress",
    "window/showDocument": "window.showDocument.support",
    "postkit/input": "experimental.postkit.input",
    "postkit/didChangeStore": "experimental.postkit.storeEvents",
    "postkit/status": "experimental.postkit.status",
    "postkit/didPrint": "experimental.postkit.output",
}
# Those whose empty value counts, as having the member says enough.
PRESENT = {"workspace.textDocumentContent"}
REGISTERED = {
    "workspace/didChangeWatchedFiles": "workspace.didChangeWatchedFiles.dynamicRegistration",
    "workspace/didChangeConfiguration": "workspace.didChangeConfiguration.dynamicRegistration",
}

# A whole command for a shell; an option alone is no advice in an editor.
SHELL = re.compile(r"`postkit [^`]*`|'postkit [^']*'")
OPTION = re.compile(
    r"(?<![\w-])(--(all|env|fail-fast|force|input|line|name|no-history|report|store|strict|tag|var)"
    r"(?![\w-])|-[eV] \w)"
)


def advice(value):
    """The sentences for a person that a message holds."""
    if isinstance(value, dict):
        if isinstance(value.get("message"), str):
            yield value["message"]
        value = list(value.values())
    for it in value if isinstance(value, list) else []:
        yield from advice(it)


def has(capabilities, path):
    """Whether a client declared an ability."""
    value = capabilities
    for step in path.split("."):
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return path in PRESENT or bool(value)


class Tap:
    """What is known of a session from its messages."""

    def __init__(self):
        self.model = Model.default(is_strict=True)
        # Whether all that the client wrote is known.
        self.is_whole = True
        self.capabilities = {}
        self.prefix = ""
        self.is_initialized = False
        self.has_ended = False
        self.traces = False
        # Requests of the client by id, in order: a client may use an id twice.
        self.asked = {}
        # Requests of the server by id.
        self.asking = {}
        self.used = set()
        # Progress by token: what may come next, and the last percentage.
        self.progress = {}
        self.parts = {}

    @staticmethod
    def key(value):
        """Ids and tokens are texts or numbers, and 1 is not "1"."""
        return type(value).__name__, value

    # The client's side

    def client(self, message):
        """A message of the client. A strict one fits the model; others may be anything."""
        if not isinstance(message, dict):
            return
        method = message.get("method")
        if method is None:
            asked = self.asking.pop(self.key(message.get("id")), None)
            if asked:
                self._answered(asked, message)
            return
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "initialize" and not self.is_initialized:
            self._initialize(params)
        if method == "$/setTrace":
            # What is on its way when it is turned off still arrives.
            self.traces = self.traces or params.get("value") != "off"
        id = message.get("id")
        if id is None or isinstance(id, (dict, list, bool)):
            return
        if method == "$/cancelRequest":
            # As Vim's documentation has it: the id is that of the request to cancel.
            return
        if isinstance(token := params.get("workDoneToken"), (str, int)):
            self.progress[self.key(token)] = ["begin", -1, self.key(id)]
        if isinstance(token := params.get("partialResultToken"), (str, int)):
            self.parts[self.key(token)] = [self.key(id), method, 0]
        if isinstance(token := token_of_command(params), (str, int)):
            self.parts[self.key(token)] = [self.key(id), "postkit/send", 0]
        self.asked.setdefault(self.key(id), []).append((method, params))

    def _initialize(self, params):
        found = params.get("capabilities")
        self.capabilities = found if isinstance(found, dict) else {}
        self.traces = params.get("trace") in ("messages", "verbose")
        options = params.get("initializationOptions")
        own = options.get("postkit") if isinstance(options, dict) else None
        self.prefix = own.get("commandPrefix") or "" if isinstance(own, dict) else ""

    def _answered(self, asked, message):
        method, params = asked
        if method == "window/workDoneProgress/create" and "result" in message:
            self.progress[self.key(params["token"])] = ["begin", -1, None]

    # The server's side

    def server(self, message):
        """A message of the server; raises a Violation where it must not be."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise Violation(f"no message: {message!r:.200}")
        if message.get("method") not in ("window/logMessage", "$/logTrace"):
            for text in advice(message):
                if OPTION.search(SHELL.sub("", text)):
                    raise Violation(f"an option of the command line: {text}")
        if "method" not in message:
            self._reply(message)
            return
        self._only(message, {"jsonrpc", "id", "method", "params"})
        method, params = message["method"], message.get("params")
        self.model.check_message(message, from_server=True)
        is_late = self.has_ended and method not in ("$/progress", "$/logTrace")
        if (not self.is_initialized or is_late) and method not in EARLY:
            when = "after shutdown" if self.has_ended else "before initialize is answered"
            raise Violation(f"{method} {when}")
        self._able(method, params)
        if "id" in message:
            id = message["id"]
            if not isinstance(id, int) or isinstance(id, bool):
                raise Violation(f"{method}: Vim can answer integer ids only, this is {id!r}")
            if id in self.used:
                raise Violation(f"{method}: the id {id} was used before")
            self.used.add(id)
            self.asking[self.key(id)] = (method, params)
        if method == "$/progress":
            self._progressed(self.key(params["token"]), params["value"])

    def _only(self, message, names):
        if unknown := message.keys() - names:
            raise Violation(f"unknown members {sorted(unknown)} of {message!r:.200}")

    def _able(self, method, params):
        path = ABILITIES.get(method)
        if path and not has(self.capabilities, path):
            raise Violation(f"{method} without {path}")
        if (method == "textDocument/publishDiagnostics" and has_pull(self.capabilities)
                and not params["uri"].endswith((".js", ".mjs", ".cjs"))):
            raise Violation("diagnostics are pushed to a client that pulls them")
        if method == "$/logTrace" and not self.traces:
            raise Violation("a trace that nobody asked for")
        if method == "client/registerCapability":
            for it in params["registrations"]:
                path = REGISTERED.get(it["method"])
                if path is None or not has(self.capabilities, path):
                    raise Violation(f"{it['method']} is registered without {path}")
                kind = self.model.messages[it["method"]].get("registrationOptions")
                if kind and "registerOptions" in it:
                    self.model.check(kind, it["registerOptions"], it["method"])

    def _reply(self, message):
        self._only(message, {"jsonrpc", "id", "result", "error"})
        if ("result" in message) == ("error" in message):
            raise Violation(f"a reply has a result or an error: {message!r:.200}")
        if "id" not in message:
            raise Violation(f"a reply without an id: {message!r:.200}")
        error = message.get("error")
        if error is not None:
            self._error(error)
        if message["id"] is None:
            # To what could not be read.
            if error is None or error["code"] not in (-32700, -32600):
                raise Violation(f"an answer to nobody: {message!r:.200}")
            return
        id = self.key(message["id"])
        if not self.asked.get(id):
            if not self.is_whole:
                return
            raise Violation(f"a second answer, or one to nobody: {message!r:.200}")
        # Of two requests in flight with one id the later one is refused, and at once.
        is_refused = len(self.asked[id]) > 1 and error and error["code"] == -32600
        method, params = self.asked[id].pop(-1 if is_refused else 0)
        self._over(id, method, message)
        if error is not None:
            return
        if method == "initialize":
            self.is_initialized = True
            self._announced(message["result"])
        if method == "shutdown":
            self.has_ended = True
        if method not in self.model.messages:
            raise Violation(f"{method} is not in the model and has a result")
        self.model.check_result(method, message["result"])
        if method == "workspace/executeCommand":
            self._command(params, message["result"])

    def _error(self, error):
        if not isinstance(error, dict):
            raise Violation(f"an error that is none: {error!r}")
        self._only(error, {"code", "message", "data"})
        code, text = error.get("code"), error.get("message")
        if code not in ERRORS or isinstance(code, bool):
            raise Violation(f"{code!r} is not in errors.json")
        if not isinstance(text, str) or not text.strip():
            raise Violation(f"the error {code} says nothing")
        if code == -32603:
            raise Violation(f"a mistake of the server: {text}")

    def _over(self, id, method, message):
        """After the reply its tokens mean nothing, and parts were all that there is."""
        for token, (state, _, of) in list(self.progress.items()):
            if of == id:
                if state == "next":
                    raise Violation(f"{method} is answered before its progress has ended")
                del self.progress[token]
        for token, (of, _, count) in list(self.parts.items()):
            if of == id:
                del self.parts[token]
                result = message.get("result")
                if count and isinstance(result, list) and result and "Command" not in method:
                    raise Violation(f"{method} has parts and a result that is not empty")

    def _progressed(self, token, value):
        if token in self.parts:
            of = self.parts[token]
            of[2] += 1
            kind = self.model.messages[of[1]].get("partialResult")
            if kind is None:
                raise Violation(f"{of[1]} has no partial results")
            self.model.check(kind, value, f"{of[1]} part")
            return
        if token not in self.progress:
            raise Violation(f"progress of the token {token[1]!r}, which is none or has ended")
        state = self.progress[token]
        kind = value.get("kind")
        if (state[0] == "begin") != (kind == "begin"):
            raise Violation(f"progress {kind!r} where {state[0]!r} was to come")
        name = {"begin": "WorkDoneProgressBegin", "report": "WorkDoneProgressReport",
                "end": "WorkDoneProgressEnd"}.get(kind)
        if name is None:
            raise Violation(f"no progress: {value!r}")
        self.model.check({"kind": "reference", "name": name}, value, "$/progress")
        percentage = value.get("percentage", state[1])
        if percentage < state[1]:
            raise Violation(f"progress goes back from {state[1]} to {percentage}")
        state[:2] = ["next", percentage]
        if kind == "end":
            del self.progress[token]

    def _announced(self, result):
        own = (result["capabilities"].get("experimental") or {}).get("postkit")
        self.model.check({"kind": "reference", "name": "PostkitServerCapability"}, own,
                         "experimental.postkit")

    def _command(self, params, result):
        command = COMMANDS[params["command"].removeprefix(self.prefix)]
        name = command["result"]
        kind = {"kind": "base", "name": name.removesuffix("[]")}
        if kind["name"] in self.model.structures:
            kind["kind"] = "reference"
        if name.endswith("[]"):
            kind = {"kind": "array", "element": kind}
        # A command that the user dismisses answers null.
        if result is not None:
            self.model.check(kind, result, f"{command['command']} result")


def has_pull(capabilities):
    """Whether a client pulls diagnostics."""
    return "diagnostic" in (capabilities.get("textDocument") or {})


# As a program


def frames(stream):
    """The bodies of the frames of a stream with the bytes that they came in."""
    while True:
        head, length = b"", None
        while (line := stream.readline()) not in (b"\r\n", b"\n", b""):
            head += line
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length":
                length = int(value)
        if not line or length is None:
            return
        body = stream.read(length)
        yield body, head + line + body


def run(command):
    """Runs tests whose program is this one; the exit code is 1 where anything was not allowed."""
    program = os.environ.get("POSTKIT_BIN") or str(ROOT / ".build/debug/postkit")
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told"
        environment = {**os.environ, "POSTKIT_BIN": os.path.abspath(__file__),
                       "POSTKIT_TAPPED": os.path.abspath(program), "POSTKIT_TAP": str(told)}
        code = subprocess.run(command, env=environment, check=False).returncode
        for line in sorted(set(told.read_text().splitlines())) if told.exists() else []:
            print(f"not allowed: {line}")
            code = code or 1
    return code


def main():
    if sys.argv[1:2] == ["--run"]:
        sys.exit(run(sys.argv[2:]))
    program = os.environ.get("POSTKIT_TAPPED") or str(ROOT / ".build/debug/postkit")
    if sys.argv[1:2] != ["lsp"]:
        os.execv(program, [program, *sys.argv[1:]])
    process = subprocess.Popen(
        [program, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, frame: process.send_signal(number))
    tap, lock, lenient = Tap(), threading.Lock(), Model.default()

    def tell(message, side):
        place = os.environ.get("POSTKIT_TAP")
        try:
            with lock:
                side(json.loads(message))
                if side == tap.client and b'"method"' in message:
                    lenient.check_message(json.loads(message), from_server=False)
        except Exception as problem:
            if place:
                with open(place, "a", encoding="utf-8") as file:
                    file.write(f"{type(problem).__name__}: {problem}\n")

    def pump():
        try:
            for body, raw in frames(sys.stdin.buffer):
                # Before it is passed on, so that it is known when its answer comes.
                tell(body, tap.client)
                process.stdin.write(raw)
                process.stdin.flush()
            process.stdin.close()
        except BrokenPipeError:
            pass

    threading.Thread(target=pump, daemon=True).start()
    try:
        for body, raw in frames(process.stdout):
            tell(body, tap.server)
            os.write(1, raw)
    except BrokenPipeError:
        process.kill()
    code = process.wait()
    # The thread that reads may hold its stream, for which an ordinary end would wait.
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
