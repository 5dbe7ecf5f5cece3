'use strict';
// Checks in the Test Explorer: the server says which there are, a run sends their requests.
const vscode = require('vscode');
const convert = require('../convert');
const { describeOutput, describeResult } = require('../window/render');
const { maySend, NOT_WANTED } = require('../window/sending');
const { SELECTOR } = require('../sync/selectors');
const { matchResults, requestsWithChecks } = require('./outline');

/** As long as somebody goes on typing, nothing is looked for. */
const TYPING_MILLISECONDS = 500;
const FILES = '**/*.{http,rest}';
/** What others have written is not what somebody wants to run. */
const NO_FILES = '**/node_modules/**';
const MOST_FILES = 5_000;
/** A longer file is looked into when somebody opens it in the list, not whenever it changes. */
const LONG_FILE_LINES = 5_000;
/** Of a file so many requests are listed. */
const MOST_REQUESTS = 1_000;

const isRequestFile = document => vscode.languages.match(SELECTOR, document) > 0;
const isLong = document => document.lineCount > LONG_FILE_LINES;

/** Everything that it shows, and its runs. */
class TestExplorer {
  #client;
  #controller = vscode.tests.createTestController('postkit.tests', 'PostKit');
  #subscriptions;
  #watcher;
  #events;
  #timers = new Map();
  /** The files, by address, whose text has changed since they were looked into. */
  #stale = new Set();
  /** What an item stands for: by item, its place in the file and the names of its checks. */
  #requests = new WeakMap();

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../sync/documents').Documents} documents
   * @param {import('../api').Events} events
   */
  constructor(client, documents, events) {
    this.#client = client;
    this.#events = events;
    const controller = this.#controller;
    controller.resolveHandler = item => item ? this.#resolve(item) : this.#findFiles();
    controller.refreshHandler = () => this.#refresh();
    controller.createRunProfile('Send and Check', vscode.TestRunProfileKind.Run,
      (request, token) => this.#run(request, token), true);
    documents.on('opened', document => this.#look(document));
    documents.on('changed', document => this.#changed(document));
    documents.on('closed', document => this.#closed(document));
    this.#subscriptions = [controller,
      vscode.workspace.onDidChangeWorkspaceFolders(event => this.#foldersChanged(event)),
      vscode.workspace.onDidSaveTextDocument(document => this.#saved(document)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach(file => this.#gone(file)))];
  }

  dispose() {
    this.#timers.forEach(clearTimeout);
    this.#subscriptions.forEach(each => each.dispose());
  }

  #fileItem(uri) {
    const id = uri.toString();
    const known = this.#controller.items.get(id);
    if (known) return known;
    const item = this.#controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.#controller.items.add(item);
    return item;
  }

  /** All request files of the window, each without its checks until somebody looks. */
  async #findFiles() {
    this.#watch();
    for (const uri of await vscode.workspace.findFiles(FILES, NO_FILES, MOST_FILES)) {
      this.#fileItem(uri);
    }
  }

  /** From the first look at the list on, files that come and go are followed. */
  #watch() {
    if (this.#watcher) return;
    const watcher = this.#watcher = vscode.workspace.createFileSystemWatcher(FILES, false, true);
    watcher.onDidCreate(uri => {
      if (!uri.path.includes('/node_modules/')) this.#fileItem(uri);
    });
    watcher.onDidDelete(uri => this.#gone(uri));
    this.#subscriptions.push(watcher);
  }

  #gone(uri) { this.#controller.items.delete(uri.toString()); }

  /** What was never saved is nowhere once it is closed. */
  #closed({ uri }) {
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    if (uri.scheme === 'untitled') this.#gone(uri);
  }

  #foldersChanged({ added, removed }) {
    const places = removed.map(({ uri }) => `${uri}/`);
    const left = [];
    this.#controller.items.forEach(({ id }) => {
      if (places.some(place => id.startsWith(place))) left.push(id);
    });
    for (const id of left) this.#controller.items.delete(id);
    if (added.length > 0 && this.#watcher) this.#findFiles();
  }

  /** Looks for files anew, and into those that somebody has opened in the list. */
  async #refresh() {
    await this.#findFiles();
    const opened = [];
    this.#controller.items.forEach(item => {
      if (item.children.size > 0) opened.push(item);
    });
    for (const item of opened) await this.#resolve(item);
  }

  async #resolve(item) {
    if (this.#requests.has(item) || item.parent) return;
    let document;
    try {
      document = await vscode.workspace.openTextDocument(item.uri);
    } catch {
      this.#gone(item.uri);
      return;
    }
    await this.#discover(document);
  }

  #look(document) {
    if (!isRequestFile(document)) return;
    if (isLong(document)) {
      this.#fileItem(document.uri);
      return;
    }
    // Without the server nothing is known; its own failure is reported once, elsewhere.
    this.#discover(document).catch(() => {});
  }

  #changed(document) {
    if (!isRequestFile(document)) return;
    const key = document.uri.toString();
    this.#stale.add(key);
    if (isLong(document)) return;
    clearTimeout(this.#timers.get(key));
    this.#timers.set(key, setTimeout(() => {
      this.#timers.delete(key);
      this.#look(document);
    }, TYPING_MILLISECONDS));
  }

  /** Somebody pauses: what is shown of a long file may follow, too. */
  #saved(document) {
    const key = document.uri.toString();
    const isShown = this.#controller.items.get(key)?.children.size > 0;
    if (isShown && this.#stale.has(key)) this.#discover(document).catch(() => {});
  }

  /** Asks the server for the checks of a document, and shows them. */
  async #discover(document) {
    const key = document.uri.toString();
    const { version } = document;
    const symbols = await this.#client.request('textDocument/documentSymbol',
      { textDocument: convert.identifier(document) }) ?? [];
    // Who has changed the text meanwhile makes somebody ask again.
    if (document.version !== version) return;
    this.#stale.delete(key);
    const requests = requestsWithChecks(symbols);
    if (requests.length === 0) {
      this.#controller.items.delete(key);
      return;
    }
    const file = this.#fileItem(document.uri);
    const shown = requests.slice(0, MOST_REQUESTS);
    file.description = shown.length === requests.length ? undefined
      : `the first ${shown.length} of ${requests.length} requests with checks`;
    file.children.replace(shown.map(request => this.#requestItem(document.uri, request)));
  }

  #requestItem(uri, { id, name, symbol, checks }) {
    const item = this.#controller.createTestItem(`${uri}#${id}`, name, uri);
    item.range = convert.range(symbol.selectionRange);
    item.children.replace(checks.map(({ id: checkId, symbol: check }) => {
      const child = this.#controller.createTestItem(`${item.id}?${checkId}`, check.name, uri);
      child.range = convert.range(check.selectionRange);
      return child;
    }));
    this.#requests.set(item, { position: symbol.selectionRange.start, name });
    return item;
  }

  async #run(request, token) {
    if (!await maySend()) return;
    const run = this.#controller.createTestRun(request);
    try {
      const chosen = await this.#chosen(request);
      for (const item of chosen) this.#each(item, each => run.enqueued(each));
      let isWanted = true;
      for (const item of chosen) {
        if (token.isCancellationRequested || !isWanted) this.#each(item, each => run.skipped(each));
        else isWanted = await this.#send(item, run, token);
      }
    } finally {
      run.end();
    }
  }

  #each(item, work) {
    work(item);
    item.children.forEach(work);
  }

  /** The requests to send, in the order of their files: those of a file, or that of a check. */
  async #chosen({ include, exclude = [] }) {
    await this.#lookAgain(include);
    const roots = [];
    this.#controller.items.forEach(item => roots.push(item));
    const found = new Set();
    for (const item of include?.map(each => this.#now(each)).filter(Boolean) ?? roots) {
      if (this.#requests.has(item)) found.add(item);
      else if (item.parent) found.add(item.parent);
      else {
        if (item.children.size === 0) await this.#resolve(item);
        item.children.forEach(child => found.add(child));
      }
    }
    const left = new Set(exclude.map(({ id }) => id));
    return [...found].filter(item => !left.has(item.id) && !left.has(item.parent?.id));
  }

  /**
   * What has changed, or may have while nobody had it open, is asked for again, so that no request
   * is sent from where another is now.
   */
  async #lookAgain(include) {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const wanted = include && new Set(include.map(({ uri }) => uri.toString()));
    const files = [];
    this.#controller.items.forEach(file => {
      const isOld = !open.has(file.id) || this.#stale.has(file.id);
      if (isOld && file.children.size > 0 && (wanted?.has(file.id) ?? true)) files.push(file);
    });
    for (const file of files) await this.#resolve(file);
  }

  /** The item that stands where this one stood, after its file was looked into again. */
  #now(item) {
    const file = this.#controller.items.get(item.uri.toString());
    if (file?.id === item.id) return file;
    // One that was replaced has no parent any more, but a check has its request.
    const isCheck = item.parent !== undefined && item.parent !== file;
    const request = file?.children.get(isCheck ? item.parent.id : item.id);
    return isCheck ? request?.children.get(item.id) : request;
  }

  /** Sends a request; whether the user still wants what comes after it to be sent. */
  async #send(item, run, token) {
    this.#each(item, each => run.started(each));
    const uri = item.uri.toString();
    const { position } = this.#requests.get(item);
    this.#events.sent({ uri, position });
    try {
      const result = await this.#client.request(
        'postkit/send', { textDocument: { uri }, position }, token);
      this.#events.received(result, uri);
      run.appendOutput(`${item.label}: ${describeResult(result)}\r\n`, undefined, item);
      for (const line of result.output ?? []) {
        run.appendOutput(`${describeOutput(line).replace(/\r?\n/g, '\r\n')}\r\n`,
          this.#place(item, line), item);
      }
      await this.#report(item, run, result);
      return true;
    } catch (error) {
      const message = new vscode.TestMessage(error.message);
      const isWanted = error.data?.code !== NOT_WANTED;
      if (token.isCancellationRequested || !isWanted) this.#each(item, each => run.skipped(each));
      else this.#each(item, each => run.errored(each, message));
      return isWanted;
    }
  }

  async #report(item, run, result) {
    if (result.state === 'cancelled') {
      this.#each(item, each => run.skipped(each));
      return;
    }
    if (result.state === 'failed') throw new Error(result.error?.message ?? 'no response');
    const tests = result.checks ?? [];
    const checks = [];
    item.children.forEach(child => checks.push(child));
    checks.sort((a, b) => a.range.start.compareTo(b.range.start));
    const { outcomes, rest } = matchResults(checks.map(({ label }) => label), tests);
    checks.forEach((check, place) => this.#reportCheck(check, run, outcomes[place]));
    const others = rest.filter(({ passed }) => !passed);
    if (others.length > 0) {
      run.failed(item, others.map(each => this.#message(item, each)), result.ms);
    } else if (outcomes.some(outcome => outcome && !outcome.passed)) {
      run.failed(item, [], result.ms);
    } else {
      run.passed(item, result.ms);
    }
  }

  #reportCheck(check, run, outcome) {
    if (!outcome) run.skipped(check);
    else if (outcome.passed) run.passed(check, outcome.ms);
    else run.failed(check, this.#message(check, outcome), outcome.ms);
  }

  #message(item, outcome) {
    const { name, message } = outcome;
    const found = new vscode.TestMessage(`${name}: ${message || 'This check failed.'}`);
    found.location = this.#place(item, outcome);
    return found;
  }

  /** Where something stands that may have a line of its own in the file of the item. */
  #place({ uri, range }, { line }) {
    return new vscode.Location(uri, line === undefined ? range
      : convert.range({ start: { line, character: 0 }, end: { line, character: 0 } }));
  }
}

module.exports = { TestExplorer };
