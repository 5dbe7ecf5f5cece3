'use strict';
// JSON-RPC 2.0 over one pair of byte streams: requests both ways, notifications, cancellation.
const { encode, MessageReader } = require('./framing');

/** The error codes of JSON-RPC and LSP that this client sends or looks at. */
const ErrorCode = Object.freeze({
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  contentModified: -32801,
  serverCancelled: -32802,
  requestFailed: -32803,
});

/** An error the peer answered with, or that a handler wants to answer with. */
class ResponseError extends Error {
  /** @param {number} code @param {string} message @param {unknown} [data] */
  constructor(code, message, data) {
    super(message);
    this.name = 'ResponseError';
    this.code = code;
    this.data = data;
  }
}

/** The stream is gone: every request that waits for an answer fails with this. */
class ConnectionClosed extends Error {}

/** What handlers are called with, kept apart from one connection so that a restart keeps them. */
class Handlers {
  requests = new Map();
  notifications = new Map();

  /** @param {string} method @param {(params: any) => any} handler its result is the answer */
  onRequest(method, handler) { this.requests.set(method, handler); }

  /** Adds one who listens. @param {string} method @param {(params: any) => void} handler */
  onNotification(method, handler) {
    const listeners = this.notifications.get(method);
    if (listeners) listeners.push(handler);
    else this.notifications.set(method, [handler]);
  }
}

/** One connection. Feed it with `receive`; it writes through the function it was given. */
class Connection {
  #write;
  #handlers;
  #log;
  #reader = new MessageReader();
  #pending = new Map();
  #nextId = 1;
  #closed = null;

  /**
   * @param {(bytes: Buffer) => void} write
   * @param {Handlers} handlers
   * @param {(text: string) => void} log receives what went wrong and can't be answered
   */
  constructor(write, handlers, log) {
    this.#write = write;
    this.#handlers = handlers;
    this.#log = log;
  }

  /** Takes bytes from the peer. @throws {FramingError} when the stream makes no sense any more */
  receive(chunk) {
    for (const message of this.#reader.push(chunk)) this.#dispatch(message);
  }

  /**
   * Asks and waits.
   * @param {{isCancellationRequested: boolean, onCancellationRequested: Function}} [token]
   *   when it fires the peer is told; the promise then ends with what the peer answers
   * @returns {Promise<any>} rejects with ResponseError or ConnectionClosed
   */
  request(method, params, token) {
    if (this.#closed) return Promise.reject(this.#closed);
    if (token?.isCancellationRequested) {
      return Promise.reject(new ResponseError(ErrorCode.requestCancelled, 'cancelled'));
    }
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const subscription = token?.onCancellationRequested(() => {
        this.notify('$/cancelRequest', { id });
      });
      this.#pending.set(id, { resolve, reject, subscription });
      this.#send({ id, method, params });
    });
  }

  /** Tells; nothing comes back. */
  notify(method, params) {
    if (!this.#closed) this.#send({ method, params });
  }

  /** Ends the connection; everything that waits fails. @param {string} reason */
  close(reason) {
    if (this.#closed) return;
    this.#closed = new ConnectionClosed(reason);
    for (const entry of this.#pending.values()) {
      entry.subscription?.dispose();
      entry.reject(this.#closed);
    }
    this.#pending.clear();
  }

  #send(message) {
    this.#write(encode({ jsonrpc: '2.0', ...message }));
  }

  #dispatch(message) {
    if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined) this.#notified(message);
    else this.#requested(message);
  }

  #settle({ id, result, error }) {
    const entry = this.#pending.get(id);
    if (!entry) {
      this.#log(`an answer to the unknown request ${JSON.stringify(id)}: ${
        error ? error.message : 'a result'}`);
      return;
    }
    this.#pending.delete(id);
    entry.subscription?.dispose();
    if (error) entry.reject(new ResponseError(error.code, error.message, error.data));
    else entry.resolve(result);
  }

  #notified({ method, params }) {
    for (const handler of this.#handlers.notifications.get(method) ?? []) {
      try {
        handler(params);
      } catch (error) {
        this.#log(`${method}: ${error.stack}`);
      }
    }
  }

  async #requested({ id, method, params }) {
    const handler = this.#handlers.requests.get(method);
    let answer;
    try {
      if (!handler) throw new ResponseError(ErrorCode.methodNotFound, `no method ${method}`);
      answer = { id, result: (await handler(params)) ?? null };
    } catch (error) {
      const code = error instanceof ResponseError ? error.code : ErrorCode.internalError;
      if (code === ErrorCode.internalError) this.#log(`${method}: ${error.stack}`);
      answer = { id, error: { code, message: error.message } };
    }
    if (!this.#closed) this.#send(answer);
  }
}

module.exports = { Connection, Handlers, ResponseError, ConnectionClosed, ErrorCode };
