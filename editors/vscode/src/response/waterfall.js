'use strict';
// Where the time of an exchange went: a row for each redirect and for the answer, each with its
// phases on one common time line. Pure.

/** The phases in their order: each ends at the member of the record's `timings`. */
const PHASES = [
  { id: 'dns', name: 'Name lookup' },
  { id: 'connect', name: 'Connect' },
  { id: 'tls', name: 'TLS handshake' },
  { id: 'firstByte', name: 'Wait for the first byte' },
  { id: 'total', name: 'Receive' },
];

/**
 * The phases of one request that took time, in milliseconds on the common line.
 * @param {object} timings each counted from the start of its request
 * @param {number} start where that request starts
 */
function phases(timings, start) {
  const found = [];
  let end = 0;
  for (const { id, name } of PHASES) {
    // A phase that there was not is 0, such as TLS without TLS.
    const next = Math.max(end, timings[id] ?? 0);
    if (next > end) found.push({ id, name, from: start + end, to: start + next });
    end = next;
  }
  return found;
}

/**
 * The rows of the waterfall.
 * @param {object} record of an exchange, as the server gives it
 * @returns {{rows: object[], total: number}} in milliseconds since the start
 */
function waterfall(record) {
  const rows = [];
  let start = 0;
  for (const hop of record.hops) {
    rows.push({ method: hop.method, url: hop.url, status: hop.status, from: start,
      to: start + hop.timings.total, phases: phases(hop.timings, start) });
    start += hop.timings.total;
  }
  // The times of the whole are counted from the first redirect on.
  const own = Object.fromEntries(PHASES.map(({ id }) =>
    [id, Math.max(0, (record.timings[id] ?? 0) - start)]));
  rows.push({ method: record.method, url: record.url, status: record.status, from: start,
    to: start + own.total, phases: phases(own, start) });
  return { rows, total: Math.max(start + own.total, 0) };
}

module.exports = { PHASES, waterfall };
