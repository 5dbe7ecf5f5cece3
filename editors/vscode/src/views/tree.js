'use strict';
// One list beside the editor: asked for when it is looked at, asked for again when the server says
// that it is out of date, and searched by what is typed.
const vscode = require('vscode');
const { Halted } = require('../server/client');
const { ErrorCode } = require('../server/connection');

const STATES = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
};
/** Changes of the store come in bursts. */
const REFRESH_MILLISECONDS = 150;
const TYPING_MILLISECONDS = 150;

/** The `when` clauses of the buttons ask for it: whether a list is being searched. */
const searchKey = name => `postkit.isSearching.${name}`;

/**
 * A list. Where its nodes come from says a source:
 * `name` of the view `postkit.views.NAME`; `title`; `scopes` of the store that change it;
 * `children(node, query)` gives the nodes below a node or, without one, the first; `describe(node)`
 * is how one looks (see describe.js); `notice` may be said above all; `isRearranged` says that it
 * shows another list than all, without words; `canSelectMany`, `dragging`.
 */
class TreeView {
  #source;
  #view;
  #changed = new vscode.EventEmitter();
  #query = '';
  #selection = [];
  #isStale = false;
  #timer;
  /** The first nodes that were shown last. */
  #nodes = [];
  /** Where words are typed at the moment. */
  #box;

  constructor(source) {
    this.#source = source;
    this.#view = vscode.window.createTreeView(`postkit.views.${source.name}`, {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: node => this.#children(node),
        getTreeItem: node => treeItem(source.describe(node)),
      },
      canSelectMany: source.canSelectMany ?? false,
      dragAndDropController: source.dragging,
      showCollapseAll: true,
    });
    // While a list is asked for anew VS Code knows none of its items, a key comes all the same.
    this.#view.onDidChangeSelection(({ selection }) => { this.#selection = selection; });
    this.#view.onDidChangeVisibility(({ visible }) => {
      if (visible && this.#isStale) this.refresh();
    });
  }

  dispose() {
    clearTimeout(this.#timer);
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** Whether a change of these parts of the store concerns it. @param {string[]} scopes */
  concerns(scopes) { return this.#source.scopes.some(scope => scopes.includes(scope)); }

  /** What is selected, for who comes by a key. */
  get selection() { return this.#selection; }

  /** The words that are searched for; none for all. */
  get query() { return this.#query; }

  /** Asks anew; what nobody looks at is asked for when somebody does. */
  refresh() {
    if (!this.#view.visible) {
      this.#isStale = true;
      return;
    }
    this.#isStale = false;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, REFRESH_MILLISECONDS);
  }

  /** Shows only what has these words; none shows all. @param {string} query */
  search(query) {
    this.#query = query.trim();
    this.rearrange();
  }

  /** Shows what the source gives now for the words that are searched for. */
  rearrange() {
    const { name, isRearranged = false } = this.#source;
    vscode.commands.executeCommand(
      'setContext', searchKey(name), this.#query !== '' || isRearranged);
    this.#changed.fire();
  }

  /** Asks for words, and follows them while they are typed; Escape leaves it as it was. */
  ask() {
    const before = this.#query;
    const box = vscode.window.createInputBox();
    box.title = `PostKit: Search ${this.#source.title}`;
    box.placeholder = this.#source.searches;
    box.value = before;
    this.#box = box;
    let timer;
    let isAccepted = false;
    box.onDidChangeValue(value => {
      clearTimeout(timer);
      timer = setTimeout(() => this.search(value), TYPING_MILLISECONDS);
    });
    box.onDidAccept(() => {
      isAccepted = true;
      this.search(box.value);
      box.hide();
    });
    return new Promise(resolve => {
      box.onDidHide(() => {
        clearTimeout(timer);
        if (!isAccepted && this.#query !== before) this.search(before);
        this.#box = undefined;
        box.dispose();
        vscode.commands.executeCommand(`postkit.views.${this.#source.name}.focus`);
        resolve();
      });
      box.show();
    });
  }

  async #children(node) {
    const source = this.#source;
    try {
      const nodes = await source.children(node, this.#query);
      if (!node) {
        this.#nodes = nodes;
        this.#say(this.#message(nodes.length));
      }
      return nodes;
    } catch (error) {
      if (error.code === ErrorCode.invalidParams && this.#query) {
        // What is not typed to its end yet changes nothing.
        this.#say(sentence(error), sentence(error));
        return node ? [] : this.#nodes;
      }
      // What an empty list says then has the button to start it.
      this.#say(error instanceof Halted ? undefined : error.message);
      return [];
    }
  }

  #say(message, problem) {
    // Each time that it is set, VS Code waits before it draws anything of the list.
    if (this.#view.message !== message) this.#view.message = message;
    if (this.#box) this.#box.validationMessage = problem;
  }

  #message(count) {
    const { notice } = this.#source;
    if (!this.#query) return notice;
    const found = `${count ? 'Matches' : 'No matches'} for “${this.#query}”.`;
    return notice ? `${found} ${notice}` : found;
  }
}

/** What is wrong with a line, without the place in the message. @param {Error} error */
const sentence = ({ message }) => message.replace(/^params[\w.[\]]*: /, '');

/** @param {object} look see describe.js */
function treeItem({ id, label, description, tooltip, icon, color, context, expands = 'none',
  spoken, command, file }) {
  const item = new vscode.TreeItem(label, STATES[expands]);
  item.id = id;
  item.description = description;
  // A text, no Markdown: what a server has sent must not become a link.
  item.tooltip = tooltip;
  item.iconPath = icon && new vscode.ThemeIcon(icon, color && new vscode.ThemeColor(color));
  item.contextValue = context;
  item.accessibilityInformation = spoken && { label: spoken };
  item.command = command;
  item.resourceUri = file && vscode.Uri.file(file);
  return item;
}

module.exports = { TreeView };
