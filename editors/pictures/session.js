'use strict';
// A session of the language server without an editor: what the pictures show is asked of it.
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { Client } = require('../vscode/src/server/client');
const { Source } = require('../vscode/src/response/source');

const CAPABILITIES = {
  workspace: { textDocumentContent: {} },
  textDocument: { inlayHint: {} },
  experimental: { postkit: { version: 1 } },
};

/** One server on one folder. */
class Session {
  #client;
  #folder;

  constructor(client, folder) {
    this.#client = client;
    this.#folder = folder;
  }

  /** Starts it and opens the request files of the folder. */
  static async start({ folder, binary, environment }) {
    const uri = pathToFileURL(folder).href;
    const client = new Client({
      program: () => ({ command: binary, arguments: ['lsp'], cwd: folder, environment }),
      initializeParams: () => ({ processId: process.pid, rootUri: uri, capabilities: CAPABILITIES,
        workspaceFolders: [{ uri, name: 'shop' }],
        initializationOptions: { postkit: { trusted: true } } }),
      log: () => {},
    });
    await client.start();
    const session = new Session(client, folder);
    for (const name of fs.readdirSync(folder).filter(each => each.endsWith('.http'))) {
      client.notify('textDocument/didOpen', { textDocument: { uri: session.uri(name), version: 1,
        languageId: 'http', text: session.text(name) } });
    }
    return session;
  }

  uri(name) { return pathToFileURL(path.join(this.#folder, name)).href; }

  text(name) { return fs.readFileSync(path.join(this.#folder, name), 'utf8'); }

  end() { return this.#client.end(); }

  /** Makes an environment the active one. */
  choose(name) { return this.#execute('postkit.selectEnvironment', { name }); }

  sendAll(name) { return this.#execute('postkit.sendAll', { uri: this.uri(name) }); }

  /** Sends a request. @returns {Promise<string[]>} what its scripts printed, with the places */
  async output(name, request) {
    const { output } = await this.#client.request('postkit/send',
      { textDocument: { uri: this.uri(name) }, name: request });
    return output.map(({ text, line }) => `${name}:${line + 1}: ${text}`);
  }

  /** The names of the environments, the active one marked. */
  async environments() {
    return (await this.#client.request('postkit/environments', {})).items;
  }

  /** What stands behind the lines of a file. @returns {Promise<{line: number, text: string}[]>} */
  async hints(name) {
    const lines = this.text(name).split('\n').length;
    const hints = await this.#client.request('textDocument/inlayHint', {
      textDocument: { uri: this.uri(name) },
      range: { start: { line: 0, character: 0 }, end: { line: lines, character: 0 } },
    });
    return hints.map(({ position, label }) => ({ line: position.line,
      character: position.character,
      text: Array.isArray(label) ? label.map(({ value }) => value).join('') : label }));
  }

  /** What the panel shows of the last response of a request. */
  async response(name, request) {
    const { items } = await this.#client.request('postkit/history',
      { uri: this.uri(name), request, limit: 1 });
    const source = new Source(this.#client);
    return source.values(await source.record(items[0].id));
  }

  #execute(command, argument) {
    return this.#client.request('workspace/executeCommand', { command, arguments: [argument] });
  }
}

module.exports = { Session };
