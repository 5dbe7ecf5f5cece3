'use strict';
// The short texts users read, as tables.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const render = require('../src/window/render');

test('a clock', () => {
  for (const [milliseconds, text] of [[0, '0.0 s'], [340, '0.3 s'], [1240, '1.2 s'],
    [59_949, '59.9 s'], [59_950, '1 min 0 s'], [125_000, '2 min 5 s'], [3_780_000, '1 h 3 min']]) {
    assert.equal(render.clock(milliseconds), text);
  }
});

test('the outcome of a file has the words of the server', () => {
  const one = { state: 'done', summary: '200 OK  1 ms  2 B' };
  assert.equal(render.describeResults([one]), '200 OK  1 ms  2 B');
  assert.equal(render.describeResults([one, one], { summary: '2 ok' }), '2 ok');
  assert.equal(render.describeResults([one], { summary: '1 ok, 1 not sent', reason: 'It ended.' }),
    '1 ok, 1 not sent: It ended.');
  assert.equal(render.describeResults([]), 'No requests were sent');
});

test('history items', () => {
  const entry = { id: 'i', time: '2026-11-21T10:00:00.000Z', file: '/a/my 100% file.http',
    name: 'login', environment: 'dev', method: 'POST', url: 'http://x/y', state: 'done',
    status: 201, summary: '201 Created  12 ms  2.0 kB', mood: 'done', error: null };
  const time = date => date.toISOString();
  assert.deepEqual(render.historyItem(entry, time), {
    label: '$(check) POST http://x/y',
    description: 'login · 201 Created  12 ms  2.0 kB',
    detail: '2026-11-21T10:00:00.000Z · dev · my 100% file.http',
    id: 'i',
  });
  const failed = { ...entry, name: null, environment: null, state: 'failed', status: null,
    summary: 'failed: timeout', mood: 'failed', error: 'timeout' };
  assert.deepEqual(render.historyItem(failed, time), {
    label: '$(error) POST http://x/y',
    description: 'failed: timeout',
    detail: '2026-11-21T10:00:00.000Z · my 100% file.http · timeout',
    id: 'i',
  });
});
