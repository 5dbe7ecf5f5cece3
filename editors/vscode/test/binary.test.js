'use strict';
// Where the program is looked for, and in which order.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { findBinary, BinaryNotFound } = require('../src/server/binary');
const { scratch } = require('./support');

function program(directory, name) {
  const file = path.join(directory, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '', { mode: 0o755 });
  return file;
}

test('the setting, then the bundled program, then the PATH', t => {
  const root = scratch(t);
  const set = program(root, 'set/other');
  const onPath = program(root, 'path/postkit');
  const options = { extensionPath: path.join(root, 'extension'),
    environment: { PATH: `${root}/empty:${root}/path` }, platform: 'linux' };
  assert.equal(findBinary(options), onPath);
  const bundled = program(root, 'extension/bin/postkit');
  assert.equal(findBinary(options), bundled);
  assert.equal(findBinary({ ...options, setting: ` ${set} ` }), set);
  assert.equal(findBinary({ ...options, setting: 'postkit' }), onPath, 'a name is looked up');
});

test('what is no program is passed over', t => {
  const root = scratch(t, { 'path/postkit': 'text' });
  fs.mkdirSync(path.join(root, 'extension/bin/postkit'), { recursive: true });
  const options = { extensionPath: path.join(root, 'extension'),
    environment: { PATH: path.join(root, 'path') }, platform: 'linux' };
  assert.throws(() => findBinary(options), BinaryNotFound);
  assert.throws(() => findBinary({ ...options, environment: {} }), /PATH.*postkit\.path/);
  const setting = path.join(root, 'path/postkit');
  assert.throws(() => findBinary({ ...options, setting }),
    error => error.message.includes(setting));
});
