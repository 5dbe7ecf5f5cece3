'use strict';
// The stored requests as a quick pick: the server finds what is typed, Enter opens a request as a
// file, a button sends it.
const vscode = require('vscode');
const { storedQuery } = require('../views/query');
const { tell } = require('./messages');
const { storedItem } = require('./render');

/** What the server gives at once. */
const LIMIT = 200;
/** As long as somebody goes on typing, nothing is searched. */
const TYPING_MILLISECONDS = 150;

const SEND = { iconPath: new vscode.ThemeIcon('play'), tooltip: 'Send' };

/**
 * Lists stored requests.
 * @param {import('../server/client').Client} client
 * @param {import('./sending').Sending} sending
 */
async function showCollections(client, sending) {
  const page = (typed, cursor) => client.request('postkit/collections',
    { limit: LIMIT, ...storedQuery(typed), ...cursor ? { cursor } : {} });
  const first = await page('');
  if (first.nodes.length === 0) {
    tell('info', 'No saved requests yet. Put the cursor into one and '
      + 'run "PostKit: Save Request to Collection".');
    return;
  }
  const pick = vscode.window.createQuickPick();
  pick.title = 'PostKit: Collections';
  pick.placeholder = 'Words in names, addresses and tags; method:POST tag:smoke in:Shop/orders';
  pick.items = items(first);
  /** Counts the questions, so that a late answer doesn't replace a newer one. */
  let turn = 0;
  const ask = async (cursor, known = []) => {
    const asked = ++turn;
    pick.busy = true;
    try {
      const found = await page(pick.value.trim(), cursor);
      if (asked === turn) pick.items = [...known, ...items(found)];
    } finally {
      if (asked === turn) pick.busy = false;
    }
  };
  let timer;
  await new Promise((resolve, reject) => {
    let isChosen = false;
    const end = work => {
      isChosen = true;
      pick.hide();
      work.then(resolve, reject);
    };
    const asking = work => work.catch(error => end(Promise.reject(error)));
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => asking(ask()), TYPING_MILLISECONDS);
    });
    pick.onDidTriggerItemButton(({ item }) => end(sending.send({ uri: item.uri })));
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.next) asking(ask(item.next, pick.items.filter(({ next }) => !next)));
      else if (item?.id) end(sending.run('postkit.collections', { id: item.id }));
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      turn += 1;
      pick.dispose();
      if (!isChosen) resolve();
    });
    pick.show();
  });
}

/** What was found, and what leads to the rest. A tag may have what was searched for, so each shows. */
function items({ nodes, cursor }) {
  const list = nodes.map(node => ({ ...storedItem(node), alwaysShow: true, buttons: [SEND] }));
  if (nodes.length === 0) list.push({ label: 'No matches', alwaysShow: true });
  if (cursor) list.push({ label: '$(ellipsis) More', alwaysShow: true, next: cursor });
  return list;
}

module.exports = { showCollections };
