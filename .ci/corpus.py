"""Checks request files from the wild: each is read without a crash, the count of requests told, and
its layout holds the same requests and is the layout of itself.

    corpus.py FOLDER PROGRAM
"""

import json
import subprocess
import sys
import tempfile
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


def laid_out(program, name, text):
    """The layout of a text, read as a file of that name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(text)
        command = [program, "format", "--stdout", str(path)]
        ended = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        path.write_bytes(ended.stdout)
        return ended.stdout, check(program, path)


def requests(answer):
    """What is sent where, without the places in the file."""
    return [(one["name"], one["method"], one["url"]) for one in answer["requests"]]


def flaw(program, path, answer):
    """What is wrong with the layout of a file; nothing for most."""
    try:
        once, seen = laid_out(program, path, path.read_bytes())
        twice, _ = laid_out(program, path, once)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        return f"format: {error}"
    if isinstance(seen, str):
        return f"laid out: {seen}"
    if requests(seen) != requests(answer):
        return "laid out, it holds other requests"
    return None if once == twice else "laid out twice is not laid out once"


def agreed(entry):
    """The number of requests where both tools that were asked saw the same."""
    counts = entry["requests"]
    return counts["httpyac"] if counts["httpyac"] == counts["restclient"] else None


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    passed = failed = same = comparable = 0
    for entry in json.loads((folder / "manifest.json").read_text()):
        answer = check(program, folder / entry["file"])
        wrong = answer if isinstance(answer, str) else None
        wrong = wrong or flaw(program, folder / entry["file"], answer)
        if wrong:
            failed += 1
            print(f"{entry['file']}: {wrong}")
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
