"""Validates messages against LSP meta-models: the standard one, or our subset of it, and our own.

The subset is protocol/lsp.subset.json. Where the environment variable POSTKIT_LSP_METAMODEL names
the standard model, messages must be allowed by both.
"""

import functools
import json
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Violation(AssertionError):
    """A message that the model does not allow."""


class Model:
    """The messages and types of one or more meta-model files. To a strict one, a member that the
    files do not know is wrong, as it is in what our server sends."""

    def __init__(self, *paths, is_strict=False, besides=None):
        self.is_strict = is_strict
        # Another model that must allow the messages, too.
        self.besides = besides
        self._members = {}
        self.messages = {}
        self.structures = {}
        self.enumerations = {}
        self.aliases = {}
        for path in paths:
            data = json.loads(Path(path).read_text())
            for message in data["requests"] + data["notifications"]:
                self.messages[message["method"]] = message
            self.structures.update((item["name"], item) for item in data["structures"])
            self.enumerations.update((item["name"], item) for item in data["enumerations"])
            self.aliases.update((item["name"], item) for item in data["typeAliases"])

    @staticmethod
    @functools.cache
    def default(is_strict=False):
        ours = ROOT / "protocol/postkit.metaModel.json"
        subset = Model(ROOT / "protocol/lsp.subset.json", ours, is_strict=is_strict)
        standard = os.environ.get("POSTKIT_LSP_METAMODEL")
        return Model(standard, ours, is_strict=is_strict, besides=subset) if standard else subset

    def check_message(self, message, from_server):
        """Checks a request or notification; responses are checked by check_result."""
        if self.besides:
            self.besides.check_message(message, from_server)
        method = message["method"]
        model = self.messages.get(method)
        if model is None:
            raise Violation(f"{method} is not in the model")
        wrong = "clientToServer" if from_server else "serverToClient"
        if model["messageDirection"] == wrong:
            raise Violation(f"{method} is sent in the wrong direction")
        if ("id" in message) != ("result" in model):
            raise Violation(f"{method}: request or notification?")
        params = model.get("params")
        if params is None:
            if message.get("params") is not None:
                raise Violation(f"{method} has parameters")
        else:
            self.check(params, message.get("params"), f"{method} params")

    def check_result(self, method, result):
        """Checks the result of a request."""
        if self.besides:
            self.besides.check_result(method, result)
        self.check(self.messages[method]["result"], result, f"{method} result")

    def check(self, kind, value, place):
        """Raises a Violation where the value is not of the type."""
        problem = self.problem(kind, value, place)
        if problem:
            raise Violation(problem)

    def problem(self, kind, value, place):
        """What is wrong with a value, else None."""
        return getattr(self, "_" + kind["kind"])(kind, value, place)

    def _base(self, kind, value, place):
        name = kind["name"]
        integer = isinstance(value, int) and not isinstance(value, bool)
        fits = {
            "string": isinstance(value, str),
            "DocumentUri": isinstance(value, str),
            "URI": isinstance(value, str),
            "RegExp": isinstance(value, str),
            "boolean": isinstance(value, bool),
            "integer": integer and -(2**31) <= value < 2**31,
            "uinteger": integer and 0 <= value < 2**31,
            "decimal": integer or isinstance(value, float),
            "null": value is None,
        }[name]
        return None if fits else f"{place}: {value!r:.80} is no {name}"

    def _reference(self, kind, value, place):
        name = kind["name"]
        if name in ("LSPAny", "LSPArray"):
            return None
        if name == "LSPObject":
            return None if isinstance(value, dict) else f"{place} is no object"
        if name in self.structures:
            return self._structure(self.structures[name], value, place)
        if name in self.aliases:
            return self.problem(self.aliases[name]["type"], value, place)
        item = self.enumerations[name]
        known = [entry["value"] for entry in item["values"]]
        if item.get("supportsCustomValues"):
            return self._base(item["type"], value, place)
        return None if value in known else f"{place}: {value!r} is no {name}"

    def _structure(self, structure, value, place):
        if not isinstance(value, dict):
            return f"{place}: {value!r:.80} is no {structure.get('name', 'literal')}"
        names = set()
        for prop in self.properties(structure):
            name = prop["name"]
            if name not in value:
                if not prop.get("optional"):
                    return f"{place}.{name} is missing"
                continue
            names.add(name)
            problem = self.problem(prop["type"], value[name], f"{place}.{name}")
            if problem:
                return problem
        if self.is_strict and len(value) > len(names):
            return f"{place}.{min(value.keys() - names)} is unknown"
        return None

    def properties(self, structure):
        """All properties of a structure; its own replace those that it takes over."""
        if id(structure) not in self._members:
            # With the structure itself, so that no other one gets its id.
            self._members[id(structure)] = (structure, list(self._properties(structure)))
        return self._members[id(structure)][1]

    def _properties(self, structure):
        found = {}
        for base in structure.get("extends", []) + structure.get("mixins", []):
            for prop in self.properties(self.structures[base["name"]]):
                found[prop["name"]] = prop
        for prop in structure["properties"]:
            found[prop["name"]] = prop
        return found.values()

    def _array(self, kind, value, place):
        if not isinstance(value, list):
            return f"{place}: {value!r:.80} is no array"
        for index, element in enumerate(value):
            problem = self.problem(kind["element"], element, f"{place}[{index}]")
            if problem:
                return problem
        return None

    def _map(self, kind, value, place):
        if not isinstance(value, dict):
            return f"{place}: {value!r:.80} is no object"
        for key, element in value.items():
            problem = self.problem(kind["value"], element, f"{place}.{key}")
            if problem:
                return problem
        return None

    def _or(self, kind, value, place):
        problems = [self.problem(item, value, place) for item in kind["items"]]
        return None if None in problems else max(problems, key=len)

    def _and(self, kind, value, place):
        problems = [self.problem(item, value, place) for item in kind["items"]]
        return next((problem for problem in problems if problem), None)

    def _tuple(self, kind, value, place):
        if not isinstance(value, list) or len(value) != len(kind["items"]):
            return f"{place} is no tuple"
        return None

    def _literal(self, kind, value, place):
        return self._structure(kind["value"], value, place)

    def _stringLiteral(self, kind, value, place):
        return None if value == kind["value"] else f"{place}: {value!r} is not {kind['value']!r}"

    _integerLiteral = _booleanLiteral = _stringLiteral


def token_of_command(params):
    """The token under which `postkit.sendAll` is told of in parts, beside its answer."""
    arguments = params.get("arguments")
    if not str(params.get("command")).endswith("postkit.sendAll") or not arguments:
        return None
    return arguments[0].get("partialResultToken") if isinstance(arguments[0], dict) else None
