'use strict';
// The language features. Each file here makes the providers of a few methods out of what the
// server advertises; they are registered when it is ready, and again after a restart.
const vscode = require('vscode');
const { Diagnostics } = require('./diagnostics');
const { Halted } = require('../server/client');
const { ErrorCode, ConnectionClosed, ResponseError } = require('../server/connection');

/** Loaded when the server is ready: until then the editor waits for nothing but its start. */
const rooms = () => [
  require('./completion'), require('./hover'), require('./navigation'), require('./symbols'),
  require('./structure'), require('./hints'), require('./actions'), require('./rename'),
  require('./formatting'), require('./tokens'), require('./calls'),
];

/** The requests with which the server says that what is shown may be out of date. */
const REFRESHES = {
  lenses: 'workspace/codeLens/refresh',
  hints: 'workspace/inlayHint/refresh',
  tokens: 'workspace/semanticTokens/refresh',
};

const QUIET_CODES = new Set([ErrorCode.requestCancelled, ErrorCode.contentModified,
  ErrorCode.serverCancelled]);

/** Registers the providers whenever the server is ready, and takes them back when it stops. */
class Features {
  #client;
  #log;
  #shown;
  #changed = {};
  #registrations = [];
  #diagnostics;

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../sync/documents').Documents} documents
   * @param {vscode.LogOutputChannel} log
   * @param {object} shown what else stands behind request lines
   * @param {import('../window/live').Live} shown.live
   * @param {import('../window/failures').Failures} shown.failures
   */
  constructor(client, documents, log, shown) {
    this.#client = client;
    this.#shown = shown;
    this.#log = log;
    for (const [name, method] of Object.entries(REFRESHES)) {
      const emitter = this.#changed[name] = new vscode.EventEmitter();
      client.handlers.onRequest(method, () => emitter.fire());
    }
    shown.live.onDidChange(() => this.#changed.hints.fire());
    this.#diagnostics = new Diagnostics(client, documents, this.#ask.bind(this));
    client.on('ready', ({ capabilities }) => this.#register(capabilities));
    client.on('stopped', () => this.#unregister());
  }

  dispose() {
    this.#unregister();
    for (const item of [...Object.values(this.#changed), this.#diagnostics]) item.dispose();
  }

  #register(capabilities) {
    const room = {
      capabilities,
      ...this.#shown,
      ask: this.#ask.bind(this),
      demand: (method, params, token) => this.#client.request(method, params, token),
      changed: Object.fromEntries(
        Object.entries(this.#changed).map(([name, emitter]) => [name, emitter.event])),
    };
    for (const register of rooms()) this.#registrations.push(...register(room));
  }

  #unregister() {
    this.#shown.failures.clear();
    for (const registration of this.#registrations.splice(0)) registration.dispose();
  }

  /** Asks; an answer that can't be had shows nothing to the user, only to the log. */
  async #ask(method, params, token) {
    try {
      return await this.#client.request(method, params, token);
    } catch (error) {
      const isExpected = error instanceof ConnectionClosed || error instanceof Halted
        || (error instanceof ResponseError && QUIET_CODES.has(error.code));
      if (!isExpected) this.#log.warn(`${method}: ${error.message}`);
      return null;
    }
  }
}

module.exports = { Features };
