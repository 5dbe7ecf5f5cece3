'use strict';
// Puts the extension together: one client, its features, the lists, and what the commands do.
// Start reading here.
const vscode = require('vscode');
const { Events } = require('./api');
const { clientCapabilities } = require('./capabilities');
const { commandTable } = require('./commands');
const { SERVER_COMMAND } = require('./convert');
const { Features } = require('./features');
const { ResponsePanel } = require('./response/panel');
const { findBinary, BinaryNotFound } = require('./server/binary');
const { Client } = require('./server/client');
const { incompatibility } = require('./server/compatibility');
const { Documents } = require('./sync/documents');
const { Folders, workspaceFolders } = require('./sync/folders');
const { Settings } = require('./sync/settings');
const { followTrace, traceOf } = require('./sync/trace');
const { Watching } = require('./sync/watching');
const { Views } = require('./views');
const { Current } = require('./window/current');
const { Environments } = require('./window/environments');
const { Failures } = require('./window/failures');
const { Live } = require('./window/live');
const { tell } = require('./window/messages');
const { greetNeighbours, takeKeysOfRestClient } = require('./window/neighbours');
const { Outdated } = require('./window/outdated');
const { ScriptOutput } = require('./window/output');
const { Progress } = require('./window/progress');
const { TestExplorer } = require('./testing/explorer');
const { handleWindowRequests } = require('./window/requests');
const { Responses } = require('./window/responses');
const { Sending } = require('./window/sending');
const { Status } = require('./window/status');
const { isWrongProgram } = require('./window/telling');

let client;

/**
 * @param {vscode.ExtensionContext} context
 * @param {vscode.EventEmitter<vscode.Uri>} changed tells that the text of a response has changed
 * @param {{sent: vscode.EventEmitter, received: vscode.EventEmitter}} heard by other extensions
 * @returns {{commands: Record<string, Function>, responses: Responses}} what each command of
 *   package.json does, and where the texts of responses come from
 */
function start(context, changed, heard) {
  const events = new Events(heard);
  const log = vscode.window.createOutputChannel('PostKit', { log: true });
  const manifest = context.extension.packageJSON;
  let settings;
  client = new Client({
    program: () => program(context),
    initializeParams: () => initializeParams(settings, log),
    log: text => log.info(text),
  });
  settings = new Settings(client, manifest);
  const responses = new Responses(client, changed);
  const live = new Live(client);
  const failures = new Failures();
  const outdated = new Outdated();
  const sending = new Sending(client, responses, new Progress(client), live, events, outdated);
  const panel = new ResponsePanel(client, responses, sending, outdated);
  // These two first: what is asked about a document or a folder has to come after it.
  const documents = new Documents(client);
  const folders = new Folders(client, log);
  const current = new Current();
  const environments = new Environments(client, log, current);
  const watching = new Watching(client);
  const views = new Views({ client, sending, responses, panel, environments, current });
  // What a file says of environments shows at once.
  watching.on('changed', () => {
    environments.refresh();
    views.refresh();
  });
  handleWindowRequests(client, responses, log, () => sending.declined());
  context.subscriptions.push(log, settings, panel, documents, folders, current,
    environments, new TestExplorer(client, documents, events),
    new Features(client, documents, log, { live, failures }), watching, views, live, failures,
    outdated, new Status(client), new ScriptOutput(client),
    followTrace(client, log), takeKeysOfRestClient(), ...restartWhenNeeded());
  client.on('ready', result => {
    const { name = 'postkit', version = '' } = result.serverInfo ?? {};
    log.info(`${name} ${version} is ready`);
    const problem = incompatibility(result, client.command, manifest.version);
    if (problem) reportFailure(new BinaryNotFound(problem), log);
  });
  client.on('failed', error => reportFailure(error, log));
  // Nobody waits for the process: the window goes on at once. A failure is reported by the event.
  setImmediate(() => client.start().catch(() => {}));
  greetNeighbours(context.globalState).catch(error => log.warn(error.message));
  const { [SERVER_COMMAND]: runServerCommand, ...commands } = commandTable(
    { client, log, responses, sending, environments, panel, current });
  context.subscriptions.push(vscode.commands.registerCommand(SERVER_COMMAND, runServerCommand));
  return { commands: { ...commands, ...views.commands }, responses };
}

/** Ends the server. */
function end() {
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
  // What the user has stopped stays so, whatever else changes.
  const restart = () => client.isHalted || client.restart().catch(() => {});
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
  const actions = isWrongProgram(error) ? [settings, output, restart] : [output, restart];
  const choice = await tell('error', `PostKit: ${error.message}`, ...actions);
  if (choice === settings) {
    vscode.commands.executeCommand('workbench.action.openSettings', 'postkit.path');
  } else if (choice === output) {
    log.show();
  } else if (choice === restart) {
    client.restart().catch(() => {});
  }
}

module.exports = { end, start };
