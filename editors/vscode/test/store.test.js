'use strict';
// The store in hand, in the real extension host with the real server: figures of the history, its
// searches and what is done with all that they find; favourites, defaults, sending and taking back
// in the collections.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { LIMIT, needsEditor, openFiles, startServer } = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const view = name => `postkit.views.${name}`;
const labels = items => items.map(({ label }) => label);
const exchanges = list => list.filter(({ context }) => context?.startsWith('exchange'));

const waitForItems = (host, name, isRight, what) => host.waitFor(async () => {
  const items = await host.treeItems(view(name));
  return isRight(items) && items;
}, { what });
const search = async (host, words) => {
  host.answer('input', 'Search History', words, { once: true });
  await host.executeCommand('postkit.searchHistory');
};
const said = (host, name) => host.treeViews.get(view(name)).message;
const errors = host => host.messages.filter(({ severity }) => severity === 'error');
const edited = tap => tap.read().filter(({ method }) => method === 'postkit/edit')
  .map(({ params }) => params.ops);

/** Three requests that were sent, of which one failed. */
async function sent(t, open = openFiles) {
  const server = await startServer(t);
  const opened = await open(t, { 'a.http':
    `### One\nPOST ${server.origin}/one\n\nbody\n\n### Two\nGET ${server.origin}/two\n\n`
    + `### Two\nGET ${server.origin}/two\n` });
  await opened.host.executeCommand('postkit.sendAllRequests');
  await waitForItems(opened.host, 'history', list => exchanges(list).length === 3, 'all three');
  return { server, ...opened };
}

editorTest('the line is read by the server: words, filters, quotes, an order', async t => {
  const { tap, host, server } = await sent(t, openTapped);
  const [one, two] = [`POST ${server.origin}/one`, `GET ${server.origin}/two`];
  const shows = (...wanted) => waitForItems(host, 'history',
    list => labels(exchanges(list)).join() === wanted.join(), `${wanted}`);
  await search(host, 'name:Two status:200 method:get');
  await shows(two, two);
  await search(host, 'label:"no such" two');
  await shows();
  await search(host, 'stored:Nowhere/list');
  await host.waitFor(async () => {
    await host.treeItems(view('history'));
    return /Nowhere/.test(said(host, 'history'));
  }, { what: 'why there is none' });
  await search(host, 'method:POST');
  await shows(one);
  await search(host, 'status:4');
  await host.waitFor(async () => {
    await host.treeItems(view('history'));
    return said(host, 'history')
      === '`status:4`: write a status such as 404, or a class such as 4xx.';
  }, { what: 'what is wrong' });
  assert.deepEqual(labels(exchanges(await host.treeItems(view('history')))), [one],
    'what is not typed to its end takes nothing away');
  await host.executeCommand('postkit.clearHistorySearch');
  host.answer('quickPick', 'Sort History', 'Slowest first', { once: true });
  await host.executeCommand('postkit.sortHistory');
  const slow = await waitForItems(host, 'history',
    list => list.length === 3 && exchanges(list).length === 3, 'a list without days');
  assert.equal(slow.length, 3);
  assert.match(said(host, 'history'), /Slowest first\.$/);
  const asked = tap.read().filter(({ method }) => method === 'postkit/history')
    .map(({ params }) => params.line);
  assert.equal(asked.at(-1), 'sort:ms');
  assert.equal(host.contextKeys['postkit.isSearching.history'], true);
  assert.deepEqual(errors(host), []);
});

editorTest('all that a search finds is labelled, pinned and deleted, told by number', async t => {
  const { tap, host, workspace } = await sent(t, openTapped);
  for (const command of ['postkit.pinFound', 'postkit.exportFound']) {
    await host.executeCommand(command);
    assert.match(host.messages.at(-1).message, /search the history first/);
  }
  await search(host, 'name:Two');
  await waitForItems(host, 'history', list => exchanges(list).length === 2, 'two');
  host.answer('input', 'Label', 'slow ones', { once: true });
  host.answer('message', 'Label the 2 exchanges that “name:Two” finds?', 'Label', { once: true });
  await host.executeCommand('postkit.labelFound');
  assert.deepEqual(edited(tap).at(-1),
    [{ op: 'history.label', filter: { line: 'name:Two' }, atMost: 2, text: 'slow ones' }]);
  await search(host, 'label:"slow ones"');
  await waitForItems(host, 'history', list => exchanges(list).length === 2, 'the label');
  host.answer('quickPick', 'Export History', 'JSON Lines', { once: true });
  host.answer('dialog', undefined, path.join(workspace, 'out.jsonl'), { once: true });
  await host.executeCommand('postkit.exportFound');
  assert.match(host.messages.at(-1).message, /^PostKit: 2 exchanges exported\./);
  const before = edited(tap).length;
  await host.executeCommand('postkit.pinFound');
  assert.equal(host.messages.at(-1).message,
    'Pin the 2 exchanges that “label:"slow ones"” finds?');
  assert.equal(edited(tap).length, before, 'nobody agreed');
  for (const [op, question, button] of [['pinFound', /^Pin the 2/, 'Pin'],
    ['unpinFound', /^Unpin the 2/, 'Unpin'], ['noteFound', /^Write the note on the 2/, 'Write'],
    ['deleteFound', /^Delete the 2/, 'Delete']]) {
    host.answer('message', question, button, { once: true });
    if (op === 'noteFound') host.answer('input', 'Note', 'look at it', { once: true });
    await host.executeCommand(`postkit.${op}`);
  }
  await waitForItems(host, 'history', list => exchanges(list).length === 0, 'them to go');
  await host.executeCommand('postkit.deleteFound');
  assert.match(host.messages.at(-1).message, /no matches for “label:"slow ones"”/);
  await host.executeCommand('postkit.clearHistorySearch');
  await waitForItems(host, 'history', list => exchanges(list).length === 1, 'the other one');
  assert.deepEqual(errors(host), []);
});

editorTest('a search is saved under a name, opened and deleted', async t => {
  const { host } = await sent(t);
  await host.executeCommand('postkit.saveSearch');
  assert.match(host.messages.at(-1).message, /search the history first/);
  await host.executeCommand('postkit.openSavedSearch');
  assert.match(host.messages.at(-1).message, /no saved searches/);
  for (const [name, line] of [['gets', 'method:GET'], ['posts', 'method:POST "one"']]) {
    await search(host, line);
    host.answer('input', 'Save Search', name, { once: true });
    await host.executeCommand('postkit.saveSearch');
  }
  await host.executeCommand('postkit.clearHistorySearch');
  host.answer('quickPick', 'Saved Searches', 'gets', { once: true });
  await host.executeCommand('postkit.openSavedSearch');
  await waitForItems(host, 'history', list => exchanges(list).length === 2
    && said(host, 'history') === 'Matches for “method:GET”.', 'what it finds');
  host.answer('quickPick', 'Saved Searches',
    Object.assign(['posts'], { press: 'Delete this search' }), { once: true });
  const picks = host.quickPicks.length;
  await host.executeCommand('postkit.openSavedSearch');
  assert.deepEqual(host.quickPicks.slice(picks).map(({ items }) => labels(items)),
    [['gets', 'posts'], ['gets']], 'the list stays open, without it');
  assert.deepEqual(errors(host), []);
});

editorTest('figures of what was searched for are drawn, a row leads to its exchanges', async t => {
  const { host, server } = await sent(t);
  const panel = () => [...host.panels.values()].find(
    ({ viewType }) => viewType === 'postkit.statistics');
  const shows = (pattern, what) => host.waitFor(() => pattern.test(panel()?.html ?? ''), { what });
  await host.executeCommand('postkit.showStatistics');
  await shows(/The whole history[^]*3 sent[^]*>Two<\/button>/, 'all by request');
  assert.deepEqual([panel().title, panel().options.enableCommandUris], ['Statistics', false]);
  await host.postFromPanel(panel(), { act: 'filter', line: 'method:PUT' });
  await host.postFromPanel(panel(), { act: 'by', by: 'method' });
  await shows(/>GET<\/button>[^]*>POST<\/button>/, 'them by method');
  assert.notEqual(host.contextKeys['postkit.isSearching.history'], true,
    'what no row of the page has is not asked');
  const lines = () => [...panel().html.matchAll(/data-line="([^"]*)"/g)].map(([, line]) => line);
  assert.deepEqual(lines(), ['method:GET', 'method:POST']);
  await host.postFromPanel(panel(), { act: 'filter', line: 'method:POST' });
  await waitForItems(host, 'history', list => exchanges(list).length === 1
    && said(host, 'history') === 'Matches for “method:POST”.', 'the one that was clicked');
  assert.equal(host.contextKeys['postkit.isSearching.history'], true);
  // The command takes the search as it is now, and what is sent meanwhile counts.
  await host.executeCommand('postkit.showStatistics');
  await shows(/History, <span class="method">method:POST<\/span>[^]*1 sent/, 'those of the search');
  await host.executeCommand('postkit.sendAllRequests');
  await shows(/2 sent/, 'what was sent meanwhile');
  await host.postFromPanel(panel(), { act: 'by', by: '__proto__' });
  await host.closePanel(panel());
  assert.equal(server.requests.length, 6);
  assert.deepEqual(errors(host), []);
});

/** A collection with a folder and three requests, as the server imports a folder. */
async function shop(t, { cookies } = {}) {
  const server = await startServer(t, { cookies });
  const opened = await openTapped(t, { 'a.http': '',
    'Shop/list.http': `### List\nGET ${server.origin}/list\n\n### Add\nPOST ${server.origin}/add\n`,
    'Shop/users/me.http': `### Me\nGET ${server.origin}/me\n` });
  const { host } = opened;
  await host.treeItems(view('collections'));
  const { refreshes } = host.treeViews.get(view('collections'));
  await host.executeCommand(
    'postkit.serverCommand', 'postkit.import', { uri: opened.uri('Shop') });
  // While the list is asked for anew, VS Code knows none of its items.
  await host.waitFor(() => host.treeViews.get(view('collections')).refreshes > refreshes,
    { what: 'the list to be asked for' });
  const [root] = await waitForItems(
    host, 'collections', list => list.length === 1, 'the collection');
  return { server, root, ...opened };
}

editorTest('what is deleted is offered back, and the last deletion by a command', async t => {
  const { host, root } = await shop(t);
  const id = view('collections');
  assert.equal(root.description, '3 requests');
  host.answer('message', /^Delete “Shop” and all that is in it\?/, 'Delete');
  host.answer(
    'message', /^PostKit: Deleted “Shop” and all that is in it\.$/, 'Undo', { once: true });
  await host.treeCommand(id, 'postkit.deleteStored', root);
  assert.match(host.messages.find(({ message }) => /^Delete/.test(message)).detail,
    /Undo Last Deletion/);
  const [again] = await waitForItems(host, 'collections',
    list => list[0]?.description === '3 requests', 'it to come back');
  await host.treeCommand(id, 'postkit.deleteStored', again);
  await waitForItems(host, 'collections', list => list.length === 0, 'it to go');
  await host.executeCommand('postkit.undoDeletion');
  await waitForItems(host, 'collections',
    list => list[0]?.description === '3 requests', 'it to come back again');
  for (const command of ['postkit.undoDeletion', 'postkit.chooseDeletion']) {
    await host.executeCommand(command);
    assert.match(host.messages.at(-1).message, /nothing to take back/);
  }
  // Of several, any is chosen: the request alone, and then its collection.
  host.answer('message', /^Delete “List”\?/, 'Delete');
  host.answer('input', 'Search Collections', 'list', { once: true });
  await host.executeCommand('postkit.searchCollections');
  const [list] = await waitForItems(host, 'collections',
    items => labels(items).join() === 'List', 'the request');
  await host.treeCommand(id, 'postkit.deleteStored', list);
  host.answer('input', 'Search Collections', 'me', { once: true });
  await host.executeCommand('postkit.searchCollections');
  const [me] = await waitForItems(host, 'collections',
    items => labels(items).join() === 'Me', 'another');
  host.answer('message', /^Delete “Me”\?/, 'Delete');
  await host.treeCommand(id, 'postkit.deleteStored', me);
  host.answer('quickPick', 'Undo a Deletion', 'List', { once: true });
  await host.executeCommand('postkit.chooseDeletion');
  const offered = host.quickPicks.at(-1).items;
  assert.deepEqual(offered.map(({ label, description }) => [label, description]),
    [['$(symbol-method) Me', 'Shop/users'], ['$(symbol-method) List', 'Shop/list']]);
  assert.match(offered[0].detail, /^deleted /);
  await host.executeCommand('postkit.clearCollectionsSearch');
  await waitForItems(host, 'collections',
    items => items[0]?.description === '2 requests', 'the one to come back');
  assert.deepEqual(errors(host), []);
});

editorTest('favourites are marked, shown alone, and taken off', async t => {
  const { host } = await shop(t);
  const id = view('collections');
  host.answer('input', 'Search Collections', 'me', { once: true });
  await host.executeCommand('postkit.searchCollections');
  const [me] = await waitForItems(host, 'collections', list => labels(list).join() === 'Me', 'Me');
  await host.treeCommand(id, 'postkit.favouriteStored', me);
  await host.executeCommand('postkit.showFavourites');
  const [favourite] = await waitForItems(host, 'collections',
    list => labels(list).join() === 'Me' && list[0].icon === 'star-full', 'the favourite');
  assert.equal(favourite.context, 'request favourite');
  await host.treeCommand(id, 'postkit.unfavouriteStored', favourite);
  await waitForItems(host, 'collections', list => list.length === 0, 'it to go');
  assert.deepEqual(errors(host), []);
});

editorTest('a folder or collection is sent in its order, with what came of it', async t => {
  const { host, root, server } = await shop(t);
  const id = view('collections');
  await host.treeCommand(id, 'postkit.sendAllStored', root);
  const urls = () => server.requests.map(({ url }) => url);
  assert.deepEqual(urls().toSorted(), ['/add', '/list', '/me']);
  await waitForItems(host, 'history', list => exchanges(list).length === 3, 'the exchanges');
  await host.treeSelect(id, root);
  await host.executeCommand('postkit.sendStored');
  assert.equal(host.messages.at(-1).message, 'Send all 3 requests of “Shop”?');
  assert.equal(server.requests.length, 3, 'nobody agreed');
  host.answer('message', /^Send all 3 requests/, 'Send', { once: true });
  await host.executeCommand('postkit.sendStored');
  assert.deepEqual(urls().slice(3), urls().slice(0, 3), 'in the same order');
  host.answer('input', 'Search Collections', 'me', { once: true });
  await host.executeCommand('postkit.searchCollections');
  const [me] = await waitForItems(host, 'collections', list => labels(list).join() === 'Me', 'Me');
  await host.treeCommand(id, 'postkit.showStoredHistory', me);
  await waitForItems(host, 'history', list => labels(exchanges(list)).join()
    === `GET ${server.origin}/me,GET ${server.origin}/me`, 'what came of it');
  assert.deepEqual(errors(host), []);
});

editorTest('defaults of a folder are edited by keyboard, and a masked value is kept', async t => {
  const { host, root, server, tap } = await shop(t);
  const id = view('collections');
  const picks = (...steps) => {
    for (const step of steps.reverse()) {
      host.answer('quickPick', 'Defaults of Shop', step, { once: true });
    }
  };
  picks('Add Header…', 'Set Authorization…', 'Add Variable…');
  host.answer('input', 'Header', 'X-Team: shop', { once: true });
  host.answer('input', 'Authorization', 'Bearer geheim-123456', { once: true });
  host.answer('input', 'Variable', 'where = here', { once: true });
  await host.treeCommand(id, 'postkit.editDefaults', root);
  const given = () => edited(tap).flat().filter(({ op }) => op === 'collection.defaults').at(-1);
  assert.equal(edited(tap).length, 3);
  assert.doesNotMatch(JSON.stringify(host.quickPicks.map(({ items }) => items)), /geheim/);
  assert.deepEqual([given().defaults.headers, given().defaults.variables],
    [[['X-Team', 'shop']], [['where', 'here']]]);
  const [shown] = await waitForItems(host, 'collections',
    ([item]) => /gives its requests X-Team, Authorization, where/.test(item.tooltip),
    'what it gives');
  await host.treeCommand(id, 'postkit.sendAllStored', shown);
  for (const { headers } of server.requests) {
    assert.deepEqual([headers['x-team'], headers.authorization], ['shop', 'Bearer geheim-123456']);
  }
  // One is changed, one is removed; what the server refuses is told, and the list goes on.
  picks('X-Team: shop', Object.assign(['where = here'], { press: 'Remove' }), 'X-Team: store');
  host.answer('input', 'Header', 'Host: x', { once: true });
  host.answer('input', 'Header', 'X-Team: store', { once: true });
  await host.treeCommand(id, 'postkit.editDefaults', shown);
  assert.deepEqual([given().defaults.headers, given().defaults.variables ?? []],
    [[['Host', 'x']], []]);
  picks(pick => ({ ...pick.items.find(({ label }) => /Authorization: /.test(label)),
    press: 'Remove' }));
  await host.treeCommand(id, 'postkit.editDefaults', shown);
  assert.equal(given().defaults.auth, undefined);
  assert.deepEqual(errors(host), []);
});

editorTest('the list of all stored requests is searched by the server, too', async t => {
  const { host, server, tap } = await shop(t);
  host.answer('quickPick', 'Collections', pick => ({ ...pick.items[0], press: 'Send' }),
    { once: true });
  host.answer('quickPick', 'Collections', { typed: 'method:post in:Shop' }, { once: true });
  await host.executeCommand('postkit.showCollections');
  assert.deepEqual(host.quickPicks.map(({ items }) => labels(items).length), [3, 1]);
  const [found] = host.quickPicks[1].items;
  assert.deepEqual([found.label, found.description, found.detail],
    ['$(symbol-method) POST Add', 'Shop / list', `${server.origin}/add`]);
  assert.deepEqual(server.requests.map(({ url }) => url), ['/add']);
  const asked = tap.read().filter(({ method }) => method === 'postkit/collections')
    .map(({ params }) => params).filter(({ filter }) => filter);
  assert.deepEqual(asked.at(-1), { limit: 200, filter: { method: 'POST', in: 'Shop' } });
  assert.deepEqual(errors(host), []);
});
