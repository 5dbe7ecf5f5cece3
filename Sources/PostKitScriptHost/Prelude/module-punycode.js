// The module `punycode` (RFC 3492).
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const [base, least, most, skew, damp] = [36, 1, 26, 38, 700];

  const adapted = (delta, count, isFirst) => {
    let rest = isFirst ? P.Math.floor(delta / damp) : delta >> 1;
    rest += P.Math.floor(rest / count);
    let k = 0;
    while (rest > (base - least) * most >> 1) {
      rest = P.Math.floor(rest / (base - least));
      k += base;
    }
    return P.Math.floor(k + (base - least + 1) * rest / (rest + skew));
  };
  const threshold = (k, bias) => k <= bias ? least : k >= bias + most ? most : k - bias;
  const digit = (value) => P.fromCharCode(value < 26 ? value + 97 : value + 22);
  const valueOf = (code) => code >= 48 && code <= 57 ? code - 22
    : code >= 97 && code <= 122 ? code - 97 : code >= 65 && code <= 90 ? code - 65 : base;

  const decode2 = (text) => P.map([...text], (character) => P.codePoint(character, 0));
  const encode = (text) => {
    const points = decode2(V.text('punycode.encode', 'text', text));
    let result = P.join(P.map(P.filter(points, (point) => point < 128),
      (point) => P.fromCharCode(point)), '');
    const basic = result.length;
    let [n, delta, bias, handled] = [128, 0, 72, basic];
    if (basic > 0) result += '-';
    while (handled < points.length) {
      let next = P.Math.min(...P.filter(points, (point) => point >= n));
      delta += (next - n) * (handled + 1);
      n = next;
      for (const point of points) {
        if (point < n) delta += 1;
        if (point !== n) continue;
        let q = delta;
        for (let k = base; ; k += base) {
          const t = threshold(k, bias);
          if (q < t) break;
          result += digit(t + (q - t) % (base - t));
          q = P.Math.floor((q - t) / (base - t));
        }
        result += digit(q);
        bias = adapted(delta, handled + 1, handled === basic);
        delta = 0;
        handled += 1;
      }
      delta += 1;
      n += 1;
    }
    return result;
  };
  const decode = (text) => {
    const source = V.text('punycode.decode', 'text', text);
    const basic = P.Math.max(P.findLast_(source, '-'), 0);
    const points = decode2(P.sub(source, 0, basic));
    let [n, i, bias] = [128, 0, 72];
    for (let at = basic > 0 ? basic + 1 : 0; at < source.length;) {
      const old = i;
      for (let w = 1, k = base; ; k += base) {
        const value = at < source.length ? valueOf(P.charCode(source, at++)) : base;
        if (value >= base) throw new P.RangeError('Invalid input');
        i += value * w;
        const t = threshold(k, bias);
        if (value < t) break;
        w *= base - t;
      }
      const count = points.length + 1;
      bias = adapted(i - old, count, old === 0);
      n += P.Math.floor(i / count);
      P.splice(points, i % count, 0, n);
      i = i % count + 1;
    }
    return P.fromCodePoint(...points);
  };
  const domain = (text, change) => P.join(P.map(P.split(text, /[.\u3002\uFF0E\uFF61]/), change), '.');
  const punycode = P.freeze({
    encode, decode, ucs2: P.freeze({ decode: decode2, encode: (points) => P.fromCodePoint(...points) }),
    toASCII: (text) => domain(text, (label) =>
      P.test(/[^\0-\x7F]/, label) ? `xn--${encode(label)}` : label),
    toUnicode: (text) => domain(text, (label) =>
      P.starts(label, 'xn--') ? decode(P.lower(P.sub(label, 4))) : label),
  });
  return P.freeze({ punycode });
}
