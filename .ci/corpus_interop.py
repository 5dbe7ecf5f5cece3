"""Imports collections of other tools from the wild: each becomes a folder whose requests are read
without an error, and importing it again changes nothing.

    corpus_interop.py FOLDER PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 120
# Sources that hold no collection, and a word that the refusal says.
REFUSED = {
    "postman/postmanlabs__hackernews.json": "2.1",
    "bruno/single/Local.bru": "no requests",
}
# What the sources themselves lack: variables and files that lie elsewhere, and a host.
LACKING = {"unresolved-variable", "file-not-found", "auth-incomplete"}
WITHOUT_HOST = {"openapi/postmanlabs__adobe.yaml", "insomnia/kong__multiple-workspaces.yaml"}
# A reference in the name of a variable, which request files don't know.
NESTED = {"postman/postmanlabs__whatwg-url.postman_collection.json"}
# What needs something beside it, or is none of a collection's files.
FOLDERS = {"bruno", "opencollection"}
BESIDE = {"postman-env", "postman-globals"}
NO_COLLECTION = {"graphql-sdl"}


def sources(folder):
    """The sources of each import, relative to the folder."""
    files = json.loads((folder / "manifest.json").read_text())["files"]
    found = {}
    for entry in files:
        path, kind = entry["file"], entry["format"]
        if kind in NO_COLLECTION:
            continue
        if kind in FOLDERS:
            key = "/".join(path.split("/")[:2])
            found.setdefault(key, [key])
        elif kind in BESIDE:
            stem = Path(path).name.split(".")[0].removesuffix("-ENVIRONMENT")
            match = [key for key in found if Path(key).name.split(".")[0] == stem]
            # Each stands behind its collection in the list.
            found[match[0]].append(path)
        else:
            found[path] = [path]
    return found


class Import:
    """One source, imported into a folder of its own."""

    def __init__(self, program, folder, names, scratch):
        self.words = [str(folder / name) for name in names]
        self.lacks_host = not WITHOUT_HOST.isdisjoint(names)
        self.is_nested = not NESTED.isdisjoint(names)
        self.program, self.scratch, self.target = program, Path(scratch), Path(scratch) / "out"

    def run(self, *words):
        home = {"HOME": str(self.scratch), "POSTKIT_HOME": str(self.scratch / "home")}
        return subprocess.run(
            [self.program, *words], capture_output=True, timeout=SECONDS, check=False,
            stdin=subprocess.DEVNULL, env={**os.environ, **home})

    def bring(self, *words):
        return self.run("import", *self.words, "--to", str(self.target), *words)

    def files(self):
        return {
            path.relative_to(self.target): path.read_bytes()
            for path in sorted(self.target.rglob("*")) if path.is_file()}

    def flaw(self):
        """What is wrong; nothing for most."""
        report = self.scratch / "report.json"
        ended = self.bring("--report", f"json={report}")
        if ended.returncode != 0:
            return f"code {ended.returncode}: {ended.stderr.decode(errors='replace')[:300]}"
        told = json.loads(report.read_text())
        count = 0
        for path in sorted(self.target.rglob("*.http")):
            # Answers that are kept as examples are no requests.
            if path.parent.name == "examples":
                continue
            checked = self.run("check", str(path), "--json")
            answer = json.loads(checked.stdout)
            answer = answer[0] if isinstance(answer, list) else answer
            count += len(answer["requests"])
            # A name of a header that has no value is none.
            lines = {
                one["range"]["start"]["line"] for one in answer["diagnostics"]
                if one["code"] == "unresolved-variable"}
            errors = [
                one for one in answer["diagnostics"]
                if one["severity"] in ("error", 1) and one["code"] not in LACKING
                and not (self.lacks_host and "host is " in one["message"])
                and not (self.is_nested and one["code"] == "unclosed-variable")
                and not (one["code"] == "malformed-header"
                         and one["range"]["start"]["line"] in lines)]
            if errors:
                return f"{path.relative_to(self.target)}: {errors[0]}"
        if count != told["requests"]:
            return f"{told['requests']} requests are told, {count} are in the files"
        before = self.files()
        codes = self.bring().returncode, self.bring("--check").returncode
        if codes != (0, 0) or self.files() != before:
            return f"again: codes {codes}, changed {self.files() != before}"
        return None


def verdict(program, folder, key, names):
    """What is wrong with an import, or with a refusal."""
    with tempfile.TemporaryDirectory() as scratch:
        one = Import(program, folder, names, scratch)
        try:
            if key not in REFUSED:
                return one.flaw()
            ended = one.bring()
        except (subprocess.TimeoutExpired, ValueError, KeyError) as error:
            return f"{type(error).__name__}: {error}"
        said = ended.stderr.decode(errors="replace")
        if ended.returncode != 2 or REFUSED[key] not in said or one.target.exists():
            return f"is not refused as it should be: code {ended.returncode}: {said[:300]}"
        return None


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    failed = 0
    found = sources(folder)
    for key, names in found.items():
        flaw = verdict(program, folder, key, names)
        if flaw:
            failed += 1
            print(f"{key}: {flaw}")
    print(f"{len(found) - failed} passed, {failed} failed")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
