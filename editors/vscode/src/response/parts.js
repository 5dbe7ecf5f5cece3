'use strict';
// The parts of the response panel as HTML: values in, markup out. Nothing here knows VS Code.
const { clock, describeResult } = require('../window/render');
const { html, trusted } = require('./html');
const { PHASES, waterfall } = require('./waterfall');

/** The width of a bar's drawing; it is stretched to the width there is. */
const BAR_WIDTH = 1000;
const BAR_HEIGHT = 14;

/** A step of the drawing of where the time went. */
const milliseconds = value => value < 999.5
  ? `${value.toFixed(value < 10 ? 1 : 0)} ms` : clock(value);
const note = text => html`<p class="note">${text}</p>`;
const pieceNote = ({ size, eof }) => eof ? null
  : note(`This is the beginning of ${size}. "Open as Text" shows more.`);

/** What came back, with a field for a part of it. @param {object} preview of `source.js` */
function previewPart(preview) {
  if (!['html', 'text'].includes(preview.kind)) return wholePart(preview);
  return html`
    <p><label for="filter">Show only</label>
      <input id="filter" type="text" spellcheck="false" autocomplete="off"
        placeholder="JSONPath or XPath: $.items[0].name"></p>
    <p id="problem" class="note" role="status"></p>
    <pre id="filtered" class="body" hidden></pre>
    <div id="whole">${wholePart(preview)}</div>`;
}

/** What came back, as a person would look at it. */
function wholePart(preview) {
  switch (preview.kind) {
    case 'html':
      return html`
        <p class="note">Shown without scripts, styles and anything from the network.</p>
        <iframe sandbox="" referrerpolicy="no-referrer" title="The HTML of the response"
          srcdoc="${preview.text}"></iframe>
        ${pieceNote(preview)}`;
    case 'image':
      return html`<img alt="The picture of the response, ${preview.contentType}"
        src="data:${preview.contentType};base64,${preview.base64}">
        ${note(`${preview.contentType}, ${preview.size}`)}`;
    case 'text':
      return html`<pre class="body">${preview.text}</pre>${pieceNote(preview)}`;
    default: return note(preview.reason);
  }
}

/** A phase, drawn with attributes alone: the policy of the page forbids inline styles. */
function bar({ id, from, to }, total) {
  const scale = BAR_WIDTH / (total || 1);
  return html`<rect class="phase-${id}" x="${(from * scale).toFixed(2)}" y="0"
    width="${Math.max(1, (to - from) * scale).toFixed(2)}" height="${BAR_HEIGHT}"></rect>`;
}

function waterfallRow(row, total) {
  const words = row.phases.map(({ name, from, to }) => `${name} ${milliseconds(to - from)}`);
  return html`<tr>
    <th scope="row"><span class="method">${row.method}</span> ${row.url}
      <span class="detail">${row.status ?? 'no answer'}</span></th>
    <td class="chart"><svg viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT}" preserveAspectRatio="none"
      role="img" aria-label="${words.join(', ') || 'No times were measured'}">
      ${row.phases.map(phase => bar(phase, total))}</svg></td>
    <td class="number">${milliseconds(row.to - row.from)}</td></tr>`;
}

function phaseRow(phase) {
  return html`<tr>
    <th scope="row"><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect
      class="phase-${phase.id}" width="10" height="10"></rect></svg> ${phase.name}</th>
    <td class="number">${milliseconds(phase.from)}</td>
    <td class="number">${milliseconds(phase.to - phase.from)}</td></tr>`;
}

/** Where the time went: a bar for each redirect and the answer, then each phase in figures. */
function timingPart(record) {
  const { rows, total } = waterfall(record);
  if (total === 0) return note('No times were measured.');
  const known = new Set(PHASES.map(({ id }) => id));
  return html`
    <table class="waterfall"><caption>Waterfall, ${milliseconds(total)} in all</caption>
      <thead><tr><th scope="col">Request</th><th scope="col">Time</th>
        <th scope="col" class="number">Took</th></tr></thead>
      <tbody>${rows.map(row => waterfallRow(row, total))}</tbody></table>
    ${rows.map((row, place) => html`
      <table><caption>${row.method} ${row.url}</caption>
        <thead><tr><th scope="col">Phase</th><th scope="col" class="number">Began at</th>
          <th scope="col" class="number">Took</th></tr></thead>
        <tbody>${row.phases.filter(({ id }) => known.has(id)).map(phaseRow)}</tbody></table>
      ${place < rows.length - 1 ? note(`Redirected with ${row.status}.`) : null}`)}`;
}

function headerTable(caption, headers) {
  if (headers.length === 0) return note(`${caption}: no headers.`);
  return html`<table class="headers"><caption>${caption}</caption>
    <thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead>
    <tbody>${headers.map(([name, value]) =>
      html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`;
}

/** The status line and headers of the answer and of the redirects before it. */
function headersPart(record) {
  const hops = record.hops.map(hop =>
    headerTable(`${hop.status} from ${hop.url}`, hop.responseHeaders));
  if (!record.response) return html`${hops}${note(record.message ?? 'No response.')}`;
  const { httpVersion, status, reason, headers } = record.response;
  return html`${headerTable(`${httpVersion} ${status} ${reason}`, headers)}${hops}`;
}

/** A body as it went over the wire. */
function rawBody(body, whenEmpty) {
  if (body.total === 0) return note(whenEmpty);
  if (body.text === null) return note(`The body has ${body.size} that are not text.`);
  return html`<pre class="body">${body.text}</pre>${pieceNote(body)}`;
}

/** What came back as it was received: not laid out, and of HTML the source. */
function rawPart(record, raw) {
  return rawBody(raw, record.response ? 'The body is empty.'
    : record.message ?? 'No response.');
}

/** What went over the wire, with what was added on the way and with masks in place of secrets. */
function sentPart(record, sent) {
  return html`
    ${record.hops.map(hop => headerTable(`${hop.method} ${hop.url}`, hop.requestHeaders))}
    ${headerTable(`${record.method} ${record.url}`, record.request.headers)}
    ${rawBody(sent, 'No body was sent.')}
    ${record.redacted ? note('Secrets are masked here, but were sent.') : null}`;
}

function testRow({ name, passed, message }) {
  return html`<li class="${passed ? 'passed' : 'failed'}"><span class="mark"
    aria-hidden="true">${passed ? '✓' : '✗'}</span> <span class="word">${
    passed ? 'Passed' : 'Failed'}</span> <code>${name}</code>${
    message ? html`<div class="detail">${message}</div>` : null}</li>`;
}

/** The checks, failed ones first. */
function testsPart(record) {
  const { tests } = record;
  if (tests.length === 0) {
    return note('This request has no checks. Add a line such as "?? status == 200".');
  }
  const failed = tests.filter(({ passed }) => !passed);
  return html`<p>${record.verdict}.</p>
    <ul class="tests">${[...failed, ...tests.filter(({ passed }) => passed)].map(testRow)}</ul>`;
}

function historyRow(entry, current, formatTime) {
  const isCurrent = entry.id === current;
  return html`<tr${isCurrent ? trusted(' aria-current="true"') : null}>
    <td>${formatTime(entry.time)}</td><td>${describeResult(entry)}</td>
    <td>${isCurrent ? 'shown here' : html`
      <button data-act="open" data-id="${entry.id}"
        aria-label="Show the response of ${formatTime(entry.time)}">Show</button>
      <button data-act="compare" data-id="${entry.id}"
        aria-label="Compare with the response of ${formatTime(entry.time)}">Compare</button>`}
    </td></tr>`;
}

/** What the same request returned before. @param {(time: string) => string} formatTime */
function historyPart(record, history, formatTime) {
  if (history.length === 0) return note('The history does not have this request.');
  return html`<table><caption>Responses of this request, newest first</caption>
    <thead><tr><th scope="col">When</th><th scope="col">Result</th>
      <th scope="col">Do</th></tr></thead>
    <tbody>${history.map(entry => historyRow(entry, record.id, formatTime))}</tbody></table>`;
}

module.exports = {
  headersPart, historyPart, previewPart, rawPart, sentPart, testsPart, timingPart,
};
