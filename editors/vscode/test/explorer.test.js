'use strict';
// The Test Explorer in the genuine extension host with the real program.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { matchResults, requestsWithChecks } = require('../src/testing/outline');
const fs = require('node:fs');
const path = require('node:path');
const { LIMIT, needsEditor, openFiles, scratch, startServer } = require('./support');

const symbol = (kind, name, children = []) => ({ kind, name, children });

test('the checks of a request are in its parts, and each has an id of its own', () => {
  const found = requestsWithChecks([
    symbol(13, '@host'),
    symbol(6, 'GET /a', [symbol(11, 'GET'), symbol(24, 'status == 200'),
      symbol(24, 'status == 200'), symbol(12, 'Response handler', [symbol(24, 'title')])]),
    symbol(6, 'no checks', [symbol(11, 'GET')]),
    symbol(6, 'GET /a', [symbol(24, 'status == 200')]),
  ]);
  assert.deepEqual(found.map(({ id, name, checks }) => [id, name, checks.map(each => each.id)]), [
    ['GET /a', 'GET /a', ['status == 200', 'status == 200 (2)', 'title']],
    ['GET /a (2)', 'GET /a', ['status == 200']]]);
});

test('a result belongs to the first check of its name that has none yet', () => {
  const result = (name, passed) => ({ name, passed, message: '' });
  const { outcomes, rest } = matchResults(['a', 'b', 'a', 'c'],
    [result('a', true), result('other', false), result('a', false), result('b', true)]);
  assert.deepEqual(outcomes, [result('a', true), result('b', true), result('a', false), null]);
  assert.deepEqual(rest, [result('other', false)]);
});

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const documents = host => [...host.documents.values()].filter(d => d.uri.scheme === 'postkit');

editorTest('the Test Explorer has the checks, a run sends and says what failed where', async t => {
  const server = await startServer(t);
  const { host } = await openFiles(t, { 'a.http': [`### Good`, `GET ${server.origin}/good`, '',
    '?? status == 200', '', '### Bad', `GET ${server.origin}/bad`, '', '?? status == 200',
    '?? body path == /other', '', '### Gone', 'GET http://127.0.0.1:1/', '', '?? status == 200',
    '', '### None', `GET ${server.origin}/none`, ''].join('\n') });
  const labels = () => [...host.testing.items.values()].map(({ label }) => label);
  await host.waitFor(() => labels().includes('Gone'), { what: 'tests' });
  assert.deepEqual(labels().filter(label => !label.includes('==')),
    ['PostKit', 'a.http', 'Good', 'Bad', 'Gone']);

  const outcome = await host.runTests();
  assert.deepEqual(outcome, [{}]);
  const results = Object.fromEntries([...host.testing.results].map(([id, state]) =>
    [id.slice(id.indexOf('#') + 1).replace(/\0.*[?]/, ' / '), state]));
  assert.deepEqual(results, { Good: 'passed', 'Good / status == 200': 'passed', Bad: 'failed',
    'Bad / status == 200': 'passed', 'Bad / body path == /other': 'failed', Gone: 'errored',
    'Gone / status == 200': 'errored' });
  const failed = host.testing.messages.find(({ text }) => text.startsWith('body path'));
  assert.deepEqual([failed.text, failed.line],
    ['body path == /other: The value is `/bad`.', 9]);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/good', '/bad']);
  assert.match(host.testing.output, /Good: 200 OK {2}/);
  assert.equal(documents(host).length, 0, 'a run opens nothing');
});

editorTest('a test of a script fails where its assertion stands, with what the script printed',
  async t => {
    const server = await startServer(t);
    const { host, file, document } = await openFiles(t, { 'a.http': ['### Scripted',
      `GET ${server.origin}/a`, '', '> {%', "console.warn('seen ' + response.status)",
      "client.test('good', () => client.assert(response.status === 200))",
      "client.test('bad', () => {", "  client.assert(response.status === 404, 'no 404')", '})', '%}',
      ''].join('\n') });
    const labels = () => [...host.testing.items.values()].map(({ label }) => label);
    await host.waitFor(() => labels().includes('bad'), { what: 'tests' });
    await host.runTests();
    const failed = host.testing.messages.find(({ text }) => text.startsWith('bad'));
    assert.match(failed.text, /no 404/);
    assert.equal(failed.line, 7);
    assert.match(host.testing.output, /warning: seen 200/);
    // The same in the channel of scripts, which nobody has to look for in the log.
    await host.setSelection(file, document.find('/a'));
    await host.executeCommand('postkit.sendRequest');
    await host.waitFor(() => host.output('PostKit Scripts')?.includes('a.http:5: warning: seen 200'),
      { what: 'the output' });
    assert.ok(!host.messages.some(({ message }) => message.includes('seen')));
  });

editorTest('tests follow the text, and a check alone sends its request', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/one\n\n?? status == 200\n` });
  const find = label => [...host.testing.items].find(([, item]) => item.label === label)?.[0];
  await host.waitFor(() => find('status == 200'), { what: 'a test' });
  await host.edit(file, [{ range: document.fullRange(),
    text: `### One\nGET ${server.origin}/one\n\n?? status == 404\n` }]);
  await host.waitFor(() => find('status == 404') && !find('status == 200'),
    { what: 'the changed test' });
  await host.runTests([find('status == 404')]);
  assert.equal(host.testing.results.get(find('status == 404')), 'failed');
  assert.equal(server.requests.length, 1);
});

editorTest('without trust a run asks first', async t => {
  const server = await startServer(t);
  const { host } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/one\n\n?? status == 200\n` }, { trusted: false });
  await host.waitFor(() => host.testing.items.size > 2, { what: 'tests' });
  await host.runTests();
  assert.match(host.messages.at(-1).message, /do not trust/);
  assert.deepEqual([server.requests.length, host.testing.results.size], [0, 0]);
});

editorTest('a run sends what a file says now, also where nobody has it open', async t => {
  const server = await startServer(t);
  const request = name => `### ${name}\nGET ${server.origin}/${name}\n\n?? status == 200\n`;
  const { workspace, host, file } = await openFiles(t, {
    'a.http': request('one') + request('two'), 'b.http': request('three') });
  const id = label => [...host.testing.items].find(([, item]) => item.label === label)?.[0];
  await host.waitFor(() => id('two'), { what: 'tests' });
  await host.closeDocument(file);
  fs.writeFileSync(file, `${request('zero')}${request('one')}${request('two')}`);
  await host.runTests([id('two')]);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/two']);
  await host.waitFor(() => id('zero'), { what: 'the request that is new' });
  // One that is gone is nothing to run.
  await host.openDocument(path.join(workspace, 'b.http'));
  await host.waitFor(() => id('three'), { what: 'the tests of the other file' });
  await host.closeDocument(path.join(workspace, 'b.http'));
  fs.rmSync(path.join(workspace, 'b.http'));
  await host.runTests([id('three')]);
  await host.waitFor(() => !id('three'), { what: 'it to go' });
  assert.equal(server.requests.length, 1);
});

editorTest('a run that a guarded environment asks about ends with the first no', async t => {
  const server = await startServer(t);
  const { host } = await openFiles(t, { 'a.http': ['one', 'two'].map(
    name => `### ${name}\nGET ${server.origin}/{{x}}\n\n?? status == 200\n`).join('\n'),
  'postkit.json': '{"environment": "prod"}',
  'http-client.env.json': '{"prod": {"x": "y", "confirm": true}}' });
  await host.waitFor(() => host.testing.items.size > 5, { what: 'tests' });
  await host.runTests();
  assert.deepEqual(host.messages.map(({ message }) => message),
    ['Send `one` to the environment `prod`?']);
  assert.deepEqual([...new Set(host.testing.results.values())], ['skipped']);
  assert.equal(host.testing.results.size, 4);
  host.answer('message', /prod/, 'Send');
  await host.runTests();
  assert.deepEqual([...new Set(host.testing.results.values())], ['passed']);
  assert.equal(server.requests.length, 2);
});

editorTest('a run that is given up ends the send, and the rest is not sent', async t => {
  const server = await startServer(t);
  const { host } = await openFiles(t, { 'a.http': [`### Hangs`, `GET ${server.origin}/hang`, '',
    '?? status == 200', '', '### Next', `GET ${server.origin}/next`, '', '?? status == 200', '',
  ].join('\n') });
  const labels = () => [...host.testing.items.values()].map(({ label }) => label);
  await host.waitFor(() => labels().includes('Next'), { what: 'tests' });
  const giveUp = new AbortController();
  const run = host.runTests(undefined, { signal: giveUp.signal }).catch(error => error);
  await server.waitFor(({ url }) => url === '/hang');
  giveUp.abort();
  await server.waitFor(({ url, isClosed }) => url === '/hang' && isClosed);
  await run;
  await host.waitFor(() => host.testing.ended === 1, { what: 'the end of the run' });
  assert.deepEqual([...new Set(host.testing.results.values())], ['skipped']);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/hang']);
});

/** The label and the description of each item, by its id. */
const items = host => [...host.testing.items].map(([id, { label, description }]) =>
  ({ id, label, description }));
const find = (host, label) => items(host).find(item => item.label === label);

editorTest('a file of very many requests is looked into once somebody opens it', async t => {
  const server = await startServer(t);
  const checked = Array.from({ length: 1_300 },
    (_, place) => `### R${place}\nGET ${server.origin}/${place}\n\n?? status == 200\n`);
  const { host, file } = await openFiles(t, { 'a.http': checked.join('\n') });
  const own = await host.waitFor(() => find(host, 'a.http'), { what: 'the file' });
  await host.expandTest();
  assert.equal(items(host).some(({ label }) => label.startsWith('R')), false, 'nobody has asked');
  await host.expandTest(own.id);
  await host.waitFor(() => find(host, 'R999'), { what: 'its requests' });
  assert.equal(find(host, 'R1000'), undefined);
  assert.equal(find(host, 'a.http').description, 'the first 1000 of 1300 requests with checks');
  // What is typed meanwhile moves them, which nobody has asked about yet.
  const start = { line: 0, character: 0 };
  await host.edit(file, { range: { start, end: start }, text: '# one\n# two\n\n### R\n' });
  const check = items(host).find(({ id }) => /#R7\0.*status == 200$/.test(id));
  await host.runTests([check.id]);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/7']);
  assert.equal(host.testing.results.get(check.id), 'passed');
});

editorTest('files that come and go are in the list, those of others are not', async t => {
  const { workspace, host } = await openFiles(t, {
    'a.http': 'GET http://127.0.0.1:1/\n\n?? status == 200\n',
    'b.http': 'GET http://127.0.0.1:1/\n',
    'node_modules/c/c.http': 'GET http://127.0.0.1:1/\n\n?? status == 200\n' });
  const files = () => items(host).map(({ label }) => label).filter(label => /http$/.test(label));
  const shows = (...wanted) => host.waitFor(
    () => files().sort().join() === wanted.join(), { what: `${wanted} (of ${files()})` });
  await host.expandTest();
  await shows('a.http', 'b.http');
  await host.expandTest(find(host, 'b.http').id);
  await shows('a.http');
  const late = path.join(workspace, 'late.rest');
  fs.writeFileSync(late, 'GET http://127.0.0.1:1/\n\n?? status == 200\n');
  await host.fireFileEvents({ created: [late] });
  await host.waitFor(() => find(host, 'late.rest'), { what: 'the new file' });
  fs.rmSync(late);
  await host.fireFileEvents({ deleted: [late] });
  await host.waitFor(() => !find(host, 'late.rest'), { what: 'it to go' });

  const other = scratch(t, { 'other.http': 'GET http://127.0.0.1:1/\n\n?? status == 200\n' });
  const inOther = () => items(host).some(({ id }) => id.includes(`${other}/other.http`));
  await host.addFolder(other);
  await host.waitFor(inOther, { what: 'the file of another folder' });
  await host.removeFolder(other);
  await host.waitFor(() => !inOther(), { what: 'it to go with its folder' });
  assert.ok(find(host, 'a.http'), 'the others stay');
  const draft = await host.openDocument('untitled:Untitled-1', 'http',
    'GET http://127.0.0.1:1/\n\n?? status == 204\n');
  await host.waitFor(() => find(host, 'status == 204'), { what: 'the checks of a draft' });
  await host.closeDocument(draft.uri);
  await host.waitFor(() => !find(host, 'status == 204'), { what: 'them to go' });
});
