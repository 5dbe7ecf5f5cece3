'use strict';
// The collections as a tree: a level is asked for when it is opened, all of them for a search.
// What is dragged is moved: onto a collection or folder into it, onto a request before it.
const vscode = require('vscode');
const { search, stored } = require('./describe');

const MIME = 'application/vnd.code.tree.postkit.views.collections';
/** Deeper folders than anybody makes. */
const DEPTH = 100;

/** The source of the view. */
class Collections {
  name = 'collections';
  title = 'Collections';
  searches = 'Search names, methods and addresses';
  scopes = ['collections'];
  canSelectMany = true;
  dragging = {
    dragMimeTypes: [MIME],
    dropMimeTypes: [MIME],
    handleDrag: (nodes, data) => {
      data.set(MIME, new vscode.DataTransferItem(nodes.map(({ item }) => item.id)));
    },
    handleDrop: (target, data) => this.#move(data.get(MIME)?.value ?? [], target),
  };
  #client;
  #edit;

  /**
   * @param {import('../server/client').Client} client
   * @param {(ops: object[]) => Promise<void>} edit changes the store, and says what goes wrong
   */
  constructor(client, edit) {
    this.#client = client;
    this.#edit = edit;
  }

  async children(node, query) {
    if (node?.item.children) return nodesOf(node.item.children, node.item, node.isFiltered);
    const parent = node?.item.id;
    const { nodes } = await this.#client.request('postkit/collections', {
      ...parent ? { parent } : {}, depth: query ? DEPTH : 1 });
    return query ? nodesOf(search(nodes, query), undefined, true) : nodesOf(nodes, node?.item);
  }

  describe(node) { return stored(node); }

  /** Nothing goes to the top: only collections are there, and those can't be in anything. */
  #move(ids, target) {
    if (!target || ids.length === 0 || ids.includes(target.item.id)) return undefined;
    const place = target.item.kind === 'request'
      ? { parent: target.parent?.id, before: target.item.id } : { parent: target.item.id };
    return this.#edit(ids.map(id => ({ op: 'collection.move', id, ...place })));
  }
}

const nodesOf = (items, parent, isFiltered = false) =>
  items.map(item => ({ kind: 'stored', item, parent, isFiltered }));

module.exports = { Collections };
