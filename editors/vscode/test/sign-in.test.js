'use strict';
// What a sign-in looks like in the genuine extension host before anybody has signed in.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { LIMIT, needsEditor, openFiles } = require('./support');

test('a sign-in is marked where nobody knows it, offered, and told of',
  { timeout: LIMIT, skip: needsEditor() }, async t => {
    const client = {
      'Type': 'OAuth2', 'Grant Type': 'Authorization Code',
      'Auth URL': 'https://id.test/authorize', 'Token URL': 'https://id.test/token',
      'Client ID': 'cli', 'Client Secret': 'hush' };
    const { host, file, document } = await openFiles(t, {
      'a.http': 'GET https://api.test/\nAuthorization: Bearer {{$auth.token("shpo")}}\n',
      'http-client.env.json': JSON.stringify({ $shared: { Security: { Auth: { shop: client } } } }),
    });
    const [problem] = await host.waitForDiagnostics(file);
    assert.match(problem.message, /`shpo`.*`shop`/);
    const start = document.find('shpo', { before: true });
    const end = { line: start.line, character: start.character + 4 };
    const items = await host.completion(file, start);
    assert.ok(items.some(item => (item.label.label ?? item.label) === 'shop'), 'it is offered');
    await host.edit(file, { range: { start, end }, text: 'shop' });
    await host.waitForDiagnostics(file, list => list.length === 0);
    const [hover] = await host.hover(file, document.find('"sh'));
    const [text, links] = hover.contents.map(each => each.value ?? each);
    assert.match(text, /id\.test[^]*cli[^]*the next send signs in with a browser/);
    assert.ok(!JSON.stringify(hover.contents).includes('hush'), 'no secret is shown');
    assert.match(links, /^\[Sign in\]\(command:postkit\.serverCommand\?[^)]+\)$/);
  });
