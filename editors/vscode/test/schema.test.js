'use strict';
// What VS Code's own JSON support says of our files: it judges environment files by our schema, and
// leaves alone the pages of a response.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { LIMIT, needsEditor, openFiles, startServer } = require('./support');
const path = require('node:path');
const schema = require('../schemas/environment.schema.json');

/** What the tools of this kind write: each is fine. */
const GOOD = {
  jetbrains: { dev: { host: 'a.test', port: 80, user: { name: 'ann', tags: ['a'] },
    SSLConfiguration: { clientCertificate: { path: 'c.p12', format: 'P12' },
      clientCertificateKey: 'key.pem', hasCertificatePassphrase: true,
      verifyHostCertificate: false },
    Security: { Auth: { shop: { Type: 'OAuth2' } } } } },
  visualstudio: { $shared: { version: 'v1' }, dev: { key: { provider: 'AspnetUserSecrets',
    secretName: 'a:b' }, vault: { provider: 'AzureKeyVault', secretName: 'x', resourceId: 'y' } } },
  kulala: { $kulalaShared: { a: 'b' },
    $kulalaDefaultHeaders: { 'X-A': '1' }, dev: { $default_headers: { Accept: null } } },
  httpyac: { $default: { host: 'a.test' }, 'my env': { confirm: true, flag: false, none: null } },
};

/** What is a mistake: with the place and a word of what is said. */
const BAD = [
  [{ dev: 'a.test' }, /object/],
  [{ $shard: { a: 'b' } }, /\$shard is not allowed/],
  [{ 'dev,prod': {} }, /dev,prod is not allowed/],
  [{ dev: { confirm: 'yes' } }, /boolean/],
  [{ $default_headers: { 'X A': 'b' } }, /pattern/i],
  [{ $default_headers: { 'X-A': ['b'] } }, /type/i],
  [{ dev: { SSLConfiguration: { clientCertificate: 1 } } }, /type|match/i],
  [{ dev: { SSLConfiguration: { verifyHost: true } } }, /verifyHost is not allowed/],
];

const BUILTINS = ['json-language-features'];
const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const messages = (host, file) => host.diagnostics(file).map(({ message }) => message);

editorTest('what other tools write is fine, mistakes are marked', async t => {
  const files = Object.fromEntries([
    ...Object.entries(GOOD).map(([name, value]) => [`good/${name}/http-client.env.json`, value]),
    ...BAD.map(([value], place) => [`bad/${place}/http-client.private.env.json`, value]),
  ].map(([name, value]) => [name, JSON.stringify(value)]));
  const { host, workspace } = await openFiles(t,
    { 'a.http': 'GET http://a.test/\n', ...files }, { builtins: BUILTINS });
  for (const [place, [value, pattern]] of BAD.entries()) {
    const file = path.join(workspace, `bad/${place}/http-client.private.env.json`);
    await host.openDocument(file);
    const found = await host.waitForDiagnostics(file, list => list.length > 0);
    assert.match(found[0].message, pattern, JSON.stringify(value));
  }
  for (const name of Object.keys(GOOD)) {
    const file = path.join(workspace, `good/${name}/http-client.env.json`);
    const document = await host.openDocument(file);
    // A mistake at the end: when it is marked, all before it has been judged.
    await host.edit(file, [{ range: document.fullRange(), text: `${document.getText()} x` }]);
    await host.waitForDiagnostics(file, list => list.length > 0);
    assert.deepEqual(messages(host, file), ['End of file expected.'], name);
  }
});

editorTest('a page of a long JSON response has no mark, though a line of ours is above it', async t => {
  const { origin } = await startServer(t, { body: JSON.stringify(
    Array.from({ length: 30_000 }, (_, id) => ({ id, name: 'one of many items' }))) });
  const { host, file, workspace } = await openFiles(t,
    { 'a.http': `GET ${origin}/long\n`, 'bad.json': '{' }, { builtins: BUILTINS });
  await host.executeCommand('postkit.sendRequest');
  const response = await host.waitFor(() => [...host.documents.values()].find(
    ({ uri }) => uri.scheme === 'postkit'), { what: 'the response' });
  const [, id] = /([0-9a-f-]{36})/.exec(response.key);
  const page = await host.openDocument(`postkit:/response/${id}/body.json`);
  assert.match(page.getText(), /^# Page 1 of \d+/);
  // What is opened later is judged later.
  await host.openDocument(path.join(workspace, 'bad.json'));
  await host.waitForDiagnostics(path.join(workspace, 'bad.json'), list => list.length > 0);
  assert.deepEqual(messages(host, page.uri), []);
  assert.equal(host.languageOf(file), 'http');
  assert.equal(host.languageOf('file:///project/response/1/body.json'), 'json');
});

test('the names that are never variables are those that the schema describes', () => {
  const { properties } = schema.definitions.environment;
  // `confirm` is a variable, too.
  assert.deepEqual(Object.keys(properties).filter(name => name !== 'confirm').sort(),
    ['$default_headers', '$kulalaDefaultHeaders', 'SSLConfiguration', 'Security']);
});
