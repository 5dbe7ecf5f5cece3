'use strict';
// Sending: asks the server, shows progress that can be cancelled, then the outcome and the
// response.
const os = require('os');
const vscode = require('vscode');
const convert = require('../convert');
const { nameResponse } = require('../convert/titles');
const { ConnectionClosed, ErrorCode, ResponseError } = require('../server/connection');
const { Coming } = require('./coming');
const { announce, plain, tell } = require('./messages');
const { describeResult, describeResults } = require('./render');
const { MANAGE_TRUST, tellFailure } = require('./telling');

/** Quick answers show no notification: it would only flash. */
const PROGRESS_DELAY_MILLISECONDS = 500;
/** The word of a request that the user did not want to be sent (`data.code` of an error). */
const NOT_WANTED = 'cancelled';
const NOT_SENT = 'Not sent';
/** What is known of a request whose server went away: nothing says that it was not received. */
const UNKNOWN = 'Unknown: the server stopped, the request may have been received';
const SENDING_CONTEXT = 'postkit.isSending';
/** The programs for which a request can be copied. */
const TARGETS = [
  { label: 'curl', target: 'curl' },
  { label: 'HTTPie', target: 'httpie' },
  { label: 'wget', target: 'wget' },
  { label: 'Python', description: 'requests', target: 'python' },
  { label: 'Python', description: 'httpx', target: 'httpx' },
  { label: 'JavaScript', description: 'fetch', target: 'javascript' },
  { label: 'JavaScript', description: 'axios', target: 'axios' },
  { label: 'Go', description: 'package net/http', target: 'go' },
  { label: 'Rust', description: 'reqwest', target: 'rust' },
  { label: 'Java', description: 'HttpClient', target: 'java' },
  { label: 'Kotlin', description: 'HttpClient', target: 'kotlin' },
  { label: 'C#', description: 'HttpClient', target: 'csharp' },
  { label: 'PHP', description: 'cURL', target: 'php' },
  { label: 'Ruby', description: 'Net::HTTP', target: 'ruby' },
  { label: 'PowerShell', description: 'Invoke-WebRequest', target: 'powershell' },
  { label: 'Swift', description: 'URLSession', target: 'swift' },
  { label: 'Hurl', target: 'hurl' },
  { label: 'Request', description: 'without variables', target: 'http' },
];

/** What can be done with the request under the cursor. */
class Sending {
  #client;
  #responses;
  #progress;
  #live;
  #events;
  #outdated;
  #inFlight = 0;
  /** How many questions were closed or answered with no. */
  #declined = 0;
  /** The exchange that this window has sent last. */
  #last;

  /**
   * @param {import('../server/client').Client} client
   * @param {import('./responses').Responses} responses
   * @param {import('./progress').Progress} progress
   * @param {import('./live').Live} live
   * @param {import('../api').Events} events
   * @param {import('./outdated').Outdated} outdated
   */
  constructor(client, responses, progress, live, events, outdated) {
    this.#client = client;
    this.#responses = responses;
    this.#progress = progress;
    this.#live = live;
    this.#events = events;
    this.#outdated = outdated;
  }

  /** Somebody has closed a question of the server, or said no. */
  declined() { this.#declined += 1; }

  /** Sends one request. @param {{uri: string, position?: object, name?: string}} target */
  async send({ uri, ...target }) {
    await this.#sendOne({ title: 'Sending the request', uri, position: target.position },
      { textDocument: { uri }, ...target });
  }

  /** Sends a request of the history anew. @param {{id: string}} argument */
  async resend({ id, ...argument }) {
    await this.#sendOne(
      { title: 'Sending the request again' }, { historyId: id, ...argument });
  }

  /** Sends anew what this window has sent last; what others have sent is in the history. */
  async resendLast() {
    if (this.#last) return this.resend({ id: this.#last });
    const history = 'Show History';
    const choice = await tell('info',
      'PostKit: this window has sent nothing yet.', history);
    return choice && vscode.commands.executeCommand('postkit.showHistory');
  }

  /**
   * Sends the requests of a document, or those of a collection or folder.
   * @param {{uri?: string, range?: object, collection?: string}} target with a range those alone
   *   that it touches
   * @param {string} [name] of the collection or folder
   */
  async sendAll(target, name) {
    if (!await maySend()) return;
    await this.#guard(target, async () => {
      const title = name ? `Sending the requests of ${name}`
        : target.range ? 'Sending the selected requests' : 'Sending all requests';
      this.#events.sent(target);
      let over;
      const results = await this.#withProgress({ title },
        ({ partialResultToken, ...asking }) => this.execute(
          'postkit.sendAll', { ...target, partialResultToken }, asking),
        part => { if (part.kind === 'over') over = part; });
      for (const result of results) this.#events.received(result, target.uri);
      this.#last = results.at(-1)?.id || this.#last;
      const text = describeResults(results, over);
      announce(text);
      for (const { id, title } of results) nameResponse(id, title);
      if (results.length === 1 && results[0].uri) await this.#responses.show(results[0].uri);
      const failed = results.some(result => result.state === 'failed' || result.tests?.failed);
      if (!failed) return;
      const history = 'Show History';
      tell('warning', `PostKit: ${text}.`, history).then(choice => {
        if (choice === history) vscode.commands.executeCommand('postkit.showHistory');
      });
    }, { isSending: true });
  }

  /** Ends what this window is sending. */
  async cancel() {
    await this.#guard(null, async () => {
      if (this.#inFlight === 0) announce('No requests running');
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

  /** Says how the server is, and what is in force in each folder. */
  async showStatus() {
    await this.#guard(null, async () => {
      const [first, ...rest] = (await this.execute('postkit.status')).split('\n');
      await tell('info', first, { modal: true, detail: rest.join('\n') });
    });
  }

  /** Ends what is being sent, whoever sends it, and closes all connections. */
  async closeConnections() {
    await this.#guard(null, async () => announce(await this.execute('postkit.restartEngine')));
  }

  /** Copies the request under the cursor for a chosen program, `reveal`: with its secrets. */
  async copyAs(place, { reveal = false } = {}) {
    const title = `PostKit: Copy as${reveal ? ', with Secrets' : ''}`;
    const { target, label } = await vscode.window.showQuickPick(TARGETS, { title }) ?? {};
    if (!target) return;
    await this.#guard(place, async () => {
      const text = await this.execute('postkit.copyAs', { ...place, target, reveal });
      await vscode.env.clipboard.writeText(text);
      announce(`Copied as ${label}`);
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

  /** Puts the body of a response on the clipboard. @param {string} id of the exchange */
  async copyBody(id) {
    await this.#guard(null, () => require('./body').copyBody(this.#client, id));
  }

  /** Saves the body of a response; the dialog that asks where to asks before it replaces a file. */
  async saveResponse({ id, path: given } = {}) {
    await this.#guard(null, async () => {
      const target = given ?? (await this.#askForFile(id))?.fsPath;
      if (!target) return;
      const { path, summary } = await this.execute('postkit.saveResponse',
        { id, path: target, overwrite: given === undefined });
      announce(summary ?? `Saved to ${path}`);
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

  /** The same for a user, who is told what goes wrong. */
  async run(command, argument) {
    await this.#guard(argument, () => this.execute(command, argument));
  }

  async #askForFile(id) {
    const { fileName, Source } = require('../response/source');
    const record = id && await new Source(this.#client).record(id);
    if (record && !record.response) {
      throw new Error(`No body to save. ${record.message ?? 'The request has no response.'}`);
    }
    const name = record ? fileName(record) : 'response';
    const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
    return vscode.window.showSaveDialog({ title: 'Save Body',
      defaultUri: vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file(os.homedir()), name) });
  }

  async #sendOne(target, params) {
    if (!await maySend()) return;
    await this.#guard(target.uri ? target : null, async () => {
      this.#events.sent(target);
      const result = await this.#withProgress(target, ({ token, ...tokens }) =>
        this.#client.request('postkit/send', { ...params, ...tokens }, token));
      this.#last = result.id || this.#last;
      this.#events.received(result, target.uri);
      announce(describeResult(result));
      nameResponse(result.id, result.title);
      if (result.uri) await this.#responses.show(result.uri);
      else if (result.state === 'failed') throw new Error(result.error?.message ?? describeResult(result));
    }, { isSending: true });
  }

  /** Shows that something is sent until it is over: behind its line, as a clock, as progress. */
  async #withProgress(target, work, onPart = () => {}) {
    this.#outdated.clear();
    const live = this.#live.begin(target);
    const coming = new Coming(this.#responses);
    const parts = this.#progress.receive(part => {
      live.take(part);
      onPart(part);
      coming.take(part);
    });
    this.#count(+1);
    let words;
    let isBad;
    try {
      const result = await this.#notifying(target.title,
        asking => work({ ...asking, partialResultToken: parts.token }));
      if (!Array.isArray(result)) {
        words = describeResult(result);
        isBad = result.mood === 'failed';
      }
      await coming.shown;
      return result;
    } catch (error) {
      if (error instanceof ConnectionClosed) [words, isBad] = [UNKNOWN, true];
      throw error;
    } finally {
      parts.stop();
      live.end(words, isBad);
      coming.end(words);
      this.#count(-1);
    }
  }

  /** A notification with a button to cancel, where it takes its time. */
  async #notifying(title, work) {
    const source = new vscode.CancellationTokenSource();
    let message;
    let display;
    const followed = this.#progress.follow(text => {
      message = plain(text);
      display?.report({ message });
    });
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
    }
  }

  #count(change) {
    this.#inFlight += change;
    vscode.commands.executeCommand('setContext', SENDING_CONTEXT, this.#inFlight > 0);
  }

  /** Turns every failure into one message that says what to do; a no of the user needs none. */
  async #guard(target, work, { isSending = false } = {}) {
    const declined = this.#declined;
    try {
      await work();
    } catch (error) {
      if (error instanceof ConnectionClosed) {
        tellLost(error, isSending);
        if (isSending) this.#sayOutdated(UNKNOWN);
      } else if (this.#isChoice(error, declined)) {
        // Who closes a question about something else sees that nothing happens.
        if (isSending) announce(NOT_SENT);
      } else if (error.code === ErrorCode.requestCancelled) {
        announce('Cancelled');
      } else {
        reportAtPlace(error, target);
        if (isSending) this.#sayOutdated(whyNotSent(error));
      }
    }
  }

  /** Responses in sight are earlier ones; while more is under way, one of them may be coming. */
  #sayOutdated(reason) {
    if (this.#inFlight === 0) this.#outdated.say(reason);
  }

  /**
   * Whether nothing was done because the user did not want it: the server says so of its questions
   * whether to send. Of others it names what is missing; where nothing else is under way, the one
   * that was declined meanwhile was asked for this.
   */
  #isChoice(error, declinedBefore) {
    return error instanceof ResponseError && (error.data?.code === NOT_WANTED
      || (this.#inFlight === 0 && this.#declined > declinedBefore));
  }
}

/** A request file can send the user's files anywhere: without trust, each send is asked for. */
async function maySend() {
  if (vscode.workspace.isTrusted) return true;
  const send = 'Send';
  const question = 'Send a request from a folder that you do not trust?';
  const detail = 'It can send files of the folder to any server. PostKit uses files elsewhere, and '
    + 'proxies and certificates that the folder chooses, only if you trust it.';
  const choice = await tell('warning',
    question, { modal: true, detail }, send, MANAGE_TRUST);
  if (choice === MANAGE_TRUST) await vscode.commands.executeCommand('workbench.trust.manage');
  if (choice !== send) announce(NOT_SENT);
  return choice === send;
}

/**
 * The server is gone, and another one starts by itself. Whoever sent must not send again without
 * looking: the request may have been received.
 */
function tellLost({ message }, isSending) {
  const history = 'Show History';
  const text = isSending
    ? 'It may have received your request: look before you send it again.' : 'Try again.';
  const items = isSending ? [history] : [];
  tell('error',
    `PostKit: The server stopped (${message}) and starts again. ${text}`, ...items)
    .then(choice => choice && vscode.commands.executeCommand('postkit.showHistory'));
}

/** What stands above an earlier response; a result that failed says so itself. */
const whyNotSent = error =>
  `${error instanceof ResponseError ? `${NOT_SENT}: ` : ''}${error.message}`;

/** A request that couldn't be built names the place (`data.range`); the message leads there. */
function reportAtPlace(error, target) {
  const range = target?.uri && error.data?.range && convert.range(error.data.range);
  tellFailure(error, range && (() => vscode.window.showTextDocument(
    convert.uri(target.uri), { selection: range })));
}

module.exports = { maySend, NOT_WANTED, Sending };
