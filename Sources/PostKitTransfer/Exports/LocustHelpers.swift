// The functions of an exported Locust file.

/// What a Locust file may call.
enum LocustHelpers {
  /// The language's words, and those of the classes that the program builds on.
  static let taken: Set<String> = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "self",
    "client", "user", "parent", "tasks", "on_start", "on_stop", "run", "wait", "wait_time",
    "interrupt", "schedule_task", "execute_task", "execute_next_task", "get_next_task", "weight",
    "MISSING",
  ]

  /// All of them, each after those that it calls.
  static let table: [CodeHelpers.Helper] = [
    .init(
      name: "setting", imports: ["import os", "import re"],
      text: #"""
        def setting(name, default=None, reason="nothing in the export gives its value"):
            """A variable: POSTKIT_NAME of the process stands above the exported value."""
            key = "POSTKIT_" + re.sub("[^A-Z0-9_]+", "_", name.upper()).strip("_")
            value = os.environ.get(key, default)
            if value is None:
                raise SystemExit("Set %s: %s." % (key, reason))
            return value
        """#),
    .init(
      name: "process", imports: ["import os"],
      text: #"""
        def process(name):
            """A variable of the process, which the requests name themselves."""
            if name not in os.environ:
                raise SystemExit("Set %s: a request reads it from the environment." % name)
            return os.environ[name]
        """#),
    .init(
      name: "legal", imports: ["import urllib.parse"],
      text: #"""
        def legal(value):
            """A text as a part of a URL or a form: what may not stand there is encoded."""
            return urllib.parse.quote(value, safe="%-._~:/?#[]@!$&'()*+,;=")
        """#),
    .init(
      name: "component", imports: ["import urllib.parse"],
      text: #"""
        def component(value):
            """A text with all encoded that has a meaning in a URL."""
            return urllib.parse.quote(value, safe="-_.!~*'()")
        """#),
    .init(
      name: "basic", imports: ["import base64"],
      text: #"""
        def basic(user, password):
            """The Authorization header of a user."""
            return "Basic " + base64.b64encode((user + ":" + password).encode()).decode()
        """#),
    .init(
      name: "content", imports: ["import functools", "import os"],
      text: #"""
        @functools.lru_cache
        def content(path):
            """The bytes of a file beside this one."""
            here = os.path.dirname(os.path.abspath(__file__))
            with open(os.path.join(here, path), "rb") as file:
                return file.read()
        """#),
    .init(name: "MISSING", text: "MISSING = object()"),
    .init(
      name: "decoded", needs: ["MISSING"], imports: ["import decimal", "import json"],
      text: #"""
        def decoded(text):
            """The value of JSON with all digits of its numbers; MISSING where it is none."""
            try:
                return json.loads(text or "", parse_float=decimal.Decimal)
            except ValueError:
                return MISSING
        """#),
    .init(
      name: "member", needs: ["MISSING"],
      text: #"""
        def member(value, *path):
            """What a path of names and places selects; MISSING where there is nothing."""
            for step in path:
                if isinstance(value, dict) and isinstance(step, str) and step in value:
                    value = value[step]
                elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                    value = value[step]
                else:
                    return MISSING
            return value
        """#),
    .init(
      name: "text", needs: ["MISSING"], imports: ["import decimal", "import json"],
      text: #"""
        def text(value):
            """The text that a value stands for: a string as it is, the rest as JSON."""
            if isinstance(value, str):
                return value
            if value is MISSING:
                return ""
            if isinstance(value, decimal.Decimal):
                return str(value)
            return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=float)
        """#),
    .init(
      name: "needed", needs: ["text", "MISSING"],
      text: #"""
        def needed(value, name):
            """The text of a value that a request is made of."""
            if value is MISSING:
                raise LookupError("the response has no " + name)
            return text(value)
        """#),
    .init(
      name: "literal", needs: ["decoded"],
      text: #"""
        def literal(written):
            """The value of JSON or of a text in single quotes."""
            if len(written) > 1 and written[0] == written[-1] == "'":
                return written[1:-1]
            return decoded(written)
        """#),
    .init(
      name: "is_number", imports: ["import decimal"],
      text: #"""
        def is_number(value):
            return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)
        """#),
    .init(
      name: "same", needs: ["literal", "text", "is_number", "MISSING"],
      text: #"""
        def same(value, expected):
            """Whether a value is what was expected, which takes the type of the value."""
            if value is MISSING:
                return expected == "undefined"
            if text(value) == expected:
                return True
            if isinstance(value, bool):
                return expected.lower() == text(value)
            wanted = literal(expected)
            if is_number(value) and isinstance(wanted, str):
                wanted = literal(wanted)
            return isinstance(wanted, bool) == isinstance(value, bool) and wanted == value
        """#),
    .init(
      name: "compared", needs: ["literal", "is_number"], imports: ["import operator"],
      text: #"""
        def compared(value, compare, expected):
            """Whether a comparison of numbers holds; a header is a text that may be one."""
            left = literal(value) if isinstance(value, str) else value
            right = literal(expected)
            return is_number(left) and is_number(right) and compare(left, right)
        """#),
    .init(
      name: "truthy", needs: ["MISSING"],
      text: #"""
        def truthy(value):
            """Whether there is a value that is neither false, null, 0 nor empty."""
            return isinstance(value, (list, dict)) or value is not MISSING and bool(value)
        """#),
    .init(
      name: "contains", needs: ["same", "text"],
      text: #"""
        def contains(value, expected):
            """Whether a text is part of a value's, or equal to one of its elements."""
            elements = value if isinstance(value, list) else []
            return expected in text(value) or any(same(one, expected) for one in elements)
        """#),
    .init(
      name: "digest", needs: ["text"], imports: ["import base64", "import hashlib"],
      text: #"""
        def digest(kind, value):
            """The digest of a value's text in Base64."""
            return base64.b64encode(hashlib.new(kind, text(value).encode()).digest()).decode()
        """#),
    .init(
      name: "judge",
      text: #"""
        def judge(response, checks, decides):
            """Counts a request as failed under the name of the first check that doesn't hold."""
            if response.status_code == 0:
                return  # there is no response, which Locust counts itself
            failed = [name for name, holds in checks if not holds]
            if failed:
                response.failure(failed[0])
            elif decides:
                response.success()
        """#),
  ]
}
