'use strict';
// A screen that Vim has dumped (`term_dumpwrite`), as cells and as HTML. Pure.
const { html } = require('../vscode/src/response/html');

/** Vim's highlight attributes of a cell. */
const [INVERSE, BOLD, UNDERLINE] = [1, 2, 8];
const ATTRIBUTE_NAMES = [[BOLD, 'bold'], [UNDERLINE, 'underline']];

/** One cell: `|` or `>` for the cursor, the character, what has changed, how often it repeats. */
const CELL = new RegExp('([|>])'
  + '((?:[^|>+*@&#]|[|>+*@&#](?=[|>+*@&#]|$))[\\u0300-\\u036f]*)'
  + '([*+])?(?:(&|\\d+)(&|#[0-9a-f]{6}\\d*)(&|#[0-9a-f]{6}\\d*))?(?:@(\\d+))?', 'uy');

/**
 * The cells of a dump, line by line.
 * @param {string} text
 * @returns {{text: string, attributes: number, fore: string, back: string, isCursor: boolean}[][]}
 */
function readDump(text) {
  let style = { attributes: 0, fore: '', back: '' };
  let last = null;
  return text.trimEnd().split('\n').map(line => {
    // A line may begin with repetitions of the cell that ended the one above.
    const [start, count] = /^@(\d+)/.exec(line) ?? ['', 0];
    const cells = Array.from({ length: Number(count) }, () => ({ ...last, isCursor: false }));
    CELL.lastIndex = start.length;
    while (CELL.lastIndex < line.length) {
      const place = CELL.lastIndex;
      const found = CELL.exec(line);
      if (!found) throw new Error(`this is no dump: ${line.slice(place, place + 40)}`);
      const [, mark, character, , attributes, fore, back, repeated] = found;
      if (attributes !== undefined) {
        style = { attributes: attributes === '&' ? style.attributes : Number(attributes),
          fore: fore === '&' ? style.fore : fore.slice(0, 7),
          back: back === '&' ? style.back : back.slice(0, 7) };
      }
      for (let count = Number(repeated ?? 0); count >= 0; count -= 1) {
        cells.push({ text: character, ...style, isCursor: mark === '>' });
      }
      last = cells.at(-1);
    }
    return cells;
  });
}

const styleOf = ({ attributes, fore, back, isCursor }) =>
  `${attributes} ${fore} ${back} ${isCursor}`;

function run(cells) {
  const { attributes, fore, back, isCursor } = cells[0];
  const isInverse = Boolean(attributes & INVERSE) !== isCursor;
  const [color, background] = isInverse ? [back, fore] : [fore, back];
  const names = ATTRIBUTE_NAMES.filter(([bit]) => attributes & bit).map(([, name]) => name);
  return html`<span class="${names.join(' ')}"
style="color:${color};background:${background}">${cells.map(({ text }) => text).join('')}</span>`;
}

/** A screen as HTML. @param {object[][]} lines */
function screenHTML(lines) {
  return html`<pre class="screen">${lines.map(cells => {
    const runs = [];
    for (const cell of cells) {
      if (runs.length && styleOf(runs.at(-1)[0]) === styleOf(cell)) runs.at(-1).push(cell);
      else runs.push([cell]);
    }
    return html`<div>${runs.map(run)}</div>`;
  })}</pre>`;
}

module.exports = { readDump, screenHTML };
