'use strict';
// What can be done with the nodes of the lists: each command is told of a node by its menu, or
// takes what is selected when it comes by a key.
const vscode = require('vscode');
const { tell } = require('../window/messages');
const { responseUri } = require('../window/render');
const { foundCommands } = require('./found');
const { ORDERS } = require('./query');
const { meaning, mayDelete, pick } = require('./selecting');
const { storedCommands } = require('./stored');

/**
 * @param {object} room
 * @param {import('../server/client').Client} room.client
 * @param {import('../window/sending').Sending} room.sending
 * @param {import('../window/responses').Responses} room.responses
 * @param {import('../window/environments').Environments} room.environments
 * @param {import('../response/panel').ResponsePanel} room.panel
 * @param {import('../statistics/panel').StatisticsPanel} room.statistics
 * @param {object} room.sources by name of the view
 * @param {object} room.views by name
 * @param {(ops: object[]) => Promise<object>} room.edit
 * @returns {Record<string, Function>} by id; each takes the node and all that are selected
 */
const viewCommands = room => ({
  ...searching(room), ...ofHistory(room), ...foundCommands(room), ...storedCommands(room),
  ...ofEnvironments(room), ...ofVariables(room), ...ofCookies(room),
});

function searching({ sources, views }) {
  return {
    'postkit.searchHistory': () => views.history.ask(),
    'postkit.searchCollections': () => views.collections.ask(),
    'postkit.searchVariables': () => views.variables.ask(),
    'postkit.searchCookies': () => views.cookies.ask(),
    'postkit.clearHistorySearch': () => views.history.search(''),
    'postkit.clearCollectionsSearch': () => {
      sources.collections.order = 'order';
      views.collections.search('');
    },
    'postkit.sortCollections': async () => {
      const { order } = sources.collections;
      const items = Object.entries(ORDERS).map(([id, label]) =>
        ({ id, label, description: id === order ? 'now' : '' }));
      const chosen = await vscode.window.showQuickPick(
        items, { title: 'PostKit: Sort Collections' });
      if (!chosen) return;
      sources.collections.order = chosen.id;
      views.collections.rearrange();
    },
    'postkit.clearVariablesSearch': () => views.variables.search(''),
    'postkit.clearCookiesSearch': () => views.cookies.search(''),
    'postkit.refreshViews': () => Object.values(views).forEach(view => view.refresh()),
    'postkit.showMore': ({ name }) => {
      sources[name].more();
      views[name].refresh();
    },
  };
}

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

module.exports = { viewCommands };
