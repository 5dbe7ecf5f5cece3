// The module `uuid`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { digest, randomBytes, randomUUID, uuidText, joined } = core.part('digests');

  const NIL = '00000000-0000-0000-0000-000000000000';
  const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  const pattern = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12})$/i;
  const validate = (text) => typeof text === 'string' && P.test(pattern, text);
  const parse = (text) => {
    if (!validate(text)) throw new P.TypeError('Invalid UUID');
    return V.fromHex(P.replace(text, /-/g, ''), () => {});
  };
  const marked = (bytes, version) => {
    bytes[6] = (bytes[6] & 0x0f) | (version << 4);
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    return uuidText(bytes);
  };
  const named = (algorithm, version) => {
    const make = (name, namespace) => {
      const space = typeof namespace === 'string' ? parse(namespace) : namespace;
      if (!space || space.length !== 16) {
        throw new P.TypeError('Namespace must be array-like (16 iterable integer values, 0-255)');
      }
      const text = typeof name === 'string' ? V.utf8(name) : name;
      return marked(digest(algorithm, joined([space, text])).slice(0, 16), version);
    };
    make.DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    make.URL = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';
    return make;
  };
  // The time in the first bits, so that later ones sort behind.
  const v7 = () => {
    const bytes = randomBytes(16);
    let time = +new P.Date();
    for (let i = 5; i >= 0; i -= 1) {
      bytes[i] = time % 256;
      time = P.Math.floor(time / 256);
    }
    return marked(bytes, 7);
  };
  // 100 ns since 1582-10-15; the node is random, with the bit that says so.
  let count = 0;
  const v1 = () => {
    count = (count + 1) % 10000;
    const time = P.BigInt(+new P.Date()) * 10000n + P.BigInt(count) + 122192928000000000n;
    const bytes = randomBytes(16);
    const order = [4n, 5n, 6n, 7n, 2n, 3n, 0n, 1n];
    const all = [];
    for (let i = 0n; i < 8n; i += 1n) P.push(all, P.Number((time >> (56n - 8n * i)) & 255n));
    P.forEach(order, (from, to) => { bytes[to] = all[P.Number(from)]; });
    bytes[10] |= 1;
    return marked(bytes, 1);
  };
  const version = (text) => {
    if (!validate(text)) throw new P.TypeError('Invalid UUID');
    return P.parseInt(text[14], 16);
  };
  const uuid = { v1, v3: named('md5', 3), v4: () => randomUUID(), v5: named('sha1', 5), v7, validate,
    version, parse, stringify: uuidText, NIL, MAX };
  return P.freeze({ uuid: P.freeze(uuid) });
}
