'use strict';
// Requests, answers, cancellation and the end of a connection, between two real connections.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { Connection, ConnectionClosed, ErrorCode, Handlers, ResponseError }
  = require('../src/server/connection');

/** Two connections that talk to each other, and what each logged. */
function pair() {
  const left = { handlers: new Handlers(), log: [] };
  const right = { handlers: new Handlers(), log: [] };
  const connect = (side, other) => new Connection(
    bytes => queueMicrotask(() => other.connection.receive(bytes)), side.handlers,
    text => side.log.push(text));
  left.connection = connect(left, right);
  right.connection = connect(right, left);
  return { left, right };
}

/** A token as VS Code's, with a way to fire it. */
function cancellable() {
  const listeners = new Set();
  return {
    isCancellationRequested: false,
    onCancellationRequested(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    cancel() { listeners.forEach(listener => listener()); },
    get count() { return listeners.size; },
  };
}

test('requests go both ways at once, and answers find their request in any order', async () => {
  const { left, right } = pair();
  const gates = new Map();
  right.handlers.onRequest('wait', name => new Promise(resolve => gates.set(name, resolve)));
  left.handlers.onRequest('echo', async value => value);
  const first = left.connection.request('wait', 'a');
  const second = left.connection.request('wait', 'b');
  assert.deepEqual(await right.connection.request('echo', { x: 1 }), { x: 1 });
  gates.get('b')(2);
  gates.get('a')(1);
  assert.deepEqual(await Promise.all([first, second]), [1, 2]);
});

test('an unknown request is refused, an unknown notification is ignored', async () => {
  const { left, right } = pair();
  left.connection.notify('nobody', {});
  await assert.rejects(left.connection.request('nobody'),
    error => error instanceof ResponseError && error.code === ErrorCode.methodNotFound);
  assert.deepEqual(right.log, []);
});

test('errors keep their code and data; a bug in a handler is an internal error', async () => {
  const { left, right } = pair();
  right.handlers.onRequest('bug', () => undefined.x);
  right.handlers.onRequest('known', () => { throw new ResponseError(-32803, 'no'); });
  await assert.rejects(left.connection.request('bug'), { code: ErrorCode.internalError });
  await assert.rejects(left.connection.request('known'), { code: -32803, message: 'no' });
  assert.equal(right.log.length, 1);
});

test('a token tells the peer, and the answer still decides', async () => {
  const { left, right } = pair();
  let finish;
  right.handlers.onRequest('slow', () => new Promise((_resolve, reject) => { finish = reject; }));
  right.handlers.onNotification('$/cancelRequest', ({ id }) => {
    finish(new ResponseError(ErrorCode.requestCancelled, `cancelled ${id}`));
  });
  const token = cancellable();
  const answer = left.connection.request('slow', null, token);
  await new Promise(setImmediate);
  token.cancel();
  await assert.rejects(answer, { code: ErrorCode.requestCancelled, message: 'cancelled 1' });
  assert.equal(token.count, 0, 'the listener is gone');
});

test('a token that fired before sends nothing', async () => {
  const { left } = pair();
  const token = { ...cancellable(), isCancellationRequested: true };
  await assert.rejects(left.connection.request('slow', null, token),
    { code: ErrorCode.requestCancelled });
});

test('closing fails what waits and what comes later', async () => {
  const { left, right } = pair();
  right.handlers.onRequest('never', () => new Promise(() => {}));
  const token = cancellable();
  const answer = left.connection.request('never', null, token);
  left.connection.close('gone');
  await assert.rejects(answer,
    error => error instanceof ConnectionClosed && error.message === 'gone');
  await assert.rejects(left.connection.request('never'), ConnectionClosed);
  assert.equal(token.count, 0);
});

test('a handler that throws on a notification leaves the connection alive', async () => {
  const { left, right } = pair();
  right.handlers.onNotification('boom', () => { throw new Error('boom'); });
  right.handlers.onRequest('echo', value => value);
  left.connection.notify('boom');
  assert.equal(await left.connection.request('echo', 5), 5);
  assert.match(right.log[0], /boom/);
});
