"""What users were told is done, and whether the store has it."""

import contextlib
import json
import threading
import time
from dataclasses import dataclass, field

from program import audit, history, opened, run


class State:
    """What a thing may be: one value, or any of several while nobody was told which."""

    def __init__(self):
        self.known = {None}
        self.before = None

    def may_become(self, value):
        self.before = self.known
        self.known = self.known | {value}

    def becomes(self, value):
        self.known = value if isinstance(value, set) else {value}


@dataclass
class Sent:
    """An exchange that was acknowledged."""

    # By an editor or by a run, and how.
    by: str
    began: float
    answered: float = field(default_factory=time.monotonic)


class Ledger:
    """What was acknowledged, by whom it may have been taken back, and when."""

    def __init__(self):
        self.lock = threading.RLock()
        self.states = {}
        self.exchanges = {}
        self.gone, self.doubtful = set(), set()
        self.forgets = []

    def state(self, kind, name):
        with self.lock:
            return self.states.setdefault((kind, name), State())

    def exchange(self, identifier, sent):
        with self.lock:
            self.exchanges[identifier] = sent

    def reported(self, report, began):
        """Takes up the report of a run."""
        for request in json.loads(report.read_text())["requests"]:
            assert request["state"] == "done", request
            if request["recorded"]:
                self.exchange(request["id"], Sent("run", began))

    def any_exchange(self, dice):
        """One of a run that is there."""
        with self.lock:
            found = [id for id in self.there if self.exchanges[id].by == "run"]
            return dice.choice(found[-50:]) if found else None

    @property
    def there(self):
        """What nobody can have forgotten."""
        with self.lock:
            forgotten = self.gone | self.doubtful
            return [
                id for id, sent in self.exchanges.items()
                if id not in forgotten and all(ended < sent.began for _, ended in self.forgets)]

    @contextlib.contextmanager
    def forgetting(self):
        """While all are being forgotten; what begins later stays."""
        began = time.monotonic()
        with self.lock:
            self.forgets.append((began, float("inf")))
        yield
        with self.lock:
            self.forgets[-1] = began, time.monotonic()

    def all_forgotten(self):
        """The last forgetting was acknowledged: what was there before it is gone."""
        began = self.forgets[-1][0]
        with self.lock:
            self.gone |= {
                id for id, sent in self.exchanges.items() if sent.answered < began}

    def may_be_forgotten(self, identifier):
        with self.lock:
            self.doubtful.add(identifier)

    def forgotten(self, identifier):
        with self.lock:
            self.gone.add(identifier)


def judge(store, ledger):
    """Holds a store that nobody uses any more against what was acknowledged; answers in words how
    much that was."""
    counts = audit(store)
    found = {line["id"]: line for line in history(store)}
    expected = set(ledger.there)
    lost = {id: ledger.exchanges[id] for id in expected - found.keys()}
    assert lost == {}, f"lost: {lost}"
    assert not ledger.gone & found.keys(), f"back again: {ledger.gone & found.keys()}"
    labels = {("label", id): line["label"] for id, line in found.items()}
    things = {**kept(store), **cookies(store), **labels}
    wrong = {
        name: (things.get(name), state.known) for name, state in ledger.states.items()
        if things.get(name) not in state.known and (name[0] != "label" or name[1] in expected)}
    assert wrong == {}, f"there is another value than was acknowledged: {wrong}"
    assert left_behind(store) == [], "left by processes that have ended"
    return (
        f"{len(ledger.exchanges)} sends acknowledged, {len(expected)} not forgotten, all there; "
        f"{len(ledger.states)} labels, variables and the like; {counts}")


def left_behind(store):
    """The files of bodies under way. The mark that a process is about to set may stay an hour."""
    return [
        path.name for path in (store / "bodies/incoming").glob("*")
        if not path.name.startswith("new-")]


def kept(store):
    """What is in the collections, by kind and name. No name is there twice, and no secret that
    nothing names."""
    secrets = {}
    if (store / "secrets.json").exists():
        secrets = json.loads((store / "secrets.json").read_text())["secrets"]
    things = {}
    with opened(store, "collections.sqlite") as database:
        assert database.execute("SELECT * FROM pending_secret").fetchall() == []
        for table, names in [
            ("collection", "name"), ("folder", "collection_id, parent_id, name"),
            ("environment", "collection_id, name"), ("variable", "environment_id, key"),
        ]:
            query = f"SELECT {names} FROM {table} GROUP BY {names} HAVING count(*) > 1"
            assert database.execute(query).fetchall() == [], f"twice: {table}"
        for [name] in database.execute("SELECT name FROM collection"):
            things["collection", name] = True
        for [name] in database.execute("SELECT name FROM http_request"):
            things["request", name] = True
        for identifier, environment, key, value, is_secret in database.execute(
            "SELECT variable.id, name, key, value, is_secret FROM variable "
            "JOIN environment ON environment.id = environment_id"
        ):
            if is_secret:
                value = secrets.pop(identifier)
            things["variable", (environment, key)] = value
        for [identifier] in database.execute(
            "SELECT value FROM trash, json_each(trash.content, '$.secrets')"
        ):
            secrets.pop(identifier, None)
    assert secrets == {}, "nothing names these secrets"
    return things


def cookies(store):
    result = run(store, "cookies", "--json", "--reveal")
    assert result.returncode == 0, result.stderr
    listed = [(("cookie", line["name"]), line["value"]) for line in json.loads(result.stdout)]
    assert len(listed) == len(dict(listed)), "a cookie is there twice"
    return dict(listed)
