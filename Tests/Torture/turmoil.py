#!/usr/bin/env python3
"""Eight users of one store, whose processes are killed and stopped at random.

turmoil.py [--seconds 600] [--seed 4]     prints what was kept, or what was lost

Each user notes what it was told is done (`Ledger`). `judge.py` holds the store against that.
"""

import argparse
import contextlib
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "Clients"))

from judge import Ledger, Sent, judge, left_behind
from program import new_mark, start
from rawclient import TIMEOUT, Client, Ended, ResponseError

# What a command may say that failed although nobody killed it: another process was stopped while
# it held the store.
HELD = "Another PostKit"
NOT_WRITTEN = "the history was not written"


class Processes:
    """The processes that live now, and those that were killed on purpose."""

    def __init__(self):
        self.lock = threading.Lock()
        self.living = []
        self.killed = set()
        self.kills = self.stops = 0

    @contextlib.contextmanager
    def holding(self, process):
        with self.lock:
            self.living.append(process)
        try:
            yield process
        finally:
            with self.lock:
                self.living.remove(process)

    def disturb(self, dice, end):
        """Kills and stops them until the end."""
        stopped = []
        while time.monotonic() < end:
            time.sleep(dice.expovariate(4))
            for process, until in list(stopped):
                if until <= time.monotonic():
                    process.send_signal(signal.SIGCONT)
                    stopped.remove((process, until))
            with self.lock:
                victim = dice.choice(self.living) if self.living else None
                if victim is not None and dice.random() < 0.5:
                    self.killed.add(victim)
                    victim.kill()
                    self.kills += 1
                    continue
            if victim is not None:
                # Some hold what they hold for longer than others wait.
                seconds = dice.uniform(5, 8) if dice.random() < 0.1 else dice.uniform(0, 2)
                victim.send_signal(signal.SIGSTOP)
                stopped.append((victim, time.monotonic() + seconds))
                self.stops += 1
        for process, _ in stopped:
            process.send_signal(signal.SIGCONT)


class Turmoil:
    """The users, each a thread with chances of its own."""

    def __init__(self, folder, seed, seconds):
        self.store, self.folder = folder / "store", folder / "work"
        self.folder.mkdir(parents=True)
        (self.folder / "postkit.json").write_text("{}")
        (self.folder / "one.http").write_text("### one\nGET {{$exampleServer}}/get?mark={{mark}}\n")
        (self.folder / "some.http").write_text(
            "".join(
                f"### {number}\nGET {{{{$exampleServer}}}}/{path}\n\n"
                for number, path in enumerate(["get", "bytes/70000", "get", "bytes/90000", "get"])))
        (self.folder / "jar.http").write_text(
            "### jar\nGET {{$exampleServer}}/cookies/set?{{name}}={{value}}\n")
        self.seed, self.seconds = seed, seconds
        self.processes, self.ledger = Processes(), Ledger()

    def run(self):
        """Lets them all loose until the time is over; answers what the store is like, in words.
        What is wrong with it is an `AssertionError`."""
        self.execute("run", self.folder / "one.http", "--var", "mark=first")
        self.end = time.monotonic() + self.seconds
        roles = [
            self.edits, self.edits, self.sends, self.sends, self.collects, self.keeps_cookies,
            self.keeps_secrets, self.forgets]
        failures = []

        def play(number, role):
            dice = random.Random(f"{self.seed} {number}")
            try:
                while time.monotonic() < self.end and not failures:
                    role(f"u{number}", dice)
            except BaseException as failure:
                failures.append(failure)

        threads = [
            threading.Thread(target=play, args=[number, role]) for number, role in enumerate(roles)]
        for thread in threads:
            thread.start()
        self.processes.disturb(random.Random(f"{self.seed} disturb"), self.end)
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
        self.settle()
        return (
            f"{self.processes.kills} killed, {self.processes.stops} stopped, "
            + judge(self.store, self.ledger))

    def settle(self):
        """Whoever comes next ends what killed ones have begun."""
        for words in [["run", self.folder / "one.http", "--var", "mark=last"], ["collections"]]:
            assert self.execute(*words)[0] is True
        with Client(self.store, folder=self.folder) as client:
            client.initialize()
            uri = client.open(self.folder / "last.http", "GET {{$exampleServer}}/get\n")
            client.command(
                "postkit.send", {"uri": uri, "position": {"line": 0, "character": 0}})
            end = time.monotonic() + TIMEOUT
            while left_behind(self.store) and time.monotonic() < end:
                time.sleep(0.05)

    def execute(self, *words):
        """Runs the program; answers whether it did what it was told, `None` where it was killed,
        and its two outputs."""
        process = start(self.store, *words, cwd=self.folder)
        with self.processes.holding(process):
            output, errors = (
                text.decode(errors="replace")
                for text in process.communicate(timeout=TIMEOUT * 2))
        if process in self.processes.killed and process.returncode == -signal.SIGKILL:
            return None, output, errors
        if process.returncode != 0:
            sent = self.ledger.exchanges.get(words[-1])
            assert HELD in errors, (words, process.returncode, errors, sent)
        return process.returncode == 0, output, errors

    # --- those who send

    def sends(self, name, dice):
        """Runs one request, or a file of them."""
        report = self.folder / f"{name}.json"
        report.unlink(missing_ok=True)
        words = ["one.http", "--var", f"mark={new_mark()}"]
        if dice.random() < 0.3:
            words = ["some.http", "--all"]
        began = time.monotonic()
        done, _, _ = self.execute("run", *words, "--report", f"json={report}")
        if done:
            self.ledger.reported(report, began)

    def edits(self, name, dice):
        """An editor: it sends, labels and makes collections until it is closed or killed."""
        client = Client(
            self.store, folder=self.folder, options={"postkit": {"trusted": True}})
        process = client.server.process
        with self.processes.holding(process):
            try:
                self.edit(client, name, dice)
                if dice.random() < 0.7:
                    client.request("shutdown")
                    client.notify("exit")
                    client.server.wait()
                else:
                    with self.processes.lock:
                        self.processes.killed.add(process)
                        process.kill()
            except (Ended, BrokenPipeError):
                assert process in self.processes.killed, client.server.errors
            finally:
                client.server.close()

    def edit(self, client, name, dice):
        client.initialize()
        uri = client.open(
            self.folder / f"{name}.http",
            "### one\nGET {{$exampleServer}}/get?a\n\n"
            "### two\nGET {{$exampleServer}}/bytes/70000\n")
        for _ in range(dice.randrange(2, 15)):
            began = time.monotonic()
            answer = client.command(
                "postkit.send", {"uri": uri, "name": dice.choice(["one", "two"])}, TIMEOUT * 2)
            assert answer["state"] == "done", answer
            if answer["recorded"]:
                self.ledger.exchange(answer["id"], Sent("editor", began))
            if dice.random() < 0.3:
                self.change(client, dice.choice([
                    {"op": "history.label", "ids": [answer["id"]], "text": new_mark()},
                    {"op": "collection.create", "kind": "collection", "name": new_mark()}]))

    def change(self, client, edit):
        """Has the editor change something."""
        if edit["op"] == "history.label":
            kind, name, value = "label", edit["ids"][0], edit["text"]
        else:
            kind, name, value = "collection", edit["name"], True
        state = self.ledger.state(kind, name)
        state.may_become(value)
        try:
            result = client.request("postkit/edit", {"ops": [edit]}, TIMEOUT * 2)
        except ResponseError as error:
            # Somebody may have forgotten the exchange.
            assert HELD in error.message or name not in self.ledger.there, (edit, error)
            state.becomes(state.before)
            return
        if kind == "collection" or result["count"] == 1:
            state.becomes(value)
        else:
            # Somebody has forgotten the exchange, or was killed in the middle of that.
            assert name not in self.ledger.there, edit

    # --- those who keep

    def attempt(self, kind, name, value, *words):
        """Runs a command after which something has a value; `None`: it is gone."""
        state = self.ledger.state(kind, name)
        state.may_become(value)
        done, _, _ = self.execute(*words)
        if done is not None:
            state.becomes(value if done else state.before)

    def shares(self, name, dice):
        """Does what others do at the same time in the same places."""
        turn = dice.randrange(4)
        key = f"{name}-{dice.randrange(4)}"
        if turn == 0:
            # Each time some of them find that there is no such environment.
            environment = f"Shared {int(time.monotonic() / 5)}"
            value = new_mark()
            self.attempt(
                "variable", (environment, key), value,
                "collections", "set", f"{key}={value}", "--env", environment)
        elif turn == 1:
            place = f"Shop {int(time.monotonic() / 5)}/users"
            mark = new_mark()
            path = self.folder / f"{name}-saved.http"
            path.write_text(f"### {mark}\nGET http://a.test/{mark}\n")
            self.attempt(
                "request", mark, True, "collections", "save", path, "--to", place)
        elif turn == 2:
            # Nothing is in it, unless somebody saves into it meanwhile: then it stays.
            self.create_and_delete(f"Empty {int(time.monotonic() / 5)}", name)
        else:
            mark = new_mark()
            path = self.folder / f"{name}-saved.http"
            path.write_text(f"### {mark}\nGET http://a.test/{mark}\n")
            self.attempt(
                "request", mark, True,
                "collections", "save", path, "--to", f"Empty {int(time.monotonic() / 5)}")

    def create_and_delete(self, place, name):
        for words in [["create", place], ["delete", place]]:
            process = start(self.store, "collections", *words, cwd=self.folder)
            with self.processes.holding(process):
                errors = process.communicate(timeout=TIMEOUT * 2)[1].decode()
            if process.returncode not in (0, -signal.SIGKILL):
                expected = [
                    "is not empty", "already exists", "not found", "no item with the id", HELD]
                assert any(text in errors for text in expected), (words, errors)

    def collects(self, name, dice):
        """Saves requests of its own, and deletes some of them."""
        if dice.random() < 0.6:
            return self.shares(name, dice)
        mark = new_mark()
        path = self.folder / f"{name}.http"
        path.write_text(f"### {mark}\nGET http://a.test/{mark}\n")
        self.attempt("request", mark, True, "collections", "save", path, "--to", "Own")
        if self.ledger.state("request", mark).known == {True} and dice.random() < 0.5:
            self.attempt("request", mark, None, "collections", "delete", f"Own/{mark}")

    def keeps_cookies(self, name, dice):
        """Is sent cookies, and deletes some of them."""
        if dice.random() < 0.3:
            return self.shares(name, dice)
        cookie, value = f"{name}-{dice.randrange(6)}", new_mark()
        state = self.ledger.state("cookie", cookie)
        if len(state.known) == 1 and None not in state.known and dice.random() < 0.3:
            self.attempt("cookie", cookie, None, "cookies", "delete", cookie)
            return
        state.may_become(value)
        done, _, errors = self.execute(
            "run", "jar.http", "--var", f"name={cookie}", "--var", f"value={value}")
        if done and NOT_WRITTEN not in errors:
            state.becomes(value)

    def keeps_secrets(self, name, dice):
        """Sets secrets, and takes them away with their variables or environments."""
        if dice.random() < 0.3:
            return self.shares(name, dice)
        environment = f"{name} {dice.randrange(2)}"
        key, value = f"key{dice.randrange(4)}", new_mark()
        state = self.ledger.state("variable", (environment, key))
        if len(state.known) == 1 and None not in state.known and dice.random() < 0.4:
            self.attempt(
                "variable", (environment, key), None,
                "collections", "unset", key, "--env", environment)
            return
        self.attempt(
            "variable", (environment, key), value,
            "collections", "set", f"{key}={value}", "--secret", "--env", environment)

    def forgets(self, name, dice):
        """Forgets an exchange or all of them, or labels one."""
        if dice.random() < 0.2:
            return self.shares(name, dice)
        if dice.random() < 0.04:
            with self.ledger.forgetting():
                done, _, _ = self.execute("history", "forget", "--all")
            if done:
                self.ledger.all_forgotten()
            return
        found = self.ledger.any_exchange(dice)
        if found is None:
            time.sleep(0.05)
        elif dice.random() < 0.5:
            self.ledger.may_be_forgotten(found)
            done, _, _ = self.execute("history", "forget", found)
            if done:
                self.ledger.forgotten(found)
        else:
            mark = new_mark()
            self.attempt("label", found, mark, "history", "label", mark, found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(Turmoil(Path(folder), options.seed, options.seconds).run())


if __name__ == "__main__":
    main()
