"""A tool that is not ours reads the HTTP Archives that PostKit writes."""

import base64
import os

from haralyzer import HarParser
from test_stock import client

REQUESTS = """### text
GET {url}/hello?q=a%20b&q=2

### binary
GET {url}/picture

### nothing
GET {url}/nothing

### huge
GET {url}/huge

### moved
GET {url}/moved?hello

### posted
POST {url}/hello
Content-Type: application/json
Authorization: Bearer secret-of-the-test

{{"ü": 1}}

### refused
GET http://127.0.0.1:1/
"""


def test_another_tool_reads_a_varied_history(store, folder, target):
    picture = bytes(range(256)) * 4
    huge = os.urandom(3_000_000)
    target.bodies.update({
        "/picture": ("image/png", picture), "/nothing": ("text/plain", b""),
        "/huge": ("application/octet-stream", huge), "/hello": ("text/html", b"<p>hi</p>"),
    })
    with client(store, folder) as c:
        c.initialize()
        uri = c.open(folder / "a.http", REQUESTS.format(url=target.url))
        c.command("postkit.sendAll", {"uri": uri})
        path = folder / "a.har"
        assert c.command("postkit.export", {"format": "har", "target": path.as_uri()})["count"] == 7
    archive = HarParser.from_file(str(path))
    assert archive.version == "1.2" and archive.creator["name"] == "PostKit"
    entries = [entry for page in archive.pages for entry in page.entries]
    by_name = {entry["comment"]: entry for entry in entries if "comment" in entry}
    assert list(by_name) == ["text", "binary", "nothing", "huge", "moved", "posted", "refused"]
    assert len(entries) == 8, "the redirect is an entry of its own"
    times = [entry.startTime for entry in entries]
    assert times == sorted(times) and times[0].tzinfo is not None
    for entry in entries:
        phases = [entry.timings[name] for name in ("dns", "connect", "send", "wait", "receive")]
        spent = sum(time for time in phases if time > 0)
        # Each phase is rounded to a thousandth of a millisecond.
        assert entry.time >= 0 and abs(entry.time - spent) < 0.01
        assert entry.request.formatted
        # Of a redirect only the head is kept.
        assert entry.response.get("content").get("text") is None or entry.response.formatted
    text = by_name["text"]
    assert text.url == f"{target.url}/hello?q=a%20b&q=2" and text.status == 200
    assert text.serverAddress == "127.0.0.1" and text.request.httpVersion == "HTTP/1.1"
    pairs = [(pair["name"], pair["value"]) for pair in text.request.queryString]
    assert pairs == [("q", "a b"), ("q", "2")]
    for name, body in [("binary", picture), ("huge", huge)]:
        response = by_name[name].response
        assert response.textEncoding == "base64" and base64.b64decode(response.text) == body
        assert response.contentSize == response.bodySize == len(body)
    assert by_name["nothing"].response.text == "" and by_name["nothing"].response.bodySize == 0
    hop = entries[entries.index(by_name["moved"]) - 1]
    assert hop.status == 302 and hop.response.redirectURL == "/hello"
    assert by_name["moved"].url == f"{target.url}/hello"
    text = path.read_text()
    assert "from-the-redirect" not in text and "secret-of-the-test" not in text
    posted = by_name["posted"].request
    assert posted.text == '{"ü": 1}' and posted.mimeType == "application/json"
    assert posted.bodySize == len('{"ü": 1}'.encode())
    refused = by_name["refused"]
    assert refused.status == 0 and refused["response"]["_error"] == "connection"
    assert [e for p in archive.pages for e in p.filter_entries(status_code="404")] == []
