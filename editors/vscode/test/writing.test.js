'use strict';
// Writing in the genuine extension host: what completion inserts, help with arguments, renaming,
// layout, and what the server writes by itself.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { LIMIT, needsEditor, openFiles } = require('./support');

const ENVIRONMENT = {
  'postkit.json': '{"environment": "dev"}',
  'http-client.env.json': '{"dev": {"host": "http://127.0.0.1:1"}}\n',
  'http-client.private.env.json': '{"dev": {"token": "abcdefghijk"}}\n',
};

const editorTest = (name, lines, run) => test(name, { timeout: LIMIT, skip: needsEditor() },
  async t => run(await openFiles(t, { 'a.http': `${lines.join('\n')}\n`, ...ENVIRONMENT }), t));

const errors = host => host.messages.filter(({ severity }) => severity === 'error');

editorTest('an item tells what it is, and goes in where the name stands', ['GET {{host}}/{{to'],
  async ({ host, file, document }) => {
    const items = await host.completion(file, document.find('{{to'), { trigger: '{' });
    const token = items.find(({ label }) => label === 'token');
    assert.ok(token, JSON.stringify(items.map(({ label }) => label)));
    assert.equal(token.labelDescription, 'private environment');
    const { documentation } = await host.resolveCompletion(token);
    assert.match(documentation, /http-client\.private\.env\.json/);
    assert.doesNotMatch(documentation, /abcdefghijk/, 'a secret is not shown');
    await host.acceptCompletion(file, token);
    assert.equal(document.lines[0], 'GET {{host}}/{{token}}');
  });

editorTest('the arguments of a dynamic variable are explained while they are typed',
  ['GET {{host}}/{{$randomInt 1 2}}'], async ({ host, file, document }) => {
    const help = await host.signatureHelp(file, document.find('$randomInt '), { trigger: ' ' });
    assert.equal(help.signatures[0].label, '$randomInt [min max]');
    assert.match(help.signatures[0].documentation, /random integer/);
    assert.deepEqual(help.signatures[0].parameters.map(({ label }) => label), ['min', 'max']);
    assert.equal(help.activeParameter, 0);
    const next = await host.signatureHelp(
      file, document.find('$randomInt 1 '), { trigger: ' ', active: help });
    assert.equal(next.activeParameter, 1);
    assert.equal(await host.signatureHelp(file, document.find('GET')), undefined);
  });

editorTest('a variable is renamed in all files, private ones only when the user agrees',
  ['GET {{host}}/', 'Authorization: Bearer {{token}}'],
  async ({ workspace, host, file, document }) => {
    const at = document.find('{{tok');
    const { range, placeholder } = await host.prepareRename(file, at);
    assert.equal(placeholder, 'token');
    assert.equal(document.getText(range), 'token');
    const edit = await host.rename(file, at, 'secret');
    const asked = Object.fromEntries(edit.edits.map(
      ({ uri, metadata }) => [path.basename(uri), metadata?.needsConfirmation]));
    assert.deepEqual(asked, { 'http-client.private.env.json': true, 'a.http': undefined });
    const { metadata } = edit.edits.find(item => item.metadata);
    assert.match(metadata.label, /Rename to `secret` in private files/);
    await host.applyWorkspaceEdit(edit);
    assert.equal(document.lines[1], 'Authorization: Bearer {{secret}}');
    const own = host.document(path.join(workspace, 'http-client.private.env.json'));
    assert.match(own.getText(), /"secret": "abcdefghijk"/);
    assert.deepEqual(errors(host), []);
  });

editorTest('what can not be renamed is said with the reason',
  ['@a = 1', 'GET {{host}}/{{a}}/{{$uuid}}'], async ({ host, file, document }) => {
    const place = await host.prepareRename(file, document.find('$uu'));
    assert.match(place.rejectReason, /`\$uuid` is a dynamic variable, whose name is fixed/);
    const edit = await host.rename(file, document.find('{{a'), 'b c');
    assert.match(edit.rejectReason, /`b c` can't be the name of a variable/);
    assert.deepEqual(edit.edits, []);
  });

editorTest('a document, a part of it and what is being typed are laid out',
  ['### A', 'POST {{host}}/a', 'content-type:application/json', '', '{"a":1}', '', '### B',
    'POST {{host}}/b', 'accept:*/*'], async ({ host, file, document }) => {
    const apply = edits => host.edit(file,
      edits.map(({ range, newText }) => ({ range, text: newText })));
    const second = { start: document.find('### B'), end: document.find('*/*') };
    await apply(await host.format(file, { range: second }));
    assert.match(document.getText(), /accept: \*\/\*/i);
    assert.match(document.getText(), /content-type:application/, 'the other request stays');
    await apply(await host.format(file));
    assert.match(document.getText(), /content-type: application\/json/i);
    assert.deepEqual(await host.format(file), [], 'what is laid out stays');

    await host.setText(file, '###');
    await apply(await host.format(file, { position: document.find('###'), ch: '#' }));
    assert.equal(document.getText(), '### ');
    const body = 'POST /\nContent-Type: application/json\n\n{"a": [\n';
    await host.setText(file, body);
    const options = { tabSize: 3, insertSpaces: true };
    await apply(await host.format(file, { position: document.find(body), ch: '\n', options }));
    assert.equal(document.lines.at(-1), ' '.repeat(6));
  });

editorTest('a curl command on the clipboard becomes a request', ['GET {{host}}/a'],
  async ({ host, file, document }) => {
    host.clipboard = 'curl -H "Accept: text/plain" http://127.0.0.1:1/pasted';
    await host.setSelection(file, { line: 1, character: 0 });
    await host.executeCommand('postkit.pasteCurlCommand');
    assert.match(document.getText(), /GET http:\/\/127\.0\.0\.1:1\/pasted\nAccept: text\/plain/);
    host.clipboard = 'hello';
    await host.executeCommand('postkit.pasteCurlCommand');
    assert.match(errors(host)[0].message, /neither a curl command/);
  });

editorTest('a header and a query line are switched off and on by a key',
  ['GET {{host}}/a', '  ?a=1', '  &b=2', 'Accept: text/plain', 'X-A: 1', 'X-B: 2'],
  async ({ host, file, document }) => {
    const toggle = async (line, last = line) => {
      await host.setSelection(file, { line, character: 0 }, { line: last, character: 0 });
      await host.executeCommand('postkit.toggleHeader');
    };
    const first = document.lines.findIndex(line => line.startsWith('Accept'));
    await toggle(first);
    assert.equal(document.lines[first], '# Accept: text/plain');
    await toggle(first);
    assert.equal(document.lines[first], 'Accept: text/plain');
    await toggle(first, first + 2);
    assert.deepEqual(document.lines.slice(first, first + 3),
      ['# Accept: text/plain', '# X-A: 1', 'X-B: 2']);
    await toggle(first - 1);
    assert.equal(document.lines[first - 1], '  # &b=2');
    assert.deepEqual(host.messages, []);
  });

editorTest('paths follow a file that gets another name', ['POST {{host}}/', '', '< ./body.json'],
  async ({ workspace, host, file, document }) => {
    const from = path.join(workspace, 'body.json');
    const to = path.join(workspace, 'data', 'new.json');
    fs.writeFileSync(from, '{}');
    await host.fireFileEvents({ created: [from] });
    const edit = await host.renameFile(from, to);
    assert.equal(document.lines[2], '< ./data/new.json');
    assert.equal(edit.edits.length, 1);
    const [link] = (await host.documentLinks(file)).filter(({ target }) => /json$/.test(target));
    assert.equal(link.target, `file://${to}`);
    assert.deepEqual(host.messages, []);
  });

test('what differs from a description is marked, and a sample of the body goes in',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
    const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    const description = {
      openapi: '3.0.3', info: { title: 'Users', version: '1' },
      servers: [{ url: 'http://127.0.0.1:1' }],
      paths: { '/users': { post: {
        requestBody: { content: { 'application/json': { schema } } },
        responses: { 201: { description: 'made' } },
      } } },
    };
    const { host, file, document } = await openFiles(t, {
      'a.http': 'POST {{host}}/usrs\n', 'openapi.json': JSON.stringify(description), ...ENVIRONMENT,
    });
    await host.waitFor(() => host.diagnostics(file).some(
      ({ message, severity }) => /no such path/.test(message) && severity === 'hint'), { what: 'a hint' });
    const choose = async (text, title) => {
      const at = document.find(text);
      const action = (await host.codeActions(file, { start: at, end: at }))
        .find(item => item.title === title);
      assert.ok(action, title);
      await host.applyCodeAction(action);
    };
    await choose('usrs', 'Write `users`');
    assert.equal(document.lines[0], 'POST {{host}}/users');
    await host.waitFor(() => host.diagnostics(file).length === 0, { what: 'no diagnostics' });
    await choose('POST', 'Insert sample body');
    assert.deepEqual(document.lines.slice(1, 6),
      ['Content-Type: application/json', '', '{', '  "name": "string"', '}']);
    assert.deepEqual(errors(host), []);
  });

test('a field that a GraphQL schema lacks is marked, and the one that was meant goes in',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
    const { host, file, document } = await openFiles(t, {
      'a.http': 'GRAPHQL {{host}}/\n\nquery { user(id: 1) { nmae } }\n',
      'schema.graphql': 'type Query { user(id: ID!): User }\ntype User { name: String }\n',
      ...ENVIRONMENT,
    });
    await host.waitFor(() => host.diagnostics(file).some(
      ({ message }) => /no field `nmae`/.test(message)), { what: 'a mistake' });
    const at = document.find('nmae');
    const action = (await host.codeActions(file, { start: at, end: at }))
      .find(item => item.title === 'Write `name`');
    assert.ok(action);
    await host.applyCodeAction(action);
    assert.equal(document.lines[2], 'query { user(id: 1) { name } }');
    await host.waitFor(() => host.diagnostics(file).length === 0, { what: 'no diagnostics' });
    assert.deepEqual(errors(host), []);
  });
