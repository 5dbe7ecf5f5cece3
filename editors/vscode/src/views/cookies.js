'use strict';
// The cookies that requests are sent with, by domain. A value is hidden until it is asked for.
const { byDomain, cookie, domain } = require('./describe');

const PAGE = 200;
/** More than this nobody reads; the notice says how to get at the rest. */
const MOST = 2_000;

/** The source of the view. */
class Cookies {
  name = 'cookies';
  title = 'Cookies';
  searches = 'Search names, domains and paths';
  scopes = ['cookies'];
  canSelectMany = true;
  notice;
  #client;
  /** Those whose value is shown. */
  #revealed = new Set();

  /** @param {import('../server/client').Client} client */
  constructor(client) { this.#client = client; }

  async children(node, query) {
    if (node) return node.nodes ?? [];
    const wanted = query.toLowerCase();
    const has = item => `${item.name} ${item.domain}${item.path}`.toLowerCase().includes(wanted);
    return byDomain((await this.#load()).filter(has));
  }

  describe(node) { return { cookie, domain }[node.kind](node); }

  /** Shows a value from now on, or hides it again. */
  reveal(item, isShown) {
    if (isShown) this.#revealed.add(key(item));
    else this.#revealed.delete(key(item));
  }

  async #load() {
    const items = [];
    let cursor;
    do {
      const page = await this.#client.request('postkit/cookies', {
        limit: PAGE, ...cursor ? { cursor } : {} });
      items.push(...page.items);
      ({ cursor } = page);
    } while (cursor && items.length < MOST);
    this.notice = cursor
      ? `These are the first ${items.length}; run “PostKit: Show Cookies” for all.` : undefined;
    return Promise.all(items.map(
      item => this.#revealed.has(key(item)) ? this.#withValue(item) : item));
  }

  /** The one with its value; no other is asked for with it. */
  async #withValue(item) {
    const { folder, domain: host, path, environment } = item;
    const { items } = await this.#client.request('postkit/cookies', {
      folder, domain: host, path, environment: environment ?? '', reveal: true });
    return items.find(other => key(other) === key(item)) ?? item;
  }
}

const key = ({ folder, environment, domain: host, path, name }) =>
  JSON.stringify([folder, environment, host, path, name]);

module.exports = { Cookies };
