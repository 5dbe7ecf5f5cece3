// Values as text: JSON on one line for `client.log`, Node's way for `console` and `util.inspect`.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  // JSON on one line; what can't be JSON is shown Node's way.
  const json = (value) => {
    if (typeof value === 'function') return V.isText(value) ? P.String(value) : inspect(value);
    if (value instanceof P.Error) return `${value}`;
    try {
      const plain = value instanceof P.Map || value instanceof P.Set
        ? P.fromArrayLike(value) : value;
      return P.json(plain, (_, part) => typeof part === 'bigint' ? P.String(part) : part)
        ?? P.String(value);
    } catch {
      return inspect(value);
    }
  };

  const quoted = (text) => {
    const mark = !P.holds(text, "'") ? "'" : !P.holds(text, '"') ? '"' : '`';
    const escaped = P.replace(P.json(text), /\\"/g, mark === '"' ? '\\"' : '"');
    return mark + P.sub(escaped, 1, -1) + mark;
  };
  const isPlainName = (name) => P.test(/^[A-Za-z_$][A-Za-z0-9_$]*$/, name);

  const primitive = (value) => {
    switch (typeof value) {
      case 'string': return quoted(value);
      case 'bigint': return `${value}n`;
      case 'symbol': return value.toString();
      case 'number': return P.json(value) === '0' && 1 / value < 0 ? '-0' : `${value}`;
      default: return `${value}`;
    }
  };
  const className = (value) => {
    const prototype = P.prototype(value);
    if (prototype === null) return '[Object: null prototype]';
    const name = prototype.constructor?.name;
    return typeof name === 'string' && name !== '' ? name : 'Object';
  };

  // Node's `inspect` with its depth of 2 and its limit of 72 columns.
  const inspect = (value, options = {}) => {
    const depth = options.depth === null ? P.Number.POSITIVE_INFINITY ?? 1e9 : options.depth ?? 2;
    return written(value, depth, [], '');
  };
  const written = (value, depth, above, indent) => {
    if (value === null || typeof value !== 'object' && typeof value !== 'function') {
      return primitive(value);
    }
    if (V.isText(value)) return quoted(P.String(value));
    if (P.includes(above, value)) return '[Circular *1]';
    if (value instanceof P.Error) return errorText(value);
    if (value instanceof P.Date) return P.isNaN(+value) ? 'Invalid Date' : value.toISOString();
    if (value instanceof P.RegExp) return `${value}`;
    if (value instanceof P.Promise) return 'Promise { <pending> }';
    const name = className(value);
    const isList = P.isArray(value) || P.isView(value) && !(value instanceof P.DataView);
    const prefix = prefixes(value, name, isList);
    if (typeof value === 'function' && P.keys(value).length === 0) return prefix;
    if (depth < 0) return isList ? '[Array]' : `[${name}]`;
    const inner = [...above, value];
    const show = (part) => written(part, depth - 1, inner, `${indent}  `);
    const items = parts(value, isList, show);
    const [open, close] = isList ? ['[', ']'] : ['{', '}'];
    const lead = prefix === '' ? '' : `${prefix} `;
    if (items.length === 0) return `${lead}${open}${close}`;
    const line = `${lead}${open} ${P.join(items, ', ')} ${close}`;
    if (line.length + indent.length <= 76 && !P.holds(line, '\n')) return line;
    return `${lead}${open}\n${indent}  ${P.join(items, `,\n${indent}  `)}\n${indent}${close}`;
  };
  const prefixes = (value, name, isList) => {
    if (typeof value === 'function') {
      const isClass = P.starts(Function.prototype.toString.call(value), 'class');
      const what = isClass ? 'class' : 'Function';
      return value.name ? `[${what}${isClass ? ' ' : ': '}${value.name}]` : `[${what} (anonymous)]`;
    }
    if (value instanceof P.Map || value instanceof P.Set) return `${name}(${value.size})`;
    if (isList) return P.isArray(value) ? '' : `${name}(${value.length})`;
    return name === 'Object' ? '' : name;
  };
  const parts = (value, isList, show) => {
    if (isList) {
      const limit = 100;
      const shownItems = P.map(P.fromArrayLike({ length: P.Math.min(value.length, limit) }),
        (_, index) => show(value[index]));
      if (value.length > limit) P.push(shownItems, `... ${value.length - limit} more items`);
      return shownItems;
    }
    const items = [];
    if (value instanceof P.Map) {
      for (const [key, part] of value) P.push(items, `${show(key)} => ${show(part)}`);
    } else if (value instanceof P.Set) {
      for (const part of value) P.push(items, show(part));
    }
    for (const key of P.keys(value)) {
      const descriptor = P.descriptor(value, key);
      const text = descriptor?.get
        ? descriptor.set ? '[Getter/Setter]' : '[Getter]' : show(value[key]);
      P.push(items, `${isPlainName(key) ? key : quoted(key)}: ${text}`);
    }
    return items;
  };
  const errorText = (error) => {
    const stack = core.place && typeof error.stack === 'string' ? '' : '';
    return `${error.name}: ${error.message}${stack}`;
  };

  // Node's `format`: `%s %d %i %f %j %o %O %c %%`, the rest behind it.
  const format = (...values) => {
    let used = 0;
    let result = '';
    if (typeof values[0] === 'string') {
      used = 1;
      result = P.replace(values[0], /%[sdifjoOc%]/g, (mark) => {
        if (mark === '%%') return '%';
        if (used >= values.length) return mark;
        const value = values[used];
        used += 1;
        switch (mark) {
          case '%s': return typeof value === 'string' ? value
            : typeof value === 'object' && value !== null ? inspect(value, { depth: 0 })
              : typeof value === 'string' ? value : plain(value);
          case '%d': return typeof value === 'bigint' ? `${value}n`
            : typeof value === 'object' ? 'NaN' : `${P.Number(value)}`;
          case '%i': return typeof value === 'object' ? 'NaN' : `${P.parseInt(value, 10)}`;
          case '%f': return typeof value === 'symbol' ? 'NaN' : `${P.parseFloat(value)}`;
          case '%j': return json(value);
          case '%c': return '';
          default: return inspect(value, { depth: 4 });
        }
      });
    }
    const rest = P.map(P.slice(values, used), (value) =>
      typeof value === 'string' ? value : V.isText(value) ? P.String(value) : inspect(value));
    return P.join(used > 0 ? P.concat([result], rest) : rest, ' ');
  };
  const plain = (value) => typeof value === 'bigint' ? `${value}n`
    : typeof value === 'symbol' ? value.toString() : P.String(value);

  return P.freeze({ json, inspect, format });
}
