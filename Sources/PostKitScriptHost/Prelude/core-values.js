// Values on their way out of a context: stores, calls and their answers (SC-16).
(function (internals) {
  'use strict';
  const {
    native, core, calls, running, NativeMap, NativeSet, NativeDate, NativeRangeError,
    NativeTypeError, NativeError, NativePromise, parse, stringify, isArray, keys, limits,
  } = internals;
  const maximum = { bytes: 8 << 20, depth: 64 };
  const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

  function base64(buffer) {
    const bytes = new Uint8Array(buffer);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    let text = '';
    for (let i = 0; i < bytes.length; i += 3) {
      const [a, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
      text += letters[a >> 2] + letters[(a & 3) << 4 | b >> 4] +
        (b === undefined ? '=' : letters[(b & 15) << 2 | c >> 6]) +
        (c === undefined ? '=' : letters[c & 63]);
    }
    return text;
  }

  // The bytes of a buffer or of a view, as a buffer of their own.
  core.buffer = (value) => value instanceof ArrayBuffer ? value
    : value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);

  // Bytes as text where they are UTF-8, else as Base64.
  core.textOf = (value) => {
    const buffer = core.buffer(value);
    const text = native.text(buffer, 'utf-8-strict');
    return text === null ? base64(buffer) : text;
  };
  core.base64 = base64;

  // A value as JSON text; throws where it can't be kept. `what` begins the message.
  core.kept = (value, what) => {
    const state = { size: 0, path: new NativeSet(), what, hasFunctions: false };
    const text = write(value, state);
    if (text === undefined) throw new NativeTypeError(`${what}: ${kindOf(value)} can't be kept`);
    core.hadFunctions = state.hasFunctions;
    return text;
  };

  const kindOf = (value) =>
    typeof value === 'function' ? 'a function' : typeof value === 'symbol' ? 'a symbol'
      : String(typeof value);

  function add(state, text) {
    state.size += text.length;
    if (state.size > maximum.bytes) {
      throw new NativeRangeError(`${state.what}: a value may have 8 MiB at most`);
    }
    return text;
  }

  function write(value, state) {
    switch (typeof value) {
      case 'string': return add(state, stringify(value));
      case 'boolean': return add(state, value ? 'true' : 'false');
      case 'number':
        return add(state, Number.isFinite(value) ? String(value) : `"${String(value)}"`);
      case 'bigint': return add(state, value.toString());
      case 'object': return value === null ? 'null' : object(value, state);
      default:
        if (typeof value === 'function') state.hasFunctions = true;
        return undefined;
    }
  }

  function object(value, state) {
    if (isBytes(value)) return add(state, stringify(core.textOf(value)));
    if (value instanceof NativeDate) {
      return Number.isNaN(value.getTime()) ? '"Invalid Date"' : `"${value.toISOString()}"`;
    }
    if (typeof value.toJSON === 'function') return write(value.toJSON(), state);
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return write(value.valueOf(), state);
    }
    if (state.path.has(value)) {
      throw new NativeTypeError(`${state.what}: a circle can't be kept`);
    }
    if (state.path.size >= maximum.depth) {
      throw new NativeRangeError(`${state.what}: a value may have ${maximum.depth} levels at most`);
    }
    state.path.add(value);
    let list = value, text = '';
    if (value instanceof NativeMap || value instanceof NativeSet) list = [...value];
    if (isArray(list)) {
      for (let i = 0; i < list.length; i++) {
        text += add(state, i === 0 ? '' : ',') + (write(list[i], state) ?? 'null');
      }
      text = `[${text}]`;
    } else {
      for (const key of keys(list)) {
        const item = write(list[key], state);
        if (item === undefined) continue;
        text += (text === '' ? '' : ',') + add(state, stringify(key)) + ':' + item;
      }
      text = `{${text}}`;
    }
    state.path.delete(value);
    return text;
  }

  // ---- stores

  const title = (store) => ({
    globals: 'client.global.set', request: 'request.variables.set', exports: 'exports',
    headers: 'client.global.headers.set', environment: 'environment.set',
    collection: 'collectionVariables.set',
  })[store] || store;

  core.set = (store, name, value, what) => {
    const job = running();
    const changes = core.changes(job, store);
    name = String(name);
    if (value === undefined) return core.unset(store, name);
    if (changes.set.size >= limits.names && !changes.set.has(name)) {
      throw new NativeRangeError(`${what || title(store)}: a script may set 1,000 names at most`);
    }
    const text = core.kept(value, what || title(store));
    changes.set.set(name, text);
    changes.unset.delete(name);
  };
  core.unset = (store, name) => {
    const changes = core.changes(running(), store);
    changes.set.delete(String(name));
    changes.unset.add(String(name));
  };
  core.clear = (store) => {
    const changes = core.changes(running(), store);
    changes.clear = true;
    changes.set.clear();
    changes.unset.clear();
  };
  const base = (job, store) => (job.message.stores && job.message.stores[store]) || {};
  const isPartial = (job, store) => {
    const partial = job.message.stores && job.message.stores.partial;
    return partial !== undefined && partial[store] === true;
  };
  // A store comes with the names that stand in the script; the program is asked for others.
  function kept(job, store, name) {
    const values = base(job, store);
    if (Object.hasOwn(values, name)) return values[name];
    if (!isPartial(job, store)) return undefined;
    job.absent ??= new NativeSet();
    const key = store + '\0' + name;
    if (job.absent.has(key)) return undefined;
    const found = core.call('stored', store, name);
    if (!Object.hasOwn(found, 'value')) {
      job.absent.add(key);
      return undefined;
    }
    const all = job.message.stores[store] = values;
    Object.defineProperty(all, name, {
      value: found.value, enumerable: true, writable: true, configurable: true,
    });
    return found.value;
  }
  // What another request has set since is there when it is asked for.
  core.refresh = (job) => {
    const stores = job.message.stores = { ...job.message.stores };
    stores.partial = {
      globals: true, environment: true, overlay: true, file: true, exports: true,
      collection: true,
    };
    for (const store of keys(stores.partial)) stores[store] = {};
    job.absent = undefined;
    job.fresh = new NativeMap();
  };
  // The value of a bare name after that; `undefined` where nothing has it.
  core.fresh = (job, name) => {
    if (!job.fresh.has(name)) {
      const line = (job.message.script && job.message.script.line) || 1;
      job.fresh.set(name, core.call('value', name, line));
    }
    const value = job.fresh.get(name);
    return value === null ? undefined : { value };
  };
  function whole(job, store) {
    if (isPartial(job, store)) {
      const { stores } = job.message;
      stores[store] = core.call('stored', store);
      stores.partial[store] = false;
    }
    return base(job, store);
  }
  core.get = (store, name) => {
    const job = running();
    const changes = job.effects[store];
    name = String(name);
    if (changes) {
      if (changes.set.has(name)) return parse(changes.set.get(name));
      if (changes.unset.has(name) || changes.clear) return undefined;
    }
    if (store === 'environment') {
      const above = kept(job, 'overlay', name);
      if (above !== undefined) return above;
    }
    return kept(job, store, name);
  };
  core.keys = (store) => {
    const job = running();
    const changes = job.effects[store];
    const names = new NativeSet(changes && changes.clear ? [] : keys(whole(job, store)));
    if (store === 'environment') for (const name of keys(whole(job, 'overlay'))) names.add(name);
    if (changes) {
      for (const name of changes.unset) names.delete(name);
      for (const name of changes.set.keys()) names.add(name);
    }
    return [...names];
  };

  // ---- calls

  // Arguments as JSON, bytes in them as blobs.
  function packed(args) {
    const blobs = [];
    const json = stringify(args, (_, value) => {
      if (typeof value !== 'object' || value === null || !isBytes(value)) return value;
      blobs.push(core.buffer(value));
      return { $blob: blobs.length - 1 };
    });
    return { json, blobs };
  }

  function unpacked(value, blobs) {
    if (blobs.length === 0 || value === null || typeof value !== 'object') return value;
    if (typeof value.$blob === 'number') return blobs[value.$blob];
    for (const key of keys(value)) value[key] = unpacked(value[key], blobs);
    return value;
  }
  core.unpacked = (json, blobs) => unpacked(parse(json), blobs);

  const errors = { Error, TypeError, RangeError, SyntaxError, ReferenceError, URIError };
  core.errorOf = (json) => {
    const { name, message, code } = parse(json);
    const error = new (errors[name] || NativeError)(message);
    if (!errors[name]) error.name = name;
    if (code !== undefined) error.code = code;
    return error;
  };

  core.call = (name, ...args) => {
    running();
    const { json, blobs } = packed(args);
    const answer = native.call(name, json, blobs);
    if (answer.error !== undefined) throw core.errorOf(answer.error);
    return unpacked(parse(answer.json), answer.blobs);
  };
  core.post = (name, ...args) => {
    const job = running();
    const { json, blobs } = packed(args);
    const number = native.post(name, json, blobs);
    job.waits += 1;
    return new NativePromise(
      (resolve, reject) => calls.set(number, { job, resolve, reject, name }));
  };
})
