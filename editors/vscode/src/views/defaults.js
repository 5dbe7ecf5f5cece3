'use strict';
// What a folder or collection gives to its requests, as a list that is edited by keyboard: headers,
// a sign-in, variables. What may be a secret comes masked; a mask keeps the value it stands for.
const vscode = require('vscode');
const { ErrorCode } = require('../server/connection');
const { tell } = require('../window/messages');

const REMOVE = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Remove' };
/** The token of a header's name (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Edits the defaults of a folder or collection until the list is left.
 * @param {object} room
 * @param {import('../server/client').Client} room.client
 * @param {object} node of the list, with `item` and `parent`
 */
async function editDefaults({ client }, node) {
  let state = await read(client, node);
  for (;;) {
    const choice = await choose(node.item.name, state.defaults);
    if (!choice) return;
    const changed = await choice.run(state.defaults, choice);
    if (!changed) continue;
    try {
      await client.request('postkit/edit', { ifRevision: state.revision,
        ops: [{ op: 'collection.defaults', id: node.item.id, defaults: changed }] });
    } catch (error) {
      // What was entered is wrong, or somebody else was quicker: the list shows what holds.
      if (![ErrorCode.invalidParams, ErrorCode.contentModified].includes(error.code)) throw error;
      await tell('warning', `PostKit: ${error.message.replace(/^params[\w.[\]]*: /, '')}`);
    }
    state = await read(client, node);
  }
}

/** What the server has now, and the revision that it is of. */
async function read(client, { item, parent }) {
  const { nodes, revision } = await client.request('postkit/collections',
    { ...parent ? { parent: parent.id } : {}, depth: 1 });
  const found = nodes.find(({ id }) => id === item.id);
  if (!found) throw new Error(`“${item.name}” is not there any more.`);
  return { defaults: found.defaults ?? {}, revision };
}

/** Lists what there is, and what can be added. */
function choose(name, defaults) {
  const entries = (kind, icon, separator) => (defaults[kind] ?? []).map(([key, value], at) => ({
    label: `$(${icon}) ${key}${separator}${value}`, kind, at, run: changeEntry, buttons: [REMOVE] }));
  const pick = vscode.window.createQuickPick();
  pick.title = `PostKit: Defaults of ${name}`;
  pick.placeholder = 'Requests get these unless they have their own. Choose one to change it';
  pick.items = [
    ...entries('headers', 'list-flat', ': '),
    defaults.auth && { label: `$(key) Authorization: ${defaults.auth}`, kind: 'auth',
      run: changeAuth, buttons: [REMOVE] },
    ...entries('variables', 'symbol-variable', ' = '),
    { label: '$(add) Add Header…', kind: 'headers', run: changeEntry, alwaysShow: true },
    !defaults.auth && { label: '$(add) Set Authorization…', kind: 'auth', run: changeAuth,
      alwaysShow: true },
    { label: '$(add) Add Variable…', kind: 'variables', run: changeEntry, alwaysShow: true },
  ].filter(Boolean);
  return new Promise(resolve => {
    const end = item => {
      resolve(item);
      pick.hide();
    };
    pick.onDidTriggerItemButton(({ item }) => end({ ...item, run: without }));
    pick.onDidAccept(() => pick.selectedItems[0] && end(pick.selectedItems[0]));
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

/** The defaults without one of them. */
function without(defaults, { kind, at }) {
  const rest = kind === 'auth' ? undefined : defaults[kind].filter((_, place) => place !== at);
  return { ...defaults, [kind]: rest };
}

const FORMS = {
  headers: { title: 'Header', prompt: 'Name: value', separator: ':', join: ': ',
    isName: name => TOKEN.test(name), wrong: 'Write `Name: value`, such as `X-Team: shop`.' },
  variables: { title: 'Variable', prompt: 'name = value', separator: '=', join: ' = ',
    isName: name => name !== '' && !/\s/.test(name),
    wrong: 'Write `name = value`, such as `host = http://localhost:8080`.' },
};

/** Asks for a header or variable, the one at a place or a new one. */
async function changeEntry(defaults, { kind, at }) {
  const { title, prompt, separator, join, isName, wrong } = FORMS[kind];
  const entries = defaults[kind] ?? [];
  const split = text => {
    const place = text.indexOf(separator);
    return [text.slice(0, Math.max(place, 0)).trim(), text.slice(place + 1).trim()];
  };
  const typed = await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true,
    value: entries[at]?.join(join), validateInput: text => isName(split(text)[0]) ? undefined : wrong });
  if (typed === undefined) return undefined;
  const changed = [...entries];
  changed[at ?? changed.length] = split(typed);
  return { ...defaults, [kind]: changed };
}

/** Asks for the value of `Authorization`. */
async function changeAuth(defaults) {
  const auth = await vscode.window.showInputBox({ title: 'Authorization', value: defaults.auth,
    prompt: 'As in a header line, such as Bearer {{token}} or Basic {{user}} {{password}}',
    ignoreFocusOut: true });
  if (auth === undefined) return undefined;
  return { ...defaults, auth: auth.trim() || undefined };
}

module.exports = { editDefaults };
