// What all families share: checks of arguments, values per job, and texts that can be called.
(core) => {
  'use strict';
  const P = core.part('primordials');

  // How a value is named in an error.
  const kind = (value) => {
    if (value === null) return 'null';
    if (P.isArray(value)) return 'an array';
    const type = typeof value;
    return type === 'undefined' ? type
      : type === 'object' ? 'an object' : type === 'string' ? 'a string'
        : type === 'number' ? 'a number' : type === 'boolean' ? 'a boolean'
          : type === 'function' ? 'a function' : `a ${type}`;
  };
  const wrong = (path, what, got) => new P.TypeError(`${path}: ${what}, got ${kind(got)}`);

  // Text-functions pass for texts.
  const isText = (value) => typeof value === 'string' || P.weakHas(texts, value);
  const text = (path, name, value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'function' && P.weakHas(texts, value)) return P.weakGet(texts, value)();
    throw wrong(path, `the ${name} must be a string`, value);
  };
  const named = (path, value, name = 'name') => {
    const result = text(path, name, value);
    if (result === '') throw new P.TypeError(`${path}: the ${name} is empty`);
    return result;
  };
  const callable = (path, name, value) => {
    if (typeof value !== 'function') throw wrong(path, `the ${name} must be a function`, value);
    return value;
  };
  const count = (path, name, value) => {
    if (typeof value !== 'number' || P.isNaN(value)) {
      throw wrong(path, `the ${name} must be a number`, value);
    }
    return value;
  };

  // [SC-8] A function that acts as the text which it returns.
  const texts = new P.WeakMap();
  const callableTexts = P.create(String.prototype);
  const textFunction = (read, members) => {
    const make = typeof read === 'function' ? read : () => read;
    const result = () => make();
    P.weakSet(texts, result, make);
    P.setPrototype(result, callableTexts);
    const own = (name, value) => P.define(result, name, { value });
    own('toString', () => make());
    own('valueOf', () => make());
    own('toJSON', () => make());
    P.define(result, 'length', { get: () => make().length });
    P.define(result, P.Symbol.toPrimitive, { value: () => make() });
    if (members) for (const name of P.keys(members)) own(name, members[name]);
    delete result.name;
    return P.freeze(result);
  };

  // Values that are made once for each job.
  const made = new P.WeakMap();
  const perJob = (make) => {
    const key = {};
    // A job asks often, and another one in between is rare.
    let last, value;
    return () => {
      const job = core.job;
      if (job === last) return value;
      if (!P.weakHas(made, job)) P.weakSet(made, job, new P.Map());
      const values = P.weakGet(made, job);
      if (!P.mapHas(values, key)) P.mapSet(values, key, make(job));
      [last, value] = [job, P.mapGet(values, key)];
      return value;
    };
  };

  // A member that is read anew at each use and can't be set.
  const getter = (object, name, get, set, enumerable = true) =>
    P.define(object, name, { get, set, enumerable, configurable: false });
  const hidden = (object, name, value) => P.define(object, name, { value, enumerable: false });

  // The value at a path such as `a.b[0].c`.
  const steps = (path) => P.filter(P.split(P.replace(path, /\[(?:"([^"]*)"|'([^']*)'|(\d+))\]/g,
    (_, double, single, index) => `.${double ?? single ?? index}`), '.'), (step) => step !== '');
  const at = (value, path) => {
    let result = value;
    for (const step of steps(path)) {
      if (result === null || result === undefined) return undefined;
      if (typeof result === 'object' || typeof result === 'function') {
        if (!P.has(result, step)) return undefined;
      }
      result = result[step];
    }
    return result;
  };

  // Calls the program for text in which references are replaced where they are known.
  const substituted = (raw) =>
    P.holds(raw, '{{') ? core.call('substitute', raw) : raw;

  const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const toBase64 = (bytes, isForURLs) => {
    let result = '';
    for (let i = 0; i < bytes.length; i += 3) {
      const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
      result += base64Alphabet[word >> 18] + base64Alphabet[(word >> 12) & 63]
        + (i + 1 < bytes.length ? base64Alphabet[(word >> 6) & 63] : '=')
        + (i + 2 < bytes.length ? base64Alphabet[word & 63] : '=');
    }
    if (!isForURLs) return result;
    return P.replace(P.replace(P.replace(result, /\+/g, '-'), /\//g, '_'), /=/g, '');
  };
  // Bytes of base64; `fail` gets the offset of the first character that is wrong. Without `isFor`
  // both alphabets are read.
  const fromBase64 = (source, fail, isForURLs) => {
    const result = [];
    let word = 0;
    let bits = 0;
    let end = source.length;
    while (end > 0 && source[end - 1] === '=') end -= 1;
    if (source.length - end > 2) fail(end);
    for (let i = 0; i < end; i += 1) {
      let c = source[i];
      if (c === ' ' || c === '\n' || c === '\r' || c === '\t') continue;
      if (isForURLs !== false && c === '-') c = '+';
      else if (isForURLs !== false && c === '_') c = '/';
      const value = P.find_(base64Alphabet, c);
      if (value < 0) fail(i);
      word = (word << 6) | value;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        P.push(result, (word >> bits) & 255);
        word &= (1 << bits) - 1;
      }
    }
    if (bits === 6) fail(end - 1);
    return new P.Uint8Array(result);
  };
  const toHex = (bytes) => {
    let result = '';
    for (let i = 0; i < bytes.length; i += 1) {
      result += (bytes[i] < 16 ? '0' : '') + P.apply(numberText, bytes[i], [16]);
    }
    return result;
  };
  const numberText = Number.prototype.toString;
  const fromHex = (source, fail) => {
    const place = P.exec(/[^0-9a-fA-F]/, source);
    if (place) fail(place.index);
    if (source.length % 2 === 1) fail(source.length);
    const result = new P.Uint8Array(source.length / 2);
    for (let i = 0; i < result.length; i += 1) {
      result[i] = P.parseInt(P.sub(source, 2 * i, 2 * i + 2), 16);
    }
    return result;
  };
  const latin1 = (bytes) => {
    let result = '';
    for (let i = 0; i < bytes.length; i += 1) result += P.fromCharCode(bytes[i]);
    return result;
  };
  const utf8 = (source) => new P.Uint8Array(core.native.utf8(source));
  // `label` is one of WHATWG's; views become their part of the buffer.
  const decoded = (bytes, label = 'utf-8') => {
    const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
    return core.native.text(isWhole ? bytes.buffer : P.copied(bytes), label);
  };

  return P.freeze({
    kind, wrong, isText, text, named, callable, count, textFunction, perJob, getter, hidden, at,
    substituted, toBase64, fromBase64, toHex, fromHex, latin1, utf8, decoded,
  });
}
