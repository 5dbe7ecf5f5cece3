"""Runs the conformance cases against a program and holds each category against its bar.

    conformance.py FOLDER PROGRAM
"""

import json
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

# The least share of passing cases. A category without a bar is reported and not judged: its part of
# the language is not built yet.
BARS = {
    "request-line": 0.90,
    "separators-names-comments": 0.90,
    "headers": 0.90,
    "variables": 0.90,
    "environments": 1.0,
    "prompts": 1.0,
    "httpyac-asserts": 1.0,
    "bodies": 0.95,
    "curl-requests": 1.0,
    "graphql": 1.0,
    "auth": 1.0,
    "sign-in": 1.0,
    "cookies": 1.0,
    "redirects": 1.0,
    "saves": 1.0,
    "request-variables": 0.90,
    "kulala": 1.0,
    "httpyac-scripts": 1.0,
    "jetbrains-scripts": 1.0,
    "kulala-scripts": 1.0,
    "postman-scripts": 1.0,
    "scripts-limits": 1.0,
}
COMMAND = (
    "{program} run {{file}} [--env {{env}}] [--name {{name}}] [--line {{line}}] [--all{{all}}]"
    " [--input {{inputs}}] [--dialect {{preset}}] --report json={{report}}"
)


def results(folder, program):
    """What became of each case."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "results.json"
        command = COMMAND.format(program=shlex.quote(program))
        arguments = ["--cmd", command, "--json", str(report), "--jobs", "4", "-q"]
        # Its exit code only says that not every case passes.
        subprocess.run([sys.executable, str(Path(folder) / "run.py"), *arguments], check=False)
        return json.loads(report.read_text())


def main():
    folder, program = sys.argv[1:]
    tally = defaultdict(lambda: [0, 0])
    failing = []
    for result in results(folder, program):
        counts = tally[result["category"]]
        counts[1] += 1
        if result["status"] == "pass":
            counts[0] += 1
        elif result["category"] in BARS:
            failing.append(result)
    failed = 0
    for category, (good, total) in sorted(tally.items()):
        bar = BARS.get(category)
        verdict = "no bar yet" if bar is None else f"bar {bar:.0%}"
        if bar is not None and good < bar * total:
            failed += 1
            verdict += ": FAILED"
        print(f"{category:28} {good:3} of {total:3}  {verdict}")
    for result in failing:
        print(f"{result['case']}: {'; '.join(result['why'])}")
    absent = [category for category in BARS if category not in tally]
    for category in absent:
        print(f"{category}: no cases were found")
    failed += len(absent)
    print(f"{len(BARS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
