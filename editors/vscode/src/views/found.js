'use strict';
// What is done with all exchanges that the line of the history finds, and with the line itself:
// figures of them, an order, a name under which it is found again.
const vscode = require('vscode');
const { announce, tell } = require('../window/messages');
const { HISTORY_ORDERS, orderOf, withOrder } = require('./query');

const DELETE = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete this search' };

/**
 * The commands about what the history is searched for.
 * @param {object} room
 * @param {import('../server/client').Client} room.client
 * @param {object} room.views by name
 * @param {import('../window/sending').Sending} room.sending
 * @param {import('../statistics/panel').StatisticsPanel} room.statistics
 * @param {(ops: object[]) => Promise<object>} room.edit
 * @returns {Record<string, Function>} by id
 */
function foundCommands({ client, views, sending, statistics, edit }) {
  const marking = (op, text) => changeFound({ client, views, edit }, op, text);
  return {
    'postkit.showStatistics': () => statistics.show(views.history.query),
    'postkit.sortHistory': async () => {
      const order = orderOf(views.history.query);
      const items = Object.entries(HISTORY_ORDERS).map(([id, label]) =>
        ({ id, label, description: id === order ? 'now' : '' }));
      const chosen = await vscode.window.showQuickPick(items, { title: 'PostKit: Sort History' });
      if (chosen) views.history.search(withOrder(views.history.query, chosen.id));
    },
    'postkit.saveSearch': () => saveSearch({ client, views, edit }),
    'postkit.openSavedSearch': () => openSavedSearch({ client, views, edit }),
    'postkit.exportFound': () => views.history.query
      ? require('../window/transfer').exportHistory(sending, views.history.query) : tellUnsearched(),
    'postkit.pinFound': () => marking('history.pin'),
    'postkit.unpinFound': () => marking('history.unpin'),
    'postkit.labelFound': () => marking('history.label', 'Label'),
    'postkit.noteFound': () => marking('history.note', 'Note'),
    'postkit.deleteFound': () => marking('history.delete'),
  };
}

const counted = count => `${count} ${count === 1 ? 'exchange' : 'exchanges'}`;

/** What each change of many is asked about, and called once it is done. */
const CHANGES = {
  'history.pin': { ask: 'Pin', done: 'Pinned', detail: 'Pinned exchanges are never trimmed.' },
  'history.unpin': { ask: 'Unpin', done: 'Unpinned' },
  'history.label': { ask: 'Label', done: 'Labelled',
    detail: 'It takes the place of the labels that they have.' },
  'history.note': { ask: 'Write the note on', done: 'Wrote the note on', button: 'Write',
    detail: 'It takes the place of the notes that they have.' },
  'history.delete': { ask: 'Delete', done: 'Deleted', detail: "This can't be undone." },
};

const tellUnsearched = () =>
  tell('info', 'PostKit: search the history first. This command is about what is found.');

/** Changes all that the line finds, after it was told how many they are. */
async function changeFound({ client, views, edit }, op, asked) {
  const line = views.history.query;
  if (!line) {
    await tellUnsearched();
    return;
  }
  const { count } = await client.request('postkit/history', { line, limit: 1, count: true });
  if (count === 0) {
    await tell('info', `PostKit: the history has no matches for “${line}”.`);
    return;
  }
  const text = asked && await vscode.window.showInputBox({ title: asked, ignoreFocusOut: true,
    prompt: `For ${counted(count)}. Leave it empty to take it away.` });
  if (asked && text === undefined) return;
  const { ask, done, detail, button = ask } = CHANGES[op];
  const answer = await tell('warning',
    `${ask} ${count === 1 ? 'the one exchange' : `the ${counted(count)}`} that “${line}” finds?`,
    { modal: true, detail }, button);
  if (answer !== button) return;
  // Where more match by now than somebody agreed to, the server does nothing and says so.
  const result = await edit([
    { op, filter: { line }, atMost: count, ...asked ? { text } : {} }]);
  announce(`${done} ${counted(result.count)}`);
}

async function saveSearch({ client, views, edit }) {
  const query = views.history.query;
  if (!query) {
    await tellUnsearched();
    return;
  }
  const { searches } = await client.request('postkit/savedSearches', {});
  const known = new Map(searches.map(search => [search.name, search.query]));
  const name = await vscode.window.showInputBox({ title: 'Save Search', ignoreFocusOut: true,
    prompt: `The name of “${query}”`,
    validateInput: typed => {
      const other = known.get(typed.trim());
      if (!typed.trim()) return 'Give it a name.';
      return other === undefined ? undefined : { severity:
        vscode.InputBoxValidationSeverity.Warning, message: `It replaces “${other}”.` };
    } });
  if (name === undefined) return;
  await edit([{ op: 'search.save', name: name.trim(), query }]);
  announce(`Saved the search ${name.trim()}`);
}

/** Lists the searches: Enter opens one in the history, its button deletes it. */
async function openSavedSearch({ client, views, edit }) {
  const read = async () => {
    const { searches } = await client.request('postkit/savedSearches', {});
    return searches.map(({ name, query }) =>
      ({ label: name, description: query, query, name, buttons: [DELETE] }));
  };
  const items = await read();
  if (items.length === 0) {
    await tell('info', 'PostKit: there are no saved searches. Search the history, then run '
      + '"PostKit: Save Search of the History…".');
    return;
  }
  const pick = vscode.window.createQuickPick();
  pick.title = 'PostKit: Saved Searches';
  pick.placeholder = 'Open a search in the history';
  pick.matchOnDescription = true;
  pick.items = items;
  await new Promise((resolve, reject) => {
    const end = (work, value) => {
      pick.hide();
      work(value);
    };
    pick.onDidTriggerItemButton(async ({ item }) => {
      try {
        await edit([{ op: 'search.delete', name: item.name }]);
        const rest = await read();
        announce(`Deleted the search ${item.name}`);
        if (rest.length === 0) end(resolve);
        else pick.items = rest;
      } catch (error) {
        end(reject, error);
      }
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (!item) return;
      views.history.search(item.query);
      vscode.commands.executeCommand('postkit.views.history.focus');
      end(resolve);
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve();
    });
    pick.show();
  });
}

module.exports = { foundCommands };
