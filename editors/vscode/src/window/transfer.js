'use strict';
// In and out: what other tools keep becomes request files, a folder of request files a collection,
// the history a file.
const path = require('path');
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

const SOURCES = [
  { label: 'File', description: 'Postman, Insomnia, OpenAPI, HAR, Hurl, curl, Hoppscotch, …',
    isFolder: false },
  { label: 'Folder', description: 'Bruno, OpenCollection, Insomnia, request files', isFolder: true },
  { label: 'URL', description: 'a description or an export that is fetched', isURL: true },
];

/** What folders of other tools have in them; others are of request files, which go to the store. */
const MARKS = ['bruno.json', 'opencollection.yml', 'opencollection.yaml', '.insomnia'];

const names = async folder => (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);

/** Lets the user choose a file or a folder. */
async function choose(title, openLabel, isFolder) {
  const [uri] = await vscode.window.showOpenDialog({
    title, openLabel, canSelectFolders: isFolder, canSelectFiles: !isFolder,
  }) ?? [];
  return uri;
}

/** Asks for a URL that is fetched. */
async function askURL() {
  return vscode.window.showInputBox({
    title: 'PostKit: Import', prompt: 'The URL of a description or an export; it is fetched.',
    placeHolder: 'https://example.com/openapi.yaml',
    validateInput: value => /^https?:\/\/./.test(value) ? undefined : 'Write a URL with https://',
  });
}

/** Whether request files are to be written: what is of other tools does not go to the store. */
async function needsTarget(source, isFolder) {
  if (!isFolder) return !/\.(http|rest)$/i.test(source.path);
  return (await names(source)).some(name => MARKS.includes(name));
}

/** The folder to write to: the one that was chosen where it is new or an import has made it. */
async function target(folder) {
  const there = await names(folder);
  const isOurs = there.length === 0 || there.includes('postkit-import.json');
  return { [isOurs ? 'target' : 'inside']: folder.toString() };
}

/** Says what came of an import from another tool; the report is a document. */
async function reportImport(result, fetch) {
  const [sentence, ...rest] = result.text.trimEnd().split('\n');
  const first = result.created.find(uri => /\.http$/.test(uri));
  // What a description names on other machines is fetched where the user says so.
  const isRemote = fetch && result.notes?.some(
    note => note.code === 'ref-remote' && note.severity === 'warning');
  const buttons = [...isRemote ? ['Fetch the Rest'] : [], ...first ? ['Open Requests'] : [],
    ...rest.length ? ['Show Report'] : []];
  const kind = result.error || result.warnings.length ? 'warning' : 'info';
  const answer = await tell(kind, `PostKit: ${sentence}`, ...buttons);
  if (!answer) return;
  if (answer === 'Fetch the Rest') {
    return fetch().catch(error => void tell('error', `PostKit: ${error.message}`));
  }
  const document = await vscode.workspace.openTextDocument(answer === 'Open Requests'
    ? vscode.Uri.parse(first) : { content: result.text, language: 'plaintext' });
  await vscode.window.showTextDocument(document);
}

/**
 * Brings in what another tool keeps as request files, or a folder of request files as a collection.
 * @param {import('./sending').Sending} sending
 */
async function importFolder(sending) {
  const source = await vscode.window.showQuickPick(SOURCES, { title: 'PostKit: Import' });
  if (!source) return;
  const uri = source.isURL ? await askURL() : await choose('Import', 'Import', source.isFolder);
  if (!uri) return;
  const argument = { uri: uri.toString() };
  if (source.isURL) argument.fetch = true;
  if (source.isURL || await needsTarget(uri, source.isFolder)) {
    const folder = await choose(
      `Folder for the Requests of ${path.posix.basename(uri.path ?? uri)}`, 'Import Here', true);
    if (!folder) return;
    Object.assign(argument, await target(folder));
  }
  // Into the folder that the first import has made.
  const again = folder => async () => done(await sending.execute(
    'postkit.import', { ...argument, inside: undefined, target: folder, fetch: true }));
  const done = result => {
    const more = argument.fetch ? undefined : again(result.uri);
    if (result.text) return void reportImport(result, more);
    report(`${result.count} ${result.count === 1 ? 'request' : 'requests'} imported.`, result);
  };
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
