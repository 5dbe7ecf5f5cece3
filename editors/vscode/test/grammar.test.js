'use strict';
// The grammar through VS Code's own tokenizer: what each piece is called, and that no body, however
// broken, swallows the next request.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { loadGrammar } = require('./browser/grammar');
const { missing, serverDirectory } = require('./support');

const skip = missing({ VSCODE_SERVER: serverDirectory });

let tokenize;
const grammarTest = (name, run) => test(name, { skip }, async () => {
  tokenize ??= await loadGrammar();
  await run();
});

/** Asserts that the piece of text carries the scope; the line is the first one that contains it. */
function expectScope(lines, piece, scope) {
  const token = lines.flat().find(({ text }) => text.trim() === piece);
  assert.ok(token, `${piece} among ${JSON.stringify(lines.flat().map(({ text }) => text))}`);
  assert.ok(token.scopes.some(name => name.startsWith(scope)),
    `${piece}: ${token.scopes.join(' ')} has no ${scope}`);
}

const REQUEST_METHOD = 'keyword.control.method.http';

grammarTest('the pieces of a request', () => {
  const lines = tokenize(['### Log in', '# @name login', '// a remark', '@host = http://x.test',
    'POST {{host}}/users?page=2&q={{$randomInt 1 9}} HTTP/1.1', '  &debug', 'Accept: text/plain',
    '', 'HTTP/1.1 404 Not Found'].join('\n'));
  for (const [piece, scope] of [['Log in', 'entity.name.section'],
    ['@name', 'storage.type.annotation'], ['login', 'variable.parameter.annotation'],
    ['// a remark', 'comment.line'], ['POST', REQUEST_METHOD], ['/users', 'string.unquoted.target'],
    ['page', 'variable.parameter.query'], ['2', 'string.unquoted.query-value'],
    ['$randomInt', 'support.function'], ['HTTP/1.1', 'keyword.other.version'],
    ['debug', 'variable.parameter.query'], ['Accept', 'entity.name.tag.header'],
    ['text/plain', 'string.unquoted.header-value'], ['404', 'constant.numeric.status']]) {
    expectScope(lines, piece, scope);
  }
  assert.ok(lines[3].some(({ text, scopes }) => text === 'host'
    && scopes.includes('variable.other.definition.http')));
  assert.ok(lines[4].some(({ text, scopes }) => text === 'host'
    && scopes.includes('variable.other.readwrite.http')));
});

for (const [type, header, body, piece, scope] of [
  ['JSON', 'Content-Type: application/json; charset=utf-8', '{"a": 1}', '"', 'string.quoted.json'],
  ['problem JSON', 'content-type: application/problem+json', '{"a": 1}', '"', 'string.quoted.json'],
  ['XML', 'Content-Type: application/xml', '<note>', '<note', 'meta.tag.xml'],
  ['a form', 'Content-Type: application/x-www-form-urlencoded', 'name=value', 'name',
    'variable.parameter.form'],
  ['JSON without a type', 'Accept: */*', '{"a": 1}', '"', 'string.quoted.json'],
  ['GraphQL without a type', 'Accept: */*', 'query Q { a }', 'query', 'keyword.operation.graphql'],
]) {
  grammarTest(`a body of ${type} is in its own language`, () => {
    expectScope(tokenize(`POST http://x.test\n${header}\nX-After: 1\n\n${body}`), piece, scope);
  });
}

grammarTest('no broken body swallows the next request', () => {
  for (const [type, body] of [['application/json', '{"open: {'], ['text/xml', '<note'],
    ['text/plain', '{{open'], ['text/html', '<p'], ['application/json', '{ "a": {{b}} ']]) {
    const request = `POST http://x.test\nContent-Type: ${type}\n\n${body}\n`;
    expectScope(tokenize(`${request}\n### Next\nPUT http://x.test`), 'PUT', REQUEST_METHOD);
  }
  expectScope(tokenize('POST http://x.test\n\n{"open: {\n### Next\nPUT http://x.test'), 'PUT',
    REQUEST_METHOD);
});

grammarTest('references are seen inside bodies, handlers after them', () => {
  const lines = tokenize(['POST http://x.test', 'Content-Type: application/json', '',
    '{"id": "{{$uuid}}", "n": {{count}}}', '', '> {%', '  const x = 1;', '%}', '>> out.json',
    '### Next', 'PUT http://x.test'].join('\n'));
  expectScope(lines, '$uuid', 'support.function');
  expectScope(lines, 'count', 'variable.other.readwrite');
  expectScope(lines, 'const', 'storage.type.js');
  expectScope(lines, 'out.json', 'string.unquoted.path');
  expectScope(lines, 'PUT', REQUEST_METHOD);
});

grammarTest('assertions, directives, curl commands and script blocks', () => {
  const lines = tokenize(['import ./common.http', 'run #login (@user=ann)', '### c',
    "curl -X PATCH 'http://x.test'", '### s', '{{@request', '  const x = 1', '}}',
    'DELETE http://x.test', '', '?? header content-type contains json', '>>! out.json', '<> old.json',
    '### open', '{{', 'let y', '### Next', 'PUT http://x.test'].join('\n'));
  for (const [piece, scope] of [['import', 'keyword.control.import'],
    ['./common.http', 'string.unquoted.path'], ['#login', 'string.unquoted.path'],
    ['user', 'variable.other.definition'], ['curl', REQUEST_METHOD],
    ['-X', 'variable.parameter.option'], ["'http://x.test'", 'string.quoted'],
    ['@request', 'keyword.control.event'], ['const', 'storage.type.js'], ['DELETE', REQUEST_METHOD],
    ['??', 'keyword.control.assertion'], ['header', 'support.type.assertion'],
    ['contains', 'keyword.operator.comparison'], ['json', 'string.unquoted.assertion'],
    ['out.json', 'string.unquoted.path'], ['old.json', 'string.unquoted.path'],
    ['PUT', REQUEST_METHOD]]) {
    expectScope(lines, piece, scope);
  }
});

grammarTest('a file as body, a multipart body, a script before the request', () => {
  const lines = tokenize(['< {%', '  let a = 1', '%}', 'POST http://x.test',
    'Content-Type: multipart/form-data; boundary=cut', '', '--cut',
    'Content-Disposition: form-data; name="f"', '', '< ./picture.png', '--cut--'].join('\n'));
  expectScope(lines, 'let', 'storage.type.js');
  expectScope(lines, '--cut', 'comment.line.boundary');
  expectScope(lines, 'Content-Disposition', 'entity.name.tag.header');
  expectScope(lines, './picture.png', 'string.unquoted.path');
});

test('a page of a JSON response is JSON below a remark', { skip }, async () => {
  const paint = await loadGrammar('source.json.postkit');
  const lines = paint('# Page 2 of 3, from $[4].\n[\n{ "a": 1 }\n]\n# One string is too long.\n');
  expectScope(lines, '# Page 2 of 3, from $[4].', 'comment.line');
  expectScope(lines, 'a', 'string.quoted.json');
  expectScope(lines, '# One string is too long.', 'comment.line');
});
