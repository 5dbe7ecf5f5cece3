'use strict';
// One `postkit lsp` process and its life: start, initialize, restart after a crash, orderly end.
// It knows the protocol and nothing of VS Code, so that it can be tested in plain Node.
const { spawn } = require('child_process');
const { EventEmitter } = require('events');
const { Connection, ConnectionClosed, Handlers } = require('./connection');

const RESTART_LIMIT = 5;
const RESTART_WINDOW_MILLISECONDS = 180_000;
const SHUTDOWN_MILLISECONDS = 2_000;

/** Says whether one more restart is reasonable: at most five within three minutes. */
class RestartPolicy {
  #crashes = [];

  /** Notes a crash. @param {number} now milliseconds @returns {boolean} whether to restart */
  allows(now) {
    this.#crashes = this.#crashes.filter(time => now - time < RESTART_WINDOW_MILLISECONDS);
    this.#crashes.push(now);
    return this.#crashes.length < RESTART_LIMIT;
  }

  /** Forgets the crashes: the user asked for a restart. */
  reset() { this.#crashes = []; }
}

/** A program ends whenever it is started; `message` says what to do. */
class NeverAnswered extends Error {}

/** Somebody has stopped the server, and nobody has wanted it back since. */
class Halted extends Error {
  constructor() {
    super('You stopped the server. “PostKit: Restart Server” starts it.');
  }
}

/**
 * The client. Events: `ready` (initialize result), `stopped` (will restart or was asked to),
 * `failed` (error: it is not running and nobody restarts it), `halted` (the user has stopped it).
 */
class Client extends EventEmitter {
  handlers = new Handlers();
  /** The server's capabilities; `null` while it is not running. */
  capabilities = null;
  #options;
  #policy = new RestartPolicy();
  #process = null;
  #connection = null;
  #started = null;
  #stopping = false;
  #isOver = false;
  #hasAnswered = false;
  /** Why it does not run and nobody starts it; only the user does. */
  #failure = null;

  /**
   * @param {object} options
   * @param {() => {command: string, arguments: string[], cwd?: string, environment?: object}}
   *   options.program asked at every start
   * @param {() => object} options.initializeParams asked at every start
   * @param {(text: string) => void} options.log
   */
  constructor(options) {
    super();
    this.#options = options;
  }

  get isRunning() { return this.capabilities !== null; }

  /** Whether the user has stopped it, so that the user alone starts it again. */
  get isHalted() { return this.#failure instanceof Halted; }

  /** The program that was started last. @type {string | undefined} */
  command;

  /** Starts the server unless it runs. @returns {Promise<void>} settles once it is initialized */
  start() {
    if (this.#isOver) return Promise.reject(new ConnectionClosed('the window is closing'));
    if (this.#failure) return Promise.reject(this.#failure);
    this.#stopping = false;
    this.#started ??= this.#launch();
    return this.#started;
  }

  /** Stops and starts, and forgets earlier crashes. */
  async restart() {
    await this.stop();
    this.#failure = null;
    this.#policy.reset();
    await this.start();
  }

  /** Stops until `restart`: whatever asks for something meanwhile fails with `Halted`. */
  halt() {
    this.#failure = new Halted();
    this.emit('halted');
    return this.stop();
  }

  /** Stops for good: who asks for something after this must not make the server start again. */
  end() {
    this.#isOver = true;
    return this.stop();
  }

  /** Shuts the server down; kills it when it takes longer than two seconds. */
  async stop() {
    this.#stopping = true;
    const process = this.#process;
    if (!process) {
      this.#started = null;
      return;
    }
    const ended = new Promise(resolve => process.once('close', resolve));
    const timer = setTimeout(() => process.kill('SIGKILL'), SHUTDOWN_MILLISECONDS);
    try {
      await this.#connection.request('shutdown');
      this.#connection.notify('exit');
    } catch (error) {
      if (!(error instanceof ConnectionClosed)) process.kill();
    }
    await ended;
    clearTimeout(timer);
  }

  /** Asks the server; starts it first if need be. */
  async request(method, params, token) {
    await this.start();
    return this.#connection.request(method, params, token);
  }

  /** Tells the server, if it runs. */
  notify(method, params) {
    if (this.isRunning) this.#connection.notify(method, params);
  }

  async #launch() {
    try {
      const program = this.#options.program();
      this.command = program.command;
      const connection = this.#spawn(program);
      const result = await connection.request('initialize', this.#options.initializeParams());
      connection.notify('initialized', {});
      this.capabilities = result.capabilities;
      this.#hasAnswered = true;
      this.emit('ready', result);
    } catch (error) {
      if (!this.#process) this.#started = null;
      if (!(error instanceof ConnectionClosed)) {
        this.#process?.kill();
        this.#stopping = true;
        this.#fail(error);
      }
      throw error;
    }
  }

  #fail(error) {
    this.#failure = error;
    this.emit('failed', error);
  }

  #spawn({ command, arguments: list, cwd, environment }) {
    const child = spawn(command, list, { cwd, env: environment, stdio: 'pipe' });
    const connection = new Connection(bytes => {
      if (child.stdin.writable) child.stdin.write(bytes);
    }, this.handlers, this.#options.log);
    let reason = null;
    const fail = error => {
      reason ??= error.message;
      child.kill();
    };
    child.on('error', fail);
    // A broken pipe mostly means that it has just ended; how it ended says more than the pipe.
    child.stdin.on('error', () => child.kill());
    child.stderr.setEncoding('utf8').on('data', text => this.#options.log(text.trimEnd()));
    child.stdout.on('data', chunk => {
      try {
        connection.receive(chunk);
      } catch (error) {
        fail(error);
      }
    });
    child.on('close', (code, signal) => {
      this.#ended(connection, reason ?? `postkit ended with ${signal ?? `code ${code}`}`);
    });
    this.#process = child;
    this.#connection = connection;
    return connection;
  }

  #ended(connection, reason) {
    this.#process = null;
    this.#started = null;
    this.capabilities = null;
    connection.close(reason);
    this.emit('stopped');
    if (this.#stopping) return;
    this.#options.log(reason);
    if (!this.#policy.allows(Date.now())) {
      const often = `${reason}. It ended ${RESTART_LIMIT} times within `
        + `${RESTART_WINDOW_MILLISECONDS / 60_000} minutes and is not started again.`;
      const remedy = `It never answered: ${this.command} may be too old, or not PostKit. `
        + 'Correct the setting postkit.path.';
      this.#fail(this.#hasAnswered ? new Error(often) : new NeverAnswered(`${often} ${remedy}`));
      return;
    }
    // Its own failure is reported through `stopped` and `failed`.
    this.start().catch(() => {});
  }
}

module.exports = { Client, Halted, NeverAnswered, RestartPolicy };
