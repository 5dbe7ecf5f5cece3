'use strict';
// What must not go wrong: a server that dies, a program that isn't there, settings, trust, the end.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { binary, extensionPath, LIMIT, needsEditor, scratch, sourceFiles, startEditor }
  = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const TEXT = '@host = http://127.0.0.1:1\n\n### A\nGET {{host}}/a\n';
/** What the extension has started: behind it there may be another, where all is listened to. */
const servers = host => host.children().filter(({ cmd }) => cmd.endsWith(`${binary} lsp`));

async function open(t, options = {}) {
  const workspace = scratch(t, { 'a.http': TEXT, ...options.files });
  const host = await startEditor(t, { workspace, ...options });
  const file = path.join(workspace, 'a.http');
  const document = await host.openDocument(file);
  return { workspace, host, file, document };
}

editorTest('a server that dies is started again, with the documents as they are now', async t => {
  const { host, file, document } = await open(t);
  await host.waitForProvider('hover', file);
  const [before] = servers(host);
  await host.edit(file, { range: { start: { line: 0, character: 8 },
    end: { line: 0, character: 99 } }, text: 'http://changed.example' });
  process.kill(before.pid, 'SIGKILL');
  await host.waitFor(() => servers(host).some(({ pid }) => pid !== before.pid)
    && host.providers('hover', file).length === 1, { what: 'another server' });
  const at = document.find('{{ho');
  const hover = await host.waitFor(async () => (await host.hover(file, at))[0],
    { what: 'a hover' });
  assert.match(hover.contents.join('\n'), /changed\.example/);
  assert.deepEqual(host.messages, []);
});

editorTest('a server that keeps dying is given up with one message', async t => {
  const workspace = scratch(t, { 'a.http': TEXT, 'dies': '#!/bin/sh\nexit 7\n' });
  const program = path.join(workspace, 'dies');
  fs.chmodSync(program, 0o755);
  const host = await startEditor(t, { workspace, settings: { 'postkit.path': program } });
  await host.openDocument(path.join(workspace, 'a.http'));
  await host.waitFor(() => host.messages.length > 0, { what: 'the message' });
  assert.match(host.messages[0].message,
    /ended with code 7.*5 times.*dies may be too old.*postkit\.path/);
  assert.deepEqual(host.messages[0].items, ['Open Settings', 'Show Log', 'Restart']);
  // What asks for something does not start it again.
  await host.treeChildren('postkit.views.history');
  await host.waitFor(() => /5 times/.test(host.treeViews.get('postkit.views.history').message),
    { what: 'the reason in the list' });
  assert.equal(host.messages.length, 1);
});

editorTest('a missing program is named, with the remedy', async t => {
  const workspace = scratch(t, { 'a.http': TEXT });
  const settings = { 'postkit.path': '/nowhere/postkit' };
  const host = await startEditor(t, { workspace, settings });
  host.answer('message', /postkit\.path/, 'Open Settings');
  await host.openDocument(path.join(workspace, 'a.http'));
  await host.waitFor(() => host.messages.length > 0, { what: 'the message' });
  assert.equal(host.messages[0].severity, 'error');
  assert.match(host.messages[0].message, /"\/nowhere\/postkit"/);
  await host.waitFor(() => host.builtinCalls.some(
    ({ id, args }) => id === 'workbench.action.openSettings' && args[0] === 'postkit.path'),
  { what: 'the settings to open' });
  // Whatever else asks hears the same, and nobody is told a second time.
  for (const name of ['history', 'collections', 'environments', 'history']) {
    await host.treeChildren(`postkit.views.${name}`);
    await host.executeCommand('postkit.refreshViews');
    await host.waitFor(() => /"\/nowhere\/postkit"/.test(
      host.treeViews.get(`postkit.views.${name}`).message), { what: `the reason in ${name}` });
  }
  assert.equal(host.messages.length, 1);
  await host.executeCommand('postkit.restartServer');
  await host.waitFor(() => host.messages.length === 2, { what: 'the answer to another try' });
  await host.executeCommand('postkit.sendRequest');
  await host.waitFor(() => host.messages.length === 3, { what: 'why nothing is sent' });
  assert.deepEqual(host.messages[2].items, ['Open Settings']);
});

editorTest('a program that is another language server is named once, with the remedy', async t => {
  // It speaks the protocol, and has nothing of what PostKit adds.
  const answer = JSON.stringify({ jsonrpc: '2.0', id: 1,
    result: { capabilities: {}, serverInfo: { name: 'other', version: '3' } } });
  const end = JSON.stringify({ jsonrpc: '2.0', id: 2, result: null });
  const frame = text => `process.stdout.write(${JSON.stringify(
    `Content-Length: ${text.length}\r\n\r\n${text}`)});`;
  const workspace = scratch(t, { 'a.http': TEXT, other: `#!${process.execPath}\n`
    + 'process.stdin.on("data", data => {\n'
    + `  if (/"initialize"/.test(data)) ${frame(answer)}\n`
    + `  if (/"shutdown"/.test(data)) ${frame(end)}\n`
    + '}).on("end", () => process.exit());\n' });
  const program = path.join(workspace, 'other');
  fs.chmodSync(program, 0o755);
  const host = await startEditor(t, { workspace, settings: { 'postkit.path': program } });
  await host.openDocument(path.join(workspace, 'a.http'));
  await host.waitFor(() => host.messages.length > 0, { what: 'the message' });
  assert.equal(host.messages[0].message, `PostKit: The program ${program} (other 3) is a language `
    + 'server, but not PostKit\'s. Name PostKit\'s in the setting postkit.path.');
  assert.deepEqual(host.messages[0].items, ['Open Settings', 'Show Log', 'Restart']);
});

editorTest('extensions that send the same files are named once', async t => {
  const manifest = { name: 'rest-client', publisher: 'humao', version: '0.26.0',
    engines: { vscode: '^1.85.0' }, main: './main.js' };
  const other = scratch(t, { 'package.json': JSON.stringify(manifest), 'main.js': '' });
  const greeted = async storage => {
    const { host } = await open(t, { extension: [extensionPath, other], storage });
    host.answer('message', /REST Client also sends/, 'Show REST Client');
    await host.waitForProvider('hover', path.join(host.folders[0].uri.path, 'a.http'));
    return host;
  };
  const host = await greeted();
  await host.waitFor(() => host.builtinCalls.find(
    ({ id }) => id === 'workbench.extensions.search'), { what: 'the search for it' });
  assert.match(host.messages[0].message, /Disable it for this workspace, or PostKit/);
  assert.deepEqual(host.messages[0].items, ['Show REST Client', 'Keep All']);
  const again = await greeted(Object.fromEntries(host.storage));
  assert.deepEqual(again.messages, []);
  // Its environments are offered in the same message, not in a second one.
  const { host: user } = await open(t, { extension: [extensionPath, other],
    settings: { 'rest-client.environmentVariables': { dev: { host: 'a.test' } } } });
  user.answer('message', /REST Client also sends/, 'Import Its Settings…');
  await user.waitFor(() => user.quickPicks.length === 1, { what: 'the question about secrets' });
  assert.equal(user.messages.length, 1);
  // Its keys are its own as long as it is there, and only so long.
  const keys = 'postkit.hasRestClientKeys';
  await again.waitFor(() => again.contextKeys[keys] === false, { what: 'the keys to be its own' });
  const { host: alone } = await open(t, {});
  await alone.waitFor(() => alone.contextKeys[keys] === true, { what: 'the keys' });
});

editorTest('settings reach the server at start and when they change', async t => {
  const { host, file } = await open(t, { settings: { 'postkit.codeLens.enabled': false } });
  await host.waitForProvider('hover', file);
  const lenses = () => host.providers('codeLens', file).length
    ? host.codeLens(file, { wait: false }) : [];
  assert.deepEqual(await lenses(), []);
  await host.setConfiguration({ 'postkit.codeLens.enabled': true }, { target: 'workspace' });
  await host.waitFor(async () => (await lenses()).length > 0, { what: 'lenses' });
});

editorTest('certificates of hosts reach the server as they are written', async t => {
  const certificates = {
    'api.test': { cert: '/c.pem', key: '/k.pem' }, '*.b.test:444': { pfx: 'p' } };
  const { tap } = await openTapped(t, { 'a.http': TEXT }, undefined,
    { settings: { 'postkit.tls.certificates': certificates } });
  const { params } = tap.read().find(({ method }) => method === 'initialize');
  assert.deepEqual(params.initializationOptions.postkit.settings, { tls: { certificates } });
});

editorTest('a document of another language leaves the server alone', async t => {
  const workspace = scratch(t, { 'a.json': '{}' });
  const host = await startEditor(t, { workspace });
  await host.openDocument(path.join(workspace, 'a.json'));
  assert.equal(host.isActive(), false);
  assert.deepEqual(servers(host), []);
});

/**
 * An extension that reads as many files of as much code as ours while the window waits, registers as
 * many commands and does nothing else: what ours would take at least if it left nothing for later.
 */
function yardstick(t) {
  const filler = 'function unused(value) { return value ? value.length : undefined; }\n';
  const sizes = sourceFiles().map(file => fs.statSync(file).size);
  const modules = sizes.map((size, index) => [`part${index}.js`,
    `'use strict';\n${filler.repeat(Math.ceil(size / filler.length))}exports.part = ${index};\n`]);
  const { commands } = require('../package.json').contributes;
  const main = `const vscode = require('vscode');
exports.activate = context => {
  ${sizes.map((_, index) => `require('./part${index}');`).join('\n  ')}
  for (let at = 0; at < ${commands.length}; at += 1) {
    context.subscriptions.push(vscode.commands.registerCommand(\`yardstick.c\${at}\`, () => {}));
  }
};
`;
  return scratch(t, { ...Object.fromEntries(modules), 'main.js': main,
    'package.json': JSON.stringify({ name: 'yardstick', publisher: 'other', version: '1.0.0',
      engines: { vscode: '^1.85.0' }, main: './main.js', activationEvents: ['onLanguage:http'] }) });
}

editorTest('the window hardly waits for the activation', async t => {
  const [most, tries] = [0.6, 8];
  const other = yardstick(t);
  const ratios = [];
  while (ratios.length < tries && !ratios.some(ratio => ratio < most)) {
    const { host } = await open(t, { extension: [extensionPath, other] });
    await host.waitFor(() => host.activations.get('other.yardstick')?.state === 'active',
      { what: 'the yardstick' });
    const [own, bare] = ['postkit.postkit', 'other.yardstick'].map(id => {
      const { codeLoadingTime, activateCallTime, activateResolvedTime } = host.activations.get(id);
      return codeLoadingTime + activateCallTime + activateResolvedTime;
    });
    t.diagnostic(`the activation: ${own} ms, of the yardstick ${bare} ms`);
    ratios.push(own / bare);
  }
  // The best of some: what else this machine does just then is not the extension's.
  assert.ok(Math.min(...ratios) < most, `${ratios.join(', ')} times the yardstick`);
});

editorTest('a server that somebody stops stays so until somebody starts it', async t => {
  const { host, file } = await open(t);
  await host.waitForProvider('hover', file);
  await host.executeCommand('postkit.stopServer');
  assert.deepEqual(servers(host), []);
  const stopped = () => host.statusBarItems().find(({ text }) => /PostKit is stopped/.test(text));
  const status = text => host.waitFor(() => [...host.languageStatus.values()].some(
    ({ label }) => label === text), { what: `the language status ${text}` });
  assert.match(stopped().tooltip, /Start it to send and check requests.*Click to start it/);
  await status('PostKit is stopped');
  await host.waitFor(() => host.contextKeys['postkit.state'] === 'stopped', { what: 'the state' });
  // Whatever asks, and whatever else would begin anew, leaves it alone.
  await host.setConfiguration({ 'postkit.path': `${binary} ` }, { target: 'user' });
  await host.edit(file, { range: { start: { line: 2, character: 0 },
    end: { line: 2, character: 0 } }, text: '#' });
  for (const name of ['environments', 'variables', 'collections', 'history', 'cookies']) {
    assert.deepEqual(await host.treeChildren(`postkit.views.${name}`), []);
    assert.equal(host.treeViews.get(`postkit.views.${name}`).message || '', '', name);
  }
  for (const command of ['sendRequest', 'sendAllRequests', 'copyRequestAsCurl', 'showHistory',
    'showStatus', 'closeConnections', 'chooseEnvironment', 'stopServer', 'cancelSending']) {
    await host.executeCommand(`postkit.${command}`);
  }
  await host.executeCommand('postkit.serverCommand', 'postkit.send',
    { uri: `file://${file}`, position: { line: 3, character: 0 } });
  assert.deepEqual(servers(host), []);
  assert.deepEqual(new Set(host.messages.map(({ severity, message }) => [severity, message].join())),
    new Set(['warning,PostKit: You stopped the server. “PostKit: Restart Server” starts it.']));
  assert.equal(host.messages.length, 8);
  host.answer('message', /You stopped/, 'Start Server', { once: true });
  await host.executeCommand('postkit.showHistory');
  await host.waitForProvider('hover', file);
  assert.equal(servers(host).length, 1);
  await status('PostKit');
  await host.waitFor(() => !stopped(), { what: 'the item to go' });
  // The item in the status bar starts it, too.
  await host.executeCommand('postkit.stopServer');
  await host.runCommand(stopped().command);
  await host.waitForProvider('hover', file);
  await host.waitFor(() => !stopped(), { what: 'the item to go' });
});

editorTest('closing the window ends the server', async t => {
  const [limit, tries] = [2_000, 5];
  const times = [];
  while (times.length < tries && !times.some(time => time < limit)) {
    const { host, file } = await open(t);
    await host.waitForProvider('hover', file);
    assert.equal(servers(host).length, 1);
    const { code, forced, leaked, ms } = await host.dispose();
    assert.deepEqual({ code, forced, leaked }, { code: 0, forced: false, leaked: [] });
    times.push(ms);
  }
  // The quickest of some: a machine may stand still for a moment.
  assert.ok(Math.min(...times) < limit,
    `${times.join(', ')} ms: VS Code would cut it off after 5 s`);
});

editorTest('what others have named is no link in a notification', async t => {
  const text = 'POST http://127.0.0.1:1/a\n\n< ./[Repair](command:workbench.action.quit).json\n';
  const { host, file, document } = await open(t, { files: { 'a.http': text } });
  await host.waitForProvider('hover', file);
  await host.setSelection(file, document.find('POST'));
  await host.executeCommand('postkit.sendRequest');
  const errors = () => host.messages.filter(({ severity }) => severity === 'error');
  await host.waitFor(() => errors().length === 1, { what: 'an error message' });
  // VS Code's own pattern of links (base/common/linkedText.ts).
  const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)/i;
  const [{ message }] = errors();
  assert.match(message, /\[Repair\].?\(command:workbench\.action\.quit\)/);
  assert.doesNotMatch(message, link);
});
