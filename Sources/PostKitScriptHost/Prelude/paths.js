// `jsonPath` and `xpath`; the program evaluates what is more than a plain path.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  // A path that names at most one value: members and indices only.
  const isDefinite = (path) =>
    P.test(/^\s*\$?(?:\s*(?:\.[^.[\]*\s]+|\[\s*(?:-?\d+|'[^']*'|"[^"]*")\s*\]))*\s*$/, path);

  const jsonPath = (value, path) => {
    const checked = V.named('jsonPath', path, 'path');
    if (value === undefined) return undefined;
    let source = value;
    if (typeof value === 'string') {
      try {
        source = P.parse(value);
      } catch {
        source = value;
      }
    }
    // The program answers with all matches.
    const found = core.call('jsonPath', source, checked);
    if (!P.isArray(found) || found.length === 0) return undefined;
    return isDefinite(checked) || found.length === 1 ? found[0] : found;
  };

  // Plain location paths: names, `*`, `.`, `..`, `//`, `[2]`, `[@a='v']`, `@a` and `text()`.
  const step = /^(?:\.\.?|(?:@?[A-Za-z_][\w.:-]*|@?\*|text\(\)|node\(\))(?:\[(?:\d+|@[\w:.-]+(?:=(?:'[^']*'|"[^"]*"))?)\])*)$/;
  const plainSteps = (expression) => {
    const isAbsolute = expression[0] === '/';
    const result = [];
    const parts = P.split(P.replace(expression, /^\//, ''), '/');
    let isDeep = false;
    for (const part of parts) {
      if (part === '') {
        if (isDeep) return undefined;
        isDeep = true;
        continue;
      }
      if (!P.test(step, part)) return undefined;
      const name = P.exec(/^[^[]+/, part)[0];
      const filters = P.match(P.sub(part, name.length), /\[[^\]]*\]/g) ?? [];
      P.push(result, { name, isDeep, filters: P.map(filters, (item) => P.sub(item, 1, -1)) });
      isDeep = false;
    }
    return isDeep || result.length === 0 ? undefined : { isAbsolute, steps: result };
  };
  const deeper = (node, found = []) => {
    P.push(found, node);
    for (const child of node.childNodes ?? []) deeper(child, found);
    return found;
  };
  const children = (node, name) => {
    if (name === '.') return [node];
    if (name === '..') return node.parentNode ? [node.parentNode] : [];
    if (name[0] === '@') {
      const wanted = P.sub(name, 1);
      return P.filter(P.slice(node.attributes ?? []), (item) =>
        wanted === '*' || item.name === wanted);
    }
    return P.filter(P.slice(node.childNodes ?? []), (child) => {
      if (name === 'text()') return child.nodeType === 3;
      if (name === 'node()') return true;
      return child.nodeType === 1 && (name === '*' || child.nodeName === name);
    });
  };
  const kept = (nodes, filter) => {
    if (P.test(/^\d+$/, filter)) return P.slice(nodes, P.Number(filter) - 1, P.Number(filter));
    const [, name, , value] = P.exec(/^@([^=]+)(=(?:'(.*)'|"(.*)"))?$/, filter);
    return P.filter(nodes, (node) => {
      const own = node.getAttribute?.(name) ?? null;
      return own !== null && (!P.holds(filter, '=') || own === (value ?? P.sub(filter,
        P.find_(filter, '=') + 2, -1)));
    });
  };
  const follow = (node, { isAbsolute, steps }) => {
    let nodes = [node];
    if (isAbsolute) while (nodes[0].parentNode) nodes = [nodes[0].parentNode];
    for (const { name, isDeep, filters } of steps) {
      const starts = isDeep ? P.flat(P.map(nodes, (item) => deeper(item))) : nodes;
      const next = P.flat(P.map(starts, (item) => {
        let found = children(item, name);
        for (const filter of filters) found = kept(found, filter);
        return found;
      }));
      nodes = P.filter(next, (item, place) => P.indexOf(next, item) === place);
    }
    return nodes;
  };
  const shown = (node) => node.nodeType === 1 || node.nodeType === 9 ? node : node.nodeValue;

  const xpath = (node, expression) => {
    const checked = P.trim(V.named('xpath', expression, 'expression'));
    const { isNode, isHTML, document } = core.part('dom');
    let start = node;
    if (typeof node === 'string' && P.test(/^\s*</, node)) start = document(node, false);
    if (!isNode(start)) return null;
    const plain = plainSteps(checked);
    if (plain) {
      const nodes = P.map(follow(start, plain), shown);
      return nodes.length === 0 ? null : nodes.length === 1 ? nodes[0] : nodes;
    }
    return core.call('xpath', core.part('dom').source(start), checked, null, isHTML(start));
  };
  return P.freeze({ jsonPath, xpath });
}
