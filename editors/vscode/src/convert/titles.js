'use strict';
// What the tabs of responses are called. VS Code calls a tab by the end of its address, and the
// server's ends in an id: here it gets a last part for people, which the server never sees.

const ID = '[0-9a-f-]{36}';
const WHOLE = new RegExp(`^/response/(${ID})\\.http$`);
const TITLED = new RegExp(`^/response/(${ID})/as/[^/]*\\.http$`);
const OF_EXCHANGE = new RegExp(`^/response/(${ID})(?:/|\\.http$)`);
const TITLE_LENGTH = 80;
/** More responses than anybody has open; of older ones the id is shown. */
const LIMIT = 1_000;

/** By exchange. @type {Map<string, string>} */
const titles = new Map();

/**
 * Names the response of an exchange. Its first name stays, as does the tab that has it.
 * @param {string} id
 * @param {string} [title] such as `[login] 200 OK`
 */
function nameResponse(id, title) {
  if (!id || !title || titles.has(id)) return;
  if (titles.size >= LIMIT) titles.delete(titles.keys().next().value);
  // A slash would end the part before it.
  const words = title.replace(/\s+/g, ' ').replaceAll('/', '∕');
  titles.set(id, words.slice(0, TITLE_LENGTH));
}

/** The address that VS Code has for an address of the server. @param {import('vscode').Uri} uri */
function titled(uri) {
  const id = uri.scheme === 'postkit' && WHOLE.exec(uri.path)?.[1];
  const title = id && titles.get(id);
  return title ? uri.with({ path: `/response/${id}/as/${title}.http` }) : uri;
}

/** The address that the server has for one of VS Code's. @param {import('vscode').Uri} uri */
function address(uri) {
  const id = uri.scheme === 'postkit' && TITLED.exec(uri.path)?.[1];
  return id ? `postkit:/response/${id}.http` : uri.toString();
}

/** The exchange that a document shows, whole or a part of it. @param {import('vscode').Uri} uri */
function exchangeOf(uri) {
  return uri.scheme === 'postkit' ? OF_EXCHANGE.exec(uri.path)?.[1] : undefined;
}

/** What the response of a record is called. @param {object} record of the view `record` */
function titleOf({ name, method, url, state, response }) {
  const place = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const result = response ? `${response.status} ${response.reason ?? ''}`.trim() : state;
  return `[${name || `${method} ${place}`}] ${result}`;
}

module.exports = { address, exchangeOf, nameResponse, titled, titleOf };
