// The tests of scripts: how they run, now or when their script has ended, and what becomes of them.
(function (internals) {
  'use strict';
  const {
    native, core, limits, running, then, NativeRangeError, NativePromise,
  } = internals;

  core.test = (name, body, at) => {
    const job = running();
    if (job.tests.length >= limits.tests) {
      throw new NativeRangeError('a script may have 10,000 tests at most');
    }
    const { file, line, column } = at || core.place();
    const result = { name: String(name), passed: true, file, line, column, ms: 0 };
    const entry = { result, body, hasBegun: false, hasEnded: false };
    job.tests.push(result);
    job.entries.push(entry);
    if (job.later === undefined) return runTest(job, entry);
    job.later.push(entry);
    return undefined;
  };
  function runTest(job, entry) {
    const { result, body } = entry;
    entry.hasBegun = true;
    const start = native.now();
    const failed = (error) => {
      const told = core.described(error, job);
      result.passed = false;
      result.message = told.message;
      for (const key of ['actual', 'expected']) {
        if (error && typeof error === 'object' && key in error) result[key] = core.show(error[key]);
      }
      if (told.frames.length) {
        Object.assign(result, { file: told.file, line: told.line, column: told.column });
      }
    };
    const end = () => {
      result.ms = native.now() - start;
      entry.hasEnded = true;
    };
    try {
      const value = body();
      if (value && typeof value.then === 'function') {
        job.waits += 1;
        return then(NativePromise.resolve(value), () => {}, failed).then(() => {
          end();
          job.waits -= 1;
        });
      }
    } catch (error) {
      failed(error);
    }
    end();
    return undefined;
  }

  // Runs the tests that waited for the end of their script, one after the other.
  async function runLater(job) {
    const { later } = job;
    job.later = undefined;
    for (const entry of later) await runTest(job, entry);
  }

  // A test that has not ended has not passed, but for one that ends its script itself.
  function endTests(job) {
    for (const { result, hasBegun, hasEnded } of job.entries) {
      if (hasEnded || hasBegun && job.stopped && job.stopped.kind === 'exit') continue;
      result.passed = false;
      result.message = 'The script ended before this test did.';
    }
  }

  internals.runLater = runLater;
  internals.endTests = endTests;
})
