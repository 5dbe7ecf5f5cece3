// `expect` and `chai`: assertions as sentences, in the words of chai's BDD style.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const { AssertionError } = core.part('tests');
  const { equals } = core.part('equality');
  const inspect = (value) => core.part('shown').inspect(value);

  const typeOf = (value) => P.lower(P.sub(P.shown(value), 8, -1));
  const flags = new P.WeakMap();
  const own = (assertion) => P.weakGet(flags, assertion);

  class Assertion {
    constructor(object, message, initial = {}) {
      P.weakSet(flags, this, { object, message, ...initial });
    }
    // `#{this}`, `#{exp}` and `#{act}` stand for values.
    assert(isRight, message, negated, expected, actual) {
      const state = own(this);
      if (state.negate ? !isRight : isRight) return;
      const source = state.negate ? negated ?? message : message;
      const text = P.replace(source, /#\{(this|exp|act)\}/g, (_, what) =>
        inspect(what === 'this' ? state.object : what === 'exp' ? expected : actual));
      const lead = state.message ? `${state.message}: ` : '';
      throw new AssertionError(lead + text, { actual: arguments.length > 4 ? actual : state.object,
        expected });
    }
  }
  const words = { prototype: Assertion.prototype };
  const property = (name, get) => P.define(words.prototype, name, {
    get() { return get(this, own(this)) ?? own(this).self; }, configurable: true,
  });
  // The argument at `place` is a message that goes before the sentence.
  const explained = (state, values, place) => {
    if (values.length === place + 1 && typeof values[place] === 'string') {
      state.message = values[place];
      return P.slice(values, 0, place);
    }
    return values;
  };
  const method = (name, call, place = -2) => P.define(words.prototype, name, {
    value(...values) {
      const state = own(this);
      return call(this, state, ...explained(state, values, place)) ?? own(this).self;
    }, configurable: true, writable: true,
  });
  // A word that is also a step: `a`, `include`, `length`, `contain`.
  const chained = (name, call, step) => P.define(words.prototype, name, {
    get() {
      step?.(this, own(this));
      const { self } = own(this);
      const run = (...values) =>
        call(self, own(self), ...explained(own(self), values, 1)) ?? self;
      const result = new P.Proxy(run, { get: (_, key) => self[key] });
      P.weakSet(flags, result, own(self));
      return result;
    }, configurable: true,
  });

  for (const name of ['to', 'be', 'been', 'is', 'that', 'which', 'and', 'has', 'have', 'with', 'at',
    'of', 'same', 'but', 'does', 'still', 'also']) {
    property(name, () => undefined);
  }
  const flag = (name, key = name) => property(name, (_, state) => { state[key] = true; });
  property('not', (_, state) => { state.negate = true; });
  for (const name of ['deep', 'nested', 'own', 'ordered']) flag(name);
  property('any', (_, state) => { state.any = true; });
  property('all', (_, state) => { state.any = false; });

  const is = (name, test, text, negated = `to not ${text}`) =>
    property(name, (assertion, { object }) => assertion.assert(test(object),
      `expected #{this} to ${text}`, `expected #{this} ${negated}`));
  is('ok', (value) => !!value, 'be truthy');
  is('true', (value) => value === true, 'be true');
  is('false', (value) => value === false, 'be false');
  is('null', (value) => value === null, 'be null', 'not to be null');
  is('undefined', (value) => value === undefined, 'be undefined', 'not to be undefined');
  is('NaN', (value) => P.isNaN(value), 'be NaN');
  is('exist', (value) => value !== null && value !== undefined, 'exist');
  is('finite', (value) => P.isFinite(value), 'be a finite number');
  const isEmpty = (value) => {
    if (value instanceof P.Map || value instanceof P.Set) return value.size === 0;
    if (typeof value === 'string' || P.isArray(value)) return value.length === 0;
    if (typeof value !== 'object' || value === null) {
      throw new P.TypeError(`.empty was passed non-string primitive ${inspect(value)}`);
    }
    return P.keys(value).length === 0;
  };
  is('empty', isEmpty, 'be empty', 'not to be empty');
  is('sealed', P.Object.isSealed, 'be sealed');
  is('frozen', P.Object.isFrozen, 'be frozen');
  is('extensible', P.Object.isExtensible, 'be extensible');

  const article = (type) => `${P.test(/^[aeiou]/, type) ? 'an' : 'a'} ${type}`;
  const type = (assertion, { object }, expected) => {
    const wanted = P.lower(P.String(expected));
    const actual = typeOf(object);
    const isRight = wanted === actual || wanted === 'function' && typeof object === 'function';
    assertion.assert(isRight, `expected #{this} to be ${article(wanted)}`,
      `expected #{this} not to be ${article(wanted)}`);
  };
  chained('a', type);
  chained('an', type);

  const same = (state) => state.deep ? (a, b) => equals(a, b) : (a, b) => P.Object.is(a, b)
    || a === b;
  const includes = (assertion, state, part) => {
    const { object } = state;
    const like = same(state);
    let isRight;
    if (typeof object === 'string') isRight = P.holds(object, P.String(part));
    else if (P.isArray(object) || P.isView(object)) isRight = P.some(object, (item) => like(item, part));
    else if (object instanceof P.Set || object instanceof P.Map) {
      isRight = P.some(P.fromArrayLike(object.values()), (item) => like(item, part));
    } else if (typeof object === 'object' && object !== null && typeof part === 'object') {
      isRight = P.every(P.keys(part), (key) => {
        const value = state.nested ? found(object, key).value : object[key];
        return like(value, part[key]) && (state.nested || key in object);
      });
    } else {
      throw new AssertionError(`the given combination of arguments (${typeOf(object)} and `
        + `${typeOf(part)}) is invalid for this assertion`);
    }
    const deep = state.deep ? 'deep ' : '';
    assertion.assert(isRight, `expected #{this} to ${deep}include ${inspect(part)}`,
      `expected #{this} to not ${deep}include ${inspect(part)}`, part);
  };
  for (const name of ['include', 'includes', 'contain', 'contains']) {
    chained(name, includes, (_, state) => { state.contains = true; });
  }

  const equal = (assertion, state, expected) => {
    if (state.deep) return eql(assertion, state, expected);
    assertion.assert(state.object === expected, 'expected #{this} to equal #{exp}',
      'expected #{this} to not equal #{exp}', expected, state.object);
  };
  const eql = (assertion, { object }, expected) => assertion.assert(equals(object, expected),
    'expected #{this} to deeply equal #{exp}', 'expected #{this} to not deeply equal #{exp}',
    expected, object);
  for (const name of ['equal', 'equals', 'eq']) method(name, equal, 1);
  for (const name of ['eql', 'eqls']) method(name, eql, 1);

  const measure = (state) => {
    if (!state.doLength) return [state.object, ''];
    const { object } = state;
    return [object instanceof P.Map || object instanceof P.Set ? object.size : object?.length,
      ' have a length'];
  };
  const compare = (names, test, text) => {
    for (const name of names) {
      method(name, (assertion, state, limit) => {
        const [value, what] = measure(state);
        const phrase = `${what || ' be'} ${text} ${inspect(limit)}`;
        assertion.assert(test(value, limit), `expected #{this} to${phrase}${what ? ' but got #{act}' : ''}`,
          `expected #{this} to not${phrase}`, limit, value);
      }, 1);
    }
  };
  compare(['above', 'gt', 'greaterThan'], (a, b) => a > b, 'above');
  compare(['least', 'gte', 'greaterThanOrEqual'], (a, b) => a >= b, 'at least');
  compare(['below', 'lt', 'lessThan'], (a, b) => a < b, 'below');
  compare(['most', 'lte', 'lessThanOrEqual'], (a, b) => a <= b, 'at most');
  method('within', (assertion, state, low, high) => {
    const [value] = measure(state);
    assertion.assert(value >= low && value <= high, `expected #{this} to be within ${low}..${high}`,
      `expected #{this} to not be within ${low}..${high}`);
  }, 2);
  const near = (assertion, { object }, expected, delta) =>
    assertion.assert(P.Math.abs(object - expected) <= delta,
      `expected #{this} to be close to ${expected} +/- ${delta}`,
      `expected #{this} not to be close to ${expected} +/- ${delta}`);
  method('closeTo', near, 2);
  method('approximately', near, 2);
  const instance = (assertion, { object }, constructor) =>
    assertion.assert(object instanceof constructor,
      `expected #{this} to be an instance of ${constructor.name}`,
      `expected #{this} to not be an instance of ${constructor.name}`);
  method('instanceof', instance, 1);
  method('instanceOf', instance, 1);

  // A member by name, or by a path where the assertion is nested.
  const found = (object, path) => {
    let value = object;
    const steps = P.match(P.String(path), /[^.[\]]+/g) ?? [];
    for (const step of steps) {
      if (value === null || value === undefined || !(step in P.Object(value))) {
        return { has: false, value: undefined };
      }
      value = value[step];
    }
    return { has: true, value };
  };
  const hasMember = (assertion, state, name, ...rest) => {
    const { object } = state;
    if (object === null || object === undefined) {
      throw new AssertionError('Target cannot be null or undefined.');
    }
    const here = state.nested ? found(object, name)
      : { has: state.own ? P.has(object, name) : name in P.Object(object), value: object[name] };
    const title = `${state.deep ? 'deep ' : ''}${state.nested ? 'nested ' : ''}`
      + `${state.own ? 'own ' : ''}property ${inspect(name)}`;
    if (!state.negate || rest.length === 0) {
      assertion.assert(here.has, `expected #{this} to have ${title}`,
        `expected #{this} to not have ${title}`);
    }
    if (rest.length > 0) {
      assertion.assert(here.has && same(state)(here.value, rest[0]),
        `expected #{this} to have ${title} of #{exp}, but got #{act}`,
        `expected #{this} to not have ${title} of #{act}`, rest[0], here.value);
    }
    state.object = here.value;
    state.deep = state.nested = state.own = false;
  };
  method('property', hasMember, 2);
  const hasOwn = (assertion, state, ...rest) => {
    state.own = true;
    return hasMember(assertion, state, ...rest);
  };
  method('ownProperty', hasOwn);
  method('haveOwnProperty', hasOwn);
  const length = (assertion, state, count) => {
    const [value] = measure({ ...state, doLength: true });
    assertion.assert(value === count, 'expected #{this} to have a length of #{exp} but got #{act}',
      'expected #{this} to not have a length of #{act}', count, value);
  };
  chained('length', length, (_, state) => { state.doLength = true; });
  chained('lengthOf', length, (_, state) => { state.doLength = true; });
  const matches = (assertion, { object }, pattern) => assertion.assert(P.exec(pattern, object) !== null,
    `expected #{this} to match ${pattern}`, `expected #{this} not to match ${pattern}`);
  method('match', matches, 1);
  method('matches', matches, 1);
  method('string', (assertion, { object }, part) => assertion.assert(
    typeof object === 'string' && P.holds(object, part),
    `expected #{this} to contain ${inspect(part)}`, `expected #{this} to not contain ${inspect(part)}`));
  const listed = (values) => values.length === 1 && P.isArray(values[0]) ? values[0]
    : values.length === 1 && typeof values[0] === 'object' ? P.keys(values[0]) : values;
  const hasKeys = (assertion, state, ...values) => {
    const actual = state.object instanceof P.Map || state.object instanceof P.Set
      ? P.fromArrayLike(state.object.keys()) : P.keys(state.object);
    const wanted = P.map(listed(values), (key) => state.object instanceof P.Map ? key : P.String(key));
    const has = (key) => P.includes(actual, key);
    const isRight = state.any ? P.some(wanted, has)
      : P.every(wanted, has) && (state.contains || actual.length === wanted.length);
    const text = `${state.contains ? 'contain' : 'have'} key${wanted.length > 1 ? 's' : ''} `
      + P.join(P.map(wanted, inspect), state.any ? ' or ' : ', ');
    assertion.assert(isRight, `expected #{this} to ${text}`, `expected #{this} to not ${text}`,
      wanted, actual);
  };
  method('keys', hasKeys);
  method('key', hasKeys);
  method('members', (assertion, state, wanted) => {
    const like = same(state);
    const { object } = state;
    const rest = P.slice(object);
    const isHeld = P.every(wanted, (item, place) => {
      const at = state.ordered ? (like(object[place], item) ? 0 : -1)
        : P.findIndex(rest, (other) => like(other, item));
      if (at >= 0 && !state.ordered) P.splice(rest, at, 1);
      return at >= 0;
    });
    const isRight = isHeld && (state.contains || object.length === wanted.length);
    const text = state.contains ? 'be a superset of #{exp}'
      : `have the same ${state.ordered ? 'ordered ' : ''}members as #{exp}`;
    assertion.assert(isRight, `expected #{this} to ${text}`, `expected #{this} to not ${text}`,
      wanted, object);
  }, 1);
  method('oneOf', (assertion, state, list) => {
    const like = same(state);
    const { object } = state;
    const isRight = P.some(list, (item) => state.contains
      ? P.holds(P.String(object), item) : like(object, item));
    assertion.assert(isRight, 'expected #{this} to be one of #{exp}',
      'expected #{this} to not be one of #{exp}', list);
  }, 1);
  const respond = (assertion, { object }, name) => assertion.assert(
    typeof (typeof object === 'function' ? object.prototype?.[name] : object?.[name]) === 'function',
    `expected #{this} to respond to ${inspect(name)}`,
    `expected #{this} to not respond to ${inspect(name)}`);
  method('respondTo', respond);
  const satisfy = (assertion, { object }, test) => assertion.assert(test(object),
    'expected #{this} to satisfy the function', 'expected #{this} to not satisfy the function');
  method('satisfy', satisfy);
  method('satisfies', satisfy);

  method('jsonSchema', (assertion, { object, negate }, schema) =>
    core.part('schema').assert(schema, object, negate === true));

  // `pm.expect(pm.response).to.have.status(200)`: a response has sentences of its own.
  for (const name of ['status', 'header', 'body', 'jsonBody']) {
    method(name, (_, { object, negate }, ...values) => {
      const have = object?.to?.have;
      if (typeof have?.[name] !== 'function') throw new P.Error(`Invalid Chai property: ${name}`);
      (negate ? object.to.not.have : have)[name](...values);
    });
  }

  const throws = (assertion, state, ...expected) => {
    const isType = expected[0] instanceof P.Error || typeof expected[0] === 'function';
    const [wanted, text] = isType ? expected : [undefined, expected[0]];
    let error;
    let isThrown = false;
    try {
      state.object();
    } catch (caught) {
      [error, isThrown] = [caught, true];
    }
    const message = P.String(error?.message ?? error);
    const isKind = wanted === undefined || error === wanted
      || typeof wanted === 'function' && error instanceof wanted;
    const isText = text === undefined || (text instanceof P.RegExp ? P.test(text, message)
      : P.holds(message, text));
    const what = typeof wanted === 'function' ? wanted.name : wanted ? inspect(wanted) : 'an error';
    const like = text === undefined ? '' : ` with ${inspect(text)}`;
    assertion.assert(isThrown && isKind && isText,
      `expected #{this} to throw ${what}${like}${isThrown ? ` but ${inspect(error)} was thrown` : ''}`,
      `expected #{this} to not throw ${what}${like}`);
    state.object = error;
  };
  for (const name of ['throw', 'throws', 'Throw']) method(name, throws);
  const changes = (name, verb, test) => method(name, (assertion, { object }, target, member) => {
    const value = () => member === undefined ? target() : target[member];
    const before = value();
    object();
    const after = value();
    assertion.assert(test(before, after), `expected #{this} to ${verb}`,
      `expected #{this} to not ${verb}`);
    own(assertion).delta = P.Math.abs(after - before);
  });
  changes('change', 'change the value', (before, after) => before !== after);
  changes('increase', 'increase the value', (before, after) => after > before);
  changes('decrease', 'decrease the value', (before, after) => after < before);

  // `change(…).by(2)`: how much it was.
  method('by', (assertion, { delta }, wanted) => assertion.assert(delta === wanted,
    `expected #{this} to change the value by ${wanted}, but it changed by ${delta}`,
    `expected #{this} to not change the value by ${wanted}`), 1);

  // Misspelt words fail, or a test would pass that looks at nothing.
  const checked = (assertion) => {
    const state = own(assertion);
    const self = new P.Proxy(assertion, { get(target, name) {
      if (typeof name === 'string' && !(name in target) && name !== 'then' && name !== 'toJSON') {
        throw new P.Error(`Invalid Chai property: ${name}`);
      }
      return target[name];
    } });
    P.weakSet(flags, self, state);
    state.self = self;
    return self;
  };

  const expect = (value, message) => checked(new Assertion(value, message));
  expect.fail = (actual, expected, message) => {
    throw new AssertionError(message ?? (typeof actual === 'string' && expected === undefined
      ? actual : 'expect.fail()'), { actual, expected });
  };
  return P.freeze({ expect, Assertion, words, property, method,
    get chai() { return core.part('chai-assert').chai; } });
}
