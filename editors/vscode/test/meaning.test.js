'use strict';
// What changes what a send means takes effect before every later send, also where nobody waits:
// a mapping, a macro or quick fingers do both in one go.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { LIMIT, needsEditor, openFiles, startServer } = require('./support');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const ROUNDS = 20;
const NAMES = ['dev', 'prod'];
const sent = server => server.requests.map(({ url }) => url.slice(1));

editorTest('an environment that is chosen counts for the send that follows at once', async t => {
  const server = await startServer(t);
  const environments = Object.fromEntries(NAMES.map(
    name => [name, { base: server.origin, who: name }]));
  const { host, workspace, file, document } = await openFiles(t, {
    'a.http': 'GET {{base}}/{{who}}\n',
    'http-client.env.json': JSON.stringify(environments) });
  await host.setSelection(file, document.find('GET'));
  const folder = `file://${workspace}`;
  const wanted = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = NAMES[round % 2];
    wanted.push(name);
    await Promise.all([
      host.executeCommand('postkit.serverCommand', 'postkit.selectEnvironment', { name, folder }),
      host.executeCommand('postkit.sendRequest')]);
  }
  assert.deepEqual(sent(server), wanted);
});

editorTest('an edit counts for the send that follows at once', async t => {
  const server = await startServer(t);
  const { host, file, document } = await openFiles(t, { 'a.http': `GET ${server.origin}/none\n` });
  await host.setSelection(file, document.find('GET'));
  const wanted = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    wanted.push(`v${round}`);
    await Promise.all([
      host.edit(file, { range: document.fullRange(), text: `GET ${server.origin}/v${round}\n` }),
      host.executeCommand('postkit.sendRequest')]);
  }
  assert.deepEqual(sent(server), wanted);
});
