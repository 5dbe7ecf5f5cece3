#!/usr/bin/env python3
"""Holds PostKit's speed and memory against yardsticks measured in the same run, on loopback.

    Tests/Benchmarks/run.py [--binary PATH] [--tiny] [--json FILE]

A ratio compares runs that alternate, by their minimum and by their median; the better one counts.
A bar that is missed is measured again up to four times, as the machine may have been busy. The
real size holds the bars that are promised; with `--tiny` each ratio may be 1.5 times as high, or
more where the small size is made of other things (`Bench.bar`). Memory has one bar in both sizes.
Needs curl, ruff, strip and, for a server as fast as the yardsticks, nginx. See README.md.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import importing
import programs
import recorded
import scripting
import serving
import storing
import tokens
import web
import working
from bench import Bench

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("POSTKIT_BIN") or str(ROOT / ".build-release/release/postkit")
MEASURES = (
    programs.size, programs.one_request, programs.many_requests, serving.server_start,
    serving.memory, serving.typing, serving.names, serving.reading, serving.remembering,
    serving.completion, serving.history, serving.notification, working.parsing, working.checking,
    working.selecting, storing.storing, storing.finding, serving.describing, recorded.exporting,
    recorded.mock, importing.importing, tokens.signing,
    scripting.scripting,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=PROGRAM, help="the program (POSTKIT_BIN)")
    parser.add_argument(
        "--tiny", action="store_true", help="seconds for each workload, and wider bars")
    parser.add_argument("--json", metavar="FILE", help="write the figures there, too")
    options = parser.parse_args()
    program = os.path.abspath(options.binary)
    if not os.access(program, os.X_OK):
        sys.exit(f"there is no {program}: make the release build or name one with --binary")
    if not os.access(working.MEASURE, os.X_OK):
        sys.exit(f"there is no {working.MEASURE}: make the release build")
    # nginx runs its worker as another user, who must reach the files.
    with tempfile.TemporaryDirectory(prefix="postkit-bench-") as name:
        os.chmod(name, 0o755)
        with web.serve(Path(name)) as url:
            small = options.tiny and os.environ.get("POSTKIT_BENCH") != "1"
            bench = Bench(Path(name), url, program, small)
            for measure in MEASURES:
                measure(bench)
    if options.json:
        Path(options.json).write_text(json.dumps(bench.figures, indent=2) + "\n")
    print(f"{bench.passed} passed, {bench.failed} failed")
    sys.exit(1 if bench.failed else 0)


if __name__ == "__main__":
    main()
