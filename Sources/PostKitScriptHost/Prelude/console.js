// `console`, which prints to the output of the request.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const shown = () => core.part('shown');

  let indent = '';
  const clocks = new P.Map();
  const counts = new P.Map();
  const print = (level, values) => {
    if (core.isFull) return;
    const text = shown().format(...values);
    const isPlain = indent === '';
    core.log(level, [isPlain ? text : indent + P.replace(text, /\n/g, `\n${indent}`)]);
  };
  const label = (value) => value === undefined ? 'default' : P.String(value);
  const elapsed = (name) => {
    const start = P.mapGet(clocks, name);
    if (start === undefined) {
      print('warn', [`No such label '${name}' for console.time()`]);
      return undefined;
    }
    return `${name}: ${(core.native.now() - start).toFixed(3)}ms`;
  };

  // Rows and columns as lines of a table.
  const table = (rows) => {
    if (typeof rows !== 'object' || rows === null) return print('log', [rows]);
    const keys = P.keys(rows);
    const columns = [];
    let hasValues = false;
    for (const key of keys) {
      const row = rows[key];
      if (typeof row === 'object' && row !== null) {
        for (const name of P.keys(row)) if (!P.includes(columns, name)) P.push(columns, name);
      } else {
        hasValues = true;
      }
    }
    const cells = P.map(keys, (key) => {
      const row = rows[key];
      const isObject = typeof row === 'object' && row !== null;
      const values = P.map(columns, (name) =>
        isObject && P.has(row, name) ? shown().inspect(row[name], { depth: 0 }) : '');
      if (hasValues) P.push(values, isObject ? '' : shown().inspect(row));
      return [key, ...values];
    });
    const head = ['(index)', ...columns, ...(hasValues ? ['Values'] : [])];
    const widths = P.map(head, (name, column) =>
      P.Math.max(name.length, ...P.map(cells, (row) => row[column].length)) + 2);
    const line = (row) => `│${P.join(P.map(row, (cell, column) =>
      ` ${cell}${P.repeat(' ', widths[column] - cell.length - 1)}`), '│')}│`;
    const rule = (left, cross, right) =>
      left + P.join(P.map(widths, (width) => P.repeat('─', width)), cross) + right;
    print('log', [P.join([rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'),
      ...P.map(cells, line), rule('└', '┴', '┘')], '\n')]);
  };

  const console = {
    log: (...values) => print('log', values),
    info: (...values) => print('info', values),
    warn: (...values) => print('warn', values),
    error: (...values) => print('error', values),
    debug: (...values) => print('debug', values),
    trace(...values) {
      const place = core.place();
      const at = place ? `\n    at ${place.file}:${place.line}:${place.column}` : '';
      print('log', [`Trace: ${shown().format(...values)}${at}`]);
    },
    dir: (value, options) => print('log', [shown().inspect(value, options ?? {})]),
    table,
    time(name) { P.mapSet(clocks, label(name), core.native.now()); },
    timeLog(name, ...values) {
      const text = elapsed(label(name));
      if (text !== undefined) print('log', [text, ...values]);
    },
    timeEnd(name) {
      const text = elapsed(label(name));
      if (text === undefined) return;
      print('log', [text]);
      clocks.delete(label(name));
    },
    group(...values) {
      if (values.length > 0) print('log', values);
      indent += '  ';
    },
    groupEnd() { indent = P.sub(indent, 2); },
    count(name) {
      const count = (P.mapGet(counts, label(name)) ?? 0) + 1;
      P.mapSet(counts, label(name), count);
      print('log', [`${label(name)}: ${count}`]);
    },
    countReset(name) { P.mapSet(counts, label(name), 0); },
    assert(condition, ...values) {
      if (condition) return;
      const isText = typeof values[0] === 'string';
      const lead = isText ? `Assertion failed: ${values[0]}` : 'Assertion failed';
      print('error', [lead, ...P.slice(values, isText ? 1 : 0)]);
    },
  };
  return P.freeze({ console });
}
