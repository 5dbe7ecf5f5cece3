'use strict';
// Pages that are photographed: a terminal, a request file with what the server says of it, and the
// environments.
const { html, trusted } = require('../vscode/src/response/html');
const { loadGrammar } = require('../vscode/test/browser/grammar');

const STYLE = `
body { margin: 0; padding: 18px 22px; background: var(--vscode-editor-background);
  color: var(--vscode-foreground); font: 13px/1.5 "DejaVu Sans", sans-serif; }
pre { margin: 0; font: 13px/19px "DejaVu Sans Mono", monospace; }
.screen { font-size: 14px; line-height: 20px; }
.screen span { display: inline-block; height: 20px; }
.bold { font-weight: bold; } .underline { text-decoration: underline; }
.hint { opacity: .75; font-style: italic; margin-left: 1.5ch; }
.title { font-weight: 600; margin: 0 0 6px; }
.below { margin-top: 18px; }
.box { border: 1px solid var(--vscode-panel-border); padding: 10px 14px; margin-bottom: 16px; }
.active { font-weight: 700; }
.keyword { color: var(--vscode-charts-purple); } .string { color: var(--vscode-charts-green); }
.name { color: var(--vscode-charts-blue); } .comment { opacity: .7; }
.variable { color: var(--vscode-editorWarning-foreground); }
`;

/** Scopes of our grammar and the class each is drawn with; the first that fits. */
const CLASSES = [[/^comment/, 'comment'],
  [/variable|support\.function|constant\.other/, 'variable'],
  [/entity\.name|keyword\.operator\.assertion/, 'name'], [/keyword|storage/, 'keyword'],
  [/string|constant/, 'string']];

const whole = (body, style = '') => html`<!DOCTYPE html><meta charset="utf-8">
<style>${trusted(STYLE + style)}</style>${body}`.text;

/**
 * A terminal.
 * @param {import('../vscode/src/response/html').Markup} screen
 * @param {string} background its colour, such as `#1c1c1c`
 */
function screenPage(screen, background) {
  return whole(screen, `body { padding: 10px; background: ${background}; }`);
}

function classOf(scopes) {
  const deepest = [...scopes].reverse();
  for (const scope of deepest) {
    const found = CLASSES.find(([pattern]) => pattern.test(scope));
    if (found) return found[1];
  }
  return '';
}

/** A request file in the colours of our grammar, with the hints of the server. */
async function requestPage(session, name) {
  return whole(await requestText(session, name));
}

/** The same with what the scripts of a request printed below it, as the output channel has it. */
async function scriptPage(session, name, request) {
  const printed = await session.output(name, request);
  return whole(html`${await requestText(session, name)}
<p class="title below">Output: PostKit Scripts</p>
<div class="box"><pre>${printed.map(line => html`<div>${line}</div>`)}</pre></div>`);
}

async function requestText(session, name) {
  const tokenize = await loadGrammar();
  const hints = await session.hints(name);
  const lines = tokenize(session.text(name).trimEnd()).map((tokens, line) => {
    const own = hints.filter(hint => hint.line === line).map(({ text }) => text.trim());
    return html`<div>${tokens.map(({ text, scopes }) =>
      html`<span class="${classOf(scopes)}">${text}</span>`)}${own.length
      ? html`<span class="hint">${own.join('  ')}</span>` : ' '}</div>`;
  });
  return html`<pre>${lines}</pre>`;
}

/** The file of the environments, and the list that one is chosen from. */
async function environmentPage(session) {
  const items = await session.environments();
  return whole(html`<p class="title">http-client.env.json</p>
<div class="box"><pre>${session.text('http-client.env.json').trimEnd()}</pre></div>
<p class="title">Choose an environment</p>
<div class="box">${items.map(({ name, active }) =>
    html`<div class="${active ? 'active' : ''}">${active ? '✓' : ' '} ${name}</div>`)}</div>
<p class="title">A request that uses it</p>
<div class="box"><pre>POST {{host}}/login

{ "user": "<span class="variable">{{user}}</span>" }</pre></div>`);
}

/** A drawing on a tile. @param {string} drawing as SVG */
function iconPage(drawing) {
  return whole(trusted(drawing), `body { padding: 0; background: #14232e; }
svg { display: block; width: 168px; height: 168px; padding: 44px; }`);
}

module.exports = { environmentPage, iconPage, requestPage, screenPage, scriptPage };
