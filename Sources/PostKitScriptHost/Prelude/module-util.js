// The module `util`, as far as scripts use it.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const shown = core.part('shown');
  const { equals } = core.part('equality');

  const is = (tag) => (value) => P.shown(value) === `[object ${tag}]`;
  const types = P.freeze({
    isPromise: (value) => value instanceof P.Promise, isDate: is('Date'), isRegExp: is('RegExp'),
    isMap: is('Map'), isSet: is('Set'), isWeakMap: is('WeakMap'), isWeakSet: is('WeakSet'),
    isNativeError: (value) => value instanceof P.Error, isArrayBuffer: is('ArrayBuffer'),
    isAnyArrayBuffer: is('ArrayBuffer'), isUint8Array: is('Uint8Array'),
    isTypedArray: (value) => P.isView(value) && !(value instanceof P.DataView),
    isArrayBufferView: P.isView, isAsyncFunction: is('AsyncFunction'),
    isGeneratorFunction: is('GeneratorFunction'),
    isBoxedPrimitive: (value) => typeof value === 'object' && value !== null
      && P.includes(['Number', 'String', 'Boolean', 'Symbol', 'BigInt'],
        P.sub(P.shown(value), 8, -1)),
  });
  const custom = P.Symbol.for('nodejs.util.promisify.custom');
  const promisify = (original) => {
    V.callable('util.promisify', 'function', original);
    if (typeof original[custom] === 'function') return original[custom];
    return function (...values) {
      return new P.Promise((resolve, reject) => {
        P.apply(original, this, [...values, (error, value) =>
          error ? reject(error) : resolve(value)]);
      });
    };
  };
  promisify.custom = custom;
  const util = {
    format: shown.format, inspect: shown.inspect, promisify, types,
    callbackify: (original) => function (...values) {
      const callback = P.pop(values);
      P.then(P.resolved(P.apply(original, this, values)),
        (value) => callback(null, value), (error) => callback(error));
    },
    isDeepStrictEqual: (left, right) => equals(left, right),
    inherits(child, parent) {
      child.super_ = parent;
      P.setPrototype(child.prototype, parent.prototype);
    },
    deprecate: (original) => original,
    isArray: P.isArray, stripVTControlCharacters: (text) =>
      P.replace(V.text('util.stripVTControlCharacters', 'text', text),
        // eslint-disable-next-line no-control-regex
        /\u001B\[[0-9;]*[A-Za-z]/g, ''),
    get TextEncoder() { return core.part('web').TextEncoder; },
    get TextDecoder() { return core.part('web').TextDecoder; },
  };
  return P.freeze({ util, types });
}
