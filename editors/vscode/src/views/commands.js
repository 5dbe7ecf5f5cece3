'use strict';
// What can be done with the nodes of the lists: each command is told of a node by its menu, or
// takes what is selected when it comes by a key.
const vscode = require('vscode');
const { tell } = require('../window/messages');
const { responseUri } = require('../window/render');

/**
 * @param {object} room
 * @param {import('../server/client').Client} room.client
 * @param {import('../window/sending').Sending} room.sending
 * @param {import('../window/responses').Responses} room.responses
 * @param {import('../window/environments').Environments} room.environments
 * @param {import('../response/panel').ResponsePanel} room.panel
 * @param {object} room.sources by name of the view
 * @param {object} room.views by name
 * @param {(ops: object[]) => Promise<void>} room.edit
 * @returns {Record<string, Function>} by id; each takes the node and all that are selected
 */
const viewCommands = room => ({
  ...searching(room), ...ofHistory(room), ...ofCollections(room), ...ofEnvironments(room),
  ...ofVariables(room), ...ofCookies(room),
});

function searching({ sources, views }) {
  return {
    'postkit.searchHistory': () => views.history.ask(),
    'postkit.searchCollections': () => views.collections.ask(),
    'postkit.searchVariables': () => views.variables.ask(),
    'postkit.searchCookies': () => views.cookies.ask(),
    'postkit.clearHistorySearch': () => views.history.search(''),
    'postkit.clearCollectionsSearch': () => views.collections.search(''),
    'postkit.clearVariablesSearch': () => views.variables.search(''),
    'postkit.clearCookiesSearch': () => views.cookies.search(''),
    'postkit.refreshViews': () => Object.values(views).forEach(view => view.refresh()),
    'postkit.showMore': ({ name }) => {
      sources[name].more();
      views[name].refresh();
    },
  };
}

/** Asks before something is lost that can't be brought back. */
async function mayDelete(question) {
  const detail = "This can't be undone.";
  const answer = 'Delete';
  return await tell('warning', question, { modal: true, detail }, answer)
    === answer;
}

/** Those that are meant: one by its name, several by their number. */
const meaning = (nodes, kind, name) =>
  nodes.length === 1 ? name(nodes[0]) : `these ${nodes.length} ${kind}s`;

function ofHistory({ views, responses, panel, sending, edit }) {
  const chosen = (node, all) => pick(views.history, 'exchange', node, all);
  const ids = nodes => nodes.map(({ entry }) => entry.id);
  const marking = op => (node, all) => edit([{ op, ids: ids(chosen(node, all)) }]);
  const one = run => (node, all) => {
    const [first] = chosen(node, all);
    return first && run(first.entry);
  };
  return {
    'postkit.openExchange': one(({ id }) => responses.show(responseUri(id))),
    'postkit.showExchangePanel': one(({ id }) => panel.showDocument(responseUri(id))),
    'postkit.resendExchange': one(({ id }) => sending.resend({ id })),
    'postkit.compareExchange': one(({ id }) => sending.run('postkit.diffResponses', { b: id })),
    'postkit.showExchangeTimeline': one(({ id }) => sending.run('postkit.history', { id })),
    'postkit.saveExchangeBody': one(({ id }) => sending.saveResponse({ id })),
    'postkit.copyExchangeUrl': one(({ url }) => vscode.env.clipboard.writeText(url)),
    'postkit.pinExchange': marking('history.pin'),
    'postkit.unpinExchange': marking('history.unpin'),
    'postkit.labelExchange': one(({ id }) => sending.run(
      'postkit.historyEdit', { op: 'history.label', ids: [id], ask: true })),
    'postkit.noteExchange': one(({ id }) => sending.run(
      'postkit.historyEdit', { op: 'history.note', ids: [id], ask: true })),
    'postkit.deleteExchange': async (node, all) => {
      const nodes = chosen(node, all);
      if (nodes.length === 0) return;
      const what = meaning(nodes, 'exchange', ({ entry: { method, url } }) => `“${method} ${url}”`);
      if (!await mayDelete(`Delete ${what} from the history?`)) return;
      await edit([{ op: 'history.delete', ids: ids(nodes) }]);
    },
    'postkit.clearHistory': async () => {
      if (!await mayDelete('Delete the whole history except pinned exchanges?')) return;
      await edit([{ op: 'history.clear' }]);
    },
  };
}

function ofCollections({ views, sending, edit }) {
  const chosen = (node, all) => pick(views.collections, 'stored', node, all);
  const one = run => (node, all) => {
    const [first] = chosen(node, all);
    return first && run(first.item);
  };
  const named = async (title, value, run) => {
    const name = await vscode.window.showInputBox({ title, value, ignoreFocusOut: true,
      validateInput: text => text.trim() ? undefined : 'Give it a name.' });
    if (name !== undefined) await run(name.trim());
  };
  return {
    'postkit.openStored': one(({ id, kind }) => kind === 'request'
      ? sending.run('postkit.collections', { id }) : undefined),
    'postkit.sendStored': one(({ uri }) => uri && sending.send({ uri })),
    'postkit.copyStoredAsCurl': one(({ uri }) => uri && sending.copyAsCurl({ uri })),
    'postkit.newCollection': () => named('New Collection', '',
      name => edit([{ op: 'collection.create', kind: 'collection', name }])),
    'postkit.newFolder': one(({ id }) => named('New Folder', '',
      name => edit([{ op: 'collection.create', kind: 'folder', name, parent: id }]))),
    'postkit.renameStored': one(({ id, name: before }) => named('New Name', before,
      name => edit([{ op: 'collection.rename', id, name }]))),
    'postkit.duplicateStored': one(({ id }) => edit([{ op: 'collection.duplicate', id }])),
    'postkit.deleteStored': async (node, all) => {
      const nodes = chosen(node, all);
      if (nodes.length === 0) return;
      const what = meaning(nodes, 'item', ({ item }) => `“${item.name}”`);
      const rest = nodes.some(({ item }) => item.childCount > 0) ? ' and all that is in it' : '';
      if (!await mayDelete(`Delete ${what}${rest}?`)) return;
      await edit(nodes.map(({ item }) => ({ op: 'collection.delete', id: item.id })));
    },
  };
}

function ofEnvironments({ views, environments }) {
  const chosen = node => pick(views.environments, 'environment', node);
  return {
    'postkit.useEnvironment': node => {
      const [first] = chosen(node);
      return first && environments.use(first.item.name);
    },
    'postkit.useNoEnvironment': () => environments.use(null),
    'postkit.openFile': node => {
      const [first] = pick(views.environments, 'file', node);
      return first && vscode.window.showTextDocument(vscode.Uri.file(first.file));
    },
  };
}

function ofVariables({ views, sources }) {
  const one = run => node => {
    const [first] = [...pick(views.variables, 'variable', node),
      ...pick(views.environments, 'variable', node)];
    return first && run(first.item);
  };
  const reveal = isShown => one(({ name }) => {
    sources.variables.reveal(name, isShown);
    views.variables.refresh();
  });
  return {
    'postkit.goToVariable': one(({ origin }) => {
      if (!origin?.file) return undefined;
      const start = new vscode.Position(Math.max(0, origin.line - 1), 0);
      return vscode.window.showTextDocument(
        vscode.Uri.file(origin.file), { selection: new vscode.Range(start, start) });
    }),
    'postkit.copyVariableValue': one(({ name, value }) => value === null
      ? tell('info',
        `PostKit: ${name} is secret. Show its value first, then copy it.`)
      : vscode.env.clipboard.writeText(value)),
    'postkit.copyVariableReference': one(
      ({ name }) => vscode.env.clipboard.writeText(`{{${name}}}`)),
    'postkit.revealVariable': reveal(true),
    'postkit.hideVariable': reveal(false),
  };
}

function ofCookies({ views, sources, edit }) {
  const one = run => node => {
    const [first] = pick(views.cookies, 'cookie', node);
    return first && run(first.item);
  };
  const reveal = isShown => one(item => {
    sources.cookies.reveal(item, isShown);
    views.cookies.refresh();
  });
  const deleting = ({ item: { folder, environment, domain, path, name } }) =>
    ({ op: 'cookie.delete', folder, environment: environment ?? '', domain, path, name });
  return {
    'postkit.revealCookie': reveal(true),
    'postkit.hideCookie': reveal(false),
    'postkit.copyCookieName': one(({ name }) => vscode.env.clipboard.writeText(name)),
    'postkit.deleteCookie': async (node, all) => {
      const nodes = pick(views.cookies, 'cookie', node, all);
      if (nodes.length === 0) return;
      const what = meaning(nodes, 'cookie',
        ({ item: { name, domain } }) => `the cookie “${name}” of ${domain}`);
      if (await mayDelete(`Delete ${what}?`)) {
        await edit(nodes.map(deleting));
      }
    },
    'postkit.clearDomainCookies': async node => {
      const [first] = pick(views.cookies, 'domain', node);
      if (first && await mayDelete(`Delete all cookies of ${first.domain}?`)) {
        await edit(first.nodes.map(deleting));
      }
    },
    'postkit.clearCookies': async () => {
      if (await mayDelete('Delete all cookies?')) await edit([{ op: 'cookie.clear' }]);
    },
  };
}

/** The nodes of a kind that are meant: those of the menu, else what is selected. */
function pick(view, kind, node, all) {
  const meant = all?.length ? all : node ? [node] : view.selection;
  return meant.filter(each => each.kind === kind);
}

module.exports = { viewCommands };
