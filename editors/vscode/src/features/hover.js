'use strict';
// What is known of the place under the pointer.
const vscode = require('vscode');
const convert = require('../convert');
const { SELECTOR } = require('../sync/selectors');

/** @param {object} room see `Features` @returns {vscode.Disposable[]} */
function register({ capabilities, ask }) {
  if (!capabilities.hoverProvider) return [];
  return [vscode.languages.registerHoverProvider(SELECTOR, {
    provideHover: async (document, position, token) => {
      const result = await ask(
        'textDocument/hover', convert.place(document, position), token);
      if (!result) return undefined;
      const contents = [].concat(result.contents).flatMap(convert.hover).filter(Boolean);
      return new vscode.Hover(contents, result.range && convert.range(result.range));
    },
  })];
}

module.exports = register;
