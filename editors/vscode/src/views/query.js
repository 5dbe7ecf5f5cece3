'use strict';
// What is typed to search the history: words, and filters such as `status:4xx` among them.

const text = value => value;
const number = value => /^\d+$/.test(value) ? Number(value) : undefined;
const truth = value => ({ yes: true, true: true, no: false, false: false })[value];

/** The filters of `postkit/history`, each with how its value is read. */
const FILTERS = {
  method: value => value.toUpperCase(), request: text, environment: text, host: text, path: text,
  status: text, state: text, since: text, until: text, label: text, minMs: number, maxMs: number,
  minSize: number, maxSize: number, failedTests: truth, pinned: truth,
};
/** Nobody minds capitals while typing. */
const NAMES = new Map(Object.keys(FILTERS).map(name => [name.toLowerCase(), name]));

/**
 * The parameters of `postkit/history` for what was typed. A filter that has no value yet, or one
 * that can't be its value, is left out: somebody is still typing.
 * @param {string} typed
 * @returns {object}
 */
function historyQuery(typed) {
  const params = {};
  // A phrase in quotes is one piece.
  const words = (typed.match(/"[^"]*"?|\S+/g) ?? []).filter(piece => {
    const [, key, value] = piece.match(/^(\w+):(.*)$/) ?? [];
    const name = NAMES.get(key?.toLowerCase());
    if (!name) return true;
    const read = value === '' ? undefined : FILTERS[name](value);
    if (read !== undefined) params[name] = read;
    return false;
  });
  return words.length ? { query: words.join(' '), ...params } : params;
}

module.exports = { FILTERS, historyQuery };
