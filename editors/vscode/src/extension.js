'use strict';
// Puts the extension together: one client, its features, and the commands. Start reading here.
const vscode = require('vscode');
const { findBinary, BinaryNotFound } = require('./binary');
const { clientCapabilities } = require('./capabilities');
const { Client } = require('./client');
const { showCollections } = require('./collections');
const { ErrorCode } = require('./connection');
const convert = require('./convert');
const { Documents } = require('./documents');
const { Environments, CHOOSE_COMMAND } = require('./environments');
const { Features, SELECTOR } = require('./features');
const { showHistory } = require('./history');
const { Responses } = require('./responses');
const { Sending } = require('./sending');
const { Settings } = require('./settings');
const { exportHistory, importFolder } = require('./transfer');
const { Watching } = require('./watching');
const { handleWindowRequests, workspaceFolders } = require('./window');

let client;

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  const log = vscode.window.createOutputChannel('PostKit', { log: true });
  const manifest = context.extension.packageJSON;
  let settings;
  client = new Client({
    program: () => program(context),
    initializeParams: () => initializeParams(settings),
    log: text => log.info(text),
  });
  settings = new Settings(client, manifest);
  const responses = new Responses(client);
  const sending = new Sending(client, responses);
  const environments = new Environments(client, log);
  handleWindowRequests(client, responses, log);
  context.subscriptions.push(log, settings, responses, environments, new Features(client, log),
    new Documents(client), new Watching(client), ...watchWindow());
  client.on('ready', ({ serverInfo }) => {
    log.info(`${serverInfo?.name ?? 'postkit'} ${serverInfo?.version ?? ''} is ready`);
  });
  client.on('failed', error => reportFailure(error, log));
  registerCommands(context, { log, responses, sending, environments });
  // A failure is reported by the event above.
  client.start().catch(() => {});
}

/** VS Code waits for this, at most five seconds. */
function deactivate() {
  // The window is already gone: a listener that touched it would throw and keep the end waiting.
  client?.removeAllListeners();
  return client?.stop();
}

function program(context) {
  const command = findBinary({
    setting: vscode.workspace.getConfiguration('postkit').get('path'),
    extensionPath: context.extensionPath,
    environment: process.env,
  });
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return { command, arguments: ['lsp'], cwd: folder?.uri.fsPath };
}

function initializeParams(settings) {
  const folders = workspaceFolders();
  return {
    processId: process.pid,
    clientInfo: { name: vscode.env.appName, version: vscode.version },
    locale: vscode.env.language,
    rootUri: folders?.[0].uri ?? null,
    workspaceFolders: folders,
    capabilities: clientCapabilities,
    initializationOptions: {
      postkit: { trusted: vscode.workspace.isTrusted, settings: settings.read() },
    },
  };
}

function watchWindow() {
  const restart = () => client.restart().catch(() => {});
  return [
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('postkit.path')) restart();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const plain = ({ uri, name }) => ({ uri: uri.toString(), name });
      client.notify('workspace/didChangeWorkspaceFolders', {
        event: { added: added.map(plain), removed: removed.map(plain) },
      });
    }),
  ];
}

async function reportFailure(error, log) {
  log.error(error.message);
  const [settings, output, restart] = ['Open Settings', 'Show Log', 'Restart'];
  const actions = error instanceof BinaryNotFound ? [settings] : [output, restart];
  const choice = await vscode.window.showErrorMessage(`PostKit: ${error.message}`, ...actions);
  if (choice === settings) {
    vscode.commands.executeCommand('workbench.action.openSettings', 'postkit.path');
  } else if (choice === output) {
    log.show();
  } else if (choice === restart) {
    client.restart().catch(() => {});
  }
}

function registerCommands(context, { log, responses, sending, environments }) {
  const register = (id, run) => context.subscriptions.push(
    vscode.commands.registerCommand(id, run));
  /** Runs on the request under the cursor, or says that there is none. */
  const registerForEditor = (id, run) => register(id, () => {
    const editor = vscode.window.activeTextEditor;
    if (editor && vscode.languages.match(SELECTOR, editor.document)) return run(editor);
    return vscode.window.showInformationMessage(
      'PostKit: open a .http file and put the cursor into a request.');
  });
  const target = ({ document, selection }) => ({
    ...convert.identifier(document), position: convert.fromPosition(selection.active),
  });
  const reported = work => work.catch(error => {
    if (error.code === ErrorCode.requestCancelled) return;
    vscode.window.showErrorMessage(`PostKit: ${error.message}`);
  });
  registerForEditor('postkit.sendRequest', editor => sending.send(target(editor)));
  registerForEditor('postkit.sendAllRequests',
    ({ document }) => sending.sendAll(convert.identifier(document)));
  registerForEditor('postkit.openResponse', editor => sending.showResponse(target(editor)));
  registerForEditor('postkit.copyRequestAsCurl', editor => sending.copyAsCurl(target(editor)));
  registerForEditor(CHOOSE_COMMAND, ({ document }) => reported(environments.choose(document)));
  register('postkit.cancelSending', () => sending.cancel());
  registerForEditor('postkit.saveToCollection', editor => reported(
    sending.execute('postkit.collectionEdit', { op: 'collection.save', ...target(editor) })));
  registerForEditor('postkit.showTimeline',
    editor => reported(sending.execute('postkit.history', target(editor))));
  registerForEditor('postkit.compareResponses',
    editor => reported(sending.execute('postkit.diffResponses', target(editor))));
  register('postkit.showHistory', () => reported(showHistory(client, responses, sending)));
  register('postkit.showCollections', () => reported(showCollections(client, sending)));
  register('postkit.importFolder', () => reported(importFolder(sending)));
  register('postkit.exportHistory', () => reported(exportHistory(sending)));
  register('postkit.showCookies', () => reported(sending.execute('postkit.cookies')));
  register('postkit.showSessionValues', () => reported(sending.execute('postkit.session')));
  register('postkit.restartServer', () => client.restart().catch(() => {}));
  register('postkit.showLog', () => log.show());
  register(convert.SERVER_COMMAND, (command, ...rest) => {
    const [argument] = rest;
    if (!client.capabilities?.executeCommandProvider?.commands.includes(command)) {
      return vscode.commands.executeCommand(command, ...rest);
    }
    switch (command) {
      case 'postkit.send': return sending.send(argument);
      case 'postkit.resend': return sending.resend(argument);
      case 'postkit.sendAll': return sending.sendAll(argument);
      case 'postkit.showResponse': return sending.showResponse(argument);
      case 'postkit.copyAsCurl': return sending.copyAsCurl(argument);
      case 'postkit.selectEnvironment':
        if (argument?.name === undefined) {
          return vscode.commands.executeCommand(CHOOSE_COMMAND);
        }
        return reported(sending.execute(command, argument).then(() => environments.refresh()));
      default: return reported(sending.execute(command, argument));
    }
  });
}

module.exports = { activate, deactivate };
