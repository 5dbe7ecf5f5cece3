// `pm` and the older names of Postman's scripts.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { client, environmentValue } = core.part('client');

  // What we have not is said once and is `undefined`.
  const warned = new P.Set();
  const warn = (name) => {
    if (warned.has(name)) return;
    warned.add(name);
    core.log('warn', [`${name} does nothing in PostKit.`]);
  };

  const replaced = (path, text, get) => {
    const source = P.replace(V.text(path, 'text', text), /\{\{([^{}]+)\}\}/g, (whole, name) => {
      const value = get(P.trim(name));
      return value === undefined || value === null ? whole
        : typeof value === 'object' ? P.json(value) : P.String(value);
    });
    return V.substituted(source);
  };
  // A scope of variables: `set` and `unset` go to a store.
  const scope = (path, { get, store, names, name }) => {
    const self = {
      get: (key) => get(V.text(`${path}.get`, 'name', key)),
      has: (key) => get(V.text(`${path}.has`, 'name', key)) !== undefined,
      set(key, value) {
        const checked = V.named(`${path}.set`, key);
        if (value === undefined) core.unset(store, checked);
        else core.set(store, checked, value, `${path}.set`);
      },
      unset(key) { core.unset(store, V.text(`${path}.unset`, 'name', key)); },
      clear() { core.clear(store); },
      toObject() {
        const result = {};
        for (const key of names()) {
          P.define(result, key, { value: get(key), enumerable: true, writable: true,
            configurable: true });
        }
        return result;
      },
      replaceIn: (text) => replaced(`${path}.replaceIn`, text, nearest),
    };
    V.getter(self, 'name', name ?? (() => undefined));
    return P.freeze(self);
  };
  const readOf = (store) => (key) => core.get(store, key);
  const environment = scope('pm.environment', {
    get: environmentValue, store: 'environment', names: () => core.keys('environment'),
    name: () => P.join(core.hello.environment ?? [], ','),
  });
  const globals = scope('pm.globals', {
    get: readOf('globals'), store: 'globals', names: () => core.keys('globals'),
  });
  // What the collection sets, and what the file defines.
  const collectionValue = (key) => core.get('collection', key) ?? core.get('file', key);
  const collectionVariables = scope('pm.collectionVariables', {
    get: collectionValue, store: 'collection',
    names: () => P.concat(core.keys('file'), core.keys('collection')),
  });
  const iterationData = P.freeze({
    get(key) {
      const name = V.text('pm.iterationData.get', 'name', key);
      return core.job.data?.[name];
    },
    has: (key) => P.has(core.job.data ?? {}, V.text('pm.iterationData.has', 'name', key)),
    toObject: () => P.assign({}, core.job.data ?? {}),
  });
  // [SC-20] The nearest first: local, data, environment, collection, global.
  const nearest = (key) => {
    for (const value of [core.get('request', key), core.job.data?.[key], environmentValue(key),
      collectionValue(key), core.get('exports', key), core.get('globals', key)]) {
      if (value !== undefined) return value;
    }
    return core.bare?.(key)?.value;
  };
  const variables = scope('pm.variables', {
    get: nearest, store: 'request', names: () => P.concat(core.keys('globals'), core.keys('file'),
      core.keys('collection'), core.keys('environment'), core.keys('request')),
  });

  const test = (name, body) => {
    // A function with a parameter tells by it that it is done.
    if (typeof body === 'function' && body.length > 0) {
      return client.test(name, () => new P.Promise((resolve, reject) => {
        body((error) => error ? reject(error) : resolve());
      }));
    }
    return client.test(name, body);
  };
  test.skip = (name) => { core.log('log', [`${core.part('tests').title(name)} is skipped.`]); };
  test.index = () => core.state.tests.length;

  const info = V.perJob((job) => P.freeze({
    eventName: job.phase === 'response' ? 'test' : 'prerequest',
    requestName: job.request?.name ?? '', requestId: core.part('digests').randomUUID(),
    iteration: job.request?.iteration ?? 0, iterationCount: 1,
  }));
  const next = (path) => (name) => {
    core.effects.next = name === null ? null : V.text(`${path}.setNextRequest`, 'name', name);
  };
  const execution = P.freeze({
    setNextRequest: next('pm.execution'),
    skipRequest() { core.part('request').decisions.skip('skipped by its script'); },
    location: P.freeze({ get current() { return core.job.request?.name ?? ''; } }),
  });
  const cookies = V.perJob((job) => {
    const all = () => core.part('cookies').ofRequest(job);
    return P.freeze({
      get: (name) => all()[V.text('pm.cookies.get', 'name', name)],
      has: (name) => P.has(all(), V.text('pm.cookies.has', 'name', name)), toObject: all,
      jar: () => core.part('cookies').postman(),
    });
  });
  const nothing = (name, members) => P.freeze(P.assign({}, ...P.map(members, (member) => ({
    [member]: () => { warn(`${name}.${member}`); },
  }))));

  const parts = () => core.part('postman-exchange');
  const pm = {
    test, environment, globals, collectionVariables, variables, iterationData, execution,
    // In Insomnia the environment that others inherit; theirs and ours are one scope here.
    baseEnvironment: environment,
    sendRequest: (...values) => core.part('send').sendRequest(...values),
    expect: P.assign((...values) => core.part('chai').expect(...values),
      { fail: (...values) => core.part('chai').expect.fail(...values) }),
    visualizer: nothing('pm.visualizer', ['set', 'clear']),
    vault: nothing('pm.vault', ['get', 'set', 'unset']),
    require: (id) => core.require(P.replace(V.named('pm.require', id, 'id'), /^npm:|@[\d.]+$/g, '')),
  };
  pm.setNextRequest = next('pm');
  V.getter(pm, 'info', info);
  V.getter(pm, 'cookies', cookies);
  V.getter(pm, 'request', () => parts().request());
  V.getter(pm, 'response', () => parts().response());

  // Errors name the function by the path under which it was called.
  const older = (name, work) => (key, ...rest) =>
    work(V.text(`postman.${name}`, 'name', key), ...rest);
  const postman = P.freeze({
    setEnvironmentVariable: older('setEnvironmentVariable', environment.set),
    getEnvironmentVariable: older('getEnvironmentVariable', environment.get),
    clearEnvironmentVariable: older('clearEnvironmentVariable', environment.unset),
    clearEnvironmentVariables: environment.clear,
    setGlobalVariable: older('setGlobalVariable', globals.set),
    getGlobalVariable: older('getGlobalVariable', globals.get),
    clearGlobalVariable: older('clearGlobalVariable', globals.unset),
    clearGlobalVariables: globals.clear, setNextRequest: next('postman'),
    getResponseHeader: older('getResponseHeader', (name) => parts().response()?.headers.get(name)),
    getResponseCookie: older('getResponseCookie', (name) =>
      P.find(core.part('response').response()?.cookies() ?? [], (cookie) => cookie.name === name)),
  });
  // Names as they were received; old scripts write them in lower case, too.
  const writtenHeaders = V.perJob((job) => {
    if (!job.response) return undefined;
    const result = {};
    const { headers } = core.part('response').response();
    for (const [name] of job.response.headers ?? []) {
      const value = headers[P.lower(name)];
      P.define(result, P.lower(name), { value, enumerable: P.lower(name) === name });
      P.define(result, name, { value, enumerable: true });
    }
    return P.freeze(result);
  });
  // `tests["name"] = condition` makes a test.
  const tests = V.perJob(() => new P.Proxy({}, { set(target, name, value) {
    target[name] = value;
    client.test(P.String(name), () => client.assert(value, `${P.String(name)} does not hold`));
    return true;
  } }));
  const result = {
    pm: P.freeze(pm), insomnia: pm, postman, xml2Json: (text) => parts().xml2Json(text),
    get responseBody() {
      // Old scripts ask the text itself what it holds.
      if (!P.has(P.String.prototype, 'has')) {
        V.hidden(P.String.prototype, 'has', function has(part) { return P.holds(P.String(this), part); });
      }
      return core.part('response').current()?.bodyText;
    },
    get responseCode() {
      const response = core.part('response').response();
      return response && P.freeze({ code: response.status, name: response.statusMessage });
    },
    get responseHeaders() { return writtenHeaders(); },
    get responseTime() { return core.part('response').response()?.timings.total; },
    get tests() { return tests(); },
    get CryptoJS() { return core.part('cryptojs').CryptoJS; },
  };
  return P.freeze(result);
}
