// Bruno's queries into a body: `customer.orders[0].id`, `..amount`, `..items[?].amount`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const isThere = (value) => value !== undefined && value !== null;
  // Lists of lists are one list; nothing in it is nothing at all.
  const flat = (list) => {
    const result = [];
    for (const item of list) {
      const value = P.isArray(item) ? flat(item) : item;
      if (P.isArray(value)) P.push(result, ...value);
      else if (isThere(value)) P.push(result, value);
    }
    return result.length > 0 ? result : undefined;
  };
  const member = (source, name, isDeep) => {
    if (typeof source !== 'object' || source === null) return undefined;
    if (P.isArray(source)) return flat(P.map(source, (item) => member(item, name, isDeep)));
    const own = P.has(source, name) ? source[name] : undefined;
    if (!isDeep) return own;
    const found = [own];
    for (const key of P.keys(source)) {
      if (key !== name) P.push(found, member(source[key], name, true));
    }
    return flat(found);
  };
  // What a function or an object of wanted members makes of the items.
  const selected = (source, filter) => {
    const isObject = typeof filter === 'object' && filter !== null;
    if (!isObject) V.callable('res', 'filter of [?]', filter);
    const test = isObject
      ? (item) => P.every(P.keys(filter), (key) => item?.[key] === filter[key]) : filter;
    const results = [];
    for (const item of P.isArray(source) ? source : [source]) {
      if (!isThere(item)) continue;
      const value = test(item);
      if (value === true) P.push(results, item);
      else if (value !== false) P.push(results, value);
    }
    return P.isArray(source) ? flat(results) : results[0];
  };

  const query = (source, path, ...filters) => {
    if (P.test(/["']/, path)) return V.at(source, path);
    const steps = P.match(path, /\.{1,2}|\[\?\]|\[\d+\]|[^.[\]]+/g) ?? [];
    let value = source;
    let used = 0;
    let isDeep = false;
    for (const step of steps) {
      if (!isThere(value)) return undefined;
      if (step === '.' || step === '..') {
        isDeep = step === '..';
        continue;
      }
      if (step === '[?]') value = selected(value, filters[used++]);
      else if (P.starts(step, '[')) value = P.isArray(value) ? value[P.parseInt(P.sub(step, 1, -1), 10)] : undefined;
      else value = member(value, P.trim(step), isDeep);
      isDeep = false;
    }
    return value;
  };
  return P.freeze({ query });
}
