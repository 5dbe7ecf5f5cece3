'use strict';
// The statistics panel: its page for any figures, and as Chromium shows it, in each theme and by
// keyboard alone.
const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { escapeText } = require('../src/response/html');
const { policy } = require('../src/response/policy');
const { KEYS, page: render } = require('../src/statistics/page');
const model = require('../../../protocol/postkit.metaModel.json');
const { Chromium, findChromium } = require('./browser/chromium');
const { CONTRASTS, FOCUSED } = require('./browser/looking');
const { figures } = require('./browser/samples');
const { preparation, THEMES } = require('./browser/themes');
const { extensionPath, LIMIT, missing, scratch } = require('./support');

const SIZE = { width: 900, height: 700 };
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const read = name => fs.readFileSync(path.join(extensionPath, 'media', name), 'utf8');
const own = { nonce: 'dGVzdA', style: read('panel.css'), script: read('statistics.js'),
  formatTime: time => time };

test('figures are told in words: seconds from one second on, none where there is none', () => {
  const text = render(figures(), own);
  assert.match(text, />1\.2 s</);
  assert.match(text, />182 ms</);
  assert.match(text, />3 \(2 %\)</);
  assert.match(text, />1 \(&lt; 1 %\)</, 'one of many is not none');
  assert.match(text, /1,325 sent[^]*4 failed/);
  assert.match(text, /<span>none<\/span>/, 'a row that no line lists is no button');
  assert.match(render({ ...figures(), by: 'status' }, own), /no response/);
  assert.match(render({ by: 'host', line: 'x', rows: [] }, own), /Nothing matches\./);
  assert.match(render({ by: 'host', line: '', rows: [] }, own), /The whole history/);
});

test('nothing of an answer becomes markup, and the page may do nothing but its own', () => {
  const hostile = '"><script>alert(1)</script>';
  const rows = [{ ...figures().rows[0], value: hostile, file: hostile, line: hostile }];
  const text = render({ by: 'path', line: hostile, rows }, own);
  assert.equal(text.match(/<script/g).length, 1);
  assert.ok(text.includes(`content="${escapeText(policy('dGVzdA'))}"`));
});

test('all can be counted by that the model knows', () => {
  const { values } = model.enumerations.find(({ name }) => name === 'PostkitStatisticsKey');
  assert.deepEqual(Object.keys(KEYS), values.map(({ value }) => value));
});

const skip = missing({ Chromium: findChromium() });
let browser;
before(async () => {
  if (!skip) browser = await Chromium.start();
});
after(() => browser?.close());

/** Opens the page of some figures as a window with this theme would. */
async function show(t, shown, theme = THEMES.dark) {
  const file = path.join(scratch(t, { 'page.html': render(shown, own) }), 'page.html');
  const page = await browser.open(SIZE);
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: preparation(theme) });
  await page.go(pathToFileURL(file).href);
  return { page, href: pathToFileURL(file).href };
}

async function assertQuiet(page) {
  assert.deepEqual(page.requests.filter(url => !url.endsWith('/page.html')), []);
  assert.deepEqual(await page.evaluate('violations'), []);
  assert.deepEqual(page.violations, []);
  assert.deepEqual(page.messages, []);
}

const browserTest = (name, run) => test(name, { skip, timeout: LIMIT }, run);

browserTest('in each theme every figure and bar can be read', async t => {
  for (const [name, theme] of Object.entries(THEMES)) {
    const { page } = await show(t, figures(), theme);
    const found = await page.evaluate(CONTRASTS);
    assert.ok(found.length > 40, name);
    assert.deepEqual(found.filter(({ text, ratio }) =>
      ratio < (text === undefined ? SHAPE_CONTRAST : TEXT_CONTRAST)), [], name);
    const widths = await page.evaluate(`[document.body.scrollWidth <= innerWidth,
      ...[...document.querySelectorAll('tbody tr:first-child rect')].map(
        rect => rect.getBoundingClientRect().width > 0)]`);
    assert.deepEqual(widths, [true, true, true], name);
    await assertQuiet(page);
  }
});

browserTest('by keyboard alone: what is counted by, the order, a row, and seen where', async t => {
  const { page, href } = await show(t, figures());
  const pressed = async key => {
    await page.press(key);
    const found = await page.evaluate(FOCUSED);
    assert.ok(found.isOutlined && found.isInView, `${key}: ${JSON.stringify(found)}`);
    return found.name;
  };
  const walked = [];
  for (let step = 0; step < 17; step += 1) walked.push(await pressed('Tab'));
  assert.deepEqual(walked, [...Object.values(KEYS), 'Request', 'Count', 'Failed', 'Median',
    'The time that 95 of 100 did not exceed', 'Max', 'Received', 'Sent', 'Last',
    'Show them in the history']);
  await page.press('Enter');
  await page.evaluate(`document.querySelector('[data-by=host]').focus()`);
  await page.press('Enter');
  const posted = [{ act: 'filter', line: 'file:/shop/orders.http name:orders' },
    { act: 'by', by: 'host' }];
  assert.deepEqual(await page.evaluate('posted'), posted);
  const names = `[...document.querySelectorAll('tbody th')].map(
    cell => cell.firstElementChild.textContent)`;
  const order = async column => {
    await page.evaluate(`document.querySelector('[data-sort="${column}"]').focus()`);
    await page.press('Enter');
    return [await page.evaluate(names), await page.evaluate(
      `document.querySelector('[aria-sort]').ariaSort`)];
  };
  assert.deepEqual(await order(4), [['login', 'orders', 'none'], 'descending']);
  assert.deepEqual(await order(4), [['none', 'orders', 'login'], 'ascending']);
  assert.deepEqual(await order(0), [['none', 'login', 'orders'], 'ascending']);
  await order(4);
  // New figures come in the same order.
  await page.go(href);
  assert.deepEqual(await page.evaluate(names), ['login', 'orders', 'none']);
  await assertQuiet(page);
});
