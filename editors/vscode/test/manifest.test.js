'use strict';
// package.json says what the code does: commands, settings, files, and nothing the server owns.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { extensionPath, sourceText } = require('./support');

const { clientCapabilities } = require('../src/capabilities');
const manifest = require('../package.json');
const { contributes } = manifest;
/** All settings, of whatever group. */
const settings = Object.assign(
  {}, ...contributes.configuration.map(({ properties }) => properties));
const source = sourceText();

/** The ids the server registers with `workspace/executeCommand`. */
const SERVER_COMMANDS = require('../../../protocol/commands.json').map(({ command }) => command);
/** The table of settings: those that an editor has, and those of VS Code alone. */
const TABLE = require('../../../protocol/settings.json').groups
  .flatMap(({ settings: group }) => group).filter(setting => setting.in !== 'project');

/** The kinds of what collections have, by which their menu is chosen. */
const KINDS = require('../../../protocol/postkit.metaModel.json').enumerations
  .find(({ name }) => name === 'PostkitCollectionKind').values.map(({ value }) => value);

test('every command is registered, and every registered command but the wrapper is listed', () => {
  const constants = { CHOOSE_COMMAND: 'postkit.chooseEnvironment' };
  const registered = [...source.matchAll(/register(?:ForEditor)?\((?:'([^']+)'|([A-Z_]+)),/g)]
    .map(([, id, name]) => id ?? constants[name]).filter(Boolean);
  // Those of the lists stand in tables.
  registered.push(...[...source.matchAll(/^ {4}'(postkit\.\w+)':/gm)].map(([, id]) => id));
  const listed = contributes.commands.map(({ command }) => command);
  assert.deepEqual(registered.sort(), listed.sort());
});

test('no command has an id of the server: two clients in one window get along', () => {
  const ids = [...contributes.commands.map(({ command }) => command), 'postkit.serverCommand'];
  assert.deepEqual(ids.filter(id => SERVER_COMMANDS.includes(id)), []);
});

test('menus, keys and the palette name known commands', () => {
  const known = new Set(contributes.commands.map(({ command }) => command));
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
  assert.deepEqual(used.map(({ command }) => command).filter(id => !known.has(id)), []);
});

test('each list has a place, says why it is empty, and its menus are for what is in it', () => {
  const names = [...source.matchAll(/^ {2}name = '(\w+)';/gm)].map(([, name]) => name);
  const ids = contributes.views.postkit.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), names.map(name => `postkit.views.${name}`).sort());
  const welcomed = new Set(contributes.viewsWelcome.map(({ view }) => view));
  assert.deepEqual(ids.filter(id => !welcomed.has(id)), []);
  const clauses = [...Object.values(contributes.menus).flat(), ...contributes.keybindings,
    ...contributes.viewsWelcome].map(({ when }) => when ?? '');
  const named = clauses.flatMap(when => [...when.matchAll(/postkit\.views\.\w+/g)]);
  assert.ok(named.length > 40);
  assert.deepEqual(named.filter(([id]) => !ids.includes(id)), []);
  const contexts = clauses.flatMap(
    when => [...when.matchAll(/viewItem == '?([\w ]+?)'?(?: &&|$)/g)].map(([, name]) => name));
  assert.deepEqual(contexts.filter(
    context => !source.includes(`'${context}'`) && !KINDS.includes(context)), []);
});

test('a command about an item is not in the palette, where there is none', () => {
  const ofItems = contributes.menus['view/item/context'].map(({ command }) => command);
  const hidden = contributes.menus.commandPalette.filter(({ when }) => when === 'false')
    .map(({ command }) => command);
  assert.deepEqual([...new Set(ofItems)].filter(command => !hidden.includes(command)), []);
});

test('every command can be found: in the palette, or in the menu of what it is about', () => {
  const { commandPalette, ...menus } = contributes.menus;
  const hidden = commandPalette.filter(({ when }) => when === 'false')
    .map(({ command }) => command);
  const inMenus = new Set(Object.values(menus).flat().map(({ command }) => command));
  // An item of a list runs it when it is clicked.
  inMenus.add('postkit.showMore');
  assert.deepEqual(hidden.filter(command => !inMenus.has(command)), []);
  const titles = contributes.commands.map(({ title }) => title);
  for (const { command, title, category, icon } of contributes.commands) {
    assert.equal(category, 'PostKit', command);
    assert.match(title, /^[A-Z][^.]*$/, command);
    assert.ok(icon === undefined || /^\$\([a-z-]+\)$/.test(icon), command);
  }
  const shown = contributes.commands.filter(({ command }) => !hidden.includes(command));
  assert.equal(new Set(shown.map(({ title }) => title)).size, shown.length, titles.join());
});

test('every command of the server is one of ours, a click away, or what another one asks', () => {
  // Edits of what the lists show, which the lists do by `postkit/edit`, and a list of searches for
  // editors that have none to choose from.
  const shown = SERVER_COMMANDS.filter(command => !/((cookie|session)Edit|savedSearches)$/.test(command));
  assert.deepEqual(shown.filter(command => !source.includes(`'${command}'`)), []);
});

test('no default key is a letter of somebody: AltGr is Ctrl+Alt on many keyboards', () => {
  const taken = contributes.keybindings.map(({ key }) => key)
    .filter(key => /^ctrl\+alt\+[a-qs-z]$/.test(key));
  assert.deepEqual(taken, []);
});

test('the keys of REST Client are ours only while it is not installed, and not on Windows', () => {
  const own = contributes.keybindings.filter(({ when }) => /hasRestClientKeys/.test(when));
  assert.deepEqual(own.map(({ linux, mac, command }) => [linux, mac, command]), [
    ['ctrl+alt+e', 'cmd+alt+e', 'postkit.chooseEnvironment'],
    ['ctrl+alt+h', 'cmd+alt+h', 'postkit.showHistory'],
    ['ctrl+alt+k', 'cmd+alt+k', 'postkit.cancelSending'],
    ['ctrl+alt+c', 'cmd+alt+c', 'postkit.copyRequestAs'],
    ['ctrl+alt+l', 'cmd+alt+l', 'postkit.resendLast'],
  ]);
  for (const { key, win, when } of own) {
    assert.deepEqual([key, win], [undefined, undefined]);
    assert.match(when, /^editorTextFocus && editorLangId == http .*&& postkit\.hasRestClientKeys$/);
  }
});

test('the settings are those of the table, and the server gets each by its own name', () => {
  assert.deepEqual(Object.keys(settings),
    TABLE.map(({ key, vscode }) => `postkit.${vscode?.key ?? key}`));
  const sync = fs.readFileSync(path.join(extensionPath, 'src/sync/settings.js'), 'utf8');
  for (const { key, vscode } of TABLE.filter(setting => setting.vscode?.key)) {
    assert.ok(sync.includes(`${vscode.key}: '${key}'`), key);
  }
  for (const { key } of TABLE.filter(setting => setting.in === 'vscode')) {
    assert.match(sync, new RegExp(`OWN_KEYS = new Set\\(.*'${key}'`), key);
  }
});

test('settings stand in groups, in an order of ours', () => {
  const groups = contributes.configuration;
  // The group that is called like the extension stands above the others.
  assert.equal(groups[0].title, manifest.displayName);
  assert.deepEqual(groups.map(({ order }) => order), groups.map((_, place) => place));
  const sizes = groups.map(({ properties }) => Object.keys(properties).length);
  assert.ok(groups.length > 3 && sizes.every(size => size > 0 && size < 8), sizes.join());
  assert.equal(Object.keys(settings).length, sizes.reduce((sum, size) => sum + size));
});

test('the settings of a project are checked by the schema of the protocol', () => {
  const { url } = contributes.jsonValidation.find(
    ({ fileMatch }) => fileMatch.includes('postkit.json'));
  const read = file => fs.readFileSync(path.join(extensionPath, file), 'utf8');
  assert.equal(read(url), read('../../protocol/settings.schema.json'),
    'run generate-protocol: a package has nothing from outside its folder');
});

test('themes can colour what the server paints', () => {
  const known = require('../../../protocol/semantic-tokens.json');
  const own = known.tokenModifiers.filter(modifier => modifier.own).map(({ name }) => name);
  assert.deepEqual(contributes.semanticTokenModifiers.map(({ id }) => id), own);
  const names = list => list.map(({ name }) => name);
  const [types, modifiers] = [names(known.tokenTypes), names(known.tokenModifiers)];
  for (const selector of Object.keys(contributes.semanticTokenScopes[0].scopes)) {
    const [type, ...rest] = selector.split('.');
    assert.ok(types.includes(type) && rest.every(name => modifiers.includes(name)), selector);
  }
  const { tokenTypes, tokenModifiers } = clientCapabilities.textDocument.semanticTokens;
  assert.deepEqual(types.filter(name => !tokenTypes.includes(name)), []);
  assert.deepEqual(modifiers.filter(name => !tokenModifiers.includes(name)), []);
});

test('every file named exists and is JSON where it says so', () => {
  const files = [manifest.main, ...contributes.grammars.map(({ path: file }) => file),
    ...contributes.snippets.map(({ path: file }) => file),
    ...contributes.jsonValidation.map(({ url }) => url),
    ...contributes.languages.flatMap(({ configuration, icon }) =>
      [configuration, icon.light, icon.dark]),
    ...contributes.viewsContainers.activitybar.map(({ icon }) => icon)];
  for (const file of files) {
    const text = fs.readFileSync(path.join(extensionPath, file), 'utf8');
    if (file.endsWith('.json')) JSON.parse(text);
  }
});

/** Width and height of a PNG. */
function pngSize(file) {
  const bytes = fs.readFileSync(file);
  assert.equal(bytes.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n', file);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('the walkthrough has four steps, each with pictures and with commands that exist', () => {
  const [{ steps }] = contributes.walkthroughs;
  assert.deepEqual(steps.map(({ id }) => id), ['write', 'environment', 'send', 'history']);
  const known = new Set([...contributes.commands.map(({ command }) => command),
    'workbench.action.files.newUntitledFile']);
  for (const { title, description, media, completionEvents } of steps) {
    assert.ok(title && media.altText && completionEvents.length === 1, title);
    for (const theme of ['dark', 'light', 'hc', 'hcLight']) {
      assert.deepEqual(pngSize(path.join(extensionPath, media.image[theme])), [720, 440], theme);
    }
    const links = [...description.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command);
    assert.ok(links.length > 0, title);
    const [event] = completionEvents;
    if (event.startsWith('onCommand:')) links.push(event.replace('onCommand:', ''));
    assert.deepEqual(links.filter(command => !known.has(command)), [], title);
  }
});

test('notifications are made in one place, which takes the links out of what others named', () => {
  const found = [...source.matchAll(/\w+: '(show(?:Error|Warning|Information)Message)'/g)];
  assert.equal(found.length, 3);
  assert.equal(source.match(/show(?:Error|Warning|Information)Message|window\[/g).length, 4);
});

test('there is no dependency', () => {
  const known = new Set(['vscode', 'child_process', 'crypto', 'events', 'fs', 'os', 'path', 'url']);
  const required = [...source.matchAll(/require\('([^']+)'\)/g)].map(([, name]) => name);
  assert.deepEqual(required.filter(name => !name.startsWith('.') && !known.has(name)), []);
  assert.equal(manifest.dependencies ?? manifest.devDependencies, undefined);
});
