'use strict';
// A program that stands between the extension and the real server. It notes every message, holds
// questions back so that a test can do something before they are answered, and says to the
// extension what the server says too seldom for a test.
//   node tap.js PROGRAM DIRECTORY HELD lsp
// HELD is a pattern of methods: such a request reaches the server only once it is cancelled or
// released, such a notification never.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { encode, MessageReader } = require('../src/server/framing');

const logOf = directory => path.join(directory, 'tap.jsonl');
const socketOf = directory => path.join(directory, 'tap.sock');

function run([program, directory, held, ...list]) {
  const isHeld = new RegExp(`^(?:${held})$`);
  const server = spawn(program, list, { stdio: ['pipe', 'pipe', 'inherit'] });
  const note = (from, message) => fs.appendFileSync(
    logOf(directory), `${JSON.stringify({ from, ...message })}\n`);
  const [fromClient, fromServer] = [new MessageReader(), new MessageReader()];
  const waiting = new Map();
  const asked = new Map();
  const answers = new Map();
  const queries = new Map();
  const tell = message => server.stdin.write(encode(message));

  process.stdin.on('data', chunk => {
    for (const message of fromClient.push(chunk)) {
      note('client', message);
      if (asked.has(message.id) && !message.method) {
        asked.get(message.id).end(JSON.stringify(message));
        continue;
      }
      if (message.id !== undefined && answers.has(message.method)) {
        const answer = { jsonrpc: '2.0', id: message.id, result: answers.get(message.method) };
        process.stdout.write(encode(answer));
        continue;
      }
      if (isHeld.test(message.method)) {
        if (message.id !== undefined) waiting.set(message.id, message);
        continue;
      }
      // Past the extension the server is asked what it answers to tests alone.
      const { postkit } = message.params?.initializationOptions ?? {};
      if (postkit) postkit.testing = true;
      const cancelled = message.method === '$/cancelRequest' && waiting.get(message.params.id);
      if (cancelled) tell(cancelled);
      tell(message);
    }
  });
  process.stdin.on('end', () => server.stdin.end());
  server.stdout.on('data', chunk => {
    // Whole messages only, so that what is asked below never lands within one.
    for (const message of fromServer.push(chunk)) {
      if (queries.has(message.id) && !message.method) {
        queries.get(message.id).end(JSON.stringify(message));
        continue;
      }
      note('server', message);
      process.stdout.write(encode(message));
    }
  });
  const questions = net.createServer({ allowHalfOpen: true }, socket => {
    let text = '';
    socket.setEncoding('utf8').on('data', part => { text += part; }).on('end', () => {
      const { isQuestion, isQuery, result, release, ...message } = JSON.parse(text);
      if (isQuery) {
        const id = `query-${queries.size}`;
        queries.set(id, socket);
        tell({ jsonrpc: '2.0', id, ...message });
        return;
      }
      if (release !== undefined) {
        tell(waiting.get(release));
        waiting.delete(release);
        socket.end('{}');
        return;
      }
      if (result !== undefined) {
        answers.set(message.method, result);
        socket.end('{}');
        return;
      }
      const id = isQuestion ? `tap-${asked.size}` : undefined;
      if (isQuestion) asked.set(id, socket);
      else socket.end('{}');
      process.stdout.write(encode({ jsonrpc: '2.0', id, ...message }));
    });
  }).listen(socketOf(directory));
  server.on('close', code => {
    questions.close();
    process.exit(code ?? 1);
  });
}

/**
 * Makes the program to give to the extension.
 * @param {string} directory @param {string} program @param {string} [held]
 * @returns {object} `command` to run; `read()` gives the messages so far; `ask(method, params)` and
 *   `tell` speak to the extension as the server would; `query(method, params)` asks the server past
 *   the extension; `answer(method, result)` answers such requests in its place from now on;
 *   `release(id)` hands over a request that was held
 */
function makeTap(directory, program, held = '') {
  const command = path.join(directory, 'tap');
  const quoted = [process.execPath, __filename, program, directory, held].map(
    text => `'${text.replaceAll('\'', '\'\\\'\'')}'`);
  fs.writeFileSync(logOf(directory), '');
  fs.writeFileSync(command, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 });
  const read = () => fs.readFileSync(logOf(directory), 'utf8').split('\n').slice(0, -1)
    .map(line => JSON.parse(line));
  const say = message => new Promise((resolve, reject) => {
    let text = '';
    net.connect(socketOf(directory)).setEncoding('utf8').on('error', reject)
      .on('data', part => { text += part; }).on('end', () => resolve(JSON.parse(text)))
      .end(JSON.stringify(message));
  });
  const ask = (method, params) => say({ method, params, isQuestion: true });
  const tell = (method, params) => say({ method, params });
  const query = (method, params) => say({ method, params, isQuery: true });
  const release = id => say({ release: id });
  const tap = { command, read, ask, tell, query, release, isScripted: false };
  tap.answer = (method, result) => {
    tap.isScripted = true;
    return say({ method, result });
  };
  return tap;
}

if (require.main === module) run(process.argv.slice(2));

module.exports = { makeTap };
