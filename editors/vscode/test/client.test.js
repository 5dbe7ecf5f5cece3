'use strict';
// The life of the server process, without an editor around it.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { Client, RestartPolicy } = require('../src/server/client');
const { NEEDED, incompatibility } = require('../src/server/compatibility');
const { ConnectionClosed } = require('../src/server/connection');
const { atEnd, binary, LIMIT, missing } = require('./support');

const skip = missing({ POSTKIT_BIN: binary });
const initializeParams = () => ({ processId: process.pid, rootUri: null, capabilities: {} });

/** A client of a program, with everything it logged. */
function makeClient(command, list) {
  const log = [];
  const client = new Client({
    program: () => ({ command, arguments: list }), initializeParams, log: text => log.push(text),
  });
  const failure = new Promise(resolve => client.once('failed', resolve));
  return { client, log, failure };
}

test('a program that is too old says what it lacks and what to do', () => {
  const result = (version, methods) => ({ serverInfo: { name: 'postkit', version: '0.0.1' },
    capabilities: { experimental: { postkit: { version, methods } } } });
  const told = (...list) => incompatibility(result(...list), '/old/postkit', '0.1.0');
  assert.equal(told(1, [...NEEDED, 'elsewhere/more']), null);
  assert.equal(told(1, NEEDED.slice(1)), 'The program /old/postkit (postkit 0.0.1) is too old for '
    + 'this extension: it lacks postkit/send. Install PostKit 0.1.0 or newer, or name a '
    + 'newer program in the setting postkit.path.');
  assert.match(told(0, NEEDED), /is too old for this extension\. Install/);
  assert.match(told(2, NEEDED), /is too new for this extension/);
  assert.match(incompatibility({ capabilities: {} }, 'x', '0.1.0'), /^The program x is a language/);
});

test('five crashes within three minutes are too many', () => {
  const policy = new RestartPolicy();
  assert.deepEqual([0, 1, 2, 3, 4].map(time => policy.allows(time)),
    [true, true, true, true, false]);
  assert.equal(policy.allows(180_003), true, 'the first four are forgotten');
  policy.reset();
  assert.deepEqual([5, 6, 7, 8, 9].map(time => policy.allows(time)),
    [true, true, true, true, false]);
});

test('a program that ends at once fails with its exit code', { timeout: LIMIT }, async () => {
  const { client, failure } = makeClient(process.execPath, ['-e', 'process.exit(7)']);
  await assert.rejects(client.start(), /ended with code 7/);
  assert.match((await failure).message, /code 7.*5 times/);
  assert.equal(client.isRunning, false);
});

test('a program that talks nonsense fails with what it said', { timeout: LIMIT }, async () => {
  const { client, failure } = makeClient(process.execPath,
    ['-e', 'console.log("hello\\r\\n\\r\\n"); setInterval(() => {}, 1000)']);
  await assert.rejects(client.start(), /no Content-Length in "hello"/);
  assert.match((await failure).message, /hello/);
});

test('a program that does not exist fails', { timeout: LIMIT }, async () => {
  const { client, failure } = makeClient('/nowhere/postkit', []);
  await assert.rejects(client.start(), /ENOENT/);
  assert.match((await failure).message, /ENOENT/);
});

test('the real server starts, answers, ends and starts again', { timeout: LIMIT, skip },
  async t => {
    // Nobody may listen: what is asked for below is in no model.
    const { client, log } = makeClient(process.env.POSTKIT_TAPPED ?? binary, ['lsp']);
    atEnd(t, () => client.end());
    await client.start();
    assert.ok(client.capabilities.executeCommandProvider.commands.includes('postkit.send'));
    await assert.rejects(client.request('no/such/method', {}), { code: -32601 });
    await client.restart();
    assert.equal(client.isRunning, true);
    await client.stop();
    assert.equal(client.isRunning, false);
    assert.deepEqual(log, []);
  });

test('what is asked for while a window closes starts no server', { timeout: LIMIT, skip },
  async () => {
    const { client } = makeClient(binary, ['lsp']);
    let starts = 0;
    client.on('ready', () => { starts += 1; });
    await client.start();
    const ending = client.end();
    await assert.rejects(client.request('textDocument/hover', {}), ConnectionClosed);
    await ending;
    await assert.rejects(client.request('textDocument/hover', {}), ConnectionClosed);
    assert.deepEqual([starts, client.isRunning], [1, false]);
  });
