'use strict';
// The page of the response panel: one exchange, its parts behind tabs. Pure.
const { describeResult } = require('../window/render');
const { html, trusted } = require('./html');
const parts = require('./parts');
const { policy } = require('./policy');

/** The tabs in their order; each with what it shows. */
function tabs({ record, preview, raw, sent, history }, formatTime) {
  const failed = record.tests.filter(({ passed }) => !passed).length;
  return [
    { id: 'preview', name: 'Preview', content: parts.previewPart(preview) },
    { id: 'raw', name: 'Raw', content: parts.rawPart(record, raw) },
    { id: 'timing', name: 'Timing', content: parts.timingPart(record) },
    { id: 'headers', name: 'Headers', content: parts.headersPart(record) },
    { id: 'sent', name: 'Sent', content: parts.sentPart(record, sent) },
    { id: 'tests', name: failed ? `Tests (${failed} failed)` : `Tests (${record.tests.length})`,
      content: parts.testsPart(record) },
    { id: 'history', name: 'History', content: parts.historyPart(record, history, formatTime) },
  ];
}

function tab({ id, name }, place) {
  const isFirst = place === 0;
  return html`<button role="tab" id="tab-${id}" aria-controls="panel-${id}"
    aria-selected="${String(isFirst)}" tabindex="${isFirst ? 0 : -1}">${name}</button>`;
}

function panel({ id, content }, place) {
  return html`<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}" tabindex="0"${
    place === 0 ? null : trusted(' hidden')}>${content}</div>`;
}

function outcome(record) {
  if (!record.response) return html`<span class="failed">${record.message ?? record.state}</span>`;
  return html`<span class="${record.mood === 'failed' ? 'failed' : 'passed'}">${
    describeResult(record)}</span>
    ${record.remoteAddress ? html`<span>${record.remoteAddress}</span>` : null}
    ${record.environment ? html`<span>environment ${record.environment}</span>` : null}`;
}

/**
 * The whole page.
 * @param {object} values of one exchange, see `source.js`
 * @param {{nonce: string, style: string, script: string, formatTime: (time: string) => string,
 *   reason?: string | null}} own what is ours: a fresh random word, our two files, how a person
 *   writes a time, and why no newer response came, where one was to come
 * @returns {string}
 */
function page(values, { nonce, style, script, formatTime, reason }) {
  const { record } = values;
  const list = tabs(values, formatTime);
  const grey = reason ? trusted(' class="outdated"') : null;
  return html`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${record.method} ${record.url}</title>
<style nonce="${nonce}">${trusted(style)}</style></head>
<body>
${reason ? html`<p id="reason" role="alert"><span class="failed">${reason}</span>
<span class="note">This is an earlier response.</span></p>` : null}
<header${grey}><h1><span class="method">${record.method}</span> ${record.url}</h1>
<p class="outcome" role="status">${outcome(record)}</p>
<div role="toolbar" aria-label="Response">
<button data-act="text">Open as Text</button>
${record.response ? html`<button data-act="copy">Copy Body</button>
<button data-act="save">Save Body…</button>` : null}
<button data-act="resend">Send Again</button>
</div></header>
<main${grey}><div role="tablist" aria-label="Parts of the response">${list.map(tab)}</div>
${list.map(panel)}</main>
<script nonce="${nonce}">${trusted(script)}</script>
</body></html>`.text;
}

module.exports = { page };
