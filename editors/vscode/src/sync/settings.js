'use strict';
// The `postkit.*` settings a user really set. Defaults stay with the server: sent along, they would
// override the user's config.json, which stands below the editor (contracts, "Settings").
const vscode = require('vscode');

const SECTION = 'postkit';
/** What the window alone does, such as to start the program; the server has no use for it. */
const OWN_KEYS = new Set(['path', 'responsePanel']);
/** What the server calls a setting whose key VS Code can't have: `environment` is a text there, and
 * holds no other. The server takes such keys whole. */
const SERVER_KEYS = { environmentScope: 'environment.scope' };

/** Reads settings and tells the server when they change. */
class Settings {
  #keys;
  #restricted;
  #subscription;

  /**
   * @param {import('../server/client').Client} client
   * @param {object} manifest the extension's package.json: the one list of the settings there are
   */
  constructor(client, manifest) {
    const local = name => name.slice(SECTION.length + 1);
    this.#keys = manifest.contributes.configuration
      .flatMap(({ properties }) => Object.keys(properties)).map(local)
      .filter(key => !OWN_KEYS.has(key));
    this.#restricted = new Set(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.map(local));
    client.handlers.onRequest('workspace/configuration', ({ items }) => items.map(item =>
      this.#section(item.section ?? SECTION, item.scopeUri && vscode.Uri.parse(item.scopeUri))));
    this.#subscription = vscode.workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration(SECTION)) return;
      client.notify('workspace/didChangeConfiguration', { settings: { [SECTION]: this.read() } });
    });
  }

  dispose() { this.#subscription.dispose(); }

  /** @param {vscode.Uri} [scope] @returns {object} nested, without what nobody set */
  read(scope) {
    const configuration = vscode.workspace.getConfiguration(SECTION, scope);
    const result = {};
    for (const key of this.#keys) {
      const value = this.#explicitValue(configuration, key);
      if (value === undefined) continue;
      if (key in SERVER_KEYS) result[SERVER_KEYS[key]] = value;
      else assign(result, key.split('.'), value);
    }
    return result;
  }

  #explicitValue(configuration, key) {
    const { globalValue, workspaceValue, workspaceFolderValue } = configuration.inspect(key);
    const isRestricted = !vscode.workspace.isTrusted && this.#restricted.has(key);
    return isRestricted ? globalValue : workspaceFolderValue ?? workspaceValue ?? globalValue;
  }

  /** What `workspace/configuration` wants: `postkit`, or one part of it such as `postkit.inlay`. */
  #section(section, scope) {
    const [root, ...path] = section.split('.');
    if (root !== SECTION) return null;
    return path.reduce((value, name) => value?.[name], this.read(scope)) ?? null;
  }
}

function assign(target, path, value) {
  let node = target;
  for (const name of path.slice(0, -1)) node = node[name] ??= {};
  node[path.at(-1)] = value;
}

module.exports = { Settings };
