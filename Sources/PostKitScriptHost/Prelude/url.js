// `URL` and `URLSearchParams`, as the URL standard has them for the schemes of the web.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const ports = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' };
  const isSpecial = (protocol) => P.has(ports, P.sub(protocol, 0, -1)) || protocol === 'file:';
  const percent = (text, keep) => {
    let result = '';
    for (const character of text) {
      if (P.test(keep, character)) {
        result += character;
      } else {
        for (const byte of V.utf8(character)) result += `%${P.upper(P.pad(V.toHex([byte]), 2, '0'))}`;
      }
    }
    return result;
  };
  const pathMarks = /[A-Za-z0-9\-._~!$&'()*+,;=:@%/[\]|^\\]/;
  const queryMarks = /[A-Za-z0-9\-._~!$&()*+,;=:@%/?[\]|^`{}\\]/;
  const fragmentMarks = /[A-Za-z0-9\-._~!$&'()*+,;=:@%/?[\]|^{}\\#]/;
  const userMarks = /[A-Za-z0-9\-._~!$&'()*+,%]/;

  // Form encoding: blanks are `+`, all but a few characters are percent-encoded.
  const formEncoded = (text) => P.replace(percent(text, /[A-Za-z0-9*\-._ ]/), / /g, '+');
  const formDecoded = (text) => unescaped(P.replace(text, /\+/g, ' '));
  const unescaped = (text) => {
    if (!P.holds(text, '%')) return text;
    const bytes = V.utf8(text);
    const result = [];
    for (let i = 0; i < bytes.length; i += 1) {
      const pair = bytes[i] === 37
        ? P.fromCharCode(bytes[i + 1] ?? 0, bytes[i + 2] ?? 0) : '';
      if (P.test(/^[0-9a-fA-F]{2}$/, pair)) {
        P.push(result, P.parseInt(pair, 16));
        i += 2;
      } else {
        P.push(result, bytes[i]);
      }
    }
    return V.decoded(new P.Uint8Array(result), 'utf-8');
  };

  const lists = new P.WeakMap();
  const changes = new P.WeakMap();
  const pairs = (query) => P.map(P.filter(P.split(query, '&'), (part) => part !== ''), (part) => {
    const place = P.find_(part, '=');
    const name = place < 0 ? part : P.sub(part, 0, place);
    return [formDecoded(name), place < 0 ? '' : formDecoded(P.sub(part, place + 1))];
  });
  class URLSearchParams {
    constructor(init = '') {
      let list;
      if (typeof init === 'string' || V.isText(init)) {
        list = pairs(P.replace(P.String(init), /^\?/, ''));
      } else if (init !== null && typeof init[P.Symbol.iterator] === 'function') {
        list = P.map(P.fromArrayLike(init), (item) => {
          const pair = P.fromArrayLike(item);
          if (pair.length !== 2) {
            throw new P.TypeError('URLSearchParams: each item must be a name and a value');
          }
          return [P.String(pair[0]), P.String(pair[1])];
        });
      } else {
        list = P.map(P.entries(init ?? {}), ([name, value]) => [name, P.String(value)]);
      }
      P.weakSet(lists, this, list);
    }
    get size() { return P.weakGet(lists, this).length; }
    append(name, value) {
      P.push(P.weakGet(lists, this), [P.String(name), P.String(value)]);
      P.weakGet(changes, this)?.();
    }
    delete(name, value) {
      const list = P.weakGet(lists, this);
      for (let i = list.length - 1; i >= 0; i -= 1) {
        const isSame = list[i][0] === P.String(name);
        if (isSame && (value === undefined || list[i][1] === P.String(value))) P.splice(list, i, 1);
      }
      P.weakGet(changes, this)?.();
    }
    get(name) {
      return P.find(P.weakGet(lists, this), (pair) => pair[0] === P.String(name))?.[1] ?? null;
    }
    getAll(name) {
      const same = P.filter(P.weakGet(lists, this), (pair) => pair[0] === P.String(name));
      return P.map(same, (pair) => pair[1]);
    }
    has(name, value) {
      return P.some(P.weakGet(lists, this), (pair) => pair[0] === P.String(name)
        && (value === undefined || pair[1] === P.String(value)));
    }
    set(name, value) {
      const list = P.weakGet(lists, this);
      const place = P.findIndex(list, (pair) => pair[0] === P.String(name));
      if (place < 0) return this.append(name, value);
      for (let i = list.length - 1; i > place; i -= 1) {
        if (list[i][0] === P.String(name)) P.splice(list, i, 1);
      }
      list[place] = [P.String(name), P.String(value)];
      P.weakGet(changes, this)?.();
    }
    sort() {
      P.sort(P.weakGet(lists, this), (a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);
      P.weakGet(changes, this)?.();
    }
    forEach(callback, self) {
      for (const [name, value] of P.slice(P.weakGet(lists, this))) {
        P.apply(callback, self, [value, name, this]);
      }
    }
    *entries() { for (const pair of P.weakGet(lists, this)) yield P.slice(pair); }
    *keys() { for (const pair of P.weakGet(lists, this)) yield pair[0]; }
    *values() { for (const pair of P.weakGet(lists, this)) yield pair[1]; }
    [P.Symbol.iterator]() { return this.entries(); }
    toString() {
      return P.join(P.map(P.weakGet(lists, this), ([name, value]) =>
        `${formEncoded(name)}=${formEncoded(value)}`), '&');
    }
    toJSON() { return this.toString(); }
  }

  const invalid = (text) => {
    const error = new P.TypeError(`Invalid URL: ${text}`);
    error.code = 'ERR_INVALID_URL';
    error.input = text;
    return error;
  };
  const resolvedPath = (path) => {
    const result = [];
    const segments = P.split(path, '/');
    P.forEach(segments, (segment, index) => {
      const plain = P.lower(P.replace(segment, /%2e/gi, '.'));
      const isLast = index === segments.length - 1;
      if (plain === '..') {
        if (result.length > 1) P.pop(result);
        if (isLast) P.push(result, '');
      } else if (plain !== '.') {
        P.push(result, segment);
      } else if (isLast) {
        P.push(result, '');
      }
    });
    return P.join(result, '/');
  };
  const host = (text, special, source) => {
    if (P.starts(text, '[')) {
      if (!P.test(/^\[[0-9a-fA-F:.]+\]$/, text)) throw invalid(source);
      return P.lower(text);
    }
    const decoded = special ? P.lower(unescaped(text)) : text;
    if (special && decoded === '' || P.test(/[\s#%/:<>?@[\\\]^|]/, special ? decoded : '')) {
      throw invalid(source);
    }
    const numbers = P.split(decoded, '.');
    if (special && numbers.length === 4 && P.every(numbers, (part) => P.test(/^\d+$/, part))) {
      if (P.some(numbers, (part) => P.Number(part) > 255)) throw invalid(source);
      return P.join(P.map(numbers, (part) => `${P.Number(part)}`), '.');
    }
    return decoded;
  };

  const parse = (text, base) => {
    const source = P.replace(P.replace(text, /^[\0- ]+|[\0- ]+$/g, ''), /[\t\n\r]/g, '');
    const scheme = P.exec(/^([A-Za-z][A-Za-z0-9+.-]*):/, source);
    if (!scheme) return base ? relative(source, base) : undefined;
    const protocol = `${P.lower(scheme[1])}:`;
    const rest = P.sub(source, scheme[0].length);
    const special = isSpecial(protocol);
    if (special && base && base.protocol === protocol && !P.test(/^[/\\]/, rest)) {
      return relative(rest, base);
    }
    // A file's address need not name a host: `file:/a` is `file:///a`.
    const authority = protocol === 'file:'
      ? P.replace(rest, /^(?:[/\\]{2}(?=$|[^/\\])|[/\\]{2}(?=[/\\])|[/\\]?)/, (marks) =>
        marks.length === 2 ? '//' : '///')
      : P.replace(rest, /^[/\\]*/, '//');
    return absolute(protocol, special ? authority : rest, special, text);
  };
  const parts = (rest) => {
    const hashPlace = P.find_(rest, '#');
    const beforeHash = hashPlace < 0 ? rest : P.sub(rest, 0, hashPlace);
    const queryPlace = P.find_(beforeHash, '?');
    const hash = hashPlace < 0 ? '' : percent(P.sub(rest, hashPlace + 1), fragmentMarks);
    const query = queryPlace < 0 ? '' : percent(P.sub(beforeHash, queryPlace + 1), queryMarks);
    return {
      path: queryPlace < 0 ? beforeHash : P.sub(beforeHash, 0, queryPlace),
      hasQuery: queryPlace >= 0, search: query === '' ? '' : `?${query}`,
      hash: hash === '' ? '' : `#${hash}`,
    };
  };
  const absolute = (protocol, rest, special, source) => {
    const { path, search, hash } = parts(rest);
    const plain = special ? P.replace(path, /\\/g, '/') : path;
    const result = { protocol, username: '', password: '', hostname: '', port: '', search, hash,
      hasHost: P.starts(plain, '//') };
    if (!result.hasHost) return { ...result, pathname: percent(plain, pathMarks) };
    const slash = P.find_(plain, '/', 2);
    const authority = slash < 0 ? P.sub(plain, 2) : P.sub(plain, 2, slash);
    const at = P.findLast_(authority, '@');
    if (at >= 0) {
      const user = P.sub(authority, 0, at);
      const colon = P.find_(user, ':');
      result.username = percent(colon < 0 ? user : P.sub(user, 0, colon), userMarks);
      result.password = colon < 0 ? '' : percent(P.sub(user, colon + 1), userMarks);
    }
    const place = P.exec(/^(.*?)(?::(\d*))?$/, P.sub(authority, at + 1));
    if (!place || P.Number(place[2] ?? 0) > 65535) throw invalid(source);
    if (protocol !== 'file:' || place[1] !== '') result.hostname = host(place[1], special, source);
    const port = place[2] ? `${P.Number(place[2])}` : '';
    result.port = port === ports[P.sub(protocol, 0, -1)] ? '' : port;
    const pathname = slash < 0 ? (special ? '/' : '') : P.sub(plain, slash);
    return { ...result, pathname: resolvedPath(percent(pathname, pathMarks)) };
  };
  const relative = (text, base) => {
    const special = isSpecial(base.protocol);
    const source = special ? P.replace(text, /^[/\\]{2}/, '//') : text;
    if (P.starts(source, '//')) return absolute(base.protocol, source, special, text);
    const { path, search, hash, hasQuery } = parts(source);
    const plain = special ? P.replace(path, /\\/g, '/') : path;
    const folder = P.sub(base.pathname, 0, P.findLast_(base.pathname, '/') + 1);
    const pathname = plain === '' ? base.pathname
      : resolvedPath(percent(P.starts(plain, '/') ? plain : folder + plain, pathMarks));
    return { ...base, pathname, hash,
      search: hasQuery || plain !== '' ? search : base.search };
  };

  const records = new P.WeakMap();
  const searches = new P.WeakMap();
  class URL {
    constructor(text, base) {
      const source = P.String(text);
      const from = base === undefined ? undefined : parse(P.String(base));
      if (base !== undefined && !from) throw invalid(P.String(base));
      const record = parse(source, from);
      if (!record) throw invalid(source);
      P.weakSet(records, this, record);
    }
    static canParse(text, base) { return URL.parse(text, base) !== null; }
    static parse(text, base) {
      try {
        return new URL(text, base);
      } catch {
        return null;
      }
    }
    get href() {
      const own = P.weakGet(records, this);
      const user = own.username === '' && own.password === '' ? ''
        : `${own.username}${own.password === '' ? '' : `:${own.password}`}@`;
      const authority = own.hasHost ? `//${user}${this.host}` : '';
      return `${own.protocol}${authority}${own.pathname}${own.search}${own.hash}`;
    }
    set href(text) {
      const record = parse(P.String(text));
      if (!record) throw invalid(P.String(text));
      P.weakSet(records, this, record);
      refresh(this);
    }
    get origin() {
      const { protocol } = P.weakGet(records, this);
      return isSpecial(protocol) && protocol !== 'file:' ? `${protocol}//${this.host}` : 'null';
    }
    get host() {
      const { hostname, port } = P.weakGet(records, this);
      return port === '' ? hostname : `${hostname}:${port}`;
    }
    set host(text) {
      const [, name, port] = P.exec(/^(.*?)(?::(\d+))?$/, P.String(text));
      this.hostname = name;
      if (port !== undefined) this.port = port;
    }
    get searchParams() {
      if (!P.weakHas(searches, this)) {
        const params = new URLSearchParams(P.weakGet(records, this).search);
        P.weakSet(searches, this, params);
        P.weakSet(changes, params, () => {
          const text = params.toString();
          P.weakGet(records, this).search = text === '' ? '' : `?${text}`;
        });
      }
      return P.weakGet(searches, this);
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  }
  // The list of parameters follows what is set in the URL.
  const refresh = (url) => {
    const params = P.weakGet(searches, url);
    if (params) P.weakSet(lists, params, pairs(P.sub(P.weakGet(records, url).search, 1)));
  };
  const setters = {
    protocol: (value) => `${P.lower(P.replace(value, /:.*$/, ''))}:`,
    username: (value) => percent(value, userMarks), password: (value) => percent(value, userMarks),
    hostname: (value, own) => host(value, isSpecial(own.protocol), value),
    port(value, own) {
      const digits = P.exec(/^\d*/, value)[0];
      return digits === ports[P.sub(own.protocol, 0, -1)] ? '' : digits;
    },
    pathname: (value, own) => resolvedPath(percent(
      P.starts(value, '/') || !own.hasHost ? value : `/${value}`, pathMarks)),
    search(value) {
      const text = P.replace(value, /^\?/, '');
      return text === '' ? '' : `?${percent(text, queryMarks)}`;
    },
    hash(value) {
      const text = P.replace(value, /^#/, '');
      return text === '' ? '' : `#${percent(text, fragmentMarks)}`;
    },
  };
  for (const name of P.keys(setters)) {
    P.define(URL.prototype, name, {
      get() { return P.weakGet(records, this)[name]; },
      set(value) {
        const own = P.weakGet(records, this);
        own[name] = setters[name](P.String(value), own);
        if (name === 'search') refresh(this);
      },
      enumerable: true, configurable: true,
    });
  }
  return P.freeze({ URL, URLSearchParams, formEncoded, formDecoded, unescaped });
}
