// The module `crypto`, as far as the program computes it.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const D = core.part('digests');
  const { Buffer, encode } = core.part('buffer');

  const algorithms = { md5: 'md5', sha1: 'sha1', sha256: 'sha256', sha384: 'sha384',
    sha512: 'sha512', 'sha-1': 'sha1', 'sha-256': 'sha256', 'sha-384': 'sha384',
    'sha-512': 'sha512', 'rsa-sha1': 'sha1', 'rsa-sha256': 'sha256' };
  const algorithm = (path, name) => {
    const lower = P.lower(V.named(path, name, 'algorithm'));
    if (!P.has(algorithms, lower)) {
      throw new P.Error(`${path}: "${name}" is no digest that PostKit knows `
        + '(md5, sha1, sha256, sha384, sha512)');
    }
    return algorithms[lower];
  };
  const bytes = (path, value, encoding) => {
    if (typeof value === 'string') return encode(value, encoding);
    if (value instanceof P.ArrayBuffer) return new P.Uint8Array(value);
    if (P.isView(value)) return new P.Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    throw V.wrong(path, 'the data must be a string or bytes', value);
  };
  const builder = (path, finish) => {
    const chunks = [];
    let isDone = false;
    const open = () => {
      if (isDone) throw new P.Error('Digest already called');
    };
    const self = {
      update(data, encoding) {
        open();
        P.push(chunks, Buffer.from(bytes(`${path}.update`, data, encoding)));
        return self;
      },
      digest(encoding) {
        open();
        isDone = true;
        const result = Buffer.from(finish(D.joined(chunks)));
        return encoding === undefined || encoding === 'buffer' ? result : result.toString(encoding);
      },
    };
    return self;
  };

  const refused = ['createSign', 'createVerify', 'sign', 'verify', 'createCipheriv',
    'createDecipheriv', 'generateKeyPairSync', 'generateKeyPair', 'publicEncrypt',
    'privateDecrypt', 'createDiffieHellman', 'createECDH', 'pbkdf2', 'pbkdf2Sync', 'scrypt',
    'scryptSync', 'hkdf', 'hkdfSync'];
  const crypto = {
    createHash(name) {
      const known = algorithm('crypto.createHash', name);
      return builder('crypto.createHash', (data) => D.digest(known, data));
    },
    createHmac(name, key) {
      const known = algorithm('crypto.createHmac', name);
      const secret = Buffer.from(bytes('crypto.createHmac', key));
      return builder('crypto.createHmac', (data) => D.hmac(known, secret, data));
    },
    hash: (name, data, encoding = 'hex') => crypto.createHash(name).update(data).digest(encoding),
    getHashes: () => ['md5', 'sha1', 'sha256', 'sha384', 'sha512'],
    randomBytes(size, callback) {
      const count = V.count('crypto.randomBytes', 'size', size);
      if (!P.isInteger(count) || count < 0 || count > 65536 * 16) {
        throw new P.RangeError('crypto.randomBytes: the size must be from 0 to 1,048,576');
      }
      const result = Buffer.from(D.randomBytes(count));
      if (typeof callback !== 'function') return result;
      P.then(P.resolved(), () => callback(null, result));
      return undefined;
    },
    randomUUID: D.randomUUID,
    randomInt(from, to) {
      const [low, high] = to === undefined ? [0, from] : [from, to];
      if (!P.isInteger(low) || !P.isInteger(high) || high <= low) {
        throw new P.RangeError('crypto.randomInt: the bounds must be integers in order');
      }
      return core.part('random').integer(low, high);
    },
    getRandomValues: (array) => D.crypto.getRandomValues(array),
    timingSafeEqual(left, right) {
      const a = bytes('crypto.timingSafeEqual', left);
      const b = bytes('crypto.timingSafeEqual', right);
      if (a.length !== b.length) {
        throw new P.RangeError('Input buffers must have the same byte length');
      }
      let difference = 0;
      for (let i = 0; i < a.length; i += 1) difference |= a[i] ^ b[i];
      return difference === 0;
    },
  };
  for (const name of refused) {
    crypto[name] = () => {
      throw new P.Error(`crypto.${name} is not supported by PostKit`);
    };
  }
  return P.freeze({ crypto });
}
