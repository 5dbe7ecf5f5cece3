// Whether two values are alike in all their parts, as Node's `assert` and chai have it.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const is = Object.is;
  const times = Date.prototype.getTime;

  // `isLoose` compares primitives with `==` and takes no look at prototypes.
  const equals = (left, right, isLoose = false) => alike(left, right, isLoose, []);
  const alike = (left, right, isLoose, above) => {
    if (is(left, right)) return true;
    const isObject = (value) => typeof value === 'object' && value !== null;
    if (!isObject(left) || !isObject(right)) {
      // eslint-disable-next-line eqeqeq
      if (isLoose && !isObject(left) && !isObject(right)) {
        return left == right || left !== left && right !== right;
      }
      return false;
    }
    if (!isLoose && P.prototype(left) !== P.prototype(right)) return false;
    if (P.shown(left) !== P.shown(right)) return false;
    if (left instanceof P.Date && right instanceof P.Date) {
      if (P.apply(times, left, []) !== P.apply(times, right, [])) return false;
    }
    if (left instanceof P.RegExp && `${left}` !== `${right}`) return false;
    if (left instanceof P.Error && (left.message !== right.message || left.name !== right.name)) {
      return false;
    }
    for (const [a, b] of above) if (a === left && b === right) return true;
    const inner = [...above, [left, right]];
    const same = (a, b) => alike(a, b, isLoose, inner);
    if (left instanceof P.Map || left instanceof P.Set) return collections(left, right, same);
    if (P.isArray(left) && left.length !== right.length) return false;
    if (P.isView(left) && left.byteLength !== right.byteLength) return false;
    const keys = ownKeys(left);
    const others = ownKeys(right);
    if (keys.length !== others.length) return false;
    return P.every(keys, (key) => P.has(right, key) && same(left[key], right[key]));
  };
  const ownKeys = (value) => P.filter(P.ownKeys(value), (key) =>
    P.descriptor(value, key)?.enumerable === true);
  const collections = (left, right, same) => {
    if (left.size !== right.size) return false;
    if (left instanceof P.Map) {
      for (const [key, value] of left) {
        if (!right.has(key) || !same(value, right.get(key))) return false;
      }
      return true;
    }
    const rest = P.fromArrayLike(right);
    for (const value of left) {
      const place = P.findIndex(rest, (other) => same(value, other));
      if (place < 0) return false;
      P.splice(rest, place, 1);
    }
    return true;
  };
  return P.freeze({ equals });
}
