'use strict';
// How a node of a list looks: words, an icon of VS Code with a colour of the theme, and what its
// menu is chosen by. Pure, so that tests say it all.
const { describeResult } = require('../window/render');

const GOOD = 'testing.iconPassed';
const BAD = 'testing.iconFailed';
const GUARDED = 'list.warningForeground';
const OFF = 'disabledForeground';

const fileName = file => file?.split(/[\\/]/).at(-1);
const words = list => list.filter(Boolean).join(' · ');
const lines = list => list.filter(Boolean).join('\n');
const opens = (command, title, node) => ({ command, title, arguments: [node] });

/** @returns {[string, string]} icon and colour */
function outcomeIcon({ mood, pinned }) {
  const isBad = mood === 'failed';
  if (pinned) return ['pinned', isBad ? BAD : GOOD];
  if (mood === 'cancelled') return ['circle-slash', OFF];
  return isBad ? ['error', BAD] : ['pass', GOOD];
}

/** An exchange of the history. @param {object} node with `entry` as `postkit/history` lists it */
function exchange(node) {
  const { entry } = node;
  const outcome = describeResult(entry);
  const [icon, color] = outcomeIcon(entry);
  const time = new Date(entry.time);
  return {
    id: entry.id,
    label: `${entry.method} ${entry.url}`,
    description: words([outcome, entry.environment, entry.label && `[${entry.label}]`]),
    tooltip: lines([`${entry.method} ${entry.url}`, entry.name, outcome, entry.error,
      time.toLocaleString(), entry.environment && `environment ${entry.environment}`, entry.file,
      entry.note]),
    icon,
    color,
    context: entry.pinned ? 'exchange pinned' : 'exchange',
    spoken: words([`${entry.method} ${entry.url}`, outcome, entry.pinned && 'pinned',
      time.toLocaleString()]),
    command: opens('postkit.openExchange', 'Show', node),
  };
}

/** The day on which exchanges were sent. @param {object} node with `key`, `day` and `now` */
function day({ key, day: date, now }) {
  const daysAgo = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  const options = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' };
  const label = ['Today', 'Yesterday'][daysAgo] ?? date.toLocaleDateString(undefined, options);
  return { id: `day ${key}`, label, icon: 'calendar', expands: 'expanded', context: 'day' };
}

const midnight = date => new Date(date.getFullYear(), date.getMonth(), date.getDate());

/** Entries by their days, in the order in which they come. */
function byDay(entries, now = new Date()) {
  const days = new Map();
  for (const entry of entries) {
    const date = new Date(entry.time);
    const key = [date.getFullYear(), date.getMonth() + 1, date.getDate()].join('-');
    if (!days.has(key)) days.set(key, { kind: 'day', key, day: date, now, nodes: [] });
    days.get(key).nodes.push({ kind: 'exchange', entry });
  }
  return [...days.values()];
}

/** What leads to the rest of a long list. @param {object} node with `name` of the view */
function more({ name }) {
  return {
    id: `more ${name}`, label: 'Show more…', icon: 'ellipsis', context: 'more',
    command: opens('postkit.showMore', 'Show more', { kind: 'more', name }),
  };
}

const COLLECTION_ICONS = { collection: 'library', folder: 'folder', request: 'symbol-method' };

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
const moment = (what, time) => time && `${what} ${new Date(time).toLocaleString()}`;

/** What requests get from a folder or collection, by name. @param {object} [defaults] */
function given({ headers = [], auth, variables = [] } = {}) {
  const names = [...headers.map(([name]) => name), auth && 'Authorization',
    ...variables.map(([name]) => name)].filter(Boolean);
  return names.length > 0 && `gives its requests ${names.join(', ')}`;
}

/** A collection, a folder or a stored request. @param {object} node with `item` of the server */
function stored(node) {
  const { item, isFound } = node;
  const isRequest = item.kind === 'request';
  const target = `${item.method} ${item.url}`;
  const count = item.requestCount === undefined
    ? counted(item.childCount, 'item') : counted(item.requestCount, 'request');
  // Where it lies, for a request that was found among others.
  const place = isFound && item.path?.endsWith(`/${item.name}`)
    ? item.path.slice(0, -item.name.length - 1) : undefined;
  const tags = item.tags?.map(tag => `#${tag}`).join(' ');
  return {
    // One id for each place: VS Code remembers by it what is open.
    id: isFound ? `found ${item.id}` : item.id,
    label: item.name,
    description: isRequest ? words([target, place, tags]) : item.childCount === 0 ? 'empty' : count,
    tooltip: lines([item.path ?? item.name, isRequest ? target : count, tags,
      item.isFavourite && 'a favourite', given(item.defaults), moment('changed', item.updatedAt),
      moment('made', item.createdAt)]),
    icon: item.isFavourite ? 'star-full' : COLLECTION_ICONS[item.kind],
    context: item.isFavourite ? 'request favourite' : item.kind,
    expands: isRequest ? 'none' : 'collapsed',
    spoken: words([item.name, isRequest ? target : count, place && `in ${place}`,
      item.isFavourite && 'favourite']),
    command: isRequest ? opens('postkit.openStored', 'Open', node) : undefined,
  };
}

/** An environment. @param {object} node with `item` as `postkit/environments` lists it */
function environment(node) {
  const { name, active, confirm, files } = node.item;
  return {
    id: `environment ${name}`,
    label: name,
    description: words([active && 'active', confirm && 'confirms each request']),
    tooltip: lines([name, active ? 'PostKit sends requests with it.' : 'Click to send with it.',
      confirm && 'PostKit asks before it sends a request with it.', ...files]),
    icon: confirm ? 'shield' : active ? 'pass-filled' : 'circle-large-outline',
    color: confirm ? GUARDED : active ? GOOD : undefined,
    context: active ? 'environment active' : 'environment',
    expands: 'collapsed',
    spoken: words([name, active && 'active', confirm && 'confirms each request']),
    command: opens('postkit.useEnvironment', 'Use', node),
  };
}

/** A file that defines an environment. @param {object} node with `file` and `environment` */
function environmentFile(node) {
  return {
    id: `file ${node.environment} ${node.file}`, label: fileName(node.file), tooltip: node.file,
    icon: 'json', context: 'file', file: node.file,
    command: opens('postkit.openFile', 'Open', node),
  };
}

/** An environment that the store keeps. @param {object} node with `item` of the server */
function storedEnvironment({ item }) {
  return {
    id: `stored ${item.id}`, label: item.name,
    description: words([item.collection ?? 'all collections', item.active && 'active']),
    icon: 'archive', context: 'stored environment',
    expands: item.variables.length ? 'collapsed' : 'none',
  };
}

const HIDDEN = '••••••';

/** A variable with its value. @param {object} node with `item`; `key` tells it from others */
function variable(node) {
  const { key, item } = node;
  const isHidden = item.masked && item.value === null;
  const { file, line } = item.origin ?? {};
  const place = file && (line ? `${fileName(file)}:${line}` : fileName(file));
  return {
    id: `variable ${key}`,
    label: item.name,
    description: isHidden ? HIDDEN : item.value ?? '',
    tooltip: lines([isHidden ? `${item.name} is secret.` : `${item.name} = ${item.value ?? ''}`,
      place && `from ${place}`]),
    icon: item.masked ? 'lock' : 'symbol-variable',
    context: words(['variable', isHidden ? 'hidden' : 'shown', item.masked && 'secret',
      file && 'placed']).replaceAll(' · ', ' '),
    spoken: words([item.name, isHidden ? 'secret' : item.value, place && `from ${place}`]),
    command: file ? opens('postkit.goToVariable', 'Go to Definition', node) : undefined,
  };
}

/** The domain of cookies. @param {object} node with `domain` and `nodes` */
function domain(node) {
  const count = node.nodes.length;
  return {
    id: `domain ${node.domain}`, label: node.domain, icon: 'globe', context: 'domain',
    description: `${count} ${count === 1 ? 'cookie' : 'cookies'}`, expands: 'expanded',
  };
}

/** A cookie. @param {object} node with `item` as `postkit/cookies` lists it */
function cookie({ item }) {
  const isHidden = item.masked && item.value === null;
  const value = isHidden ? HIDDEN : item.value ?? '';
  const flags = [item.secure && 'secure', item.httpOnly && 'http only'];
  const end = item.expires ? `until ${new Date(item.expires).toLocaleString()}` : null;
  return {
    id: ['cookie', item.folder, item.environment, item.domain, item.path, item.name].join(' '),
    label: item.name,
    description: words([value, item.path !== '/' && item.path, item.environment]),
    tooltip: lines([`${item.name} = ${value}`, `for ${item.domain}${item.path}`, end,
      words(flags), item.environment && `environment ${item.environment}`, item.folder]),
    icon: item.secure ? 'lock' : 'circle-outline',
    context: isHidden ? 'cookie hidden' : 'cookie shown',
    spoken: words([item.name, `for ${item.domain}${item.path}`, end]),
  };
}

/** Cookies by their domains. @param {object[]} items in the order of the server */
function byDomain(items) {
  const domains = new Map();
  for (const item of items) {
    if (!domains.has(item.domain)) {
      domains.set(item.domain, { kind: 'domain', domain: item.domain, nodes: [] });
    }
    domains.get(item.domain).nodes.push({ kind: 'cookie', item });
  }
  return [...domains.values()];
}

module.exports = {
  byDay, byDomain, COLLECTION_ICONS, cookie, counted, day, domain, environment, environmentFile,
  exchange, more, stored, storedEnvironment, variable,
};
