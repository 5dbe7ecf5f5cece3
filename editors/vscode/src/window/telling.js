'use strict';
// How somebody hears that what they asked for failed: one message, with the next step as a button
// where there is one.
const vscode = require('vscode');
const { BinaryNotFound } = require('../server/binary');
const { Halted, NeverAnswered } = require('../server/client');
const { tell } = require('./messages');

const START = 'Start Server';
const SHOW = 'Show';
const MANAGE_TRUST = 'Manage Workspace Trust';

/** Whether naming another program is what helps. */
const isWrongProgram = error => error instanceof BinaryNotFound || error instanceof NeverAnswered;

/**
 * Says what went wrong.
 * @param {Error} error
 * @param {() => unknown} [showPlace] leads to the place where it went wrong
 * @returns {Promise<void>} settles when the message is gone
 */
async function tellFailure(error, showPlace) {
  const isHalted = error instanceof Halted;
  const needsTrust = !vscode.workspace.isTrusted && /trust/i.test(error.message);
  const steps = [
    showPlace && [SHOW, showPlace],
    needsTrust && [MANAGE_TRUST, () => vscode.commands.executeCommand('workbench.trust.manage')],
    isWrongProgram(error) && ['Open Settings', () => vscode.commands.executeCommand(
      'workbench.action.openSettings', 'postkit.path')],
    isHalted && [START, () => vscode.commands.executeCommand('postkit.restartServer')],
  ].filter(Boolean);
  const choice = await tell(isHalted ? 'warning' : 'error',
    `PostKit: ${error.message}`, ...steps.map(([title]) => title));
  await steps.find(([title]) => title === choice)?.[1]();
}

module.exports = { MANAGE_TRUST, isWrongProgram, tellFailure };
