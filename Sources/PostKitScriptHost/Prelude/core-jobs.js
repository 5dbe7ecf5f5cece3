// The jobs of a context: how they begin, wait, end and are told of; timers, tests and streams.
(function (internals) {
  'use strict';
  const {
    native, core, hello, jobs, vars, live, texts, subscriptions, calls, limits, current, running,
    startOf, head, tail, expressionHead, asyncHead, then, NativeMap, NativeSet,
    NativeDate, NativeRangeError, NativeTypeError, NativeError, NativePromise, parse, stringify,
    keys, defineProperty, map, join, newTimer, newSubscription, endTests, runLater,
    plainHead, plainTail, plainExpressionHead, plainExpressionTail,
  } = internals;

  const readsNames = internals.part('core-names')(internals);
  const { newEffects, effectsText, isSpoilt, stores: storeNames } = internals.part('core-effects')(internals);

  // ---- ending

  // What a job has set is there for the items of the stream that its script reads.
  function keepForItems(job) {
    const { stores } = job.message;
    if (!stores || subscriptions.size === 0) return;
    for (const name of storeNames) {
      if (job.effects[name] === undefined) continue;
      const { set, unset, clear } = job.effects[name];
      const store = name === 'environment' ? 'overlay' : name;
      const values = clear ? {} : stores[store] || {};
      for (const key of unset) delete values[key];
      for (const [key, json] of set) {
        defineProperty(values, key, {
          value: parse(json), enumerable: true, writable: true, configurable: true,
        });
      }
      stores[store] = values;
    }
  }

  function finish(job) {
    if (current() === job) jobs.length -= 1;
    else jobs.splice(jobs.indexOf(job), 1);
    endTests(job);
    keepForItems(job);
    const blobs = [];
    const parts = [`"effects":${effectsText(job.effects, blobs)}`];
    if (job.values) parts.push(`"items":[${join(map(job.values, (v) => v(blobs)), ',')}]`);
    else parts.push(`"tests":${stringify(job.tests)}`);
    if (job.error) parts.push(`"error":${stringify(job.error)}`);
    if (job.stopped) parts.push(`"stopped":${stringify(job.stopped.kind)}`);
    if (job.stopped && job.stopped.reason !== undefined) {
      parts.push(`"reason":${stringify(String(job.stopped.reason))}`);
    }
    if (subscriptions.size > 0) {
      const subs = map([...subscriptions], ([sub, { what }]) => ({ sub, what }));
      parts.push(`"subs":${stringify(subs)}`);
    }
    // What leaked into the globals can be enumerated, as nothing else there can.
    const leaked = keys(globalThis);
    for (let i = 0; i < leaked.length; i++) delete globalThis[leaked[i]];
    if (isSpoilt()) parts.push(`"spoilt":${+job.message.ctx || 0}`);
    native.finish(`${join(parts, ',')}}`, blobs);
    return -2;
  }

  function fail(job, error) {
    if (!job.error) job.error = core.described(error, job);
  }

  // ---- running

  // Promises are awaited, the whole and one member after the other.
  async function keepExports(job, module) {
    let found = module.exports;
    if (found instanceof NativePromise) found = await found;
    if (found === null || (typeof found !== 'object' && typeof found !== 'function')) return;
    if (typeof found === 'function') found = { [found.name || 'default']: found };
    for (const name of keys(found)) {
      let value = found[name];
      if (value instanceof NativePromise) value = await value;
      exportValue(job, name, value);
    }
  }

  function exportValue(job, name, value) {
    live.delete(name);
    if (typeof value === 'function') {
      live.set(name, value);
      core.noteFunction(job, name);
      return;
    }
    core.set('exports', name, value, `exports.${name}`);
    if (value !== undefined && core.hadFunctions) {
      live.set(name, value);
      core.noteFunction(job, name);
    }
  }
  core.export = (name, value) => exportValue(running(), name, value);

  // The texts that were compiled last: in a loop the same one runs each time.
  const known = new NativeMap();
  const mostKnown = 64;
  function plain(text, { file, line, column }, before, after) {
    const key = `${before}${line}:${column}:${file}\0${text}`;
    const found = known.get(key);
    if (found !== undefined) {
      core.noteText(text, file, line, column, before);
      return found;
    }
    const made = core.compile(text, file, line, column, before, after);
    if (known.size >= mostKnown) known.clear();
    known.set(key, made);
    return made;
  }

  const folder = (file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0));

  function runScript(job) {
    const { script } = job.message;
    job.start = { file: script.file, line: script.line, column: script.column };
    const bytes = core.bytes(script.text);
    let text = typeof bytes === 'string' ? bytes : native.text(bytes, 'utf-8');
    if (text.startsWith('#!')) text = `//${text.slice(2)}`;
    const mayNeedRewrite = text.includes('import') || text.includes('export')
      || text.includes('method');
    if (job.message.phase === 'imports'
      || mayNeedRewrite && /\b(import|export)\b|\bmethod\s*\(/.test(text)) {
      text = core.rewrite(text);
    }
    if (hello.testsRun === 'afterScript') job.later = [];
    if (!readsNames(job, text) && !text.includes('await')) {
      const user = plain(text, script, plainHead, plainTail);
      try {
        user.call({});
      } catch (error) {
        fail(job, error);
      }
      return job.later === undefined || job.later.length === 0 ? undefined : runLater(job);
    }
    const outer = core.compile(text, script.file, script.line, script.column, head, tail);
    const exports = {}, module = { exports };
    const user = outer.call(
      core.scope, exports, core.requireFor(script.file), module, script.file, folder(script.file));
    const end = () => {
      if (!job.later || job.later.length === 0) return keepExports(job, module);
      return then(runLater(job), () => keepExports(job, module));
    };
    return then(user.call({}), end, (error) => {
      fail(job, error);
      return end();
    });
  }

  // Whether a text can't end the parenthesis in which it stands and go on as statements.
  const isOneLine = (text) => {
    for (let i = 0; i < lineEnds.length; i++) if (text.includes(lineEnds[i])) return false;
    return true;
  };
  const lineEnds = ['\n', '\r', '\u2028', '\u2029', ';'];

  function compiled(job, item, file) {
    if (isOneLine(item.text) && !item.text.includes('await') && !readsNames(job, item.text)) {
      const place = {
        file: item.file || file, line: item.line || 1, column: item.column || 1,
      };
      return plain(item.text, place, plainExpressionHead, plainExpressionTail);
    }
    const isAsync = /\bawait\b/.test(item.text);
    return core.compile(item.text, item.file || file, item.line || 1, item.column || 1,
      isAsync ? asyncHead : expressionHead, isAsync ? '\n))()}})' : '\n)}})');
  }

  function unknownName(error) {
    if (!(error instanceof ReferenceError)) return undefined;
    const match = /^Can't find variable: (.+)$/.exec(String(error.message));
    return match === null ? undefined : match[1];
  }

  function valueText(key, value, blobs) {
    const start = `{"key":${stringify(String(key))}`;
    if (value === undefined) return `${start},"undefined":true}`;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      blobs.push(core.buffer(value));
      return `${start},"bytes":{"$blob":${blobs.length - 1}}}`;
    }
    return `${start},"value":${core.kept(value, 'the value')}}`;
  }

  function failedText(key, error, job) {
    const found = core.described(error, job);
    const name = unknownName(error);
    if (name !== undefined) found.isUnknownName = name;
    return `{"key":${stringify(String(key))},"error":${stringify(found)}}`;
  }

  async function evaluateAll(job) {
    job.values = [];
    for (const item of job.message.items) {
      job.start = { file: item.file || hello.file, line: item.line || 1, column: item.column || 1 };
      let told;
      try {
        let value = compiled(job, item, hello.file).call(core.scope);
        if (value !== null && typeof value === 'object' && typeof value.then === 'function') {
          value = await value;
        }
        const blobs = [];
        const text = valueText(item.key, value, blobs);
        told = blobs.length === 0 ? () => text : (all) => valueText(item.key, value, all);
      } catch (error) {
        const text = failedText(item.key, error, job);
        told = () => text;
      }
      job.values.push(told);
    }
  }

  function deliver(job) {
    const subscription = subscriptions.get(job.message.sub);
    if (subscription === undefined) return undefined;
    job.start = subscription.place;
    const { item } = job.message;
    // It sees what its script saw, with what has been set since.
    job.message = { ...subscription.message, ...job.message };
    if (job.message.end) subscriptions.delete(job.message.sub);
    const target = job.message.end ? subscription.onEnd : subscription.onItem;
    return target && target(core.bytes(item));
  }
  core.subscribe = (what, onItem, onEnd) => {
    const number = newSubscription();
    const { message } = running();
    subscriptions.set(number, { what, onItem, onEnd, place: core.place(), message });
    return number;
  };
  core.unsubscribe = (number) => subscriptions.delete(number);

  // ---- stops, timers

  core.stop = (kind, reason) => {
    running().stopped = { kind, reason };
    native.stop();
    // Only where the engine can't be terminated.
    throw new NativeError(`the script has ended (${kind})`);
  };
  // Where the clock stands, timers fire in their order without a wait.
  const stands = typeof hello.now === 'number';
  let jump = 0;
  const timerNow = () => (stands ? jump : native.now());
  core.setTimer = (callback, wait, args, repeats) => {
    const job = running();
    if (typeof callback !== 'function') {
      throw new NativeTypeError(`setTimeout: the callback must be a function, got ${typeof callback}`);
    }
    job.timers ??= new NativeMap();
    if (job.timers.size >= limits.timers) {
      throw new NativeRangeError('a script may have 1,000 timers at most');
    }
    const number = newTimer();
    const span = wait > 1 ? Math.min(+wait, 2 ** 31) : 1;
    job.timers.set(number, { at: timerNow() + span, callback, args, repeats: repeats && span });
    return number;
  };
  core.clearTimer = (number) => {
    for (const job of jobs) if (job.timers) job.timers.delete(number);
  };

  function fireDue(job) {
    if (job.timers === undefined) return undefined;
    let next, due;
    for (const [number, timer] of job.timers) {
      if (next === undefined || timer.at < next) [next, due] = [timer.at, number];
    }
    if (due === undefined) return undefined;
    if (stands) jump = Math.max(jump, next);
    const now = timerNow();
    if (next > now) return Math.ceil(next - now);
    const timer = job.timers.get(due);
    job.timers.delete(due);
    // Behind all that are due, or one without a pause would keep others from their turn.
    if (timer.repeats) job.timers.set(due, { ...timer, at: now + timer.repeats });
    try {
      timer.callback(...timer.args);
    } catch (error) {
      fail(job, error);
    }
    return 0;
  }

  native.onRejection((error) => {
    const job = current();
    if (job) fail(job, error);
  });

  return {
    begin(json, blobs) {
      const message = parse(json);
      const job = {
        message, blobs, effects: newEffects(), tests: [], timers: undefined, waits: 0,
        locals: undefined, isSettled: false, isFull: false, memo: undefined,
        absent: undefined, entries: [],
      };
      jobs.push(job);
      const settle = () => { job.isSettled = true; };
      const failed = (error) => {
        fail(job, error);
        settle();
      };
      try {
        const work = message.kind === 'run' ? runScript(job)
          : message.kind === 'evaluate' ? evaluateAll(job) : deliver(job);
        if (work === undefined) settle();
        else then(NativePromise.resolve(work), settle, failed);
      } catch (error) {
        failed(error);
      }
    },
    scope(json) {
      const { set, unset } = parse(json);
      for (const name of unset || []) vars.delete(name);
      for (const name of keys(set || {})) vars.set(name, set[name]);
    },
    resume(number, json, error, blobs) {
      const call = calls.get(number);
      if (call === undefined) return;
      calls.delete(number);
      call.job.waits -= 1;
      if (call.name === 'execute' || call.name === 'import') core.refresh(call.job);
      if (error !== null) call.reject(core.errorOf(error));
      else call.resolve(core.unpacked(json, blobs));
    },
    // Does what is due. -2: the job has ended; -1: it waits for an answer; else milliseconds.
    turn() {
      const job = current();
      if (job === undefined) return -2;
      if (job.isSettled
        && (job.error || job.waits === 0 && (job.timers === undefined || job.timers.size === 0))) {
        return finish(job);
      }
      if (job.error) return finish(job);
      const wait = fireDue(job);
      if (wait !== undefined) return wait;
      for (const call of calls.values()) if (call.job === job) return -1;
      fail(job, new NativeError('the script waits for a promise that nothing settles'));
      return finish(job);
    },
    // What a text runs as, for whoever asks only whether it can be read.
    rewritten: (text, isModule) =>
      core.part('source').rewrite(text, { isModule: isModule !== 0 }).text,
    aborted(kind, message) {
      const job = current();
      if (job === undefined) return -2;
      if (!job.stopped || kind !== 'script') job.stopped = { kind };
      if (message !== null) {
        job.error = {
          name: 'Error', message, ...startOf(job), frames: [],
        };
      }
      if (job.values) {
        const done = job.values.length;
        for (const item of job.message.items.slice(done)) {
          const told = { ...startOf(job), name: 'Error', message: message || kind, frames: [] };
          const text = `{"key":${stringify(String(item.key))},"error":${stringify(told)}}`;
          job.values.push(() => text);
        }
      }
      return finish(job);
    },
  };
})
