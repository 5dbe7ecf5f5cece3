'use strict';
// What somebody had in REST Client, in PostKit: first the pure parts, then in the extension host
// with the real program.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { extended } = require('../src/migration/files');
const { historyText } = require('../src/migration/history');
const { planSettings, split } = require('../src/migration/settings');
const { LIMIT, needsEditor, openFiles, scratch, startEditor, startServer }
  = require('./support');

test('environments come with their shared values, and what looks secret is asked about', () => {
  const plan = planSettings({ environmentVariables: {
    $shared: { version: 'v1', apiKey: 'k-1' },
    dev: { host: 'http://{{$shared version}}.test', version: 'v2', user: '{{$shared apiKey}}' },
  }, defaultHeaders: { 'User-Agent': 'me', Authorization: 'Bearer x' } });
  assert.deepEqual(plan.environments, {
    $shared: { version: 'v1', apiKey: 'k-1' },
    dev: { host: 'http://v1.test', version: 'v2', user: '{{apiKey}}' },
    $default_headers: { 'User-Agent': 'me', Authorization: 'Bearer x' },
  });
  assert.deepEqual(plan.secrets, [{ environment: '$shared', name: 'apiKey' },
    { environment: '$default_headers', name: 'Authorization' }]);
  assert.deepEqual(split(plan.environments, plan.secrets), {
    open: { $shared: { version: 'v1' }, dev: plan.environments.dev,
      $default_headers: { 'User-Agent': 'me' } },
    hidden: { $shared: { apiKey: 'k-1' }, $default_headers: { Authorization: 'Bearer x' } },
  });
});

test('settings with a counterpart are carried, all others are told of', () => {
  const plan = planSettings({ followredirect: false, rememberCookiesForSubsequentRequests: false,
    timeoutinmilliseconds: 3000, enableSendRequestCodeLens: false, fontSize: 14, unheardOf: 1,
    certificates: { 'a.test:81': { cert: 'c.pem', key: 'k.pem' },
      'b.test': { pfx: 'b.p12', passphrase: 'hunter22' } } });
  assert.deepEqual(plan.editor, { timeout: 3000, 'codeLens.enabled': false });
  assert.deepEqual(plan.project, { followRedirects: false, cookies: false,
    'tls.certificates': { 'a.test:81': { cert: 'c.pem', key: 'k.pem' },
      'b.test': { pfx: 'b.p12' } } });
  assert.equal(plan.notes.length, 3);
  assert.match(plan.notes[0], /^rest-client\.fontSize: responses have the font of the editor\.$/);
  assert.match(plan.notes[1], /^rest-client\.unheardOf: PostKit has no such setting\.$/);
  assert.match(plan.notes[2], /^The passphrase for b\.test was left out/);
  assert.ok(!JSON.stringify(plan).includes('hunter22'));
  const nothing = planSettings({ followredirect: true, timeoutinmilliseconds: 0 });
  assert.deepEqual([nothing.editor, nothing.project, nothing.notes], [{}, {}, []]);
});

test('what these settings are in a project is known to its schema', () => {
  const { properties } = require('../../../protocol/settings.schema.json');
  const { project, editor } = planSettings({ followredirect: false, certificates: {},
    rememberCookiesForSubsequentRequests: false, timeoutinmilliseconds: 1,
    enableSendRequestCodeLens: false });
  for (const key of [...Object.keys(project), ...Object.keys(editor)]) {
    assert.ok(properties[key], key);
  }
});

test('a file gets what it lacks, and nothing there is changed', () => {
  assert.deepEqual(extended('', { dev: { a: '1' } }),
    { text: '{\n  "dev": {\n    "a": "1"\n  }\n}\n', kept: [] });
  const { text, kept } = extended('{"dev": {"a": "mine", "n": 1.5}}',
    { dev: { a: '1', b: '2' }, prod: {} });
  assert.deepEqual(JSON.parse(text), { dev: { a: 'mine', n: 1.5, b: '2' }, prod: {} });
  assert.deepEqual(kept, ['dev / a']);
  for (const [bad, reason] of [['{"a": 12345678901234567890}', /by hand/],
    ['{"a": 1.0}', /by hand/], ['{"a": 1, "a": 2}', /by hand/], ['[]', /not a JSON object/], ['{"a": 1,}', /not JSON/]]) {
    assert.throws(() => extended(bad, { dev: {} }), reason, bad);
  }
});

test('sent requests become a request file without credentials', () => {
  const entry = { method: 'POST', url: 'https://a.test/x?q=1', startTime: 1_700_000_000_000,
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer abc',
      'content-length': '8', 'X-Api-Key': 'k' }, body: '{"a": 1}' };
  const { text, count, left, hidden } = historyText([entry,
    { method: 'GET', url: 'https://a.test/', headers: {}, startTime: 'never' }]);
  assert.equal(text, ['### POST https://a.test/x, 2023-11-14T22:13:20.000Z',
    'POST https://a.test/x?q=1', 'Content-Type: application/json',
    'Authorization: {{authorization}}', 'X-Api-Key: {{x_api_key}}', '', '{"a": 1}', '',
    '### GET https://a.test/', 'GET https://a.test/', ''].join('\n'));
  assert.deepEqual([count, left, hidden], [2, 0, ['authorization', 'x_api_key']]);
});

test('what a request file would read as something else is left out', () => {
  const bad = [{ body: 'a\n### b' }, { body: '< ./file' }, { body: '{{x}}' }, { body: 'a\r\nb' },
    { body: '?? status == 200' }, { body: { stream: true } }, { url: 'https://a.test/ b' },
    { url: 'https://a.test/\nX: y' }, { method: 'GET x' }, { headers: { 'A B': 'c' } },
    { headers: { A: 'b\nC: d' } }, { headers: { A: '{{x}}' } }];
  const entry = { method: 'POST', url: 'https://a.test/', headers: {} };
  const entries = bad.map(each => ({ ...entry, ...each }));
  assert.deepEqual(historyText([...entries, null]),
    { text: '', count: 0, left: bad.length + 1, hidden: [] });
});

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const SETTINGS = {
  'rest-client.environmentVariables': { $shared: { path: 'found' },
    dev: { host: 'http://127.0.0.1:1', apiToken: 'tok-123456' } },
  'rest-client.timeoutinmilliseconds': 4000,
  'rest-client.fontSize': 20,
};

/** REST Client's place with one sent request. */
const restClientHome = (t, origin) => scratch(t, { 'rest-client/history.json': JSON.stringify([
  { method: 'GET', url: `${origin}/before`, headers: { Authorization: 'Basic abc' },
    startTime: 1_700_000_000_000 }]) });

editorTest('settings and history are taken over, once the user has seen what', async t => {
  const { origin } = await startServer(t);
  const { host, workspace } = await openFiles(t, { 'a.http': 'GET {{host}}/{{path}}\n',
    'http-client.env.json': `{"dev": {"host": "${origin}"}}` },
  { settings: SETTINGS, store: '.store', env: { XDG_STATE_HOME: restClientHome(t, origin),
    POSTKIT_HOME: scratch(t), DBUS_SESSION_BUS_ADDRESS: '' } });
  const read = name => JSON.parse(fs.readFileSync(path.join(workspace, name), 'utf8'));
  host.answer('quickPick', /Secrets/, pick => pick.items.filter(({ picked }) => picked)
    .map(({ handle }) => handle));
  host.answer('message', /Import from/, 'Import');
  await host.executeCommand('postkit.migrateFromRestClient');

  const question = host.messages.find(({ message }) => /Import from/.test(message));
  assert.match(question.detail,
    /write http-client\.env\.json, write http-client\.private\.env\.json,/);
  assert.deepEqual(read('http-client.env.json'),
    { dev: { host: origin }, $shared: { path: 'found' } });
  assert.deepEqual(read('http-client.private.env.json'), { dev: { apiToken: 'tok-123456' } });
  const report = [...host.documents.values()].find(({ languageId }) => languageId === 'markdown');
  assert.match(report.getText(), /http-client\.env\.json: dev \/ host/);
  assert.match(report.getText(), /rest-client\.fontSize/);
  assert.match(report.getText(), /\{\{authorization\}\}/);
  assert.ok(!/tok-123456|Basic abc/.test(report.getText()));

  host.answer('quickPick', /Collections/, 0);
  await host.executeCommand('postkit.showCollections');
  const pick = host.quickPicks.find(({ title }) => /Collections/.test(title ?? ''));
  assert.match(pick.items[0].label, /GET .*\/before/);
  assert.equal(pick.items[0].description, 'REST Client History');
});

editorTest('the import is offered once, where there is something to import', async t => {
  const files = { 'a.http': 'GET http://127.0.0.1:1/\n' };
  const offers = host => host.messages.filter(({ message }) => /of REST Client/.test(message));
  const { host } = await openFiles(t, files, { settings: SETTINGS });
  await host.waitFor(() => offers(host).length === 1, { what: 'the offer' });
  assert.deepEqual(offers(host)[0].items, ['Import Its Settings…', 'Not Now']);
  const storage = Object.fromEntries(host.storage);
  for (const options of [{ settings: SETTINGS, storage }, {},
    { settings: { 'rest-client.environmentVariables': { $shared: {} } } }]) {
    const { host: other } = await openFiles(t, files, options);
    assert.deepEqual(other.messages, []);
  }
});

editorTest('the offer leads to the import', async t => {
  const prepared = scratch(t, { 'a.http': 'GET http://127.0.0.1:1/\n' });
  const host = await startEditor(t, { workspace: prepared, settings: SETTINGS });
  host.answer('message', /of REST Client/, 'Import Its Settings…');
  host.answer('quickPick', /Secrets/, () => undefined);
  await host.openDocument(path.join(prepared, 'a.http'));
  await host.waitFor(() => host.quickPicks.length === 1, { what: 'the question about secrets' });
});

editorTest('nothing is written when the user backs out', async t => {
  const { host, workspace } = await openFiles(t, { 'a.http': 'GET http://127.0.0.1:1/\n' },
    { settings: SETTINGS });
  host.answer('quickPick', /Secrets/, pick => pick.items.map(({ handle }) => handle));
  await host.executeCommand('postkit.migrateFromRestClient');
  assert.equal(host.messages.filter(({ modal }) => modal).length, 1);
  assert.deepEqual(fs.readdirSync(workspace).filter(name => name.endsWith('.json')), []);
});
