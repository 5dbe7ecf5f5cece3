'use strict';
// Sending: asks the server, shows progress that can be cancelled, then the outcome and the
// response.
const vscode = require('vscode');
const convert = require('../convert');
const { ConnectionClosed, ErrorCode, ResponseError } = require('../server/connection');
const { describeResult, describeResults } = require('./render');

/** Quick answers show no notification: it would only flash. */
const PROGRESS_DELAY_MILLISECONDS = 500;
const MESSAGE_MILLISECONDS = 8_000;
const SENDING_CONTEXT = 'postkit.isSending';

/** What can be done with the request under the cursor. */
class Sending {
  #client;
  #responses;
  #progress;
  #inFlight = 0;

  /**
   * @param {import('../server/client').Client} client
   * @param {import('./responses').Responses} responses
   * @param {import('./progress').Progress} progress
   */
  constructor(client, responses, progress) {
    this.#client = client;
    this.#responses = responses;
    this.#progress = progress;
  }

  /** Sends one request. @param {{uri: string, position?: object, name?: string}} target */
  async send(target) {
    if (!await maySend()) return;
    await this.#guard(target, async () => {
      const result = await this.#withProgress('Sending the request',
        asking => this.execute('postkit.send', target, asking));
      announce(describeResult(result));
      if (result.uri) await this.#responses.show(result.uri);
      else if (result.state === 'failed') throw new Error(describeResult(result));
    });
  }

  /** Sends a request of the history anew. @param {{id: string}} argument */
  async resend(argument) {
    if (!await maySend()) return;
    await this.#guard(null, async () => {
      const result = await this.#withProgress('Sending the request again',
        asking => this.execute('postkit.resend', argument, asking));
      announce(describeResult(result));
      if (result.uri) await this.#responses.show(result.uri);
      else if (result.state === 'failed') throw new Error(describeResult(result));
    });
  }

  /** Sends all requests of a document. @param {{uri: string}} target */
  async sendAll(target) {
    if (!await maySend()) return;
    await this.#guard(target, async () => {
      const results = await this.#withProgress('Sending all requests',
        asking => this.execute('postkit.sendAll', target, asking));
      const text = describeResults(results);
      announce(text);
      const failed = results.some(result => result.state === 'failed' || result.tests?.failed);
      if (!failed) return;
      const history = 'Show History';
      vscode.window.showWarningMessage(`PostKit: ${text}.`, history).then(choice => {
        if (choice === history) vscode.commands.executeCommand('postkit.showHistory');
      });
    });
  }

  /** Ends what this window is sending. */
  async cancel() {
    await this.#guard(null, async () => {
      if (this.#inFlight === 0) announce('Nothing is being sent');
      else await this.execute('postkit.cancel');
    });
  }

  /** Opens the last response of the request under the cursor: the server asks for the document. */
  async showResponse(target) {
    await this.#guard(target, () => this.execute('postkit.showResponse', target));
  }

  /** Makes a request of the curl command line on the clipboard. @param {{uri: string}} target */
  async pasteCurl(target) {
    await this.#guard(target, async () => {
      const text = await vscode.env.clipboard.readText();
      await this.execute('postkit.pasteCurl', { ...target, text });
    });
  }

  /** Puts the request under the cursor on the clipboard as a curl command line. */
  async copyAsCurl(target) {
    await this.#guard(target, async () => {
      const line = await this.execute('postkit.copyAsCurl', target);
      await vscode.env.clipboard.writeText(line);
      announce('Copied as curl');
    });
  }

  /** Puts the path of a value in a response on the clipboard. */
  async copyPath(argument) {
    await this.#guard(null, async () => {
      const path = await this.execute('postkit.copyPath', argument);
      await vscode.env.clipboard.writeText(path);
      announce(`Copied ${path}`);
    });
  }

  /** Saves the body of a response; the server asks where to. */
  async saveResponse(argument) {
    await this.#guard(null, async () => {
      const { path, size } = await this.execute('postkit.saveResponse', argument);
      announce(`Saved ${size} bytes to ${path}`);
    });
  }

  /**
   * Runs a command of the server.
   * @param {string} command
   * @param {object} [argument]
   * @param {{token?: vscode.CancellationToken, workDoneToken?: string}} [asking]
   */
  execute(command, argument, { token, workDoneToken } = {}) {
    const params = { command, arguments: argument === undefined ? [] : [argument], workDoneToken };
    return this.#client.request('workspace/executeCommand', params, token);
  }

  async #withProgress(title, work) {
    const source = new vscode.CancellationTokenSource();
    let message;
    let display;
    const followed = this.#progress.follow(text => {
      message = text;
      display?.report({ message });
    });
    this.#count(+1);
    const outcome = work({ token: source.token, workDoneToken: followed.token });
    const timer = setTimeout(() => {
      const options = {
        location: vscode.ProgressLocation.Notification, title: `PostKit: ${title}`,
        cancellable: true,
      };
      vscode.window.withProgress(options, (progress, token) => {
        display = progress;
        if (message) display.report({ message });
        token.onCancellationRequested(() => source.cancel());
        return outcome.catch(() => {});
      });
    }, PROGRESS_DELAY_MILLISECONDS);
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
      followed.stop();
      source.dispose();
      this.#count(-1);
    }
  }

  #count(change) {
    this.#inFlight += change;
    vscode.commands.executeCommand('setContext', SENDING_CONTEXT, this.#inFlight > 0);
  }

  /** Turns every failure into one message that says what to do. */
  async #guard(target, work) {
    try {
      await work();
    } catch (error) {
      if (error instanceof ResponseError && error.code === ErrorCode.requestCancelled) {
        announce('Cancelled');
      } else if (error instanceof ConnectionClosed) {
        vscode.window.showErrorMessage(`PostKit's server is gone: ${error.message}.`);
      } else {
        reportAtPlace(error, target);
      }
    }
  }
}

/** A request file can send the user's files anywhere: without trust, each send is asked for. */
async function maySend() {
  if (vscode.workspace.isTrusted) return true;
  const send = 'Send';
  const question = 'Send a request of a folder you do not trust?';
  const detail = 'It can read files outside the folder and send them to any server.';
  const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, send);
  return choice === send;
}

function announce(text) {
  vscode.window.setStatusBarMessage(`PostKit: ${text}`, MESSAGE_MILLISECONDS);
}

/** A request that couldn't be built names the place (`data.range`); the message leads there. */
function reportAtPlace(error, target) {
  const range = target?.uri && error.data?.range && convert.range(error.data.range);
  const show = 'Show';
  vscode.window.showErrorMessage(`PostKit: ${error.message}`, ...range ? [show] : [])
    .then(async choice => {
      if (choice !== show) return;
      await vscode.window.showTextDocument(convert.uri(target.uri), { selection: range });
    });
}

module.exports = { Sending };
