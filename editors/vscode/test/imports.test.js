'use strict';
// Collections of other tools come in, in the genuine extension host with the real program.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
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
