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

  // Node's `inspect` with its depth of 2, its lines of 80 columns and its columns of numbers.
  const inspect = (value, options = {}) => {
    const depth = options?.depth === null ? 1e9 : options?.depth ?? 2;
    return written(value, { limit: depth, level: 0, deepest: 0, above: [], circles: new P.Map() },
      '');
  };
  const numberOf = (circles, value) => {
    if (!P.mapHas(circles, value)) P.mapSet(circles, value, circles.size + 1);
    return P.mapGet(circles, value);
  };
  const written = (value, state, indent) => {
    if (value === null || typeof value !== 'object' && typeof value !== 'function') {
      return primitive(value);
    }
    if (V.isText(value)) return quoted(P.String(value));
    if (P.includes(state.above, value)) return `[Circular *${numberOf(state.circles, value)}]`;
    if (value instanceof P.Error) {
      return state.level === 0 ? errorText(value) : `[${errorText(value)}]`;
    }
    if (value instanceof P.Date) return P.isNaN(+value) ? 'Invalid Date' : value.toISOString();
    if (value instanceof P.RegExp) return `${value}`;
    if (value instanceof P.Promise) return 'Promise { <pending> }';
    const name = className(value);
    if (name === 'Buffer' && P.isView(value)) return bufferText(value);
    const isList = P.isArray(value) || P.isView(value) && !(value instanceof P.DataView);
    const prefix = prefixes(value, name, isList);
    if (typeof value === 'function' && P.keys(value).length === 0) return prefix;
    if (state.level > state.limit) return isList ? '[Array]' : `[${name}]`;
    state.deepest = state.level;
    const { level } = state;
    const inner = { ...state, level: level + 1, above: [...state.above, value] };
    const show = (part) => {
      const text = written(part, inner, `${indent}  `);
      state.deepest = inner.deepest;
      return text;
    };
    const items = parts(value, isList, show);
    const circle = P.mapHas(state.circles, value)
      ? `<ref *${P.mapGet(state.circles, value)}> ` : '';
    const lead = circle + (prefix === '' ? '' : `${prefix} `);
    return joined(items, lead, isList ? value : undefined, indent, state.deepest - level);
  };
  const joined = (items, lead, list, indent, nesting) => {
    const [open, close] = list ? ['[', ']'] : ['{', '}'];
    if (items.length === 0) return `${lead}${open}${close}`;
    const lines = list && items.length > 6 ? inColumns(items, list, indent.length) : items;
    // Three levels and more are written on lines of their own.
    if (nesting < 3 && lines === items) {
      const start = items.length + indent.length + open.length + lead.length + 10;
      let total = items.length + start;
      for (const item of items) total += item.length;
      const line = P.join(items, ', ');
      if (total <= 80 && !P.holds(line, '\n')) return `${lead}${open} ${line} ${close}`;
    }
    return `${lead}${open}\n${indent}  ${P.join(lines, `,\n${indent}  `)}\n${indent}${close}`;
  };
  // Many short elements stand in columns, numbers to the right.
  const inColumns = (items, list, indent) => {
    const count = items.length - (list.length > 100 ? 1 : 0);
    const lengths = P.map(P.slice(items, 0, count), (item) => item.length + 2);
    const widest = P.Math.max(...lengths);
    let total = 0;
    for (const length of lengths) total += length;
    if (widest * 3 + indent >= 80 || total / widest <= 5 && widest > 8) return items;
    const bias = P.Math.max(widest - 3 - P.Math.sqrt(widest - total / items.length), 1);
    const columns = P.Math.min(P.Math.round(P.Math.sqrt(2.5 * bias * count) / bias),
      P.Math.floor((80 - indent) / widest), 12, 15);
    if (columns <= 1) return items;
    const widths = [];
    for (let column = 0; column < columns; column += 1) {
      let width = 0;
      for (let i = column; i < count; i += columns) width = P.Math.max(width, lengths[i]);
      P.push(widths, width);
    }
    const isNumeric = P.every(P.fromArrayLike({ length: items.length }), (_, place) =>
      typeof list[place] === 'number' || typeof list[place] === 'bigint');
    const rows = [];
    for (let start = 0; start < count; start += columns) {
      const end = P.Math.min(start + columns, count);
      let row = '';
      for (let i = start; i < end; i += 1) {
        const isLast = i === end - 1;
        const text = isLast ? items[i] : `${items[i]}, `;
        const width = widths[i - start] - (isLast ? 2 : 0);
        if (isNumeric) row += P.pad(text, width, ' ');
        else row += isLast ? text : text + P.repeat(' ', width - text.length);
      }
      P.push(rows, row);
    }
    if (count < items.length) P.push(rows, items[count]);
    return rows;
  };
  const bufferText = (value) => {
    const bytes = P.slice(P.fromArrayLike({ length: P.Math.min(value.length, 50) }));
    const text = P.join(P.map(bytes, (_, place) => ` ${V.toHex([value[place]])}`), '');
    const more = value.length - 50;
    return `<Buffer${text}${more > 0 ? ` ... ${more} more byte${more > 1 ? 's' : ''}` : ''}>`;
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
  const listed = (list, show) => {
    const items = [];
    let place = 0;
    while (place < list.length && items.length < 100) {
      const start = place;
      while (place < list.length && !P.has(list, P.String(place))) place += 1;
      if (place > start) {
        P.push(items, `<${place - start} empty item${place - start > 1 ? 's' : ''}>`);
      } else {
        P.push(items, show(list[place]));
        place += 1;
      }
    }
    const rest = list.length - place;
    if (rest > 0) P.push(items, `... ${rest} more item${rest > 1 ? 's' : ''}`);
    return items;
  };
  const parts = (value, isList, show) => {
    if (isList) return listed(value, show);
    const items = [];
    if (value instanceof P.Map) {
      for (const [key, part] of value) P.push(items, `${show(key)} => ${show(part)}`);
    } else if (value instanceof P.Set) {
      for (const part of value) P.push(items, show(part));
    } else if (value instanceof P.WeakMap || value instanceof P.WeakSet) {
      P.push(items, '<items unknown>');
    }
    for (const key of P.ownKeys(value)) {
      const descriptor = P.descriptor(value, key);
      if (!descriptor?.enumerable) continue;
      const name = typeof key === 'symbol' ? `[${key.toString()}]`
        : isPlainName(key) ? key : quoted(key);
      P.push(items, `${name}: ${memberText(value, key, descriptor, show)}`);
    }
    return items;
  };
  // The members of our own objects, which are frozen, are shown by what they are.
  const memberText = (value, key, descriptor, show) => {
    if (!descriptor.get && !descriptor.set) return show(value[key]);
    if (descriptor.get && P.Object.isFrozen(value)) {
      try {
        return show(value[key]);
      } catch {
        return '[Getter]';
      }
    }
    return !descriptor.get ? '[Setter]' : descriptor.set ? '[Getter/Setter]' : '[Getter]';
  };
  const errorText = (error) => `${error.name}: ${error.message}`;

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
          case '%s': return typeof value === 'object' && value !== null
            ? inspect(value, { depth: 0 }) : plain(value);
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
