"""Checks request files from the wild: each is read without a crash, and the count of requests told.

    corpus.py FOLDER PROGRAM
"""

import json
import subprocess
import sys
from pathlib import Path

SECONDS = 10
# 3 says that a file has errors, which files from the wild may have.
ACCEPTED = (0, 3)


def check(program, path):
    """The program's answer about one file; a string says what is wrong with the answer."""
    try:
        command = [program, "check", str(path), "--json"]
        ended = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    if ended.returncode not in ACCEPTED:
        return f"code {ended.returncode}: {ended.stderr.decode(errors='replace')[:300]}"
    try:
        answer = json.loads(ended.stdout)
    except ValueError as error:
        return f"no JSON: {error}"
    answer = answer[0] if isinstance(answer, list) else answer
    return answer if {"requests", "diagnostics"} <= answer.keys() else "members are missing"


def agreed(entry):
    """The number of requests where both tools that were asked saw the same."""
    counts = entry["requests"]
    return counts["httpyac"] if counts["httpyac"] == counts["restclient"] else None


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    passed = failed = same = comparable = 0
    for entry in json.loads((folder / "manifest.json").read_text()):
        answer = check(program, folder / entry["file"])
        if isinstance(answer, str):
            failed += 1
            print(f"{entry['file']}: {answer}")
            continue
        passed += 1
        expected = agreed(entry)
        if expected is not None:
            comparable += 1
            same += len(answer["requests"]) == expected
            if len(answer["requests"]) != expected:
                print(f"{entry['file']}: {len(answer['requests'])} requests, others see {expected}")
    print(f"as many requests as the others see in {same} of {comparable} files")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
