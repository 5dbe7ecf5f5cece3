'use strict';
// The response panel's page: what it says, and that nothing of a response becomes markup.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { html } = require('../src/response/html');
const { page } = require('../src/response/page');
const { policy } = require('../src/response/policy');
const { bodyKind, fileName, Source } = require('../src/response/source');
const { waterfall } = require('../src/response/waterfall');
const { entry, HOSTILE, record, values } = require('./browser/samples');

const own = { nonce: 'N0NCE', style: 'a{}', script: 'b()', formatTime: time => `at ${time}` };
const HOSTILE_TEXT = '"><img src=x onerror=alert(1)>\'</script><!--&amp;`';

test('a value in a template is text, in elements and in attributes', () => {
  assert.equal(html`<a title="${HOSTILE_TEXT}">${['<', html`<b>${1}</b>`, null]}</a>`.text,
    '<a title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&lt;/script&gt;&lt;!--&amp;amp;`">'
    + '&lt;<b>1</b></a>');
  assert.equal(html`${undefined}${false}${0}`.text, '0');
});

/** Every text of a value replaced. */
function poisoned(value) {
  if (typeof value === 'string') return value && HOSTILE_TEXT;
  if (Array.isArray(value)) return value.map(poisoned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poisoned(each)]));
}

test('whatever a response says, the elements of the page are the same', () => {
  const elements = text => text.match(/<\/?[a-z!][^\s>]*/gi);
  for (const kind of ['text', 'html', 'image', 'none']) {
    const preview = { kind, text: 'x', reason: 'x', contentType: 'image/png', base64: 'x', total: 1,
      eof: false };
    const good = values({ preview, sent: { text: 'x', total: 1, eof: false } });
    const bad = { ...poisoned(good), preview: { ...poisoned(preview), kind } };
    bad.record.id = good.record.id;
    bad.history = good.history.map((each, place) => ({ ...bad.history[place], id: each.id }));
    bad.history.forEach(each => { each.state = 'done'; });
    assert.deepEqual(elements(page(bad, own)), elements(page(good, own)), kind);
  }
});

test('the policy allows our own style and script alone, and pictures from within', () => {
  assert.equal(policy('N'), "default-src 'none'; img-src data:; style-src 'nonce-N'; "
    + "script-src 'nonce-N'; base-uri 'none'; form-action 'none'");
  const text = page(values({ preview: { kind: 'html', text: HOSTILE, total: 9, eof: true } }), own);
  assert.equal(text.match(/nonce="N0NCE"/g).length, 2);
  const around = text.replace(/srcdoc="[^"]*"/, '');
  assert.doesNotMatch(around, /<[^>]* (style|on[a-z]+)=/);
  assert.match(text, /<iframe sandbox="" referrerpolicy="no-referrer"/);
  assert.doesNotMatch(around, /(src|href)="(?!data:image\/)/);
});

test('tabs name what they show, and failed checks stand in the name', () => {
  const text = page(values(), own);
  const tabs = [...text.matchAll(/role="tab" id="tab-(\w+)"[^>]*>([^<]+)</g)];
  assert.deepEqual(tabs.map(([, id, name]) => [id, name]), [['preview', 'Preview'],
    ['raw', 'Raw'], ['timing', 'Timing'], ['headers', 'Headers'], ['sent', 'Sent'],
    ['tests', 'Tests (1 failed)'],
    ['history', 'History']]);
  for (const [, id] of tabs) {
    assert.match(text, new RegExp(`role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}"`));
  }
});

test('the waterfall puts redirects and the answer on one line of time', () => {
  const { rows, total } = waterfall(record());
  assert.equal(total, 182);
  assert.deepEqual(rows.map(({ status, from, to }) => [status, from, to]),
    [[308, 0, 41], [200, 41, 182]]);
  assert.deepEqual(rows[0].phases.map(({ id, from, to }) => [id, from, to]),
    [['dns', 0, 12], ['connect', 12, 26], ['firstByte', 26, 40], ['total', 40, 41]]);
  assert.deepEqual(rows[1].phases.map(({ id }) => id),
    ['dns', 'connect', 'tls', 'firstByte', 'total']);
  assert.equal(rows[1].phases.at(-1).to, 182);
  const reused = waterfall(record({ hops: [],
    timings: { dns: 0.1, connect: 0, tls: 0, firstByte: 3, total: 4 } }));
  assert.deepEqual(reused.rows[0].phases.map(({ id, from, to }) => [id, from, to]),
    [['dns', 0, 0.1], ['firstByte', 0.1, 3], ['total', 3, 4]]);
});

test('a failure, an empty history and a request without checks are said in words', () => {
  const failed = record({ response: null, status: null, state: 'failed', error: 'connection',
    message: 'Nobody answers at 127.0.0.1:1.', tests: [], hops: [],
    timings: { dns: 0, connect: 0, tls: 0, firstByte: 0, total: 0 } });
  const text = page(values({ record: failed, history: [],
    preview: { kind: 'none', reason: failed.message } }), own);
  for (const words of ['Nobody answers at 127.0.0.1:1.', 'No times were measured.',
    'This request has no checks.', 'The history does not have this request.']) {
    assert.ok(text.includes(words), words);
  }
});

test('what a body is says its media type', () => {
  for (const [type, kind] of [['text/html; charset=utf-8', 'html'], ['IMAGE/PNG', 'image'],
    ['image/svg+xml', 'image'], ['image/x-unknown', 'text'], ['application/json', 'text']]) {
    assert.equal(bodyKind(record({ response: { headers: [['Content-Type', type]] } })), kind, type);
  }
  assert.equal(bodyKind(record({ response: null })), 'text');
});

test('a body to be saved is named by its address, then by what it is', () => {
  const named = (url, type) => fileName({ url, response: { headers: [['Content-Type', type]] } });
  for (const [url, type, name] of [
    ['https://a.test/shop/list.csv?x=/y.z', 'text/plain', 'list.csv'],
    ['https://a.test/shop/list/', 'application/json; charset=utf-8', 'list.json'],
    ['https://a.test', 'text/plain', 'response.txt'],
    ['https://a.test/x', 'image/svg+xml', 'x.svg'],
    ['https://a.test/x', 'application/octet-stream', 'x'],
    ['https://a.test/a%20b', 'text/html', 'a_b.html'],
    ['https://a.test/..', 'text/html', 'response.html']]) assert.equal(named(url, type), name, url);
});

/** A server of two methods; it gives bytes in pieces of at most `most`. */
function server(parts, items, most) {
  const asked = [];
  const request = async (method, params) => {
    asked.push([method, params]);
    if (method === 'postkit/history') return { items };
    const bytes = parts[`${params.part ?? 'response'} ${params.view}`];
    const piece = bytes.subarray(params.offset,
      params.offset + Math.min(params.length, most));
    const { summary, mood, verdict: tests } = record();
    return { encoding: 'base64', data: piece.toString('base64'), offset: params.offset,
      ...params.view === 'record' && { summary, mood, tests },
      size: `${bytes.length} B`, total: bytes.length, eof: params.offset + piece.length >= bytes.length };
  };
  return { asked, request };
}

test('a long record and a picture are read piece by piece', async () => {
  const shown = record({ response: { ...record().response, headers: [['Content-Type', 'image/png']],
  } });
  const picture = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256));
  const client = server({ 'response record': Buffer.from(JSON.stringify(shown)),
    'response raw': picture, 'request raw': Buffer.alloc(0) }, [entry(shown.id)], 37);
  const source = new Source(client);
  const read = await source.record(shown.id);
  assert.deepEqual(read, shown);
  const { preview, history } = await source.values(read);
  assert.equal(preview.base64, picture.toString('base64'));
  assert.equal(history.length, 1);
  const [, asked] = client.asked.find(([method]) => method === 'postkit/history');
  assert.deepEqual(asked, { uri: 'file:///shop/orders.http', method: 'GET', limit: 50,
    request: 'orders' });
});

test('what was sent and received is shown as it went, else its size', async () => {
  const parts = { 'response pretty': Buffer.from('{\n  "a": 1.0\n}'),
    'response raw': Buffer.from('{"a":1.0}') };
  const shown = body => new Source(server(
    { ...parts, 'request raw': body }, [], 4093)).values(record());
  const sentOf = async body => (await shown(body)).sent;
  const text = Buffer.from('\ufeff{"a":1,\r\n "ü": 2}');
  const sent = await sentOf(text);
  assert.equal(sent.text, text.toString('utf8'));
  assert.ok(page(values({ sent }), own).includes('{&quot;a&quot;:1,\r\n &quot;ü&quot;: 2}</pre>'));
  const long = await sentOf(Buffer.concat([Buffer.from('x'), Buffer.from('é'.repeat(40 << 10))]));
  assert.deepEqual([long.text.length, long.text.at(-1), long.eof], [1 + 32767, 'é', false]);
  const bytes = await sentOf(Buffer.from([0x89, 0x50, 0xff, 0]));
  assert.equal(bytes.text, null);
  const { preview, raw } = await shown(text);
  assert.deepEqual([preview.text, raw.text], ['{\n  "a": 1.0\n}', '{"a":1.0}']);
  assert.ok(page(values({ sent: bytes }), own).includes('The body has 4 B that are not text.'));
});

test('of a long text the beginning is shown, and that it is one', async () => {
  const client = server({ 'response pretty': Buffer.alloc(300 << 10, 'x'),
    'response raw': Buffer.alloc(300 << 10, 'x'), 'request raw': Buffer.from('a=b') }, [], 1 << 20);
  const { preview, sent } = await new Source(client).values(record());
  assert.deepEqual([preview.text.length, preview.total, preview.eof],
    [256 << 10, 300 << 10, false]);
  assert.deepEqual(sent, { text: 'a=b', total: 3, size: '3 B', eof: true });
  assert.match(page(values({ preview }), own), /This is the beginning of 307200 B/);
});
