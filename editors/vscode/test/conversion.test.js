'use strict';
// What the protocol says is what the editor gets, and back: items of completion, diagnostics.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { LIMIT, needsEditor } = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);

editorTest('all that the protocol knows of a completion is taken', async t => {
  const { tap, host, file, document } = await openTapped(t, { 'a.http': 'GET http://ab\n' });
  const place = (from, to) => ({
    start: { line: 0, character: from }, end: { line: 0, character: to } });
  await tap.answer('textDocument/completion', {
    isIncomplete: true,
    itemDefaults: {
      commitCharacters: ['/'], editRange: { insert: place(11, 12), replace: place(11, 13) },
      insertTextMode: 1, data: { rev: 1 } },
    items: [{ label: 'axle', labelDetails: { detail: '(n)', description: 'host' }, kind: 21,
      tags: [1], preselect: true, filterText: 'a', sortText: '0', textEditText: 'axle.test' },
    { label: 'b', kind: 6, commitCharacters: [';'], data: { rev: 2 } }],
  });
  await tap.answer('completionItem/resolve', { label: 'axle', detail: 'a host',
    documentation: { kind: 'markdown', value: '**axle**' },
    additionalTextEdits: [{ range: place(0, 3), newText: 'PUT' }] });
  const items = await host.completion(file, { line: 0, character: 12 });
  const [axle, b] = items;
  assert.equal(items.incomplete, true);
  assert.deepEqual({ ...axle }, { label: 'axle', kind: 'Constant', sortText: '0', filterText: 'a',
    insertText: 'axle.test', isSnippet: false, preselect: true, commitCharacters: ['/'],
    deprecated: true, range: { insert: place(11, 12), replace: place(11, 13) },
    labelDetail: '(n)', labelDescription: 'host' });
  const KEEP_WHITESPACE = 1;
  assert.equal(axle.raw.i & KEEP_WHITESPACE, KEEP_WHITESPACE);
  assert.deepEqual(b.commitCharacters, [';']);
  await host.acceptCompletion(file, axle);
  assert.equal(document.lines[0], 'PUT http://axle.testb');
  const sent = tap.read().find(({ method }) => method === 'completionItem/resolve').params;
  assert.deepEqual(sent.data, { rev: 1 });
});

editorTest('diagnostics that are pushed for an older text are not shown', async t => {
  const { tap, host, file, document, uri } = await openTapped(t, { 'a.http': 'GET http://a\n' },
    'textDocument/diagnostic');
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const push = (version, ...messages) => tap.tell('textDocument/publishDiagnostics', {
    uri: uri('a.http'), version, diagnostics: messages.map(message => ({ range, message })) });
  await push(document.version, 'one', 'two');
  await host.waitForDiagnostics(file, list => list.length === 2);
  await push(document.version + 1, 'three');
  await push(document.version, 'four');
  const shown = await host.waitForDiagnostics(file, list => list.length === 1);
  assert.deepEqual(shown.map(({ message, severity }) => [message, severity]), [['four', 'error']]);
  assert.equal(host.calls.filter(({ method, args }) => method === '$changeMany'
    && JSON.stringify(args).includes('three')).length, 0);
});

editorTest('all that the protocol knows of a diagnostic is shown and given back', async t => {
  const { tap, host, file, document, uri } = await openTapped(t, { 'a.http': 'GET http://a\n' });
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const item = { range, severity: 4, code: 'old', source: 'postkit', message: 'Nobody uses it.',
    codeDescription: { href: 'https://postkit.test/old' }, tags: [1, 2],
    relatedInformation: [{ location: { uri: uri('a.http'), range }, message: 'Here.' }],
    data: { fixes: ['x'] } };
  await tap.answer('textDocument/diagnostic', { kind: 'full', resultId: '1', items: [item] });
  await tap.ask('workspace/diagnostic/refresh', null);
  const [shown] = await host.waitForDiagnostics(file);
  assert.deepEqual(shown, { severity: 'hint', message: item.message, range, source: 'postkit',
    code: 'old', codeTarget: 'https://postkit.test/old', owner: 'postkit',
    tags: ['unnecessary', 'deprecated'],
    relatedInformation: [{ uri: uri('a.http'), range, message: 'Here.' }] });
  await host.codeActions(file, range);
  const { params } = tap.read().find(({ method }) => method === 'textDocument/codeAction');
  assert.deepEqual(params.context.diagnostics, [item]);

  await tap.answer('textDocument/diagnostic', { kind: 'unchanged', resultId: '1' });
  await host.edit(file, { range: { start: document.find('a\n', { before: true }),
    end: document.find('a\n', { before: true }) }, text: 'b' });
  const asked = await host.waitFor(() => tap.read().findLast(({ method, params: about }) =>
    method === 'textDocument/diagnostic' && about.previousResultId === '1'),
  { what: 'the question after the edit' });
  assert.equal(asked.params.identifier, 'postkit');
  assert.equal(host.diagnostics(file).length, 1, 'what is unchanged stays');
});
