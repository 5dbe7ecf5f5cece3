'use strict';
// What every editor has to do (editors/README.md) and no other file of this folder tries: opening,
// editing beyond ASCII, one place for responses, failures, a server that dies while it sends, help.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { binary, extensionPath, LIMIT, needsEditor, openFiles, startServer } = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const at = (line, character) => ({ line, character });
const here = (line, character) => ({ start: at(line, character), end: at(line, character) });
const hintLike = (host, file, pattern) => host.waitFor(
  async () => (await host.inlayHints(file)).find(({ label }) => pattern.test(label)),
  { what: `a hint like ${pattern}` });
const responses = host => [...host.documents.keys()].filter(
  key => key.startsWith('postkit:/response/'));

editorTest('files .http and .rest are request files, and opening them sends nothing', async t => {
  const server = await startServer(t);
  const text = `@a = one\n\nGET ${server.origin}/{{a}}\n`;
  const { workspace, host, file, document } = await openFiles(
    t, { 'a.http': text, 'b.rest': text });
  const other = await host.openDocument(path.join(workspace, 'b.rest'));
  for (const each of [document, other]) {
    assert.equal(each.languageId, 'http');
    const [hover] = await host.hover(each.uri, each.find('{{a', { before: true }));
    assert.match(hover.contents.join('\n'), /one/, 'the server has its text');
  }
  await host.codeLens(file);
  await host.inlayHints(file);
  assert.deepEqual(server.requests, []);
});

editorTest('after every edit the server has the text of the editor', async t => {
  const { tap, host, file, document, uri } = await openTapped(t,
    { 'a.http': '### Eins\nGET http://a/ünï😀/{{x}}\nX: y\n' });
  const same = async what => {
    const { result } = await tap.query('postkit/debug/text', {
      textDocument: { uri: uri('a.http') } });
    assert.equal(result.text, document.getText(), what);
  };
  await same('opened');
  for (const letter of 'né😀w\n') {
    const place = document.find('ünï😀');
    await host.edit(file, { range: { start: place, end: place }, text: letter });
    await same(`typed ${JSON.stringify(letter)}`);
  }
  const before = document.getText();
  const [start, end] = [document.find('ünï', { before: true }), document.find('w😀')];
  await host.edit(file, { range: { start, end }, text: '' });
  await same('deleted');
  await host.edit(file, { range: document.fullRange(), text: before });
  await same('undone');
  await host.edit(file, { range: here(0, 0), text: '# a\r\n# 😀😀\r\n\r\n' });
  await same('pasted with other line ends');
  await host.edit(file, [{ range: { start: at(0, 0), end: at(0, 3) }, text: '#' },
    { range: here(4, 0), text: 'PUT http://ä\n' }, { range: here(5, 0), text: 'Ä: {{ö}}\n' }]);
  await same('edited by three cursors');
  await host.saveDocument(file);
  await same('saved');
});

editorTest('places are exact behind what is not ASCII', async t => {
  const { host, file, document } = await openFiles(t, {
    'a.http': '@wörd = v\n\nGET http://a/ünï😀/{{wörd}}/{{nöpe}}/{{wö\nX: ünï😀 {{nöpe}}\n' });
  const problems = await host.waitForDiagnostics(file, list => list.length > 1);
  const marked = problems.map(({ range }) => document.getText(range).replace(/[{}]/g, ''));
  assert.deepEqual(marked.filter(text => text === 'nöpe').length, 2, marked.join());
  const [hover] = await host.hover(file, document.find('😀/{{w'));
  assert.equal(document.getText(hover.range).replace(/[{}]/g, ''), 'wörd');
  assert.match(hover.contents.join('\n'), /`v`[^]*from this file, line 1/);
  const items = await host.completion(file, document.find('/{{wö', { occurrence: 2 }));
  await host.acceptCompletion(file, items.find(({ label }) => label === 'wörd'));
  assert.equal(document.lines[2], 'GET http://a/ünï😀/{{wörd}}/{{nöpe}}/{{wörd}}');
  const [definition] = await host.definition(file, document.find('😀/{{w'));
  assert.equal(document.getText(definition.targetSelectionRange), 'wörd');
  await host.edit(file, { range: document.fullRange(),
    text: document.getText().replaceAll('{{nöpe}}', 'x') });
  await host.waitForDiagnostics(file, list => list.length === 0);
});

editorTest('responses open beside the request, each where the one before was', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, {
    'a.http': `### A\nGET ${server.origin}/a\n\n### B\nGET ${server.origin}/b\n` });
  for (const name of ['/a', '/b']) {
    await host.setSelection(file, document.find(name));
    await host.executeCommand('postkit.sendRequest');
    assert.equal(host.activeEditor.doc.key, document.key, 'the cursor stays');
  }
  assert.equal(responses(host).length, 2);
  const [first, second] = host.calls.filter(({ method }) => method === '$tryShowTextDocument')
    .map(({ args: [shown, options] }) => ({ shown, ...options })).filter(
      ({ shown }) => shown.scheme === 'postkit');
  const BESIDE = -2;
  assert.deepEqual([first.position, first.preserveFocus, first.pinned], [BESIDE, true, false]);
  // The column of the response before, in which what is only looked at gives way to the next.
  const group = host._tabModel().find(
    ({ tabs }) => tabs.some(({ label }) => label === '[A] 200 OK.http'));
  assert.deepEqual([second.position, second.preserveFocus, second.pinned],
    [group.viewColumn, true, false]);
});

editorTest('a 404 and a closed port are failures in the line and in the list', async t => {
  const { host, file, document } = await openFiles(t, { 'a.http':
    '### A\nGET {{$exampleServer}}/status/404\n\n### B\nGET http://127.0.0.1:1/\n' });
  await host.setSelection(file, document.find('404'));
  await host.executeCommand('postkit.sendRequest');
  const missing = await hintLike(host, file, /404/);
  assert.equal(missing.position.line, 1);
  await host.setSelection(file, document.find(':1/'));
  await host.executeCommand('postkit.sendRequest');
  const closed = await hintLike(host, file, /refused|failed/i);
  assert.equal(closed.position.line, 4);
  const signs = () => host.decorations(file).filter(
    ({ options }) => options.after?.contentText === '✗');
  const [{ options, ranges }] = signs();
  assert.deepEqual([options.after.color.id, options.overviewRulerColor.id],
    ['editorError.foreground', 'editorError.foreground']);
  // Behind a range that is not empty VS Code draws before its hints.
  assert.deepEqual(ranges.map(({ range }) => document.getText(range)).toSorted(),
    ['GET http://127.0.0.1:1/', 'GET {{$exampleServer}}/status/404']);
  await host.edit(file, { range: here(0, 0), text: '# above\n\n' });
  await host.edit(file, { range: { start: document.find('status/404', { before: true }),
    end: document.find('status/404') }, text: 'status/200' });
  await host.setSelection(file, document.find('status/200'));
  await host.executeCommand('postkit.sendRequest');
  await hintLike(host, file, /200 OK/);
  assert.deepEqual(signs().flatMap(each => each.ranges).map(({ range }) => range.start.line), [6],
    'the sign goes when the failure does');
  const { tooltip } = await host.resolveInlayHint(closed);
  const told = `${host.messages.map(({ message }) => message).join()} ${JSON.stringify(tooltip)} ${
    responses(host).map(key => host.documents.get(key).getText()).join()}`;
  assert.match(told, /No connection to 127\.0\.0\.1:1 .*Check that the server runs/, 'why');
  const listed = await host.waitFor(async () => {
    const items = await host.treeItems('postkit.views.history');
    return items.length > 3 && items.filter(({ context }) => context === 'exchange');
  }, { what: 'all in the history' });
  assert.deepEqual(listed.map(({ icon, color }) => [icon, color]),
    [['pass', 'testing.iconPassed'], ['error', 'testing.iconFailed'],
      ['error', 'testing.iconFailed']]);
});

editorTest('a whole file has its results behind every request line', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http': ['a', 'b', 'c'].map(
    name => `### ${name}\nGET ${server.origin}/${name}\n`).join('\n') });
  await host.executeCommand('postkit.sendAllRequests');
  const lines = await host.waitFor(async () => {
    const found = (await host.inlayHints(file)).filter(({ label }) => /^200/.test(label));
    return found.length === 3 && found.map(({ position }) => document.lines[position.line]);
  }, { what: 'three results' });
  assert.deepEqual(lines.map(line => line.slice(-1)), ['a', 'b', 'c']);
});

editorTest('what became of each request has the words of the server, as in every editor', async t => {
  const fixtures = path.join(extensionPath, '..', 'fixtures');
  const table = JSON.parse(fs.readFileSync(path.join(fixtures, 'results.json'), 'utf8'));
  const { host, file } = await openFiles(t, {
    'a.http': fs.readFileSync(path.join(fixtures, 'results.http'), 'utf8') });
  const drawn = async ({ line }) => (await host.inlayHints(file)).find(
    ({ label, position }) => position.line === line && !label.startsWith(' '))?.label ?? '';
  const sent = host.executeCommand('postkit.sendAllRequests');
  await host.waitFor(async () => (await drawn(table.at(-2))).startsWith('sending…'),
    { what: 'the last one on its way' });
  await host.executeCommand('postkit.cancelSending');
  await sent;
  for (const row of table.filter(({ hint }) => hint)) {
    await host.waitFor(async () => new RegExp(row.words).test(await drawn(row)),
      { what: `${row.words} (of ${row.name})` });
  }
  const bad = host.decorations(file).filter(({ options }) => options.after?.contentText === '✗')
    .flatMap(({ ranges }) => ranges).map(({ range }) => range.start.line);
  assert.deepEqual(bad.toSorted((one, other) => one - other),
    table.filter(({ hint, mood }) => hint && mood === 'failed').map(({ line }) => line));
  // The list of the history and the status bar say the same.
  const items = await host.treeItems('postkit.views.history');
  const said = items.map(({ description }) => description).join('\n');
  for (const row of table.filter(({ mood }) => mood === 'done')) {
    assert.match(said, new RegExp(row.words.split('  ✓')[0], 'm'), row.name);
  }
});

editorTest('a response is compared with the one before', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, {
    'a.http': `### A\nGET ${server.origin}/a?n={{$randomInt}}\n` });
  for (let turn = 0; turn < 2; turn += 1) {
    await host.openDocument(file);
    await host.setSelection(file, document.find('/a'));
    await host.executeCommand('postkit.sendRequest');
  }
  await host.executeCommand('postkit.compareResponses');
  const shown = await host.waitFor(() => [...host.documents.values()].find(
    ({ uri }) => uri.scheme === 'postkit' && uri.path.startsWith('/diff')),
  { what: 'a comparison' });
  assert.match(shown.getText(), /^[-+].*\/a\?n=\d+/m);
  assert.deepEqual(host.messages, []);
});

editorTest('a server that dies while it sends leaves nothing behind, and comes again', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, {
    'a.http': `### A\nGET ${server.origin}/hang\n\n### B\nGET ${server.origin}/b\n` });
  await host.setSelection(file, document.find('/hang'));
  const sent = host.executeCommand('postkit.sendRequest');
  await server.waitFor(({ url }) => url === '/hang');
  const shown = await host.waitFor(() => host.progress[0], { what: 'the progress' });
  process.kill(host.children().find(({ cmd }) => cmd.endsWith(`${binary} lsp`)).pid, 'SIGKILL');
  await sent;
  await host.waitFor(() => shown.done, { what: 'the end of the progress' });
  await host.waitFor(() => host.contextKeys['postkit.isSending'] === false
    && host.decorations(file).every(({ ranges }) => ranges.length === 0)
    && !host.statusBarItems().some(({ text }) => /loading/.test(text)),
  { what: 'the line to be free' });
  const [told] = host.messages;
  assert.match(told.message, /It may have received your request: look before you send it again\./);
  assert.deepEqual(told.items, ['Show History']);
  await host.waitFor(() => host.providers('hover', file).length === 1, { what: 'another server' });
  await host.setSelection(file, document.find('/b'));
  await host.executeCommand('postkit.sendRequest');
  assert.equal(server.requests.at(-1).url, '/b');
  // What was sent last is known to the window, not to the server that is gone.
  await host.executeCommand('postkit.restartServer');
  await host.executeCommand('postkit.resendLast');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/hang', '/b', '/b']);
  assert.equal(host.messages.length, 1);
});

test('every setting, command and key is explained', () => {
  const { contributes } = require('../package.json');
  const page = fs.readFileSync(path.join(extensionPath, 'README.md'), 'utf8');
  const settings = contributes.configuration.flatMap(
    ({ properties }) => Object.entries(properties));
  for (const [id, setting] of settings) {
    assert.match(setting.markdownDescription ?? '', /^[A-Z`*][^]*\.$/, id);
    assert.equal(setting.enumDescriptions?.filter(text => /^[A-Z].*\.$/.test(text)).length,
      setting.enum?.length, `the choices of ${id}`);
  }
  const hidden = new Set(contributes.menus.commandPalette.filter(({ when }) => when === 'false')
    .map(({ command }) => command));
  // What is done in the lists stands in the menus of their items, in words.
  const inLists = new Set(contributes.menus['view/title'].map(({ command }) => command));
  const unknown = contributes.commands.filter(({ command, title }) => !hidden.has(command)
    && !inLists.has(command) && !page.includes(title.replace(/…$/, '')));
  assert.deepEqual(unknown.map(({ title }) => title), []);
  const written = page.toLowerCase().replaceAll('`', '');
  const keys = contributes.keybindings.map(({ key }) => key).filter(Boolean);
  assert.deepEqual(keys.filter(key => !written.includes(key)), []);
});
