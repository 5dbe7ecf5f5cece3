'use strict';
// The checks of a request file, out of the outline that the server gives; and which result of a
// send belongs to which of them. Pure.

/** LSP's symbol kinds: what a request and a check are in the outline. */
const REQUEST = 6;
const CHECK = 24;

/** The checks in a part of the outline, in the order of the file; a script may hold some. */
function checksIn(symbols = []) {
  return symbols.flatMap(symbol => symbol.kind === CHECK ? [symbol] : checksIn(symbol.children));
}

/** Names of which each is different: what is there several times gets a number. */
function unique(names) {
  const seen = new Map();
  return names.map(name => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/**
 * The requests that have checks.
 * @param {object[]} symbols as `textDocument/documentSymbol` answers
 * @returns {{id: string, name: string, symbol: object, checks: {id: string, symbol: object}[]}[]}
 */
function requestsWithChecks(symbols) {
  const found = symbols.filter(({ kind }) => kind === REQUEST)
    .map(symbol => ({ symbol, checks: checksIn(symbol.children) }))
    .filter(({ checks }) => checks.length > 0);
  const ids = unique(found.map(({ symbol }) => symbol.name));
  return found.map(({ symbol, checks }, place) => {
    const own = unique(checks.map(({ name }) => name));
    return { id: ids[place], name: symbol.name, symbol,
      checks: checks.map((check, index) => ({ id: own[index], symbol: check })) };
  });
}

/**
 * What became of the checks: the first result of a check's name that no earlier check has taken.
 * @param {string[]} names of the checks in the order of the file
 * @param {{name: string, passed: boolean, message: string}[]} results of the send
 * @returns {{outcomes: (object | null)[], rest: object[]}} `null` for a check without a result;
 *   `rest` are those of no check, such as what a shared script asks
 */
function matchResults(names, results) {
  const rest = [...results];
  const outcomes = names.map(name => {
    const place = rest.findIndex(result => result.name === name);
    return place < 0 ? null : rest.splice(place, 1)[0];
  });
  return { outcomes, rest };
}

module.exports = { matchResults, requestsWithChecks };
