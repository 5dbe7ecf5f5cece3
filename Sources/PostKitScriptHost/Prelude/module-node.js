// Small modules of Node: buffer, url, querystring, timers, string_decoder, os, process.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const lazily = (object, members) => {
    for (const name of P.keys(members)) V.getter(object, name, members[name]);
    return object;
  };
  const world = core.world;

  const buffer = lazily({ kMaxLength: 67108864 }, {
    Buffer: () => core.part('buffer').Buffer, atob: () => core.part('web').atob,
    btoa: () => core.part('web').btoa,
  });

  // Pairs of a query: several values of a name become an array.
  const querystring = {
    escape: (text) => P.encodeURIComponent(P.String(text)),
    unescape: (text) => core.part('url').unescaped(P.String(text)),
    parse(text, separator = '&', equals = '=') {
      const result = P.create(null);
      for (const part of P.split(P.String(text), separator)) {
        if (part === '') continue;
        const place = P.find_(part, equals);
        const read = (raw) => querystring.unescape(P.replace(raw, /\+/g, ' '));
        const name = read(place < 0 ? part : P.sub(part, 0, place));
        const value = place < 0 ? '' : read(P.sub(part, place + equals.length));
        result[name] = name in result ? P.concat([], result[name], value) : value;
      }
      return result;
    },
    stringify(object, separator = '&', equals = '=') {
      const pairs = [];
      for (const name of P.keys(object ?? {})) {
        const values = P.isArray(object[name]) ? object[name] : [object[name]];
        for (const value of values) {
          const isPlain = P.includes(['string', 'number', 'boolean', 'bigint'], typeof value);
          P.push(pairs, querystring.escape(name) + equals
            + (isPlain ? querystring.escape(value) : ''));
        }
      }
      return P.join(pairs, separator);
    },
  };
  querystring.decode = querystring.parse;
  querystring.encode = querystring.stringify;

  const url = lazily({
    parse(text, parsesQuery = false) {
      const { URL } = core.part('url');
      const known = URL.parse(text);
      const source = known ?? new URL(text, 'http://x');
      const query = P.sub(source.search, 1);
      return {
        protocol: known ? known.protocol : null, slashes: known ? true : null,
        auth: known && known.username !== ''
          ? known.username + (known.password === '' ? '' : `:${known.password}`) : null,
        host: known ? known.host : null, port: known && known.port !== '' ? known.port : null,
        hostname: known ? known.hostname : null, hash: source.hash || null,
        search: source.search || null, pathname: source.pathname,
        query: parsesQuery ? querystring.parse(query) : query || null,
        path: source.pathname + source.search, href: known ? known.href : text,
      };
    },
    format(value) {
      if (typeof value === 'string') return value;
      if (typeof value.href === 'string') return value.href;
      const query = value.search ?? (value.query ? `?${typeof value.query === 'string'
        ? value.query : querystring.stringify(value.query)}` : '');
      const host = value.host ?? `${value.hostname ?? ''}${value.port ? `:${value.port}` : ''}`;
      const protocol = value.protocol ? `${P.replace(value.protocol, /:$/, '')}:` : '';
      const auth = value.auth ? `${value.auth}@` : '';
      return `${protocol}${host ? `//${auth}${host}` : ''}${value.pathname ?? ''}${query}`
        + (value.hash ?? '');
    },
    resolve(from, to) { return new (core.part('url').URL)(to, from).href; },
    fileURLToPath(value) {
      const parsed = new (core.part('url').URL)(P.String(value));
      if (parsed.protocol !== 'file:') throw new P.TypeError('The URL must be of scheme file');
      return core.part('url').unescaped(parsed.pathname);
    },
    pathToFileURL: (path) => new (core.part('url').URL)(`file://${P.encodeURI(path)}`),
  }, {
    URL: () => core.part('url').URL, URLSearchParams: () => core.part('url').URLSearchParams,
  });

  const timers = lazily({}, {
    setTimeout: () => world.setTimeout, setInterval: () => world.setInterval,
    setImmediate: () => world.setImmediate, clearTimeout: () => world.clearTimeout,
    clearInterval: () => world.clearInterval, clearImmediate: () => world.clearImmediate,
    promises: () => timersPromises,
  });
  const timersPromises = P.freeze({
    setTimeout: (wait, value) =>
      new P.Promise((resolve) => { world.setTimeout(() => resolve(value), wait); }),
    setImmediate: (value) =>
      new P.Promise((resolve) => { world.setImmediate(() => resolve(value)); }),
  });

  // Bytes of a character that come in two pieces are kept until it is whole.
  const pending = new P.WeakMap();
  class StringDecoder {
    constructor(encoding = 'utf8') {
      this.encoding = P.lower(encoding) === 'utf-8' ? 'utf8' : P.lower(encoding);
      P.weakSet(pending, this, new P.Uint8Array(0));
    }
    write(bytes) {
      const { Buffer } = core.part('buffer');
      const all = Buffer.concat([P.weakGet(pending, this), bytes]);
      const kept = this.encoding === 'utf8' ? incomplete(all) : 0;
      P.weakSet(pending, this, all.subarray(all.length - kept));
      return all.subarray(0, all.length - kept).toString(this.encoding);
    }
    end(bytes) {
      const text = bytes ? this.write(bytes) : '';
      const rest = core.part('buffer').Buffer.from(P.weakGet(pending, this));
      P.weakSet(pending, this, new P.Uint8Array(0));
      return text + (rest.length > 0 ? rest.toString(this.encoding) : '');
    }
  }
  const incomplete = (bytes) => {
    for (let back = 1; back <= P.Math.min(3, bytes.length); back += 1) {
      const byte = bytes[bytes.length - back];
      if (byte < 0x80) return 0;
      if (byte >= 0xC0) {
        const length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
        return length > back ? back : 0;
      }
    }
    return 0;
  };

  const os = P.freeze({ EOL: '\n', platform: () => 'linux', type: () => 'Linux', tmpdir: () => '/tmp',
    hostname: () => 'localhost', cpus: () => [], arch: () => 'x64' });

  const process = lazily({
    platform: 'linux', version: '', versions: P.freeze({}), argv: P.freeze([]), pid: 0,
    cwd: () => core.hello.root ?? '/',
    nextTick(callback, ...values) {
      V.callable('process.nextTick', 'callback', callback);
      P.then(P.resolved(), () => callback(...values));
    },
    exit() { core.part('client').client.exit(); },
    hrtime: P.assign(() => {
      const now = core.native.now();
      return [P.Math.floor(now / 1000), P.Math.floor(now % 1000 * 1e6)];
    }, { bigint: () => P.BigInt(P.Math.floor(core.native.now() * 1e6)) }),
    uptime: () => core.part('web').performance.now() / 1000,
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0 }),
  }, { env: () => core.part('random').$env });

  return P.freeze({ buffer: P.freeze(buffer), querystring: P.freeze(querystring),
    url: P.freeze(url), timers: P.freeze(timers), timersPromises,
    stringDecoder: P.freeze({ StringDecoder }), os, process: P.freeze(process) });
}
