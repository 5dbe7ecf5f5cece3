"""Scripts of `postkit run` that read a response while it comes in."""

import os
import subprocess

from rawclient import binary
from test_script_runs import LIMIT, postkit, ran


def feed(target, *pieces):
    for piece in pieces:
        target.pieces.put(piece)


def test_events_are_handed_over_while_the_response_comes_in(folder, target):
    text = f"""### events
GET {target.url}/stream

> {{%
let n = 0;
response.body.onEachMessage(async (message, unsubscribe, output) => {{
  n += 1;
  client.global.set('seen', (client.global.get('seen') ?? '') + message);
  console.log(message, typeof output, response.status);
  if (n === 1) request.variables.set('x', n);
  client.test('message ' + message, () => client.assert(n > 0));
}}, () => console.log('over', n, client.global.get('seen')));
%}}
> {{% console.log('after', response.status, String(response.body).length) %}}
"""
    feed(target, b"data: one\n\n")
    (folder / "a.http").write_text(text)
    environment = {**os.environ, "HOME": str(folder), "POSTKIT_HOME": str(folder.parent / "store")}
    process = subprocess.Popen(
        [binary(), "run", "a.http"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = []
    for line in process.stderr:
        said.append(line.rstrip("\n"))
        if line == "one undefined 200\n":
            # The second event comes when the first one was printed.
            feed(target, b"event: x\ndata: two\ndata: lines\n\n", None)
    process.wait(LIMIT)
    start = said.index("one undefined 200")
    assert said[start:start + 5] == [
        "one undefined 200", "two", "lines undefined 200", "over 2 onetwo", "lines"], said
    assert "after 200 43" in said, said
    assert [line for line in said if "✓" in line] == ["✓ message one", "✓ message two"], said
    assert process.returncode == 0


def test_who_has_seen_enough_ends_the_response_well(folder, target):
    feed(target, b'{"a":1}\n{"a":', b'2}\n{"a":3}\n')
    target.bodies["/stream"] = ("application/x-ndjson", b"")
    result, report = ran(folder, f"""GET {target.url}/stream

> {{%
response.body.onEachLine((line, unsubscribe) => {{
  console.log(line.a);
  if (line.a === 2) unsubscribe();
}}, () => console.log('over'));
%}}
""")
    assert result.returncode == 0, result.stderr
    (entry,) = report["requests"]
    assert [line["text"] for line in entry["output"]][:3] == ["1", "2", "over"], result.stderr
    assert entry["state"] == "done" and entry["error"] is None
    feed(target, *[b"x" * 1000] * 1000, None)
    assert target.closed.wait(LIMIT)


def test_the_client_of_a_stream_hears_messages_and_disconnects(folder, target):
    feed(target, b"data: a\n\ndata: b\n\n")
    result, report = ran(folder, f"""GET {target.url}/stream

{{{{@streaming
console.log('head', response.statusCode);
$requestClient.on('message', (text) => {{
  console.log('got', text);
  if (text === 'b') $requestClient.disconnect();
}});
$requestClient.on('end', () => console.log('end'));
}}}}
""")
    assert result.returncode == 0, result.stderr
    texts = [line["text"] for line in report["requests"][0]["output"]]
    assert texts == ["head 200", "got a", "got b", "end"], result.stderr


def test_a_reader_that_fails_fails_its_request(folder, target):
    feed(target, b"data: a\n\ndata: b\n\n")
    result, report = ran(folder, f"""GET {target.url}/stream

> {{%
response.body.onEachMessage((m) => {{
  null.x
}});
%}}
> {{% console.log('left out') %}}
""")
    assert result.returncode == 3, result.stderr
    (entry,) = report["requests"]
    assert entry["error"] == "script-failed"
    assert "a.http:5:" in result.stderr and "left out" not in result.stderr


def test_the_lines_of_a_whole_response_come_at_once(folder, target):
    target.bodies["/lines"] = ("text/plain", b"a\nb\n")
    result, report = ran(folder, f"""GET {target.url}/lines

> {{%
response.body.onEachLine((line) => console.log(line), () => console.log('over'))
%}}
""")
    assert result.returncode == 0, result.stderr
    assert [it["text"] for it in report["requests"][0]["output"]] == ["a", "b", "over"]


def test_a_slow_reader_loses_nothing(folder, target):
    """The response waits where more has come than the reader has seen."""
    text = f"""### poke
# @name poke
GET {target.url}/poke

### events
GET {target.url}/stream

> {{%
let n = 0;
response.body.onEachLine(async (line, unsubscribe) => {{
  n += 1;
  if (n === 1) await $httpyac.execute('poke');
}}, () => console.log(n));
%}}
"""
    target.bodies["/stream"] = ("text/plain", b"")
    lines = b"".join(b"%0100d\n" % number for number in range(100))
    feed(target, *[lines] * 100, None)
    (folder / "a.http").write_text(text)
    result = postkit(folder, "run", "a.http", "--name", "events")
    assert result.returncode == 0, result.stderr
    assert "\n10000\n" in "\n" + result.stderr, result.stderr
    assert [seen[1] for seen in target.seen] == ["/stream", "/poke"]
