'use strict';
// The page of a response that is still coming: as Chromium shows it, and what it costs.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { KEPT_CHARACTERS, Stream } = require('../src/response/stream');
const { Chromium, findChromium } = require('./browser/chromium');
const { CONTRASTS } = require('./browser/looking');
const { HOSTILE } = require('./browser/samples');
const { preparation, THEMES } = require('./browser/themes');
const { atEnd, extensionPath, LIMIT, missing, scratch } = require('./support');

const read = name => fs.readFileSync(path.join(extensionPath, 'media', name), 'utf8');
const own = { nonce: 'dGVzdA', style: read('panel.css'), script: read('stream.js') };
const about = { method: 'GET', url: 'https://shop.example/<b>events', summary: 'receiving… 200' };
const data = (text, received = text.length) => ({ kind: 'data', received, text,
  summary: `receiving… 200  ${received} B` });

test('many pieces are told of a few times a second, and a page that opens again has them', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const told = [];
  const stream = new Stream(about, message => told.push(message));
  stream.take(data('before the page\n'));
  t.mock.timers.tick(200);
  assert.deepEqual(told, [], 'nobody is there');
  stream.ready();
  for (let count = 0; count < 1_000; count += 1) {
    stream.take(data(`${count}\n`, count));
    t.mock.timers.tick(1);
  }
  t.mock.timers.tick(100);
  assert.equal(told[0].text, 'before the page\n');
  assert.ok(told.length > 5 && told.length < 15, `${told.length} messages`);
  const all = told.map(({ text }) => text).join('');
  const lines = Array.from({ length: 1_000 }, (_, count) => `${count}\n`);
  assert.equal(all, `before the page\n${lines.join('')}`);
  assert.match(told.at(-1).words, /^receiving… 200 {2}999 B {2}1\.\d s$/);
  stream.ready();
  assert.equal(told.at(-1).text, all);
  stream.end('200 · 1.2 s');
  assert.deepEqual([told.at(-1).isOver, told.at(-1).words], [true, '200 · 1.2 s']);
});

test('of very much only the end is kept for the page', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const told = [];
  const stream = new Stream(about, message => told.push(message));
  for (let count = 0; count < 100; count += 1) stream.take(data(`${'x'.repeat(65_535)}\n`));
  stream.take(data('the end\n'));
  stream.ready();
  assert.deepEqual([told[0].isCut, told[0].text.length], [true, KEPT_CHARACTERS]);
  assert.ok(told[0].text.endsWith('\nthe end\n'));
});

test('a stream is text as it comes, is followed, and can be cancelled by keyboard',
  { skip: missing({ Chromium: findChromium() }), timeout: LIMIT }, async t => {
    const browser = await Chromium.start();
    atEnd(t, () => browser.close());
    const html = new Stream(about, () => {}).page(own);
    const file = path.join(scratch(t, { 'page.html': html }), 'page.html');
    const say = message => `new Promise(done => {
      window.addEventListener('message', () => setTimeout(done), { once: true });
      window.postMessage(${JSON.stringify(message)}, '*');
    })`;
    const atBottom = `(() => { const root = document.scrollingElement;
      return root.scrollTop > 0 && root.scrollTop + root.clientHeight >= root.scrollHeight - 1;
    })()`;
    for (const [name, theme] of Object.entries(THEMES)) {
      const page = await browser.open({ width: 900, height: 300 });
      await page.send('Page.addScriptToEvaluateOnNewDocument', { source: preparation(theme) });
      await page.go(pathToFileURL(file).href);
      assert.deepEqual(await page.evaluate('posted'), [{ act: 'ready' }]);
      await page.evaluate(say({ act: 'whole', text: HOSTILE, isCut: true, words: '200 · 0.1 s' }));
      await page.evaluate(say({ act: 'more', text: '\nline'.repeat(99), words: '200 · 0.2 s' }));
      assert.equal(await page.evaluate('document.getElementById("text").textContent'),
        HOSTILE + '\nline'.repeat(99));
      assert.equal(await page.evaluate('document.getElementById("text").children.length'), 0);
      assert.equal(await page.evaluate('document.getElementById("outcome").textContent'),
        '200 · 0.2 s');
      assert.equal(await page.evaluate(atBottom), true, 'what comes is in sight');
      await page.evaluate('document.scrollingElement.scrollTop = 40');
      await page.evaluate(say({ act: 'more', text: '\nlate', words: '200 · 0.3 s' }));
      assert.equal(await page.evaluate('document.scrollingElement.scrollTop'), 40,
        'who reads is left alone');
      const bad = (await page.evaluate(CONTRASTS)).filter(({ ratio }) => ratio < 4.5);
      assert.deepEqual(bad, [], name);
      await page.press('Tab');
      await page.press('Enter');
      assert.deepEqual(await page.evaluate('posted.at(-1)'), { act: 'cancel' });
      await page.evaluate(say({ act: 'more', text: '', words: '200 · 1 s', isOver: true }));
      assert.equal(await page.evaluate('document.body.getAttribute("aria-busy")'), 'false');
      assert.deepEqual(page.requests.slice(1), []);
      assert.deepEqual([await page.evaluate('violations'), page.violations, page.messages],
        [[], [], []]);
    }
  });
