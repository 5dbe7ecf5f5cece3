'use strict';
// The history as a list: days with what was sent on them, searched by the server.
const { byDay, day, exchange, more } = require('./describe');
const { HISTORY_ORDERS, orderOf } = require('./query');

const STEP = 100;
/** What the server gives at once. */
const PAGE = 200;

/** The source of the view. */
class History {
  name = 'history';
  title = 'History';
  searches = 'Words in URLs, headers, bodies, names and notes; status:4xx method:POST since:2h '
    + 'host:… label:"two words" stored:Shop/list pinned:true minMs:500 sort:ms';
  scopes = ['history'];
  canSelectMany = true;
  notice;
  #client;
  #wanted = STEP;

  /** @param {import('../server/client').Client} client */
  constructor(client) { this.#client = client; }

  async children(node, query) {
    if (node) return node.nodes ?? [];
    const { entries, hasMore } = await this.#load(query);
    // Days are in order of time alone.
    const nodes = orderOf(query) === 'time'
      ? byDay(entries) : entries.map(entry => ({ kind: 'exchange', entry }));
    return [...nodes, ...hasMore ? [{ kind: 'more', name: this.name }] : []];
  }

  describe(node) {
    return { day, exchange, more }[node.kind](node);
  }

  /** Shows more, from the next time it is asked. */
  more() { this.#wanted += STEP; }

  async #load(query) {
    const entries = [];
    let cursor;
    do {
      const limit = Math.min(PAGE, this.#wanted - entries.length);
      const page = await this.#client.request('postkit/history', {
        limit, ...query ? { line: query } : {}, ...cursor ? { cursor } : {} });
      entries.push(...page.items);
      ({ cursor, notice: this.notice } = page);
    } while (cursor && entries.length < this.#wanted);
    const order = orderOf(query);
    if (order !== 'time') {
      this.notice = [`${HISTORY_ORDERS[order]}.`, this.notice].filter(Boolean).join(' ');
    }
    return { entries, hasMore: cursor !== undefined };
  }
}

module.exports = { History };
