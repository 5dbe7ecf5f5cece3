// `CryptoJS` of Postman: digests, keyed digests and the encodings of their results.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { digest, hmac } = core.part('digests');

  const bytes = (value, path) => {
    if (typeof value === 'string') return V.utf8(value);
    if (value?.bytes) return value.bytes;
    throw V.wrong(`CryptoJS.${path}`, 'the data must be a string or words', value);
  };
  const words = (data) => {
    const self = { bytes: data, sigBytes: data.length,
      toString: (encoding = Hex) => encoding.stringify(self), concat: (other) => words(
        core.part('digests').joined([data, other.bytes])) };
    V.getter(self, 'words', () => {
      const result = [];
      for (let i = 0; i < data.length; i += 4) {
        P.push(result, (data[i] << 24) | ((data[i + 1] ?? 0) << 16)
          | ((data[i + 2] ?? 0) << 8) | (data[i + 3] ?? 0));
      }
      return result;
    });
    return P.freeze(self);
  };
  const refuse = (what) => (offset) => {
    throw new P.TypeError(`CryptoJS.enc.${what}.parse: the text is wrong at offset ${offset}`);
  };
  const Hex = P.freeze({ stringify: (data) => V.toHex(data.bytes),
    parse: (text) => words(V.fromHex(text, refuse('Hex'))) });
  const Base64 = P.freeze({ stringify: (data) => V.toBase64(data.bytes, false),
    parse: (text) => words(V.fromBase64(text, refuse('Base64'))) });
  const Utf8 = P.freeze({ stringify: (data) => V.decoded(data.bytes, 'utf-8'),
    parse: (text) => words(V.utf8(text)) });
  const Latin1 = P.freeze({ stringify: (data) => V.latin1(data.bytes),
    parse: (text) => words(P.Uint8Array.from(text, (c) => P.charCode(c, 0) & 255)) });
  const CryptoJS = { enc: P.freeze({ Hex, Base64, Utf8, Latin1 }) };
  for (const name of ['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512']) {
    const known = P.lower(name);
    CryptoJS[name] = (data) => words(digest(known, bytes(data, name)));
    CryptoJS[`Hmac${name}`] = (data, key) => words(hmac(
      known, bytes(key, `Hmac${name}`), bytes(data, `Hmac${name}`)));
  }
  for (const name of ['AES', 'DES', 'TripleDES', 'PBKDF2']) {
    const refused = () => {
      throw new P.Error(`CryptoJS.${name} is not supported by PostKit`);
    };
    CryptoJS[name] = P.freeze(P.assign(refused, { encrypt: refused, decrypt: refused }));
  }
  return P.freeze({ CryptoJS: P.freeze(CryptoJS) });
}
