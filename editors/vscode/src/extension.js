'use strict';
// Puts the extension together: one client, its features, and the commands. Start reading here.
const vscode = require('vscode');
const { clientCapabilities } = require('./capabilities');
const { registerCommands } = require('./commands');
const { Features } = require('./features');
const { findBinary, BinaryNotFound } = require('./server/binary');
const { Client } = require('./server/client');
const { Documents } = require('./sync/documents');
const { Folders, workspaceFolders } = require('./sync/folders');
const { Settings } = require('./sync/settings');
const { followTrace, traceOf } = require('./sync/trace');
const { Watching } = require('./sync/watching');
const { Environments } = require('./window/environments');
const { Progress } = require('./window/progress');
const { handleWindowRequests } = require('./window/requests');
const { Responses } = require('./window/responses');
const { Sending } = require('./window/sending');
const { Status } = require('./window/status');

let client;

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  const log = vscode.window.createOutputChannel('PostKit', { log: true });
  const manifest = context.extension.packageJSON;
  let settings;
  client = new Client({
    program: () => program(context),
    initializeParams: () => initializeParams(settings, log),
    log: text => log.info(text),
  });
  settings = new Settings(client, manifest);
  const responses = new Responses(client);
  const sending = new Sending(client, responses, new Progress(client));
  // These two first: what is asked about a document or a folder has to come after it.
  const documents = new Documents(client);
  const folders = new Folders(client, log);
  const environments = new Environments(client, log);
  handleWindowRequests(client, responses, log);
  context.subscriptions.push(log, settings, responses, documents, folders, environments,
    new Features(client, documents, log), new Watching(client), new Status(client),
    followTrace(client, log), ...restartWhenNeeded(),
    ...registerCommands({ client, log, responses, sending, environments }));
  client.on('ready', ({ serverInfo }) => {
    log.info(`${serverInfo?.name ?? 'postkit'} ${serverInfo?.version ?? ''} is ready`);
  });
  client.on('failed', error => reportFailure(error, log));
  // Nobody waits for the process: the window goes on at once. A failure is reported by the event.
  setImmediate(() => client.start().catch(() => {}));
}

/** VS Code waits for this, at most five seconds. */
function deactivate() {
  // The window is already gone: a listener that touched it would throw and keep the end waiting.
  client?.removeAllListeners();
  return client?.end();
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

function initializeParams(settings, log) {
  const folders = workspaceFolders();
  return {
    processId: process.pid,
    clientInfo: { name: vscode.env.appName, version: vscode.version },
    locale: vscode.env.language,
    rootUri: folders?.[0].uri ?? null,
    workspaceFolders: folders,
    capabilities: clientCapabilities,
    trace: traceOf(log.logLevel),
    initializationOptions: {
      postkit: { trusted: vscode.workspace.isTrusted, settings: settings.read() },
    },
  };
}

function restartWhenNeeded() {
  const restart = () => client.restart().catch(() => {});
  return [
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('postkit.path')) restart();
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

module.exports = { activate, deactivate };
