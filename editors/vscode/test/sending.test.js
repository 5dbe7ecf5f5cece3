'use strict';
// Sending as somebody sees it while it goes on: a selection, once more, the clock, the line that
// tells how far it is, a stream that is shown as it comes, and the guarded environment.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { LIMIT, needsEditor, openFiles, scratch, startServer } = require('./support');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const item = (host, id) => host.statusBarItems().find(each => each.command?.command === id);
const clock = host => item(host, 'postkit.cancelSending');
/** What stands behind the lines of a document besides hints: line and words. */
const inline = (host, file) => host.decorations(file).flatMap(({ ranges }) => ranges.map(
  ({ range, renderOptions }) => [range.start.line, renderOptions.after.contentText]));

editorTest('a selection sends the requests that it touches', async t => {
  const server = await startServer(t);
  const text = ['a', 'b', 'c'].map(
    name => `### ${name}\nGET ${server.origin}/${name}\n`).join('\n');
  const { host, file } = await openFiles(t, { 'a.http': text });
  await host.setSelection(file, { line: 1, character: 3 }, { line: 4, character: 1 });
  await host.executeCommand('postkit.sendSelection');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/a', '/b']);
  const responses = () => [...host.documents.keys()].filter(key => key.startsWith('postkit:'));
  assert.deepEqual(responses(), [], 'of several none is in front of the others');
  await host.setSelection(file, { line: 7, character: 0 }, { line: 7, character: 3 });
  await host.executeCommand('postkit.sendSelection');
  assert.equal(server.requests.at(-1).url, '/c');
  assert.equal(responses().length, 1);
});

editorTest('what this window sent last is sent again, also when the text has moved', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### A\nPOST ${server.origin}/a\n\nbody\n\n### B\nGET ${server.origin}/b\n` });
  await host.executeCommand('postkit.resendLast');
  assert.match(host.messages.at(-1).message, /this window has sent nothing yet/);
  assert.deepEqual(host.messages.at(-1).items, ['Show History']);
  await host.setSelection(file, document.find('body'));
  await host.executeCommand('postkit.sendRequest');
  await host.edit(file, { range: { start: { line: 0, character: 0 },
    end: { line: 0, character: 0 } }, text: '# above\n\n' });
  await host.setSelection(file, document.find('/b'));
  await host.executeCommand('postkit.resendLast');
  assert.deepEqual(server.requests.map(({ url, body }) => [url, body]),
    [['/a', 'body'], ['/a', 'body']]);
});

editorTest('a clock runs while something is sent, and a click on it cancels', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, {
    'a.http': `### A\nGET ${server.origin}/quick\n\n### B\nGET ${server.origin}/hang\n` });
  await host.setSelection(file, document.find('/quick'));
  await host.executeCommand('postkit.sendRequest');
  await host.setSelection(file, document.find('/hang'));
  const sent = host.executeCommand('postkit.sendRequest');
  const shown = new Set();
  await host.waitFor(() => {
    if (clock(host)) shown.add(clock(host).text);
    return shown.size > 2;
  }, { what: 'a clock that runs' });
  assert.match([...shown].join(), /^\$\(loading~spin\) \d+\.\d s,/);
  assert.match(clock(host).tooltip, /Click to cancel/);
  await host.runCommand(clock(host).command);
  await sent;
  await host.waitFor(() => !clock(host), { what: 'the clock to go' });
  await server.waitFor(({ url, isClosed }) => url === '/hang' && isClosed);
});

editorTest('each of many requests tells how far it is, and the rest can be cancelled', async t => {
  const server = await startServer(t);
  const text = ['a', 'hang', 'c', 'd'].map(
    name => `### ${name}\nGET ${server.origin}/${name}\n`).join('\n');
  const { host, file } = await openFiles(t, { 'a.http': text });
  const states = async () => (await host.inlayHints(file)).map(({ label }) => label.split(/[ …]/)[0]);
  const sent = host.executeCommand('postkit.sendAllRequests');
  await server.waitFor(({ url }) => url === '/hang');
  await host.waitFor(async () => (await states()).join() === '200,sending,waiting,waiting',
    { what: 'what is done, on its way and waiting' });
  await host.waitFor(() => /^\$\(loading~spin\) 2 of 4, \d/.test(clock(host)?.text),
    { what: 'the number of the request in the clock' });
  await host.runCommand(clock(host).command);
  await sent;
  assert.deepEqual(server.requests.map(({ url }) => url), ['/a', '/hang']);
  await host.waitFor(async () => (await states()).join() === '200,cancelled,not,not',
    { what: 'the end of each request' });
  const said = host.statusBarItems().map(({ text: words }) => words).join('\n');
  assert.match(said, /PostKit: 1 ok, 1 cancelled, 2 not sent/);
});

editorTest('the request line tells how far it is, until the hint takes over', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http':
    `### A\n# a comment\nPOST ${server.origin}/drip\nX: y\n\nthe body\n` });
  await host.setSelection(file, document.find('body'));
  const sent = host.executeCommand('postkit.sendRequest');
  await host.waitFor(() => inline(host, file).some(([line, words]) =>
    line === 2 && /^receiving… 200 {2}11 B {2}\d\.\d s$/.test(words)), { what: 'how far it is' });
  const hints = () => host.inlayHints(file);
  assert.deepEqual((await hints()).filter(({ position }) => position.line === 2), [],
    'it is not said twice');
  await host.edit(file, { range: { start: { line: 0, character: 0 },
    end: { line: 0, character: 0 } }, text: '# one\n# two\n' });
  await host.waitFor(() => inline(host, file).every(([line]) => line === 4), { what: 'the line' });
  server.release();
  await sent;
  await host.waitFor(async () => (await hints()).some(
    ({ label, position }) => position.line === 4 && /^200/.test(label)), { what: 'the hint' });
  await host.waitFor(() => inline(host, file).length === 0, { what: 'nothing else to be there' });
});

editorTest('nothing is told behind the line where results are not wanted there', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, {
    'a.http': `GET ${server.origin}/drip\n` }, { settings: { 'postkit.inlay.results': false } });
  await host.setSelection(file, document.find('GET'));
  const sent = host.executeCommand('postkit.sendRequest');
  const shown = new Set();
  await host.waitFor(() => {
    if (clock(host)) shown.add(clock(host).text);
    return shown.size > 2;
  }, { what: 'the clock' });
  assert.deepEqual(inline(host, file), []);
  server.release();
  await sent;
});

editorTest('a stream is shown as it comes', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, {
    'a.http': `GET ${server.origin}/events\n` });
  await host.setSelection(file, document.find('GET'));
  const sent = host.executeCommand('postkit.sendRequest');
  const response = await host.waitFor(() => [...host.documents.values()].find(
    ({ uri }) => uri.path.startsWith('/response/')), { what: 'the response while it comes' });
  await host.waitFor(() => /data: one/.test(response.getText()), { what: 'its first part' });
  assert.doesNotMatch(response.getText(), /data: two/);
  assert.equal(host.activeEditor.doc.key, document.key, 'the request keeps the focus');
  server.release();
  await sent;
  await host.waitFor(() => /data: two/.test(response.getText()), { what: 'the rest' });
});

editorTest('the environment is always told, in the colour of a warning where it asks', async t => {
  const server = await startServer(t);
  const { workspace, host, file, document } = await openFiles(t, {
    'a.http': `GET ${server.origin}/{{where}}\n`, 'postkit.json': '{"environment": "prod"}',
    'http-client.env.json': '{"prod": {"where": "there", "confirm": true}}' });
  const environment = () => item(host, 'postkit.chooseEnvironment');
  await host.waitFor(() => environment()?.text === '$(shield) prod', { what: 'the environment' });
  assert.equal(environment().backgroundColor, 'statusBarItem.warningBackground');
  assert.match(environment().tooltip, /asks before each request/);
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  await host.executeCommand('postkit.sendAllRequests');
  assert.deepEqual(server.requests, [], 'nobody agreed');
  host.answer('message', /prod/, 'Send');
  await host.executeCommand('postkit.sendRequest');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/there']);
  // Its own response and the file of the environment are no reason to forget it.
  const environments = path.join(workspace, 'http-client.env.json');
  await host.openDocument(environments);
  fs.writeFileSync(environments, '{"prod": {"where": "there"}}');
  await host.fireFileEvents({ changed: [environments] });
  await host.waitFor(() => environment()?.text === '$(globe) prod', { what: 'the guard to go' });
  assert.equal(environment().backgroundColor, undefined);
  // It can be clicked wherever it is seen.
  host.answer('quickPick', 'Environment', 'No environment');
  await host.runCommand(environment().command);
  await host.waitFor(() => environment()?.text === '$(globe) No environment',
    { what: 'the choice' });
});

editorTest('a question that is closed, or answered with no, is no failure', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http': [
    '### Guarded', `GET ${server.origin}/{{where}}`, '',
    '### Noted', '# @note Really?', `GET ${server.origin}/noted`, '',
    '### Asks', '# @prompt code Your code', `GET ${server.origin}/asks?{{code}}`, '',
    '### First', '# @name first', `GET ${server.origin}/first`, '',
    '### Needs', `GET ${server.origin}/needs?{{first.response.body.$.token}}`, '',
    '### Bad', `GET ${server.origin}/{{nowhere}}`, ''].join('\n'),
  'postkit.json': '{"environment": "prod"}',
  'http-client.env.json': '{"prod": {"where": "there", "confirm": true}, "dev": {}}' });
  const errors = () => host.messages.filter(({ severity }) => severity === 'error');
  const quiet = () => host.statusBarItems().some(({ text }) => text === 'PostKit: Not sent');
  const send = async (text, command = 'postkit.sendRequest') => {
    await host.setSelection(file, document.find(text));
    await host.executeCommand(command);
    await host.waitFor(quiet, { what: `a quiet word about ${text}` });
    assert.deepEqual(errors(), [], text);
  };
  await send('{{where');
  assert.deepEqual(host.messages.map(({ modal, items }) => [modal, items]),
    [[true, ['Send', 'Cancel']]], 'it waits for an answer, and keys give one');
  host.answer('message', /prod/, 'Cancel');
  await send('{{where');
  await send('{{where', 'postkit.sendAllRequests');
  host.answer('quickPick', 'Environment', 'dev', { once: true });
  await host.executeCommand('postkit.chooseEnvironment');
  for (const text of ['/noted', '/asks', '/needs']) await send(text);
  assert.deepEqual(server.requests, []);
  // Of another question nothing is said: that nothing is done is what was wanted.
  await host.setSelection(file, document.find('/noted'));
  await host.executeCommand('postkit.saveToCollection');
  await host.executeCommand('postkit.copyRequestAs');
  assert.deepEqual(errors(), []);
  assert.ok(!host.statusBarItems().some(({ text }) => /Cancelled/.test(text)));
  // A failure is one all the same.
  await host.setSelection(file, document.find('nowhere'));
  await host.executeCommand('postkit.sendRequest');
  assert.match(errors().map(({ message }) => message).join(), /`nowhere` is not defined\./);
});

editorTest('a file of environments is begun beside the requests, and saved by the user', async t => {
  const { workspace, host } = await openFiles(t, { 'a.http': 'GET {{host}}/{{where}}\n' });
  host.answer('message', /No environments yet/, 'Create File');
  await host.executeCommand('postkit.chooseEnvironment');
  const file = path.join(workspace, 'http-client.env.json');
  const { doc } = await host.waitFor(() => host.activeEditor.doc.uri.scheme === 'untitled'
    && host.activeEditor, { what: 'the new file' });
  assert.equal(doc.uri.path, file);
  assert.deepEqual(JSON.parse(doc.getText()), { dev: { host: 'http://localhost:8080' } });
  assert.equal(fs.existsSync(file), false, 'nobody has saved it');
  // One that is there is opened, whatever is in it.
  fs.writeFileSync(file, '{}');
  await host.executeCommand('postkit.createEnvironmentFile');
  assert.equal(host.activeEditor.doc.key, `file://${file}`);
  assert.equal(host.activeEditor.doc.getText(), '{}');
});

editorTest('without trust a send is asked for each time', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(
    t, { 'a.http': `### A\nGET ${server.origin}/a\n` }, { trusted: false });
  await host.setSelection(file, document.find('GET'));
  await host.executeCommand('postkit.sendRequest');
  await host.executeCommand('postkit.sendAllRequests');
  assert.deepEqual(server.requests, []);
  assert.deepEqual(host.messages.map(({ modal, items }) => [modal, items]),
    [[true, ['Send', 'Manage Workspace Trust']], [true, ['Send', 'Manage Workspace Trust']]]);
  assert.ok(host.statusBarItems().some(({ text }) => text === 'PostKit: Not sent'));
  const trusting = () => host.builtinCalls.filter(({ id }) => id === 'workbench.trust.manage');
  host.answer('message', /do not trust/, 'Manage Workspace Trust', { once: true });
  await host.executeCommand('postkit.sendRequest');
  assert.equal(trusting().length, 1);
  assert.deepEqual(server.requests, []);
  host.answer('message', /do not trust/, 'Send');
  await host.executeCommand('postkit.sendRequest');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/a']);
  // What needs trust leads to where it is given.
  const outside = scratch(t, { 'own.txt': 'x' });
  await host.edit(file, { range: document.fullRange(),
    text: `POST ${server.origin}/b\n\n< ${outside}/own.txt\n` });
  host.answer('message', /which is not trusted/, 'Manage Workspace Trust');
  await host.executeCommand('postkit.sendRequest');
  await host.waitFor(() => trusting().length === 2, { what: 'the way to trust it' });
  assert.deepEqual(host.messages.at(-1).items, ['Show', 'Manage Workspace Trust']);
  assert.equal(server.requests.length, 1);
});
