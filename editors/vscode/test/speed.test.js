'use strict';
// What the extension costs the extension host, in which all extensions of a window take turns:
// how long an edit of a large file keeps it busy, and how long a large response keeps it from
// answering. It is the time of its processor that counts: that of the clock is everybody's.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { atEnd, extensionPath, LIMIT, needsEditor, openFiles, scratch, startEditor }
  = require('./support');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const EDITS = 200;
const SIZE = 100_000_000;
/** As much as is shown of a response at once. */
const PAGE = 1_000_000;
/** How much longer a large response may keep an editor from answering than one of a page. */
const MOST_OF_PAGE = 3;

/** A server of its own thread: the one that measures must not wait for it. */
const SERVER = `
const { parentPort } = require('node:worker_threads');
const http = require('node:http');
const lines = Buffer.from(('x'.repeat(99) + '\\n').repeat(1_000));
http.createServer((request, response) => {
  let left = Number(request.url.slice(1));
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': left });
  const more = () => {
    for (; left > 0; left -= lines.length) {
      if (!response.write(lines)) {
        left -= lines.length;
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}).listen(0, '127.0.0.1', function listening() { parentPort.postMessage(this.address().port); });
`;

async function startLargeServer(t) {
  const worker = new Worker(SERVER, { eval: true });
  atEnd(t, () => worker.terminate());
  return `http://127.0.0.1:${await new Promise(resolve => worker.once('message', resolve))}`;
}

/** Until the extension host has answered, which it does between two turns. */
const answered = host => host.rpc.call('ExtHostExtensionService', '$test_latency', [0]);

/** How long its one thread of JavaScript has computed, whatever else this machine does. */
function busyMilliseconds(host) {
  const [onProcessor] = fs.readFileSync(
    `/proc/${host.pid}/task/${host.pid}/schedstat`, 'utf8').split(' ');
  return Number(onProcessor) / 1e6;
}

/** The longest that the extension host computed before it answered, while work went on. */
async function longestBlock(host, work) {
  let isOver = false;
  const done = work().finally(() => { isOver = true; });
  let longest = 0;
  while (!isOver) {
    const before = busyMilliseconds(host);
    await answered(host);
    longest = Math.max(longest, busyMilliseconds(host) - before);
  }
  await done;
  return longest;
}

editorTest('an edit of a file with 10,000 requests costs little more than without us', async t => {
  const requests = Array.from({ length: 10_000 },
    (_, index) => `### R${index}\nGET http://127.0.0.1:1/${index}?a={{b}}\nAccept: text/plain\n`);
  const workspace = scratch(t, { 'a.http': `@b = 1\n\n${requests.join('\n')}` });
  const file = path.join(workspace, 'a.http');
  const at = { line: 3, character: 4 };
  const measure = async extension => {
    const host = await startEditor(t, { workspace, extension });
    await host.openDocument(file, 'http', fs.readFileSync(file, 'utf8'));
    if (extension.length) {
      await host.waitFor(async () => (await host.hover(file, { line: 3, character: 31 })).length,
        { what: 'the server to know the file' });
    }
    const before = busyMilliseconds(host);
    for (let turn = 0; turn < EDITS; turn += 1) {
      await host.edit(file, { range: { start: at, end: at }, text: 'x' });
      await answered(host);
    }
    const busy = (busyMilliseconds(host) - before) / EDITS;
    await host.dispose();
    return busy;
  };
  const without = await measure([]);
  const own = await measure([extensionPath]);
  t.diagnostic(`an edit: ${own.toFixed(2)} ms, ${without.toFixed(2)} ms without the extension`);
  assert.ok(own < Math.max(1.5 * without, without + 5), `${own} ms to ${without} ms`);
});

editorTest('a response of 100 MB never keeps the window waiting', async t => {
  const origin = await startLargeServer(t);
  const { host, file } = await openFiles(t,
    { 'a.http': `GET ${origin}/${PAGE}\n\n###\nGET ${origin}/${SIZE}\n` });
  const waitAt = async line => {
    await host.openDocument(file);
    await host.setSelection(file, { line, character: 0 });
    return longestBlock(host, () => host.executeCommand('postkit.sendRequest'));
  };
  // The least of some counts: what the extension does it does each time, while a collector of
  // garbage or a cold cache comes once.
  let [page, longest] = [Infinity, Infinity];
  for (let turn = 0; turn < 4 && !(longest < page * MOST_OF_PAGE); turn += 1) {
    page = Math.min(page, await waitAt(0));
    longest = Math.min(longest, await waitAt(3));
  }
  t.diagnostic(`the longest wait: ${longest.toFixed(1)} ms, of one page ${page.toFixed(1)} ms`);
  assert.match(host.activeEditor.doc.key, /a\.http$/);
  const shown = [...host.documents.values()].filter(({ uri }) => uri.scheme === 'postkit');
  assert.ok(shown.length && shown.every(it => it.getText().length < SIZE / 10),
    'the beginning of it');
  assert.ok(longest < page * MOST_OF_PAGE, `${longest} ms, of one page ${page} ms`);
});
