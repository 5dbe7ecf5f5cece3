'use strict';
// How the server is and what is under way, where VS Code tells such things of a language.
const vscode = require('vscode');
const { SELECTOR } = require('../sync/selectors');

const { Error: bad, Information: good, Warning: doubtful } = vscode.LanguageStatusSeverity;
const SEVERITIES = { ok: good, warning: doubtful, error: bad };
const SHOW_LOG = { command: 'postkit.showLog', title: 'Show Log' };
const RESTART = { command: 'postkit.restartServer', title: 'Restart' };

/** The item in the language status. */
class Status {
  #item = vscode.languages.createLanguageStatusItem('postkit.status', SELECTOR);
  #version = '';

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    this.#item.name = 'PostKit';
    this.#item.text = 'PostKit is starting';
    client.on('ready', ({ serverInfo }) => {
      this.#version = `${serverInfo?.name ?? 'postkit'} ${serverInfo?.version ?? ''}`.trim();
      this.#show({ inFlight: 0, health: 'ok' });
    });
    client.on('stopped', () => this.#ended());
    client.on('failed', error => this.#ended(error.message));
    client.handlers.onNotification('postkit/status', status => this.#show(status));
  }

  dispose() { this.#item.dispose(); }

  #show({ inFlight, health, message }) {
    const isBusy = inFlight > 0;
    this.#set({
      text: isBusy ? `PostKit: ${inFlight} under way` : 'PostKit',
      detail: message ?? this.#version,
      severity: SEVERITIES[health] ?? good,
      command: SHOW_LOG,
      busy: isBusy,
    });
  }

  #ended(reason) {
    this.#set({ text: 'PostKit is not running', detail: reason, severity: bad, command: RESTART,
      busy: false });
  }

  #set(values) { Object.assign(this.#item, values); }
}

module.exports = { Status };
