// The heart of every context: begins jobs, keeps what they change and says how they ended.
(function (native, part) {
  'use strict';
  // Scripts may replace what hangs on the built-in objects; these stay what they are.
  const { parse, stringify } = JSON;
  const { defineProperty, getOwnPropertyNames, freeze, keys, entries } = Object;
  const { isArray } = Array;
  const NativeError = Error, NativePromise = Promise, NativeMap = Map, NativeSet = Set;
  const NativeTypeError = TypeError, NativeRangeError = RangeError, NativeDate = Date;
  const then = (promise, done, failed) => NativePromise.prototype.then.call(promise, done, failed);
  const free = (method) => Function.prototype.call.bind(method);
  const [map, join] = [free(Array.prototype.map), free(Array.prototype.join)];
  const [charCode, indexOf, lastIndexOf, includes, startsWith, slice, split] = map([
    'charCodeAt', 'indexOf', 'lastIndexOf', 'includes', 'startsWith', 'slice', 'split',
  ], (name) => free(String.prototype[name]));
  const world = globalThis;
  const hello = parse(native.hello());

  const limits = { tests: 10000, timers: 1000, names: 1000 };
  const jobs = [];                     // the last one is that which runs
  const vars = new NativeMap();        // bare names, from `scope`
  const live = new NativeMap();        // exported functions, and objects that have some
  const texts = new NativeMap();       // of each file the scripts by their first line, for positions
  const subscriptions = new NativeMap();
  const calls = new NativeMap();
  let nextTimer = 1, nextSubscription = 1, nextText = 1;

  for (const name of hello.lost || []) {
    live.set(name, () => {
      throw new NativeError(`${name} is no longer there: the script engine was restarted`);
    });
  }

  // ---- the clock and chance, where the run has its own

  if (typeof hello.seed === 'string') {
    // splitmix32, so that all contexts of a run give the same numbers.
    let state = Number(BigInt(hello.seed) & 0xffffffffn) | 0;
    Math.random = () => {
      state = (state + 0x9e3779b9) | 0;
      let z = state ^ (state >>> 16);
      z = Math.imul(z, 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return ((z ^ (z >>> 15)) >>> 0) / 4294967296;
    };
  }
  if (typeof hello.now === 'number') {
    const now = () => hello.now;
    world.Date = new Proxy(NativeDate, {
      construct: (target, args, self) =>
        Reflect.construct(target, args.length === 0 ? [now()] : args, self),
      apply: () => new NativeDate(now()).toString(),
      get: (target, key) => (key === 'now' ? now : target[key]),
    });
  }

  const current = () => jobs[jobs.length - 1];
  const running = () => {
    const job = current();
    if (job === undefined) throw new NativeError('no script is running');
    return job;
  };

  // ---- positions

  // Lines are told apart only where somebody asks for a place.
  const hasOddLines = (text) => includes(text, '\r') || includes(text, '\u2028') ||
    includes(text, '\u2029');
  const linesOf = (entry) => entry.lines ??= split(
    entry.text, hasOddLines(entry.text) ? /\r\n|[\n\r\u2028\u2029]/ : '\n');
  const covers = (entry, line) => line === entry.line ||
    line > entry.line && line < entry.line + linesOf(entry).length;
  function textAt(file, line) {
    const known = texts.get(file);
    if (known === undefined) return undefined;
    // The last text that stood in a line is the one that runs.
    if (covers(known.last, line)) return known.last;
    let found;
    for (const entry of known.byLine.values()) {
      if (covers(entry, line) && (found === undefined || entry.number > found.number)) found = entry;
    }
    return found;
  }

  // Whether a unit is one of a name.
  const isWordUnit = (unit) => unit >= 97 && unit <= 122 || unit >= 65 && unit <= 90 ||
    unit >= 48 && unit <= 57 || unit === 95 || unit === 36 || unit >= 128;
  const isWord = (c) => c !== undefined && isWordUnit(charCode(c, 0));

  // The engine points behind what it was evaluating; people look for its beginning. A name that
  // is not defined is looked for by itself.
  function exact(file, line, column, missing) {
    const text = textAt(file, line);
    if (text === undefined) return undefined;
    const source = linesOf(text)[line - text.line];
    let at = column - 1 - (line === text.line ? text.offset : 0);
    if (at < 0) return undefined;
    if (at > source.length) at = source.length;
    const named = missing === undefined ? -1 : source.lastIndexOf(missing, at);
    if (named >= 0) {
      at = named;
    } else if (source[at] === '.' || source[at] === '?') {
      while (at < source.length && !isWord(source[at])) at++;
    } else {
      while (at > 0 && isWordUnit(charCode(source, at - 1))) at--;
      if (includes(source, 'new')) {
        const before = /(^|[^\w$])new\s+(?:[\w$]+\s*\.\s*)*$/.exec(source.slice(0, at));
        if (before !== null) at = before.index + before[1].length;
      }
    }
    const shift = line === text.line ? text.column - 1 : 0;
    return { file, line, column: at + 1 + shift };
  }

  const lineEnd = (text, start) => {
    const end = indexOf(text, '\n', start);
    return end < 0 ? text.length : end;
  };
  // The place that a line of a stack names between an `@` and its end; `undefined` for lines that
  // name none in a script.
  function placeOf(stack, at, end, missing) {
    const columnAt = lastIndexOf(stack, ':', end), lineAt = lastIndexOf(stack, ':', columnAt - 1);
    const line = +slice(stack, lineAt + 1, columnAt), column = +slice(stack, columnAt + 1, end);
    if (lineAt <= at || !(line > 0 && column > 0)) return undefined;
    return exact(slice(stack, at + 1, lineAt), line, column, missing);
  }

  // The places of a stack that lie in files of the user, up to a number.
  function frames(stack, missing, most = 50) {
    const found = [];
    if (typeof stack !== 'string') return found;
    for (let start = 0; start < stack.length && found.length < most;) {
      const end = lineEnd(stack, start);
      const at = indexOf(stack, '@', start);
      // Most frames are ours.
      if (at >= 0 && at < end && !startsWith(stack, 'postkit:', at + 1)) {
        const place = placeOf(stack, at, end, found.length === 0 ? missing : undefined);
        if (place) found.push(place);
      }
      start = end + 1;
    }
    return found;
  }

  // The first place of the stack that lies in a file of the user.
  function place() {
    const { stack } = new NativeError();
    // Their paths are absolute; ours begin with another word.
    const at = indexOf(stack, '@/');
    const found = at < 0 ? undefined : placeOf(stack, at, lineEnd(stack, at), undefined);
    return found || frames(stack, undefined, 1)[0] || startOf(running());
  }
  const startOf = (job) => job.start || { file: hello.file, line: 1, column: 1 };

  function described(error, job) {
    let name = 'Error', message, stack, line, from;
    try {
      if (error !== null && typeof error === 'object' && 'message' in error) {
        name = String(error.name || 'Error');
        message = core.reworded(name, String(error.message));
        stack = error.stack;
        line = error.line;
        from = error.sourceURL;
      } else {
        message = typeof error === 'string' ? error : core.show(error);
      }
    } catch {
      message = 'an error that tells nothing of itself';
    }
    const missing = /^Can't find variable: (.+)$/.exec(message);
    const list = frames(stack, missing === null ? undefined : missing[1]);
    if (list.length === 0 && error && error.isPlace === native) list.push(error.place);
    if (list.length === 0 && typeof from === 'string' && name === 'SyntaxError') {
      const text = typeof line === 'number' && textAt(from, line);
      if (text) list.push({ file: from, line, column: 1 });
    }
    const at = list[0] || startOf(job);
    return {
      name: name.slice(0, 200), message: message.slice(0, 65536), file: at.file, line: at.line,
      column: at.column, frames: list,
    };
  }

  // ---- compiling

  const head = '(function(exports,require,module,__filename,__dirname){with(this){' +
    'return(async function userJS(){';
  const tail = '\n})}})';
  const expressionHead = '(function(){with(this){return(';
  const asyncHead = '(function(){with(this){return(async()=>(';
  // Most scripts read no variable by its bare name. Each lookup through `with`, and each function
  // around a text, costs them several times what they do themselves.
  const plainHead = '(function userJS(){', plainTail = '\n})';
  const plainExpressionHead = '(()=>(', plainExpressionTail = '\n))';

  // Notes where a text stands that runs, for positions.
  function noteText(text, file, line, column, before) {
    // The engine counts lines from 1: there is none before the first one.
    const offset = line > 1 ? column - 1 : before.length;
    const entry = { number: nextText++, line, column, text, lines: undefined, offset };
    const known = texts.get(file);
    if (known === undefined) {
      texts.set(file, { last: entry, byLine: new NativeMap([[line, entry]]) });
    } else {
      known.last = entry;
      known.byLine.set(line, entry);
    }
  }

  // Compiles a text that stands at a place of a file, so that positions are those of the file.
  function compile(text, file, line, column, before, after) {
    noteText(text, file, line, column, before);
    const lead = line > 1 ? before + '\n' + ' '.repeat(column - 1) : before;
    try {
      return native.evaluate(lead + text + after, file, line > 1 ? line - 1 : 1);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw positioned(error, text, file, line, column, before);
    }
  }

  // The engine tells the line of a syntax error alone. Its column is where the shortest beginning
  // of the text ends that can't be continued.
  function positioned(error, text, file, line, column, before) {
    const first = before.replace('with(this)', '');
    const canGoOn = (length) => {
      try {
        native.check(first + '\n' + text.slice(0, length), file, 1);
        return true;
      } catch (e) {
        return /^(Unexpected end of script|Unexpected EOF|Unterminated|Multiline comment)|EOF/
          .test(String(e.message));
      }
    };
    let low = 0, high = text.length;
    if (!canGoOn(high)) {
      while (low + 1 < high) {
        const middle = (low + high) >> 1;
        if (canGoOn(middle)) low = middle; else high = middle;
      }
      // From the end of the token to its beginning.
      low = high - 1;
      if (isWord(text[low])) while (low > 0 && isWord(text[low - 1])) low--;
    } else {
      low = high;
    }
    const until = text.slice(0, low).split(/\r\n|[\n\r\u2028\u2029]/);
    const row = until.length - 1;
    const found = new SyntaxError(String(error.message));
    found.isPlace = native;
    found.place = {
      file, line: line + row,
      column: until[row].length + (row === 0 ? column : 1),
    };
    found.stack = '';
    return found;
  }

  // ---- what scripts see as bare names

  const builtIn = new NativeSet(getOwnPropertyNames(world));
  // What no variable hides: the language's own names always; ours in `{% %}`, and some of them in
  // `{{ }}` too.
  const language = new NativeSet(builtIn);
  const fixed = new NativeSet([
    'request', 'response', 'console', 'test', 'sleep', 'exports', 'require', 'module', 'httpFile',
    'httpRegion',
  ]);
  const isFixed = (name) => {
    if (language.has(name) || fixed.has(name)) return true;
    const job = current();
    const isJetBrains = job !== undefined && job.message.kind !== 'evaluate' &&
      job.message.family === 'jetbrains';
    return isJetBrains && builtIn.has(name);
  };
  const bareStores = ['exports', 'request', 'file', 'overlay', 'environment'];

  function bare(name) {
    const job = current();
    if (live.has(name)) return { value: live.get(name) };
    if (job !== undefined) {
      if (job.locals !== undefined && job.locals.has(name)) return { value: job.locals.get(name) };
      const changed = job.effects.exports && job.effects.exports.set.get(name);
      if (changed !== undefined) return { value: parse(changed) };
      if (job.fresh !== undefined) return core.fresh(job, name);
    }
    if (vars.has(name)) return { value: vars.get(name) };
    if (job === undefined) return undefined;
    for (const store of bareStores) {
      const values = job.message.stores && job.message.stores[store];
      if (values && Object.hasOwn(values, name)) return { value: values[name] };
    }
    const responses = job.message.stores && job.message.stores.responses;
    return responses && core.part('response').named(responses, name);
  }

  const scope = new Proxy(Object.create(null), {
    has: (_, key) => typeof key === 'string' && !isFixed(key) && bare(key) !== undefined,
    get: (_, key) => {
      const found = typeof key === 'string' ? bare(key) : undefined;
      return found && found.value;
    },
    set: (_, key, value) => {
      const job = current();
      if (job !== undefined) (job.locals ??= new NativeMap()).set(key, value);
      return true;
    },
  });

  // ---- values that cross the border

  const parts = Object.create(null);
  const core = {
    native, hello, limits, world, scope, vars, live,
    get job() { return running().message; },
    get state() { return running(); },
    get effects() { return running().effects; },
    get phase() { return running().message.phase; },
    get family() { return running().message.family; },
    place, described, compile, noteText, bare, startOf,
    // Other tools' names that we have not: what to use instead.
    reworded(name, message) {
      const lost = name === 'ReferenceError' && /^Can't find variable: (.+)$/.exec(message);
      const words = lost && core.missing(lost[1]);
      return words ? `\`${lost[1]}\` ${words}` : message;
    },
    show: (value) => {
      if (typeof value === 'string') return value;
      try {
        if (typeof value === 'object' && value !== null && !(value instanceof NativeError)) {
          const text = stringify(value);
          if (text !== undefined) return text;
        }
        return String(value);
      } catch {
        return '[value]';
      }
    },
    frozen: freeze,
    typeError: (path, what, got) =>
      new NativeTypeError(got === undefined ? `${path}: ${what}` : `${path}: ${what}, not ${got}`),
    lazy(object, name, get) {
      defineProperty(object, name, {
        configurable: true, enumerable: true,
        get() {
          const value = get();
          defineProperty(object, name,
            { configurable: true, enumerable: true, writable: true, value });
          return value;
        },
      });
    },
    // A global that is asked for anew each time, as it may be another for each job.
    define(name, { get }) {
      builtIn.add(name);
      // No script can delete it for the next one.
      defineProperty(world, name, { configurable: false, enumerable: false, get, set: undefined });
    },
    part: (name) => parts[name] ??= part(name)(core),
    bytes(value) {
      if (value === null || typeof value !== 'object') return value;
      const index = value.$blob;
      return typeof index === 'number' ? running().blobs[index] : value;
    },
    // Whether nothing more is printed: the output has its limit.
    get isFull() { return current()?.isFull !== false; },
    log(level, args) {
      const job = current();
      if (job === undefined || job.isFull) return;
      const at = place();
      job.isFull = native.log(level, join(map(args, core.show), ' '), at.line, at.file) === 0;
    },
  };

  const internals = {
    native, part, core, hello, jobs, vars, live, texts, subscriptions, calls, limits, current,
    running, startOf, head, tail, expressionHead, asyncHead, plainHead, plainTail,
    plainExpressionHead, plainExpressionTail, bareStores, isWordUnit, builtIn, then, NativeMap, NativeSet,
    NativeDate, NativeRangeError, NativeTypeError, NativeError, NativePromise, parse, stringify,
    isArray, keys, entries, defineProperty, getOwnPropertyNames, map, join,
    newTimer: () => nextTimer++, newSubscription: () => nextSubscription++,
  };
  part('core-values')(internals);
  part('core-tests')(internals);
  const engine = part('core-jobs')(internals);
  core.part('globals');
  for (const name of getOwnPropertyNames(world)) builtIn.add(name);
  return engine;
})
