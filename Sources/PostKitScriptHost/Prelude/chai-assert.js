// The module `chai`: `expect`, `assert`, `should` and what its plugins ask for.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const { AssertionError } = core.part('tests');
  const { expect, Assertion } = core.part('chai');

  const assert = (value, message) => {
    if (!value) throw new AssertionError(message ?? `expected ${value} to be truthy`);
  };
  // As `==` finds them equal.
  const loosely = (value, other, message, isEqual) => {
    if ((value == other) === isEqual) return; // eslint-disable-line eqeqeq
    const shown = core.part('shown').inspect;
    const lead = message === undefined ? '' : `${message}: `;
    throw new AssertionError(`${lead}expected ${shown(value)} to ${isEqual ? '' : 'not '}equal `
      + shown(other), { actual: value, expected: other });
  };
  // Each function is a sentence of `expect`; the last argument is a message.
  const sentences = {
    isOk: (e) => e.to.be.ok, ok: (e) => e.to.be.ok, isNotOk: (e) => e.to.not.be.ok,
    notOk: (e) => e.to.not.be.ok, isTrue: (e) => e.to.be.true, isFalse: (e) => e.to.be.false,
    isNotTrue: (e) => e.to.not.be.true, isNotFalse: (e) => e.to.not.be.false,
    isNull: (e) => e.to.be.null, isNotNull: (e) => e.to.not.be.null,
    isNaN: (e) => e.to.be.NaN, isNotNaN: (e) => e.to.not.be.NaN, exists: (e) => e.to.exist,
    notExists: (e) => e.to.not.exist, isUndefined: (e) => e.to.be.undefined,
    isDefined: (e) => e.to.not.be.undefined, isEmpty: (e) => e.to.be.empty,
    isNotEmpty: (e) => e.to.not.be.empty, isFinite: (e) => e.to.be.finite,
    isArray: (e) => e.to.be.an('array'), isNotArray: (e) => e.to.not.be.an('array'),
    isString: (e) => e.to.be.a('string'), isNumber: (e) => e.to.be.a('number'),
    isBoolean: (e) => e.to.be.a('boolean'), isFunction: (e) => e.to.be.a('function'),
    isObject: (e) => e.to.be.an('object'), isNotObject: (e) => e.to.not.be.an('object'),
  };
  const two = {
    strictEqual: (e, v) => e.to.equal(v), notStrictEqual: (e, v) => e.to.not.equal(v),
    deepEqual: (e, v) => e.to.eql(v), notDeepEqual: (e, v) => e.to.not.eql(v),
    deepStrictEqual: (e, v) => e.to.eql(v), isAbove: (e, v) => e.to.be.above(v),
    isAtLeast: (e, v) => e.to.be.at.least(v), isBelow: (e, v) => e.to.be.below(v),
    isAtMost: (e, v) => e.to.be.at.most(v), typeOf: (e, v) => e.to.be.a(v),
    notTypeOf: (e, v) => e.to.not.be.a(v), instanceOf: (e, v) => e.to.be.instanceOf(v),
    notInstanceOf: (e, v) => e.to.not.be.instanceOf(v), include: (e, v) => e.to.include(v),
    notInclude: (e, v) => e.to.not.include(v), deepInclude: (e, v) => e.to.deep.include(v),
    match: (e, v) => e.to.match(v), notMatch: (e, v) => e.to.not.match(v),
    property: (e, v) => e.to.have.property(v), notProperty: (e, v) => e.to.not.have.property(v),
    nestedProperty: (e, v) => e.to.have.nested.property(v), lengthOf: (e, v) => e.to.have.lengthOf(v),
    hasAllKeys: (e, v) => e.to.have.all.keys(v), hasAnyKeys: (e, v) => e.to.have.any.keys(v),
    containsAllKeys: (e, v) => e.to.contain.all.keys(v), oneOf: (e, v) => e.to.be.oneOf(v),
    sameMembers: (e, v) => e.to.have.members(v),
    sameDeepMembers: (e, v) => e.to.have.deep.members(v),
    includeMembers: (e, v) => e.to.include.members(v),
    hasProperty: (e, v) => e.to.have.property(v),
  };
  for (const name of P.keys(sentences)) {
    assert[name] = (value, message) => { sentences[name](expect(value, message)); };
  }
  for (const name of P.keys(two)) {
    assert[name] = (value, other, message) => { two[name](expect(value, message), other); };
  }
  P.assign(assert, {
    equal: (value, other, message) => loosely(value, other, message, true),
    notEqual: (value, other, message) => loosely(value, other, message, false),
    fail: (...values) => expect.fail(...values),
    propertyVal: (o, name, v, message) => { expect(o, message).to.have.property(name, v); },
    deepPropertyVal: (o, name, v, message) =>
      { expect(o, message).to.have.deep.property(name, v); },
    nestedPropertyVal: (o, name, v, message) =>
      { expect(o, message).to.have.nested.property(name, v); },
    closeTo: (v, expected, delta, message) => { expect(v, message).to.be.closeTo(expected, delta); },
    approximately: (v, expected, delta, message) =>
      { expect(v, message).to.be.closeTo(expected, delta); },
    throws: (body, ...expected) => { expect(body).to.throw(...expected); },
    throw: (body, ...expected) => { expect(body).to.throw(...expected); },
    doesNotThrow: (body) => { expect(body).to.not.throw(); },
  });
  const should = () => {
    P.define(P.Object.prototype, 'should', {
      get() { return expect(this instanceof P.String || this instanceof P.Number
        || this instanceof P.Boolean ? this.valueOf() : this); }, configurable: true,
    });
    return P.freeze({ fail: expect.fail, exist: (value) => assert.exists(value) });
  };
  const chai = {
    expect, assert, should, AssertionError, Assertion, config: {},
    // Plugins get what they ask for: words that they add.
    use(plugin) {
      plugin(chai, { addMethod: (prototype, name, call) => P.define(prototype, name, {
        value(...values) { return P.apply(call, this, values) ?? this; }, configurable: true,
      }), flag: () => undefined });
      return chai;
    },
  };
  return P.freeze({ chai, assert });
}
