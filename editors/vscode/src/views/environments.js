'use strict';
// The environments that the current request file can be sent with, and those of the collections.
const convert = require('../convert');
const { environment, environmentFile, storedEnvironment, variable } = require('./describe');

/** The source of the view. */
class EnvironmentTree {
  name = 'environments';
  title = 'Environments';
  scopes = ['environment', 'collections'];
  #client;
  #current;

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../window/current').Current} current
   */
  constructor(client, current) {
    this.#client = client;
    this.#current = current;
  }

  async children(node) {
    switch (node?.kind) {
      case undefined: return this.#all();
      case 'environment': return node.item.files.map(
        file => ({ kind: 'file', file, environment: node.item.name }));
      case 'stored environment': return node.item.variables.map(
        item => ({ kind: 'variable', key: item.id, item }));
      default: return [];
    }
  }

  describe(node) {
    return {
      environment, file: environmentFile, 'stored environment': storedEnvironment, variable,
    }[node.kind](node);
  }

  async #all() {
    const { document } = this.#current;
    const params = document ? { textDocument: convert.identifier(document) } : {};
    const { items, stored = [] } = await this.#client.request('postkit/environments', params);
    return [...items.map(item => ({ kind: 'environment', item })),
      ...stored.map(item => ({ kind: 'stored environment', item }))];
  }
}

module.exports = { EnvironmentTree };
