// What a job has changed, as it is told; and whether its script has spoilt its context.
(function (internals) {
  'use strict';
  const {
    native, core, NativeMap, NativeSet, NativePromise, stringify, join, map,
  } = internals;

  // Built-in functions that this code needs, and that a script may replace or delete. A context
  // where one of them is gone is made anew, so that the next script runs.
  // One expression with a comparison for each, as it is asked after each job.
  const owners = [], values = [];
  let comparisons = '';
  const watch = (owner, names) => {
    owners.push(owner);
    for (const name of names) {
      const key = typeof name === 'string' ? `.${name}` : '[iterator]';
      comparisons += `||o${owners.length - 1}${key}!==v${values.length}`;
      values.push(owner[name]);
    }
  };
  watch(Array.prototype, [
    'concat', 'filter', 'find', 'forEach', 'includes', 'indexOf', 'join', 'map', 'pop', 'push',
    'shift', 'slice', 'some', 'sort', 'splice', Symbol.iterator,
  ]);
  watch(String.prototype, [
    'charCodeAt', 'endsWith', 'includes', 'indexOf', 'lastIndexOf', 'match', 'replace', 'slice',
    'split', 'startsWith', 'toLowerCase', 'trim',
  ]);
  watch(NativeMap.prototype, ['get', 'set', 'has', 'delete', 'keys', 'values', Symbol.iterator]);
  watch(NativeSet.prototype, ['add', 'has', 'delete', Symbol.iterator]);
  watch(Function.prototype, ['apply', 'bind', 'call']);
  watch(NativePromise.prototype, ['then']);
  watch(RegExp.prototype, ['exec', 'test']);
  watch(globalThis, [
    'Array', 'ArrayBuffer', 'Boolean', 'Date', 'Error', 'Function', 'JSON', 'Map', 'Math', 'Number',
    'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set',
    'String', 'Symbol', 'TypeError', 'Uint8Array', 'decodeURIComponent', 'encodeURIComponent',
    'isNaN', 'parseFloat', 'parseInt',
  ]);
  watch(Object, ['assign', 'keys', 'entries', 'defineProperty', 'freeze']);
  // Whether anything of that is gone. Nothing is called here that a script can have replaced.
  const isSpoilt = native.evaluate(
    `((${map(owners, (_, i) => `o${i}`)},iterator,values)=>{`
      + `const [${map(values, (_, i) => `v${i}`)}]=values;return()=>false${comparisons}})`,
    'postkit:spoilt.js', 1)(...owners, Symbol.iterator, values);

  const stores = ['exports', 'request', 'globals', 'headers', 'environment', 'collection'];
  const changes = () => ({ set: new NativeMap(), unset: new NativeSet(), clear: false });
  // Most jobs change one store or none.
  const newEffects = () => ({
    exports: undefined, request: undefined, globals: undefined, headers: undefined,
    environment: undefined, collection: undefined, functions: undefined,
    mutate: undefined, display: undefined, next: undefined, stopsRun: false,
  });
  // What a job changes of a store; `undefined` for stores that no script changes.
  core.changes = (job, store) => {
    const { effects } = job;
    return effects[store] ??= store in effects ? changes() : undefined;
  };
  core.noteFunction = (job, name) => { (job.effects.functions ??= new NativeSet()).add(name); };

  function storeText({ set, unset, clear }, functions) {
    if (set.size === 0 && unset.size === 0 && !clear && (!functions || functions.size === 0)) {
      return '';
    }
    let text = '';
    for (const [name, json] of set) text += (text ? ',' : '') + stringify(name) + ':' + json;
    const parts = [];
    if (text) parts.push(`"set":{${text}}`);
    if (functions && functions.size) parts.push(`"functions":${stringify([...functions])}`);
    if (unset.size) parts.push(`"unset":${stringify([...unset])}`);
    if (clear) parts.push('"clear":true');
    return parts.length ? `{${join(parts, ',')}}` : '';
  }

  function effectsText(effects, blobs) {
    const parts = [];
    if (effects.functions) effects.exports ??= changes();
    for (let i = 0; i < stores.length; i++) {
      const name = stores[i];
      if (effects[name] === undefined) continue;
      const text = storeText(effects[name], name === 'exports' ? effects.functions : undefined);
      if (text) parts.push(`"${name}":${text}`);
    }
    if (effects.mutate) {
      const mutate = { ...effects.mutate };
      if (mutate.body !== undefined && typeof mutate.body !== 'string') {
        blobs.push(core.buffer(mutate.body));
        mutate.body = { $blob: blobs.length - 1 };
      }
      parts.push(`"mutate":${stringify(mutate)}`);
    }
    if (effects.display !== undefined) parts.push(`"display":${stringify(effects.display)}`);
    if (effects.next !== undefined) parts.push(`"next":${stringify(effects.next)}`);
    if (effects.stopsRun) parts.push('"stopsRun":true');
    return `{${join(parts, ',')}}`;
  }

  return { newEffects, effectsText, isSpoilt, stores };
})
