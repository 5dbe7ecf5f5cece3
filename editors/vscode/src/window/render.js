'use strict';
// The short texts users read: a clock, one line per exchange. Pure, so that tests say it all.

/** How long a send has taken so far: `1.2 s`, `2 min 5 s`. @param {number} ms */
function clock(ms) {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What one send came to, in the server's words. @param {object} result of `postkit/send` */
const describeResult = ({ summary, state }) => summary ?? state;

/** Something that a script printed. @param {object} printed as `postkit/didPrint` tells it */
const describeOutput = ({ level, text }) =>
  ({ warn: 'warning: ', error: 'error: ' }[level] ?? '') + text;

/** A send that goes on. @param {{ms: number, summary?: string}} send with what has come of it */
const describeLive = ({ ms, summary }) => (summary ? `${summary}  ` : 'sending… ') + clock(ms);

/** Which of several requests is being sent: `3 of 40, `. @param {object} send */
function describeStep({ number, total }) {
  return total > 1 ? `${Math.max(number, 1)} of ${total}, ` : '';
}

/**
 * Where a line is after edits; each range holds in the text that the ones before it leave behind.
 * @param {number} line
 * @param {{range: object, text: string}[]} changes
 */
function shiftLine(line, changes) {
  return changes.reduce((at, { range: { start, end }, text }) => {
    const isBefore = end.line < at || (end.line === at && end.character === 0);
    if (isBefore) return at + text.split('\n').length - 1 - (end.line - start.line);
    return start.line < at ? start.line : at;
  }, line);
}

/**
 * What a whole file came to, in the server's words.
 * @param {object[]} results of `postkit.sendAll`
 * @param {{summary?: string, reason?: string}} [over] the last partial result, where it has several
 */
function describeResults(results, over) {
  if (over) return [over.summary, over.reason].filter(Boolean).join(': ');
  return results.length === 0 ? 'No requests were sent' : describeResult(results.at(-1));
}

/**
 * One exchange of the history as a quick pick item.
 * @param {object} entry as `postkit/history` lists it
 * @param {(time: Date) => string} formatTime
 */
function historyItem(entry, formatTime) {
  const icon = { cancelled: '$(circle-slash)', failed: '$(error)' }[entry.mood] ?? '$(check)';
  const description = [entry.name, describeResult(entry), entry.pinned ? '$(pinned)' : null,
    entry.label && `[${entry.label}]`];
  const detail = [formatTime(new Date(entry.time)), entry.environment, fileName(entry.file),
    entry.error, entry.note];
  return {
    label: `${icon} ${entry.method} ${entry.url}`,
    description: description.filter(Boolean).join(' · '),
    detail: detail.filter(Boolean).join(' · '),
    id: entry.id,
  };
}

/** A stored request as a quick pick item. @param {object} node as `postkit/collections` lists it */
function storedItem({ id, uri, name, method, url, path, tags = [], isFavourite }) {
  // The last part is its name.
  const place = path?.endsWith(`/${name}`) ? path.slice(0, -name.length - 1) : path;
  return {
    label: `$(${isFavourite ? 'star-full' : 'symbol-method'}) ${method} ${name}`,
    description: place?.replaceAll('/', ' / '),
    detail: [url, ...tags.map(tag => `#${tag}`)].join(' '),
    id,
    uri,
  };
}

function fileName(file) {
  return file?.split(/[\\/]/).at(-1);
}

/** The address of a stored exchange as a document (contracts: URIs). @param {string} id */
function responseUri(id) {
  return `postkit:/response/${id}.http`;
}

module.exports = {
  clock, describeLive, describeOutput, describeResult, describeResults, describeStep, historyItem,
  responseUri, shiftLine, storedItem,
};
