// `bru`, `req` and `res` of Bruno's scripts.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { client, environmentValue } = core.part('client');

  const name = (path, value) => V.named(`bru.${path}`, value);
  const variable = (path, store, get = (key) => core.get(store, key)) => ({
    get: (key) => get(name(`get${path}`, key)),
    set(key, value) {
      const checked = name(`set${path}`, key);
      if (value === undefined) core.unset(store, checked);
      else core.set(store, checked, value, `bru.set${path}`);
    },
    has: (key) => get(name(`has${path}`, key)) !== undefined,
    delete(key) { core.unset(store, name(`delete${path}`, key)); },
  });
  const own = variable('Var', 'collection',
    (key) => core.get('collection', key) ?? core.get('request', key));
  const environment = variable('EnvVar', 'environment', environmentValue);
  const global = variable('GlobalEnvVar', 'globals');
  const ofFile = (path) => (key) => core.get('file', name(path, key));
  const next = (path) => (value) => {
    core.effects.next = value === null ? null : V.text(`${path}.setNextRequest`, 'name', value);
  };
  const bru = P.freeze({
    getVar: own.get, setVar: own.set, hasVar: own.has, deleteVar: own.delete,
    deleteAllVars() { core.clear('collection'); },
    getEnvVar: environment.get, setEnvVar: environment.set, hasEnvVar: environment.has,
    deleteEnvVar: environment.delete, getGlobalEnvVar: global.get, setGlobalEnvVar: global.set,
    getCollectionVar: ofFile('getCollectionVar'), getFolderVar: ofFile('getFolderVar'),
    getRequestVar: (key) => core.get('request', name('getRequestVar', key))
      ?? core.get('file', key),
    getProcessEnv: (key) => core.part('random').$env[name('getProcessEnv', key)],
    interpolate: (text) =>
      core.part('postman').pm.variables.replaceIn(V.text('bru.interpolate', 'text', text)),
    sleep: (wait) => core.world.sleep(wait), setNextRequest: next('bru'),
    runner: P.freeze({
      setNextRequest: next('bru.runner'),
      skipRequest() { core.part('request').decisions.skip('skipped by its script'); },
      stopExecution() { core.effects.stopsRun = true; },
    }),
    cwd: () => core.hello.root ?? '/',
    getEnvName: () => P.join(core.hello.environment ?? [], ','),
    cookies: P.freeze({ jar: () => core.part('cookies').bruno() }),
    runRequest: async (request) => core.part('response').ran(
      await core.post('execute', name('runRequest', request), {})),
    sendRequest: (...values) => core.part('send').brunoRequest(...values),
    isSafeMode: () => true,
  });

  const postman = () => core.part('postman-exchange');
  const req = V.perJob((job) => {
    const request = postman().request();
    if (!request) return undefined;
    const self = {
      getUrl: () => `${request.url}`, setUrl(url) { request.url = V.named('req.setUrl', url, 'URL'); },
      getMethod: () => request.method, setMethod(method) { request.method = V.named('req.setMethod', method, 'method'); },
      getHeader: (key) => request.headers.get(V.text('req.getHeader', 'name', key)),
      getHeaders: () => request.headers.toObject(),
      setHeader(key, value) {
        request.headers.upsert({ key: V.named('req.setHeader', key), value });
      },
      setHeaders(headers) {
        if (typeof headers !== 'object' || headers === null) {
          throw V.wrong('req.setHeaders', 'the headers must be an object', headers);
        }
        for (const key of P.keys(headers)) self.setHeader(key, headers[key]);
      },
      deleteHeader(key) { request.headers.remove(V.named('req.deleteHeader', key)); },
      deleteHeaders(keys) {
        if (!P.isArray(keys)) throw V.wrong('req.deleteHeaders', 'the names must be an array', keys);
        for (const key of keys) self.deleteHeader(key);
      },
      getBody(options) {
        const text = request.body.raw;
        if (options?.raw === true) return text;
        try {
          return P.parse(text);
        } catch {
          return text === '' ? undefined : text;
        }
      },
      setBody(body) {
        if (body === undefined) throw V.wrong('req.setBody', 'the body must be a value', body);
        request.body.update(body);
      },
      setTimeout() { core.log('warn', ['req.setTimeout does nothing in PostKit: use # @timeout.']); },
      setMaxRedirects() {
        core.log('warn', ['req.setMaxRedirects does nothing in PostKit: use # @no-redirect.']);
      },
      getHost: () => request.url.getRemote(), getPath: () => request.url.getPath(),
      getQueryString: () => request.url.getQueryString(), getPathParams: () => [],
      getName: () => job.request.name ?? '', getTags: () => P.keys(job.request.tags ?? {}),
      getTimeout: () => undefined, getExecutionMode: () => 'standalone',
    };
    V.getter(self, 'url', self.getUrl, self.setUrl);
    V.getter(self, 'method', self.getMethod, self.setMethod);
    V.getter(self, 'headers', self.getHeaders, self.setHeaders);
    V.getter(self, 'body', () => self.getBody(), self.setBody);
    V.getter(self, 'name', self.getName);
    return P.freeze(self);
  });

  const res = V.perJob((job) => {
    if (!job.response) return undefined;
    const response = core.part('response').make(job.response, true);
    const looked = core.part('response').current();
    const body = () => {
      const { value, error } = looked.fact.json();
      return error ? looked.bodyText : value;
    };
    // `res('a.b[0]')` is a part of the body.
    const self = (path, ...filters) => path === undefined ? body()
      : core.part('bruno-query').query(body(), V.text('res', 'path', path), ...filters);
    const header = (key) => P.lower(key) === 'set-cookie'
      ? response.headers['set-cookie'] : looked.joinedHeader(key);
    const members = {
      status: () => response.status, statusText: () => response.statusMessage,
      headers: () => response.headers, body, responseTime: () => response.timings.total,
      url: () => job.request?.url,
    };
    for (const key of P.keys(members)) V.getter(self, key, members[key]);
    P.assign(self, {
      getStatus: members.status, getStatusText: members.statusText,
      getHeader: (key) => header(V.text('res.getHeader', 'name', key)),
      getHeaders: members.headers, getBody: body, getResponseTime: members.responseTime,
      getSize: () => P.freeze({ body: job.response.size, header: 0, total: job.response.size }),
      getUrl: members.url,
    });
    return P.freeze(self);
  });
  return P.freeze({ bru, get req() { return req(); }, get res() { return res(); }, client });
}
