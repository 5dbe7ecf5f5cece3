'use strict';
// Between the protocol's values and VS Code's. Positions are UTF-16 on both sides, so they pass
// through unchanged.
const vscode = require('vscode');

/** The command every command of the server is wrapped in: its ids are not registered globally. */
const SERVER_COMMAND = 'postkit.serverCommand';

const position = value => new vscode.Position(value.line, value.character);
const range = value => new vscode.Range(position(value.start), position(value.end));
const uri = value => vscode.Uri.parse(value, true);

const fromPosition = ({ line, character }) => ({ line, character });
const fromRange = ({ start, end }) => ({ start: fromPosition(start), end: fromPosition(end) });

/** @param {vscode.TextDocument} document */
const identifier = document => ({ uri: document.uri.toString() });

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

const documentation = value => typeof value === 'string' ? value : markdown(value);
const textEdit = value => new vscode.TextEdit(range(value.range), value.newText);

/** A diagnostic that remembers what the server sent, for the code action request. */
class ServerDiagnostic extends vscode.Diagnostic {
  /** @param {object} value as the protocol has it */
  constructor(value) {
    super(range(value.range), value.message.value ?? value.message, (value.severity ?? 1) - 1);
    this.original = value;
    this.source = value.source;
    this.code = value.codeDescription
      ? { value: value.code, target: uri(value.codeDescription.href) } : value.code;
    this.tags = value.tags;
    this.relatedInformation = value.relatedInformation?.map(item =>
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(uri(item.location.uri), range(item.location.range)), item.message));
  }
}

function workspaceEdit(value) {
  const edit = new vscode.WorkspaceEdit();
  for (const [target, edits] of Object.entries(value.changes ?? {})) {
    edit.set(uri(target), edits.map(textEdit));
  }
  for (const change of value.documentChanges ?? []) {
    if (change.kind === 'create') edit.createFile(uri(change.uri), change.options);
    else edit.set(uri(change.textDocument.uri), change.edits.map(textEdit));
  }
  return edit;
}

/** @returns {vscode.CodeAction} a bare command becomes an action too */
function codeAction(value) {
  const action = new vscode.CodeAction(value.title,
    value.kind ? vscode.CodeActionKind.Empty.append(value.kind) : undefined);
  const isBareCommand = typeof value.command === 'string';
  action.isPreferred = value.isPreferred;
  action.disabled = value.disabled;
  action.command = command(isBareCommand ? value : value.command);
  if (value.edit) action.edit = workspaceEdit(value.edit);
  if (value.diagnostics) {
    action.diagnostics = value.diagnostics.map(item => new ServerDiagnostic(item));
  }
  action.original = value;
  return action;
}

function inlayHint(value) {
  const label = typeof value.label === 'string' ? value.label : value.label.map(inlayHintPart);
  const hint = new vscode.InlayHint(position(value.position), label, value.kind);
  hint.paddingLeft = value.paddingLeft;
  hint.paddingRight = value.paddingRight;
  hint.tooltip = documentation(value.tooltip);
  hint.textEdits = value.textEdits?.map(textEdit);
  hint.original = value;
  return hint;
}

function inlayHintPart(value) {
  const part = new vscode.InlayHintLabelPart(value.value);
  part.tooltip = documentation(value.tooltip);
  part.command = command(value.command);
  if (value.location) {
    part.location = new vscode.Location(uri(value.location.uri), range(value.location.range));
  }
  return part;
}

function codeLens(value) {
  const lens = new vscode.CodeLens(range(value.range), command(value.command));
  lens.original = value;
  return lens;
}

function documentSymbol(value) {
  const symbol = new vscode.DocumentSymbol(value.name, value.detail ?? '', value.kind - 1,
    range(value.range), range(value.selectionRange));
  symbol.tags = value.tags;
  symbol.children = (value.children ?? []).map(documentSymbol);
  return symbol;
}

module.exports = {
  SERVER_COMMAND, ServerDiagnostic, codeAction, codeLens, command, documentSymbol, documentation,
  fromPosition, fromRange, identifier, inlayHint, markdown, position, range, textEdit, uri,
  workspaceEdit,
};
