'use strict';
// What somebody finds in the menus and under the keys: the clauses of package.json, worked out for
// what the lists really say of their items. VS Code alone evaluates them otherwise.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { contributes } = require('../package.json');
const describe = require('../src/views/describe');

/** Whether a `when` clause holds: `&&` binds closer than `||`, and there are no brackets. */
function holds(clause, context) {
  const term = text => {
    const [, negation, key, operator, wanted] = text.trim().match(
      /^(!?)([\w.:]+)(?:\s*(==|!=|=~)\s*(.+))?$/) ?? assert.fail(`what is ${text}?`);
    const value = context[key];
    if (!operator) return negation ? !value : Boolean(value);
    if (operator === '=~') {
      const [, pattern, flags] = wanted.match(/^\/(.*)\/(\w*)$/);
      return new RegExp(pattern, flags).test(value ?? '');
    }
    return (String(value) === wanted.replace(/^'|'$/g, '')) === (operator === '==');
  };
  return clause.split('||').some(part => part.split('&&').every(term));
}

const named = (view, context) => ({ view: `postkit.views.${view}`, viewItem: context });
const commands = (menu, context, group = /./) => contributes.menus[menu]
  .filter(item => holds(item.when, context) && group.test(item.group))
  .map(({ command }) => command.replace('postkit.', ''));

const entry = { id: 'e', time: '2026-11-21T11:40:00.000Z', method: 'GET', url: 'u', state: 'done',
  status: 200, ms: 1, size: 1 };
const origin = { file: '/w/a.json', line: 1 };
const secret = { name: 's', value: null, masked: true, origin };
const ITEMS = {
  exchange: ['history', describe.exchange({ entry })],
  pinned: ['history', describe.exchange({ entry: { ...entry, pinned: true } })],
  day: ['history', describe.day({ key: 'k', day: new Date(), now: new Date() })],
  more: ['history', describe.more({ name: 'history' })],
  collection: ['collections', describe.stored({ item: { kind: 'collection', name: 'c' } })],
  request: ['collections', describe.stored({ item: { kind: 'request', name: 'r' } })],
  favourite: ['collections', describe.stored({
    item: { kind: 'request', name: 'f', isFavourite: true } })],
  active: ['environments', describe.environment({ item: { name: 'a', active: true, files: [] } })],
  idle: ['environments', describe.environment({ item: { name: 'i', files: [] } })],
  file: ['environments', describe.environmentFile({ file: '/w/a.json', environment: 'i' })],
  stored: ['environments', describe.variable({ key: 'k', item: { name: 'k', value: 'v' } })],
  variable: ['variables', describe.variable({ key: 'v', item: { ...secret, masked: false,
    value: '1' } })],
  hidden: ['variables', describe.variable({ key: 's', item: secret })],
  shown: ['variables', describe.variable({ key: 's', item: { ...secret, value: '1' } })],
  cookie: ['cookies', describe.cookie({ item: { ...secret, domain: 'd', path: '/' } })],
  domain: ['cookies', describe.domain({ domain: 'd', nodes: [] })],
};
const menu = (name, group) => {
  const [view, { context }] = ITEMS[name];
  return commands('view/item/context', named(view, context), group).join(' ');
};

test('a click away stands what is done most with an item', () => {
  const inline = Object.fromEntries(Object.keys(ITEMS).map(
    name => [name, menu(name, /^inline/)]).filter(([, list]) => list));
  assert.deepEqual(inline, {
    exchange: 'resendExchange', pinned: 'resendExchange', request: 'sendStored',
    collection: 'sendAllStored', favourite: 'sendStored',
    idle: 'useEnvironment', hidden: 'revealVariable', shown: 'hideVariable',
    cookie: 'revealCookie',
  });
});

test('the menu of an item has what can be done with it, and nothing else', () => {
  const rest = name => menu(name, /^\d/);
  assert.equal(rest('exchange'), 'openExchange showExchangePanel resendExchange compareExchange '
    + 'showExchangeTimeline pinExchange labelExchange noteExchange saveExchangeBody '
    + 'copyExchangeUrl deleteExchange');
  assert.equal(rest('pinned'), rest('exchange').replace('pin', 'unpin'));
  assert.equal(rest('collection'), 'sendAllStored newFolder renameStored duplicateStored '
    + 'editDefaults deleteStored');
  assert.equal(rest('request'), 'openStored sendStored copyStoredAsCurl favouriteStored '
    + 'showStoredHistory renameStored duplicateStored deleteStored');
  assert.equal(rest('favourite'), rest('request').replace('favour', 'unfavour'));
  assert.deepEqual(['active', 'idle', 'file', 'stored'].map(rest),
    ['', 'useEnvironment', 'openFile', 'copyVariableValue copyVariableReference']);
  assert.equal(rest('variable'), 'goToVariable copyVariableReference copyVariableValue');
  assert.equal(rest('hidden'), 'goToVariable copyVariableReference revealVariable');
  assert.equal(rest('shown'),
    'goToVariable copyVariableReference copyVariableValue hideVariable');
  assert.equal(rest('cookie'), 'revealCookie copyCookieName deleteCookie');
  assert.deepEqual(['domain', 'day', 'more'].map(rest), ['clearDomainCookies', '', '']);
});

test('each list that can be long is searched from its title, and shown whole again', () => {
  const title = (view, context) => commands(
    'view/title', { ...named(view), ...context }, /^navigation/).join(' ');
  assert.deepEqual(contributes.views.postkit.map(({ id }) => title(id.replace(/.*\./, ''))),
    ['', 'searchVariables', 'searchCollections sortCollections newCollection', 'searchHistory openSavedSearch showStatistics',
      'searchCookies']);
  assert.equal(title('history', { 'postkit.isSearching.history': true }),
    'searchHistory clearHistorySearch openSavedSearch showStatistics');
  const more = context => commands('view/title', { ...named('history'), ...context }, /^(1|4)_/);
  assert.deepEqual(more({}), ['sortHistory']);
  assert.deepEqual(more({ 'postkit.isSearching.history': true }), ['sortHistory', 'saveSearch',
    'exportFound', 'pinFound', 'unpinFound', 'labelFound', 'noteFound', 'deleteFound']);
  assert.equal(title('cookies', { 'postkit.isSearching.history': true }), 'searchCookies');
});

test('every list has keys for what its items can do', () => {
  const keys = context => contributes.keybindings.filter(({ when }) => holds(when, context))
    .map(({ key, command }) => `${key} ${command.replace('postkit.', '')}`);
  const within = view => keys({ focusedView: `postkit.views.${view}` });
  assert.deepEqual(within('history'),
    ['ctrl+f searchHistory', 'delete deleteExchange', 'ctrl+enter resendExchange']);
  assert.deepEqual(within('collections'), ['ctrl+f searchCollections', 'delete deleteStored',
    'ctrl+enter sendStored', 'f2 renameStored']);
  assert.deepEqual(within('cookies'), ['ctrl+f searchCookies', 'delete deleteCookie']);
  assert.deepEqual(within('variables'), ['ctrl+f searchVariables', 'ctrl+c copyVariableValue']);
  const editing = { editorTextFocus: true, editorLangId: 'http', resourceScheme: 'file' };
  assert.deepEqual(keys(editing), ['ctrl+alt+r sendRequest', 'ctrl+alt+shift+r resendLast',
    'ctrl+alt+/ toggleHeader']);
  assert.deepEqual(keys({ ...editing, editorHasSelection: true, 'postkit.isSending': true }),
    ['ctrl+alt+r sendSelection', 'ctrl+alt+shift+r resendLast',
      'ctrl+alt+backspace cancelSending', 'ctrl+alt+/ toggleHeader']);
  assert.deepEqual(keys({ ...editing, editorLangId: 'json' }), [], 'other files are left alone');
  assert.deepEqual(keys({ focusedView: 'postkit.views.history', inputFocus: true }),
    ['ctrl+f searchHistory'], 'typing into a box deletes nothing');
});

test('an empty list tells one thing: what to do, or why it can not be filled', () => {
  const said = (view, context) => contributes.viewsWelcome.filter(
    welcome => welcome.view === `postkit.views.${view}` && holds(welcome.when, context));
  for (const { id } of contributes.views.postkit) {
    const view = id.replace('postkit.views.', '');
    assert.equal(said(view, { 'postkit.state': 'running' }).length, 1, view);
    assert.equal(said(view, { 'postkit.state': 'running',
      [`postkit.isSearching.${view}`]: true }).length, 0, `${view}, searched`);
    const failed = said(view, { 'postkit.state': 'failed' });
    assert.equal(failed.length, 1, `${view}, without a program`);
    assert.match(failed[0].contents, /can't start the program/);
  }
  const linked = contributes.viewsWelcome.flatMap(
    ({ contents }) => [...contents.matchAll(/\(command:(postkit\.\w+)/g)]).map(([, id]) => id);
  const known = contributes.commands.map(({ command }) => command);
  assert.ok(linked.length > 5);
  assert.deepEqual(linked.filter(id => !known.includes(id)), []);
});
