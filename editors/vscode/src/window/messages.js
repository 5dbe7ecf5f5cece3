'use strict';
// The notifications, all of them. What they say has names, paths and addresses in it that others
// chose, of which VS Code would make links, also such as run commands.
const vscode = require('vscode');

const SHOW = {
  error: 'showErrorMessage', warning: 'showWarningMessage', info: 'showInformationMessage',
};
const ANNOUNCED_MILLISECONDS = 8_000;
/** A sign that nobody sees: no link is where it stands (U+2060, word joiner). */
const NO_LINK = '\u2060';

/**
 * A text in which VS Code finds no link of the form `[text](address)`. To a person it is the same.
 * @param {string} text
 */
const plain = text => text.replaceAll('](', `]${NO_LINK}(`);

/**
 * Shows a notification, or with `modal` a dialog.
 * @param {'error' | 'warning' | 'info'} severity
 * @param {string} text
 * @param {...any} rest options and buttons, as VS Code takes them
 * @returns {Thenable<any>} the button that was pressed
 */
function tell(severity, text, ...rest) {
  return vscode.window[SHOW[severity]](plain(text), ...rest);
}

/** Says in the status bar, for a while, what came of something. @param {string} text */
function announce(text) {
  vscode.window.setStatusBarMessage(`PostKit: ${text}`, ANNOUNCED_MILLISECONDS);
}

module.exports = { announce, plain, tell };
