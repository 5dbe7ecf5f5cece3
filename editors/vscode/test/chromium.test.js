'use strict';
// The response panel as Chromium shows it: in each theme, by keyboard alone, and that a hostile
// response can reach nothing.
const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { page: render } = require('../src/response/page');
const { Chromium, findChromium } = require('./browser/chromium');
const { CONTRASTS, FOCUSED } = require('./browser/looking');
const { HOSTILE, PICTURE, record, values } = require('./browser/samples');
const { preparation, THEMES } = require('./browser/themes');
const { extensionPath, LIMIT, missing, scratch } = require('./support');

const SIZE = { width: 900, height: 700 };
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const read = name => fs.readFileSync(path.join(extensionPath, 'media', name), 'utf8');
const own = { nonce: 'dGVzdA', style: read('panel.css'), script: read('panel.js'),
  formatTime: time => time };
const skip = missing({ Chromium: findChromium() });

let browser;
before(async () => {
  if (!skip) browser = await Chromium.start();
});
after(() => browser?.close());

/** Opens the page of an exchange as a window with this theme would. */
async function show(t, shown, theme = THEMES.dark, more = {}) {
  const text = render(shown, { ...own, ...more });
  const file = path.join(scratch(t, { 'page.html': text }), 'page.html');
  const page = await browser.open(SIZE);
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: preparation(theme) });
  await page.go(pathToFileURL(file).href);
  return page;
}

/** Nothing was fetched but the page and what it has in itself, and nothing was refused. */
async function assertQuiet(page) {
  assert.deepEqual(page.requests.slice(1).filter(url => !url.startsWith('data:')), []);
  assert.deepEqual(await page.evaluate('violations'), []);
  assert.deepEqual(page.violations, []);
  assert.deepEqual(page.messages, []);
}

const focus = page => page.evaluate(FOCUSED);

async function pressed(page, key) {
  await page.press(key);
  const found = await focus(page);
  assert.ok(found.isOutlined && found.isInView, `${key}: ${JSON.stringify(found)}`);
  return found.name;
}

const browserTest = (name, run) => test(name, { skip, timeout: LIMIT }, run);

browserTest('in each theme every text and shape can be read, on every tab', async t => {
  for (const [name, theme] of Object.entries(THEMES)) {
    const page = await show(t, values({ sent: { text: 'a=b', total: 3, eof: true } }), theme);
    for (const tab of ['preview', 'raw', 'timing', 'headers', 'sent', 'tests', 'history']) {
      await page.evaluate(`document.getElementById('tab-${tab}').click()`);
      const found = await page.evaluate(CONTRASTS);
      assert.ok(found.length > 10, `${name}, ${tab}`);
      const bad = found.filter(({ text, ratio }) =>
        ratio < (text === undefined ? SHAPE_CONTRAST : TEXT_CONTRAST));
      assert.deepEqual(bad, [], `${name}, ${tab}`);
    }
    await assertQuiet(page);
  }
});

browserTest('why no newer response came can be read above an earlier one in grey', async t => {
  for (const [name, theme] of Object.entries(THEMES)) {
    const page = await show(t, values(), theme, { reason: 'Not sent: <b> is not defined.' });
    const found = await page.evaluate(CONTRASTS);
    for (const text of ['Not sent: <b> is not defined.', 'This is an earlier response.']) {
      const { ratio } = found.find(each => each.text === text);
      assert.ok(ratio >= TEXT_CONTRAST, `${name}: ${text} ${ratio}`);
    }
    const opacities = await page.evaluate(`['#reason', 'header', 'main'].map(
      each => getComputedStyle(document.querySelector(each)).opacity)`);
    assert.deepEqual(opacities, ['1', '0.5', '0.5'], name);
    await assertQuiet(page);
  }
});

browserTest('by keyboard alone: buttons, tabs, the part, and always seen where', async t => {
  const page = await show(t, values());
  const order = [];
  for (let step = 0; step < 7; step += 1) order.push(await pressed(page, 'Tab'));
  assert.deepEqual(order,
    ['Open as Text', 'Copy Body', 'Save Body…', 'Send Again', 'tab-preview', 'panel-preview',
      'filter']);
  assert.equal(await pressed(page, 'Shift+Tab'), 'panel-preview');
  assert.equal(await pressed(page, 'Shift+Tab'), 'tab-preview');
  const walked = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'ArrowLeft',
    'Home', 'End']) {
    walked.push(await pressed(page, key));
  }
  assert.deepEqual(walked.map(name => name.replace('tab-', '')), ['raw', 'timing', 'raw',
    'history', 'preview', 'history', 'preview', 'history']);
  const shown = await page.evaluate(`[...document.querySelectorAll('[role=tabpanel]')]
    .filter(panel => panel.checkVisibility()).map(({ id }) => id)`);
  assert.deepEqual(shown, ['panel-history']);
  const ahead = [];
  for (let step = 0; step < 3; step += 1) ahead.push(await pressed(page, 'Tab'));
  assert.equal(ahead[0], 'panel-history');
  assert.match(ahead[1], /^Show the response of /);
  assert.match(ahead[2], /^Compare with the response of /);
  await page.press('Enter');
  assert.deepEqual(await page.evaluate('posted'),
    [{ act: 'compare', id: '019a8f2e-0000-7000-8000-000000000001' }]);
  await assertQuiet(page);
});

browserTest('a path filters what is shown while somebody types', async t => {
  const page = await show(t, values());
  const state = () => page.evaluate(`['filtered', 'whole', 'problem'].map(id => {
    const element = document.getElementById(id);
    return element.checkVisibility() ? element.textContent.trim() : null;
  })`);
  const whole = (await state())[1];
  await page.evaluate("document.getElementById('filter').focus()");
  await page.send('Input.insertText', { text: '$.total' });
  await page.evaluate(`new Promise(done => {
    const look = () => window.posted.length ? done() : setTimeout(look, 10);
    look();
  })`);
  assert.deepEqual(await page.evaluate('posted'), [{ act: 'filter', path: '$.total' }]);
  const answer = value => page.evaluate(`new Promise(done => {
    window.addEventListener('message', () => setTimeout(done), { once: true });
    window.postMessage(${JSON.stringify({ act: 'filtered', ...value })}, '*');
  })`);
  await answer({ path: '$.tot', text: 'too late' });
  assert.deepEqual(await state(), [null, whole, null]);
  await answer({ path: '$.total', text: '<b>3</b>' });
  assert.deepEqual(await state(), ['<b>3</b>', null, null]);
  await answer({ path: '$.total', problem: 'No such path.' });
  assert.deepEqual(await state(), ['<b>3</b>', null, 'No such path.']);
  await page.evaluate(`const field = document.getElementById('filter');
    field.value = ''; field.dispatchEvent(new Event('input'));`);
  assert.deepEqual(await state(), [null, whole, null]);
  await assertQuiet(page);
});

browserTest('the next answer of a request is filtered alike, on the same part', async t => {
  const other = { ...record(), url: 'https://shop.example/api/other' };
  const pages = [values(), values({ record: other })].map(shown => pathToFileURL(
    path.join(scratch(t, { 'page.html': render(shown, own) }), 'page.html')).href);
  const page = await browser.open(SIZE);
  await page.send('Page.addScriptToEvaluateOnNewDocument',
    { source: preparation(THEMES.light) });
  const filter = 'document.getElementById("filter")';
  await page.go(pages[0]);
  assert.deepEqual(await page.evaluate('posted'), []);
  await page.evaluate(`${filter}.value = ' $.total ';
    ${filter}.dispatchEvent(new Event('input')); document.getElementById('tab-raw').click()`);
  await page.go(pages[0]);
  assert.equal(await page.evaluate(`${filter}.value`), '$.total');
  assert.deepEqual(await page.evaluate('posted'), [{ act: 'filter', path: '$.total' }]);
  assert.equal(await page.evaluate("document.getElementById('panel-raw').hidden"), false);
  await page.go(pages[1]);
  assert.equal(await page.evaluate(`${filter}.value`), '');
  assert.deepEqual(await page.evaluate('posted'), []);
  await page.go(pages[0]);
  await page.evaluate(`${filter}.value = ''; ${filter}.dispatchEvent(new Event('input'))`);
  await page.go(pages[0]);
  assert.deepEqual(await page.evaluate('posted'), [], 'what was taken away stays away');
  assert.deepEqual(page.violations, []);
});

browserTest('a picture is shown from within the page', async t => {
  const page = await show(t, values({ preview: { kind: 'image', contentType: 'image/png',
    base64: PICTURE, total: 70 } }));
  assert.equal(await page.evaluate('document.images[0].naturalWidth'), 1);
  await assertQuiet(page);
});

browserTest('hostile HTML runs nothing, fetches nothing and leads nowhere', async t => {
  const page = await show(t, values({
    preview: { kind: 'html', text: HOSTILE, total: HOSTILE.length, eof: true },
    record: record({ url: HOSTILE, response: { ...record().response, reason: HOSTILE,
      headers: [['content-type', 'text/html'], [HOSTILE, HOSTILE]] } }),
  }));
  // The frame lives in a process of its own, which tells of what it refuses when it does.
  const refused = () => page.violations.map(({ violatedDirective }) => violatedDirective);
  const tried = ['base-uri', 'frame-src', 'img-src', 'media-src', 'object-src', 'style-src-elem'];
  while (!tried.every(directive => refused().includes(directive))) {
    await page.next('Audits.issueAdded');
  }
  while (!page.messages.some(text => text.startsWith('Blocked script execution'))) {
    await page.next('Log.entryAdded');
  }
  assert.deepEqual(page.requests.slice(1).filter(url => !url.startsWith('data:')), []);
  assert.equal(await page.evaluate('top.stolen'), undefined);
  assert.equal(await page.evaluate('document.querySelectorAll("iframe").length'), 1);
  assert.equal(await page.evaluate('document.querySelector("iframe").contentDocument'), null);
  // What was refused was refused in the frame; our own page asked for nothing.
  assert.deepEqual(await page.evaluate('violations'), []);
  assert.deepEqual(page.frames, ['about:srcdoc']);
});
