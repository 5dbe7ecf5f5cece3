// `$random` and the other values that are new at each use.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { randomBytes, randomUUID } = core.part('digests');

  // A fraction below 1 of 48 random bits.
  const fraction = () => {
    const bytes = randomBytes(6);
    let result = 0;
    for (let i = 0; i < 6; i += 1) result = (result + bytes[i]) / 256;
    return result;
  };
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const digits = '0123456789';
  const text = (name, alphabet) => (length = 10) => {
    const count = V.count(`$random.${name}`, 'length', length);
    if (!P.isInteger(count) || count <= 0 || count > 1e6) {
      throw new P.RangeError(`$random.${name}: the length must be from 1 to 1,000,000, got ${count}`);
    }
    // Bytes above the last multiple of the alphabet would make its first letters likelier.
    const limit = 256 - 256 % alphabet.length;
    const result = [];
    while (result.length < count) {
      const bytes = randomBytes(P.Math.min(65536, count - result.length + 8));
      for (let i = 0; i < bytes.length && result.length < count; i += 1) {
        if (bytes[i] < limit) P.push(result, alphabet[bytes[i] % alphabet.length]);
      }
    }
    return P.join(result, '');
  };
  const range = (name, from, to) => {
    if (from === undefined) return [0, 1000];
    const first = V.count(`$random.${name}`, 'bound', from);
    if (to === undefined) return first < 0 ? [first, 0] : [0, first];
    const second = V.count(`$random.${name}`, 'bound', to);
    return first <= second ? [first, second] : [second, first];
  };
  const integer = (from, to) => {
    const [low, high] = range('integer', from, to);
    const start = P.Math.ceil(low);
    return start + P.Math.floor(fraction() * P.Math.max(1, P.Math.ceil(high) - start));
  };
  const float = (from, to) => {
    const [low, high] = range('float', from, to);
    return low + fraction() * (high - low);
  };
  const email = () => `${P.lower(text('email', letters)(8))}@${P.lower(text('email', letters)(6))}.com`;

  // Names such as `address.city` come from the generators of `{{$random.address.city}}`.
  const isPlace = (name) => typeof name === 'string' && P.test(/^[a-z][A-Za-z]*$/, name);
  const generated = (path) => {
    const text = core.call('substitute', `{{$random.${path}}}`);
    return P.starts(text, '{{') ? undefined : text;
  };
  const groups = [
    'address', 'animal', 'app', 'artist', 'avatar', 'beer', 'book', 'bool', 'business', 'cat',
    'code', 'color', 'commerce', 'company', 'country', 'crypto', 'currency', 'demographic',
    'dog', 'file', 'finance', 'food', 'idNumber', 'internet', 'job', 'lorem', 'music', 'name',
    'nation', 'number', 'phoneNumber', 'space', 'team', 'university', 'weather',
  ];
  const group = (name) => new P.Proxy(P.freeze({}), {
    get(_, member) {
      const isName = isPlace(member) && member !== 'then' && member !== 'toJSON';
      const text = isName ? generated(`${name}.${member}`) : undefined;
      return text === undefined ? undefined : V.textFunction(text);
    },
  });

  const $random = {
    alphabetic: text('alphabetic', letters),
    alphanumeric: text('alphanumeric', `${letters}${digits}_`),
    numeric: text('numeric', digits), hexadecimal: text('hexadecimal', `${digits}abcdef`),
    integer, float,
  };
  V.getter($random, 'uuid', () => V.textFunction(randomUUID()));
  V.getter($random, 'email', () => V.textFunction(email()));
  // httpYac asks its user in its editor alone.
  for (const name of ['input', 'password', 'pick']) {
    P.define($random, name, { enumerable: false, value() {
      throw new P.ReferenceError(
        `\`$random.${name}\` exists in httpYac's editor only; write # @prompt`);
    } });
  }
  for (const name of groups) P.define($random, name, { value: group(name), enumerable: false });

  const environments = V.perJob(() => new P.Map());
  const $env = new P.Proxy(P.freeze(P.create(null)), {
    get(_, name) {
      if (typeof name !== 'string') return undefined;
      const known = environments();
      if (!P.mapHas(known, name)) P.mapSet(known, name, core.call('environment', name) ?? undefined);
      return P.mapGet(known, name);
    },
    has: (_, name) => typeof name === 'string' && $env[name] !== undefined,
    set(_, name) {
      throw new P.TypeError(`$env.${P.String(name)} can't be set by scripts`);
    },
  });
  const token = (path, kind) => (id) => {
    if (V.kind(id) === 'undefined') throw V.wrong(path, 'the id must be a string', id);
    return core.call('token', V.named(path, id, 'id'), kind);
  };
  const $auth = P.freeze({
    token: token('$auth.token', 'access'), idToken: token('$auth.idToken', 'id'),
  });

  return P.freeze({ $random: P.freeze($random), $env, $auth, fraction, integer });
}
