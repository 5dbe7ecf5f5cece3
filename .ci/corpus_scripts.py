"""Runs the request files from the wild that have scripts against recorded answers: every script
runs, every test passes, and what scripts hand on is sent.

    corpus_scripts.py FOLDER PROGRAM
"""

import json
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SECONDS = 60
SCRIPT = re.compile(
    rb"^\s*[<>]\s*\{%|^\{\{[@+]?\w*\s*$|^[<>] .*\.(?:js|lua)\s*$|^\?\?", re.MULTILINE)
HOST = re.compile(rb"https?://[A-Za-z0-9.-]+(?::\d+)?(?=[/\s?]|$)")
TOKENS = {"accessToken": "a-1", "refreshToken": "r-1", "mfaEnabled": False, "expiresInSeconds": 60}

# What the servers of the files answer, by the beginning of the files' names: the statuses, headers
# and bodies of paths (any other is answered with 200 and an empty object), the values of variables
# that the files don't define, headers that must be sent to paths by the requests behind others, and
# the one failure that is right. A body that is `echo` is what was sent, as httpbin answers it.
FILES = {
    "Afrouper__nginx_opa": {"statuses": {"/": 403}, "tests": 3},
    "Biotea92__2024": {
        "bodies": {"/auth/login": {"accessToken": "t-1"}},
        "sent": {
            "/user": ("Authorization", "Bearer t-1"), "/admin": ("Authorization", "Bearer t-1"),
        },
    },
    "Conava__Fortalis-Auth__http_auth": {
        "variables": {"email": "e", "password": "p", "displayName": "d", "mfaCode": "1"},
        "bodies": {
            "/auth/register": TOKENS, "/auth/login": TOKENS, "/auth/refresh": TOKENS,
            "/auth/login/start": {"loginTicket": "l-1", "allowedFactors": ["TOTP"]},
            "/auth/login/complete": TOKENS,
        },
        "received": {"/auth/login/complete": b"l-1", "/auth/refresh": b"r-1"},
        "printed": ["saved loginTicket; allowedFactors=TOTP", "rotated tokens;", "cleared auth"],
    },
    "Conava__Fortalis-Auth__http_mfa": {
        "variables": {"authHeader": "Bearer a-1", "mfaCode": "1"},
        "bodies": {
            "/auth/mfa/totp/setup": {
                "secret": "s-1", "otpauthUrl": "o-1", "backupCodes": ["1", "2"],
            },
        },
        "printed": ["saved backupCodes (2 codes)", "mfaEnabled=false", "otpauthUrl=o-1"],
    },
    "dotnet__AspNetCore.Docs.Samples__fundamentals_minimal-apis_FileResults": {
        "headers": {"/config": {"ETag": '"e-1"', "Last-Modified": "Sat, 01 Feb 2025 00:00:00 GMT"}},
        "sent": {"/config": ("If-None-Match", '"e-1"')},
    },
    "httpyac__httpyac.github.io__examples_script_globalScript": {
        "printed": ["on every request", "on every request"],
    },
    # Without gRPC nothing of this is sent.
    "httpyac__httpyac.github.io__examples_request_grpc": {"error": "protocol-unsupported"},
    # What answers here gives no tokens.
    "httpyac__httpyac.github.io__examples_script_scriptVariablesOAuth": {
        "error": "auth-answer-unreadable",
    },
    "ktorio__ktor-documentation__codeSnippets_snippets_auth-jwt": {
        "bodies": {"/login": {"token": "t-1"}}, "sent": {"/hello": ("Authorization", "Bearer t-1")},
    },
    "mistweaverco__kulala.nvim__tests_functional_requests_advanced_A": {
        "bodies": {"/advanced_1": "echo"}, "sent": {"/advanced_2": ("Accept", "application/json")},
    },
    # Its script is Lua, which is left out, so that what it would set is unknown.
    "rest-nvim__rest.nvim__spec_examples_script_pre_request": {"error": "unresolved-variable"},
}


class Answers(BaseHTTPRequestHandler):
    """Answers what the table of a file says, and remembers what it was sent."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        self.server.seen.append((path, dict(self.headers), sent))
        table = self.server.table
        body = table.get("bodies", {}).get(path, {})
        text = json.dumps({"json": json.loads(sent)} if body == "echo" else body).encode()
        self.send_response(table.get("statuses", {}).get(path, 200))
        for name, value in table.get("headers", {}).get(path, {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815

    def log_message(self, *words):
        pass


def run(program, path, table):
    """The report of a file's run, what it printed, and what was sent."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.table, server.seen = table, []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            # Its hosts are this one, in a copy that is gone again.
            copy = Path(folder) / path.name
            copy.write_bytes(HOST.sub(url.encode(), path.read_bytes()))
            report = Path(folder) / "report.json"
            command = [program, "run", str(copy), "--all", "--store", folder + "/store"]
            for name, value in {"host": url, **table.get("variables", {})}.items():
                command += ["--var", f"{name}={value}"]
            ended = subprocess.run(
                [*command, "--report", f"json={report}"], capture_output=True, timeout=SECONDS,
                check=False)
            return json.loads(report.read_text()), ended.stderr.decode(), server.seen
    finally:
        server.shutdown()
        server.server_close()


def flaws(table, report, printed, seen):
    """What is not as it should be, in words."""
    errors = {r["error"] for r in report["requests"] if r["error"]}
    found = [f"{r['name'] or r['line']}: {r['error']}: {r.get('message')}"
             for r in report["requests"] if r["error"] not in (None, table.get("error"))]
    if table.get("error") and table["error"] not in errors:
        found.append(f"it doesn't end with {table['error']} any more; say what is right now")
    found += [
        f"test failed: {t['name']}: {t['message']}" for t in report["tests"] if not t["passed"]]
    if len(report["tests"]) != table.get("tests", 0):
        found.append(f"{len(report['tests'])} tests, not {table.get('tests', 0)}")
    rest = printed
    for line in table.get("printed", []):
        _, is_there, rest = rest.partition(line)
        if not is_there:
            found.append(f"`{line}` is not printed where it should be")
    for path, (name, value) in table.get("sent", {}).items():
        if not any(p == path and headers.get(name) == value for p, headers, _ in seen):
            found.append(f"{path} is not sent `{name}: {value}`")
    for path, piece in table.get("received", {}).items():
        if not any(p == path and piece in body for p, _, body in seen):
            found.append(f"{path} is not sent {piece.decode()}")
    return found


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    passed = failed = 0
    for path in sorted(folder.glob("*.http")):
        if not SCRIPT.search(path.read_bytes()):
            continue
        table = next((t for name, t in FILES.items() if path.name.startswith(name)), None)
        if table is None:
            wrong = ["it has scripts, and nothing says what its servers answer"]
        else:
            try:
                wrong = flaws(table, *run(program, path, table))
            except (subprocess.TimeoutExpired, OSError, ValueError) as error:
                wrong = [str(error)]
        passed += not wrong
        failed += bool(wrong)
        for one in wrong:
            print(f"{path.name}: {one}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed < len(FILES) else 0


if __name__ == "__main__":
    sys.exit(main())
