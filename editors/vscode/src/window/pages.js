'use strict';
// The pages of a long JSON body: from one to the next, or to one of a list, in the same tab.
const vscode = require('vscode');
const convert = require('../convert');
const { exchangeOf } = require('../convert/titles');
const { Source } = require('../response/source');
const { announce } = require('./messages');
const { SCHEME } = require('./responses');

const SHOW = 'postkit.showResponse';
const NO_BODY = 'Open a long JSON body first: it is shown in pages.';
const ONE_PAGE = 'This document has one page only.';

/**
 * Shows another page of the body that is open: the server offers it among the actions.
 * @param {import('./sending').Sending} sending
 * @param {import('../server/client').Client} client
 * @param {number} step 1 for the next page, -1 for the previous one
 */
async function turnPage(sending, client, step) {
  const { document } = vscode.window.activeTextEditor ?? {};
  if (document?.uri.scheme !== SCHEME) {
    return announce(NO_BODY);
  }
  const start = { line: 0, character: 0 };
  const actions = await client.request('textDocument/codeAction', {
    textDocument: convert.identifier(document), range: { start, end: start },
    context: { diagnostics: [] },
  });
  const pages = (actions ?? []).map(({ command }) => command)
    .filter(command => command?.command === SHOW && command.arguments[0].page !== undefined)
    .map(command => command.arguments[0]);
  if (pages.length === 0) return announce(ONE_PAGE);
  const target = pages.find(({ page }) => page === pageOf(document.uri) + step);
  if (!target) return announce(step > 0 ? 'This is the last page.' : 'This is the first page.');
  await sending.run(SHOW, target);
}

/**
 * Lists the pages of the body that is open by what they begin with, and shows the one chosen.
 * @param {import('./sending').Sending} sending
 * @param {import('../server/client').Client} client
 */
async function choosePage(sending, client) {
  const { uri } = vscode.window.activeTextEditor?.document ?? {};
  const id = uri && exchangeOf(uri);
  if (!id) return announce(NO_BODY);
  const pages = await new Source(client).pages(id);
  if (pages.length === 0) return announce(ONE_PAGE);
  const current = pageOf(uri);
  const choice = await vscode.window.showQuickPick(pages.map(({ number, path }) => ({
    label: path === null ? `Page ${number}` : `from ${path}`,
    description: [path !== null && `page ${number} of ${pages.length}`,
      number === current && 'shown now'].filter(Boolean).join(' · '),
    number,
  })), { title: 'PostKit: Go to Page', placeHolder: 'Type a part of a path, such as items[3' });
  if (choice) await sending.run(SHOW, { id, view: 'pretty', page: choice.number });
}

/** Which page the document of a response shows. @param {vscode.Uri} uri */
const pageOf = ({ query }) => Number(/(?:^|&)page=(\d+)/.exec(query)?.[1] ?? 1);

module.exports = { choosePage, turnPage };
