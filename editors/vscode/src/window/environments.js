'use strict';
// The active environment: shown in the status bar beside a request file, changed by a quick pick.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR } = require('../sync/selectors');

const CHOOSE_COMMAND = 'postkit.chooseEnvironment';
const SCOPE = 'environment';

/** The status bar item and the choice. */
class Environments {
  #client;
  #log;
  #item = vscode.window.createStatusBarItem('postkit.environment',
    vscode.StatusBarAlignment.Right, 90);
  #subscriptions;
  /** Counts the questions, so that a late answer doesn't replace a newer one. */
  #turn = 0;

  /** @param {import('../server/client').Client} client @param {vscode.LogOutputChannel} log */
  constructor(client, log) {
    this.#client = client;
    this.#log = log;
    this.#item.name = 'PostKit Environment';
    this.#item.command = CHOOSE_COMMAND;
    client.on('ready', () => this.refresh());
    client.on('stopped', () => this.#item.hide());
    client.handlers.onNotification('postkit/didChangeStore', ({ scopes }) => {
      if (scopes.includes(SCOPE)) this.refresh();
    });
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
    ];
  }

  dispose() {
    this.#item.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Shows the environment of the active request file; hides the item beside other files. */
  async refresh() {
    const turn = ++this.#turn;
    const document = vscode.window.activeTextEditor?.document;
    if (!this.#client.isRunning || !document || !vscode.languages.match(SELECTOR, document)) {
      this.#item.hide();
      return;
    }
    try {
      const active = (await this.#list(document)).find(item => item.active);
      if (turn !== this.#turn) return;
      this.#item.text = `$(globe) ${active?.name ?? 'No environment'}`;
      this.#item.tooltip = active
        ? `PostKit sends with the environment ${active.name}. Click to choose another.`
        : 'PostKit sends without an environment. Click to choose one.';
      this.#item.show();
    } catch (error) {
      this.#log.warn(`postkit/environments: ${error.message}`);
      if (turn === this.#turn) this.#item.hide();
    }
  }

  /** Asks which environment to use and tells the server. @param {vscode.TextDocument} document */
  async choose(document) {
    const items = await this.#list(document);
    if (items.length === 0) {
      vscode.window.showInformationMessage('No environments here yet: add a file '
        + 'http-client.env.json with one member per environment.');
      return;
    }
    const hasActive = items.some(item => item.active);
    const choices = items.map(({ name, files, active }) => ({
      label: name,
      description: active ? 'active' : undefined,
      detail: files.map(file => vscode.workspace.asRelativePath(file)).join(', '),
      name,
    }));
    if (hasActive) choices.push({ label: 'No environment', name: null });
    const choice = await vscode.window.showQuickPick(choices, {
      title: 'PostKit: Environment',
      placeHolder: 'Environment for requests of this folder',
      matchOnDetail: true,
    });
    if (!choice) return;
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    await this.#client.request('workspace/executeCommand', {
      command: 'postkit.selectEnvironment',
      arguments: [{ name: choice.name, folder: folder?.uri.toString() }],
    });
    await this.refresh();
  }

  async #list(document) {
    const params = { textDocument: convert.identifier(document) };
    return (await this.#client.request('postkit/environments', params)).items;
  }
}

module.exports = { Environments, CHOOSE_COMMAND };
