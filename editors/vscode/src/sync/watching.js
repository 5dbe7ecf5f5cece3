'use strict';
// Watches the files the server asks about (environment files, other request files) and reports
// what happens to them.
const { EventEmitter } = require('events');
const vscode = require('vscode');
const convert = require('../convert');

const METHOD = 'workspace/didChangeWatchedFiles';
const CHANGE = { created: 1, changed: 2, deleted: 3 };
const ALL_KINDS = 7;

/** Answers `client/registerCapability` for watched files. Event: `changed`, once it is told. */
class Watching extends EventEmitter {
  #client;
  #watchers = [];
  #events = [];
  #isScheduled = false;

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    super();
    this.#client = client;
    client.handlers.onRequest('client/registerCapability', ({ registrations }) => {
      for (const registration of registrations) this.#register(registration);
    });
    client.on('stopped', () => this.dispose());
  }

  dispose() {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
  }

  #register({ method, registerOptions }) {
    if (method !== METHOD) return;
    this.#watchers.push(...registerOptions.watchers.map(watcher => this.#watch(watcher)));
  }

  #watch({ globPattern, kind = ALL_KINDS }) {
    const pattern = typeof globPattern === 'string' ? globPattern : new vscode.RelativePattern(
      convert.uri(globPattern.baseUri.uri ?? globPattern.baseUri), globPattern.pattern);
    const watcher = vscode.workspace.createFileSystemWatcher(
      pattern, !(kind & 1), !(kind & 2), !(kind & 4));
    watcher.onDidCreate(uri => this.#report(uri, CHANGE.created));
    watcher.onDidChange(uri => this.#report(uri, CHANGE.changed));
    watcher.onDidDelete(uri => this.#report(uri, CHANGE.deleted));
    return watcher;
  }

  /** Collects what happens in one turn: a checkout touches many files at once. */
  #report(uri, type) {
    this.#events.push({ uri: uri.toString(), type });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#client.notify(METHOD, { changes: this.#events.splice(0) });
      this.emit('changed');
    });
  }
}

module.exports = { Watching };
