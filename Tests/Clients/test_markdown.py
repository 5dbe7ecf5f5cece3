"""Markdown files: their `http` and `rest` fences are requests, in an editor and in a run."""

import os
import subprocess
from contextlib import contextmanager

from rawclient import TIMEOUT, Client, binary
from test_stock import FULL


def guide(url):
    """A page with three requests, a request in prose and fences that are none."""
    return f"""# How to use the library

Log in first. This line is prose: GET {url}/prose

```http
@host = {url}

### login
POST {{{{host}}}}/login
Content-Type: application/json

{{"user": "ann"}}
```

### A heading, not a separator

```rest
GET {{{{host}}}}/books
Authorization: Bearer {{{{login.response.body.$.token}}}}
```

```json
GET {url}/json
```

    ```http
    GET {url}/indented
    ```

~~~http
GET {{{{host}}}}/{{{{nobody}}}}
~~~
"""


def line_of(text, part):
    """The line, counted from 0, on which a part of a text stands."""
    return text[: text.index(part)].count("\n")


@contextmanager
def opened(store, folder, text):
    """An editor with a page open, and the page's address."""
    with Client(store, FULL, folder=folder) as c:
        c.answers["workspace/configuration"] = lambda params: [None]
        c.initialize()
        yield c, c.open(folder / "guide.md", text)


def send_lenses(c, uri):
    """The lines with a lens that sends."""
    lenses = c.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    titled = [lens for lens in lenses if lens.get("command", {}).get("title") == "Send"]
    return {lens["range"]["start"]["line"] for lens in titled}


def sent(target):
    return [(method, path) for method, path, _, _ in target.seen]


def test_an_editor_reads_the_fences(store, folder, target):
    text = guide(target.url)
    with opened(store, folder, text) as (c, uri):
        document = {"textDocument": {"uri": uri}}
        symbols = c.request("textDocument/documentSymbol", document)
        assert [s["name"] for s in symbols][:2] == ["@host", "login"]
        assert len(symbols) == 4
        found = c.request("textDocument/diagnostic", document)["items"]
        assert [d["code"] for d in found if d["severity"] == 1] == ["unresolved-variable"]
        place = line_of(text, "/{{nobody}}")
        assert [d["range"]["start"]["line"] for d in found if d["severity"] == 1] == [place]
        assert send_lenses(c, uri) == {
            line_of(text, "POST {{host}}/login"),
            line_of(text, "GET {{host}}/books"),
            place,
        }
        hover = c.at("textDocument/hover", uri, line_of(text, "GET {{host}}/books"), 7)
        assert target.url in hover["contents"]["value"]
        for prose in ["Log in first", "### A heading", f"{target.url}/json"]:
            line = line_of(text, prose)
            assert c.at("textDocument/hover", uri, line, 3) is None
            asked = {"diagnostics": []}
            actions = c.range("textDocument/codeAction", uri, line, line, context=asked) or []
            assert not [a for a in actions if a["title"].startswith("Send `")]
        assert target.seen == []


def test_a_request_is_sent_from_within_its_fence(store, folder, target):
    text = guide(target.url)
    with opened(store, folder, text) as (c, uri):

        def send(part):
            position = {"line": line_of(text, part), "character": 2}
            return c.command("postkit.send", {"uri": uri, "position": position})

        assert send('{"user": "ann"}')["status"] == 200
        assert send("Authorization: Bearer")["status"] == 200
        assert sent(target) == [("POST", "/login"), ("GET", "/books")]
        assert target.seen[0][3] == b'{"user": "ann"}'
        assert target.seen[1][2]["Authorization"] == "Bearer t-1"
        hints = c.range("textDocument/inlayHint", uri)
        results = [h for h in hints if h["label"][0]["value"].startswith("200 OK")]
        assert {h["position"]["line"] for h in results} == {
            line_of(text, "POST {{host}}/login"),
            line_of(text, "GET {{host}}/books"),
        }


def test_an_edit_outside_of_a_fence_keeps_its_request(store, folder, target):
    text = guide(target.url)
    with opened(store, folder, text) as (c, uri):
        # A fence that is opened above turns the page inside out.
        for page in ["```\n" + text, "Words.\n\n" + text, text.replace("```rest", "```text")]:
            c.change(uri, page)
            lines = send_lenses(c, uri)
            rows = page.split("\n")
            assert lines and all(rows[line].split(" ")[0] in ("GET", "POST") for line in lines)
            # It is what a fresh look at the page finds.
            again = c.show(folder / f"{len(page)}.md", page)
            assert send_lenses(c, again) == lines


def test_a_run_sends_the_fences(store, folder, target):
    text = guide(target.url)
    (folder / "guide.md").write_text(text)
    environment = {**os.environ, "HOME": str(folder), "POSTKIT_HOME": str(store)}

    def postkit(*words):
        return subprocess.run(
            [binary(), *words], cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT
        )

    line = line_of(text, "GET {{host}}/books") + 1
    assert postkit("run", "guide.md", "--line", str(line)).returncode == 0
    assert sent(target) == [("POST", "/login"), ("GET", "/books")]
    every = postkit("run", "guide.md", "--all")
    assert every.returncode == 3
    place = line_of(text, "/{{nobody}}") + 1
    assert f"guide.md:{place}:".encode() in every.stderr
    assert sent(target)[2:] == [("POST", "/login"), ("GET", "/books")]
    checked = postkit("check", "guide.md")
    assert checked.returncode == 3
    assert f"guide.md:{place}:".encode() in checked.stdout
    laid_out = postkit("format", "--stdout", "guide.md").stdout.decode()
    prose = [row for row in text.split("\n") if row.startswith(("#", "Log"))]
    assert [row for row in laid_out.split("\n") if row.startswith(("#", "Log"))] == prose
