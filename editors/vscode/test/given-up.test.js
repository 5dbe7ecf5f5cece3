'use strict';
// What the window loses interest in: a folder that leaves it, and questions about what was shown.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { LIMIT, needsEditor, scratch, startServer } = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);

editorTest('a folder that leaves the window is searched no more', async t => {
  const { tap, host, file } = await openTapped(t, {
    'a.http': '### first\nGET http://a\n', 'http-client.env.json': '{"one": {}}',
    'postkit.json': '{"environment": "one"}' });
  const other = scratch(t, {
    'b.http': '### second\nGET http://b/{{where}}\n', 'postkit.json': '{"environment": "two"}',
    'http-client.env.json': '{"two": {"where": "there"}}' });
  await host.addFolder(other);
  const names = async () => (await host.workspaceSymbols('')).map(({ name }) => name);
  await host.waitFor(async () => (await names()).includes('second'), { what: 'its requests' });
  const document = await host.openDocument(path.join(other, 'b.http'));
  await host.waitFor(() => host.statusBarItems().some(({ text }) => text.includes('two')),
    { what: 'its environment' });
  await host.closeDocument(document.uri);
  await host.removeFolder(other);
  await host.waitFor(async () => !(await names()).includes('second'), { what: 'them to go' });
  assert.ok((await names()).includes('first'));
  const told = tap.read().filter(({ method }) => method === 'workspace/didChangeWorkspaceFolders');
  assert.deepEqual(told.at(-1).params.event,
    { added: [], removed: [{ uri: `file://${other}`, name: path.basename(other) }] });
  await host.openDocument(file);
  await host.waitFor(() => host.statusBarItems().some(({ text }) => text.includes('one')),
    { what: 'the environment of the folder that stays' });
});

editorTest('a question about what was shown is cancelled at the server, too', async t => {
  const server = await startServer(t);
  const { tap, host, file } = await openTapped(t, {
    'a.http': '# @name login\nPOST http://a/{{nope}}/{{host}}\n\n###\n# @name next\n'
      + `GET http://b/{{login.response.body.$.id}}\n\n###\nGET ${server.origin}/sent\n`,
    'http-client.env.json': '{"dev": {"host": "h"}}', 'postkit.json': '{"environment": "dev"}' },
  '[a-zA-Z]+/resolve|callHierarchy/.*', { settings: { 'postkit.inlay.variables': 'all' } });
  // The lens of a result alone is worked out late.
  await host.setSelection(file, { line: 8, character: 0 });
  await host.executeCommand('postkit.sendRequest');
  await host.openDocument(file);
  const nope = { line: 1, character: 18 };
  const [login] = await host.callHierarchy(file, { line: 5, character: 16 });
  const actions = await host.codeActions(file, { start: nope, end: nope });
  const [symbol] = await host.workspaceSymbols('login');
  const hints = await host.inlayHints(file);
  const [completed] = await host.completion(file, { line: 1, character: 16 });
  const questions = {
    'completionItem/resolve': o => host.resolveCompletion(completed, o),
    'codeAction/resolve': o => host.resolveCodeAction(
      actions.find(({ title }) => title.startsWith('Define `nope` in the environment')), o),
    'codeLens/resolve': o => host.codeLens(file, o),
    'inlayHint/resolve': o => host.resolveInlayHint(hints.find(({ label }) => label === ' = h'), o),
    'documentLink/resolve': o => host.documentLinks(file, o),
    'workspaceSymbol/resolve': o => host.resolveWorkspaceSymbol(symbol, o),
    'callHierarchy/incomingCalls': o => host.incomingCalls(login, o),
    'callHierarchy/outgoingCalls': o => host.outgoingCalls(login, o),
  };
  const find = test => host.waitFor(() => tap.read().find(
    message => message.from === 'client' && test(message)), { what: `a message ${test}` });
  for (const [method, ask] of Object.entries(questions)) {
    const cancel = new AbortController();
    const answer = ask({ signal: cancel.signal }).catch(error => error);
    const asked = await find(message => message.method === method);
    cancel.abort();
    await find(message => message.method === '$/cancelRequest' && message.params.id === asked.id);
    await answer;
  }
  assert.deepEqual(host.messages, []);
});
