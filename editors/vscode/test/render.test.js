'use strict';
// The short texts users read, as tables.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const render = require('../src/window/render');

test('sizes', () => {
  for (const [bytes, text] of [[0, '0 B'], [999, '999 B'], [1000, '1.0 kB'], [4100, '4.1 kB'],
    [999_949, '999.9 kB'], [999_950, '1.0 MB'], [2_500_000_000, '2.5 GB']]) {
    assert.equal(render.formatSize(bytes), text);
  }
});

test('durations', () => {
  for (const [milliseconds, text] of [[0, '0 ms'], [181.6, '182 ms'], [1000, '1.0 s'],
    [59_949, '59.9 s'], [59_950, '1 min 0 s'], [125_000, '2 min 5 s']]) {
    assert.equal(render.formatDuration(milliseconds), text);
  }
});

test('the outcome of one send', () => {
  const done = { state: 'done', status: 200, ms: 182, size: 4100 };
  for (const [result, text] of [
    [done, '200 · 182 ms · 4.1 kB'],
    [{ ...done, tests: { passed: 2, failed: 1 } },
      '200 · 182 ms · 4.1 kB · 1 of 3 tests failed'],
    [{ state: 'cancelled' }, 'Cancelled'],
    [{ state: 'failed', error: { code: 'tls', message: 'bad certificate' } },
      'Failed: bad certificate'],
    [{ state: 'failed', error: { code: 'tls' } }, 'Failed: tls'],
    [{ state: 'failed', error: null }, 'Failed: no response'],
  ]) assert.equal(render.describeResult(result), text);
});

test('the outcome of a file', () => {
  const done = { state: 'done', tests: { passed: 1, failed: 0 } };
  assert.equal(render.describeResults([done]), '1 request sent');
  assert.equal(render.describeResults([done, done, { state: 'failed' }, { state: 'cancelled' },
    { state: 'done', tests: { failed: 2 } }]),
  '5 requests sent, 1 failed, 1 cancelled, 2 tests failed');
});

test('history items', () => {
  const entry = { id: 'i', time: '2026-11-21T10:00:00.000Z', file: '/a/my 100% file.http',
    name: 'login', environment: 'dev', method: 'POST', url: 'http://x/y', state: 'done',
    status: 201, ms: 12, size: 2000, error: null };
  const time = date => date.toISOString();
  assert.deepEqual(render.historyItem(entry, time), {
    label: '$(check) POST http://x/y',
    description: 'login · 201 · 12 ms · 2.0 kB',
    detail: '2026-11-21T10:00:00.000Z · dev · my 100% file.http',
    id: 'i',
  });
  const failed = { ...entry, name: null, environment: null, state: 'failed', status: null,
    error: 'timeout' };
  assert.deepEqual(render.historyItem(failed, time), {
    label: '$(error) POST http://x/y',
    description: 'failed · 12 ms',
    detail: '2026-11-21T10:00:00.000Z · my 100% file.http · timeout',
    id: 'i',
  });
});
