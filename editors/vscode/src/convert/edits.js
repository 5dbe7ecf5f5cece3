'use strict';
// Edits of several files as VS Code's: versions are checked, annotations become what its preview
// of changes asks the user about.
const vscode = require('vscode');
const convert = require('./index');

/** The server meant a text that the user has changed since; its ranges would hit other places. */
class StaleEdit extends Error {}

/**
 * @param {object} value `WorkspaceEdit`
 * @returns {vscode.WorkspaceEdit}
 * @throws {StaleEdit} when an open document has another version than the edits are made for
 */
function workspaceEdit(value) {
  const edit = new vscode.WorkspaceEdit();
  const metadata = id => annotation(value.changeAnnotations?.[id]);
  if (!value.documentChanges) {
    for (const [target, edits] of Object.entries(value.changes ?? {})) {
      edit.set(convert.uri(target), edits.map(convert.textEdit));
    }
    return edit;
  }
  for (const change of value.documentChanges) {
    if (change.kind) addOperation(edit, change, metadata(change.annotationId));
    else addEdits(edit, change, metadata);
  }
  return edit;
}

function addEdits(edit, { textDocument, edits }, metadata) {
  const target = convert.uri(textDocument.uri);
  checkVersion(target, textDocument.version);
  for (const { range, newText, annotationId } of edits) {
    edit.replace(target, convert.range(range), newText, metadata(annotationId));
  }
}

function checkVersion(target, version) {
  if (version === null || version === undefined) return;
  const open = vscode.workspace.textDocuments.find(
    document => document.uri.toString() === target.toString());
  if (!open || open.version === version) return;
  throw new StaleEdit(`${vscode.workspace.asRelativePath(target)} has changed meanwhile, so `
    + 'nothing was edited. Try it again.');
}

function addOperation(edit, change, metadata) {
  switch (change.kind) {
    case 'create':
      return edit.createFile(convert.uri(change.uri), change.options, metadata);
    case 'rename':
      return edit.renameFile(convert.uri(change.oldUri), convert.uri(change.newUri),
        change.options, metadata);
    case 'delete':
      return edit.deleteFile(convert.uri(change.uri), change.options, metadata);
    default:
      throw new Error(`Unknown file operation "${change.kind}", so nothing `
        + 'was edited. Is the program newer than this extension?');
  }
}

/** @returns {vscode.WorkspaceEditEntryMetadata | undefined} */
function annotation(value) {
  if (!value) return undefined;
  return {
    label: value.label,
    needsConfirmation: value.needsConfirmation ?? false,
    description: value.description,
  };
}

module.exports = { StaleEdit, workspaceEdit };
