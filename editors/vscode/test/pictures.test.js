'use strict';
// The pictures of README and walkthrough can be made anew, from the real programs.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { readDump, screenHTML } = require('../../pictures/screen');
const { findChromium } = require('./browser/chromium');
const { binary, extensionPath, LIMIT, missing, scratch, serverDirectory } = require('./support');

const onPath = name => process.env.PATH.split(path.delimiter)
  .map(directory => path.join(directory, name)).find(file => fs.existsSync(file));
const skip = missing({ POSTKIT_BIN: binary, VSCODE_SERVER: serverDirectory, vim: onPath('vim'),
  nvim: onPath('nvim'), Chromium: findChromium() });

test('a dump of a terminal is read cell by cell', () => {
  const lines = readDump(
    '>#+2#d7d787255#1c1c1c255@2|#+0#767676255&|||@|>| @1\n@3|é+0&#000000255|+@1\n');
  assert.deepEqual(lines.map(cells => cells.map(({ text }) => text).join('')),
    ['####|@>  ', '   é++']);
  assert.deepEqual(lines[0][0],
    { text: '#', attributes: 2, fore: '#d7d787', back: '#1c1c1c', isCursor: true });
  assert.deepEqual(lines[1][3],
    { text: 'é', attributes: 0, fore: '#767676', back: '#000000', isCursor: false });
  assert.match(screenHTML(lines).text, /^<pre class="screen"><div><span class="bold"/);
  assert.throws(() => readDump('no dump'), /this is no dump: no dump/);
});

test('every picture that is shown somewhere can be made anew', { skip, timeout: LIMIT }, t => {
  const folder = scratch(t);
  execFileSync(process.execPath, [path.join(extensionPath, '../pictures/make.js'), folder],
    { timeout: LIMIT, stdio: 'pipe' });
  const made = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile()).map(entry => entry.name);
  const walkthrough = path.join(extensionPath, 'media/walkthrough');
  assert.deepEqual(made.sort(),
    ['icon.png', 'terminal.png', 'neovim.png', 'scripts-vim.png', 'scripts-neovim.png',
      'scripts-vscode.png', ...fs.readdirSync(walkthrough)].sort());
});
