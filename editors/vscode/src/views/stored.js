'use strict';
// What can be done with collections, folders and stored requests in their list.
const vscode = require('vscode');
const { announce, tell } = require('../window/messages');
const { COLLECTION_ICONS: ICONS, counted } = require('./describe');
const { meaning, mayDelete, pick } = require('./selecting');

const UNDO = 'Undo';
const COMES_BACK = '“PostKit: Undo Last Deletion” brings it back, for 30 days.';

/**
 * The commands of the list of collections.
 * @param {object} room
 * @param {import('../server/client').Client} room.client
 * @param {import('../window/sending').Sending} room.sending
 * @param {object} room.views by name
 * @param {(ops: object[]) => Promise<object>} room.edit
 * @returns {Record<string, Function>} by id
 */
function storedCommands({ client, views, sending, edit }) {
  const chosen = (node, all) => pick(views.collections, 'stored', node, all);
  const one = run => (node, all) => {
    const [first] = chosen(node, all);
    return first && run(first.item, first);
  };
  const named = async (title, value, run) => {
    const name = await vscode.window.showInputBox({ title, value, ignoreFocusOut: true,
      validateInput: text => text.trim() ? undefined : 'Give it a name.' });
    if (name !== undefined) await run(name.trim());
  };
  const favouring = favourite => (node, all) => {
    const requests = chosen(node, all).filter(({ item }) => item.kind === 'request');
    return edit(requests.map(({ item }) => ({ op: 'collection.favourite', id: item.id, favourite })));
  };
  return {
    'postkit.openStored': one(({ id, kind }) => kind === 'request'
      ? sending.run('postkit.collections', { id }) : undefined),
    'postkit.sendStored': one(item => item.uri
      ? sending.send({ uri: item.uri }) : sendBelow(item, sending)),
    'postkit.sendAllStored': one(({ id, kind, name }) => kind === 'request'
      ? undefined : sending.sendAll({ collection: id }, name)),
    'postkit.copyStoredAsCurl': one(({ uri }) => uri && sending.copyAsCurl({ uri })),
    'postkit.showStoredHistory': one(({ id, kind }) => {
      if (kind !== 'request') return undefined;
      views.history.search(`stored:${id}`);
      return vscode.commands.executeCommand('postkit.views.history.focus');
    }),
    'postkit.newCollection': () => named('New Collection', '',
      name => edit([{ op: 'collection.create', kind: 'collection', name }])),
    'postkit.newFolder': one(({ id }) => named('New Folder', '',
      name => edit([{ op: 'collection.create', kind: 'folder', name, parent: id }]))),
    'postkit.renameStored': one(({ id, name: before }) => named('New Name', before,
      name => edit([{ op: 'collection.rename', id, name }]))),
    'postkit.duplicateStored': one(({ id }) => edit([{ op: 'collection.duplicate', id }])),
    'postkit.editDefaults': one(({ kind }, node) => kind === 'request'
      ? undefined : require('./defaults').editDefaults({ client }, node)),
    'postkit.favouriteStored': favouring(true),
    'postkit.unfavouriteStored': favouring(false),
    'postkit.showFavourites': () => views.collections.search('favourite:yes'),
    'postkit.deleteStored': (node, all) => remove(chosen(node, all), edit),
    'postkit.undoDeletion': async () => takeBack((await deletions(client, { limit: 1 }))[0], edit),
    'postkit.chooseDeletion': async () => {
      const list = await deletions(client, {});
      if (list.length === 0) return takeBack(undefined, edit);
      const chosen = await vscode.window.showQuickPick(list.map(deletion => ({
        label: `$(${ICONS[deletion.kind] ?? 'archive'}) ${deletion.name}`, deletion,
        description: [deletion.path, ['collection', 'folder'].includes(deletion.kind)
          && counted(deletion.requestCount, 'request')].filter(Boolean).join(' · '),
        detail: `deleted ${new Date(deletion.deletedAt).toLocaleString()}`,
      })), { title: 'PostKit: Undo a Deletion', matchOnDescription: true,
        placeHolder: 'What is to come back' });
      return chosen && takeBack(chosen.deletion, edit);
    },
  };
}

/** Sends what is in a folder or collection; a key on it may have been meant for one request. */
async function sendBelow({ id, name, requestCount }, sending) {
  const send = 'Send';
  const what = requestCount === 1 ? 'the one request' : `all ${requestCount} requests`;
  const answer = await tell('warning', `Send ${what} of “${name}”?`, { modal: true }, send);
  if (answer === send) await sending.sendAll({ collection: id }, name);
}

/** What can be taken back, the last deletion first. */
async function deletions(client, params) {
  const { deletions: list = [] } = await client.request(
    'postkit/collections', { deleted: true, ...params });
  return list;
}

/** Takes back a deletion, and says what came back. @param {object} [deletion] of the server */
async function takeBack(deletion, edit) {
  if (!deletion) {
    await tell('info', 'PostKit: there is nothing to take back.');
    return;
  }
  await edit([{ op: 'collection.undo', id: deletion.id }]);
  announce(`Took back “${deletion.name}”`);
}

/** Deletes after a question, and offers to take it back. */
async function remove(nodes, edit) {
  if (nodes.length === 0) return;
  const what = meaning(nodes, 'item', ({ item }) => `“${item.name}”`);
  const rest = nodes.some(({ item }) => item.childCount > 0) ? ' and all that is in it' : '';
  if (!await mayDelete(`Delete ${what}${rest}?`, COMES_BACK)) return;
  const ids = nodes.map(({ item }) => item.id);
  await edit(ids.map(id => ({ op: 'collection.delete', id })));
  if (await tell('info', `PostKit: Deleted ${what}${rest}.`, UNDO) !== UNDO) return;
  // The last one comes first, as what it was in may be another of them.
  await edit([...ids].reverse().map(id => ({ op: 'collection.undo', id })));
  announce(`Took back ${what}`);
}

module.exports = { storedCommands };
