'use strict';
// The active environment: always in the status bar while a request file is open, in a warning's
// colour where it is marked `confirm`, and changed by a quick pick.
const vscode = require('vscode');
const convert = require('../convert');
const { tell } = require('./messages');

const CHOOSE_COMMAND = 'postkit.chooseEnvironment';
const SCOPE = 'environment';
const FILE = 'http-client.env.json';
const PROPOSAL = `${JSON.stringify({ dev: { host: 'http://localhost:8080' } }, null, 2)}\n`;
/** What is offered first: to use none. */
const NONE = 'No environment';
const GUARD_COLOR = 'statusBarItem.warningBackground';

/** The status bar item and the choice. */
class Environments {
  #client;
  #log;
  #current;
  #item = vscode.window.createStatusBarItem('postkit.environment',
    vscode.StatusBarAlignment.Right, 90);
  #subscription;
  /** Counts the questions, so that a late answer doesn't replace a newer one. */
  #turn = 0;

  /**
   * @param {import('../server/client').Client} client
   * @param {vscode.LogOutputChannel} log
   * @param {import('./current').Current} current
   */
  constructor(client, log, current) {
    this.#client = client;
    this.#log = log;
    this.#current = current;
    this.#item.name = 'PostKit Environment';
    this.#item.command = CHOOSE_COMMAND;
    client.on('ready', () => this.refresh());
    client.on('stopped', () => this.#item.hide());
    client.handlers.onNotification('postkit/didChangeStore', ({ scopes }) => {
      if (scopes.includes(SCOPE)) this.refresh();
    });
    current.on('document', () => this.refresh());
    this.#subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh());
  }

  dispose() {
    this.#item.dispose();
    this.#subscription.dispose();
  }

  /** Shows the environment of the current request file; hides the item where none is open. */
  async refresh() {
    const turn = ++this.#turn;
    const { document } = this.#current;
    if (!this.#client.isRunning || !document) {
      this.#item.hide();
      return;
    }
    try {
      const active = (await this.#list(document)).find(item => item.active);
      if (turn === this.#turn) this.#show(active);
    } catch (error) {
      this.#log.warn(`postkit/environments: ${error.message}`);
      if (turn === this.#turn) this.#item.hide();
    }
  }

  #show(active) {
    const item = this.#item;
    const isGuarded = active?.confirm === true;
    item.text = `$(${isGuarded ? 'shield' : 'globe'}) ${active?.name ?? NONE}`;
    item.backgroundColor = isGuarded ? new vscode.ThemeColor(GUARD_COLOR) : undefined;
    item.tooltip = [
      active ? `PostKit sends with the environment ${active.name}.`
        : 'PostKit sends without an environment.',
      isGuarded && 'It asks before each request.', 'Click to choose another.',
    ].filter(Boolean).join(' ');
    item.accessibilityInformation = {
      label: `PostKit environment: ${active?.name ?? 'none'}${isGuarded ? ', asks first' : ''}` };
    item.show();
  }

  /** Asks which environment the current request file is to be sent with. */
  async choose() {
    const { document } = this.#current;
    const items = await this.#list(document);
    if (items.length === 0) {
      const create = 'Create File';
      const choice = await tell('info', 'PostKit: No '
        + `environments yet. Define them in ${FILE} beside your requests.`, create);
      if (choice === create) await this.create();
      return;
    }
    const choices = items.map(({ name, files, active, confirm }) => ({
      // One that is called like none is another.
      label: name === NONE ? `\`${name}\`` : name,
      iconPath: confirm ? new vscode.ThemeIcon('shield') : undefined,
      description: [active && 'active', confirm && 'confirms each request'].filter(Boolean)
        .join(' · '),
      detail: files.map(file => vscode.workspace.asRelativePath(file)).join(', '),
      name,
    }));
    choices.unshift({ label: NONE, name: null,
      description: items.some(item => item.active) ? '' : 'active' });
    const choice = await vscode.window.showQuickPick(choices, {
      title: 'PostKit: Environment',
      placeHolder: 'Environment for requests of this folder',
      matchOnDetail: true,
    });
    if (choice) await this.use(choice.name);
  }

  /** Proposes a file of environments beside the current request file; saving it is the user's. */
  async create() {
    const { document } = this.#current;
    const folder = document?.uri.scheme === 'file' ? vscode.Uri.joinPath(document.uri, '..')
      : vscode.workspace.workspaceFolders?.[0].uri;
    if (!folder) {
      tell('info',
        'PostKit: open a folder or a .http file first; the environment file goes beside it.');
      return;
    }
    const file = vscode.Uri.joinPath(folder, FILE);
    const isThere = await vscode.workspace.fs.stat(file).then(() => true, () => false);
    const target = isThere ? file : file.with({ scheme: 'untitled' });
    const shown = await vscode.workspace.openTextDocument(target);
    if (!isThere && shown.getText() === '') {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(target, new vscode.Position(0, 0), PROPOSAL);
      await vscode.workspace.applyEdit(edit);
    }
    await vscode.window.showTextDocument(shown);
  }

  /**
   * Makes an environment the active one of the folder of the current request file; where none is
   * open, of the first folder.
   * @param {string | null} name
   */
  async use(name) {
    const { document } = this.#current;
    const folder = document && vscode.workspace.getWorkspaceFolder(document.uri);
    await this.#client.request('workspace/executeCommand', {
      command: 'postkit.selectEnvironment',
      arguments: [{ name, folder: folder?.uri.toString() }],
    });
    await this.refresh();
  }

  async #list(document) {
    const params = document ? { textDocument: convert.identifier(document) } : {};
    return (await this.#client.request('postkit/environments', params)).items;
  }
}

module.exports = { Environments, CHOOSE_COMMAND };
