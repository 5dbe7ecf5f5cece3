// Tests: `client.test`, `test` with its short forms, and assertions that record.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  class AssertionError extends P.Error {
    constructor(message, details) {
      super(message);
      P.define(this, 'name', { value: 'AssertionError', configurable: true, writable: true });
      if (details) for (const key of P.keys(details)) this[key] = details[key];
    }
  }
  const error = (message, details) => new AssertionError(message, details);

  // No tests can be made where nobody could see their results.
  const allowed = () => {
    const { kind, phase } = core.job;
    if (kind === 'evaluate' || phase === 'imports') throw new P.Error("tests can't be made here");
  };

  const title = (name) => {
    const text = P.String(name);
    const isOneLine = !P.holds(text, '\n') && !P.holds(text, '\r');
    const line = isOneLine ? text : P.split(text, /\r\n|\r|\n/)[0];
    return line.length > 200 ? P.sub(line, 0, 200) : line;
  };
  const test = (name, body) => {
    allowed();
    if (body !== undefined && body !== null && typeof body !== 'function') {
      throw V.wrong('client.test', 'the test must be a function', body);
    }
    const called = title(name);
    return core.test(nested(called), body ? () => inside(nested(called), body, called) : () => {});
  };

  // The tests whose functions run now, and those that wait for their promises.
  const running = [];
  const waiting = [];
  const innermost = () => running[running.length - 1]
    ?? (waiting.length === 1 ? waiting[0] : undefined);
  const nested = (name) => running.length > 0
    ? `${running[running.length - 1].name} / ${name}` : name;
  // [SC-11] A function with a parameter gets what it is called. Recorded failures decide at the end.
  const inside = (name, body, called) => {
    const own = { name, failure: undefined };
    P.push(running, own);
    let value;
    try {
      value = body({ name: called });
    } finally {
      P.pop(running);
    }
    const end = () => {
      if (own.failure) throw own.failure;
    };
    if (typeof value !== 'object' || value === null || typeof value.then !== 'function') {
      return end();
    }
    P.push(waiting, own);
    const leave = () => { P.splice(waiting, P.indexOf(waiting, own), 1); };
    return P.then(P.resolved(value), () => {
      leave();
      end();
    }, (error) => {
      leave();
      throw error;
    });
  };

  const shown = (value) => {
    if (typeof value === 'string') return value;
    const text = typeof value === 'object' && value !== null
      ? core.part('shown').json(value) : P.String(value);
    return text;
  };
  const same = (actual, expected) => actual === expected
    || V.isText(actual) && P.String(actual) === expected;

  // Records an assertion: in a test it decides that test, outside it is a test of its own.
  const record = (passed, message, expected, actual) => {
    allowed();
    const details = { expected, actual };
    const lead = message === undefined ? '' : `${shown(message)}: `;
    const failure = passed ? null
      : error(`${lead}expected "${shown(expected)}", got "${shown(actual)}"`, details);
    const test = innermost();
    if (test) {
      if (failure) test.failure ??= failure;
      return;
    }
    const place = core.place();
    const name = message === undefined ? `assert (line ${place?.line ?? 1})` : title(message);
    core.test(name, () => { if (failure) throw failure; }, place);
  };

  const response = () => core.part('response').current();
  const holds = (text, part) => typeof text === 'string' && P.holds(text, P.String(part));
  const bodyText = () => response()?.bodyText ?? '';
  const json = () => {
    try {
      return P.parse(bodyText());
    } catch {
      return undefined;
    }
  };
  const members = P.freeze({
    true: (value, message) => record(value === true, message, true, value),
    false: (value, message) => record(value === false, message, false, value),
    same: (value, expected, message) => record(same(value, expected), message, expected, value),
    hasString: (text, part, message) =>
      record(holds(V.isText(text) ? P.String(text) : text, part), message, part, text),
    responseHas(path, expected, message) {
      const value = V.at(response()?.jetbrains, V.text('assert.responseHas', 'path', path));
      record(same(value, expected), message, expected, value);
    },
    headersHas(name, expected, message) {
      const value = response()?.firstHeader(V.text('assert.headersHas', 'name', name));
      record(same(value, expected), message, expected, value);
    },
    bodyHas: (part, message) => record(holds(bodyText(), part), message, part, bodyText()),
    jsonHas(path, expected, message) {
      const value = V.at(json(), V.text('assert.jsonHas', 'path', path));
      record(same(value, expected), message, expected, value);
    },
  });
  const assert = (value, message) => record(!!value, message, true, value);
  for (const name of P.keys(members)) V.hidden(assert, name, members[name]);

  // [1.3] httpYac's short forms; their names are compared in CI, so each is spelled as there.
  const equal = (actual, expected) => {
    if (same(actual, expected)) return;
    throw error(`${shown(actual)} == ${shown(expected)}`, { actual, expected });
  };
  const check = (isRight, message, actual, expected) => {
    if (!isRight) throw error(message, { actual, expected });
  };
  const header = (name) => response()?.joinedHeader(name);
  const forms = {
    status: (status) => test(`response status equals to ${shown(status)}`, () =>
      equal(response()?.status, status)),
    totalTime: (limit) => test(`total time exceeded ${shown(limit)}`, () => {
      const total = response()?.timings?.total;
      check(total <= limit, `total time exceeded ${total}`, total, limit);
    }),
    header: (name, value) => test(`response header ${name} equals ${shown(value)}`, () =>
      equal(header(V.text('test.header', 'name', name)), value)),
    headerContains: (name, value) => test(`response header ${name} contains ${shown(value)}`, () => {
      const actual = header(V.text('test.headerContains', 'name', name));
      check(holds(actual, value), `response header ${name} is ${shown(actual)}`, actual, value);
    }),
    responseBody: (value) => test(`response body equals ${shown(value)}`, () => {
      const text = bodyText();
      if (typeof value === 'object' && value !== null) {
        const { equals } = core.part('equality');
        check(equals(json(), value), `response body is ${text}`, text, value);
      } else {
        equal(text, P.String(value));
      }
    }),
    hasResponseBody: () => test('response body exists', () =>
      check(bodyText() !== '', 'the response has no body', bodyText())),
    hasNoResponseBody: () => test('response body does not exists', () =>
      check(bodyText() === '', 'the response has a body', bodyText())),
  };
  const httpyac = (name, body) => test(name, body);
  for (const name of P.keys(forms)) V.hidden(httpyac, name, forms[name]);

  return P.freeze({
    test, httpyac: P.freeze(httpyac), kulala: P.freeze(assert),
    assert: P.freeze({ error, members }), AssertionError, shown, title,
  });
}
