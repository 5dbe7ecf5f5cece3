'use strict';
// Between the protocol's values and VS Code's. Positions are UTF-16 on both sides, so they pass
// through unchanged.
const vscode = require('vscode');
const { address, titled } = require('./titles');

/** The command every command of the server is wrapped in: its ids are not registered globally. */
const SERVER_COMMAND = 'postkit.serverCommand';

const position = value => new vscode.Position(value.line, value.character);
const range = value => new vscode.Range(position(value.start), position(value.end));
const uri = value => titled(vscode.Uri.parse(value, true));
const location = value => new vscode.Location(uri(value.uri), range(value.range));

const fromPosition = ({ line, character }) => ({ line, character });
const fromRange = ({ start, end }) => ({ start: fromPosition(start), end: fromPosition(end) });

/** @param {vscode.TextDocument} document */
const identifier = document => ({ uri: address(document.uri) });

/** The parameters of whatever is asked about one place. */
const place = (document, at) => ({
  textDocument: identifier(document), position: fromPosition(at),
});

/** @returns {vscode.Command | undefined} */
function command(value) {
  if (!value) return undefined;
  return {
    title: value.title,
    tooltip: value.tooltip,
    command: SERVER_COMMAND,
    arguments: [value.command, ...(value.arguments ?? [])],
  };
}

/** MarkupContent or string; nothing in it may run a command. */
function markdown(value) {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return new vscode.MarkdownString(value);
  if (value.kind === 'plaintext') return new vscode.MarkdownString().appendText(value.value);
  return new vscode.MarkdownString(value.value);
}

/** What links of a hover may run on the server: nothing but these (`links` of our capability). */
const LINKED = new Set(['postkit.signIn', 'postkit.forgetToken', 'postkit.showClaims']);
const LINK = /\[([^\]]+)\]\(command:([A-Za-z.]+)\?([^)]*)\)/g;

/** The parts of a hover: its text, in which nothing runs, and behind that the links that run. */
function hover(value) {
  const text = value?.kind === 'markdown' ? value.value : '';
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const links = [...last.matchAll(LINK)].map(([, title, name, query]) =>
    LINKED.has(name) ? link(title, name, query) : undefined);
  if (links.length === 0 || links.includes(undefined)) return [markdown(value)];
  const linked = new vscode.MarkdownString(links.join(' · '));
  linked.isTrusted = { enabledCommands: [SERVER_COMMAND] };
  return [markdown({ ...value, value: text.slice(0, text.length - last.length) }), linked];
}

function link(title, name, query) {
  try {
    const words = [name, ...JSON.parse(decodeURIComponent(query))];
    return `[${title}](command:${SERVER_COMMAND}?${encodeURIComponent(JSON.stringify(words))})`;
  } catch {
    return undefined;  // It is shown as it is, and does nothing.
  }
}

const documentation = value => typeof value === 'string' ? value : markdown(value);
const textEdit = value => new vscode.TextEdit(range(value.range), value.newText);

module.exports = {
  SERVER_COMMAND, command, documentation, fromPosition, fromRange, hover, identifier, location,
  markdown, place, position, range, textEdit, uri,
};
