'use strict';
// In and out of the store: a folder of request files becomes a collection, the history a file.
const vscode = require('vscode');
const { tell } = require('./messages');

const FORMATS = [
  { label: 'HAR 1.2', description: 'for browsers and other tools', format: 'har', suffix: 'har' },
  { label: 'JSON Lines', description: 'one exchange on a line', format: 'jsonl', suffix: 'jsonl' },
  { label: 'Request file', description: 'to be sent again', format: 'http', suffix: 'http' },
  { label: 'OpenAPI 3.1', description: 'a skeleton of what was called', format: 'openapi', suffix: 'yaml' },
];

/** Says what came of it, and what is missing. */
function report(text, { warnings }) {
  tell(warnings.length ? 'warning' : 'info', `PostKit: ${[text, ...warnings].join(' ')}`);
}

/**
 * Makes a collection of a folder, or brings the one it was made into up to date.
 * @param {import('./sending').Sending} sending
 */
async function importFolder(sending) {
  const [folder] = await vscode.window.showOpenDialog({
    title: 'Folder of Request Files', openLabel: 'Import',
    canSelectFolders: true, canSelectFiles: false,
  }) ?? [];
  if (!folder) return;
  const argument = { uri: folder.toString() };
  const done = result => report(
    `${result.count} ${result.count === 1 ? 'request' : 'requests'} imported.`, result);
  try {
    done(await sending.execute('postkit.import', argument));
  } catch (error) {
    if (!/overwrite/i.test(error.message)) throw error;
    const overwrite = 'Overwrite';
    if (await tell('warning', `PostKit: ${error.message}`, overwrite)
      !== overwrite) return;
    done(await sending.execute('postkit.import', { ...argument, overwrite: true }));
  }
}

/**
 * Writes the history into a file; the dialog has asked before one is replaced.
 * @param {import('./sending').Sending} sending
 * @param {string} [line] what of it; without one, all
 */
async function exportHistory(sending, line) {
  const choice = await vscode.window.showQuickPick(FORMATS, { title: 'PostKit: Export History' });
  if (!choice) return;
  const target = await vscode.window.showSaveDialog({
    title: 'Export History', filters: { [choice.label]: [choice.suffix] },
  });
  if (!target) return;
  const result = await sending.execute('postkit.export',
    { format: choice.format, target: target.toString(), overwrite: true,
      ...line ? { filter: { line } } : {} });
  report(`${result.count} ${result.count === 1 ? 'exchange' : 'exchanges'} exported.`, result);
}

module.exports = { exportHistory, importFolder };
