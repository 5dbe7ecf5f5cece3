'use strict';
// The response panel in the genuine extension host with the real program.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { binary, LIMIT, needsEditor, openFiles, scratch, startEditor, startServer }
  = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const shown = host => [...host.panels.values()][0];
const waitForPanel = (host, pattern) => host.waitFor(
  () => pattern.test(shown(host)?.html ?? ''), { what: `a panel with ${pattern}` });
const documents = host => [...host.documents.values()].filter(d => d.uri.scheme === 'postkit');

editorTest('a response opens in the panel by command, beside the request', async t => {
  const server = await startServer(t);
  const { workspace, host, file, document } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/one?x=<b>\n\n?? status == 200\n?? body path == /two\n` });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  assert.equal(host.panels.size, 0, 'responses are documents unless somebody asks');
  assert.equal(documents(host).length, 1);

  await host.executeCommand('postkit.showResponsePanel');
  await waitForPanel(host, /Tests \(1 failed\)/);
  const panel = shown(host);
  assert.deepEqual([panel.viewType, panel.title], ['postkit.response', '[One] 200 OK']);
  assert.deepEqual([panel.options.enableScripts, panel.options.localResourceRoots,
    panel.options.enableCommandUris], [true, [], false]);
  assert.equal(panel.show.preserveFocus, true);
  assert.match(panel.html, /\/one\?x=(&lt;b&gt;|%3Cb%3E)/);
  assert.match(panel.html, /<code>body path == \/two<\/code>/);
  assert.match(panel.html, /Wait for the first byte/);
  assert.equal(documents(host).length, 1, 'no second document');

  await host.postFromPanel(panel, { act: 'copy' });
  await host.waitFor(() => host.clipboard, { what: 'the body on the clipboard' });
  const copied = JSON.stringify({ path: server.requests[0].url, token: 'abc' });
  assert.equal(host.clipboard, copied);

  // From the response that is open as text, too.
  await host.closePanel(panel);
  await host.openDocument(documents(host)[0].uri);
  host.clipboard = '';
  await host.executeCommand('postkit.copyBody');
  assert.equal(host.clipboard, copied);
  await host.openDocument(file);
  host.answer('dialog', undefined, () => path.join(workspace, 'body.json'));
  await host.executeCommand('postkit.saveBody');
  assert.match(host.messages.pop().message, /Open a response first/);
  await host.openDocument(documents(host)[0].uri);
  await host.executeCommand('postkit.saveBody');
  assert.equal(fs.readFileSync(path.join(workspace, 'body.json'), 'utf8'), copied);
  await host.executeCommand('postkit.showResponsePanel');
  await waitForPanel(host, /\/one/);
  assert.deepEqual(host.messages, []);
});

editorTest('the buttons of the panel: again, as text, compare', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/one\n` }, { settings: { 'postkit.responsePanel': 'always' } });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  await waitForPanel(host, /shown here/);
  assert.equal(documents(host).length, 0);
  const panel = shown(host);

  await host.postFromPanel(panel, { act: 'resend' });
  await server.waitFor(() => server.requests.length === 2);
  await waitForPanel(host, /data-act="compare"/);
  assert.equal(host.panels.size, 1, 'the panel is used again');

  await host.postFromPanel(panel, { act: 'text' });
  await host.waitFor(() => documents(host).length === 1, { what: 'the response as a document' });
  const [, older] = /data-act="compare" data-id="([0-9a-f-]{36})"/.exec(panel.html);
  await host.postFromPanel(panel, { act: 'compare', id: older });
  await host.waitFor(() => host.builtinCalls.some(({ id }) => id.endsWith('.diff')),
    { what: 'a comparison' });
  const count = host.builtinCalls.length;
  await host.postFromPanel(panel, { act: 'compare', id: 'somewhere else' });
  await host.postFromPanel(panel, { act: 'command', id: 'workbench.action.quit' });
  assert.equal(host.builtinCalls.length, count, 'only what the page shows can be asked for');
  await host.closePanel(panel);
});

editorTest('the body is saved where the dialog says', async t => {
  const server = await startServer(t);
  const { workspace, host, file, document } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/shop/one?x=1\n\n### Two\nGET http://127.0.0.1:1/\n`,
  'there.json': 'old' },
  { settings: { 'postkit.responsePanel': 'always' } });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  await waitForPanel(host, /Save Body/);
  const asked = [];
  const choose = target => host.answer('dialog', undefined, dialog => {
    asked.push(dialog);
    return target && path.join(workspace, target);
  }, { once: true });
  for (const target of [undefined, 'there.json']) {
    choose(target);
    await host.postFromPanel(shown(host), { act: 'save' });
    await host.waitFor(() => asked.length === (target ? 2 : 1), { what: 'the dialog' });
    if (!target) assert.equal(fs.readFileSync(path.join(workspace, 'there.json'), 'utf8'), 'old');
  }
  await host.waitFor(() => /Saved \d+ B to .*there\.json/.test(
    host.statusBarItems().map(({ text }) => text).join()), { what: 'the word that it is there' });
  assert.deepEqual(JSON.parse(fs.readFileSync(path.join(workspace, 'there.json'), 'utf8')),
    { path: '/shop/one?x=1', token: 'abc' });
  assert.match(JSON.stringify(asked[0].defaultUri), /\/one\.json"/);
  assert.deepEqual(host.messages, []);
  // Where nothing came nobody is asked for a place first.
  await host.setSelection(file, document.find(':1/'));
  await host.executeCommand('postkit.sendRequest');
  await host.waitFor(() => /No connection/.test(shown(host).html), { what: 'the failure' });
  assert.doesNotMatch(shown(host).html, /Save Body/);
  const failed = await host.waitFor(async () => (await host.treeItems('postkit.views.history'))
    .find(({ icon }) => icon === 'error'), { what: 'it in the history' });
  await host.treeCommand('postkit.views.history', 'postkit.saveExchangeBody', failed);
  assert.equal(asked.length, 2);
  assert.match(host.messages.at(-1).message, /No body to save\. No connection to 127\.0\.0\.1:1/);
});

editorTest('a response that a window shows when it is opened again has its text', async t => {
  const server = await startServer(t);
  const workspace = scratch(t, { 'a.http': `GET ${server.origin}/before\n` });
  const store = path.join(workspace, '.store');
  const run = promisify(execFile);
  await run(binary, ['run', path.join(workspace, 'a.http'), '--store', store]);
  const { stdout } = await run(binary, ['history', '--json', '--store', store]);
  const host = await startEditor(t, { workspace });
  assert.equal(host.isActive(), false);
  await host.activateByEvent('onFileSystem:postkit');
  const [{ id }] = JSON.parse(stdout);
  const document = await host.openDocument(
    `postkit:/response/${id}.http`, undefined, undefined, { activate: false });
  assert.match(document.getText(), /"path": ?"\/before"/);
});

editorTest('by default only what is more than text opens in the panel', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### Text\nGET ${server.origin}/json\n\n### Page\nGET ${server.origin}/page.html\n` });
  await host.setSelection(file, document.find('json'));
  await host.executeCommand('postkit.sendRequest');
  assert.deepEqual([host.panels.size, documents(host).length], [0, 1]);
  await host.setSelection(file, document.find('page'));
  await host.executeCommand('postkit.sendRequest');
  await waitForPanel(host, /<iframe sandbox=""/);
  assert.equal(documents(host).length, 1);
});

editorTest('the panel shows what a path selects, or why it selects nothing', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/one\n` }, { settings: { 'postkit.responsePanel': 'always' } });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  await waitForPanel(host, /id="filter"/);
  const panel = shown(host);
  const ask = async path => {
    const count = panel.received.length;
    await host.postFromPanel(panel, { act: 'filter', path });
    await host.waitFor(() => panel.received.length > count, { what: `an answer to ${path}` });
    return panel.received.at(-1);
  };
  assert.equal((await ask('$.path')).text.trim(), '"/one"');
  const { problem } = await ask('$.[');
  assert.match(problem, /^Invalid JSONPath `\$\.\[`: /);
});

editorTest('a stream is shown in the panel as it comes, then as what it came to', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### One\nGET ${server.origin}/events\n` },
  { settings: { 'postkit.responsePanel': 'always' } });
  await host.setSelection(file, document.find('GET'));
  const sent = host.executeCommand('postkit.sendRequest');
  await waitForPanel(host, /aria-busy="true"/);
  const panel = shown(host);
  assert.deepEqual([panel.title, panel.show.preserveFocus], ['GET …', true]);
  await host.postFromPanel(panel, { act: 'ready' });
  await host.waitFor(() => panel.received.some(({ text }) => text === 'data: one\n\n'),
    { what: `its first part (now ${JSON.stringify(panel.received)})` });
  assert.match(panel.received.at(-1).words, /^receiving… 200 {2}11 B {2}\d\.\d s$/);
  // What the page of a finished response can ask for, this one can't.
  const calls = host.builtinCalls.length;
  for (const act of ['resend', 'text', 'save', 'filter']) await host.postFromPanel(panel, { act });
  assert.equal(host.builtinCalls.length, calls);
  server.release();
  await sent;
  await waitForPanel(host, /data: one[^]*data: two/);
  assert.doesNotMatch(panel.html, /aria-busy/);
  assert.deepEqual([host.panels.size, documents(host).length, server.requests.length], [1, 0, 1]);

  const again = host.executeCommand('postkit.sendRequest');
  await waitForPanel(host, /aria-busy="true"/);
  await host.postFromPanel(panel, { act: 'cancel' });
  await again;
  await waitForPanel(host, /cancelled/i);
  assert.deepEqual(host.messages, []);
});

editorTest('a response that the panel can not show opens as a document all the same', async t => {
  const server = await startServer(t);
  const settings = { 'postkit.responsePanel': 'always' };
  const { tap, host, file, document } = await openTapped(t, { 'a.http':
    `### One\nGET ${server.origin}/one\n` }, '', { settings });
  // As a program would that is older than the panel.
  await tap.answer('postkit/exchange', { encoding: 'utf-8', data: 'HTTP/1.1 200', offset: 0,
    total: 12, eof: true, contentType: null });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  assert.deepEqual([host.panels.size, documents(host).length], [0, 1]);

  await host.executeCommand('postkit.showResponsePanel');
  await host.waitFor(() => documents(host).length === 1 && host.messages.some(
    ({ severity, message }) => severity === 'error' && /response panel/.test(message)),
  { what: 'a message that says why there is no panel' });
});

editorTest('a long JSON body is turned page by page', async t => {
  const server = await startServer(t, {
    body: JSON.stringify({ items: Array.from(
      { length: 30_000 }, (_, id) => ({ id, name: 'one of many items' })) }) });
  const { host, file, document } = await openFiles(t, { 'a.http': `GET ${server.origin}/long\n` });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  const [response] = documents(host);
  await host.openDocument(response.uri);
  const first = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const action = (await host.codeActions(response.uri, first)).find(
    ({ title }) => title === 'Show the body alone');
  await host.applyCodeAction(action);
  const page = () => host.activeEditor.doc;
  const shows = async (pattern, what) => {
    await host.waitFor(() => pattern.test(page().getText().split('\n')[0]), { what });
    // The window is in front of the extension by a message; after this both know it.
    await host.openDocument(page().uri);
  };
  await shows(/page 1 of \d+/i, 'the first page');
  await host.executeCommand('postkit.nextPage');
  await shows(/page 2 of \d+.*items\[\d+\]/i, 'the second page');
  await host.executeCommand('postkit.previousPage');
  await shows(/page 1 of/i, 'the first page again');
  await host.executeCommand('postkit.previousPage');
  await host.waitFor(() => host.statusBarItems().some(
    ({ text }) => text === 'PostKit: This is the first page.'), { what: 'the word at the start' });

  // The outline is of the page that is shown; the list is of all pages.
  const names = async () => (await host.documentSymbols(page().uri)).flatMap(
    ({ name, children }) => [name, ...children.map(child => child.name)]);
  assert.deepEqual(await names(), ['Body', 'items']);
  host.answer('quickPick', 'Go to Page', pick => pick.items.at(-1));
  await host.executeCommand('postkit.goToPage');
  const { items } = host.quickPicks.at(-1);
  assert.deepEqual([items[0].label, items[0].description],
    ['from $', `page 1 of ${items.length} · shown now`]);
  const last = items.at(-1);
  assert.match(last.label, /^from \$\.items\[\d+\]$/);
  await shows(new RegExp(`^# Page ${items.length} of ${items.length}, `), 'the last page');
  assert.ok(page().getText().split('\n')[0].includes(`, ${last.label}.`));
  const [{ children: [{ children }] }] = await host.documentSymbols(page().uri);
  assert.equal(`from $.items${children[0].name}`, last.label);
  host.answer('quickPick', 'Go to Page', () => undefined);
  await host.executeCommand('postkit.goToPage');
  assert.equal(host.quickPicks.at(-1).items.at(-1).description,
    `page ${items.length} of ${items.length} · shown now`);

  await host.openDocument(file);
  await host.executeCommand('postkit.goToPage');
  await host.waitFor(() => host.statusBarItems().some(
    ({ text }) => text.startsWith('PostKit: Open a long JSON body')), { what: 'what to do' });
  assert.deepEqual(host.messages, []);
});

editorTest('a request that is not sent leaves earlier responses in grey', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `GET ${server.origin}/one\n\n###\nGET ${server.origin}/{{nowhere}}\n` });
  const send = async place => {
    await host.setSelection(file, document.find(place));
    await host.executeCommand('postkit.sendRequest');
  };
  await send('/one');
  const editor = host.editorOf(documents(host)[0].uri);
  /** The ranges that are drawn so, each with what stands before it. */
  const drawn = color => [...host.decorationTypes].filter(([, { options }]) =>
    (options.color ?? options.before?.color)?.id === color).flatMap(
    ([key]) => editor.decorations.get(key) ?? []);
  const grey = () => drawn('disabledForeground');
  const sentences = () => drawn('editorError.foreground').map(
    ({ renderOptions }) => renderOptions.before.contentText);
  assert.deepEqual([grey(), sentences()], [[], []]);

  await send('{{nowhere}}');
  await host.waitFor(() => grey().length === 1, { what: 'the earlier response in grey' });
  const [{ startLineNumber, endLineNumber }] = grey().map(({ range }) => range);
  assert.deepEqual([startLineNumber, endLineNumber],
    [1, documents(host)[0].getText().split('\n').length]);
  await host.waitFor(() => sentences().length === 1, { what: 'the reason' });
  assert.match(sentences()[0], /^Not sent: `nowhere` is not defined/);

  // The panel says it too, until something is sent.
  await host.openDocument(file);
  await send('/one');
  await host.waitFor(() => grey().length + sentences().length === 0, { what: 'its colours' });
  await host.executeCommand('postkit.showResponsePanel');
  await waitForPanel(host, /\/one/);
  const isOutdated = /<p id="reason" role="alert">[^]*<main class="outdated">/;
  assert.doesNotMatch(shown(host).html, isOutdated);
  await host.openDocument(file);
  await send('{{nowhere}}');
  await waitForPanel(host, isOutdated);
  assert.match(shown(host).html, /Not sent: `nowhere` is not defined/);
  await send('/one');
  await host.waitFor(() => !isOutdated.test(shown(host).html), { what: 'the panel as it was' });
  assert.equal(host.messages.length, 2, 'each refusal is told once');
});
