'use strict';
// The lists beside the editor, in the real extension host with the real server: what they show,
// that they follow, are searched, and what can be done with their items.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { binary, LIMIT, needsEditor, openFiles, PATIENCE, startServer } = require('./support');
const { openTapped } = require('./tapped');

const editorTest = (name, run) => test(name, { timeout: LIMIT, skip: needsEditor() }, run);
const view = name => `postkit.views.${name}`;
const labels = items => items.map(({ label }) => label);

/** Waits until a list, as far as it is open, has items that satisfy the test. */
const waitForItems = (host, name, isRight, what) => host.waitFor(async () => {
  const items = await host.treeItems(view(name));
  return isRight(items) && items;
}, { what });
const send = async (host, file, document, text) => {
  await host.openDocument(file);
  await host.setSelection(file, document.find(text));
  await host.executeCommand('postkit.sendRequest');
};

editorTest('the history is a list that follows, is searched by the server and marked', async t => {
  const server = await startServer(t);
  const { workspace, host, file, document } = await openFiles(t, { 'a.http':
    `### One\nPOST ${server.origin}/one\n\nneedle\n\n### Two\nGET ${server.origin}/two\n` });
  assert.deepEqual(await host.treeChildren(view('history')), []);
  const began = new Date().getDate();
  await host.executeCommand('postkit.sendAllRequests');
  const two = `GET ${server.origin}/two`;
  const one = `POST ${server.origin}/one`;
  const exchanges = list => list.filter(({ context }) => context.startsWith('exchange'));
  const shows = (...wanted) => waitForItems(host, 'history',
    list => labels(exchanges(list)).join() === wanted.join(), `${wanted} (of the history)`);
  const [day, first] = await shows(two, one);
  // What was sent before midnight was yesterday.
  const days = new Date().getDate() === began ? ['Today'] : ['Today', 'Yesterday'];
  assert.ok(days.includes(day.label), day.label);
  assert.equal(day.expands, 'expanded');
  assert.deepEqual([first.icon, first.color], ['pass', 'testing.iconPassed']);
  assert.match(first.description, /^200 OK {2}\d+ ms {2}\d+ B$/);
  assert.match(first.spoken, /^GET .*\/two · 200/);

  host.answer('input', 'Search History', 'needle', { once: true });
  await host.executeCommand('postkit.searchHistory');
  const [, found] = await shows(one);
  assert.equal(host.contextKeys['postkit.isSearching.history'], true);
  const message = () => host.treeViews.get(view('history')).message;
  await host.waitFor(() => message() === 'Matches for “needle”.', { what: 'what is shown' });
  await host.treeCommand(view('history'), 'postkit.pinExchange', found);
  await waitForItems(host, 'history', list => list.some(({ context, icon }) =>
    context === 'exchange pinned' && icon === 'pinned'), 'the pin');
  host.answer('input', 'Search History', 'status:2xx method:get', { once: true });
  await host.executeCommand('postkit.searchHistory');
  await shows(two);
  host.answer('input', 'Search History', 'since:never', { once: true });
  await host.executeCommand('postkit.searchHistory');
  await host.waitFor(async () => {
    await host.treeItems(view('history'));
    return /since/.test(message());
  }, { what: `what is wrong with it (${message()})` });
  await host.executeCommand('postkit.clearHistorySearch');
  const all = exchanges(await shows(two, one));
  await host.waitFor(() => !message(), { what: 'nothing to be said' });
  await host.treeSelect(view('history'), all[1]);
  await host.executeCommand('postkit.resendExchange');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/one', '/two', '/one']);
  const again = exchanges(await shows(one, two, one));
  await host.runCommand(again[1].command);
  assert.match(host.activeEditor.doc.key + [...host.documents.keys()].join(), /postkit:\/response/);
  await host.treeCommand(view('history'), 'postkit.showExchangePanel', again[0]);
  await host.waitFor(() => [...host.panels.values()].some(({ html }) => html?.includes('/one')),
    { what: 'the panel' });
  // Who closes a question, or says no, is told nothing more.
  await host.treeCommand(view('history'), 'postkit.labelExchange', again[0]);
  assert.equal(host.inputs.at(-1).title, 'Label');
  await host.treeCommand(view('history'), 'postkit.deleteExchange', again[0]);
  assert.equal(host.messages.at(-1).message,
    `Delete “POST ${server.origin}/one” from the history?`);
  assert.equal(host.messages.filter(({ severity }) => severity === 'error').length, 0);
  host.answer('message', /Delete these 2 exchanges/, 'Delete', { once: true });
  await host.treeCommand(view('history'), 'postkit.deleteExchange', again[0], again[1]);
  await shows(one);
  // What another process keeps shows, too.
  await promisify(execFile)(binary,
    ['run', file, '--name', 'Two', '--store', path.join(workspace, '.store')], { timeout: PATIENCE });
  await shows(two, one);
  await send(host, file, document, '/one');
  assert.deepEqual(host.messages.filter(({ severity }) => severity === 'error'), []);
});

editorTest('a long history is shown step by step', async t => {
  const server = await startServer(t);
  const requests = Array.from({ length: 130 },
    (_, index) => `### R${index}\nGET ${server.origin}/${index}\n`);
  const { tap, host } = await openTapped(t, { 'a.http': requests.join('\n') });
  await host.executeCommand('postkit.sendAllRequests');
  const count = list => list.filter(({ context }) => context === 'exchange').length;
  const items = await waitForItems(host, 'history', list => count(list) === 100, 'a first step');
  const more = items.at(-1);
  assert.deepEqual([more.context, more.label], ['more', 'Show more…']);
  await host.runCommand(more.command);
  const whole = await waitForItems(host, 'history', list => count(list) === 130, 'all');
  assert.equal(whole.at(-1).context, 'exchange');
  const limits = tap.read().filter(({ method }) => method === 'postkit/history')
    .map(({ params }) => params.limit);
  assert.ok(Math.max(...limits) <= 200, limits.join());
});

editorTest('nobody looks, nothing is asked', async t => {
  const server = await startServer(t);
  const { tap, host, file, document } = await openTapped(t,
    { 'a.http': `GET ${server.origin}/a\n` });
  await send(host, file, document, 'GET');
  await host.showTree(view('history'), false);
  const asked = () => tap.read().filter(
    ({ method }) => /^postkit\/(history|collections|cookies|variables)$/.test(method)).length;
  await host.waitFor(() => tap.read().some(({ method }) => method === 'postkit/didChangeStore'),
    { what: 'the change to be told' });
  assert.equal(asked(), 0);
  const shown = host.treeViews.get(view('history'));
  const before = shown.refreshes;
  await host.showTree(view('history'));
  await host.waitFor(() => shown.refreshes > before, { what: 'the list to ask once it is seen' });
});

editorTest('collections are made, filled, searched, moved and deleted in their list', async t => {
  const server = await startServer(t);
  const { host, file } = await openFiles(t, {
    'a.http': `### Price\nGET ${server.origin}/price\n\n`
      + `### Stock\nPOST ${server.origin}/stock\n` });
  const id = view('collections');
  host.answer('input', 'New Collection', 'Shop', { once: true });
  await host.executeCommand('postkit.newCollection');
  const [shop] = await waitForItems(host, 'collections', list => list.length === 1, 'Shop');
  assert.deepEqual([shop.label, shop.icon, shop.context, shop.description],
    ['Shop', 'library', 'collection', 'empty']);
  host.answer('input', 'New Folder', 'orders', { once: true });
  await host.treeCommand(id, 'postkit.newFolder', shop);
  for (const line of [1, 4]) {
    await host.openDocument(file);
    await host.setSelection(file, { line, character: 0 });
    host.answer('message', /Where should the request be saved/, 0, { once: true });
    await host.executeCommand('postkit.saveToCollection');
  }
  const children = async () => host.treeChildren(id, (await host.treeChildren(id))[0]);
  const three = await host.waitFor(async () => {
    const list = await children();
    return list.length === 3 && list;
  }, { what: 'a folder and two requests' });
  assert.deepEqual(labels(three), ['orders', 'Price', 'Stock']);
  assert.equal(three[1].description, `GET ${server.origin}/price`);

  await host.waitFor(async () => {
    const [folder, price, ...rest] = await children();
    if (rest.length === 0) return true;
    // Where the list is asked for anew meanwhile, VS Code knows none of what is dragged.
    await host.treeDrag(id, [price], folder);
    return false;
  }, { what: 'Price to move' });
  host.answer('input', 'Search Collections', 'price', { once: true });
  await host.executeCommand('postkit.searchCollections');
  const found = await waitForItems(host, 'collections',
    list => labels(list).join() === 'Price', 'what was searched for');
  assert.equal(found[0].description, `GET ${server.origin}/price · Shop/orders`);
  await host.treeSelect(id, found[0]);
  await host.executeCommand('postkit.sendStored');
  assert.deepEqual(server.requests.map(({ url }) => url), ['/price']);
  await host.treeCommand(id, 'postkit.copyStoredAsCurl', found[0]);
  assert.match(host.clipboard, /^curl .*\/price/);
  host.answer('input', 'New Name', 'Cost', { once: true });
  const { refreshes } = host.treeViews.get(id);
  await host.treeCommand(id, 'postkit.renameStored', found[0]);
  await host.waitFor(() => host.treeViews.get(id).refreshes > refreshes, { what: 'the change' });
  await host.executeCommand('postkit.clearCollectionsSearch');
  await waitForItems(host, 'collections', list => labels(list).join() === 'Shop', 'the tree');
  const cost = await host.waitFor(async () => {
    const [orders] = await children();
    const [item] = await host.treeChildren(id, orders);
    return item?.label === 'Cost' && item;
  }, { what: 'the new name' });
  await host.runCommand(cost.command);
  await host.waitFor(() => /view\/requests\/.*Cost\.http$/.test(host.activeEditor.doc.key),
    { what: 'the stored request' });
  await host.treeCommand(id, 'postkit.deleteStored', (await host.treeChildren(id))[0]);
  assert.match(host.messages.at(-1).message, /Delete “Shop” and all that is in it\?/);
  assert.equal((await host.treeChildren(id)).length, 1, 'nobody agreed');
  host.answer('message', /Delete “Shop”/, 'Delete');
  await host.treeCommand(id, 'postkit.deleteStored', (await host.treeChildren(id))[0]);
  await waitForItems(host, 'collections', list => list.length === 0, 'it to go');
});

editorTest('stored requests are found and sorted by the server, page by page', async t => {
  const server = await startServer(t);
  const requests = Array.from({ length: 101 }, (_, at) => {
    const name = `R${String(at).padStart(3, '0')}`;
    const first = at === 7 ? '# @tag rare\nPOST' : 'GET';
    return `### ${name}\n${first} ${server.origin}/${name}\nX-Id: Straße\n`;
  });
  const { host, uri } = await openFiles(t, {
    'a.http': '', 'Shop/all.http': requests.join('\n') });
  const id = view('collections');
  await host.executeCommand('postkit.serverCommand', 'postkit.import', { uri: uri('Shop') });
  const [shop] = await waitForItems(host, 'collections', list => list.length === 1, 'Shop');
  assert.equal(shop.description, '101 requests');
  const search = async words => {
    host.answer('input', 'Search Collections', words, { once: true });
    await host.executeCommand('postkit.searchCollections');
  };
  await search('header:x-id=strasse');
  const many = await waitForItems(host, 'collections', list => list.length === 101, 'a page');
  assert.deepEqual([many[99].label, many[100].label], ['R099', 'Show more…']);
  assert.match(host.treeViews.get(id).message, /^Matches for .* 100 of 101\.$/);
  await host.runCommand(many[100].command);
  await waitForItems(host, 'collections', list => list.at(-1).label === 'R100', 'the rest');
  await search('method:post tag:rare in:Shop');
  const [rare] = await waitForItems(host, 'collections', list => list.length === 1, 'the tag');
  assert.equal(rare.description, `POST ${server.origin}/R007 · Shop/all · #rare`);
  await host.treeSelect(id, rare);
  await host.executeCommand('postkit.sendStored');
  // What was sent last comes first, and follows what is sent.
  await host.executeCommand('postkit.clearCollectionsSearch');
  host.answer('quickPick', 'Sort Collections', 'Sent last first', { once: true });
  await host.executeCommand('postkit.sortCollections');
  await waitForItems(host, 'collections', list => labels(list).join() === 'R007'
    && host.treeViews.get(id).message === 'Sent last first.', 'what was sent');
  assert.equal(host.contextKeys['postkit.isSearching.collections'], true);
  await search('R003 sort:order');
  const [third] = await waitForItems(host, 'collections',
    list => labels(list).join() === 'R003', 'another');
  await host.treeSelect(id, third);
  await host.executeCommand('postkit.sendStored');
  await search('');
  await waitForItems(host, 'collections', list => labels(list).join() === 'R003,R007', 'both');
  await host.executeCommand('postkit.clearCollectionsSearch');
  await waitForItems(host, 'collections', list => labels(list).join() === 'Shop', 'all');
  assert.equal(host.contextKeys['postkit.isSearching.collections'], false);
});

editorTest('environments and variables are those of the request under the cursor', async t => {
  const { workspace, host, file, document } = await openFiles(t, {
    'a.http': '@host = http://127.0.0.1:1\n\n### A\nGET {{host}}/{{where}}\n',
    'http-client.env.json': JSON.stringify({
      dev: { where: 'here' }, prod: { where: 'there', confirm: true } }, null, 1),
    'http-client.private.env.json': '{"dev": {"token": "abcdefghijklmnop"}}' });
  const list = await waitForItems(host, 'environments', items => items.length === 2, 'both');
  assert.deepEqual(list.map(({ label, icon, description }) => [label, icon, description]),
    [['dev', 'circle-large-outline', ''], ['prod', 'shield', 'confirms each request']]);
  assert.equal(list[1].color, 'list.warningForeground');
  await host.runCommand(list[0].command);
  const [dev] = await waitForItems(host, 'environments',
    ([first]) => first.context === 'environment active', 'the choice');
  assert.equal(dev.icon, 'pass-filled');
  const files = await host.treeChildren(view('environments'), dev);
  assert.deepEqual(labels(files), ['http-client.env.json', 'http-client.private.env.json']);

  await host.setSelection(file, document.find('{{where'));
  const variables = await waitForItems(host, 'variables',
    items => labels(items).join() === 'host,token,where', 'the variables');
  const [own, token, where] = variables;
  assert.deepEqual([own.description, where.description], ['http://127.0.0.1:1', 'here']);
  assert.deepEqual([token.description, token.icon, token.context],
    ['••••••', 'lock', 'variable hidden secret placed']);
  assert.doesNotMatch(JSON.stringify(variables.map(({ raw }) => raw)), /abcdefghijklmnop/);
  await host.treeSelect(view('variables'), token);
  await host.executeCommand('postkit.copyVariableValue');
  assert.match(host.messages.at(-1).message, /token is secret. Show its value first/);
  assert.equal(host.clipboard, '');
  await host.treeCommand(view('variables'), 'postkit.revealVariable', token);
  const shown = await waitForItems(host, 'variables',
    items => items[1]?.description === 'abcdefghijklmnop', 'the value');
  assert.deepEqual([shown[1].icon, shown[1].context], ['lock', 'variable shown secret placed'],
    'by which its menu has what hides it again');
  await host.treeCommand(view('variables'), 'postkit.hideVariable', shown[1]);
  await waitForItems(host, 'variables', items => items[1]?.description === '••••••', 'it to hide');
  await host.treeCommand(view('variables'), 'postkit.goToVariable',
    (await host.treeItems(view('variables')))[2]);
  assert.equal(path.basename(host.activeEditor.doc.key), 'http-client.env.json');
  assert.deepEqual(labels(await host.treeItems(view('variables'))), ['host', 'token', 'where'],
    'they stay beside another file');

  fs.writeFileSync(path.join(workspace, 'http-client.env.json'),
    JSON.stringify({ dev: { where: 'elsewhere' } }));
  await host.fireFileEvents({ changed: [path.join(workspace, 'http-client.env.json')] });
  await waitForItems(host, 'variables',
    items => items[2]?.description === 'elsewhere', 'what the file says now');
  host.answer('input', 'Search Variables', 'else', { once: true });
  await host.executeCommand('postkit.searchVariables');
  const [only] = await waitForItems(host, 'variables', items => items.length === 1, 'one');
  await host.treeCommand(view('variables'), 'postkit.copyVariableReference', only);
  assert.equal(host.clipboard, '{{where}}');
  await host.closeDocument(document.uri);
  await waitForItems(host, 'variables', items => items.length === 0, 'nothing to be shown');
});

editorTest('cookies are listed by domain, hidden, and deleted', async t => {
  const server = await startServer(t,
    { cookies: ['sid=secret-value; Path=/', 'theme=dark; HttpOnly'] });
  const { host, file, document } = await openFiles(t, { 'a.http': `GET ${server.origin}/a\n` });
  await send(host, file, document, 'GET');
  const list = await waitForItems(host, 'cookies', items => items.length === 3, 'a domain and two');
  assert.deepEqual(labels(list), ['127.0.0.1', 'sid', 'theme']);
  assert.doesNotMatch(JSON.stringify(list.map(({ raw }) => raw)), /secret-value|dark/);
  await host.treeCommand(view('cookies'), 'postkit.revealCookie', list[1]);
  await waitForItems(host, 'cookies', ([, sid, theme]) => sid?.description === 'secret-value'
    && theme.description === '••••••', 'the one value');
  host.answer('message', 'Delete the cookie “sid” of 127.0.0.1?', 'Delete');
  await host.treeSelect(view('cookies'), (await host.treeItems(view('cookies')))[1]);
  await host.executeCommand('postkit.deleteCookie');
  await waitForItems(host, 'cookies',
    items => labels(items).join() === '127.0.0.1,theme', 'it to go');
  host.answer('message', /Delete all cookies of 127.0.0.1/, 'Delete');
  await host.treeCommand(view('cookies'), 'postkit.clearDomainCookies',
    (await host.treeItems(view('cookies')))[0]);
  await waitForItems(host, 'cookies', items => items.length === 0, 'all to go');
});

editorTest('every contributed command is there, and a list says why it is empty', async t => {
  const { contributes } = require('../package.json');
  const { host } = await openFiles(t, { 'a.http': 'GET http://a\n' });
  assert.deepEqual(contributes.commands.map(({ command }) => command)
    .filter(command => !host.commands.has(command)), []);
  await host.waitFor(() => host.contextKeys['postkit.state'] === 'running', { what: 'the state' });
  await host.setConfiguration({ 'postkit.path': '/nowhere' }, { target: 'workspace' });
  await host.waitFor(() => host.contextKeys['postkit.state'] === 'failed', { what: 'the failure' });
  assert.deepEqual(await host.treeChildren(view('history')), []);
  await host.waitFor(() => /"\/nowhere"/.test(host.treeViews.get(view('history')).message),
    { what: 'the reason' });
});
