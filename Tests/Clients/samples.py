"""Values of the model's types, right and wrong: for each message the least and the most that it may
have, and every way in which one member can be missing or of another kind (PROMISES.md P3)."""

WRONG = [None, 5, -1, 1.5, 2**40, "?", True, [], [5], {}, {"?": 5}]
BASES = {
    "string": ["x"],
    "DocumentUri": ["file:///nowhere/a.http"],
    "URI": ["file:///nowhere/a.http"],
    "RegExp": ["x"],
    "boolean": [True],
    "integer": [0],
    "uinteger": [0],
    "decimal": [0.5],
    "null": [None],
}


class Samples:
    """Makes samples of a model's types."""

    def __init__(self, model):
        self.model = model

    def right(self, kind, depth=0):
        """A few valid values, the fullest last."""
        return getattr(self, "_" + kind["kind"])(kind, depth)

    def wrong(self, kind, depth=0):
        """Values that differ from a valid one at one place, each with that place."""
        if depth > 6:
            return
        for value in WRONG:
            is_passed_over = kind["kind"] == "array" and isinstance(value, list) and all(
                self._is_unknown(kind["element"], it) for it in value)
            if self.model.problem(kind, value, "") and not is_passed_over:
                yield "", value
        yield from getattr(self, "_wrong_" + kind["kind"], self._nothing)(kind, depth)

    def _nothing(self, kind, depth):
        return ()

    def _base(self, kind, depth):
        return BASES[kind["name"]]

    def _reference(self, kind, depth):
        name = kind["name"]
        if name in ("LSPAny", "LSPObject"):
            return [{"a": [1, None]}]
        if name == "LSPArray":
            return [[1]]
        if name in self.model.structures:
            return self._structure(self.model.structures[name], depth)
        if name in self.model.aliases:
            return self.right(self.model.aliases[name]["type"], depth)
        return [self.model.enumerations[name]["values"][0]["value"]]

    def _structure(self, structure, depth):
        least, most = {}, {}
        for prop in self.model.properties(structure):
            if depth > 6 and prop.get("optional"):
                continue
            values = self.right(prop["type"], depth + 1)
            most[prop["name"]] = values[-1]
            if not prop.get("optional"):
                least[prop["name"]] = values[0]
        return [least, most]

    def _array(self, kind, depth):
        return [[], self.right(kind["element"], depth + 1)]

    def _map(self, kind, depth):
        return [{}, {"key": self.right(kind["value"], depth + 1)[-1]}]

    def _or(self, kind, depth):
        return [value for item in kind["items"] for value in self.right(item, depth + 1)]

    def _stringLiteral(self, kind, depth):
        return [kind["value"]]

    def _wrong_reference(self, kind, depth):
        name = kind["name"]
        if name in self.model.structures:
            yield from self._wrong_structure(self.model.structures[name], depth)
        elif name in self.model.aliases and not name.startswith("LSP"):
            yield from self.wrong(self.model.aliases[name]["type"], depth + 1)

    def _wrong_structure(self, structure, depth):
        whole = self._structure(structure, depth)[-1]
        for prop in self.model.properties(structure):
            name = prop["name"]
            # Leniencies of ours: an optional member may be null or unknown, and what may be null or
            # an object without members that have to be may be missing, or null.
            is_optional = prop.get("optional")
            may_miss = not structure["name"].startswith("Postkit") and self._may_miss(prop["type"])
            if not is_optional and not may_miss:
                yield f".{name}", {key: it for key, it in whole.items() if key != name}
            for place, value in self.wrong(prop["type"], depth + 1):
                if place == "" and value is None and (is_optional or may_miss):
                    continue
                if place == "" and is_optional and self._is_unknown(prop["type"], value):
                    continue
                yield f".{name}{place}", {**whole, name: value}

    def _may_miss(self, kind):
        if kind["kind"] == "or":
            return any(it == {"kind": "base", "name": "null"} for it in kind["items"])
        structure = self.model.structures.get(kind.get("name"))
        return structure is not None and all(
            it.get("optional") for it in self.model.properties(structure))

    def _is_unknown(self, kind, value):
        """Whether a value is only one that this version of the protocol does not have."""
        name = kind.get("name", "")
        if name not in self.model.enumerations or name.startswith("Postkit"):
            return False
        base = self.model.enumerations[name]["type"]["name"].removeprefix("u")
        return not self.model.problem({"kind": "base", "name": base}, value, "")

    def _wrong_array(self, kind, depth):
        for place, value in self.wrong(kind["element"], depth + 1):
            if place or not self._is_unknown(kind["element"], value):
                yield f"[0]{place}", [value]

    def _wrong_map(self, kind, depth):
        for place, value in self.wrong(kind["value"], depth + 1):
            yield f".key{place}", {"key": value}
