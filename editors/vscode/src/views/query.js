'use strict';
// What is typed to search a list: words, and filters such as `tag:smoke` among them. A line that
// searches the history is read by the server.

const truth = value => ({ yes: true, true: true, no: false, false: false })[value];

/** In which orders the history is listed: what each is called. */
const HISTORY_ORDERS = { time: 'Newest first', ms: 'Slowest first', size: 'Largest first' };
/** The filter of a line that says the order. The server reads all the others. */
const ORDER = /(?:^|\s+)sort:(?:"(\w*)"|(\w*))(?=\s|$)/gi;

/**
 * The order that a line asks for.
 * @param {string} line
 * @returns {string} one of `HISTORY_ORDERS`
 */
function orderOf(line) {
  const [found] = line.matchAll(ORDER);
  const order = found?.[1] ?? found?.[2];
  return Object.hasOwn(HISTORY_ORDERS, order ?? '') ? order : 'time';
}

/** The line in another order. @param {string} line @param {string} order */
function withOrder(line, order) {
  const rest = line.replace(ORDER, '').trim();
  return order === 'time' ? rest : `${rest} sort:${order}`.trim();
}

/** How stored requests are sorted: what each order is called. */
const ORDERS = {
  order: 'As they lie in their folders', name: 'By name', updated: 'Changed last first',
  created: 'Newest first', recent: 'Sent last first',
};

/** A name, or a name and a value behind `=`: the members of a filter that they become. */
const field = (name, value) => typed => {
  const [, first, rest] = typed.match(/^([^=]+)=?(.*)$/) ?? [];
  return first ? { [name]: first, ...rest ? { [value]: rest } : {} } : undefined;
};
/** The filters of `postkit/collections`, each with the members that its value becomes. */
const STORED_FILTERS = {
  method: value => ({ method: value.toUpperCase() }), tag: tag => ({ tag }),
  in: place => ({ in: place }),
  header: field('header', 'headerValue'), param: field('parameter', 'parameterValue'),
  favourite: value => truth(value) !== undefined
    ? { favourite: truth(value) } : undefined,
  sort: value => Object.hasOwn(ORDERS, value) ? { sort: value } : undefined,
};

/**
 * What was typed, taken apart. A filter that has no value yet, or one that can't be its value, is
 * left out: somebody is still typing.
 * @param {string} typed
 * @param {Record<string, (value: string) => any>} filters
 * @returns {{words: string, found: [string, any][]}} the words that are no filters, and the filters
 */
function taken(typed, filters) {
  // Nobody minds capitals while typing.
  const names = new Map(Object.keys(filters).map(name => [name.toLowerCase(), name]));
  const found = [];
  // A phrase in quotes is one piece.
  const words = (typed.match(/\w+:"[^"]*"?|"[^"]*"?|\S+/g) ?? []).filter(piece => {
    const [, key, value] = piece.match(/^(\w+):(.*)$/) ?? [];
    const name = names.get(key?.toLowerCase());
    if (!name) return true;
    const meant = value.replace(/^"|"$/g, '');
    const read = meant === '' ? undefined : filters[name](meant);
    if (read !== undefined) found.push([name, read]);
    return false;
  });
  return { words: words.join(' '), found };
}

/**
 * The parameters of `postkit/collections` for what was typed.
 * @param {string} typed
 * @returns {{filter: object, sort?: string}}
 */
function storedQuery(typed) {
  const { words, found } = taken(typed, STORED_FILTERS);
  const { sort, ...filter } = Object.assign({}, ...found.map(([, members]) => members));
  return { filter: { ...words ? { text: words } : {}, ...filter }, ...sort ? { sort } : {} };
}

module.exports = { HISTORY_ORDERS, orderOf, ORDERS, storedQuery, withOrder };
