'use strict';
// How the nodes of the lists look, and the words that change while something is sent.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { byDay, cookie, day, environment, exchange, stored, variable }
  = require('../src/views/describe');
const { HISTORY_ORDERS, orderOf, ORDERS, storedQuery, withOrder }
  = require('../src/views/query');
const { describeLive, shiftLine } = require('../src/window/render');
const model = require('../../../protocol/postkit.metaModel.json');

const entry = { id: 'e', time: '2026-11-21T11:40:00.000Z', file: '/w/a.http', name: 'user',
  environment: 'dev', method: 'GET', url: 'http://h/7', state: 'done', status: 200,
  summary: '200 OK  12 ms  4.2 kB', mood: 'done', error: null };

test('an exchange tells by its icon, its words and to a screen reader how it went', () => {
  const look = change => exchange({ entry: { ...entry, ...change } });
  assert.equal(look({}).description, '200 OK  12 ms  4.2 kB · dev');
  assert.deepEqual([look({}).icon, look({ mood: 'failed' }).icon], ['pass', 'error']);
  const failed = look({ state: 'failed', status: null, summary: 'failed: connection',
    mood: 'failed', error: 'connection', label: 'odd' });
  assert.equal(failed.description, 'failed: connection · dev · [odd]');
  assert.equal(failed.color, 'testing.iconFailed');
  assert.match(failed.tooltip, /connection/);
  assert.equal(look({ mood: 'cancelled' }).icon, 'circle-slash');
  const pinned = look({ pinned: true, mood: 'failed' });
  assert.deepEqual([pinned.icon, pinned.color, pinned.context],
    ['pinned', 'testing.iconFailed', 'exchange pinned']);
  assert.match(pinned.spoken, /^GET http:\/\/h\/7 · 200 OK {2}12 ms {2}4\.2 kB · pinned · /);
});

test('exchanges stand below their days, of which two have names', () => {
  const now = new Date(2026, 10, 22, 0, 5);
  const at = (...time) => ({ ...entry, time: new Date(...time).toISOString() });
  const days = byDay([at(2026, 10, 22, 0, 1), at(2026, 10, 21, 23, 59), at(2026, 10, 21, 0, 0),
    at(2026, 10, 19, 12)], now);
  assert.deepEqual(days.map(({ nodes }) => nodes.length), [1, 2, 1]);
  assert.deepEqual(days.slice(0, 2).map(node => day(node).label), ['Today', 'Yesterday']);
  assert.match(day(days[2]).label, /2026/);
});

test('a stored request that was found tells where it lies, and all say when they changed', () => {
  const item = { id: 'r', kind: 'request', name: 'list', method: 'GET', url: '/',
    path: 'Shop/orders/list', tags: ['smoke', 'slow'], isFavourite: true, childCount: 0,
    createdAt: '2026-11-21T11:40:00.000Z', updatedAt: '2026-11-22T11:40:00.000Z' };
  const found = stored({ item, isFound: true });
  assert.equal(found.description, 'GET / · Shop/orders · #smoke #slow');
  assert.equal(stored({ item }).description, 'GET / · #smoke #slow');
  assert.notEqual(found.id, stored({ item }).id);
  assert.deepEqual([found.icon, stored({ item: { ...item, isFavourite: false } }).icon],
    ['star-full', 'symbol-method']);
  assert.equal(found.spoken, 'list · GET / · in Shop/orders · favourite');
  assert.match(found.tooltip,
    /^Shop\/orders\/list\nGET \/\n#smoke #slow\na favourite\nchanged .*\nmade /);
  const shop = { id: 's', kind: 'collection', name: 'Shop', childCount: 1, requestCount: 12 };
  assert.deepEqual([stored({ item: shop }).description, stored({ item: shop }).expands],
    ['12 requests', 'collapsed']);
  assert.equal(stored({ item: { ...shop, childCount: 0, requestCount: 0 } }).description, 'empty');
  const defaults = { headers: [['X-Team', 'a']], auth: '•••', variables: [['host', 'h']] };
  assert.equal(stored({ item: { ...shop, defaults } }).tooltip,
    'Shop\n12 requests\ngives its requests X-Team, Authorization, host');
  assert.deepEqual([found.context, stored({ item: { ...item, isFavourite: false } }).context],
    ['request favourite', 'request'], 'by which its menu has the one or the other');
});

test('words and filters find stored requests, as the model knows them', () => {
  assert.deepEqual(storedQuery('list "two words" METHOD:post tag:smoke in:"Shop and co/orders"'),
    { filter: { text: 'list "two words"', method: 'POST', tag: 'smoke',
      in: 'Shop and co/orders' } });
  assert.deepEqual(storedQuery('header:X-Id=a=b param:page favourite:no sort:recent'),
    { filter: { header: 'X-Id', headerValue: 'a=b', parameter: 'page', favourite: false },
      sort: 'recent' });
  assert.deepEqual(storedQuery('sort:rec favourite:x header:= tag: http://a'),
    { filter: { text: 'http://a' } }, 'what is not typed yet is left out');
  assert.deepEqual(storedQuery(''), { filter: {} });
  const structure = model.structures.find(({ name }) => name === 'PostkitCollectionFilter');
  const known = structure.properties.map(({ name }) => name);
  const { filter } = storedQuery('a method:m header:h=v param:p=v tag:t in:i favourite:yes');
  assert.deepEqual(Object.keys(filter).sort(), known.sort());
  const { values } = model.enumerations.find(({ name }) => name === 'PostkitCollectionSort');
  assert.deepEqual(Object.keys(ORDERS), values.map(({ value }) => value));
});

test('the order is a part of the line, and the model knows it', () => {
  assert.equal(withOrder('status:4xx "a b"', 'ms'), 'status:4xx "a b" sort:ms');
  assert.equal(withOrder('sort:ms  host:h SORT:"size" x', 'size'), 'host:h x sort:size');
  assert.equal(withOrder('sort:ms', 'time'), '');
  assert.equal(withOrder('resort:ms a', 'time'), 'resort:ms a');
  assert.deepEqual(['', 'a', 'a sort:ms b', 'sort:"size"', 'sort:x', 'sort:'].map(orderOf),
    ['time', 'time', 'ms', 'size', 'time', 'time']);
  const { values } = model.enumerations.find(({ name }) => name === 'PostkitHistorySort');
  assert.deepEqual(Object.keys(HISTORY_ORDERS), values.map(({ value }) => value));
});

test('a secret shows as dots, and no guard is overlooked', () => {
  const origin = { file: '/w/private.json', line: 3 };
  const hidden = variable({ key: 't', item: { name: 't', value: null, masked: true, origin } });
  assert.deepEqual([hidden.description, hidden.spoken, hidden.context],
    ['••••••', 't · secret · from private.json:3', 'variable hidden secret placed']);
  const given = variable({ key: 'h', item: { name: 'h', value: '', masked: false,
    origin: { file: '', line: 0 } } });
  assert.deepEqual([given.description, given.command, given.context],
    ['', undefined, 'variable shown']);
  const guarded = environment({ item: { name: 'p', files: [], active: true, confirm: true } });
  assert.deepEqual([guarded.icon, guarded.color, guarded.description],
    ['shield', 'list.warningForeground', 'active · confirms each request']);
  const sid = { folder: '/w', environment: null, domain: '.h', path: '/a', name: 'sid', value: null,
    masked: true, expires: null, secure: true, httpOnly: true };
  assert.equal(cookie({ item: sid }).description, '•••••• · /a');
  assert.match(cookie({ item: sid }).tooltip, /secure · http only/);
});

test('what is under way tells its time, then what has come', () => {
  assert.equal(describeLive({ ms: 300 }), 'sending… 0.3 s');
  assert.equal(describeLive({ ms: 1_240, summary: 'receiving… 200  1.5 kB' }),
    'receiving… 200  1.5 kB  1.2 s');
});

test('a line follows the edits above it', () => {
  const change = (from, to, text) => ({ range: {
    start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } }, text });
  assert.equal(shiftLine(5, [change([1, 0], [1, 0], 'a\nb\n')]), 7);
  assert.equal(shiftLine(5, [change([1, 0], [3, 0], '')]), 3);
  assert.equal(shiftLine(5, [change([5, 0], [5, 0], '\n')]), 6);
  assert.equal(shiftLine(5, [change([5, 4], [5, 4], '\n')]), 5);
  assert.equal(shiftLine(5, [change([6, 0], [7, 0], '')]), 5);
  assert.equal(shiftLine(5, [change([4, 2], [5, 3], '')]), 4);
  assert.equal(shiftLine(5, [change([9, 0], [9, 1], 'x'), change([0, 0], [0, 0], '\n')]), 6);
});

test('the tab of a response has a title, and the server the address that it knows', () => {
  const { address, nameResponse, titled, titleOf } = require('../src/convert/titles');
  const uri = (path, query = '') => ({ scheme: 'postkit', path, query,
    with: ({ path: other }) => uri(other, query), toString: () => `postkit:${path}` });
  const id = '01a21fdf-8879-7639-9d7e-e1b4e822fd58';
  assert.equal(titled(uri(`/response/${id}.http`)).path, `/response/${id}.http`);
  const record = { method: 'GET', url: 'http://a.test/items?page=1', state: 'done',
    response: { status: 404, reason: 'Not Found' } };
  assert.equal(titleOf({ ...record, name: 'login' }), '[login] 404 Not Found');
  assert.equal(titleOf({ ...record, response: null, state: 'failed' }),
    '[GET /items?page=1] failed');
  nameResponse(id, titleOf(record));
  nameResponse(id, 'another');
  const shown = titled(uri(`/response/${id}.http`));
  assert.equal(shown.path, `/response/${id}/as/[GET ∕items?page=1] 404 Not Found.http`);
  assert.equal(address(shown), `postkit:/response/${id}.http`);
  for (const path of [`/response/${id}/body.json`, `/response/${id}/headers.http`, '/history']) {
    assert.equal(titled(uri(path)).path, path);
    assert.equal(address(uri(path)), `postkit:${path}`);
  }
});
