// The module `assert`, as Node has it.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const { AssertionError } = core.part('tests');
  const { equals } = core.part('equality');
  const inspect = (value) => core.part('shown').inspect(value);

  const fail = (message, usual, details) => {
    if (message instanceof P.Error) throw message;
    throw new AssertionError(message === undefined ? usual : P.String(message), {
      generatedMessage: message === undefined, code: 'ERR_ASSERTION', ...details,
    });
  };
  const check = (isRight, message, usual, actual, expected, operator) => {
    if (!isRight) fail(message, usual(), { actual, expected, operator });
  };
  const ok = (value, message) => check(value, message,
    () => `The expression evaluated to a falsy value: ${inspect(value)}`, value, true, '==');
  const assert = (value, message) => ok(value, message);
  const compared = (title) => (actual, expected) =>
    () => `${title}:\n\n${inspect(actual)} !== ${inspect(expected)}`;
  const strictly = compared('Expected values to be strictly equal');
  const deeply = compared('Expected values to be strictly deep-equal');
  const loosely = compared('Expected values to be loosely deep-equal');
  const not = (title) => (actual) => () => `${title}: ${inspect(actual)}`;
  // Loose equality is what these functions are for.
  const alike = (a, b) => a == b || a !== a && b !== b;  // eslint-disable-line eqeqeq

  // Whether an error is the one that was expected: a class, a pattern, members, a function.
  const matches = (error, expected) => {
    if (expected === undefined) return true;
    if (expected instanceof P.RegExp) return expected.test(P.String(error));
    if (typeof expected === 'function') {
      const isClass = expected.prototype !== undefined && error instanceof expected;
      if (isClass) return true;
      if (P.Error.isPrototypeOf(expected) || expected === P.Error) return false;
      return P.apply(expected, {}, [error]) === true;
    }
    return P.every(P.keys(expected), (key) => expected[key] instanceof P.RegExp
      ? expected[key].test(P.String(error?.[key])) : equals(error?.[key], expected[key]));
  };
  const thrown = (error, expected, message) => {
    if (typeof expected === 'string') return;
    if (!matches(error, expected)) {
      fail(message, `The error is not the expected one: ${P.String(error)}`,
        { actual: error, expected, operator: 'throws' });
    }
  };
  const missing = (expected, message, word) => fail(
    typeof expected === 'string' ? expected : message, `Missing expected ${word}.`,
    { operator: 'throws', expected: typeof expected === 'string' ? undefined : expected });

  const forms = {
    ok,
    equal: (a, b, message) => check(alike(a, b), message,
      () => `${inspect(a)} == ${inspect(b)}`, a, b, '=='),
    notEqual: (a, b, message) => check(!alike(a, b), message,
      () => `${inspect(a)} != ${inspect(b)}`, a, b, '!='),
    strictEqual: (a, b, message) =>
      check(P.Object.is(a, b), message, strictly(a, b), a, b, 'strictEqual'),
    notStrictEqual: (a, b, message) => check(!P.Object.is(a, b), message,
      not('Expected "actual" to be strictly unequal to')(b), a, b, 'notStrictEqual'),
    deepEqual: (a, b, message) =>
      check(equals(a, b, true), message, loosely(a, b), a, b, 'deepEqual'),
    notDeepEqual: (a, b, message) => check(!equals(a, b, true), message,
      not('Expected "actual" not to be loosely deep-equal to')(b), a, b, 'notDeepEqual'),
    deepStrictEqual: (a, b, message) =>
      check(equals(a, b), message, deeply(a, b), a, b, 'deepStrictEqual'),
    notDeepStrictEqual: (a, b, message) => check(!equals(a, b), message,
      not('Expected "actual" not to be strictly deep-equal to')(b), a, b, 'notDeepStrictEqual'),
    throws(body, expected, message) {
      try {
        body();
      } catch (error) {
        return thrown(error, expected, message);
      }
      return missing(expected, message, 'exception');
    },
    doesNotThrow(body, message) {
      try {
        body();
      } catch (error) {
        fail(typeof message === 'string' ? message : undefined,
          `Got unwanted exception.\nActual message: "${error?.message}"`,
          { actual: error, operator: 'doesNotThrow' });
      }
    },
    async rejects(promise, expected, message) {
      try {
        await (typeof promise === 'function' ? promise() : promise);
      } catch (error) {
        return thrown(error, expected, message);
      }
      return missing(expected, message, 'rejection');
    },
    async doesNotReject(promise, message) {
      try {
        await (typeof promise === 'function' ? promise() : promise);
      } catch (error) {
        fail(message, `Got unwanted rejection.\nActual message: "${error?.message}"`,
          { actual: error, operator: 'doesNotReject' });
      }
    },
    match: (text, pattern, message) => check(typeof text === 'string' && pattern.test(text), message,
      () => `The input did not match the regular expression ${pattern}. Input:\n\n${inspect(text)}`,
      text, pattern, 'match'),
    doesNotMatch: (text, pattern, message) => check(!pattern.test(text), message,
      () => `The input was expected to not match the regular expression ${pattern}. `
        + `Input:\n\n${inspect(text)}`, text, pattern, 'doesNotMatch'),
    fail: (message) => fail(message, 'Failed', { operator: 'fail' }),
    ifError(value) {
      if (value !== null && value !== undefined) {
        fail(undefined, `ifError got unwanted exception: ${value?.message ?? inspect(value)}`,
          { actual: value, expected: null, operator: 'ifError' });
      }
    },
    AssertionError,
  };
  P.assign(assert, forms);
  const strict = (value, message) => ok(value, message);
  P.assign(strict, forms, {
    equal: forms.strictEqual, notEqual: forms.notStrictEqual, deepEqual: forms.deepStrictEqual,
    notDeepEqual: forms.notDeepStrictEqual,
  });
  assert.strict = strict;
  strict.strict = strict;
  return P.freeze({ assert, strict });
}
