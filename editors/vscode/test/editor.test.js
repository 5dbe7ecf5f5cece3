'use strict';
// The main job in the genuine extension host with the real program: write, complete, send, see the
// answer, find it again. Each step is what a user does.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { binary, LIMIT, needsEditor, PATIENCE, scratch, startEditor, startServer }
  = require('./support');

/** A workspace with one request file against a loopback server, opened in the editor. */
async function openRequests(t, lines, more = {}) {
  const server = await startServer(t);
  const text = [`@host = ${server.origin}`, '', ...lines, ''].join('\n');
  const workspace = scratch(t, { 'requests.http': text, ...more.files });
  const host = await startEditor(t, { workspace, ...more.options });
  const file = path.join(workspace, 'requests.http');
  const document = await host.openDocument(file);
  await host.waitForProvider('completion', file);
  return { server, workspace, host, file, document };
}

const cursorAt = (host, file, document, text) => host.setSelection(file, document.find(text));
const responses = host => [...host.documents.values()].filter(d => d.uri.scheme === 'postkit');
const waitForHint = (host, file, pattern) => host.waitFor(
  async () => (await host.inlayHints(file)).find(hint => pattern.test(hint.label)),
  { what: `an inlay hint like ${pattern}` });
const environmentText = host => host.statusBarItems()
  .find(item => item.command?.command === 'postkit.chooseEnvironment')?.text;
const waitForEnvironment = (host, text) => host.waitFor(
  () => environmentText(host) === `$(globe) ${text}`,
  { what: `the environment ${text} (now ${environmentText(host)})` });
const waitForSending = (host, value) => host.waitFor(
  () => host.contextKeys['postkit.isSending'] === value, { what: `isSending to be ${value}` });
const errors = host => host.messages.filter(message => message.severity === 'error');

const editorTest = (name, run) => test(name,
  { timeout: LIMIT, skip: needsEditor() }, run);

editorTest('send under the cursor: inline result, lens, response beside the request', async t => {
  const { server, host, file, document } = await openRequests(t,
    ['### First', 'GET {{host}}/first', '', '### Second', 'POST {{host}}/second',
      'Content-Type: application/json', '', '{"a": 1}']);
  const before = await host.codeLens(file);
  assert.ok(before.some(lens => lens.command.title.startsWith('Send')), JSON.stringify(before));

  await cursorAt(host, file, document, '"a"');
  await host.executeCommand('postkit.sendRequest');

  assert.deepEqual(server.requests.map(({ method, url, body }) => [method, url, body]),
    [['POST', '/second', '{"a": 1}']]);
  const [response] = responses(host);
  assert.match(response.key, /^postkit:\/response\/[0-9a-f-]{36}\/as\/[^/]+\.http$/);
  assert.match(decodeURIComponent(response.key), /\/\[Second\] 200 OK\.http$/, 'the tab says which');
  assert.match(response.getText(), /^HTTP\/1\.1 200 OK\n/m);
  assert.match(response.getText(), /"token": ?"abc"/);
  assert.equal(response.languageId, 'http');
  assert.equal(host.activeEditor.doc.key, document.key, 'the request keeps the focus');

  const hint = await waitForHint(host, file, /200/);
  assert.equal(document.lines[hint.position.line], 'POST {{host}}/second');
  assert.equal(hint.position.character, 'POST {{host}}/second'.length);
  await host.waitFor(async () => (await host.codeLens(file)).find(
    lens => /200/.test(lens.command?.title)), { what: 'a lens with the result' });
  assert.deepEqual(errors(host), []);
});

editorTest('the lens, the code action and the hint run without a plugin of their own', async t => {
  const { server, host, file, document } = await openRequests(t,
    ['### One', 'GET {{host}}/lens', '', '### Two', 'GET {{host}}/action']);
  const lens = (await host.codeLens(file)).find(item => item.command.title.startsWith('Send')
    && document.lines[item.range.start.line].includes('/lens'));
  await host.runCommand(lens.command);
  const at = document.find('/action');
  const action = (await host.codeActions(file, { start: at, end: at }))
    .find(item => item.title.startsWith('Send'));
  await host.applyCodeAction(action);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/lens', '/action']);
  assert.equal(responses(host).length, 2);

  assert.equal(host.activeEditor.doc.key, document.key);
  const hint = await waitForHint(host, file, /200/);
  const part = hint.parts.find(({ command }) => command);
  await host.runCommand(part.command);
  await host.waitFor(() => host.activeEditor.doc.uri.scheme === 'postkit',
    { what: 'the response in front: whoever asks for it reads it' });
  assert.equal(responses(host).length, 2);
});

editorTest('a name is defined in an environment, and a secret moves out of the file', async t => {
  const secret = 'abcdefghijklmnopqrstuvwxyz';
  const { host, file, document, workspace } = await openRequests(t,
    ['GET {{host}}/{{nope}}', `Authorization: Bearer ${secret}`],
    { files: { 'http-client.env.json': '{"dev": {}}', 'postkit.json': '{"environment": "dev"}' },
      options: { settings: { 'postkit.inlay.variables': 'url' } } });
  const choose = async (text, title) => {
    const at = document.find(text);
    const action = (await host.codeActions(file, { start: at, end: at }))
      .find(item => item.title === title);
    assert.ok(action, title);
    await host.applyCodeAction(action);
  };
  await choose('nope', 'Define `nope` in the environment `dev`');
  const environments = path.join(workspace, 'http-client.env.json');
  assert.deepEqual(JSON.parse(host.document(environments).getText()), { dev: { nope: '' } });
  await choose(secret, 'Move it to `http-client.private.env.json` as `token`');
  const own = path.join(workspace, 'http-client.private.env.json');
  assert.deepEqual(JSON.parse(host.document(own).getText()), { dev: { token: secret } });
  assert.match(document.getText(), /Authorization: Bearer \{\{token\}\}\n$/);
  const hint = await waitForHint(host, file, /not defined|= /);
  const { tooltip } = await host.resolveInlayHint(hint);
  assert.match(JSON.stringify(tooltip), /host/);
  assert.deepEqual(errors(host), []);
});

editorTest('completion: variables, dynamic variables, methods and headers', async t => {
  const { host, file, document } = await openRequests(t,
    ['### A', 'GET {{ho}}/a', 'Acc', '', '### B', 'PO']);
  const labels = async text => (await host.completion(file, document.find(text)))
    .map(item => item.label);
  const items = await host.completion(file, document.find('{{ho'));
  const variable = items.find(item => item.label === 'host');
  assert.ok(variable, JSON.stringify(items.map(({ label }) => label)));
  const { documentation, detail } = await host.resolveCompletion(variable);
  assert.match(`${documentation} ${detail}`, /127\.0\.0\.1/);
  await host.acceptCompletion(file, variable);
  assert.equal(document.lines[3], 'GET {{host}}/a');
  assert.ok((await labels('Acc')).includes('Accept'));
  assert.ok((await labels('PO')).includes('POST'));
  await host.setText(file, '@host = x\n\nGET {{$');
  assert.ok((await labels('{{$')).some(label => label.includes('$uuid')));
});

editorTest('diagnostics and hover follow the text', async t => {
  const { host, file, document } = await openRequests(t,
    ['### A', 'GET {{host}}/{{nowhere}}']);
  const [problem] = await host.waitForDiagnostics(file);
  assert.match(problem.message, /nowhere/);
  assert.equal(problem.source, 'postkit');
  assert.equal(document.getText(problem.range).replace(/[{}]/g, ''), 'nowhere');
  await host.edit(file, { range: problem.range, text: '{{host}}' });
  await host.waitForDiagnostics(file, list => list.length === 0);
  const at = document.find('{{ho');
  const [hover] = await host.hover(file, at);
  assert.match(hover.contents.join('\n'), /127\.0\.0\.1/);
  await host.edit(file, { range: { start: { line: 0, character: 8 },
    end: { line: 0, character: 99 } }, text: 'http://другой.example/ünï😀' });
  const [changed] = await host.hover(file, at);
  assert.match(changed.contents.join('\n'), /другой\.example\/ünï😀/);
});

editorTest('the environment is chosen, shown and used', async t => {
  const { server, workspace, host, file, document } = await openRequests(t,
    ['### A', 'GET {{host}}/{{where}}'], { files: { 'http-client.env.json': JSON.stringify({
      dev: { where: 'in-dev' }, prod: { where: 'in-prod' }, 'No environment': {} }) } });
  await waitForEnvironment(host, 'No environment');
  host.answer('quickPick', 'Environment', 'dev', { once: true });
  await host.executeCommand('postkit.chooseEnvironment');
  // To use none is offered once and first; an environment that is called like that is another.
  assert.deepEqual(host.quickPicks[0].items.map(({ label, description }) => [label, description]),
    [['No environment', 'active'], ['dev', ''], ['prod', ''], ['`No environment`', '']]);
  await waitForEnvironment(host, 'dev');
  await cursorAt(host, file, document, 'GET');
  await host.executeCommand('postkit.sendRequest');
  host.answer('quickPick', 'Environment', 'prod', { once: true });
  await host.executeCommand('postkit.chooseEnvironment');
  await waitForEnvironment(host, 'prod');
  await host.executeCommand('postkit.sendRequest');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/in-dev', '/in-prod']);
  await host.openDocument(path.join(workspace, 'http-client.env.json'));
  await host.closeDocument(document.uri);
  await host.waitFor(() => environmentText(host) === undefined, { what: 'the item to hide' });
});

editorTest('cancel: by command, and by the button of the progress', async t => {
  const { server, host, file, document } = await openRequests(t, ['### A', 'GET {{host}}/hang']);
  await cursorAt(host, file, document, 'GET');
  const first = host.executeCommand('postkit.sendRequest');
  const seen = await server.waitFor(({ url }) => url === '/hang');
  await waitForSending(host, true);
  await host.executeCommand('postkit.cancelSending');
  await first;
  await server.waitFor(request => request === seen && request.isClosed);
  await waitForHint(host, file, /cancel/i);
  await waitForSending(host, false);

  const second = host.executeCommand('postkit.sendRequest');
  await server.waitFor(request => request !== seen);
  const progress = await host.waitFor(
    () => host.progress.find(item => item.cancellable && !item.done), { what: 'the progress' });
  await host.cancelProgress(progress);
  await second;
  await server.waitFor(request => request !== seen && request.isClosed);
  await host.waitFor(() => progress.done, { what: 'the progress to end' });
  assert.deepEqual(errors(host), []);
});

editorTest('copy as curl, history, send all, last response', async t => {
  const { server, workspace, host, file, document } = await openRequests(t,
    ['### One', 'GET {{host}}/one', '', '### Two', 'GET {{host}}/two?q=1',
      'Authorization: Bearer copied-word']);
  await cursorAt(host, file, document, '/two');
  await host.executeCommand('postkit.copyRequestAsCurl');
  assert.match(host.clipboard, /^curl /);
  assert.ok(host.clipboard.includes(`${server.origin}/two?q=1`), host.clipboard);
  host.answer('quickPick', 'Copy as', 'Python');
  await host.executeCommand('postkit.copyRequestAs');
  assert.match(host.clipboard, /import requests/);
  assert.ok(host.clipboard.includes(`${server.origin}/two?q=1`), host.clipboard);
  assert.ok(!host.clipboard.includes('copied-word'), host.clipboard);
  host.answer('quickPick', 'with Secrets', 'Python');
  await host.executeCommand('postkit.copyRequestWithSecretsAs');
  assert.ok(host.clipboard.includes('copied-word'), host.clipboard);
  assert.deepEqual(server.requests, []);

  await host.executeCommand('postkit.sendAllRequests');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/one', '/two?q=1']);
  const rows = JSON.parse(execFileSync(binary,
    ['history', '--json', '--store', path.join(workspace, '.store')], { timeout: PATIENCE }));
  assert.deepEqual(rows.map(row => [row.state, row.status, row.url]),
    [['done', 200, `${server.origin}/two?q=1`], ['done', 200, `${server.origin}/one`]]);

  host.answer('quickPick', 'History', pick => pick.items.find(item => item.label.endsWith('/one')));
  await host.executeCommand('postkit.showHistory');
  const picks = host.quickPicks.at(-1).items;
  assert.deepEqual(picks.map(item => item.label),
    [`$(check) GET ${server.origin}/two?q=1`, `$(check) GET ${server.origin}/one`]);
  assert.match(picks[0].description, /200 OK {2}\d+ ms/);
  assert.equal(responses(host).length, 1);
  assert.ok(responses(host)[0].key.startsWith(`postkit:/response/${rows[1].id}/as/`));
  assert.match(responses(host)[0].getText(), /"path": ?"\/one"/);

  await host.openDocument(file);
  await cursorAt(host, file, document, '/two');
  await host.executeCommand('postkit.openResponse');
  await host.waitFor(() => responses(host).length === 2, { what: 'the response of /two' });
  assert.ok(responses(host)[1].key.startsWith(`postkit:/response/${rows[0].id}/as/`));
});

editorTest('the history is searched by the server, marked and sent again', async t => {
  const { server, host, file, document } = await openRequests(t,
    ['### One', 'POST {{host}}/one', '', 'needle in the body', '', '### Two', 'GET {{host}}/two']);
  await host.executeCommand('postkit.sendAllRequests');
  const labels = pick => pick.items.map(item => item.label.replace(/^\$\S+ /, ''));
  const one = `POST ${server.origin}/one`;
  let asked = 0;
  const first = press => pick => {
    asked += 1;
    if (asked % 2) return { typed: 'needle' };
    return { ...pick.items[0], press };
  };
  for (const press of ['Pin: never trimmed', 'Send again', undefined]) {
    host.answer('quickPick', 'History', first(press));
    await host.executeCommand('postkit.showHistory');
  }
  assert.deepEqual(host.quickPicks.map(labels), [
    [`GET ${server.origin}/two`, one], [one],
    [`GET ${server.origin}/two`, one], [one],
    [one, `GET ${server.origin}/two`, one], [one, one]]);
  assert.match(host.quickPicks[3].items[0].description, /\$\(pinned\)/);
  assert.deepEqual(server.requests.map(({ url, body }) => [url, body]),
    [['/one', 'needle in the body'], ['/two', ''], ['/one', 'needle in the body']]);
  const [response] = responses(host);
  host.answer('input', /Label/, 'odd one');
  const found = await host.codeActions(response.uri, { start: { line: 0, character: 0 },
    end: { line: 0, character: 0 } });
  await host.applyCodeAction(found.find(action => action.title === 'Label it…'));
  host.answer('quickPick', 'History', () => undefined);
  await host.executeCommand('postkit.showHistory');
  assert.ok(host.quickPicks.at(-1).items.some(item => /\[odd one\]/.test(item.description)));
  await host.openDocument(file);
  await cursorAt(host, file, document, 'needle');
  await host.executeCommand('postkit.showTimeline');
  await host.waitFor(() => host.activeEditor.doc.key.startsWith('postkit:/timeline/'),
    { what: 'the timeline' });
  assert.match(host.activeEditor.doc.getText(), /\[odd one\]/);
  assert.deepEqual(errors(host), []);
});

editorTest('a request is saved to a collection, opened, edited, saved and sent', async t => {
  const { server, host, file, document } = await openRequests(t,
    ['### Price', 'GET {{host}}/price']);
  await host.executeCommand('postkit.showCollections');
  assert.match(host.messages.at(-1).message, /No saved requests yet/);
  await host.setText(file, `### Price\nGET ${server.origin}/price\n`);
  await cursorAt(host, file, document, 'GET');
  host.answer('message', /Where should the request be saved/, items => items.items[0]);
  await host.executeCommand('postkit.saveToCollection');
  host.answer('quickPick', 'Collections', pick => ({ ...pick.items[0], press: 'Send' }));
  await host.executeCommand('postkit.showCollections');
  assert.equal(host.quickPicks.at(-1).items[0].label, '$(symbol-method) GET Price');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/price']);
  host.answer('quickPick', 'Collections', pick => pick.items[0]);
  await host.executeCommand('postkit.showCollections');
  const stored = await host.waitFor(
    () => [...host.documents.values()].find(({ uri }) => /view\/requests/.test(uri.path)),
    { what: 'the stored request' });
  await host.setText(stored.uri, `### Price\nGET ${server.origin}/changed\n`);
  await host.saveDocument(stored.uri);
  await host.waitFor(async () => {
    await host.executeCommand('postkit.showCollections');
    return /changed/.test(host.quickPicks.at(-1).items[0].detail);
  }, { what: 'the new text in the collections' });
  await cursorAt(host, stored.uri, stored, 'GET');
  await host.executeCommand('postkit.sendRequest');
  assert.equal(server.requests.at(-1).url, '/changed');
  assert.deepEqual(errors(host), []);
});

editorTest('a folder comes in as a collection, the history goes out as a file', async t => {
  const { workspace, host, file, document } = await openRequests(t, ['### A', 'GET {{host}}/a'],
    { files: { 'in/one.http': '### One\nGET http://127.0.0.1:1/one\n' } });
  host.answer('dialog', undefined,
    dialog => path.join(workspace, dialog.kind === 'open' ? 'in' : 'out.har'));
  const told = () => host.messages.at(-1).message;
  host.answer('quickPick', 'PostKit: Import', 'Folder');
  await host.executeCommand('postkit.importFolder');
  assert.equal(told(), 'PostKit: 1 request imported.');
  host.answer('message', /Overwrite it/, 'Overwrite');
  host.answer('quickPick', 'PostKit: Import', 'Folder');
  await host.executeCommand('postkit.importFolder');
  assert.match(told(), /^PostKit: \d requests? imported/);
  assert.match(host.messages.at(-2).message, /Overwrite it/);
  await cursorAt(host, file, document, 'GET');
  await host.executeCommand('postkit.sendRequest');
  host.answer('quickPick', 'Export History', 'HAR 1.2');
  await host.executeCommand('postkit.exportHistory');
  assert.equal(told(), 'PostKit: 1 exchange exported.');
  await host.executeCommand('postkit.exportHistory');
  assert.equal(told(), 'PostKit: 1 exchange exported.');
  const { log } = JSON.parse(fs.readFileSync(path.join(workspace, 'out.har'), 'utf8'));
  assert.match(log.entries[0].request.url, /\/a$/);
});

editorTest('cookies and session values are lists whose lines have actions', async t => {
  const { host, file, document } = await openRequests(t,
    ['### A', 'GET {{$exampleServer}}/cookies/set?flavour=plain']);
  await cursorAt(host, file, document, 'GET');
  await host.executeCommand('postkit.sendRequest');
  await host.executeCommand('postkit.showSessionValues');
  await host.waitFor(() => host.activeEditor.doc.key === 'postkit:/session',
    { what: 'the session values' });
  await host.executeCommand('postkit.showCookies');
  const list = await host.waitFor(
    () => host.activeEditor.doc.key === 'postkit:/cookies' && host.activeEditor.doc,
    { what: 'the cookies' });
  const at = list.find('flavour');
  const found = await host.codeActions(list.uri, { start: at, end: at });
  await host.applyCodeAction(found.find(action => /Delete the cookie/.test(action.title)));
  await host.waitFor(() => /No cookies yet/.test(list.getText()), { what: 'the list to follow' });
  assert.deepEqual(errors(host), []);
});

editorTest('what goes wrong is said once, with place or cause', async t => {
  const { server, host, file, document } = await openRequests(t,
    ['### A', 'GET {{host}}/{{nowhere}}', '', '### B', 'GET http://127.0.0.1:1/refused']);
  await cursorAt(host, file, document, 'GET');
  host.answer('message', /nowhere/, 'Show');
  await host.executeCommand('postkit.sendRequest');
  await host.waitFor(() => errors(host).length === 1, { what: 'an error message' });
  assert.match(errors(host)[0].message, /nowhere/);
  assert.deepEqual(server.requests, []);
  await host.waitFor(() => document.getText(selection(host, file)).includes('nowhere'),
    { what: 'the place to be selected' });

  await cursorAt(host, file, document, 'refused');
  await host.executeCommand('postkit.sendRequest');
  await waitForHint(host, file, /refused|failed/i);
  assert.match(responses(host)[0]?.getText() ?? errors(host)[1].message, /refused|connect/i);
});

editorTest('a question of the request is asked, and its answer is sent', async t => {
  const { server, host, file, document } = await openRequests(t,
    ['### A', '# @prompt code Your code', 'GET {{host}}/a?code={{code}}']);
  await cursorAt(host, file, document, 'GET');
  host.answer('input', /Your code/, '4711', { once: true });
  await host.executeCommand('postkit.sendRequest');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/a?code=4711']);
  await host.executeCommand('postkit.sendRequest');
  assert.equal(server.requests.length, 1, 'a dismissed question sends nothing');
});

function selection(host, file) {
  const [range] = host.editorOf(file).selections;
  return {
    start: { line: range.selectionStartLineNumber - 1, character: range.selectionStartColumn - 1 },
    end: { line: range.positionLineNumber - 1, character: range.positionColumn - 1 },
  };
}
