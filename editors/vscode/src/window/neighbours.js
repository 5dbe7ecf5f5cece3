'use strict';
// Other extensions that send the requests of .http files: two in one window show each lens twice.
// Said once for each of them; nothing is turned off by us. What REST Client left in the settings is
// offered to be imported, once too.
const vscode = require('vscode');
const { tell } = require('./messages');

const REST_CLIENT = 'humao.rest-client';
/** What is known to get in the way; the names are those of VS Code's gallery. */
const NEIGHBOURS = {
  [REST_CLIENT]: 'REST Client',
  'anweber.vscode-httpyac': 'httpYac',
  'anweber.httpbook': 'httpBook',
};
const KEY = 'postkit.knownNeighbours';
/** That the import was offered. */
const OFFERED = 'postkit.offeredImport';
const IMPORT = 'Import Its Settings…';
const IMPORT_COMMAND = 'postkit.migrateFromRestClient';
const KEYS_CONTEXT = 'postkit.hasRestClientKeys';

/**
 * Says once what other extensions mean for this one: first which are in the way.
 * @param {vscode.Memento} state where what was said is kept
 */
async function greetNeighbours(state) {
  await nameNeighbours(state);
  // Whoever answered above was offered it there; two messages at once are one too many.
  await offerImport(state);
}

/** Whether the import is to be offered: there are environments, in whatever settings. */
function canImport(state) {
  if (state.get(OFFERED) || !vscode.workspace.workspaceFolders) return false;
  const found = vscode.workspace.getConfiguration('rest-client').get('environmentVariables') ?? {};
  return Object.values(found).some(each => Object.keys(each ?? {}).length > 0);
}

async function offerImport(state) {
  if (!canImport(state)) return;
  await state.update(OFFERED, true);
  const choice = await tell('info', 'PostKit: Your settings have environments of REST Client. '
    + 'PostKit uses them once they are imported.', IMPORT, 'Not Now');
  if (choice === IMPORT) await vscode.commands.executeCommand(IMPORT_COMMAND);
}

async function nameNeighbours(state) {
  const known = state.get(KEY, []);
  const found = Object.keys(NEIGHBOURS).filter(id => vscode.extensions.getExtension(id));
  const unknown = found.filter(id => !known.includes(id));
  if (unknown.length === 0) return;
  await state.update(KEY, [...known, ...unknown]);
  const names = unknown.map(id => NEIGHBOURS[id]).join(' and ');
  const isOne = unknown.length === 1;
  const show = isOne ? `Show ${names}` : 'Show Them';
  const offers = unknown.includes(REST_CLIENT) && canImport(state);
  if (offers) await state.update(OFFERED, true);
  const choice = await tell('info',
    `PostKit: ${names} also ${isOne ? 'sends' : 'send'} the requests of .http files, so lenses, `
    + `completion and Ctrl+Alt+R come twice. Disable ${isOne ? 'it' : 'them'} for this workspace, `
    + 'or PostKit.', show, ...offers ? [IMPORT] : [], 'Keep All');
  if (choice === IMPORT) await vscode.commands.executeCommand(IMPORT_COMMAND);
  if (choice !== show) return;
  await vscode.commands.executeCommand(
    'workbench.extensions.search', unknown.map(id => `@id:${id}`).join(' '));
}

/**
 * Takes the keys of REST Client while that is not installed: its users have them in their fingers.
 * On Windows, where AltGr is Ctrl+Alt, they would take letters away; package.json leaves them out.
 * @returns {vscode.Disposable}
 */
function takeKeysOfRestClient() {
  const follow = () => vscode.commands.executeCommand(
    'setContext', KEYS_CONTEXT, !vscode.extensions.getExtension(REST_CLIENT));
  follow();
  return vscode.extensions.onDidChange(follow);
}

module.exports = { NEIGHBOURS, greetNeighbours, takeKeysOfRestClient };
