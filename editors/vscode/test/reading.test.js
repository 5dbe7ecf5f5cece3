'use strict';
// What is painted, folded, marked and written between the lines in the genuine extension host, and
// that it follows when something else changes than the text.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { LIMIT, needsEditor, openFiles, startServer } = require('./support');

const editorTest = (name, lines, run, files) => test(name,
  { timeout: LIMIT, skip: needsEditor() },
  async t => run(await openFiles(t, { 'a.http': `${lines.join('\n')}\n`, ...files }), t));

/** How each text is painted: `variable.readonly`. */
const painted = tokens => Object.fromEntries(
  tokens.map(({ text, type, modifiers }) => [text, [type, ...modifiers].join('.')]));
/** Counts how often providers of a kind say that what they said is out of date. */
function countChanges(host, kind) {
  const seen = { count: 0 };
  host.on('providerEvent', event => { if (event.kind === kind) seen.count += 1; });
  return seen;
}

editorTest('tokens tell what has a value, what is secret and what nobody should use',
  ['GET {{host}}/{{nope}}', 'Pragma: {{token}}'], async ({ host, file }) => {
    const { tokens } = await host.semanticTokens(file);
    const { host: variable, nope, token, Pragma, GET } = painted(tokens);
    assert.deepEqual({ variable, nope, token, Pragma, GET }, {
      variable: 'variable.readonly', nope: 'variable.unresolved',
      token: 'variable.readonly.secret', Pragma: 'property.deprecated',
      GET: 'method.defaultLibrary' });
  }, {
    'postkit.json': '{"environment": "dev"}',
    'http-client.env.json': '{"dev": {"host": "http://127.0.0.1:1"}}',
    'http-client.private.env.json': '{"dev": {"token": "abcdefghijk"}}',
  });

editorTest('after an edit only the change of the tokens travels',
  ['@host = http://127.0.0.1:1', ...Array.from({ length: 50 }, (_, n) => `###\nGET {{host}}/${n}`)],
  async ({ host, file, document }) => {
    const first = await host.semanticTokens(file);
    await host.edit(file, { range: { start: document.find('{{h'), end: document.find('{{host') },
      text: 'x' });
    const second = await host.semanticTokens(file, { after: first });
    assert.ok(second.edits, 'a change was sent');
    const sent = second.edits.reduce((sum, { data }) => sum + data.length, 0);
    assert.ok(sent < first.data.length / 10, `${sent} of ${first.data.length} numbers`);
    assert.deepEqual(second.tokens, (await host.semanticTokens(file)).tokens);
    assert.equal(painted(second.tokens).hx, 'variable.unresolved');
  });

editorTest('the tokens of a part are those of the whole', ['GET {{$uuid}}', '###', 'PUT {{x}}'],
  async ({ host, file }) => {
    const { tokens } = await host.semanticTokens(file);
    const part = await host.rangeSemanticTokens(file,
      { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } });
    assert.deepEqual(part, tokens.filter(token => token.line === 2));
    assert.ok(part.length > 0);
  });

editorTest('a variable that an environment file gains is painted, marked and hinted anew',
  ['GET http://127.0.0.1:1/{{late}}'], async ({ workspace, host, file }) => {
    const [problem] = await host.waitForDiagnostics(file);
    assert.equal(problem.code, 'unresolved-variable');
    assert.equal(painted((await host.semanticTokens(file)).tokens).late, 'variable.unresolved');
    const [tokens, hints] = ['semanticTokens', 'inlayHints'].map(kind => countChanges(host, kind));
    const environments = path.join(workspace, 'http-client.env.json');
    fs.writeFileSync(environments, '{"dev": {"late": "now"}}');
    await host.fireFileEvents({ changed: [environments] });
    await host.waitForDiagnostics(file, list => list.length === 0);
    await host.waitFor(() => tokens.count && hints.count, { what: 'tokens and hints to change' });
    assert.equal(painted((await host.semanticTokens(file)).tokens).late, 'variable.readonly');
    const hint = (await host.inlayHints(file)).find(({ label }) => /now/.test(label));
    assert.match(JSON.stringify(await host.resolveInlayHint(hint)), /http-client\.env\.json/);
    assert.deepEqual(hint.textEdits.map(({ newText }) => newText), ['now']);
  }, { 'postkit.json': '{"environment": "dev", "inlay": {"variables": "url"}}',
    'http-client.env.json': '{"dev": {}}' });

editorTest('a failed check is marked, explained, and leads to the response',
  ['GET {{host}}/a'], async ({ host, file, document }, t) => {
    const server = await startServer(t);
    const lenses = countChanges(host, 'codeLens');
    await host.setText(file, `GET ${server.origin}/a\n\n?? status == 404\n`);
    await host.setSelection(file, document.find('GET'));
    await host.executeCommand('postkit.sendRequest');
    const [failure] = await host.waitForDiagnostics(file,
      list => list.some(({ relatedInformation }) => relatedInformation));
    assert.match(failure.relatedInformation[0].uri, /^postkit:\/response\/[0-9a-f-]+\/as\/[^/]*200%20OK\.http$/);
    assert.match(failure.codeTarget, /^postkit:\/diagnostics\//);
    const page = await host.openDocument(failure.codeTarget);
    assert.match(page.getText(), new RegExp(failure.code));
    assert.equal(document.getText(failure.range).includes('404'), true);
    await host.waitFor(() => lenses.count, { what: 'lenses to be outdated' });
    await host.edit(file, { range: { start: document.find('== 404', { before: true }),
      end: document.find('== 404') }, text: '== 200' });
    await host.waitForDiagnostics(file, list => list.length === 0);
  });

editorTest('each of many quick edits is followed, and the last one counts', ['GET {{a}}'],
  async ({ host, file, document }) => {
    await host.waitForDiagnostics(file);
    for (let count = 0; count < 30; count += 1) {
      await host.edit(file, { range: { start: document.find('{{'), end: document.find('{{') },
        text: 'b' });
    }
    const name = `${'b'.repeat(30)}a`;
    await host.waitForDiagnostics(file, list => list.some(({ message }) => message.includes(name)));
    await host.closeDocument(file);
    await host.waitFor(() => host.diagnostics(file).length === 0, { what: 'no diagnostics' });
  });

editorTest('what another open file takes away is missed at once, before it is saved',
  ['import b.http', 'GET http://a/{{from}}'], async ({ workspace, host, file }) => {
    const other = path.join(workspace, 'b.http');
    const document = await host.openDocument(other);
    await host.waitForDiagnostics(file, list => list.length === 0);
    await host.edit(other, { range: document.fullRange(), text: '' });
    const [problem] = await host.waitForDiagnostics(file);
    assert.match(problem.message, /`from`/);
    await host.edit(other, { range: document.fullRange(), text: '@from = y' });
    await host.waitForDiagnostics(file, list => list.length === 0);
  }, { 'b.http': '@from = x\n' });

editorTest('the settings of a project are checked while they are written', ['GET http://a'],
  async ({ workspace, host }) => {
    const file = path.join(workspace, 'postkit.json');
    await host.openDocument(file);
    const [mistake] = await host.waitForDiagnostics(file);
    assert.match(mistake.message, /timout/);
    await host.setText(file, '{"timeout": 5000}');
    await host.waitForDiagnostics(file, list => list.length === 0);
  }, { 'postkit.json': '{"timout": "5 s"}' });

editorTest('requests, their parts, bodies and comments can be folded',
  ['# one', '# two', '', '### A', 'POST http://a', 'A: 1', 'B: 2', '', '{', '  "a": [', '    1',
    '  ]', '}', '', '### B', 'GET http://b'], async ({ host, file, document }) => {
    const ranges = (await host.foldingRanges(file)).map(
      ({ start, end, kind }) => [document.lines[start], document.lines[end], kind]);
    assert.deepEqual(ranges.slice(0, 2), [['# one', '# two', 'comment'], ['### A', '}', 'region']]);
    assert.ok(ranges.some(([start, end]) => start === '{' && end === '  ]'), ranges.join(' | '));
  });

editorTest('a selection grows from the token to the file', ['### A', 'GET http://a/b?c=d&e={{f}}'],
  async ({ host, file, document }) => {
    const [ranges] = await host.selectionRanges(file, [document.find('c=')]);
    const texts = ranges.map(range => document.getText(range));
    assert.deepEqual(texts.slice(0, 3), ['d', 'c=d', 'c=d&e={{f}}']);
    assert.equal(texts.at(-1), document.getText());
    for (const [index, text] of texts.slice(1).entries()) assert.ok(text.includes(texts[index]));
  });

editorTest('a response and a list are folded, followed and coloured like a request',
  [''], async ({ host, file, document }, t) => {
    const server = await startServer(t);
    await host.setText(file, `GET ${server.origin}/a\n`);
    await host.setSelection(file, document.find('GET'));
    await host.executeCommand('postkit.sendRequest');
    const shown = path => host.waitFor(() => [...host.documents.values()].find(
      ({ uri }) => uri.scheme === 'postkit' && uri.path.startsWith(path)), { what: path });
    const response = await shown('/response/');
    const body = await host.waitFor(async () => (await host.foldingRanges(response.uri)).find(
      ({ start }) => response.lines[start] === '{'), { what: 'the body to be folded' });
    assert.match(response.lines[body.end], /abc|path/);
    const { tokens } = await host.semanticTokens(response.uri);
    assert.equal(painted(tokens)['Content-Type'], 'property');
    const [ranges] = await host.selectionRanges(response.uri, [response.find('"ab')]);
    assert.deepEqual(ranges.slice(0, 2).map(range => response.getText(range)), ['abc', '"abc"']);

    await host.openDocument(file);
    await host.executeCommand('postkit.showTimeline');
    const list = await shown('/timeline/');
    const [link] = await host.waitFor(async () => {
      const links = await host.documentLinks(list.uri);
      return links.length && links;
    }, { what: 'links in the list' });
    assert.equal(link.target, response.key);
  });
