'use strict';
// How much the server tells of its work: as much as the level of the output channel lets through.
const vscode = require('vscode');

/** @param {vscode.LogLevel} level @returns {'off' | 'messages' | 'verbose'} */
function traceOf(level) {
  switch (level) {
    case vscode.LogLevel.Trace: return 'verbose';
    case vscode.LogLevel.Debug: return 'messages';
    default: return 'off';
  }
}

/**
 * Follows the level of the channel and writes what the server traces.
 * @param {import('../server/client').Client} client
 * @param {vscode.LogOutputChannel} log
 * @returns {vscode.Disposable}
 */
function followTrace(client, log) {
  client.handlers.onNotification('$/logTrace', ({ message, verbose }) => {
    if (verbose) log.trace(`${message}\n${verbose}`);
    else log.debug(message);
  });
  return log.onDidChangeLogLevel(
    level => client.notify('$/setTrace', { value: traceOf(level) }));
}

module.exports = { followTrace, traceOf };
