// `jsonPath` and `xpath`, which the program evaluates.
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
    const found = core.call('jsonPath', source, checked);
    // The program answers with all matches.
    if (!P.isArray(found) || found.length === 0) return undefined;
    return isDefinite(checked) || found.length === 1 ? found[0] : found;
  };

  const xpath = (node, expression) => {
    const checked = V.named('xpath', expression, 'expression');
    const { isNode, place } = core.part('dom');
    if (!isNode(node)) return null;
    const { source, path, isHTML } = place(node);
    const found = core.call('xpath', source, checked, path, isHTML);
    if (found === null || found === undefined) return null;
    return P.isArray(found) ? listed(P.map(found, element)) : element(found);
  };
  const listed = (items) => items.length === 0 ? null : items.length === 1 ? items[0] : items;
  // An element comes as its markup, all else as its value.
  const element = (item) => typeof item === 'object' && item !== null && 'markup' in item
    ? core.part('dom').document(item.markup, item.isHTML === true)?.documentElement ?? null : item;

  return P.freeze({ jsonPath, xpath });
}
