"""Whether clients of an older model can live with a newer one (protocol/README.md, Compatibility).

What clients send may only be allowed more: no new required member, no member or value less. What
they are sent may only be promised more: every required member stays, no type becomes wider.
"""

NARROWER = {"uinteger": {"integer", "decimal"}, "integer": {"decimal"}}


def breaks(old, new, old_commands, new_commands):
    """Sentences for all that an older client could not live with."""
    return [*Comparison(old, new).run(), *command_breaks(old_commands, new_commands)]


def command_breaks(old, new):
    known = {command["command"]: command for command in new}
    for command in old:
        name = command["command"]
        if name not in known:
            yield f"the command {name} is gone"
            continue
        for part in ("argument", "result"):
            if command.get(part) != known[name].get(part):
                yield f"the {part} of {name} is another"


def named(model, kind):
    return {item["name"]: item for item in model[kind]}


class Comparison:
    def __init__(self, old, new):
        self.old, self.new = old, new
        self.seen = set()
        self.found = []

    def run(self):
        messages = {it["method"]: it for it in self.new["requests"] + self.new["notifications"]}
        for old in self.old["requests"] + self.old["notifications"]:
            method = old["method"]
            new = messages.get(method)
            if new is None or ("result" in old) != ("result" in new):
                self.found.append(f"{method} is gone")
                continue
            if old["messageDirection"] != new["messageDirection"]:
                self.found.append(f"{method} goes the other way")
            is_sent = old["messageDirection"] == "clientToServer"
            for part in ("params", "result", "partialResult"):
                if part in old or part in new:
                    self.types(old.get(part), new.get(part), f"{method} {part}",
                               is_sent == (part == "params"))
        return self.found

    def types(self, old, new, place, is_sent):
        """Compares two types; `is_sent`: by the client, else by the server."""
        if old is None or new is None:
            # Parameters that clients do not know of are theirs to leave out.
            if old is not None or not is_sent:
                self.found.append(f"{place} is another")
            return
        less, more = (old, new) if is_sent else (new, old)
        if not self.fits(less, more, is_sent):
            self.found.append(f"{place} is {'narrower' if is_sent else 'wider'}")
        self.inside(old, new, place, is_sent)

    def is_kept_back(self, item):
        """Whether a structure is sent only to clients that declare what no old one could."""
        found = named(self.new, "structures").get(item.get("name"), {})
        *path, name = found.get("clientCapability", "").split(".")
        declared = named(self.old, "structures").get("PostkitClientCapability", {})
        known = {it["name"] for it in declared.get("properties", [])}
        return path == ["experimental", "postkit"] and name not in known

    def fits(self, less, more, is_sent=False):
        """Whether each value of one type is one of the other, structures taken by their names."""
        if less == more:
            return True
        if less["kind"] == "or":
            return all(
                self.fits(item, more, is_sent) for item in less["items"]
                if is_sent or not self.is_kept_back(item))
        if more["kind"] == "or":
            return any(self.fits(less, item) for item in more["items"])
        if less["kind"] != more["kind"]:
            return less["kind"] == "stringLiteral" and more == {"kind": "base", "name": "string"}
        inner = {"array": "element", "map": "value"}.get(less["kind"])
        if inner:
            return self.fits(less[inner], more[inner])
        return more.get("name") in NARROWER.get(less.get("name"), ())

    def inside(self, old, new, place, is_sent):
        """Compares the structures and enumerations that both types name."""
        for name in sorted(references(old) & references(new)):
            if (name, is_sent) in self.seen:
                continue
            self.seen.add((name, is_sent))
            for kind, compare in (("structures", self.structures), ("enumerations", self.values)):
                before, after = named(self.old, kind).get(name), named(self.new, kind).get(name)
                if before and after:
                    compare(before, after, is_sent)
                elif before:
                    self.found.append(f"{name} is gone")
            before, after = (named(it, "typeAliases").get(name) for it in (self.old, self.new))
            if before and after:
                self.types(before["type"], after["type"], name, is_sent)

    def structures(self, old, new, is_sent):
        before = {it["name"]: it for it in old["properties"]}
        after = {it["name"]: it for it in new["properties"]}
        for base in ("extends", "mixins"):
            if old.get(base, []) != new.get(base, []):
                self.found.append(f"{old['name']} {base} others")
        for name, prop in before.items():
            place = f"{old['name']}.{name}"
            if name not in after:
                self.found.append(f"{place} is gone")
                continue
            was, now = prop.get("optional", False), after[name].get("optional", False)
            if is_sent and was and not now:
                self.found.append(f"{place} must be there now")
            if not is_sent and now and not was:
                self.found.append(f"{place} may be missing now")
            self.types(prop["type"], after[name]["type"], place, is_sent)
        for name in after.keys() - before.keys():
            if is_sent and not after[name].get("optional"):
                self.found.append(f"{old['name']}.{name} must be there now")

    def values(self, old, new, is_sent):
        before = {it["value"] for it in old["values"]}
        after = {it["value"] for it in new["values"]}
        if is_sent:
            self.found += [f"{old['name']} lost {it}" for it in sorted(before - after, key=str)]
        elif not old.get("supportsCustomValues"):
            self.found += [f"{old['name']} has {it} now" for it in sorted(after - before, key=str)]


def references(kind):
    """The names that a type expression mentions."""
    if kind["kind"] == "reference":
        return {kind["name"]}
    inner = kind.get("items") or [kind[key] for key in ("element", "value") if
                                  isinstance(kind.get(key), dict)]
    return set().union(*(references(item) for item in inner))
