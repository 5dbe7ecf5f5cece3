'use strict';
// What the extension says to the server is what protocol/ describes: methods, commands, capability.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { extensionPath, sourceText } = require('./support');
const { clientCapabilities } = require('../src/capabilities');

const protocol = path.join(extensionPath, '../../protocol');
const read = name => JSON.parse(fs.readFileSync(path.join(protocol, name), 'utf8'));
const model = read('postkit.metaModel.json');
const commands = read('commands.json').map(({ command }) => command);
const standard = read('lsp.subset.json');
const source = sourceText();
const contributed = require('../package.json').contributes.commands.map(({ command }) => command);

const methods = [...model.requests, ...model.notifications, ...standard.requests,
  ...standard.notifications].map(({ method }) => method);

test('every method it speaks is in the model', () => {
  const pattern = /'((?:[a-z]+[A-Z]?[A-Za-z]*|\$)\/[A-Za-z/]+)'/g;
  const mediaType = /^(image|text)\//;
  const spoken = new Set([...source.matchAll(pattern)].map(([, method]) => method)
    .filter(method => !mediaType.test(method)));
  assert.ok(spoken.size > 25, `${spoken.size} methods found`);
  assert.deepEqual([...spoken].filter(method => !methods.includes(method)).sort(), []);
});

test('every server command it runs exists, and none is also the id of one of ours', () => {
  const run = [...source.matchAll(/(?:execute\(|command: |case )'(postkit\.\w+)'/g)]
    .map(([, command]) => command).filter(command => !contributed.includes(command));
  assert.deepEqual([...new Set(run)].filter(command => !commands.includes(command)), []);
  assert.deepEqual(contributed.filter(command => commands.includes(command)), []);
});

test('the declared capability has only fields of the model', () => {
  const { properties } = model.structures.find(({ name }) => name === 'PostkitClientCapability');
  const known = properties.map(({ name }) => name);
  const declared = Object.keys(clientCapabilities.experimental.postkit);
  assert.deepEqual(declared.filter(name => !known.includes(name)), []);
});
