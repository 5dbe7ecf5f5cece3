#!/usr/bin/env node
'use strict';
// Makes the pictures of the pages and of VS Code's walkthrough, of the real program: Vim and
// Neovim in a terminal, and the response panel in Chromium.
//   editors/pictures/make.js [FOLDER]
// It needs POSTKIT_BIN or a debug build, VSCODE_SERVER, and vim, nvim and chromium on the PATH, and
// writes where the pictures belong, or the same below a folder.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Chromium, findChromium } = require('../vscode/test/browser/chromium');
const { page: responsePage } = require('../vscode/src/response/page');
const { preparation, THEMES } = require('../vscode/test/browser/themes');
const { screenHTML } = require('./screen');
const { neovim, record, vim } = require('./record');
const {
  environmentPage, iconPage, requestPage, screenPage, scriptPage,
} = require('./scenes');
const { Session } = require('./session');

const EDITORS = path.join(__dirname, '..');
const MEDIA = path.join(EDITORS, 'vscode', 'media');
const SCREEN = { rows: 27, columns: 146 };
const TERMINAL = { width: 1251, height: 560 };
const PANEL = { width: 720, height: 440 };
const SCRIPT = { width: 720, height: 600 };

/** A folder with the sample, a store of its own, and `postkit` on the PATH. */
function workshop() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'postkit-pictures-'));
  for (const [from, to] of [['sample.http', 'shop.http'], ['scripts.http'],
    ['http-client.env.json']]) {
    fs.copyFileSync(path.join(__dirname, from), path.join(folder, to ?? from));
  }
  const bin = path.join(folder, '.bin');
  fs.mkdirSync(bin);
  const binary = path.resolve(process.env.POSTKIT_BIN
    ?? path.join(EDITORS, '..', '.build/debug/postkit'));
  fs.symlinkSync(binary, path.join(bin, 'postkit'));
  const environment = { ...process.env, HOME: folder, POSTKIT_HOME: path.join(folder, '.store'),
    PATH: `${bin}${path.delimiter}${process.env.PATH}`, LC_ALL: 'C.UTF-8',
    DBUS_SESSION_BUS_ADDRESS: '' };
  for (const name of ['CONFIG', 'DATA', 'STATE', 'CACHE']) {
    environment[`XDG_${name}_HOME`] = path.join(folder, `.${name.toLowerCase()}`);
  }
  return { folder, binary, environment };
}

/** The terminals: the file is sent, the last answer is looked at. */
async function terminals({ folder, environment }, take) {
  const steps = [{ wait: '/users' }, { wait: '/users', type: ':PostKit env dev\\<CR>' },
    { wait: 'dev', type: `:call search('/protected')\\<CR>:PostKit sendall\\<CR>` },
    { wait: 'sent 4\\|2 ok, 1 ', type: ':PostKit response\\<CR>' }, { wait: 'logged in' },
    { wait: '^W' }];
  for (const [name, command] of [['terminal', vim], ['neovim', neovim]]) {
    const job = { folder, environment, steps, ...SCREEN, command: command('shop.http') };
    const cells = await record(job);
    const page = screenPage(screenHTML(cells), cells.at(-1).at(-1).back);
    await take(`${name}.png`, page, TERMINAL, THEMES.dark);
  }
}

/** A script beside its request: what its lines came to, and what it printed. */
async function scripts({ folder, environment }, take) {
  const steps = [{ wait: 'console.log', type: ":call search('^GET')\\<CR>:PostKit send\\<CR>" },
    { wait: '✗ it is ada' }, { wait: '# Output' }];
  for (const [name, command] of [['vim', vim], ['neovim', neovim]]) {
    const job = { folder, environment, steps, ...SCREEN, command: command('scripts.http') };
    const cells = await record(job);
    const page = screenPage(screenHTML(cells), cells.at(-1).at(-1).back);
    await take(`scripts-${name}.png`, page, TERMINAL, THEMES.dark);
  }
}

/** What the walkthrough shows, in dark and in light. */
async function walkthrough({ folder, binary, environment }, take) {
  const session = await Session.start({ folder, binary, environment });
  try {
    const style = fs.readFileSync(path.join(MEDIA, 'panel.css'), 'utf8');
    const own = { nonce: 'picture', style, script:
      fs.readFileSync(path.join(MEDIA, 'panel.js'), 'utf8'),
    formatTime: time => new Date(time).toISOString().slice(0, 16).replace('T', ' ') };
    await session.choose('dev');
    await session.sendAll('shop.http');
    const people = responsePage(await session.response('shop.http', 'people'), own);
    await take('scripts-vscode.png', await scriptPage(session, 'scripts.http', 'who'),
      SCRIPT, THEMES.dark);
    for (const theme of ['dark', 'light']) {
      const into = name => `vscode/media/walkthrough/${name}-${theme}.png`;
      await take(into('write'), await requestPage(session, 'shop.http'), PANEL, THEMES[theme]);
      await take(into('environment'), await environmentPage(session), PANEL, THEMES[theme]);
      await take(into('send'), people, PANEL, THEMES[theme]);
      await take(into('history'), people, PANEL, THEMES[theme], 'history');
    }
  } finally {
    await session.end();
  }
}

/** The icon of the extension: that of its files, on a tile. */
async function icon(take) {
  const drawing = fs.readFileSync(path.join(EDITORS, 'vscode/images/http-dark.svg'), 'utf8');
  await take('vscode/media/icon.png', iconPage(drawing), { width: 256, height: 256 }, THEMES.dark);
}

/** Draws a page and keeps its picture. */
function photographer(browser, folder, target) {
  return async (name, html, size, theme, tab) => {
    const page = await browser.open(size);
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: preparation(theme) });
    const file = path.join(folder, 'picture.html');
    fs.writeFileSync(file, html);
    await page.go(`file://${file}`);
    if (tab) await page.evaluate(`document.getElementById('tab-${tab}').click()`);
    if (tab) await page.evaluate('document.activeElement.blur()');
    const output = path.join(target, name);
    fs.mkdirSync(path.dirname(output), { recursive: true });
    const data = await page.picture();
    fs.writeFileSync(output, data);
    process.stdout.write(`${output}: ${data.length} bytes\n`);
  };
}

async function main(target) {
  if (!findChromium()) throw new Error('Chromium is not on the PATH; name it with CHROMIUM');
  const shop = workshop();
  const browser = await Chromium.start();
  try {
    const take = photographer(browser, shop.folder, target);
    await terminals(shop, take);
    await scripts(shop, take);
    await walkthrough(shop, take);
    await icon(take);
  } finally {
    await browser.close();
    fs.rmSync(shop.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

main(path.resolve(process.argv[2] ?? EDITORS)).catch(error => {
  process.stderr.write(`make.js: ${error.message}\n`);
  process.exitCode = 1;
});
