'use strict';
// Checks in the Test Explorer: the server says which there are, a run sends their requests.
const vscode = require('vscode');
const convert = require('../convert');
const { describeResult } = require('../window/render');
const { Source } = require('../response/source');
const { maySend } = require('../window/sending');
const { SELECTOR } = require('../sync/selectors');
const { matchResults, requestsWithChecks } = require('./outline');

/** As long as somebody goes on typing, nothing is looked for. */
const TYPING_MILLISECONDS = 500;
const FILES = '**/*.{http,rest}';
/** Of longer files the outline has no parts; they are looked at once and not at every change. */
const LONG_FILE_REQUESTS = 1_000;

const isRequestFile = document => vscode.languages.match(SELECTOR, document) > 0;

/** Everything that it shows, and its runs. */
class TestExplorer {
  #client;
  #source;
  #controller = vscode.tests.createTestController('postkit.tests', 'PostKit');
  #subscriptions;
  #timers = new Map();
  #long = new Set();
  /** What an item stands for: by item, its place in the file and the names of its checks. */
  #requests = new WeakMap();

  /**
   * @param {import('../server/client').Client} client
   * @param {import('../sync/documents').Documents} documents
   */
  constructor(client, documents) {
    this.#client = client;
    this.#source = new Source(client);
    const controller = this.#controller;
    controller.resolveHandler = item => item ? this.#resolve(item) : this.#findFiles();
    controller.refreshHandler = () => this.#findFiles();
    controller.createRunProfile('Send and Check', vscode.TestRunProfileKind.Run,
      (request, token) => this.#run(request, token), true);
    documents.on('opened', document => this.#look(document));
    documents.on('changed', document => this.#lookSoon(document));
    this.#subscriptions = [controller,
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach(
        file => controller.items.delete(file.toString())))];
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
    for (const uri of await vscode.workspace.findFiles(FILES)) this.#fileItem(uri);
  }

  async #resolve(item) {
    if (this.#requests.has(item) || item.parent) return;
    await this.#discover(await vscode.workspace.openTextDocument(item.uri));
  }

  #look(document) {
    if (!isRequestFile(document)) return;
    // Without the server nothing is known; its own failure is reported once, elsewhere.
    this.#discover(document).catch(() => {});
  }

  #lookSoon(document) {
    const key = document.uri.toString();
    if (this.#long.has(key)) return;
    clearTimeout(this.#timers.get(key));
    this.#timers.set(key, setTimeout(() => {
      this.#timers.delete(key);
      this.#look(document);
    }, TYPING_MILLISECONDS));
  }

  /** Asks the server for the checks of a document, and shows them. */
  async #discover(document) {
    const key = document.uri.toString();
    const symbols = await this.#client.request('textDocument/documentSymbol',
      { textDocument: convert.identifier(document) }) ?? [];
    if (symbols.length > LONG_FILE_REQUESTS) this.#long.add(key);
    const requests = requestsWithChecks(symbols);
    if (requests.length === 0) {
      this.#controller.items.delete(key);
      return;
    }
    const file = this.#fileItem(document.uri);
    file.children.replace(requests.map(request => this.#requestItem(document.uri, request)));
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
      for (const item of chosen) {
        if (token.isCancellationRequested) this.#each(item, each => run.skipped(each));
        else await this.#send(item, run, token);
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
    const roots = [];
    this.#controller.items.forEach(item => roots.push(item));
    const found = new Set();
    for (const item of include ?? roots) {
      if (this.#requests.has(item)) found.add(item);
      else if (item.parent) found.add(item.parent);
      else {
        if (item.children.size === 0) await this.#resolve(item);
        item.children.forEach(child => found.add(child));
      }
    }
    return [...found].filter(item => !exclude.includes(item) && !exclude.includes(item.parent));
  }

  async #send(item, run, token) {
    this.#each(item, each => run.started(each));
    try {
      const result = await this.#client.request('postkit/send', {
        textDocument: { uri: item.uri.toString() },
        position: this.#requests.get(item).position,
      }, token);
      run.appendOutput(`${item.label}: ${describeResult(result)}\r\n`, undefined, item);
      await this.#report(item, run, result);
    } catch (error) {
      const message = new vscode.TestMessage(error.message);
      if (token.isCancellationRequested) this.#each(item, each => run.skipped(each));
      else this.#each(item, each => run.errored(each, message));
    }
  }

  async #report(item, run, result) {
    if (result.state === 'cancelled') {
      this.#each(item, each => run.skipped(each));
      return;
    }
    if (result.state === 'failed') throw new Error(result.error?.message ?? 'no response');
    const { tests } = await this.#source.record(result.id);
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
    else if (outcome.passed) run.passed(check);
    else run.failed(check, this.#message(check, outcome));
  }

  #message({ uri, range }, { name, message }) {
    const found = new vscode.TestMessage(`${name}: ${message || 'This did not hold.'}`);
    found.location = new vscode.Location(uri, range);
    return found;
  }
}

module.exports = { TestExplorer };
