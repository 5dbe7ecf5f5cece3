'use strict';
// The commands: those of the palette, and the wrapper in which the server's own travel.
const vscode = require('vscode');
const convert = require('./convert');
const { ErrorCode } = require('./server/connection');
const { SELECTOR } = require('./sync/selectors');
const { tell } = require('./window/messages');
const { SCHEME } = require('./window/responses');
const { CHOOSE_COMMAND } = require('./window/environments');
const { tellFailure } = require('./window/telling');

/**
 * @param {object} parts
 * @param {import('./server/client').Client} parts.client
 * @param {vscode.LogOutputChannel} parts.log
 * @param {import('./window/responses').Responses} parts.responses
 * @param {import('./window/sending').Sending} parts.sending
 * @param {import('./window/environments').Environments} parts.environments
 * @param {import('./response/panel').ResponsePanel} parts.panel
 * @param {import('./window/current').Current} parts.current
 * @returns {Record<string, Function>} by id
 */
function commandTable({ client, log, responses, sending, environments, panel, current }) {
  const table = {};
  const register = (id, run) => { table[id] = run; };
  const registerForEditor = (id, run) => register(id, () => withRequest(run));
  const execute = (command, argument) => sending.run(command, argument);

  registerForEditor('postkit.sendRequest', editor => sending.send(target(editor)));
  registerForEditor('postkit.sendAllRequests',
    ({ document }) => sending.sendAll(convert.identifier(document)));
  registerForEditor('postkit.sendSelection', ({ document, selection }) =>
    sending.sendAll({ ...convert.identifier(document), range: convert.fromRange(selection) }));
  register('postkit.resendLast', () => sending.resendLast());
  registerForEditor('postkit.openResponse', editor => sending.showResponse(target(editor)));
  const turnPage = step => reported(
    require('./window/pages').turnPage(sending, client, step));
  register('postkit.nextPage', () => turnPage(1));
  register('postkit.previousPage', () => turnPage(-1));
  register('postkit.goToPage', () => reported(
    require('./window/pages').choosePage(sending, client)));
  const inFront = async work => work(require('./window/body').exchangeInFront(panel));
  register('postkit.copyBody', () => reported(inFront(id => sending.copyBody(id))));
  register('postkit.saveBody', () => reported(inFront(id => sending.saveResponse({ id }))));
  register('postkit.showResponsePanel', () => reported(showPanel(panel)));
  registerForEditor('postkit.copyRequestAsCurl', editor => sending.copyAsCurl(target(editor)));
  registerForEditor('postkit.copyRequestAs', editor => sending.copyAs(target(editor)));
  registerForEditor('postkit.copyRequestWithSecretsAs',
    editor => sending.copyAs(target(editor), { reveal: true }));
  registerForEditor('postkit.pasteCurlCommand', editor => sending.pasteCurl(target(editor)));
  register(CHOOSE_COMMAND, () => reported(environments.choose()));
  register('postkit.createEnvironmentFile', () => reported(environments.create()));
  register('postkit.cancelSending', () => sending.cancel());
  registerForEditor('postkit.saveToCollection', editor =>
    execute('postkit.collectionEdit', { op: 'collection.save', ...target(editor) }));
  registerForEditor('postkit.showTimeline', editor => execute('postkit.history', target(editor)));
  register('postkit.showHistory',
    () => reported(require('./window/history').showHistory(client, responses, sending)));
  register('postkit.showCollections',
    () => reported(require('./window/collections').showCollections(client, sending)));
  register('postkit.importFolder',
    () => reported(require('./window/transfer').importFolder(sending)));
  register('postkit.exportHistory',
    () => reported(require('./window/transfer').exportHistory(sending)));
  register('postkit.migrateFromRestClient',
    () => reported(require('./migration/restClient').migrate(sending)));
  // From protocol/commands.json, by generate-protocol:
  registerForEditor('postkit.compareResponses',
    editor => execute('postkit.diffResponses', target(editor)));
  registerForEditor('postkit.createRequest',
    editor => execute('postkit.describe', target(editor)));
  registerForEditor('postkit.toggleHeader',
    editor => execute('postkit.toggleLine', lines(editor)));
  register('postkit.showCookies', () => execute('postkit.cookies'));
  register('postkit.showSessionValues', () => execute('postkit.session'));
  registerForEditor('postkit.evaluate',
    editor => execute('postkit.evaluateExpression', target(editor)));
  registerForEditor('postkit.fetchGraphQLSchema',
    editor => execute('postkit.fetchSchema', target(editor)));
  registerForEditor('postkit.signInHere',
    editor => execute('postkit.signIn', target(editor)));
  registerForEditor('postkit.forgetTokenHere',
    editor => execute('postkit.forgetToken', target(editor)));
  registerForEditor('postkit.showClaimsHere',
    editor => execute('postkit.showClaims', target(editor)));
  registerForEditor('postkit.startMock',
    editor => execute('postkit.mock', target(editor)));
  // Until here.
  // As in the list of variables, those of the request that was looked at last.
  register('postkit.showVariables', () => current.document
    ? execute('postkit.variables', { ...convert.identifier(current.document),
      position: convert.fromPosition(current.position) })
    : withRequest(() => {}));
  register('postkit.showStatus', () => sending.showStatus());
  register('postkit.closeConnections', () => sending.closeConnections());
  register('postkit.restartServer', () => client.restart().catch(() => {}));
  register('postkit.stopServer', () => client.halt());
  register('postkit.showLog', () => log.show());
  register(convert.SERVER_COMMAND, async (command, ...rest) => {
    // A lens may be clicked while its server is gone and another one starts.
    try {
      await client.start();
    } catch (error) {
      return tellFailure(error);
    }
    if (!client.capabilities?.executeCommandProvider?.commands.includes(command)) {
      return vscode.commands.executeCommand(command, ...rest);
    }
    return runServerCommand(command, rest[0], { sending, environments });
  });
  return table;
}

/** The arguments of a command about the request under the cursor. */
const target = ({ document, selection }) => ({
  ...convert.identifier(document), position: convert.fromPosition(selection.active),
});

/** The arguments of a command about the lines that the selection touches. */
function lines({ document, selection: { start, end } }) {
  // One that ends before the first letter of a line doesn't touch that.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { ...convert.identifier(document), range: convert.fromRange(new vscode.Range(
    start.line, 0, last, document.lineAt(last).text.length)) };
}

/** Runs on the request under the cursor, or says that there is none. */
function withRequest(run) {
  const editor = vscode.window.activeTextEditor;
  if (editor && vscode.languages.match(SELECTOR, editor.document)) return run(editor);
  return tell('info', `PostKit: ${whyNoRequest(editor?.document)}`);
}

/** What is in the way, and what to do. @param {vscode.TextDocument} [document] the active one */
function whyNoRequest(document) {
  if (document?.uri.scheme === SCHEME) {
    return 'this is a response or a list. Put the cursor into a request of a .http file.';
  }
  if (document?.languageId === 'http') {
    return 'requests are sent from files on disk, and from new files before they are saved. '
      + 'Save this one as a .http file.';
  }
  return 'open a .http file and put the cursor into a request.';
}

/** The panel of the response that is open, or of the request under the cursor. */
async function showPanel(panel) {
  const { document } = vscode.window.activeTextEditor ?? {};
  if (document && await panel.showDocument(convert.identifier(document).uri)) return;
  await withRequest(editor => panel.showLast(target(editor)));
}

/** A command of a lens, a hint or an action; some need more than to be passed on. */
function runServerCommand(command, argument, { sending, environments }) {
  switch (command) {
    case 'postkit.send': return sending.send(argument);
    case 'postkit.resend': return sending.resend(argument);
    case 'postkit.sendAll': return sending.sendAll(argument);
    case 'postkit.showResponse': return sending.showResponse(argument);
    case 'postkit.copyAsCurl': return sending.copyAsCurl(argument);
    case 'postkit.copyPath': return sending.copyPath(argument);
    case 'postkit.saveResponse': return sending.saveResponse(argument);
    case 'postkit.selectEnvironment':
      if (argument?.name === undefined) return vscode.commands.executeCommand(CHOOSE_COMMAND);
      return reported(sending.execute(command, argument).then(() => environments.refresh()));
    default: return sending.run(command, argument);
  }
}

/** A failure is one message; what the user has cancelled needs none. */
const reported = work => work.catch(error => {
  if (error.code === ErrorCode.requestCancelled) return;
  tellFailure(error);
});

module.exports = { commandTable };
