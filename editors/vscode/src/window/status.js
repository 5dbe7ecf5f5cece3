'use strict';
// How the server is and what is under way, where VS Code tells such things of a language.
const vscode = require('vscode');
const { SELECTOR } = require('../sync/selectors');
const { plain } = require('./messages');

const { Error: bad, Information: good, Warning: doubtful } = vscode.LanguageStatusSeverity;
const SEVERITIES = { ok: good, warning: doubtful, error: bad };
const SHOW_LOG = { command: 'postkit.showLog', title: 'Show Log' };
const RESTART = { command: 'postkit.restartServer', title: 'Restart' };
const START = { command: 'postkit.restartServer', title: 'Start' };
const STOPPED = 'You stopped the server. Start it to send and check requests.';

/** The item in the language status; and one in the status bar while the user has stopped it. */
class Status {
  #item = vscode.languages.createLanguageStatusItem('postkit.status', SELECTOR);
  #stopped = vscode.window.createStatusBarItem('postkit.stopped',
    vscode.StatusBarAlignment.Right, 90);
  #version = '';

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    this.#item.name = 'PostKit';
    this.#item.text = 'PostKit is starting';
    this.#stopped.name = 'PostKit Stopped';
    this.#stopped.text = '$(debug-disconnect) PostKit is stopped';
    this.#stopped.tooltip = `${STOPPED} Click to start it.`;
    this.#stopped.command = START.command;
    client.on('ready', ({ serverInfo }) => {
      this.#stopped.hide();
      this.#version = `${serverInfo?.name ?? 'postkit'} ${serverInfo?.version ?? ''}`.trim();
      this.#show({ inFlight: 0, health: 'ok' });
    });
    client.on('halted', () => {
      this.#halted();
      this.#stopped.show();
    });
    client.on('stopped', () => client.isHalted ? this.#halted() : this.#ended());
    client.on('failed', error => {
      this.#stopped.hide();
      this.#ended(error.message);
    });
    client.handlers.onNotification('postkit/status', status => this.#show(status));
  }

  dispose() {
    this.#item.dispose();
    this.#stopped.dispose();
  }

  #show({ inFlight, health, message, mock }) {
    const isBusy = inFlight > 0;
    const well = mock ? `The mock answers at ${mock}` : this.#version;
    this.#set({
      text: isBusy ? `PostKit: ${inFlight} running` : 'PostKit',
      detail: plain(message ?? well),
      severity: SEVERITIES[health] ?? good,
      command: SHOW_LOG,
      busy: isBusy,
    });
  }

  #ended(reason) {
    this.#set({ text: 'PostKit is not running', detail: reason && plain(reason), severity: bad,
      command: RESTART, busy: false });
  }

  #halted() {
    this.#set({ text: 'PostKit is stopped', detail: STOPPED, severity: doubtful, command: START,
      busy: false });
  }

  #set(values) { Object.assign(this.#item, values); }
}

module.exports = { Status };
