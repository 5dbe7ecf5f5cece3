'use strict';
// The collections as a quick pick: Enter opens a stored request as a file, a button sends it.
const vscode = require('vscode');
const { tell } = require('./messages');
const { collectionItems } = require('./render');

/** Deeper folders than anybody makes. */
const DEPTH = 100;

const send = { iconPath: new vscode.ThemeIcon('play'), tooltip: 'Send' };

/**
 * Lists all stored requests.
 * @param {import('../server/client').Client} client
 * @param {import('./sending').Sending} sending
 */
async function showCollections(client, sending) {
  const { nodes } = await client.request('postkit/collections', { depth: DEPTH });
  const items = collectionItems(nodes);
  if (items.length === 0) {
    tell('info', 'No saved requests yet. Put the cursor into one and '
      + 'run "PostKit: Save Request to Collection".');
    return;
  }
  const pick = vscode.window.createQuickPick();
  pick.title = 'PostKit: Collections';
  pick.placeholder = 'Open a stored request';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = items.map(item => ({ ...item, buttons: [send] }));
  await new Promise((resolve, reject) => {
    let isChosen = false;
    const end = work => {
      isChosen = true;
      pick.hide();
      work.then(resolve, reject);
    };
    pick.onDidTriggerItemButton(({ item }) => end(sending.send({ uri: item.uri })));
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item) end(sending.run('postkit.collections', { id: item.id }));
    });
    pick.onDidHide(() => {
      pick.dispose();
      if (!isChosen) resolve();
    });
    pick.show();
  });
}

module.exports = { showCollections };
