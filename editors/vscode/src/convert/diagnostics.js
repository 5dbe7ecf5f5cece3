'use strict';
// Diagnostics of the server as VS Code's.
const vscode = require('vscode');
const convert = require('./index');

/** A diagnostic that remembers what the server sent (`data` too), for the code action request. */
class ServerDiagnostic extends vscode.Diagnostic {
  /** @param {object} value as the protocol has it */
  constructor(value) {
    super(convert.range(value.range), value.message.value ?? value.message,
      (value.severity ?? 1) - 1);
    this.original = value;
    this.source = value.source;
    this.code = value.codeDescription
      ? { value: value.code, target: convert.uri(value.codeDescription.href) } : value.code;
    this.tags = value.tags;
    this.relatedInformation = value.relatedInformation?.map(item =>
      new vscode.DiagnosticRelatedInformation(convert.location(item.location), item.message));
  }
}

module.exports = { ServerDiagnostic };
