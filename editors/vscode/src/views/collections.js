'use strict';
// The collections as a tree, of which a level is asked for when it is opened; or as a list of
// requests, which the server finds and sorts. What is dragged in the tree is moved: onto a
// collection or folder into it, onto a request before it.
const vscode = require('vscode');
const { more, stored } = require('./describe');
const { ORDERS, storedQuery } = require('./query');

const MIME = 'application/vnd.code.tree.postkit.views.collections';
const STEP = 100;
/** What the server gives at once. */
const PAGE = 200;

/** The source of the view. */
class Collections {
  name = 'collections';
  title = 'Collections';
  searches = 'Words in names, addresses and tags; method:POST tag:smoke in:Shop/orders '
    + 'header:X-Id=… param:page favourite:yes sort:recent';
  notice;
  canSelectMany = true;
  dragging = {
    dragMimeTypes: [MIME],
    dropMimeTypes: [MIME],
    handleDrag: (nodes, data) => {
      const ids = nodes.filter(({ item }) => item).map(({ item }) => item.id);
      data.set(MIME, new vscode.DataTransferItem(ids));
    },
    handleDrop: (target, data) => this.#move(data.get(MIME)?.value ?? [], target),
  };
  #client;
  #edit;
  #wanted = STEP;
  #order = 'order';

  /**
   * @param {import('../server/client').Client} client
   * @param {(ops: object[]) => Promise<void>} edit changes the store, and says what goes wrong
   */
  constructor(client, edit) {
    this.#client = client;
    this.#edit = edit;
  }

  /** What was sent last changes with each send. */
  get scopes() { return ['collections', ...this.#order === 'recent' ? ['history'] : []]; }

  /** How the requests are sorted; as they lie in their folders, they are a tree. */
  get order() { return this.#order; }

  set order(order) {
    this.#order = order;
    this.#wanted = STEP;
  }

  get isRearranged() { return this.#order !== 'order'; }

  async children(node, query) {
    if (!node && (query || this.isRearranged)) return this.#list(query);
    if (!node) this.notice = undefined;
    const parent = node?.item.id;
    const { nodes } = await this.#client.request(
      'postkit/collections', { ...parent ? { parent } : {}, depth: 1 });
    return nodes.map(item => ({ kind: 'stored', item, parent: node?.item }));
  }

  describe(node) { return node.kind === 'more' ? more(node) : stored(node); }

  /** Shows more, from the next time it is asked. */
  more() { this.#wanted += STEP; }

  async #list(query) {
    const asked = { sort: this.#order, ...storedQuery(query) };
    let found;
    try {
      found = await this.#pages(asked);
    } catch (error) {
      // Where the collections have changed between two pages, these begin anew.
      if (!error.isBetweenPages) throw error;
      found = await this.#pages(asked);
    }
    const { items, total } = found;
    this.notice = [asked.sort !== 'order' && `${ORDERS[asked.sort]}.`,
      items.length < total && `${items.length} of ${total}.`,
      !query && total === 0 && 'There is none.'].filter(Boolean).join(' ') || undefined;
    return [...items.map(item => ({ kind: 'stored', item, isFound: true })),
      ...items.length < total ? [{ kind: 'more', name: this.name }] : []];
  }

  async #pages(asked) {
    const items = [];
    let cursor;
    let total;
    do {
      const limit = Math.min(PAGE, this.#wanted - items.length);
      const page = await this.#client.request(
        'postkit/collections', { ...asked, limit, ...cursor ? { cursor } : {} })
        .catch(error => { throw Object.assign(error, { isBetweenPages: cursor !== undefined }); });
      items.push(...page.nodes);
      ({ cursor, total = items.length } = page);
    } while (cursor && items.length < this.#wanted);
    return { items, total };
  }

  /** Nothing goes to the top: only collections are there, and those can't be in anything. */
  #move(ids, target) {
    // A request in a list of those that were found says nothing of its place among others.
    if (!target?.item || target.isFound || ids.length === 0 || ids.includes(target.item.id)) {
      return undefined;
    }
    const place = target.item.kind === 'request'
      ? { parent: target.parent?.id, before: target.item.id } : { parent: target.item.id };
    return this.#edit(ids.map(id => ({ op: 'collection.move', id, ...place })));
  }
}

module.exports = { Collections };
