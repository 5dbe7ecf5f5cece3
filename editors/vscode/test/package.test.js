'use strict';
// The .vsix: what is in it, that it is the same every time, and that Microsoft's own installer and
// the extension host take it.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { makePackage, TARGETS } = require('../scripts/package');
const { problems } = require('../scripts/rules');
const { binary, extensionPath, LIMIT, needsEditor, PATIENCE, scratch, serverDirectory, startEditor }
  = require('./support');

const manifest = require('../package.json');

/** Reads a zip by its central directory, checking it against the local headers. */
function unzip(bytes) {
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50, 'no comment, so the end is where it should be');
  const entries = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + nameLength;
    assert.equal(bytes.readUInt32LE(local), 0x04034b50);
    assert.equal(bytes.toString('utf8', local + 30, start), name);
    const data = zlib.inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(at + 20)));
    assert.equal(data.length, bytes.readUInt32LE(at + 24), name);
    entries.push({ name, data, mode: (bytes.readUInt32LE(at + 38) >>> 16) & 0o777 });
    at += 46 + nameLength;
  }
  return entries;
}

function extract(entries, directory) {
  for (const { name, data, mode } of entries) {
    const file = path.join(directory, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, data, { mode });
  }
}

/** A small program that stands for the large one: it runs the binary under test. */
function wrapper(t) {
  const directory = scratch(t, { postkit: `#!/bin/sh\nexec '${binary}' "$@"\n` });
  return path.join(directory, 'postkit');
}

test('the package holds the extension and nothing else', () => {
  const entries = unzip(makePackage().data);
  const names = entries.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 2), ['[Content_Types].xml', 'extension.vsixmanifest']);
  for (const file of ['package.json', 'README.md', 'src/extension.js',
    'language-configuration.json', 'syntaxes/http.tmLanguage.json', 'snippets/http.json',
    'schemas/environment.schema.json', 'schemas/settings.schema.json', 'images/postkit.svg',
    'src/activation.js', 'src/views/index.js']) {
    assert.ok(names.includes(`extension/${file}`), file);
  }
  assert.deepEqual(names.filter(name => /\.test\.|\/(test|scripts|bin)\//.test(name)), []);
  for (const { name, data } of entries.slice(2)) {
    assert.deepEqual(data, fs.readFileSync(path.join(extensionPath, name.slice(10))), name);
  }
});

test('every part has a content type', () => {
  const [types, ...parts] = unzip(makePackage().data);
  const text = types.data.toString();
  for (const { name } of parts) {
    const extension = path.extname(name).slice(1);
    assert.match(text, new RegExp(`<Default Extension="${extension}" ContentType="[a-z/+-]+"/>`));
  }
});

test('pictures are in it, and all of it stays small without the program', () => {
  const { data, parts } = makePackage();
  const entries = unzip(data);
  assert.equal(parts, entries.length);
  const pictures = entries.filter(({ name }) => name.endsWith('.png'));
  assert.equal(pictures.length, 9, 'the icon, and four steps in dark and in light');
  assert.ok(data.length < 500_000, `${data.length} bytes`);
});

test('each rule of the manifest is held', () => {
  const files = new Map(unzip(makePackage().data).slice(2)
    .map(({ name, data }) => [name.slice(10), data]));
  assert.deepEqual(problems(manifest, files), []);
  const main = manifest.main.replace('./', '');
  const without = new Map([...files].filter(([name]) => name !== main));
  for (const [changed, having, pattern] of [
    [{ name: 'Post Kit' }, files, /^name is/], [{ publisher: '' }, files, /^publisher is/],
    [{ version: '1.0' }, files, /^version is/], [{ engines: { vscode: '*' } }, files, /^engines/],
    [{ categories: ['Rest'] }, files, /no category Rest/],
    [{ keywords: Array(31).fill('a') }, files, /more than 30 keywords/],
    [{ icon: 'images/http-dark.svg' }, files, /icon is no PNG/],
    [{}, without, /^src\/\w+\.js is named and not packed$/],
    [{}, new Map([...files, ['README.md', Buffer.from('![a](terminal.png)')]]), /shows terminal/],
    [{ dependencies: { left: '1' } }, files, /left is depended on/],
  ]) {
    const found = problems({ ...manifest, ...changed }, having);
    assert.equal(found.length, 1, JSON.stringify(found));
    assert.match(found[0], pattern);
  }
});

test('the manifest names the extension, its version and its platform', t => {
  const text = target => unzip(makePackage(target && { target, binary: wrapper(t) }).data)
    .find(({ name }) => name === 'extension.vsixmanifest').data.toString().replace(/\s+/g, ' ');
  const identity = `<Identity Language="en-US" Id="${manifest.name}" `
    + `Version="${manifest.version}" Publisher="${manifest.publisher}"`;
  assert.ok(text().includes(`${identity}/>`));
  assert.ok(text('linux-arm64').includes(`${identity} TargetPlatform="linux-arm64"/>`));
  assert.ok(text().includes(`Engine" Value="${manifest.engines.vscode}"`));
  // A marketplace takes the picture of this manifest alone.
  assert.ok(text().includes(`<Icon>extension/${manifest.icon}</Icon>`));
  assert.ok(text().includes(`Icons.Default" Path="extension/${manifest.icon}"`));
});

test('the same files give the same bytes, and the name says the platform', t => {
  assert.ok(makePackage().data.equals(makePackage().data));
  assert.equal(makePackage().name, `postkit-${manifest.version}.vsix`);
  const target = TARGETS[0];
  assert.equal(makePackage({ target, binary: wrapper(t) }).name,
    `postkit-${target}-${manifest.version}.vsix`);
});

test('a platform needs its program, and the program a known platform', () => {
  assert.throws(() => makePackage({ target: 'linux-x64' }), /go together/);
  assert.throws(() => makePackage({ target: 'amiga', binary: __filename }), /unknown target/);
});

test('the script writes a file another program can read', t => {
  const directory = scratch(t);
  const output = path.join(directory, 'a.vsix');
  const script = path.join(extensionPath, 'scripts/package.js');
  execFileSync(process.execPath, [script, '--output', output, '--target', 'linux-x64',
    '--binary', wrapper(t)], { timeout: PATIENCE });
  const check = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); '
    + 'assert z.testzip() is None; '
    + 'print(oct(z.getinfo("extension/bin/postkit").external_attr >> 16))';
  const mode = execFileSync('python3', ['-c', check, output], { timeout: PATIENCE }).toString();
  assert.equal(mode.trim(), '0o100755');
});

test('it installs and runs: with the program inside, without any setting',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
    const directory = scratch(t, { 'extensions/.keep': '', 'data/.keep': '' });
    const package_ = makePackage({ target: 'linux-x64', binary: wrapper(t) });
    const file = path.join(directory, package_.name);
    fs.writeFileSync(file, package_.data);
    const extensions = path.join(directory, 'extensions');
    execFileSync(path.join(serverDirectory, 'bin/code-server'), ['--accept-server-license-terms',
      '--install-extension', file, '--extensions-dir', extensions,
      '--server-data-dir', path.join(directory, 'data')], { timeout: LIMIT, stdio: 'pipe' });
    const installed = fs.readdirSync(extensions).find(name => name.startsWith('postkit.postkit-'));
    const workspace = scratch(t, { 'a.http': 'GET http://127.0.0.1:1/\n' });
    const host = await startEditor(t, {
      workspace, extension: path.join(extensions, installed), settings: { 'postkit.path': '' },
    });
    await host.openDocument(path.join(workspace, 'a.http'));
    await host.waitForProvider('codeLens', path.join(workspace, 'a.http'));
    assert.ok(host.children().some(({ cmd }) => / lsp$/.test(cmd)));
  });

test('the unpacked folder is an extension too', { timeout: LIMIT, skip: needsEditor() },
  async t => {
    const directory = scratch(t);
    extract(unzip(makePackage().data), directory);
    const workspace = scratch(t, { 'a.http': 'GET http://127.0.0.1:1/\n' });
    const host = await startEditor(t, { workspace, extension: path.join(directory, 'extension') });
    await host.openDocument(path.join(workspace, 'a.http'));
    await host.waitForProvider('codeLens', path.join(workspace, 'a.http'));
  });
