'use strict';
// The history as a quick pick: type to filter, Enter opens the stored exchange.
const vscode = require('vscode');
const { historyItem, responseUri } = require('./render');

const LIMIT = 200;

/**
 * @param {import('./client').Client} client
 * @param {import('./responses').Responses} responses
 */
async function showHistory(client, responses) {
  const { items } = await client.request('postkit/history', { limit: LIMIT });
  if (items.length === 0) {
    vscode.window.showInformationMessage('The history is empty: send a request first.');
    return;
  }
  const formatTime = time => time.toLocaleString();
  const choice = await vscode.window.showQuickPick(
    items.map(item => historyItem(item, formatTime)), {
      title: 'PostKit: History',
      placeHolder: 'Open an earlier exchange',
      matchOnDescription: true,
      matchOnDetail: true,
    });
  if (choice) await responses.show(responseUri(choice.id), { takeFocus: true });
}

module.exports = { showHistory };
