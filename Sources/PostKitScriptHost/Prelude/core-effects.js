// What a job has changed, as it is told; and whether its script has spoilt its context.
(function (internals) {
  'use strict';
  const {
    core, NativeMap, NativeSet, NativePromise, stringify, join,
  } = internals;

  // Built-in functions that this code needs, and that a script may replace or delete. A context
  // where one of them is gone is made anew, so that the next script runs.
  const watched = [];
  const watch = (owner, names) => {
    for (const name of names) watched.push({ owner, name, value: owner[name] });
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
  const spoil = {
    // Whether anything of that is gone. Nothing is called here that a script can have replaced.
    isDone() {
      for (let i = 0; i < watched.length; i++) {
        const one = watched[i];
        if (one.owner[one.name] !== one.value) return true;
      }
      return false;
    },
  };

  const changes = () => ({ set: new NativeMap(), unset: new NativeSet(), clear: false });
  const newEffects = () => ({
    exports: changes(), request: changes(), globals: changes(), headers: changes(),
    environment: changes(), collection: changes(), functions: new NativeSet(),
    mutate: undefined, display: undefined, next: undefined, stopsRun: false,
  });

  function storeText({ set, unset, clear, functions }) {
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
    effects.exports.functions = effects.functions;
    for (const name of ['exports', 'request', 'globals', 'headers', 'environment', 'collection']) {
      const text = storeText(effects[name]);
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

  return { newEffects, effectsText, spoil };
})
