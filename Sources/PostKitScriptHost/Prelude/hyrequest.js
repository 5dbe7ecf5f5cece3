// httpYac's `request`: plain members that scripts of `{{ }}` write where the request still changes.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  // What scripts write becomes a part of `effects.mutate`.
  const mutate = (name, value) => {
    core.effects.mutate ??= {};
    core.effects.mutate[name] = value;
  };

  // The headers as one object: several values of a name are joined, any case reads and writes.
  const headers = (job, isWritable) => {
    const list = P.map(job.request.headers ?? [], ([name, value]) => [name, value]);
    const keyOf = (name) => {
      if (typeof name !== 'string') return undefined;
      const wanted = P.lower(name);
      return P.find(list, ([known]) => P.lower(known) === wanted)?.[0];
    };
    const valueOf = (key) => P.join(P.map(
      P.filter(list, ([known]) => P.lower(known) === P.lower(key)), ([, value]) => value), ', ');
    const changed = () => mutate('headers', P.map(list, ([name, value]) => [name, value]));
    const remove = (name) => {
      const wanted = P.lower(name);
      for (let i = list.length - 1; i >= 0; i -= 1) {
        if (P.lower(list[i][0]) === wanted) P.splice(list, i, 1);
      }
    };
    const refuse = () => {
      throw new P.TypeError("request.headers can't be set here (use a {{@request block)");
    };
    const text = (name, value) => {
      const isPlain = typeof value === 'number' || typeof value === 'boolean';
      return isPlain ? P.String(value) : V.text(`request.headers.${name}`, 'value', value);
    };
    const set = (name, value) => {
      if (!isWritable) refuse();
      if (value === undefined || value === null) {
        remove(name);
        return changed();
      }
      const values = P.map(P.isArray(value) ? value : [value], (item) => text(name, item));
      const place = P.findIndex(list, ([known]) => P.lower(known) === P.lower(name));
      const key = keyOf(name) ?? name;
      remove(name);
      P.splice(list, place < 0 ? list.length : place, 0, ...P.map(values, (item) => [key, item]));
      changed();
    };
    const members = {
      all: () => P.map(list, ([name, value]) => P.freeze({
        name: V.textFunction(name), value: () => value, getRawValue: () => value,
        tryGetSubstituted: () => V.substituted(value),
        tryGetSubstitutedValue: () => V.substituted(value),
      })),
      findByName(name) {
        const wanted = P.lower(V.text('request.headers.findByName', 'name', name));
        return P.find(members.all(), (item) => P.lower(P.String(item.name)) === wanted) ?? null;
      },
    };
    const names = () => {
      const result = [];
      for (const [name] of list) {
        if (!P.some(result, (known) => P.lower(known) === P.lower(name))) P.push(result, name);
      }
      return result;
    };
    return new P.Proxy({}, {
      get(target, name) {
        const key = keyOf(name);
        if (key !== undefined) return valueOf(key);
        return typeof name === 'string' && P.has(members, name) ? members[name] : target[name];
      },
      has: (target, name) => keyOf(name) !== undefined || name in target,
      set(_, name, value) {
        set(P.String(name), value);
        return true;
      },
      deleteProperty(_, name) {
        if (!isWritable) refuse();
        remove(P.String(name));
        changed();
        return true;
      },
      defineProperty(_, name, { value }) {
        set(P.String(name), value);
        return true;
      },
      ownKeys: () => names(),
      getOwnPropertyDescriptor(_, name) {
        const key = keyOf(name);
        if (key === undefined) return undefined;
        return { value: valueOf(key), enumerable: true, configurable: true, writable: isWritable };
      },
    });
  };

  const request = (job, facts) => {
    const source = job.request;
    const isWritable = source.isWritable === true;
    const result = {};
    const member = (name, initial, check) => {
      let value = initial;
      V.getter(result, name, () => value, (next) => {
        if (!isWritable) {
          throw new P.TypeError(`request.${name} can't be set here (use a {{@request block)`);
        }
        value = check(next);
      });
    };
    member('method', source.method, (value) => {
      const method = V.named('request.method', value, 'method');
      mutate('method', method);
      return method;
    });
    member('url', source.url, (value) => {
      const url = value instanceof Object && typeof value.href === 'string' ? value.href : value;
      mutate('url', V.named('request.url', url, 'URL'));
      return P.String(url);
    });
    let known = headers(job, isWritable);
    V.getter(result, 'headers', () => known, (next) => {
      if (typeof next !== 'object' || next === null) {
        throw V.wrong('request.headers', 'the headers must be an object', next);
      }
      const entries = P.map(P.keys(next), (name) => [name, next[name]]);
      for (const name of P.keys(known)) delete known[name];
      for (const [name, value] of entries) known[name] = value;
    });
    member('body', core.part('request').bodyText(source.body), (value) => {
      if (value === undefined || value === null) {
        mutate('body', null);
        return undefined;
      }
      const isBytes = P.isView(value) || value instanceof P.ArrayBuffer;
      const isPlain = isBytes || typeof value === 'string' || V.isText(value);
      const body = isBytes ? value : isPlain ? P.String(value)
        : typeof value === 'object' ? P.json(value) : P.String(value);
      mutate('body', body);
      return value;
    });
    for (const name of P.keys(facts)) V.hidden(result, name, facts[name]);
    V.hidden(result, 'replayCount', source.replayCount);
    P.assign(result, { name: source.name ?? undefined, tags: source.tags ?? {} });
    return result;
  };
  return P.freeze({ request });
}
