'use strict';
// Responses as read-only documents: the server renders `postkit:` addresses, VS Code does the rest
// (search, folding, comparing, theme).
const vscode = require('vscode');
const convert = require('../convert');
const { address } = require('../convert/titles');

const SCHEME = 'postkit';

/** Gives the texts of `postkit:` documents, and opens them. */
class Responses {
  /**
   * Shows a document in another way, and says whether it did.
   * @type {(uri: string, options: object) => Promise<boolean>}
   */
  divert = async () => false;
  /**
   * Shows a response while it comes, where that is not left to its document.
   * @type {(about: object) => {take: Function, end: Function} | null}
   */
  watch = () => null;
  #client;

  /**
   * @param {import('../server/client').Client} client
   * @param {vscode.EventEmitter<vscode.Uri>} changed told of each document with another text
   */
  constructor(client, changed) {
    this.#client = client;
    client.handlers.onRequest('workspace/textDocumentContent/refresh', ({ uri }) => {
      // It may have been opened before it had its title.
      changed.fire(vscode.Uri.parse(uri, true));
      changed.fire(convert.uri(uri));
    });
  }

  /**
   * Shows a document beside the request, where earlier responses are; the request keeps the focus.
   * @param {string} uri
   * @param {{takeFocus?: boolean, selection?: object}} [options]
   */
  async show(uri, options = {}) {
    if (!await this.divert(uri, options)) await this.open(uri, options);
  }

  /** The same, as a document in any case. */
  async open(uri, { takeFocus = false, selection } = {}) {
    const document = await vscode.workspace.openTextDocument(convert.uri(uri));
    await vscode.window.showTextDocument(document, {
      viewColumn: responseColumn(),
      preserveFocus: !takeFocus,
      preview: true,
      selection: selection && convert.range(selection),
    });
  }

  /** What a document says. @param {vscode.Uri} uri @param {vscode.CancellationToken} token */
  async text(uri, token) {
    const params = { uri: address(uri) };
    return (await this.#client.request('workspace/textDocumentContent', params, token)).text;
  }
}

function responseColumn() {
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === SCHEME));
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

module.exports = { Responses, SCHEME };
