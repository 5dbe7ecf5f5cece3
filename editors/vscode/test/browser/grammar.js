'use strict';
// VS Code's own tokenizer with our grammars, out of the node_modules of a VS Code Server.
const fs = require('fs');
const path = require('path');
const { extensionPath, serverDirectory } = require('../support');

/** Grammars of other languages, reduced to what the tests need: strings and nesting. */
const EMBEDDED = {
  'source.json': { patterns: [
    { begin: '\\{', end: '\\}', name: 'meta.object.json', patterns: [{ include: '$self' }] },
    { begin: '"', end: '"', name: 'string.quoted.json' }] },
  'source.js': { patterns: [{ match: '\\b(const|let)\\b', name: 'storage.type.js' },
    { match: '"[^"]*"', name: 'string.quoted.js' }] },
  'text.xml': { patterns: [{ begin: '<\\w+', end: '>', name: 'meta.tag.xml' }] },
  'source.graphql': { patterns: [{ match: '\\bquery\\b', name: 'keyword.operation.graphql' }] },
};

/** @param {string} [scopeName] which of our grammars */
async function loadGrammar(scopeName = 'source.http') {
  const modules = path.join(serverDirectory, 'node_modules');
  const oniguruma = require(path.join(modules, 'vscode-oniguruma'));
  const textmate = require(path.join(modules, 'vscode-textmate'));
  const wasm = fs.readFileSync(path.join(modules, 'vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const own = require('../../package.json').contributes.grammars;
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async name => {
      const file = own.find(grammar => grammar.scopeName === name)?.path;
      if (file) return JSON.parse(fs.readFileSync(path.join(extensionPath, file), 'utf8'));
      return EMBEDDED[name] ? { scopeName: name, ...EMBEDDED[name], repository: {} } : null;
    },
    getInjections: name => own.filter(
      grammar => grammar.injectTo?.includes(name)).map(grammar => grammar.scopeName),
  });
  const grammar = await registry.loadGrammar(scopeName);
  /** @returns {{text: string, scopes: string[]}[][]} the tokens of each line */
  return text => {
    let state = textmate.INITIAL;
    return text.split('\n').map(line => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) =>
        ({ text: line.slice(startIndex, endIndex), scopes }));
    });
  };
}

module.exports = { loadGrammar };
