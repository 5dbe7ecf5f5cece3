'use strict';
// The pages of a long JSON body: from one to the next, in the same tab.
const vscode = require('vscode');
const convert = require('../convert');
const { SCHEME } = require('./responses');

const SHOW = 'postkit.showResponse';

/**
 * Shows another page of the body that is open: the server offers it among the actions.
 * @param {import('./sending').Sending} sending
 * @param {import('../server/client').Client} client
 * @param {number} step 1 for the next page, -1 for the previous one
 */
async function turnPage(sending, client, step) {
  const { document } = vscode.window.activeTextEditor ?? {};
  if (document?.uri.scheme !== SCHEME) {
    return tell('Open a long JSON body first: it is shown in pages.');
  }
  const start = { line: 0, character: 0 };
  const actions = await client.request('textDocument/codeAction', {
    textDocument: convert.identifier(document), range: { start, end: start },
    context: { diagnostics: [] },
  });
  const pages = (actions ?? []).map(({ command }) => command)
    .filter(command => command?.command === SHOW && command.arguments[0].page !== undefined)
    .map(command => command.arguments[0]);
  if (pages.length === 0) return tell('This document has one page only.');
  const current = Number(/(?:^|&)page=(\d+)/.exec(document.uri.query)?.[1] ?? 1);
  const target = pages.find(({ page }) => page === current + step);
  if (!target) return tell(step > 0 ? 'This is the last page.' : 'This is the first page.');
  await sending.run(SHOW, target);
}

function tell(text) {
  vscode.window.setStatusBarMessage(`PostKit: ${text}`, 8_000);
}

module.exports = { turnPage };
