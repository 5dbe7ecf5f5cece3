'use strict';
// Progress that the server tells: of what this window asked for, and of what it does by itself.
const vscode = require('vscode');
const { plain } = require('./messages');

/** Hands each report to whoever shows it. */
class Progress {
  #client;
  /** By token: what takes the reports. */
  #followed = new Map();
  #nextToken = 1;

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    this.#client = client;
    client.on('stopped', () => {
      for (const { end } of this.#followed.values()) end?.();
      this.#followed.clear();
    });
    client.handlers.onRequest('window/workDoneProgress/create', ({ token }) => {
      this.#followed.set(token, {});
    });
    client.handlers.onNotification('$/progress', ({ token, value }) => this.#told(token, value));
  }

  /**
   * Follows what is asked for with this token, until it is told to stop.
   * @param {(message: string) => void} report
   * @returns {{token: string, stop: () => void}} the `workDoneToken` to ask with
   */
  follow(report) {
    const token = `postkit-vscode/${this.#nextToken++}`;
    this.#followed.set(token, { report, isOwn: true });
    return { token, stop: () => this.#followed.delete(token) };
  }

  /**
   * Takes the partial results of what is asked for with this token, until it is told to stop.
   * @param {(part: object) => void} receive
   * @returns {{token: string, stop: () => void}} the `partialResultToken` to ask with
   */
  receive(receive) {
    const token = `postkit-vscode/${this.#nextToken++}`;
    this.#followed.set(token, { receive, isOwn: true });
    return { token, stop: () => this.#followed.delete(token) };
  }

  #told(token, value) {
    const followed = this.#followed.get(token);
    if (!followed) return;
    if (followed.receive) {
      followed.receive(value);
      return;
    }
    const { kind, title, message, cancellable } = value;
    if (kind === 'begin' && !followed.isOwn) this.#show(token, followed, title, cancellable);
    if (message) followed.report?.(message);
    if (kind !== 'end' || followed.isOwn) return;
    followed.end?.();
    this.#followed.delete(token);
  }

  /** Only a notification has a button to cancel; anything else is told of in the status bar. */
  #show(token, followed, title, cancellable) {
    const location = cancellable
      ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
    const ended = new Promise(resolve => { followed.end = resolve; });
    const options = { location, title: plain(`PostKit: ${title}`), cancellable };
    vscode.window.withProgress(options, (display, cancellation) => {
      followed.report = message => display.report({ message: plain(message) });
      cancellation.onCancellationRequested(
        () => this.#client.notify('window/workDoneProgress/cancel', { token }));
      return ended;
    });
  }
}

module.exports = { Progress };
