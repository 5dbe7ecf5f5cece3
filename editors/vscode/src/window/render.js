'use strict';
// The short texts users read: sizes, times, one line per exchange. Pure, so that tests say it all.

/** @param {number} bytes @returns {string} decimal units, as in the server's hints: `4.1 kB` */
function formatSize(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (unit < units.length - 1 && (unit === 0 ? value >= 1000 : value >= 999.95)) {
    value /= 1000;
    unit += 1;
  }
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}

/** @param {number} milliseconds @returns {string} `182 ms`, `1.2 s`, `2 min 5 s` */
function formatDuration(milliseconds) {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What one send came to, for the status bar. @param {object} result of `postkit.send` */
function describeResult({ state, status, ms, size, error, tests }) {
  if (state === 'cancelled') return 'Cancelled';
  if (state === 'failed') return `Failed: ${error?.message ?? error?.code ?? 'no response'}`;
  const parts = [`${status}`, formatDuration(ms), formatSize(size)];
  if (tests?.failed) parts.push(`${tests.failed} of ${tests.passed + tests.failed} tests failed`);
  else if (tests?.passed) parts.push(`${tests.passed} ${tests.passed === 1 ? 'test' : 'tests'} passed`);
  return parts.join(' · ');
}

/** Whether one send came to nothing good, as the server's hint of it says. @param {object} result */
function isFailure({ state, status, tests, error }) {
  return state === 'failed' || status >= 400 || tests?.failed > 0 || Boolean(error);
}

/**
 * How far a send is: the time alone, or behind the request line with what has come.
 * @param {{ms: number, status?: number | null, received?: number, isInline?: boolean}} send
 */
function describeLive({ ms, status, received, isInline }) {
  const time = ms < 59_950 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms);
  if (!isInline) return time;
  return status ? `${status} · ${time} · ${formatSize(received)}…` : `sending… ${time}`;
}

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
 * What a whole file came to: as the server says it where it has told of each request.
 * @param {object[]} results of `postkit.sendAll`
 * @param {{summary?: string, reason?: string}} [over] the last partial result
 */
function describeResults(results, over) {
  if (over?.summary) return [over.summary, over.reason].filter(Boolean).join(': ');
  const count = state => results.filter(result => result.state === state).length;
  const parts = [`${results.length} ${results.length === 1 ? 'request' : 'requests'} sent`];
  for (const [state, word] of [['failed', 'failed'], ['cancelled', 'cancelled']]) {
    if (count(state)) parts.push(`${count(state)} ${word}`);
  }
  const tests = results.reduce((sum, result) => sum + (result.tests?.failed ?? 0), 0);
  if (tests) parts.push(`${tests} ${tests === 1 ? 'test' : 'tests'} failed`);
  return parts.join(', ');
}

/**
 * One exchange of the history as a quick pick item.
 * @param {object} entry as `postkit/history` lists it
 * @param {(time: Date) => string} formatTime
 */
function historyItem(entry, formatTime) {
  const outcome = entry.state === 'done' ? String(entry.status) : entry.state;
  const icon = entry.state === 'cancelled' ? '$(circle-slash)'
    : entry.state === 'failed' || entry.status >= 400 ? '$(error)' : '$(check)';
  const description = [entry.name, outcome,
    formatDuration(entry.ms), entry.state === 'done' ? formatSize(entry.size) : null,
    entry.pinned ? '$(pinned)' : null, entry.label && `[${entry.label}]`];
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
  describeLive, describeResult, describeResults, describeStep, formatDuration, formatSize,
  historyItem, isFailure, responseUri, shiftLine, storedItem,
};
