'use strict';
// Collections of other tools come in, in the genuine extension host with the real program.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { LIMIT, needsEditor, scratch, startEditor } = require('./support');

test('what another tool keeps comes in as request files, with a report',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const item = { name: 'List', request: { method: 'GET', url: 'http://a.test/list' } };
  const workspace = scratch(t, {
    'requests.http': 'GET http://a.test/\n',
    'from/shop.json': JSON.stringify({ info: { name: 'Shop', schema }, item: [item] }),
  });
  const host = await startEditor(t, { workspace });
  const opened = path.join(workspace, 'requests.http');
  await host.openDocument(opened);
  await host.waitForProvider('completion', opened);
  host.answer('dialog', undefined, dialog => path.join(
    workspace, ...dialog.title === 'Import' ? ['from', 'shop.json'] : []));
  host.answer('quickPick', 'PostKit: Import', 'File');
  host.answer('message', /Imported 1 request of Shop into Shop/, 'Show Report');
  await host.executeCommand('postkit.importFolder');
  const file = path.join(workspace, 'Shop', 'Shop.http');
  assert.match(fs.readFileSync(file, 'utf8'), /^### List\nGET http:\/\/a\.test\/list\n/);
  await host.waitFor(
    () => [...host.documents.values()].some(it => /created Shop\/Shop\.http/.test(it.getText())),
    { what: 'the report' });
  // Again it is the same folder, which an import has made.
  host.answer('dialog', undefined, dialog => path.join(
    workspace, ...dialog.title === 'Import' ? ['from', 'shop.json'] : ['Shop']));
  host.answer('quickPick', 'PostKit: Import', 'File');
  host.answer('message', /Imported 1 request of Shop into Shop/, undefined);
  await host.executeCommand('postkit.importFolder');
  assert.deepEqual(host.messages.filter(it => it.severity === 'error'), []);
});

test('a URL is fetched, and so is what a description names, where the user says so',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
  const page = '{"name": "page", "in": "query", "required": true, "example": 7}';
  const server = http.createServer((request, response) => response.end(
    request.url === '/api.yaml' ? description('page.json') : page));
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${server.address().port}`;
  const description = reference => `openapi: 3.0.0
info: {title: Far, version: "1"}
servers: [{url: "http://a.test"}]
paths:
  /users:
    get: {parameters: [{$ref: "${reference}"}], responses: {}}
`;
  const workspace = scratch(t, {
    'requests.http': 'GET http://a.test/\n',
    'from/api.yaml': description(`${url}/page.json`),
  });
  const host = await startEditor(t, { workspace });
  const opened = path.join(workspace, 'requests.http');
  await host.openDocument(opened);
  await host.waitForProvider('completion', opened);
  const text = folder => fs.readFileSync(
    path.join(workspace, folder, 'Far', 'users.http'), 'utf8');
  host.answer('dialog', undefined, () => workspace);
  host.answer('quickPick', 'PostKit: Import', 'URL');
  host.answer('input', /URL/, `${url}/api.yaml`);
  host.answer('message', /Imported 1 request of Far/, undefined);
  await host.executeCommand('postkit.importFolder');
  assert.match(text('.'), /page=7/);
  fs.rmSync(path.join(workspace, 'Far'), { recursive: true });
  host.answer('dialog', undefined, dialog => path.join(
    workspace, ...dialog.title === 'Import' ? ['from', 'api.yaml'] : []));
  host.answer('quickPick', 'PostKit: Import', 'File');
  host.answer('message', /Imported 1 request of Far/, 'Fetch the Rest', { once: true });
  await host.executeCommand('postkit.importFolder');
  await host.waitFor(() => /page=7/.test(text('.')), { what: 'what is fetched' });
});
