'use strict';
// No test opens the store of whoever runs it: the guard of home.js finds one that does.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const { binary, LIMIT, missing, PATIENCE, scratch } = require('./support');

const skip = missing({ POSTKIT_BIN: binary });

/** How a test file ends that sends a request by a program with these options. */
const end = (t, options) => spawnSync(process.execPath, ['-e', `
  require(${JSON.stringify(path.join(__dirname, 'home'))}).leave();
  require('node:child_process').execFileSync(${JSON.stringify(binary)},
    ${JSON.stringify(['run', path.join(scratch(t, {
    'a.http': 'GET {{$exampleServer}}/get\n' }), 'a.http'), ...options])}, { stdio: 'ignore' });
`], { encoding: 'utf8', timeout: PATIENCE });

test('a program without a store of its test is found', { timeout: LIMIT, skip }, t => {
  const ended = end(t, []);
  assert.equal(ended.status, 1);
  assert.match(ended.stderr, /without a store .+ it made \.local\/share\/postkit/);
});

test('a program with a store of its test is fine', { timeout: LIMIT, skip }, t => {
  const ended = end(t, ['--store', scratch(t)]);
  assert.deepEqual([ended.status, ended.stderr], [0, '']);
});
