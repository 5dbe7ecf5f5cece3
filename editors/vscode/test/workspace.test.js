'use strict';
// The extension and the server as partners: everything advertised is there, what is given up is
// cancelled, folders and files are followed, edits are refused for a text that is gone.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { binary, LIMIT, needsEditor, openFiles, scratch, startEditor, startServer }
  = require('./support');
const { makeTap } = require('./tap');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);

/** The kind of provider for each capability; what isn't in here fails the test below. */
const KINDS = {
  completionProvider: ['completion'], hoverProvider: ['hover'],
  documentSymbolProvider: ['documentSymbol'], codeActionProvider: ['codeAction'],
  codeLensProvider: ['codeLens'], inlayHintProvider: ['inlayHints'],
  documentFormattingProvider: ['format'], documentRangeFormattingProvider: ['rangeFormat'],
  documentOnTypeFormattingProvider: ['onTypeFormat'], documentLinkProvider: ['documentLink'],
  signatureHelpProvider: ['signatureHelp'], definitionProvider: ['definition'],
  typeDefinitionProvider: ['typeDefinition'], implementationProvider: ['implementation'],
  referencesProvider: ['references'],
  documentHighlightProvider: ['documentHighlight'], workspaceSymbolProvider: ['workspaceSymbol'],
  renameProvider: ['rename'], foldingRangeProvider: ['foldingRange'],
  selectionRangeProvider: ['selectionRange'], callHierarchyProvider: ['callHierarchy'],
  semanticTokensProvider: ['semanticTokens', 'rangeSemanticTokens'],
  // Neither is a provider in VS Code: they are tried in reading.test.js and editor.test.js.
  diagnosticProvider: [], executeCommandProvider: [],
};

editorTest('whatever the server advertises is registered, and taken back when it ends', async t => {
  const { tap, host, file } = await openTapped(t, { 'a.http': 'GET http://a\n' });
  const { capabilities } = tap.read().find(({ result }) => result?.capabilities).result;
  const advertised = Object.keys(capabilities).filter(name => name.endsWith('Provider'));
  const kinds = advertised.flatMap(name => KINDS[name] ?? assert.fail(`${name} is not registered`));
  assert.ok(kinds.length > 20, kinds.join());
  const registered = () => [...new Set([...host.registrations.values()].map(({ kind }) => kind))];
  assert.deepEqual(registered().sort(), kinds.sort());
  assert.deepEqual(kinds.filter(kind => host.providers(kind,
    kind === 'workspaceSymbol' ? undefined : file).length !== 1), [], 'one of each');
  await host.setConfiguration({ 'postkit.path': '/nowhere' }, { target: 'workspace' });
  await host.waitFor(() => registered().length === 0, { what: 'the providers to be taken back' });
});

editorTest('a question that is given up is cancelled at the server', async t => {
  const { tap, host, file } = await openTapped(t, { 'a.http': 'GET {{host}}/\nA: b\n' },
    'textDocument/(?!did|diagnostic).*|workspace/symbol');
  const at = { line: 0, character: 6 };
  const all = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const questions = {
    'textDocument/completion': o => host.completion(file, at, o),
    'textDocument/hover': o => host.hover(file, at, undefined, o),
    'textDocument/definition': o => host.definition(file, at, o),
    'textDocument/typeDefinition': o => host.typeDefinition(file, at, o),
    'textDocument/implementation': o => host.implementation(file, at, o),
    'textDocument/references': o => host.references(file, at, o),
    'textDocument/documentHighlight': o => host.documentHighlights(file, at, o),
    'textDocument/documentLink': o => host.documentLinks(file, o),
    'textDocument/documentSymbol': o => host.documentSymbols(file, o),
    'textDocument/codeAction': o => host.codeActions(file, all, o),
    'textDocument/codeLens': o => host.codeLens(file, o),
    'textDocument/inlayHint': o => host.inlayHints(file, o),
    'textDocument/signatureHelp': o => host.signatureHelp(file, at, o),
    'textDocument/prepareCallHierarchy': o => host.callHierarchy(file, at, o),
    'textDocument/foldingRange': o => host.foldingRanges(file, o),
    'textDocument/selectionRange': o => host.selectionRanges(file, [at], o),
    'textDocument/formatting': o => host.format(file, o),
    'textDocument/rangeFormatting': o => host.format(file, { ...o, range: all }),
    'textDocument/onTypeFormatting': o => host.format(file, { ...o, position: at, ch: '#' }),
    'textDocument/prepareRename': o => host.prepareRename(file, at, o),
    'textDocument/rename': o => host.rename(file, at, 'x', o),
    'textDocument/semanticTokens/full': o => host.semanticTokens(file, o),
    'textDocument/semanticTokens/range': o => host.rangeSemanticTokens(file, all, o),
    'workspace/symbol': o => host.workspaceSymbols('x', o),
  };
  const find = (start, test) => host.waitFor(() => tap.read().slice(start).find(
    message => message.from === 'client' && test(message)), { what: `a message ${test}` });
  for (const [method, ask] of Object.entries(questions)) {
    // The Test Explorer asks for the outline by itself, before.
    const start = tap.read().length;
    const cancel = new AbortController();
    // VS Code drops what comes back: an answer, nothing, or that it was cancelled.
    const answer = ask({ signal: cancel.signal }).catch(error => error);
    const asked = await find(start, message => message.method === method);
    cancel.abort();
    await find(start, message =>
      message.method === '$/cancelRequest' && message.params.id === asked.id);
    await answer;
  }
  assert.deepEqual(host.messages, []);
});

editorTest('a folder that joins the window is searched and has its own environment', async t => {
  const { tap, host, file } = await openTapped(t, {
    'a.http': '### first\nGET http://a\n',
    'http-client.env.json': '{"one": {}}', 'postkit.json': '{"environment": "one"}',
  });
  const other = scratch(t, {
    'b.http': '### second\nGET http://b/{{where}}\n',
    'http-client.env.json': '{"two": {"where": "there"}}', 'postkit.json': '{"environment": "two"}',
  });
  const names = async () => (await host.workspaceSymbols('')).map(({ name }) => name);
  assert.ok((await names()).includes('first') && !(await names()).includes('second'));
  await host.addFolder(other);
  await host.waitFor(async () => (await names()).includes('second'), { what: 'its requests' });
  const { params } = tap.read().find(
    ({ method }) => method === 'workspace/didChangeWorkspaceFolders');
  assert.deepEqual(params.event,
    { added: [{ uri: `file://${other}`, name: path.basename(other) }], removed: [] });
  const environment = name => host.waitFor(() => host.statusBarItems().some(
    ({ text }) => text === `$(globe) ${name}`), { what: `the environment ${name}` });
  await host.openDocument(path.join(other, 'b.http'));
  await environment('two');
  assert.deepEqual(host.diagnostics(path.join(other, 'b.http')), []);
  await host.openDocument(file);
  await environment('one');
});

editorTest('a late answer about another file does not change the environment shown', async t => {
  const [one, two] = ['one', 'two'].map(name => scratch(t, {
    'a.http': 'GET http://a\n', 'postkit.json': `{"environment": "${name}"}`,
    'http-client.env.json': `{"${name}": {}}` }));
  const tap = makeTap(scratch(t), binary, 'postkit/environments');
  const host = await startEditor(t,
    { workspace: [one, two], settings: { 'postkit.path': tap.command } });
  const openAndAsk = async folder => {
    const { key } = await host.openDocument(path.join(folder, 'a.http'));
    return host.waitFor(() => tap.read().findLast(({ method, params }) =>
      method === 'postkit/environments' && params.textDocument.uri === key), { what: 'a question' });
  };
  const shown = () => host.statusBarItems().map(({ text }) => text).join();
  const first = await openAndAsk(one);
  const second = await openAndAsk(two);
  await tap.release(second.id);
  await host.waitFor(() => shown() === '$(globe) two', { what: 'the environment two' });
  await tap.release(first.id);
  await host.waitFor(() => tap.read().some(
    ({ from, id, result }) => from === 'server' && id === first.id && result), { what: 'both' });
  // To the extension and back: what came before it has been dealt with.
  assert.deepEqual((await tap.ask('workspace/configuration', { items: [] })).result, []);
  assert.equal(shown(), '$(globe) two');
});

editorTest('the scope of a choice has a key of its own beside the environment', async t => {
  const folder = scratch(t, { 'a.http': 'GET http://a\n' });
  const tap = makeTap(scratch(t), binary, 'postkit/environments');
  const host = await startEditor(t, { workspace: folder, settings: {
    'postkit.path': tap.command, 'postkit.environment': 'dev',
    'postkit.environmentScope': 'window' } });
  await host.openDocument(path.join(folder, 'a.http'));
  await host.waitFor(() => tap.read().some(
    ({ method }) => method === 'postkit/environments'), { what: 'the server' });
  const { result } = await tap.ask('workspace/configuration', { items: [{ section: 'postkit' }] });
  assert.deepEqual(result, [{ environment: 'dev', 'environment.scope': 'window' }]);
});

editorTest('each folder of the window has settings of its own', async t => {
  const [first, second] = ['a.http', 'b.http'].map(
    name => scratch(t, { [name]: '### A\nGET http://a\n' }));
  const host = await startEditor(t, { workspace: [first, second],
    folderSettings: { [second]: { 'postkit.codeLens.enabled': false } } });
  const lenses = async file => {
    await host.openDocument(file);
    return (await host.codeLens(file)).length;
  };
  await host.waitFor(async () => await lenses(path.join(first, 'a.http')) > 0
    && await lenses(path.join(second, 'b.http')) === 0, { what: 'lenses in the first alone' });
});

editorTest('edits for a text that has changed meanwhile are refused with the reason', async t => {
  const { tap, host, file, document } = await openTapped(t, {
    'a.http': '@old = 1\nGET http://a/{{old}}\n' }, 'textDocument/didChange');
  await host.edit(file, { range: { start: { line: 0, character: 0 },
    end: { line: 0, character: 0 } }, text: '# the server never hears of this\n' });
  const before = document.getText();
  const renamed = await host.rename(file, { line: 0, character: 2 }, 'new');
  assert.match(renamed.rejectReason, /a\.http has changed meanwhile.*Try it again/);
  host.clipboard = 'curl http://127.0.0.1:1/';
  await host.executeCommand('postkit.pasteCurlCommand');
  assert.equal(document.getText(), before);
  const { result } = tap.read().find(({ from, result: answer }) =>
    from === 'client' && answer?.applied !== undefined);
  assert.equal(result.applied, false);
  assert.match(result.failureReason, /a\.http has changed meanwhile/);
  assert.match(host.messages.at(-1).message, /changed meanwhile/);
});

editorTest('files are made, renamed and deleted with an edit, in its order', async t => {
  const { tap, workspace, host, document, uri } = await openTapped(t, {
    'a.http': 'GET http://a\n', 'old.json': '{}', 'gone.json': '{}' });
  const start = { line: 0, character: 0 };
  const insert = newText => ({ range: { start, end: start }, newText });
  const text = (name, version, newText) => ({
    textDocument: { uri: uri(name), version }, edits: [insert(newText)] });
  const { result } = await tap.ask('workspace/applyEdit', { edit: { documentChanges: [
    text('a.http', document.version, '# one\n'),
    { kind: 'create', uri: uri('new.json') }, text('new.json', null, '{"made": true}'),
    { kind: 'rename', oldUri: uri('old.json'), newUri: uri('moved.json') },
    { kind: 'delete', uri: uri('gone.json') },
  ] } });
  assert.deepEqual(result, { applied: true });
  assert.equal(document.lines[0], '# one');
  assert.equal(host.document(path.join(workspace, 'new.json')).getText(), '{"made": true}');
  assert.deepEqual(fs.readdirSync(workspace).filter(name => name.endsWith('.json')).sort(),
    ['moved.json', 'new.json']);

  const refused = await tap.ask('workspace/applyEdit', { edit: { documentChanges: [
    { kind: 'create', uri: uri('moved.json') }, text('a.http', document.version, '# two\n')] } });
  assert.equal(refused.result.applied, false);
  assert.equal(document.lines[0], '# one', 'all or nothing');
  host.errors.splice(0);
  const unknown = await tap.ask('workspace/applyEdit', {
    edit: { documentChanges: [{ kind: 'copy', uri: uri('a.http') }] } });
  assert.match(unknown.result.failureReason, /Unknown file operation "copy"/);
});

editorTest('a send tells how far it is where it can be cancelled, and not twice', async t => {
  const server = await startServer(t);
  const { host } = await openTapped(t, {
    'a.http': `### A\nGET ${server.origin}/a\n\n### B\nGET ${server.origin}/hang\n` });
  const sent = host.executeCommand('postkit.sendAllRequests');
  const sending = await host.waitFor(() => host.progress[0], { what: 'the progress' });
  assert.match(sending.title, /Sending all requests/);
  await host.waitFor(
    () => sending.reports.some(({ message }) => /^2 of 2: B(, \d+ s)?$/.test(message)),
    { what: 'how far it is' });
  await host.cancelProgress(sending);
  await sent;
  assert.equal(host.progress.length, 1);
});

editorTest('work that the server begins is shown, and ended by who sees it', async t => {
  const { tap, host } = await openTapped(t, { 'a.http': 'GET http://a\n' });
  const progress = value => tap.tell('$/progress', { token: 'work', value });
  assert.equal((await tap.ask('window/workDoneProgress/create', { token: 'work' })).result, null);
  await progress({ kind: 'begin', title: 'Import', cancellable: true, message: 'begun' });
  const shown = await host.waitFor(() => host.progress[0], { what: 'the progress' });
  assert.deepEqual([shown.title, shown.cancellable], ['PostKit: Import', true]);
  await progress({ kind: 'report', message: '1 of 2' });
  await host.waitFor(() => shown.reports.length === 2, { what: 'the reports' });
  assert.deepEqual(shown.reports.map(({ message }) => message), ['begun', '1 of 2']);
  await host.cancelProgress(shown);
  await host.waitFor(() => tap.read().some(({ from, method, params }) => from === 'client'
    && method === 'window/workDoneProgress/cancel' && params.token === 'work'),
  { what: 'the server to hear of it' });
  await progress({ kind: 'end' });
  await host.waitFor(() => shown.done, { what: 'the end' });
  await progress({ kind: 'begin', title: 'Nobody has asked for it' });
  assert.equal(host.progress.length, 1);
});

editorTest('the level of the log says how much the server traces', async t => {
  const { host, file } = await openTapped(t, { 'a.http': 'GET http://{{token}}/\n' });
  const level = value => host.rpc.call('ExtHostLogLevelServiceShape', '$setLogLevel', [value]);
  const [trace, debug, info] = [1, 2, 3];
  const hovered = () => (host.output('PostKit').match(/textDocument\/hover/g) ?? []).length;
  const hover = () => host.hover(file, { line: 0, character: 13 });
  await hover();
  assert.equal(hovered(), 0);
  await level(debug);
  await hover();
  await host.waitFor(() => hovered() === 1, { what: 'the message' });
  assert.doesNotMatch(host.output('PostKit'), /"character"/);
  await level(trace);
  await hover();
  await host.waitFor(() => /"character": ?13/.test(host.output('PostKit')),
    { what: 'its parameters' });
  await level(info);
  const before = hovered();
  await hover();
  await host.hover(file, { line: 0, character: 0 });
  assert.equal(hovered(), before);
});

editorTest('the language status tells what is under way and when the server ends', async t => {
  const server = await startServer(t);
  const { host } = await openFiles(t, { 'a.http': `GET ${server.origin}/hang\n` });
  const status = test => host.waitFor(
    () => [...host.languageStatus.values()].find(test), { what: `a status ${test}` });
  const ready = await status(({ label }) => label === 'PostKit');
  assert.match(ready.detail, /^postkit \d/);
  assert.equal(ready.severity, 'info');
  const sent = host.executeCommand('postkit.sendRequest');
  await status(({ label, busy }) => label === 'PostKit: 1 running' && busy);
  await host.executeCommand('postkit.cancelSending');
  await sent;
  await status(({ label, busy }) => label === 'PostKit' && !busy);
  await host.setConfiguration({ 'postkit.path': '/nowhere' }, { target: 'workspace' });
  const ended = await status(({ severity }) => severity === 'error');
  assert.match(ended.detail, /"\/nowhere"/);
  assert.equal(host._command(ended.command).command, 'postkit.restartServer');
});

editorTest('the language status tells that nothing can be kept', async t => {
  const server = await startServer(t);
  const { host } = await openFiles(t, { 'a.http': `GET ${server.origin}/a\n`, taken: 'no folder' },
    { store: 'taken' });
  await host.executeCommand('postkit.sendRequest');
  const { detail } = await host.waitFor(() => [...host.languageStatus.values()].find(
    ({ severity }) => severity === 'warning'), { what: 'a warning' });
  assert.match(detail, /taken/);
});

editorTest('a question that something waits for stands in front, its answer is whole', async t => {
  const { tap, host } = await openTapped(t, { 'a.http': 'GET http://a\n' });
  const actions = [{ title: 'Trust it', place: 0 }, { title: 'Cancel', place: 1 }];
  const ask = type => tap.ask('window/showMessageRequest', { type, message: 'Go on?', actions });
  const [warning, info] = [2, 3];
  assert.equal((await ask(warning)).result.title, 'Cancel');
  host.answer('message', /Go on/, 'Trust it');
  for (const type of [warning, info]) assert.deepEqual((await ask(type)).result, actions[0]);
  assert.deepEqual(host.messages.map(({ modal, severity }) => [modal, severity]),
    [[true, 'warning'], [true, 'warning'], [false, 'info']]);
});

editorTest('what is in force is shown, and what hangs is ended', async t => {
  const server = await startServer(t);
  const { host, workspace } = await openFiles(t, {
    'a.http': `@where = there\n\nGET ${server.origin}/hang\n` });
  await host.setSelection(path.join(workspace, 'a.http'), { line: 2, character: 0 });
  const sent = host.executeCommand('postkit.sendRequest');
  await server.waitFor(({ url }) => url === '/hang');
  await host.executeCommand('postkit.showStatus');
  const { message, detail, modal } = host.messages.at(-1);
  assert.match(message, /^PostKit \d/);
  assert.match(detail, /has no environment\.\n1 request running\.\nHealthy\./);
  assert.equal(modal, true);
  await host.executeCommand('postkit.closeConnections');
  await sent;
  await server.waitFor(({ isClosed }) => isClosed);
  assert.equal(host.contextKeys['postkit.isSending'], false);
  await host.executeCommand('postkit.showVariables');
  await host.waitFor(() => host.activeEditor.doc.key.startsWith('postkit:/variables'),
    { what: 'the list of variables' });
  const list = host.activeEditor.doc;
  assert.match(list.getText(), /where = there {2}.*a\.http:1/);
  // From the list beside the editor, too, where something else is open.
  await host.executeCommand('postkit.showVariables');
  assert.equal(host.activeEditor.doc.key, list.key);
  assert.deepEqual(host.messages.filter(({ severity }) => severity === 'error'), []);
});

editorTest('the server shows a place, and an address outside', async t => {
  const { tap, host, file, uri } = await openTapped(t, {
    'a.http': 'GET http://a\n', 'b.http': '### B\nGET http://b\n' });
  const range = { start: { line: 1, character: 4 }, end: { line: 1, character: 12 } };
  const show = params => tap.ask('window/showDocument', params);
  assert.deepEqual((await show({ uri: uri('b.http'), takeFocus: true, selection: range })).result,
    { success: true });
  assert.equal(host.activeEditor.doc.key, uri('b.http'));
  const [selected] = host.activeEditor.selections;
  assert.deepEqual([selected.selectionStartLineNumber, selected.selectionStartColumn,
    selected.positionColumn], [2, 5, 13]);
  await host.openDocument(file);
  await show({ uri: uri('b.http') });
  assert.equal(host.activeEditor.doc.key, uri('a.http'), 'what nobody asked for takes no focus');
  await show({ uri: 'https://login.test/start', external: true });
  assert.deepEqual(host.openedUris, ['https://login.test/start']);
  const missing = await show({ uri: uri('gone.http'), takeFocus: true });
  assert.deepEqual(missing.result, { success: false });
});
