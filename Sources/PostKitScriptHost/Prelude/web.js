// What pages and Node have in common: texts and bytes, copies, time.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const invalid = (message) => {
    const error = new P.Error(message);
    P.define(error, 'name', { value: 'InvalidCharacterError', configurable: true });
    return error;
  };
  const atob = (text) => {
    const plain = P.replace(P.String(text), /[\t\n\f\r ]/g, '');
    const fail = () => {
      throw invalid('atob: the text is no base64');
    };
    const bare = plain.length % 4 === 0 ? P.replace(plain, /={1,2}$/, '') : plain;
    if (bare.length % 4 === 1 || P.test(/[^A-Za-z0-9+/]/, bare)) fail();
    return V.latin1(V.fromBase64(bare, fail, false));
  };
  const btoa = (text) => {
    const source = P.String(text);
    const bytes = new P.Uint8Array(source.length);
    for (let i = 0; i < source.length; i += 1) {
      const code = P.charCode(source, i);
      if (code > 255) throw invalid('btoa: the text has a character that is no byte');
      bytes[i] = code;
    }
    return V.toBase64(bytes, false);
  };

  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text = '') { return V.utf8(P.String(text)); }
    encodeInto(text, target) {
      let read = 0;
      let written = 0;
      for (const character of P.String(text)) {
        const bytes = V.utf8(character);
        if (written + bytes.length > target.length) break;
        target.set(bytes, written);
        written += bytes.length;
        read += character.length;
      }
      return { read, written };
    }
  }
  const labels = { 'utf-8': 'utf-8', utf8: 'utf-8', 'unicode-1-1-utf-8': 'utf-8',
    'utf-16le': 'utf-16le', 'utf-16': 'utf-16le', ucs2: 'utf-16le', latin1: 'latin1',
    'iso-8859-1': 'latin1', 'windows-1252': 'latin1', ascii: 'latin1', 'us-ascii': 'latin1' };
  const encodings = new P.WeakMap();
  class TextDecoder {
    constructor(label = 'utf-8', options = {}) {
      const name = P.lower(P.trim(P.String(label)));
      if (!P.has(labels, name)) {
        throw new P.RangeError(`TextDecoder: "${P.String(label)}" is no encoding that PostKit knows`);
      }
      P.weakSet(encodings, this, { name: labels[name], fatal: options.fatal === true,
        keepsMark: options.ignoreBOM === true });
    }
    get encoding() {
      const { name } = P.weakGet(encodings, this);
      return name === 'latin1' ? 'windows-1252' : name;
    }
    decode(input) {
      if (input === undefined) return '';
      const { name, fatal, keepsMark } = P.weakGet(encodings, this);
      const bytes = P.isView(input)
        ? new P.Uint8Array(input.buffer, input.byteOffset, input.byteLength)
        : new P.Uint8Array(input);
      const text = V.decoded(bytes, name);
      if (fatal && P.holds(text, '\uFFFD') && V.utf8(text).length !== bytes.length) {
        throw new P.TypeError('TextDecoder.decode: the bytes are no text of this encoding');
      }
      return keepsMark ? text : P.replace(text, /^\uFEFF/, '');
    }
  }

  const structuredClone = (value) => {
    const seen = new P.Map();
    const copy = (item) => {
      if (typeof item === 'function' || typeof item === 'symbol') {
        throw new P.TypeError(`structuredClone: ${V.kind(item)} can't be copied`);
      }
      if (typeof item !== 'object' || item === null) return item;
      if (P.mapHas(seen, item)) return P.mapGet(seen, item);
      const keep = (result) => {
        P.mapSet(seen, item, result);
        return result;
      };
      if (item instanceof P.Date) return keep(new P.Date(+item));
      if (item instanceof P.RegExp) return keep(new P.RegExp(item.source, item.flags));
      if (item instanceof P.ArrayBuffer) return keep(P.copied(new P.Uint8Array(item)));
      if (P.isView(item)) return keep(new item.constructor(item));
      if (item instanceof P.Map) {
        const result = keep(new P.Map());
        for (const [key, part] of item) result.set(copy(key), copy(part));
        return result;
      }
      if (item instanceof P.Set) {
        const result = keep(new P.Set());
        for (const part of item) result.add(copy(part));
        return result;
      }
      if (item instanceof P.Error) return keep(P.assign(new item.constructor(item.message),
        { stack: item.stack }));
      const result = keep(P.isArray(item) ? [] : {});
      for (const key of P.keys(item)) result[key] = copy(item[key]);
      return result;
    };
    return copy(value);
  };

  const start = core.native.now();
  const performance = P.freeze({ now: () => core.native.now() - start, timeOrigin: start });
  const Window = P.freeze({ atob, btoa });
  return P.freeze({ atob, btoa, TextEncoder, TextDecoder, structuredClone, performance, Window });
}
