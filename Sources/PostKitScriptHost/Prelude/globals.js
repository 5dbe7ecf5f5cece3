// The globals of a context. Each is looked up where it is used, so that its part is read only then.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const { world } = core;

  // [SC-59] No use for a script, but more that could be attacked.
  delete world.WebAssembly;

  const from = (part, names) => {
    for (const name of names) core.define(name, { get: () => core.part(part)[name] });
  };
  const called = (name, part, member) =>
    core.define(name, { get: () => core.part(part)[member]() });
  const held = (name, part, member) => core.define(name, { get: () => core.part(part)[member] });

  from('client', ['client', '$global']);
  called('request', 'request', 'current');
  called('response', 'response', 'response');
  held('test', 'tests', 'httpyac');
  held('assert', 'tests', 'kulala');
  from('digests', ['crypto']);
  from('random', ['$random', '$env', '$auth']);
  from('paths', ['jsonPath', 'xpath']);
  from('httpyac', ['$httpyac', '$getOAuth2Response']);
  for (const name of ['$context', 'httpFile', 'httpRegion', 'oauth2Session']) {
    called(name, 'httpyac', name);
  }
  called('$requestClient', 'streams', 'client');
  from('kulala', ['$kulala']);
  from('console', ['console']);
  from('web', ['atob', 'btoa', 'TextEncoder', 'TextDecoder', 'structuredClone', 'performance',
    'Window']);
  from('url', ['URL', 'URLSearchParams']);
  from('buffer', ['Buffer']);
  from('module-node', ['process']);
  from('postman', ['pm', 'insomnia', 'postman', 'responseBody', 'responseCode', 'responseHeaders',
    'responseTime', 'tests', 'xml2Json', 'CryptoJS']);
  from('bruno', ['bru', 'req', 'res']);
  from('chai', ['expect']);
  core.define('global', { get: () => world });

  core.define('$uuid', { get: () => core.part('digests').randomUUID() });
  core.define('$timestamp', { get: () => P.Math.floor(+new P.Date() / 1000) });
  core.define('$isoTimestamp', { get: () => new P.Date().toISOString() });
  core.define('$randomInt', { get: () => core.part('random').integer(0, 1000) });
  core.define('$exampleServer', { get: () => core.call('exampleServer') });
  core.define('$projectRoot', { get: () => core.hello.root ?? '' });
  core.define('$historyFolder', { get: () => core.call('substitute', '{{$historyFolder}}') });

  const timer = (name, repeats) => (callback, wait = 0, ...values) => {
    if (typeof callback !== 'function') core.part('values').callable(name, 'callback', callback);
    return core.setTimer(callback, P.Number(wait) || 0, values, repeats);
  };
  const functions = {
    setTimeout: timer('setTimeout', false), setInterval: timer('setInterval', true),
    setImmediate: (callback, ...values) => timer('setImmediate', false)(callback, 0, ...values),
    clearTimeout: core.clearTimer, clearInterval: core.clearTimer, clearImmediate: core.clearTimer,
    queueMicrotask(callback) {
      if (typeof callback !== 'function') {
        throw core.part('values').wrong('queueMicrotask', 'the callback must be a function', callback);
      }
      P.then(P.resolved(), () => { callback(); });
    },
    sleep: (wait) => new P.Promise((resolve) => {
      core.setTimer(resolve, P.Number(wait) || 0, [], false);
    }),
  };
  for (const name of P.keys(functions)) core.define(name, { get: () => functions[name] });

  // What other tools have, and we don't: a call says so. Who only looks finds nothing.
  const noNetwork = "is not there: a script has no network; use await $httpyac.execute('name')";
  const elsewhere = "exists in httpYac's editor only";
  const absent = {
    fetch: noNetwork, XMLHttpRequest: noNetwork,
    WebSocket: 'is not there: a script has no network; write a request with the method WEBSOCKET',
    alert: 'is not there: scripts have no window; use console.log',
    document: 'is not there: scripts have no page',
    vscode: elsewhere, httpyac: elsewhere, open: elsewhere,
    axios: noNetwork, tv4: 'is not there: use pm.response.to.have.jsonSchema(schema)',
    _: "is not there: use the language's own functions, or require('lodash') from node_modules",
    cheerio: 'is not there: response.body of HTML has querySelector',
    moment: "is not there: use require('dayjs')",
  };
  core.missing = (name) => P.has(absent, name) ? absent[name] : undefined;

  core.lazy(core, 'require', () => core.part('modules').requireFor(core.hello.file));
  // A script in a file of its own asks from there.
  const requires = new P.Map();
  core.requireFor = (file) => {
    if (file === core.hello.file) return core.require;
    if (!P.mapHas(requires, file)) P.mapSet(requires, file, core.part('modules').requireFor(file));
    return P.mapGet(requires, file);
  };
  // Scripts have it as a parameter; expressions find it here.
  core.define('require', { get: () => core.require });
  // Called for texts with `import`, `export` or a call of `request.method`.
  core.rewrite = (text) => core.part('source').rewrite(text, {
    keepsNames: core.job.phase === 'imports',
  }).text;
  return P.freeze({});
}
