'use strict';
// The history as a quick pick: the server searches what is typed, Enter opens the stored exchange,
// the buttons of an item do more with it.
const vscode = require('vscode');
const { ErrorCode } = require('../server/connection');
const { tell } = require('./messages');
const { historyItem, responseUri } = require('./render');

const LIMIT = 200;
/** As long as somebody goes on typing, nothing is searched. */
const TYPING_MILLISECONDS = 150;

const button = (icon, tooltip) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip });
const BUTTONS = {
  resend: button('refresh', 'Send again'),
  timeline: button('versions', 'Show earlier responses'),
  pin: button('pin', 'Pin: never trimmed'),
  unpin: button('pinned', 'Unpin'),
};
const formatTime = time => time.toLocaleString();

/** One quick pick, from its opening to its end. */
class HistoryPick {
  #client;
  #responses;
  #sending;
  #pick = vscode.window.createQuickPick();
  #timer;
  /** Counts the questions, so that a late answer doesn't replace a newer one. */
  #turn = 0;

  constructor(client, responses, sending) {
    this.#client = client;
    this.#responses = responses;
    this.#sending = sending;
  }

  /** Shows the list until something is chosen or it is left. @param {object} first its one page */
  run(first) {
    const pick = this.#pick;
    pick.title = 'PostKit: History';
    pick.placeholder = 'Words in URLs, headers, bodies, names and notes; status:4xx method:POST since:2h';
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = this.#items(first);
    return new Promise((resolve, reject) => {
      let isChosen = false;
      const end = work => {
        isChosen = true;
        pick.hide();
        work.then(resolve, reject);
      };
      pick.onDidChangeValue(() => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#search().catch(error => {
          end(Promise.reject(error));
        }), TYPING_MILLISECONDS);
      });
      pick.onDidTriggerItemButton(event => end(this.#press(event)));
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.next) this.#more(item.next).catch(error => end(Promise.reject(error)));
        else if (item?.id) end(this.#responses.show(responseUri(item.id), { takeFocus: true }));
      });
      pick.onDidHide(() => {
        clearTimeout(this.#timer);
        pick.dispose();
        if (!isChosen) resolve();
      });
      pick.show();
    });
  }

  #parameters(more) {
    const line = this.#pick.value.trim();
    return { limit: LIMIT, ...line ? { line } : {}, ...more };
  }

  async #ask(more) {
    const turn = ++this.#turn;
    this.#pick.busy = true;
    try {
      const result = await this.#client.request('postkit/history', this.#parameters(more));
      return turn === this.#turn ? result : null;
    } finally {
      if (turn === this.#turn) this.#pick.busy = false;
    }
  }

  async #search() {
    let result;
    try {
      result = await this.#ask({});
    } catch (error) {
      if (error.code !== ErrorCode.invalidParams) throw error;
      // What is not typed to its end yet takes nothing away.
      const problem = error.message.replace(/^params\.\w+: /, '');
      this.#pick.items = [{ label: `$(warning) ${problem}`, alwaysShow: true, isProblem: true },
        ...this.#pick.items.filter(({ isProblem }) => !isProblem)];
      return;
    }
    if (result) this.#pick.items = this.#items(result);
  }

  async #more(cursor) {
    const result = await this.#ask({ cursor });
    if (!result) return;
    const known = this.#pick.items.filter(item => !item.next);
    this.#pick.items = [...known, ...this.#items(result)];
  }

  /** The items of an answer. What was searched for may stand in a body, so each is shown. */
  #items({ items, cursor, notice }) {
    const entries = items.map(entry => ({
      ...historyItem(entry, formatTime),
      alwaysShow: true,
      buttons: [BUTTONS.resend, BUTTONS.timeline, entry.pinned ? BUTTONS.unpin : BUTTONS.pin],
    }));
    if (notice) entries.unshift({ label: `$(warning) ${notice}`, alwaysShow: true });
    if (items.length === 0) entries.push({ label: 'No matches', alwaysShow: true });
    if (cursor) entries.push({ label: '$(ellipsis) Older ones', alwaysShow: true, next: cursor });
    return entries;
  }

  #press({ item, button: pressed }) {
    switch (pressed) {
      case BUTTONS.resend: return this.#sending.resend({ id: item.id });
      case BUTTONS.timeline: return this.#sending.run('postkit.history', { id: item.id });
      default: {
        const op = pressed === BUTTONS.pin ? 'history.pin' : 'history.unpin';
        return this.#sending.run('postkit.historyEdit', { op, ids: [item.id] });
      }
    }
  }
}

/**
 * @param {import('../server/client').Client} client
 * @param {import('./responses').Responses} responses
 * @param {import('./sending').Sending} sending
 */
async function showHistory(client, responses, sending) {
  const first = await client.request('postkit/history', { limit: LIMIT });
  if (first.items.length === 0) {
    tell('info', 'The history is empty: send a request first.');
    return;
  }
  await new HistoryPick(client, responses, sending).run(first);
}

module.exports = { showHistory };
