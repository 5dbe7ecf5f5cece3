"""The files that nobody means well, and what becomes of each; see test_hostile.py."""

from dataclasses import dataclass, field

DEPTH = 100_000
LINE = 10_000_000


@dataclass
class Case:
    """A request file in which `$URL` is the server, and what becomes of it."""

    # The bytes, or a function that makes them where they are many.
    text: object
    # The exit code of `run`: 3 where nothing is sent.
    code: int
    # What the run says, as a pattern.
    says: str = ""
    words: tuple = ()
    files: dict = field(default_factory=dict)
    # The memory that it may take, for each byte of the file; more than usual where the file has
    # many lines, each of which has a place in the tree.
    memory: int = 14


LONG = b"x" * LINE
TWO = b"### one\n# @name one\nGET $URL/one\n\n### two\nGET $URL/{{one.response.body.%s}}\n"
LONG_LINES = {
    "URL": Case(lambda: b"GET $URL/" + LONG, 3, "it has 10000"),
    "method": Case(lambda: b"X" * LINE + b" $URL/", 3, "more than any server accepts"),
    "header": Case(lambda: b"GET $URL/\nX: " + LONG, 3, "bytes, more than any server accepts"),
    "header name": Case(lambda: b"GET $URL/\n" + LONG + b": 1", 3, "more than any server accepts"),
    "host": Case(lambda: b"GET http://" + LONG + b"/", 3, "Invalid URL"),
    "body": Case(lambda: b"POST $URL/\n\n" + LONG, 0),
    "JSON": Case(lambda: b'POST $URL/\nContent-Type: application/json\n\n["' + LONG + b'"]', 0),
    "comment": Case(lambda: b"# " + LONG + b"\nGET $URL/", 0),
    "key": Case(lambda: b"# @" + LONG + b"\nGET $URL/", 0),
    "note": Case(lambda: b"# @title " + LONG + b"\nGET $URL/", 0),
    "duration": Case(lambda: b"# @timeout " + b"9" * LINE + b"\nGET $URL/", 3, "is not a duration"),
    "loop": Case(lambda: b"# @loop for " + b"9" * LINE + b"\nGET $URL/", 3, "Write `@loop for 3`"),
    "definition": Case(lambda: b"@a=" + LONG + b"\nPOST $URL/\n\n{{a}}", 0),
    "defined name": Case(lambda: b"@" + LONG + b"=1\nGET $URL/", 0),
    "reference": Case(lambda: b"GET $URL/{{" + LONG + b"}}", 3, "is not defined"),
    "name that resembles another": Case(
        lambda: b"@" + LONG + b"y=1\nGET $URL/{{" + LONG + b"z}}", 3, "is not defined", memory=7
    ),
    "date": Case(lambda: b"POST $URL/\n\n{{$datetime '" + b"Y" * LINE + b"'}}", 0),
    "argument": Case(
        lambda: b"GET $URL/{{$random.alphabetic(" + b"9" * LINE + b")}}",
        3,
        "Write `.random.alphabetic",
    ),
    "quotes": Case(
        lambda: b"GET $URL/{{a '" + b"'" * LINE + b"}}", 3,
        "a.http:1:28: error: SyntaxError: Unexpected string literal"
    ),
    "title": Case(lambda: b"### " + LONG + b"\nGET $URL/", 0),
    "assertion": Case(lambda: b"GET $URL/\n\n?? body == " + LONG, 1, "✗ body == xxx"),
    "curl": Case(lambda: b"curl $URL/ -d " + LONG, 0),
    "form": Case(
        lambda: (
            b"POST $URL/\nContent-Type: application/x-www-form-urlencoded\n\n"
            + b"a=b&" * (LINE // 4)
        ),
        0,
    ),
    "boundary": Case(
        lambda: b"POST $URL/\nContent-Type: multipart/form-data; boundary=" + LONG + b"\n\n--x", 3
    ),
    "query": Case(lambda: b"GRAPHQL $URL/\n\nquery {" + b"a " * (LINE // 2) + b"}", 0),
    "file": Case(lambda: b"POST $URL/\n\n< ./" + LONG, 3, "File `./xxx"),
    "saved": Case(lambda: b"GET $URL/\n\n>> ./" + LONG, 5, "Saving the response to .* failed: "),
    "run": Case(lambda: b"run #" + LONG, 2, "Request `xxx"),
    "import": Case(lambda: b"import ./" + LONG + b".http\nGET $URL/", 3, "File `./xxx"),
    "needed": Case(lambda: b"# @ref " + LONG + b"\nGET $URL/", 2, "Line 1: `@ref`: request `xxx"),
    "password": Case(
        lambda: b"GET $URL/\nAuthorization: Basic " + b"a " * (LINE // 2), 3, "more than any"
    ),
    "blanks": Case(lambda: b" " * LINE, 2, "has no request"),
    "line ends": Case(lambda: b"\n" * LINE, 2, "has no request", memory=25),
    "hashes": Case(lambda: b"#" * LINE, 2, "has no request"),
}
NESTED = {
    "JSON": Case(
        b"POST $URL/\nContent-Type: application/json\n\n" + b"[" * DEPTH + b"]" * DEPTH, 0
    ),
    "open JSON": Case(b'POST $URL/\nContent-Type: application/json\n\n{"a":' + b"{" * DEPTH, 0),
    "query": Case(b"GRAPHQL $URL/\n\nquery " + b"{a" * DEPTH + b"}" * DEPTH, 0),
    "open query": Case(b"GRAPHQL $URL/\n\nquery " + b"{a" * DEPTH, 0),
    "query's variables": Case(
        b"GRAPHQL $URL/\n\nquery { a }\n\n" + b'{"a":' * DEPTH + b"1" + b"}" * DEPTH,
        3,
        "nested too deeply",
    ),
    "open references": Case(b"GET $URL/" + b"{" * DEPTH, 3, "This reference is not closed"),
    "references": Case(
        b"GET $URL/" + b"{{" * DEPTH + b"}}" * DEPTH, 3, "This reference is not closed"
    ),
    "references in a body": Case(b"POST $URL/\n\n" + b"{{" * DEPTH + b"}}" * DEPTH, 0),
    "references on lines": Case(b"POST $URL/\n\n" + b"{{\n" * DEPTH, 0),
    "references in a definition": Case(
        b"@a=" + b"{{" * DEPTH + b"}}" * DEPTH + b"\nGET $URL/{{a}}", 3,
        "This reference is not closed"
    ),
    "parentheses": Case(
        b"GET $URL/{{f" + b"(" * DEPTH + b")" * DEPTH + b"}}", 3,
        "a.http:1:28: error: RangeError: Maximum call stack size exceeded"
    ),
    "indices": Case(b"GET $URL/{{a" + b"[0]" * DEPTH + b"}}", 3, "put it in an environment"),
    "members": Case(b"GET $URL/{{a" + b".a" * DEPTH + b"}}", 3, "put it in an environment"),
    "switches": Case(b"# @disabled " + b"!" * DEPTH + b"on\nGET $URL/", 3, "is not defined"),
    "JSONPath filter": Case(
        TWO % (b"$[?" + b"(" * DEPTH + b"@.a" + b")" * DEPTH + b"]"), 3, "Invalid JSONPath in .*: "
    ),
    "JSONPath negation": Case(TWO % (b"$[?" + b"!" * DEPTH + b"@.a]"), 3, "Invalid JSONPath in"),
    "JSONPath members": Case(TWO % (b"$" + b".a" * DEPTH), 3, r"6:28: error: .*one.response"),
    "JSONPath queries": Case(
        TWO % (b"$" + b"[?@" * DEPTH + b"]" * DEPTH), 3, "Invalid JSONPath in"
    ),
    "JSONPath pattern": Case(
        TWO % (b"$[?match(@.a,'" + b"(" * DEPTH + b")" * DEPTH + b"')]"),
        3,
        r"6:28: error: .*one.response",
    ),
    "XPath": Case(
        b"GET $URL/xml\n\n?? xpath " + b"(" * DEPTH + b"/a" + b")" * DEPTH + b" exists",
        1,
        "✗ xpath",
    ),
    "XPath predicates": Case(
        b"GET $URL/xml\n\n?? xpath " + b"/a[" * DEPTH + b"]" * DEPTH + b" exists", 1, "✗ xpath"
    ),
    "XML answer": Case(b"GET $URL/deep.xml\n\n?? xpath //a exists", 1, "the body is no"),
    "open XML answer": Case(b"GET $URL/open.xml\n\n?? xpath //a exists", 1, "the body is no"),
    "JSON answer": Case(b"GET $URL/deep.json\n\n?? body a.a exists", 1, "nested too deeply"),
    "array answer": Case(b"GET $URL/array.json\n\n?? body isNumber", 1, "✗ body isNumber"),
}
MANY = {
    "separators": Case(b"###\n" * 500_000, 2, "has no request"),
    "requests of one name": Case(b"### a\nGET $URL/\n\n" * DEPTH, 0, words=("--line", "2")),
    "keys": Case(b"# @name a\n" * DEPTH + b"GET $URL/", 0),
    "questions": Case(b"# @prompt a\n" * DEPTH + b"GET $URL/", 2, "--input a=VALUE"),
    "definitions": Case(
        b"".join(b"@v%d=1\n" % number for number in range(DEPTH)) + b"GET $URL/{{v5}}", 0
    ),
    "definitions of one name": Case(b"@v=1\n" * DEPTH + b"GET $URL/{{v}}", 0),
    "definitions in a chain": Case(
        b"".join(b"@v%d={{v%d}}\n" % (number, number + 1) for number in range(DEPTH))
        + b"GET $URL/{{v0}}",
        3,
        "is nested more than 10 values deep",
    ),
    "doublings of a large value": Case(
        b"".join(b"@v%d={{v%d}}{{v%d}}\n" % (n, n + 1, n + 1) for n in range(9))
        + b"@v9="
        + b"x" * 1_000_000
        + b"\nPOST $URL/\n\n{{v0}}",
        3,
        "exceed 64 MB",
    ),
    "values of values": Case(
        b"".join(b"@v%d=" % n + b"{{v%d}}" % (n + 1) * 9 + b"\n" for n in range(9))
        + b"@v9=x\nPOST $URL/\n\n{{v0}}",
        3,
        "exceed 64 MB",
    ),
    "headers": Case(b"GET $URL/\n" + b"X: 1\n" * 200_000, 3, "more than any server accepts"),
    "references": Case(b"POST $URL/\n\n" + b"{{a}}" * 20_000, 0),
    "names that resemble none": Case(
        b"".join(b"@v%05d=1\n" % number for number in range(20_000))
        + b"POST $URL/\n\n"
        + b"".join(b"{{w%05d}}\n" % number for number in range(20_000)),
        0,
    ),
    "names that resemble none in requests": Case(
        b"".join(b"@v%05d=1\n" % number for number in range(20_000))
        + b"".join(b"\n### r%d\nGET $URL/{{w%05d}}\n" % (n, n) for n in range(1_000)),
        3,
        "is not defined",
        words=("--line", "20002"),
    ),
    "needs that nobody has": Case(
        b"".join(b"### r%d\n# @ref q%d\nGET $URL/\n\n" % (n, n) for n in range(20_000)),
        2,
        "request `q0`",
        words=("--name", "r0"),
    ),
    "globals": Case(
        b"".join(b"@global.v%d=1\n" % number for number in range(20_000)) + b"GET $URL/{{v5}}", 0
    ),
    "scripts below tags": Case(
        b"# @x\n" * 20_000 + b"< {%\n%}\n" * 20_000 + b"GET $URL/", 0
    ),
    "fragments": Case(
        b"GRAPHQL $URL/\n\nquery { "
        + b" ".join(b"...f%d" % number for number in range(10_000))
        + b" }\n"
        + b"".join(b"\n### f\nfragment f%d on X { a }\n" % number for number in range(10_000)),
        0,
        words=("--line", "1"),
    ),
    "imports": Case(b"import ./b.http\n" * 20_000 + b"GET $URL/", 3, "File .* not found"),
    "dependencies": Case(b"# @ref one\n" * 20_000 + b"GET $URL/\n### one\nGET $URL/one", 0),
    "needs in a chain": Case(
        b"".join(b"### r%d\n# @ref r%d\nGET $URL/\n\n" % (n, n + 1) for n in range(20_000)),
        3,
        "needs too many requests",
        words=("--name", "r0"),
    ),
}
CYCLES = {
    "@ref": Case(
        b"### a\n# @ref b\nGET $URL/\n\n### b\n# @ref a\nGET $URL/", 3, "need each other: a needs "
    ),
    "@ref to itself": Case(b"### a\n# @ref a\nGET $URL/", 3, "need each other: a needs "),
    "references": Case(
        b"### a\nGET $URL/{{b.response.body.$.x}}\n\n### b\nGET $URL/{{a.response.body.$.x}}",
        3,
        "need each other: a needs ",
    ),
    "definitions": Case(b"@a={{b}}\n@b={{a}}\nGET $URL/{{a}}", 3, "`a` uses `b` uses `a`"),
    "import of itself": Case(b"import ./a.http\nGET $URL/", 3, "other: a.http imports "),
    "imports": Case(
        b"import ./b.http\nGET $URL/",
        3,
        "other: a.http imports ",
        files={"b.http": b"import ./a.http\n"},
    ),
    "runs of itself": Case(b"### x\nrun #x", 3),
    "runs": Case(
        b"run ./b.http",
        3,
        files={"b.http": b"run ./a.http\n\n### y\nGET $URL/"},
    ),
}
REFUSED = "NUL|zero byte|can't be sent|not a URL|File .* not found"
NUL = {
    "URL": Case(b"GET $URL/\0x", 3, REFUSED),
    "header": Case(b"GET $URL/\nX: a\0b", 3, REFUSED),
    "header name": Case(b"GET $URL/\nX\0: a", 3),
    "method": Case(b"G\0T $URL/", 3),
    "definition": Case(b"@a=x\0y\nGET $URL/{{a}}", 3, REFUSED),
    "file": Case(b"POST $URL/\n\n< ./a\0b.txt", 3, REFUSED),
    "saved": Case(b"GET $URL/\n\n>> ./a\0b.txt", 3),
    "duration": Case(b"# @timeout 3\0 s\nGET $URL/", 3, "is not a duration"),
    "import": Case(b"import ./a\0b.http\nGET $URL/", 3, "File .* not found"),
    "certificate": Case(b"curl --cacert a\0b $URL/", 3, "File .* not found"),
    "body": Case(b"POST $URL/\n\na\0b", 0),
    "title": Case(b"### a\0b\nGET $URL/", 0),
    "comment": Case(b"# a\0b\nGET $URL/", 0),
    "assertion": Case(b"GET $URL/\n\n?? body == a\0b", 1, "✗ body == a"),
    "everywhere": Case(lambda: b"\0" * LINE, 3),
}
NOT_UTF8 = {
    "body": Case(b"POST $URL/\n\n\xff\xfe{{x", 0),
    "title": Case(b"### \xff\nGET $URL/", 0),
    "name": Case(b"# @name \xff\nGET $URL/", 0),
    "comment": Case(b"# \xff\nGET $URL/", 0),
    "assertion": Case(b"GET $URL/\n\n?? body == \xff", 1),
    "file": Case(b"POST $URL/\n\n< ./\xff.txt", 3, "File .* not found"),
    "import": Case(b"import ./\xff.http\nGET $URL/", 3, "File .* not found"),
    "everywhere": Case(lambda: b"\xff" * LINE, 3),
}
for case in MANY.values():
    case.memory = 80
KINDS = {
    "long line": LONG_LINES,
    "nested": NESTED,
    "many": MANY,
    "cycle": CYCLES,
    "NUL": NUL,
    "not UTF-8": NOT_UTF8,
}

HTTPS = b"https://127.0.0.1:1/"
# What names a file, the name, the words of the run; where it is left out the run goes on.
USES = {
    "request file": (None, "a.http", ()),
    "import": (b"import ./b.http\nGET $URL/", "b.http", ()),
    "@import": (b"# @import ./b.http\nGET $URL/", "b.http", ()),
    "run": (b"run ./b.http\n", "b.http", ()),
    "body": (b"POST $URL/\n\n< ./b.txt", "b.txt", ()),
    "filled in body": (b"POST $URL/\n\n<@ ./b.txt", "b.txt", ()),
    "query": (b"GRAPHQL $URL/\n\ngql Find < ./b.graphql", "b.graphql", ()),
    "curl's data": (b"curl -d @b.txt $URL/", "b.txt", ()),
    "curl's form": (b"curl -F a=@b.txt $URL/", "b.txt", ()),
    "authority": (b"curl --cacert b.pem " + HTTPS, "b.pem", ()),
    "certificate": (b"curl --cert b.pem " + HTTPS, "b.pem", ()),
    "key": (b"curl --cert c.pem --key b.pem " + HTTPS, "b.pem", ()),
    "environment": (b"GET $URL/", "http-client.env.json", ("--env", "dev")),
    "private environment": (b"GET $URL/", "http-client.private.env.json", ("--env", "dev")),
}

CONTENTS = {
    "nested objects": b'{"dev":' * DEPTH,
    "nested arrays": b'{"dev":{"x":' + b"[" * DEPTH + b"]" * DEPTH + b"}}",
    "nested for megabytes": b'{"dev":{"x":' + b"[" * (LINE // 2) + b"]" * (LINE // 2) + b"}}",
    "NUL": b"\0" * 1000,
    "no UTF-8": b"\xff" * 1000,
    "one long line": b'{"dev":{"x":"' + b"y" * LINE + b'"}}',
    "many names": b'{"dev":{' + b",".join(b'"x%d":1' % n for n in range(DEPTH)) + b"}}",
    "an array": b"[]",
    "nothing": b"",
}
SETTINGS = [
    "http-client.env.json",
    "http-client.private.env.json",
    ".vscode/settings.json",
    ".httpyac.json",
    "postkit.json",
    ".env",
]
