'use strict';
// The lists beside the editor: what there is of them, and when they are asked for anew.
const vscode = require('vscode');
const { Collections } = require('./collections');
const { viewCommands } = require('./commands');
const { Cookies } = require('./cookies');
const { EnvironmentTree } = require('./environments');
const { History } = require('./history');
const { TreeView } = require('./tree');
const { Variables } = require('./variables');
const { StatisticsPanel } = require('../statistics/panel');
const { tellFailure } = require('../window/telling');

/** Which welcome an empty list shows: `starting`, `running`, `failed` or `stopped`. */
const STATE_CONTEXT = 'postkit.state';

/** All lists. */
class Views {
  #views;
  #statistics;
  /** What each command does, by id. @type {Record<string, Function>} */
  commands;

  /**
   * @param {object} room
   * @param {import('../server/client').Client} room.client
   * @param {import('../window/sending').Sending} room.sending
   * @param {import('../window/responses').Responses} room.responses
   * @param {import('../response/panel').ResponsePanel} room.panel
   * @param {import('../window/environments').Environments} room.environments
   * @param {import('../window/current').Current} room.current
   */
  constructor(room) {
    const { client, current } = room;
    const edit = ops => this.#edit(client, ops);
    const sources = {
      environments: new EnvironmentTree(client, current), variables: new Variables(client, current),
      collections: new Collections(client, edit), history: new History(client),
      cookies: new Cookies(client),
    };
    this.#views = Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, new TreeView(source)]));
    this.#statistics = new StatisticsPanel(client, line => {
      this.#views.history.search(line);
      vscode.commands.executeCommand('postkit.views.history.focus');
    });
    const commands = viewCommands(
      { ...room, sources, views: this.#views, statistics: this.#statistics, edit });
    this.commands = Object.fromEntries(
      Object.entries(commands).map(([id, run]) => [id, (...list) => said(run, list)]));
    this.#follow(client, current);
  }

  dispose() {
    for (const view of Object.values(this.#views)) view.dispose();
    this.#statistics.dispose();
  }

  /** Asks anew for all that files say. */
  refresh() {
    this.#views.environments.refresh();
    this.#views.variables.refresh();
  }

  #follow(client, current) {
    const views = Object.values(this.#views);
    const { variables } = this.#views;
    const say = state => vscode.commands.executeCommand('setContext', STATE_CONTEXT, state);
    say(client.isRunning ? 'running' : 'starting');
    client.on('ready', () => {
      say('running');
      views.forEach(view => view.refresh());
    });
    client.on('failed', () => say('failed'));
    client.on('halted', () => {
      say('stopped');
      views.forEach(view => view.refresh());
    });
    client.handlers.onNotification('postkit/didChangeStore', ({ scopes }) => {
      views.filter(view => view.concerns(scopes)).forEach(view => view.refresh());
    });
    current.on('document', () => this.refresh());
    current.on('place', () => variables.refresh());
  }

  /** All or nothing; the store tells of it, which brings the lists up to date. */
  async #edit(client, ops) {
    return ops.length ? client.request('postkit/edit', { ops }) : undefined;
  }
}

/** Runs a command; a failure is one message. */
async function said(run, list) {
  try {
    await run(...list);
  } catch (error) {
    tellFailure(error);
  }
}

module.exports = { Views };
