'use strict';
// The variables that the request under the cursor sees, with their values. Secrets are hidden until
// one is asked for, and hidden again when another file is looked at.
const convert = require('../convert');
const { variable } = require('./describe');

/** The source of the view. */
class Variables {
  name = 'variables';
  title = 'Variables';
  searches = 'Search names, values and files';
  scopes = ['environment', 'collections', 'history'];
  #client;
  #current;
  #revealed = new Set();

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../window/current').Current} current
   */
  constructor(client, current) {
    this.#client = client;
    this.#current = current;
    current.on('document', () => this.#revealed.clear());
  }

  async children(node, query) {
    const { document, position } = this.#current;
    if (node || !document) return [];
    const { items } = await this.#client.request('postkit/variables', {
      textDocument: convert.identifier(document),
      position: convert.fromPosition(position),
      ...this.#revealed.size ? { reveal: [...this.#revealed] } : {},
    });
    const wanted = query.toLowerCase();
    const has = ({ name, value, origin }) =>
      `${name}\n${value ?? ''}\n${origin.file}`.toLowerCase().includes(wanted);
    // What is shown for now is a secret all the same, which can be hidden again.
    return items.filter(has).map(item => ({ kind: 'variable', key: item.name,
      item: this.#revealed.has(item.name) ? { ...item, masked: true } : item }));
  }

  describe(node) { return variable(node); }

  /** Shows a secret from now on, or hides it again. */
  reveal(name, isShown) {
    if (isShown) this.#revealed.add(name);
    else this.#revealed.delete(name);
  }
}

module.exports = { Variables };
