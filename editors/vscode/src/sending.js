'use strict';
// Sending: asks the server, shows progress that can be cancelled, then the outcome and the
// response.
const vscode = require('vscode');
const convert = require('./convert');
const { ConnectionClosed, ErrorCode, ResponseError } = require('./connection');
const { describeResult, describeResults } = require('./render');

/** Quick answers show no notification: it would only flash. */
const PROGRESS_DELAY_MILLISECONDS = 500;
const MESSAGE_MILLISECONDS = 8_000;
const SENDING_CONTEXT = 'postkit.isSending';

/** What can be done with the request under the cursor. */
class Sending {
  #client;
  #responses;
  #inFlight = 0;

  /**
   * @param {import('./client').Client} client
   * @param {import('./responses').Responses} responses
   */
  constructor(client, responses) {
    this.#client = client;
    this.#responses = responses;
  }

  /** Sends one request. @param {{uri: string, position?: object, name?: string}} target */
  async send(target) {
    if (!await maySend()) return;
    await this.#guard(target, async () => {
      const result = await this.#withProgress('Sending the request',
        token => this.execute('postkit.send', target, token));
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
        token => this.execute('postkit.resend', argument, token));
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
        token => this.execute('postkit.sendAll', target, token));
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

  /** Puts the request under the cursor on the clipboard as a curl command line. */
  async copyAsCurl(target) {
    await this.#guard(target, async () => {
      const line = await this.execute('postkit.copyAsCurl', target);
      await vscode.env.clipboard.writeText(line);
      announce('Copied as curl');
    });
  }

  /** Runs a command of the server. */
  execute(command, argument, token) {
    const params = { command, arguments: argument === undefined ? [] : [argument] };
    return this.#client.request('workspace/executeCommand', params, token);
  }

  async #withProgress(title, work) {
    const source = new vscode.CancellationTokenSource();
    this.#count(+1);
    const outcome = work(source.token);
    const timer = setTimeout(() => {
      const options = {
        location: vscode.ProgressLocation.Notification, title: `PostKit: ${title}`,
        cancellable: true,
      };
      vscode.window.withProgress(options, (_progress, token) => {
        token.onCancellationRequested(() => source.cancel());
        return outcome.catch(() => {});
      });
    }, PROGRESS_DELAY_MILLISECONDS);
    try {
      return await outcome;
    } finally {
      clearTimeout(timer);
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
