// The language's own functions as they are before any script runs, as scripts may change them.
(core) => {
  'use strict';
  // `call.bind(f)` calls `f` with its first argument as `this`, whatever becomes of prototypes.
  const call = Function.prototype.call;
  const bind = call.bind(Function.prototype.bind);
  const free = (method) => bind(call, method);
  const array = Array.prototype;
  const string = String.prototype;
  const object = Object;
  const regex = RegExp.prototype;
  const sliceBuffer = free(ArrayBuffer.prototype.slice);
  return object.freeze({
    assign: object.assign, create: object.create, define: object.defineProperty,
    descriptor: object.getOwnPropertyDescriptor, entries: object.entries, freeze: object.freeze,
    keys: object.keys, names: object.getOwnPropertyNames, prototype: object.getPrototypeOf,
    setPrototype: object.setPrototypeOf, ownKeys: Reflect.ownKeys, apply: Reflect.apply,
    isArray: Array.isArray, fromArrayLike: bind(Array.from, Array),
    has: free(object.prototype.hasOwnProperty), shown: free(object.prototype.toString),
    concat: free(array.concat), every: free(array.every), filter: free(array.filter),
    find: free(array.find), findIndex: free(array.findIndex), flat: free(array.flat),
    forEach: free(array.forEach), includes: free(array.includes), indexOf: free(array.indexOf),
    join: free(array.join), map: free(array.map), pop: free(array.pop), push: free(array.push),
    reverse: free(array.reverse), shift: free(array.shift), slice: free(array.slice),
    some: free(array.some), sort: free(array.sort), splice: free(array.splice),
    charCode: free(string.charCodeAt), codePoint: free(string.codePointAt),
    ends: free(string.endsWith), find_: free(string.indexOf), findLast_: free(string.lastIndexOf),
    holds: free(string.includes), lower: free(string.toLowerCase), match: free(string.match),
    pad: free(string.padStart), repeat: free(string.repeat), replace: free(string.replace),
    split: free(string.split), starts: free(string.startsWith), sub: free(string.slice),
    trim: free(string.trim), upper: free(string.toUpperCase), test: free(regex.test),
    exec: free(regex.exec), fromCharCode: String.fromCharCode, fromCodePoint: String.fromCodePoint,
    String, Number, Boolean, Object: object, Array, Error, TypeError, RangeError, SyntaxError,
    ReferenceError, Symbol, Promise, Proxy, Map, Set, WeakMap, WeakSet, Date, Math: object.freeze(
      object.defineProperties({}, object.getOwnPropertyDescriptors(Math))),
    Uint8Array, ArrayBuffer, DataView, RegExp, BigInt, Function,
    parse: JSON.parse, json: JSON.stringify, isView: ArrayBuffer.isView,
    isInteger: Number.isInteger, isFinite: Number.isFinite, isNaN: Number.isNaN,
    parseInt, parseFloat, encodeURIComponent, decodeURIComponent, encodeURI,
    then: free(Promise.prototype.then), resolved: bind(Promise.resolve, Promise),
    rejected: bind(Promise.reject, Promise), all: bind(Promise.all, Promise),
    mapGet: free(Map.prototype.get), mapSet: free(Map.prototype.set), mapHas: free(Map.prototype.has),
    weakGet: free(WeakMap.prototype.get), weakSet: free(WeakMap.prototype.set),
    weakHas: free(WeakMap.prototype.has),
    // The part of a buffer that a view shows, as a buffer of its own.
    copied: (view) => sliceBuffer(view.buffer, view.byteOffset, view.byteOffset + view.byteLength),
    // Copies of the methods of a prototype, for objects that must act as its instances do.
    methods: (prototype) => object.getOwnPropertyDescriptors(prototype),
  });
}
