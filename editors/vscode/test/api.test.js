'use strict';
// What another extension hears of sends: a second one, in the same extension host, writes it down.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { extensionPath, needsEditor, openFiles, scratch, startServer } = require('./support');

const editorTest = (name, run) => test(name, { timeout: 60_000, skip: needsEditor() }, run);
const LISTENER = `
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
exports.activate = async () => {
  const postkit = await vscode.extensions.getExtension('postkit.postkit').activate();
  const write = (name, event) => fs.appendFileSync(path.join(__dirname, 'heard'),
    JSON.stringify([name, { ...event, uri: event.uri?.toString() }]) + '\\n');
  postkit.onDidSend(event => write('sent', event));
  postkit.onDidReceive(event => write('received', event));
  write('version', { version: postkit.version, keys: Object.keys(postkit).sort() });
};
`;

/** The folder of an extension that listens, and what it has heard so far. */
function listener(t) {
  const folder = scratch(t, { 'main.js': LISTENER, 'package.json': JSON.stringify({
    name: 'listener', publisher: 'other', version: '1.0.0', engines: { vscode: '^1.85.0' },
    main: './main.js', activationEvents: ['onLanguage:http'],
    extensionDependencies: ['postkit.postkit'] }) });
  const file = path.join(folder, 'heard');
  // What stands behind the last end of a line is still being written.
  const heard = () => fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1)
    .map(line => JSON.parse(line)) : [];
  return { folder, heard };
}

editorTest('another extension hears what is sent and what came of it, and no secret', async t => {
  const server = await startServer(t);
  const { folder, heard } = listener(t);
  const { host, file, document, uri } = await openFiles(t, {
    'a.http': [`### A`, `GET ${server.origin}/a?{{token}}`, 'Authorization: {{token}}', '',
      '### B', 'GET http://127.0.0.1:1/', '', '### C', '# @note Really?', `GET ${server.origin}/c`,
      ''].join('\n'),
    'postkit.json': '{"environment": "dev"}', 'http-client.env.json': '{"dev": {}}',
    'http-client.private.env.json': '{"dev": {"token": "verysecret"}}' },
  { extension: [extensionPath, folder] });
  await host.waitFor(() => heard().length === 1, { what: 'the listener' });
  for (const text of ['/a', ':1/']) {
    await host.setSelection(file, document.find(text));
    await host.executeCommand('postkit.sendRequest');
  }
  await host.executeCommand('postkit.resendLast');
  // A no is no result.
  await host.setSelection(file, document.find('/c'));
  await host.executeCommand('postkit.sendRequest');
  host.answer('message', 'Really?', 'Send');
  await host.executeCommand('postkit.sendAllRequests');
  const events = await host.waitFor(() => heard().length === 12 && heard(), { what: 'all' });
  const line = at => [{ line: at, character: 0 }, { line: at, character: 0 }];
  const place = at => ({ uri: uri('a.http'), range: line(at) });
  const ids = events.filter(([name]) => name === 'received').map(([, { id }]) => id);
  assert.equal(new Set(ids.filter(id => /^[0-9a-f-]{36}$/.test(id))).size, 6, ids.join());
  const bare = events.map(([name, { id, ...rest }]) => [name, rest]);
  const [a, b, c] = [{ state: 'done', status: 200, ...place(1) }, { state: 'failed', ...place(5) },
    { state: 'done', status: 200, ...place(9) }];
  assert.deepEqual(bare, [
    ['version', { version: 1, keys: ['onDidReceive', 'onDidSend', 'version'] }],
    ['sent', place(1)], ['received', a], ['sent', place(5)], ['received', b],
    ['sent', {}], ['received', { state: 'failed' }], ['sent', place(9)],
    ['sent', { uri: uri('a.http') }], ['received', a], ['received', b], ['received', c]]);
  assert.doesNotMatch(JSON.stringify(events), /verysecret|127\.0\.0\.1/);
});
