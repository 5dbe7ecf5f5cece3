// `require` and what `import` becomes: own modules, files beside the script, packages.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  // Own modules by their names; each is a member of a part.
  const own = {
    assert: ['module-assert', 'assert'], 'assert/strict': ['module-assert', 'strict'],
    buffer: ['module-node', 'buffer'], crypto: ['module-crypto', 'crypto'],
    url: ['module-node', 'url'], querystring: ['module-node', 'querystring'],
    path: ['module-path', 'path'], 'path/posix': ['module-path', 'path'],
    util: ['module-util', 'util'], 'util/types': ['module-util', 'types'],
    events: ['module-events', 'EventEmitter'],
    timers: ['module-node', 'timers'], 'timers/promises': ['module-node', 'timersPromises'],
    string_decoder: ['module-node', 'stringDecoder'], punycode: ['module-punycode', 'punycode'],
    os: ['module-node', 'os'], process: ['module-node', 'process'],
    console: ['console', 'console'], fs: ['module-fs', 'fs'],
    'fs/promises': ['module-fs', 'promises'], uuid: ['module-uuid', 'uuid'],
    dayjs: ['module-dayjs', 'dayjs'], 'dayjs/plugin/utc': ['module-dayjs', 'utc'],
    chai: ['chai', 'chai'], 'crypto-js': ['cryptojs', 'CryptoJS'], atob: ['web', 'atob'], btoa: ['web', 'btoa'],
    httpyac: ['httpyac', '$httpyac'],
  };
  const impossible = ['child_process', 'net', 'http', 'https', 'http2', 'tls', 'dgram',
    'worker_threads', 'cluster', 'vm', 'inspector', 'dns', 'repl', 'module'];
  const advice = {
    jsonwebtoken: 'decode with `# @jwt`, sign with `crypto.createHmac`',
    axios: "a script has no network; use `await $httpyac.execute('name')`",
    got: "a script has no network; use `await $httpyac.execute('name')`",
    'node-fetch': "a script has no network; use `await $httpyac.execute('name')`",
    moment: '`dayjs` is built in',
    faker: '`$random` has such values', '@faker-js/faker': '`$random` has such values',
    ajv: 'use `pm.response.to.have.jsonSchema(schema)`',
    tv4: 'use `pm.response.to.have.jsonSchema(schema)`',
    lodash: 'put the package into `node_modules` of the project',
  };

  // Modules of files go before these of ours, as a file may need more of them than we have.
  const fallbacks = ['crypto-js', 'dayjs', 'dayjs/plugin/utc'];

  const loaded = new P.Map();     // records by path
  const found = new P.Map();      // answers of the program by who asks and what for
  const stack = [];               // the modules that are being run

  const locate = (id, from) => {
    const key = `${from}\0${id}`;
    if (!P.mapHas(found, key)) {
      try {
        P.mapSet(found, key, core.call('module', id, from));
      } catch (error) {
        const words = P.starts(id, 'dayjs/plugin/')
          ? 'PostKit has the plugin `utc`; put `dayjs` into `node_modules` for others'
          : P.has(advice, id) ? advice[id] : undefined;
        if (words === undefined) throw error;
        throw P.assign(new P.Error(`${error.message} (\`${id}\`: ${words})`), { code: error.code });
      }
    }
    return P.mapGet(found, key);
  };
  const folder = (path) => P.sub(path, 0, P.Math.max(P.findLast_(path, '/'), 0));
  const shortName = (path) => P.sub(path, P.findLast_(path, '/') + 1);

  const head = '(function(exports,require,module,__filename,__dirname){';
  const asyncHead = '(async function(exports,require,module,__filename,__dirname){';
  const textOf = (text) => typeof text === 'string' ? text : core.native.text(text, 'utf-8');

  // Runs a module once; a `require` in a circle gets what is exported so far, as in Node.
  const load = (answer, isImport) => {
    const { path, kind } = answer;
    if (P.mapHas(loaded, path)) {
      const record = P.mapGet(loaded, path);
      if (record.error) throw record.error;
      if (isImport && !record.isDone && P.includes(stack, path)) {
        const other = shortName(stack[stack.length - 1]);
        throw new P.Error(`${other} and ${shortName(path)} import each other`);
      }
      return record;
    }
    const text = P.replace(textOf(answer.text), /^\uFEFF/, '');
    const record = { module: { exports: {}, id: path, filename: path, loaded: false },
      isDone: false, isModule: false, wait: undefined };
    P.mapSet(loaded, path, record);
    if (kind === 'json') {
      try {
        record.module.exports = P.parse(text);
      } catch (error) {
        P.mapSet(loaded, path, { error: new P.SyntaxError(`${path}: ${error.message}`) });
        throw P.mapGet(loaded, path).error;
      }
      record.isDone = true;
      return record;
    }
    P.push(stack, path);
    try {
      run(record, path, P.replace(text, /^#!.*/, ''));
    } catch (error) {
      // Who asks again gets the same error, not half a module.
      P.mapSet(loaded, path, { error });
      throw error;
    } finally {
      P.pop(stack);
    }
    if (!record.wait) record.isDone = record.module.loaded = true;
    return record;
  };
  const waiting = P.freeze({ toString: () => 'a module waits' });
  const run = (record, path, text) => {
    const hasModuleWords = P.test(/\b(?:import|export)\b/, text);
    const rewritten = (waits) => hasModuleWords
      ? core.part('source').rewrite(text, { isModule: true, waits }) : { text, isModule: false };
    const source = rewritten(false);
    record.isModule = source.isModule || P.ends(path, '.mjs');
    const compiled = (waits) => core.compile(waits ? rewritten(true).text : source.text, path, 1, 1,
      waits ? asyncHead : head, '\n})');
    const { module } = record;
    const call = (outer) => P.apply(outer, module.exports,
      [module.exports, requireFor(path), module, path, folder(path)]);
    let outer;
    let result;
    try {
      outer = compiled(false);
    } catch (error) {
      if (!record.isModule || !P.test(/\bawait\b/, text)) throw error;
    }
    try {
      result = call(outer ?? compiled(true));
    } catch (error) {
      // What it imports waits, so that it waits, too.
      if (error !== waiting) throw error;
      module.exports = {};
      result = call(compiled(true));
    }
    if (typeof result !== 'object' || result === null || typeof result.then !== 'function') return;
    record.wait = P.then(result, () => { record.isDone = true; });
  };

  // What `import` sees of a module: its exports, and all of it as `default` where it has none.
  const namespace = (record) => {
    const { exports } = record.module;
    if (record.isModule || exports?.__esModule) return exports;
    const isObject = typeof exports === 'object' && exports !== null
      || typeof exports === 'function';
    const result = isObject ? P.assign(P.create(null), exports) : P.create(null);
    if (!('default' in result)) result.default = exports;
    return result;
  };

  const isInstalled = (id, from) => {
    try {
      return locate(id, from) !== undefined;
    } catch {
      return false;
    }
  };
  const builtIn = (id, from) => {
    const name = P.starts(id, 'node:') ? P.sub(id, 5) : id;
    if (P.includes(impossible, name)) {
      throw new P.Error(`require('${name}') is not possible: `
        + 'scripts have no network and start no programs');
    }
    if (!P.has(own, name) || P.includes(fallbacks, name) && isInstalled(name, from)) return undefined;
    const [part, member] = own[name];
    return { exports: core.part(part)[member] };
  };
  const requireFor = (from) => {
    const resolve = (id) => {
      const name = V.named('require', id, 'id');
      return builtIn(name, from) ? name : locate(name, from).path;
    };
    const require = (id) => {
      const name = V.named('require', id, 'id');
      const module = builtIn(name, from);
      if (module) return module.exports;
      const record = load(locate(name, from), false);
      if (record.wait) {
        throw new P.Error(`${shortName(record.module.id)} waits at its top level: import it`);
      }
      return record.module.exports;
    };
    const imported = (id, wanted = []) => {
      const name = V.named('import', id, 'name');
      const module = builtIn(name, from);
      if (module) return namespace({ module });
      const record = load(locate(name, from), true);
      const names = () => checked(namespace(record), record, name, wanted);
      return record.wait ? P.then(record.wait, names) : names();
    };
    // A misspelt name must not become `undefined`; only modules know all that they export.
    const checked = (names, record, id, wanted) => {
      const lost = record.isModule ? P.find(wanted, (name) => !(name in names)) : undefined;
      if (lost !== undefined) throw new P.SyntaxError(`'${id}' exports no \`${lost}\``);
      return names;
    };
    V.hidden(require, 'resolve', resolve);
    V.hidden(require, '$$import', imported);
    V.hidden(require, '$$now', (id, wanted) => {
      const names = imported(id, wanted);
      if (names instanceof P.Promise) throw waiting;
      return names;
    });
    V.hidden(require, '$$load', (id) => P.then(P.resolved(undefined), () => imported(id)));
    V.hidden(require, '$$all', (exports, names) => {
      for (const name of P.keys(names)) if (name !== 'default') exports[name] = names[name];
    });
    return P.freeze(require);
  };
  return P.freeze({ requireFor, names: P.freeze(P.keys(own)) });
}
