'use strict';
// The folders of the window, and what happens to the files in them.
const vscode = require('vscode');
const { StaleEdit, workspaceEdit } = require('../convert/edits');
const { tell } = require('../window/messages');

const plain = ({ uri, name }) => ({ uri: uri.toString(), name });

/** The folders of the window in protocol form; `null` when no folder is open. */
function workspaceFolders() {
  return vscode.workspace.workspaceFolders?.map(plain) ?? null;
}

/** Tells of folders that come and go, and lets the server follow files that get other names. */
class Folders {
  #client;
  #log;
  #subscriptions;

  /** @param {import('../server/client').Client} client @param {vscode.LogOutputChannel} log */
  constructor(client, log) {
    this.#client = client;
    this.#log = log;
    const { workspace } = vscode;
    this.#subscriptions = [
      workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        client.notify('workspace/didChangeWorkspaceFolders', {
          event: { added: added.map(plain), removed: removed.map(plain) },
        });
      }),
      workspace.onWillRenameFiles(event => {
        const files = this.#concerned('willRename', event.files);
        if (files.length) event.waitUntil(this.#editsOf(files, event.token));
      }),
      workspace.onDidRenameFiles(event => {
        const files = this.#concerned('didRename', event.files);
        if (files.length) client.notify('workspace/didRenameFiles', { files });
      }),
    ];
  }

  dispose() {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** The files that the server wants to hear of, by the patterns that it advertises. */
  #concerned(operation, files) {
    const filters = this.#client.capabilities?.workspace?.fileOperations?.[operation]?.filters;
    if (!filters) return [];
    const selector = filters.map(({ scheme, pattern }) => ({ scheme, pattern: pattern.glob }));
    return files
      .filter(({ oldUri }) => vscode.languages.match(selector, { uri: oldUri, languageId: '' }))
      .map(({ oldUri, newUri }) => ({ oldUri: oldUri.toString(), newUri: newUri.toString() }));
  }

  /** The edits to make along with it. The renaming itself goes on, whatever comes of them. */
  async #editsOf(files, token) {
    try {
      const edit = await this.#client.request('workspace/willRenameFiles', { files }, token);
      return edit ? workspaceEdit(edit) : undefined;
    } catch (error) {
      this.#log.warn(`workspace/willRenameFiles: ${error.message}`);
      if (error instanceof StaleEdit) tell('warning', `PostKit: ${error.message}`);
      return undefined;
    }
  }
}

module.exports = { Folders, workspaceFolders };
