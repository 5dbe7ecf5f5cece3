'use strict';
// Renaming in all files. Why something can't be renamed is said to the user, not to the log.
const vscode = require('vscode');
const convert = require('../convert');
const { workspaceEdit } = require('../convert/edits');
const { SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, demand }) {
  const options = capabilities.renameProvider;
  if (!options) return [];
  return [vscode.languages.registerRenameProvider(SELECTOR, {
    provideRenameEdits: async (document, position, newName, token) => {
      const edit = await demand('textDocument/rename',
        { ...convert.place(document, position), newName }, token);
      return edit ? workspaceEdit(edit) : undefined;
    },
    prepareRename: options.prepareProvider && (async (document, position, token) => {
      const found = await demand(
        'textDocument/prepareRename', convert.place(document, position), token);
      if (!found) throw new Error('Nothing here can be renamed.');
      if (!found.range) return convert.range(found);
      return { range: convert.range(found.range), placeholder: found.placeholder };
    }),
  })];
}

module.exports = register;
