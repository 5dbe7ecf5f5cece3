// `crypto` of JetBrains, whose digests the program computes, and the parts of Web crypto in use.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const bytesOf = (value) => value instanceof P.ArrayBuffer ? new P.Uint8Array(value) : value;
  // A `Buffer` has a `toJSON` of its own; what is sent must be bytes.
  const plain = (view) => new P.Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const digest = (algorithm, bytes) =>
    new P.Uint8Array(bytesOf(core.call('digest', algorithm, plain(bytes))));
  const hmac = (algorithm, key, bytes) =>
    new P.Uint8Array(bytesOf(core.call('hmac', algorithm, plain(key), plain(bytes))));

  const joined = (chunks) => {
    let length = 0;
    for (const chunk of chunks) length += chunk.length;
    const result = new P.Uint8Array(length);
    let place = 0;
    for (const chunk of chunks) {
      for (let i = 0; i < chunk.length; i += 1) result[place + i] = chunk[i];
      place += chunk.length;
    }
    return result;
  };
  const encoded = (path, text, encoding) => {
    const label = encoding === undefined ? 'utf-8' : P.lower(V.text(path, 'encoding', encoding));
    if (P.includes(['utf-8', 'utf8', 'unicode-1-1-utf-8'], label)) return V.utf8(text);
    const isWide = P.includes(['utf-16le', 'utf-16', 'utf16le', 'ucs-2', 'unicode'], label);
    const isWideBig = label === 'utf-16be';
    const limit = P.includes(['ascii', 'us-ascii'], label) ? 127
      : P.includes(['latin1', 'iso-8859-1', 'iso8859-1', 'l1', 'windows-1252'], label) ? 255 : -1;
    if (limit < 0 && !isWide && !isWideBig) {
      throw new P.RangeError(`${path}: "${encoding}" is no encoding that PostKit knows`);
    }
    const result = new P.Uint8Array(text.length * (limit < 0 ? 2 : 1));
    for (let i = 0; i < text.length; i += 1) {
      const code = P.charCode(text, i);
      if (limit > 0) {
        result[i] = code <= limit ? code : 63;
      } else {
        result[2 * i] = isWide ? code & 255 : code >> 8;
        result[2 * i + 1] = isWide ? code >> 8 : code & 255;
      }
    }
    return result;
  };
  const hexBytes = (path, text) => V.fromHex(V.text(path, 'text', text), (offset) => {
    throw new P.TypeError(`${path}: the text is no hexadecimal at offset ${offset}`);
  });
  const base64Bytes = (path, text, isForURLs) =>
    V.fromBase64(V.text(path, 'text', text), (offset) => {
      throw new P.TypeError(`${path}: the text is no base64 at offset ${offset}`);
    }, isForURLs === true ? true : undefined);

  const finished = (bytes) => P.freeze({
    toHex: () => V.toHex(bytes), toBase64: (isForURLs) => V.toBase64(bytes, isForURLs === true),
  });

  // A builder that feeds bytes; with `isKeyed` it takes a key, too.
  const builder = (algorithm, path, isKeyed) => {
    const chunks = [];
    let key;
    let isDone = false;
    const feed = (bytes, method) => {
      if (isDone) throw new P.TypeError(`${path}.${method}: the digest is finished`);
      P.push(chunks, bytes);
      return self;
    };
    const self = {
      updateWithText: (text, encoding) => feed(encoded(`${path}.updateWithText`,
        V.text(`${path}.updateWithText`, 'text', text), encoding), 'updateWithText'),
      updateWithHex: (text) => feed(hexBytes(`${path}.updateWithHex`, text), 'updateWithHex'),
      updateWithBase64: (text, isForURLs) =>
        feed(base64Bytes(`${path}.updateWithBase64`, text, isForURLs), 'updateWithBase64'),
      digest() {
        isDone = true;
        const bytes = joined(chunks);
        if (!isKeyed) return finished(digest(algorithm, bytes));
        if (key === undefined) throw new P.TypeError(`${path}.digest: there is no secret yet`);
        return finished(hmac(algorithm, key, bytes));
      },
    };
    if (isKeyed) {
      const set = (bytes) => {
        key = bytes;
        return self;
      };
      P.assign(self, {
        withTextSecret: (text, encoding) => set(encoded(`${path}.withTextSecret`,
          V.text(`${path}.withTextSecret`, 'secret', text), encoding)),
        withHexSecret: (text) => set(hexBytes(`${path}.withHexSecret`, text)),
        withBase64Secret: (text, isForURLs) =>
          set(base64Bytes(`${path}.withBase64Secret`, text, isForURLs)),
      });
    }
    return P.freeze(self);
  };
  const algorithms = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'];
  const builders = (path, isKeyed) => {
    const result = {};
    for (const name of algorithms) {
      result[name] = () => builder(name, `${path}.${name}`, isKeyed);
    }
    return result;
  };

  const randomBytes = (count) => count === 0
    ? new P.Uint8Array(0) : new P.Uint8Array(bytesOf(core.call('random', count)));
  const randomUUID = () => {
    const bytes = randomBytes(16);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    return uuidText(bytes);
  };
  const uuidText = (bytes) => {
    const hex = V.toHex(bytes);
    return `${P.sub(hex, 0, 8)}-${P.sub(hex, 8, 12)}-${P.sub(hex, 12, 16)}-`
      + `${P.sub(hex, 16, 20)}-${P.sub(hex, 20)}`;
  };

  const crypto = P.freeze({
    ...builders('crypto', false), hmac: P.freeze(builders('crypto.hmac', true)), randomUUID,
    getRandomValues(array) {
      if (!P.isView(array) || array instanceof P.DataView) {
        throw V.wrong('crypto.getRandomValues', 'the array must be a typed array', array);
      }
      if (array.byteLength > 65536) {
        throw new P.RangeError('crypto.getRandomValues: the array has more than 65,536 bytes');
      }
      new P.Uint8Array(array.buffer, array.byteOffset, array.byteLength)
        .set(randomBytes(array.byteLength));
      return array;
    },
  });
  return P.freeze({ crypto, digest, hmac, randomBytes, randomUUID, uuidText, encoded, joined });
}
