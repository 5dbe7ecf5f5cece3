// `client`, `$global` and the tests' assertions of kulala.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  // A store that scripts write, under the path that errors name.
  const store = (path, name) => ({
    set(key, value) {
      const checked = V.named(`${path}.set`, key);
      if (value === undefined) core.unset(name, checked);
      else core.set(name, checked, value, `${path}.set`);
    },
    get(key) {
      const checked = V.text(`${path}.get`, 'name', key);
      const value = core.get(name, checked);
      if (value !== undefined || !P.holds(checked, '.')) return value;
      const dot = P.find_(checked, '.');
      return V.at(core.get(name, P.sub(checked, 0, dot)), P.sub(checked, dot + 1));
    },
    isEmpty: () => core.keys(name).length === 0,
    clear(key) { core.unset(name, V.text(`${path}.clear`, 'name', key)); },
    clearAll() { core.clear(name); },
  });

  // The name of a header as it is kept, whatever the case in which it is asked for.
  const headerName = (name) => {
    const wanted = P.lower(name);
    return P.find(core.keys('headers'), (key) => P.lower(key) === wanted) ?? name;
  };
  const headers = P.freeze({
    set(name, value) {
      const key = V.named('client.global.headers.set', name);
      if (!P.test(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, key)) {
        throw new P.TypeError(`client.global.headers.set: "${key}" can't be the name of a header`);
      }
      if (value === undefined) return core.unset('headers', headerName(key));
      const isPlain = typeof value === 'number' || typeof value === 'boolean';
      const text = isPlain ? P.String(value)
        : V.text('client.global.headers.set', 'value', value);
      if (P.test(/[\r\n\0]/, text)) {
        throw new P.TypeError('client.global.headers.set: the value has a line break');
      }
      core.set('headers', headerName(key), text);
    },
    get(name) {
      return core.get('headers', headerName(V.text('client.global.headers.get', 'name', name)))
        ?? null;
    },
    clear(name) {
      core.unset('headers', headerName(V.text('client.global.headers.clear', 'name', name)));
    },
  });

  const global = P.freeze(P.assign(store('client.global', 'globals'), { headers }));
  const requestVariables = P.freeze({
    ...store('request.variables', 'request'),
    set(key, value) {
      const name = V.named('request.variables.set', key);
      if (value === undefined) return core.unset('request', name);
      const dot = P.find_(name, '.');
      // kulala makes a path of dots, unless a variable has that very name.
      if (dot <= 0 || core.get('request', name) !== undefined) {
        return core.set('request', name, value, 'request.variables.set');
      }
      const first = P.sub(name, 0, dot);
      const parts = P.split(P.sub(name, dot + 1), '.');
      const old = core.get('request', first);
      core.set('request', first, placed(old, parts, value), 'request.variables.set');
    },
  });
  const placed = (old, parts, value) => {
    if (parts.length === 0) return value;
    const isObject = typeof old === 'object' && old !== null;
    const copy = P.isArray(old) ? P.slice(old) : isObject ? P.assign({}, old) : {};
    const inner = P.has(copy, parts[0]) ? copy[parts[0]] : undefined;
    P.define(copy, parts[0], {
      value: placed(inner, P.slice(parts, 1), value), enumerable: true, writable: true,
      configurable: true,
    });
    return copy;
  };

  const readOnly = (path, get) => P.freeze({
    get: (name) => get(V.text(`${path}.get`, 'name', name)) ?? null,
    set() {
      const what = path === 'client.variables.file' ? 'variables of the file' : 'environments';
      throw new P.TypeError(`${what} can't be changed by scripts (use client.global.set)`);
    },
  });
  const environmentValue = (name) => core.get('environment', name);
  const environment = readOnly('client.variables.environment', environmentValue);
  const file = readOnly('client.variables.file', (name) =>
    core.get('file', name) ?? core.call('value', name, core.job.script?.line ?? 1));

  const { test, assert } = core.part('tests');

  const printed = (value) => {
    if (typeof value === 'string') return value;
    if (V.isText(value)) return P.String(value);
    if (typeof value === 'object' && value !== null || typeof value === 'function') {
      return core.part('shown').json(value);
    }
    return typeof value === 'symbol' || typeof value === 'bigint' ? value.toString() : `${value}`;
  };

  const clientAssert = function (condition, message) {
    if (condition) return;
    throw assert.error(message === undefined ? 'Assertion failed' : printed(message));
  };
  for (const name of P.keys(assert.members)) V.hidden(clientAssert, name, assert.members[name]);

  const client = P.freeze({
    global,
    variables: P.freeze({ global, environment, file, request: requestVariables }),
    test, assert: P.freeze(clientAssert),
    log(...values) { if (!core.isFull) core.log('log', [P.join(P.map(values, printed), ' ')]); },
    exit() {
      // What the script has decided about its request before stays.
      const { kind = 'exit', reason } = core.state.stopped ?? {};
      core.stop(kind, reason);
    },
    isEmpty: global.isEmpty, clear: store('client', 'globals').clear, clearAll: global.clearAll,
  });

  // What is changed inside of a value of `$global` is set, as httpYac keeps the object itself.
  const views = new P.WeakMap();
  const view = (value, changed) => {
    if (typeof value !== 'object' || value === null) return value;
    if (P.weakHas(views, value)) return P.weakGet(views, value);
    const result = new P.Proxy(value, {
      get: (target, key) => view(target[key], changed),
      set(target, key, next) {
        target[key] = next;
        changed();
        return true;
      },
      deleteProperty(target, key) {
        delete target[key];
        changed();
        return true;
      },
    });
    P.weakSet(views, value, result);
    return result;
  };
  const lasting = (name) => {
    const value = core.get('globals', name);
    return view(value, () => core.set('globals', name, value, '$global'));
  };

  // [1.3] The same store as an object whose members are its values.
  const $global = new P.Proxy(P.create(null), {
    get: (_, name) => typeof name === 'string' ? lasting(name) : undefined,
    has: (_, name) => typeof name === 'string' && core.get('globals', name) !== undefined,
    set(_, name, value) {
      global.set(name, value);
      return true;
    },
    deleteProperty(_, name) {
      core.unset('globals', name);
      return true;
    },
    ownKeys: () => core.keys('globals'),
    getOwnPropertyDescriptor(_, name) {
      const value = typeof name === 'string' ? core.get('globals', name) : undefined;
      if (value === undefined) return undefined;
      return { value, enumerable: true, configurable: true, writable: true };
    },
    defineProperty(_, name, { value }) {
      global.set(name, value);
      return true;
    },
  });

  return P.freeze({ client, $global, requestVariables, environmentValue, printed });
}
