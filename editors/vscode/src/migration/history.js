'use strict';
// REST Client's history as a request file. It kept what was sent and not what came back, so that
// its entries become requests of a collection. Pure.

/** What a request file reads as something else than the text of a body. */
const NOT_TEXT = /^(###|\s*[<>]|\?\?|\s*(#|\/\/)|@|import |run )|\{\{|\}\}|\r/m;
const SECRET_HEADER = /^(authorization|proxy-authorization|cookie)$|token|secret|key|passw/i;
/** What REST Client adds by itself and no person wrote. */
const OWN_HEADERS = new Set(['content-length', 'accept-encoding', 'connection']);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const isOneLine = text => typeof text === 'string' && !/[\r\n]|\{\{|\}\}/.test(text);

/** The name of a variable for a header's value. */
function variable(header) {
  return header.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

/** One entry as a block; `null` where a request file can't say it. */
function block({ method, url, headers, body, startTime }, hidden) {
  const fields = Object.entries(headers ?? {}).filter(
    ([name, value]) => !OWN_HEADERS.has(name.toLowerCase()) && value !== undefined);
  const isFine = TOKEN.test(method ?? '') && isOneLine(url) && !/\s/.test(url)
    && fields.every(([name, value]) => TOKEN.test(name) && isOneLine(String(value)))
    && (body === undefined || body === null || body === ''
      || (typeof body === 'string' && !NOT_TEXT.test(body)));
  if (!isFine) return null;
  const time = new Date(startTime);
  const when = Number.isNaN(time.getTime()) ? '' : `, ${time.toISOString()}`;
  const lines = [`### ${method} ${url.replace(/[?#].*$/, '')}${when}`, `${method} ${url}`];
  for (const [name, value] of fields) {
    if (SECRET_HEADER.test(name)) hidden.add(variable(name));
    lines.push(`${name}: ${SECRET_HEADER.test(name) ? `{{${variable(name)}}}` : value}`);
  }
  if (body) lines.push('', body);
  return lines.join('\n');
}

/**
 * A request file of a history, the newest first.
 * @param {object[]} entries of REST Client's `history.json`
 * @returns {{text: string, count: number, left: number, hidden: string[]}} `left` could not be
 *   written; `hidden` are the variables that stand in the place of credentials
 */
function historyText(entries) {
  const hidden = new Set();
  const blocks = entries.map(entry => block(entry ?? {}, hidden));
  const good = blocks.filter(each => each !== null);
  return { text: good.length ? `${good.join('\n\n')}\n` : '', count: good.length,
    left: blocks.length - good.length, hidden: [...hidden].sort() };
}

module.exports = { historyText };
