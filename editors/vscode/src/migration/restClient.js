'use strict';
// Takes over what somebody has in REST Client (humao.rest-client): settings and history. Nothing
// is written before the user has seen what, and nothing of REST Client's own is changed.
const os = require('os');
const path = require('path');
const vscode = require('vscode');
const { tell } = require('../window/messages');
const { extended } = require('./files');
const { historyText } = require('./history');
const { planSettings, split } = require('./settings');

const SECTION = 'rest-client';
const [OPEN, PRIVATE, PROJECT] =
  ['http-client.env.json', 'http-client.private.env.json', 'postkit.json'];
const COLLECTION = 'REST Client History';

/** The settings that somebody set; those of the folder stand above those of the user. */
function settingsOf(folder) {
  const configuration = vscode.workspace.getConfiguration(SECTION, folder);
  const found = {};
  for (const key of Object.keys(configuration)) {
    const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(key) ?? {};
    const values = [globalValue, workspaceValue, workspaceFolderValue].filter(
      value => value !== undefined);
    if (values.length === 0) continue;
    const isTable = values.every(value => value !== null && typeof value === 'object'
      && !Array.isArray(value));
    found[key] = isTable ? values.reduce(merged, {}) : values.at(-1);
  }
  return found;
}

function merged(one, other) {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const isDeep = value !== null && typeof value === 'object' && !Array.isArray(value);
    result[key] = isDeep ? merged(result[key] ?? {}, value) : value;
  }
  return result;
}

/**
 * The settings of the editor that nobody has set yet. REST Client took VS Code's proxy, which
 * PostKit does not.
 */
function editorSettings(plan) {
  const configuration = vscode.workspace.getConfiguration('postkit');
  const proxy = vscode.workspace.getConfiguration('http').inspect('proxy')?.globalValue;
  const wanted = { ...plan.editor, ...proxy ? { proxy } : {} };
  return Object.fromEntries(Object.entries(wanted).filter(
    ([key]) => configuration.inspect(key)?.globalValue === undefined));
}

/** REST Client's history where it keeps it; none where there is no such file. */
async function readHistory() {
  const { XDG_STATE_HOME: state, XDG_CACHE_HOME: cache } = process.env;
  const folders = [path.join(os.homedir(), `.${SECTION}`),
    ...[state, cache].filter(Boolean).map(each => path.join(each, SECTION))];
  for (const folder of folders) {
    const file = vscode.Uri.file(path.join(folder, 'history.json'));
    const text = await readText(file);
    if (!text.trim()) continue;
    const entries = JSON.parse(text);
    if (Array.isArray(entries) && entries.length > 0) return entries;
  }
  return [];
}

/** The text of a file; empty where there is none. */
async function readText(uri) {
  try {
    return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  } catch (error) {
    if (error.code === 'FileNotFound') return '';
    throw error;
  }
}

async function chooseFolder() {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0];
  return vscode.window.showWorkspaceFolderPick({
    placeHolder: 'The folder that gets the environment files' });
}

/** Which values go into the private file; `undefined` when the user backs out. */
async function chooseSecrets({ environments, secrets }) {
  const items = Object.entries(environments).flatMap(([environment, values]) =>
    Object.keys(values).map(name => ({ label: name, description: environment, environment, name,
      picked: secrets.some(each => each.environment === environment && each.name === name) })));
  if (items.length === 0) return [];
  return vscode.window.showQuickPick(items, {
    canPickMany: true, ignoreFocusOut: true, title: `Secrets, for ${PRIVATE}`,
    placeHolder: `Checked values go into ${PRIVATE}, all others into ${OPEN}`,
  });
}

/** The files to write with their texts. @returns {Promise<{uri: vscode.Uri, ...}[]>} */
async function prepare(folder, additions) {
  const files = [];
  for (const [name, addition] of Object.entries(additions)) {
    if (Object.keys(addition).length === 0) continue;
    const uri = vscode.Uri.joinPath(folder.uri, name);
    const before = await readText(uri);
    try {
      const { text, kept } = extended(before, addition);
      if (text !== before) files.push({ name, uri, text, kept });
    } catch (error) {
      throw new Error(`${name} can't be extended: ${error.message}.`);
    }
  }
  return files;
}

/** What is about to be done, in a few words. */
function summary(files, editor, history) {
  const parts = files.map(({ name }) => `write ${name}`);
  const keys = Object.keys(editor);
  if (keys.length) parts.push(`set ${keys.map(key => `postkit.${key}`).join(' and ')}`);
  if (history.count) parts.push(`make a collection of ${history.count} sent requests`);
  return parts;
}

/** The report, as Markdown. Values stand in none of its lines. */
function report(done, files, plan, history) {
  const lines = ['# From REST Client to PostKit', '', '## Done', '',
    ...(done.length ? done : ['nothing']).map(each => `- ${each}`)];
  const kept = files.flatMap(({ name, kept: names }) => names.map(each => `${name}: ${each}`));
  if (kept.length) {
    lines.push('', '## Left as it was, with another value', '', ...kept.map(each => `- ${each}`));
  }
  const open = [...plan.notes];
  if (files.some(({ name }) => name === PRIVATE)) {
    open.push(`${PRIVATE} has secrets: add it to .gitignore.`);
  }
  if (history.hidden.length) {
    open.push('Credentials of the history were not imported. The requests of the collection name '
      + `them as variables: ${history.hidden.map(name => `{{${name}}}`).join(', ')}.`);
  }
  if (history.left) {
    open.push(`${history.left} sent requests have a body that reads as something else in a request `
      + 'file. They were left out.');
  }
  if (history.count) {
    open.push('REST Client kept no responses in its history: the collection has the requests, and '
      + "PostKit's history begins with what you send from now on.");
  }
  open.push('Its saved responses, cookies and selected environment were not imported.');
  return [...lines, '', '## To know', '', ...open.map(each => `- ${each}`), ''].join('\n');
}

async function importHistory(sending, { text }) {
  const argument = { text, name: COLLECTION, format: 'http' };
  try {
    return await sending.execute('postkit.import', argument);
  } catch (error) {
    if (!/overwrite/i.test(error.message)) throw error;
    return sending.execute('postkit.import', { ...argument, overwrite: true });
  }
}

async function carryOut(sending, files, editor, history) {
  for (const { uri, text } of files) {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'utf8'));
  }
  const configuration = vscode.workspace.getConfiguration('postkit');
  for (const [key, value] of Object.entries(editor)) {
    await configuration.update(key, value, vscode.ConfigurationTarget.Global);
  }
  if (history.count) await importHistory(sending, history);
}

/**
 * The whole way: look, ask, write, report.
 * @param {import('../window/sending').Sending} sending
 */
async function migrate(sending) {
  const folder = await chooseFolder();
  if (!folder) {
    throw new Error('There is no folder for the environment files. Open one and try again.');
  }
  const plan = planSettings(settingsOf(folder));
  const history = historyText(await readHistory());
  const secrets = await chooseSecrets(plan);
  if (!secrets) return;
  const { open, hidden } = split(plan.environments, secrets);
  const files = await prepare(folder, { [OPEN]: open, [PRIVATE]: hidden, [PROJECT]: plan.project });
  const editor = editorSettings(plan);
  const steps = summary(files, editor, history);
  if (steps.length === 0 && plan.notes.length === 0) {
    tell('info', 'PostKit: REST Client has nothing to import.');
    return;
  }
  const go = 'Import';
  const detail = `This will ${steps.join(', ')}. REST Client's own files and settings stay.`;
  if (steps.length && await tell('info',
    `Import from REST Client into ${folder.name}?`, { modal: true, detail }, go) !== go) return;
  await carryOut(sending, files, editor, history);
  const document = await vscode.workspace.openTextDocument({
    language: 'markdown', content: report(steps, files, plan, history) });
  await vscode.window.showTextDocument(document, { preview: false });
}

module.exports = { migrate };
