// The globals of a context, each made when it is first touched.
(function (core) {
  'use strict';
  const { world } = core;
  const set = (name, value) =>
    Object.defineProperty(world, name,
      { configurable: true, enumerable: false, writable: true, value });
  set('setTimeout', (callback, wait, ...args) => core.setTimer(callback, wait, args, false));
  set('setInterval', (callback, wait, ...args) => core.setTimer(callback, wait, args, true));
  set('setImmediate', (callback, ...args) => core.setTimer(callback, 0, args, false));
  set('clearTimeout', core.clearTimer);
  set('clearInterval', core.clearTimer);
  set('clearImmediate', core.clearTimer);
  set('queueMicrotask', (callback) => { Promise.resolve().then(() => callback()); });
  const printing = {};
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
    printing[level] = (...args) => core.log(level, args);
  }
  set('console', printing);
  const client = {
    test: (name, body) => core.test(name, body),
    assert(condition, message) {
      if (!condition) throw new Error(message === undefined ? 'assertion failed' : message);
    },
    log: (...args) => core.log('log', args),
    exit: () => core.stop('exit'),
    global: {
      set: (name, value) => core.set('globals', name, value),
      get: (name) => core.get('globals', name),
      clear: (name) => core.unset('globals', name),
      clearAll: () => core.clear('globals'),
    },
  };
  set('client', client);
  core.define('response', { get: () => core.job.response });
  core.define('request', { get: () => core.job.request });
})
