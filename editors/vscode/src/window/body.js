'use strict';
// The body of the response in sight, or of one that is named: to the clipboard.
const vscode = require('vscode');
const { exchangeOf } = require('../convert/titles');
const { Source } = require('../response/source');
const { announce } = require('./messages');

/** The exchange whose response is in front, as a document or in the panel. */
function exchangeInFront(panel) {
  const { document } = vscode.window.activeTextEditor ?? {};
  const id = (document && exchangeOf(document.uri)) ?? panel.shownId;
  if (!id) throw new Error('Open a response first.');
  return id;
}

/**
 * Puts a body on the clipboard as it was received.
 * @param {import('../server/client').Client} client
 * @param {string} id of the exchange
 */
async function copyBody(client, id) {
  const { text, total, size } = await new Source(client).text(id);
  if (total === 0) throw new Error('The body is empty.');
  await vscode.env.clipboard.writeText(text);
  announce(`Copied ${size}`);
}

module.exports = { copyBody, exchangeInFront };
