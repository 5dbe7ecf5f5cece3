'use strict';
// What is on its way: a clock in the status bar that cancels, and behind the request line how far
// it is. When it is over, the hint of the server takes that place.
const vscode = require('vscode');
const convert = require('../convert');
const { COLOR: FAILED } = require('./failures');
const { clock, describeLive, describeStep, shiftLine } = require('./render');

/** Quick answers show no clock: it would only flash. The place is not asked for either. */
const DELAY_MILLISECONDS = 250;
const TICK_MILLISECONDS = 250;
/** As long as a result may wait for the server's hint to take its place. */
const LINGER_MILLISECONDS = 3_000;

/** All that this window is sending. */
class Live {
  #client;
  #changed = new vscode.EventEmitter();
  #sends = new Set();
  #timer;
  #clock = vscode.window.createStatusBarItem('postkit.clock', vscode.StatusBarAlignment.Left, 90);
  #decoration = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 1em' },
  });
  /** The editors that have something to be taken back. */
  #drawn = new WeakSet();
  #subscriptions;

  /** @param {import('../server/client').Client} client */
  constructor(client) {
    this.#client = client;
    this.#clock.name = 'PostKit Sending';
    this.#clock.command = 'postkit.cancelSending';
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(event => this.#follow(event)),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
    ];
  }

  /** Fires when hints stand where they were kept away, or the other way round. */
  get onDidChange() { return this.#changed.event; }

  dispose() {
    clearInterval(this.#timer);
    for (const item of [this.#clock, this.#decoration, this.#changed, ...this.#subscriptions]) {
      item.dispose();
    }
  }

  /**
   * Begins to show a send.
   * @param {{title: string, uri?: string, position?: object}} target
   * @returns {{take: (part: object) => void, end: (text?: string, isBad?: boolean) => void}} what
   *   comes of it: partial results of `postkit/send`, also of the many requests of
   *   `postkit.sendAll`, and at last its words, and if it failed
   */
  begin({ title, uri, position }) {
    const send = { title, uri, position, began: Date.now() };
    this.#sends.add(send);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MILLISECONDS);
    return {
      take: part => take(send, part),
      end: (text, isBad) => this.#end(send, text, isBad),
    };
  }

  /** Whether the line of a request shows how far it is, so that a hint would say it twice. */
  covers(uri, line) {
    return [...this.#sends].some(send => send.uri === uri && send.line === line);
  }

  /** The server has told its hints of a document: what is over gives way. */
  giveWay(uri) {
    for (const send of this.#sends) if (send.uri === uri && send.text) this.#forget(send);
  }

  #end(send, text, isBad) {
    if (send.line === undefined || !text) {
      this.#forget(send);
      return;
    }
    Object.assign(send, { text, isBad });
    this.#draw();
    this.#changed.fire();
    setTimeout(() => this.#forget(send), LINGER_MILLISECONDS);
  }

  #forget(send) {
    if (!this.#sends.delete(send)) return;
    if (this.#sends.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#tell();
    this.#draw();
  }

  #tick() {
    for (const send of this.#sends) {
      if (!send.isPlaced && Date.now() - send.began >= DELAY_MILLISECONDS) this.#place(send);
    }
    this.#tell();
    this.#draw();
  }

  /** The clock: how long the eldest has taken. */
  #tell() {
    const now = Date.now();
    const running = [...this.#sends].filter(
      ({ text, began }) => !text && now - began >= DELAY_MILLISECONDS);
    if (running.length === 0) {
      this.#clock.hide();
      return;
    }
    const [eldest] = running;
    const count = running.length === 1 ? '' : `${running.length} requests, `;
    const step = running.length === 1 ? describeStep(eldest) : '';
    this.#clock.text = `$(loading~spin) ${step}${count}${clock(now - eldest.began)}`;
    this.#clock.tooltip = `PostKit: ${eldest.title}. Click to cancel.`;
    this.#clock.show();
  }

  /** Only the server knows which line of a request is its request line. */
  async #place(send) {
    send.isPlaced = true;
    if (!send.uri || !send.position || !wantsResults(send.uri)) return;
    const ask = position => this.#client.request(
      'textDocument/prepareCallHierarchy', { textDocument: { uri: send.uri }, position });
    try {
      // On a name the request is told that the name is of; where the line begins, mostly its own.
      for (const position of [send.position, { ...send.position, character: 0 }]) {
        const item = (await ask(position))?.find(({ uri, range }) => uri === send.uri
          && range.start.line <= send.position.line && send.position.line <= range.end.line);
        if (!item) continue;
        send.line = item.selectionRange.start.line;
        this.#draw();
        this.#changed.fire();
        return;
      }
    } catch {
      // Then it is told in the status bar alone.
    }
  }

  #draw() {
    for (const editor of vscode.window.visibleTextEditors) {
      const key = editor.document.uri.toString();
      const shown = [...this.#sends].filter(({ uri, line }) =>
        uri === key && line !== undefined && line < editor.document.lineCount);
      if (shown.length === 0 && !this.#drawn.delete(editor)) continue;
      if (shown.length > 0) this.#drawn.add(editor);
      editor.setDecorations(this.#decoration, shown.map(send => {
        const { end } = editor.document.lineAt(send.line).range;
        const contentText = send.text
          ?? describeLive({ ...send, ms: Date.now() - send.began });
        const color = send.isBad ? new vscode.ThemeColor(FAILED) : undefined;
        return { range: new vscode.Range(end, end),
          renderOptions: { after: { contentText, ...color && { color } } } };
      }));
    }
  }

  #follow({ document, contentChanges }) {
    const key = document.uri.toString();
    for (const send of this.#sends) {
      if (send.uri === key && send.line !== undefined) {
        send.line = shiftLine(send.line, contentChanges);
      }
    }
  }
}

function take(send, part) {
  // Of several requests each tells which one it is; what is done with counts, too.
  if (part.kind === 'queue') Object.assign(send, { number: 0, total: part.requests.length });
  if (part.kind === 'started' && part.total) {
    Object.assign(send, { number: part.number, total: part.total });
  }
  if (part.kind === 'started') send.summary = undefined;
  if (part.kind === 'head' || part.kind === 'data') send.summary = part.summary;
}

const wantsResults = uri => vscode.workspace.getConfiguration(
  'postkit', convert.uri(uri)).get('inlay.results') !== false;

module.exports = { Live };
