'use strict';
// Other extensions that send the requests of .http files: two in one window show each lens twice.
// Said once for each of them; nothing is turned off by us.
const vscode = require('vscode');

/** What is known to get in the way; the names are those of VS Code's gallery. */
const NEIGHBOURS = {
  'humao.rest-client': 'REST Client',
  'anweber.vscode-httpyac': 'httpYac',
  'anweber.httpbook': 'httpBook',
};
const KEY = 'postkit.knownNeighbours';

/**
 * Says which extensions are in the way, where it has not been said of them before.
 * @param {vscode.Memento} state where what was said is kept
 */
async function greetNeighbours(state) {
  const known = state.get(KEY, []);
  const found = Object.keys(NEIGHBOURS).filter(id => vscode.extensions.getExtension(id));
  const unknown = found.filter(id => !known.includes(id));
  if (unknown.length === 0) return;
  await state.update(KEY, [...known, ...unknown]);
  const names = unknown.map(id => NEIGHBOURS[id]).join(' and ');
  const isOne = unknown.length === 1;
  const show = isOne ? `Show ${names}` : 'Show Them';
  const choice = await vscode.window.showInformationMessage(
    `PostKit: ${names} also ${isOne ? 'sends' : 'send'} the requests of .http files, so lenses, `
    + `completion and Ctrl+Alt+R come twice. Disable ${isOne ? 'it' : 'them'} for this workspace, `
    + 'or PostKit.', show, 'Keep All');
  if (choice !== show) return;
  await vscode.commands.executeCommand(
    'workbench.extensions.search', unknown.map(id => `@id:${id}`).join(' '));
}

module.exports = { NEIGHBOURS, greetNeighbours };
