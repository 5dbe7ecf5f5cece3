'use strict';
// The response panel: a web view beside the request. Responses open as documents; the panel shows
// them instead where the user asked for it, by a command or by a setting.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');
const { nameResponse, titleOf } = require('../convert/titles');
const { responseUri } = require('../window/render');
const { tellFailure } = require('../window/telling');
const { bodyKind, Source } = require('./source');

const VIEW_TYPE = 'postkit.response';
const MEDIA = path.join(__dirname, '..', '..', 'media');
const NONCE_BYTES = 18;

const formatTime = time => new Date(time).toLocaleString();

/** The exchange that a document shows in whole. @param {string} uri */
function exchangeOf(uri) {
  return /^postkit:\/response\/([0-9a-f-]{36})\.http$/.exec(uri)?.[1];
}

/** One panel for all responses, as there is one document column for them. */
class ResponsePanel {
  #source;
  #sending;
  #responses;
  #panel;
  /** What is shown; none while a response comes. */
  #values;
  /** What comes at the moment, where that is shown. */
  #stream;
  #files = new Map();
  /** Whether the next response that opens is to open here, as a command asked for it. */
  #isClaimed = false;
  /** Counts what was asked to be shown, so that a slow answer doesn't replace a newer one. */
  #turn = 0;

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../window/responses').Responses} responses
   * @param {import('../window/sending').Sending} sending
   * @param {import('../window/outdated').Outdated} outdated
   */
  constructor(client, responses, sending, outdated) {
    this.#source = new Source(client);
    this.#sending = sending;
    this.#responses = responses;
    responses.divert = (uri, options) => this.#divert(uri, options);
    responses.watch = about => this.#watch(about);
    outdated.on('changed', reason => { if (this.#panel && this.#values) this.#render(reason); });
  }

  dispose() { this.#panel?.dispose(); }

  /** The exchange that is shown. @returns {string | undefined} */
  get shownId() { return this.#panel && this.#values?.record.id; }

  /** Shows the last response of the request under the cursor. @param {object} target */
  async showLast(target) {
    this.#isClaimed = true;
    try {
      // The server asks the window to open it, before it answers or after.
      await this.#sending.execute('postkit.showResponse', target);
    } catch (error) {
      this.#isClaimed = false;
      throw error;
    }
  }

  /** Shows the response that a document shows; whether it is one. @param {string} uri */
  async showDocument(uri) {
    const id = exchangeOf(uri);
    if (id) await this.#show(await this.#source.record(id), { takeFocus: true });
    return id !== undefined;
  }

  /** Takes a response that is about to open as a document. @returns {boolean} whether it did */
  async #divert(uri, { takeFocus }) {
    const id = exchangeOf(uri);
    const wish = vscode.workspace.getConfiguration('postkit').get('responsePanel');
    const isClaimed = this.#isClaimed;
    if (!id || (wish === 'off' && !isClaimed)) return false;
    this.#isClaimed = false;
    const turn = ++this.#turn;
    try {
      const record = await this.#source.record(id);
      nameResponse(id, titleOf(record));
      const isMeant = isClaimed || wish === 'always' || bodyKind(record) !== 'text';
      // Asked for from the request, it stands beside it; the request keeps the focus.
      const takesFocus = takeFocus && !isClaimed;
      if (isMeant) await this.#show(record, { takeFocus: takesFocus, turn });
      return isMeant;
    } catch (error) {
      // The document shows as much as there is.
      if (isClaimed) {
        // Older ones give every part as a text.
        tellFailure(error instanceof SyntaxError ? new Error("the response panel can't be shown: "
          + `${error.message}. The program may be older than the extension: name a newer one in the `
          + 'setting postkit.path.') : error);
      }
      return false;
    }
  }

  /**
   * Shows a response while it comes, where it will be shown here when it has come.
   * @param {object} about see `Stream`
   * @returns {Stream | null} what its parts are given to
   */
  #watch(about) {
    const wish = vscode.workspace.getConfiguration('postkit').get('responsePanel');
    if (wish !== 'always' && !this.#isClaimed) return null;
    const { Stream } = require('./stream');
    this.#turn += 1;
    this.#values = undefined;
    const panel = this.#panel ??= this.#create(false);
    const stream = this.#stream = new Stream(about, message => {
      if (this.#stream === stream) this.#panel?.webview.postMessage(message);
    });
    panel.title = stream.title;
    panel.webview.html = stream.page(this.#own('stream.js'));
    panel.reveal(undefined, true);
    return stream;
  }

  async #show(record, { takeFocus = false, turn = ++this.#turn } = {}) {
    const values = await this.#source.values(record);
    if (turn !== this.#turn) return;
    this.#values = values;
    this.#stream = undefined;
    const panel = this.#panel ??= this.#create(takeFocus);
    panel.title = titleOf(record);
    this.#render(null);
    panel.reveal(undefined, !takeFocus);
  }

  /** @param {string | null} reason why this is an earlier response, and no newer one came */
  #render(reason) {
    // Loaded when it is needed: activation waits for nothing that is not.
    const { page } = require('./page');
    this.#panel.webview.html = page(
      this.#values, { ...this.#own('panel.js'), formatTime, reason });
  }

  #create(takeFocus) {
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Response',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: !takeFocus },
      { enableScripts: true, localResourceRoots: [], enableCommandUris: false,
        enableFindWidget: true });
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#stream = undefined;
    });
    panel.webview.onDidReceiveMessage(message => this.#act(message).catch(error => {
      tellFailure(error);
    }));
    return panel;
  }

  /** What a page has of ours: its style and script, and a fresh random word that names them. */
  #own(script) {
    const read = name => {
      if (!this.#files.has(name)) {
        this.#files.set(name, fs.readFileSync(path.join(MEDIA, name), 'utf8'));
      }
      return this.#files.get(name);
    };
    const nonce = crypto.randomBytes(NONCE_BYTES).toString('base64');
    return { nonce, style: read('panel.css'), script: read(script) };
  }

  /** A button of the page. Ids are taken only where the page shows them. */
  async #act({ act, id, path: selected }) {
    if (act === 'ready') return this.#stream?.ready();
    if (act === 'cancel') return this.#stream && this.#sending.cancel();
    if (!this.#values) return undefined;
    const { record, history } = this.#values;
    const isListed = history.some(entry => entry.id === id);
    switch (act) {
      case 'text': return this.#responses.open(responseUri(record.id), { takeFocus: true });
      case 'copy': return this.#sending.copyBody(record.id);
      case 'save': return this.#sending.saveResponse({ id: record.id });
      case 'resend': return this.#resend(record.id);
      case 'open': return isListed && this.#show(await this.#source.record(id));
      case 'filter': return this.#filter(record, String(selected));
      case 'compare': return isListed && compare(id, record.id);
      default: return undefined;
    }
  }

  /** Tells the page what a path selects, or why nothing; the page asks while somebody types. */
  async #filter(record, selected) {
    const answer = await this.#source.selection(record, selected).then(
      text => ({ text }), error => ({ problem: error.message.replace(/^params\.\w+: /, '') }));
    this.#panel?.webview.postMessage({ act: 'filtered', id: record.id, path: selected, ...answer });
  }

  /** Sends again; the answer comes to the panel, whatever the setting says. */
  async #resend(id) {
    this.#isClaimed = true;
    await this.#sending.resend({ id });
    this.#isClaimed = false;
  }
}

/** Two responses in VS Code's own comparison, the older one on the left. */
function compare(one, other) {
  // Ids sort by time.
  const [older, newer] = [one, other].sort().map(id => vscode.Uri.parse(responseUri(id), true));
  return vscode.commands.executeCommand('vscode.diff', older, newer, 'Response, before and after');
}

module.exports = { ResponsePanel };
