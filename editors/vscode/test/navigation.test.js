'use strict';
// From name to name in the genuine extension host: definitions, values of all environments, uses,
// links, symbols and who calls whom.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { fileURLToPath } = require('node:url');
const { LIMIT, needsEditor, openFiles } = require('./support');

const MAIN = `import common.http
@area = {{region}}

### ask
# @ref login
POST {{host}}/a/{{area}}?t={{login.response.body.$.t}}
Content-Type: application/json

{"area": "{{area}}"}

### file
POST {{host}}/b

< ./body.json
`;
const FILES = {
  'main.http': MAIN,
  'common.http': '### sign in\n# @name login\nGET {{host}}/login\n',
  'body.json': '{}',
  'postkit.json': '{"environment": "dev"}',
  'http-client.env.json': JSON.stringify({
    dev: { host: 'http://127.0.0.1:1', region: 'eu' }, prod: { host: 'https://prod.test' },
  }, null, 2),
};

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() },
  async t => run(await openFiles(t, FILES)));

/** Where places lead: the file's name and the text there. */
const shown = places => places.map(({ uri, range, targetSelectionRange }) => {
  const { start, end } = targetSelectionRange ?? range;
  const line = fs.readFileSync(fileURLToPath(uri), 'utf8').split('\n')[start.line];
  return `${uri.split('/').at(-1)}: ${line.slice(start.character, end.character)}`;
});

editorTest('a definition is found in files and environments, with the place it is asked of',
  async ({ host, file, document }) => {
    const found = await host.definition(file, document.find('{{ho'));
    assert.deepEqual(shown(found), ['http-client.env.json: "http://127.0.0.1:1"']);
    assert.equal(document.getText(found[0].originSelectionRange), '{{host}}');
    assert.deepEqual(shown(await host.definition(file, document.find('{{ar'))),
      ['main.http: area']);
    assert.deepEqual(shown(await host.definition(file, document.find('@ref lo'))),
      ['common.http: login']);
    assert.deepEqual(await host.definition(file, document.find('Content-')), []);
  });

test('a description of an API knows paths, values and keys, and where they stand',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
    const { host, file, document } = await openFiles(t, {
      'main.http': 'GET {{host}}/pets?status=sold\n\n###\nPOST {{host}}/pets\n'
        + 'Content-Type: application/json\n\n{ "kind": "cat" }\n',
      'openapi.yaml': 'openapi: 3.0.3\npaths:\n  /pets:\n    get:\n      parameters: '
        + '[{name: status, in: query, schema: {enum: [sold, new]}}]\n    post:\n      '
        + 'requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}'
        + '}}\ncomponents:\n  schemas:\n    Pet:\n      properties: '
        + '{kind: {type: string}, tame: {type: boolean}}\n',
    });
    const offered = async mark => {
      const { line, character } = document.find(mark);
      for (;;) {
        const items = await host.completion(file, line, character);
        if (items.incomplete) continue;
        return items.filter(({ detail }) => detail).map(({ label }) => label.label ?? label);
      }
    };
    assert.deepEqual(await offered('{{host}}/pe'), ['/pets']);
    assert.deepEqual(await offered('status='), ['sold', 'new']);
    assert.deepEqual(await offered('{ '), ['tame']);
    const [found] = await host.definition(file, document.find('"ki'));
    assert.ok(found.uri.endsWith('/openapi.yaml'));
    assert.equal((found.targetSelectionRange ?? found.range).start.line, 10);
    const [type] = await host.typeDefinition(file, document.find('POST'));
    assert.ok(type.uri.endsWith('/openapi.yaml'));
    assert.equal((type.targetSelectionRange ?? type.range).start.line, 9);
  });

editorTest('implementations are the values of all environments', async (
  { host, file, document }) => {
  const found = await host.implementation(file, document.find('{{ho'));
  assert.deepEqual(shown(found), ['http-client.env.json: "http://127.0.0.1:1"',
    'http-client.env.json: "https://prod.test"']);
});

editorTest('references are found in all files, with and without the definition',
  async ({ host, file, document }) => {
    const at = document.find('{{lo');
    assert.deepEqual(shown(await host.references(file, at)), ['common.http: sign in',
      'common.http: login', 'main.http: login', 'main.http: login']);
    assert.deepEqual(shown(await host.references(file, at, { includeDeclaration: false })),
      ['main.http: login', 'main.http: login']);
  });

editorTest('the uses of a name are marked, its definition as written', async (
  { host, file, document }) => {
  const found = await host.documentHighlights(file, document.find('{{ar'));
  assert.deepEqual(
    found.map(({ range, kind }) => [range.start.line, document.getText(range), kind]),
    [[1, 'area', 'write'], [5, 'area', 'read'], [8, 'area', 'read']]);
});

editorTest('links lead to files at once, to addresses when they are resolved',
  async ({ host, file, document, uri }) => {
    const links = async options => Object.fromEntries((await host.documentLinks(file, options)).map(
      ({ range, target, tooltip }) => [document.getText(range), { target, tooltip }]));
    const before = await links({ resolve: false });
    assert.equal(before['common.http'].target, uri('common.http'));
    assert.equal(before['{{host}}/b'].target, undefined);
    const after = await links();
    assert.equal(after['./body.json'].target, uri('body.json'));
    assert.deepEqual(after['{{host}}/b'],
      { target: 'http://127.0.0.1:1/b', tooltip: 'http://127.0.0.1:1/b' });
  });

editorTest('names of the workspace are found, and their place when one is chosen',
  async ({ host, uri }) => {
    const [symbol] = await host.workspaceSymbols('logi');
    assert.deepEqual({ ...symbol }, { name: 'login', kind: 'Method', containerName: 'common.http',
      location: { uri: uri('common.http'), range: undefined } });
    const { location } = await host.resolveWorkspaceSymbol(symbol);
    assert.deepEqual(shown([location]), ['common.http: login']);
  });

editorTest('the outline has requests with their parts', async ({ host, file, document }) => {
  const symbols = await host.documentSymbols(file);
  assert.deepEqual(symbols.map(({ name, kind }) => [name, kind]), [['common.http', 'Module'],
    ['@area', 'Variable'], ['ask', 'Method'], ['file', 'Method']]);
  const parts = symbols[2].children.map(({ name }) => name);
  assert.ok(parts.includes('Headers (1)'), parts.join());
  assert.equal(document.getText(symbols[2].selectionRange).split(' ')[0], 'POST');
});

editorTest('requests call those whose answers they read, across files',
  async ({ host, file, document, uri }) => {
    const [ask] = await host.callHierarchy(file, document.find('POST'));
    assert.equal(ask.name, 'ask');
    const [{ to, fromRanges }] = await host.outgoingCalls(ask);
    assert.deepEqual([to.name, to.uri], ['login', uri('common.http')]);
    assert.deepEqual(fromRanges.map(range => document.getText(range)), ['login', 'login']);
    const callers = await host.incomingCalls(to);
    assert.deepEqual(callers.map(({ from }) => [from.name, from.uri]), [['ask', uri('main.http')]]);
  });
