// The module `path`, for paths with slashes.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const text = (path, value) => V.text(`path.${path}`, 'path', value);
  const normalized = (parts, isAbsolute) => {
    const result = [];
    for (const part of parts) {
      if (part === '' || part === '.') continue;
      if (part === '..' && result.length > 0 && result[result.length - 1] !== '..') P.pop(result);
      else if (part !== '..' || !isAbsolute) P.push(result, part);
    }
    return P.join(result, '/');
  };
  const path = {
    sep: '/', delimiter: ':',
    normalize(value) {
      const source = text('normalize', value);
      if (source === '') return '.';
      const isAbsolute = source[0] === '/';
      const inner = normalized(P.split(source, '/'), isAbsolute);
      const end = P.ends(source, '/') && inner !== '' ? '/' : '';
      return `${isAbsolute ? '/' : ''}${inner}${end}` || '.';
    },
    join(...parts) {
      const filled = P.filter(P.map(parts, (part) => text('join', part)), (part) => part !== '');
      return filled.length === 0 ? '.' : path.normalize(P.join(filled, '/'));
    },
    resolve(...parts) {
      let result = '';
      for (let i = parts.length - 1; i >= 0 && result[0] !== '/'; i -= 1) {
        const part = text('resolve', parts[i]);
        if (part !== '') result = result === '' ? part : `${part}/${result}`;
      }
      if (result[0] !== '/') result = `${core.hello.root ?? ''}/${result}`;
      return `/${normalized(P.split(result, '/'), true)}`;
    },
    isAbsolute: (value) => text('isAbsolute', value)[0] === '/',
    dirname(value) {
      const source = P.replace(text('dirname', value), /(.)\/+$/, '$1');
      const place = P.findLast_(source, '/');
      return place < 0 ? '.' : place === 0 ? '/' : P.replace(P.sub(source, 0, place), /(.)\/+$/, '$1');
    },
    basename(value, ending) {
      const source = P.replace(text('basename', value), /\/+$/, '');
      const name = P.sub(source, P.findLast_(source, '/') + 1);
      const cut = typeof ending === 'string' && name !== ending && P.ends(name, ending);
      return cut ? P.sub(name, 0, -ending.length) : name;
    },
    extname(value) {
      const name = path.basename(text('extname', value));
      const place = P.findLast_(name, '.');
      return place <= 0 ? '' : P.sub(name, place);
    },
    relative(from, to) {
      const start = P.filter(P.split(path.resolve(from), '/'), (part) => part !== '');
      const end = P.filter(P.split(path.resolve(to), '/'), (part) => part !== '');
      let same = 0;
      while (same < start.length && same < end.length && start[same] === end[same]) same += 1;
      return P.join(P.concat(P.map(P.slice(start, same), () => '..'), P.slice(end, same)), '/');
    },
    parse(value) {
      const source = text('parse', value);
      const base = path.basename(source);
      const ext = path.extname(source);
      const folder = path.dirname(source);
      return { root: source[0] === '/' ? '/' : '', base, ext,
        dir: folder === '.' && !P.starts(source, '.') ? '' : folder,
        name: ext === '' ? base : P.sub(base, 0, -ext.length) };
    },
    format({ dir, root, base, name = '', ext = '' }) {
      const file = base ?? `${name}${ext === '' || ext[0] === '.' ? ext : `.${ext}`}`;
      const folder = dir ?? root ?? '';
      return folder === '' ? file : folder === root ? `${folder}${file}` : `${folder}/${file}`;
    },
    toNamespacedPath: (value) => value,
  };
  path.posix = path;
  return P.freeze({ path });
}
