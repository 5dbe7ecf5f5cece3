'use strict';
// The page of the statistics panel: a table of figures, of which each row leads to its exchanges.
// Pure.
const { html, trusted } = require('../response/html');
const { policy } = require('../response/policy');

/** What exchanges are counted by (`PostkitStatisticsKey`): what each is called. */
const KEYS = { request: 'Request', host: 'Host', path: 'Path', status: 'Status', method: 'Method',
  environment: 'Environment', day: 'Day' };
/** What stands for the exchanges that have no value. */
const NONE = { status: 'no response', environment: 'no environment' };
/** A bar is stretched to the width there is. */
const BAR_WIDTH = 1000;
const BAR_HEIGHT = 14;

const formatCount = count => count.toLocaleString('en');
/** A part of a whole; the least of it is not nothing. */
const percent = (part, whole) => {
  const share = Math.round((part * 100) / whole);
  return share === 0 ? '< 1 %' : `${share} %`;
};
const fileName = file => file.split(/[\\/]/).at(-1);

/** The columns of figures: what each is called, sorted and shown by. */
const COLUMNS = [
  { id: 'count', name: 'Count', value: row => row.count, text: row => formatCount(row.count) },
  { id: 'failed', name: 'Failed', value: row => row.failed,
    text: row => row.failed === 0 ? '0'
      : `${formatCount(row.failed)} (${percent(row.failed, row.count)})` },
  { id: 'median', name: 'Median', value: row => row.median,
    text: row => row.texts.median },
  { id: 'p95', name: 'p95', value: row => row.p95, text: row => row.texts.p95,
    tooltip: 'The time that 95 of 100 did not exceed' },
  { id: 'max', name: 'Max', value: row => row.max, text: row => row.texts.max },
  { id: 'bytes', name: 'Received', value: row => row.responseBytes,
    text: row => row.texts.responseBytes },
  { id: 'sent', name: 'Sent', value: row => row.requestBytes,
    text: row => row.texts.requestBytes },
  { id: 'last', name: 'Last', value: row => Date.parse(row.last),
    text: (row, formatTime) => formatTime(row.last) },
];

/** How many there are, and how many of them failed. */
function bar({ count, failed }, most) {
  const width = part => ((part * BAR_WIDTH) / most).toFixed(2);
  // The least of them can be seen, too.
  const bad = failed === 0 ? 0 : Math.max(Number(width(failed)), BAR_WIDTH / 100);
  return html`<svg viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none"
    role="img" aria-label="${count} sent, ${failed} failed"><rect class="bar-all" width="${
      Math.max(Number(width(count)), BAR_WIDTH / 100)}" height="${BAR_HEIGHT}"></rect>${failed
    ? html`<rect class="bar-failed" width="${bad}" height="${BAR_HEIGHT}"></rect>` : null}</svg>`;
}

function name(row, by) {
  const text = row.value ?? NONE[by] ?? 'none';
  const file = row.file ? html` <span class="detail" title="${row.file}">${
    fileName(row.file)}</span>` : null;
  if (row.line === undefined) return html`<span>${text}</span>${file}`;
  return html`<button class="link" data-act="filter" data-line="${row.line}"
    title="Show them in the history">${text}</button>${file}`;
}

function tableRow(row, { by, most, formatTime }) {
  return html`<tr><th scope="row" data-value="${row.value ?? ''}">${name(row, by)}</th>
    <td class="chart">${bar(row, most)}</td>
    ${COLUMNS.map(({ id, value, text }) => html`<td class="number ${id}"
      data-value="${value(row)}">${id === 'failed' && row.failed
        ? html`<span class="failed">${text(row)}</span>` : text(row, formatTime)}</td>`)}</tr>`;
}

/** A head that sorts by its column; the first is in the order of the server at the beginning. */
function head({ name: title, tooltip }, place) {
  return html`<th scope="col"${place === 0 ? null : trusted(' class="number"')}><button
    class="head" data-sort="${place}"${tooltip ? html` title="${tooltip}"` : null}>${
    title}</button></th>`;
}

function table(rows, { by, formatTime }) {
  if (rows.length === 0) return html`<p class="note">Nothing matches.</p>`;
  const most = Math.max(...rows.map(({ count }) => count));
  const [first, ...rest] = [{ name: KEYS[by] }, ...COLUMNS].map(head);
  return html`<table class="figures">
    <thead><tr>${first}<th scope="col">Share</th>${rest}</tr></thead>
    <tbody>${rows.map(row => tableRow(row, { by, most, formatTime }))}</tbody></table>`;
}

function totals(rows, summary) {
  const sum = key => rows.reduce((total, row) => total + row[key], 0);
  const count = sum('count');
  if (count === 0) return null;
  return html`<span>${formatCount(count)} sent</span>
    <span class="${sum('failed') ? 'failed' : 'passed'}">${formatCount(sum('failed'))} failed</span>
    <span>${summary}</span>`;
}

/**
 * The whole page.
 * @param {{by: string, line: string, rows: object[]}} figures of `postkit/statistics`
 * @param {{nonce: string, style: string, script: string, formatTime: (time: string) => string}} own
 *   what is ours: a fresh random word, our two files, and how a person writes a time
 * @returns {string}
 */
function page({ by, line, rows, summary }, { nonce, style, script, formatTime }) {
  return html`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Statistics by ${KEYS[by].toLowerCase()}</title>
<style nonce="${nonce}">${trusted(style)}</style></head>
<body>
<header><h1>${line ? html`History, <span class="method">${line}</span>` : 'The whole history'}</h1>
<p class="outcome" role="status">${totals(rows, summary)}</p>
<div role="toolbar" aria-label="Count by">${Object.entries(KEYS).map(([key, title]) => html`
<button data-act="by" data-by="${key}" aria-pressed="${String(key === by)}">${title}</button>`)}
</div></header>
<main>${table(rows, { by, formatTime })}</main>
<script nonce="${nonce}">${trusted(script)}</script>
</body></html>`.text;
}

module.exports = { KEYS, page };
