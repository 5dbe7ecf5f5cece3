// JSON Schema: the parts of drafts 7 and 2020-12 that schemas of responses use.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const { equals } = core.part('equality');

  const deepest = 200;
  const isObject = (value) => typeof value === 'object' && value !== null && !P.isArray(value);
  const types = {
    object: isObject, array: P.isArray, string: (value) => typeof value === 'string',
    number: (value) => typeof value === 'number', boolean: (value) => typeof value === 'boolean',
    integer: (value) => typeof value === 'number' && P.isInteger(value),
    null: (value) => value === null,
  };
  const formats = {
    'date-time': /^\d{4}-[01]\d-[0-3]\d[Tt ][0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/,
    date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
    time: /^[0-2]\d:[0-5]\d:[0-6]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)?$/,
    email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/,
    hostname: /^(?=.{1,253}$)[0-9A-Za-z](?:[\w-]{0,62})(?:\.[0-9A-Za-z][\w-]{0,62})*\.?$/,
    ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, ipv6: /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]+$/,
    uri: /^[A-Za-z][\w+.-]*:\S*$/, 'uri-reference': /^\S*$/,
    uuid: /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
    'json-pointer': /^(?:\/(?:[^~/]|~0|~1)*)*$/, duration: /^P(?!$)(?:\d+[YMWD])*(?:T(?=\d)(?:\d+[HMS])+)?$/,
  };
  const shown = (value) => {
    const text = core.part('shown').json(value) ?? `${typeof value}`;
    return text.length > 60 ? `${P.sub(text, 0, 60)}…` : text;
  };
  const article = (type) => type === 'null' ? 'null'
    : P.includes(['object', 'array', 'integer'], type) ? `an ${type}` : `a ${type}`;

  // A part of the schema by a local reference: `#/$defs/name`, `#anchor` or an `$id`.
  const resolve = (root, reference) => {
    if (reference === '#' || reference === root.$id) return root;
    if (P.starts(reference, '#/')) {
      let part = root;
      for (const step of P.split(P.sub(reference, 2), '/')) {
        const key = P.replace(P.replace(P.decodeURIComponent(step), /~1/g, '/'), /~0/g, '~');
        part = (isObject(part) || P.isArray(part)) && P.has(part, key) ? part[key] : undefined;
      }
      if (part !== undefined) return part;
    }
    const named = search(root, reference, 0);
    if (named !== undefined) return named;
    throw new P.Error(`the schema refers to ${reference}, which it does not have`);
  };
  const search = (part, reference, depth) => {
    if (typeof part !== 'object' || part === null || depth > deepest) return undefined;
    if (part.$id === reference || `#${part.$anchor}` === reference) return part;
    for (const key of P.keys(part)) {
      const found = search(part[key], reference, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  // What is wrong with a value, as `{ path, keyword, message }`.
  const validate = (schema, value) => {
    if (typeof schema !== 'boolean' && !isObject(schema)) {
      throw core.part('values').wrong('jsonSchema', 'the schema must be an object', schema);
    }
    const mistakes = [];
    check({ root: schema, mistakes, depth: 0 }, schema, value, '$');
    return mistakes;
  };
  const isValid = (state, schema, value) => {
    const mistakes = [];
    check({ ...state, mistakes }, schema, value, '$');
    return mistakes.length === 0;
  };
  const check = (state, schema, value, path) => {
    const fail = (keyword, message) => P.push(state.mistakes, { path, keyword, message });
    if (schema === true || schema === undefined) return;
    if (schema === false) return void fail('false schema', 'must not be there');
    if (!isObject(schema)) throw new P.TypeError(`the schema at ${path} must be an object`);
    if (state.depth > deepest) throw new P.Error('the schema is too deep');
    const inner = { ...state, depth: state.depth + 1 };
    if (typeof schema.$ref === 'string') check(inner, resolve(state.root, schema.$ref), value, path);
    if (value === null && schema.nullable === true) return;
    ofAny(schema, value, fail);
    if (typeof value === 'string') ofText(schema, value, fail);
    if (typeof value === 'number') ofNumber(schema, value, fail);
    if (P.isArray(value)) ofArray(inner, schema, value, path, fail);
    else if (isObject(value)) ofObject(inner, schema, value, path, fail);
    combined(inner, schema, value, path, fail);
  };

  const ofAny = (schema, value, fail) => {
    if (schema.type !== undefined) {
      const wanted = P.concat([], schema.type);
      for (const type of wanted) {
        if (!P.has(types, type)) throw new P.Error(`the schema has the unknown type ${shown(type)}`);
      }
      if (!P.some(wanted, (type) => types[type](value))) {
        fail('type', `must be ${P.join(P.map(wanted, article), ' or ')}, is ${shown(value)}`);
      }
    }
    if (P.isArray(schema.enum) && !P.some(schema.enum, (item) => equals(item, value))) {
      fail('enum', `must be one of ${shown(schema.enum)}, is ${shown(value)}`);
    }
    if (P.has(schema, 'const') && !equals(schema.const, value)) {
      fail('const', `must be ${shown(schema.const)}, is ${shown(value)}`);
    }
  };
  const ofText = (schema, value, fail) => {
    // Characters are code points.
    let length = 0;
    if (schema.minLength !== undefined || schema.maxLength !== undefined) {
      for (let i = 0; i < value.length; i += P.codePoint(value, i) > 0xffff ? 2 : 1) length += 1;
    }
    if (length < schema.minLength) fail('minLength', `must have at least ${schema.minLength} characters`);
    if (length > schema.maxLength) fail('maxLength', `must have at most ${schema.maxLength} characters`);
    if (typeof schema.pattern === 'string') {
      let pattern;
      try {
        pattern = new P.RegExp(schema.pattern, 'u');
      } catch {
        pattern = new P.RegExp(schema.pattern);
      }
      if (!P.test(pattern, value)) {
        fail('pattern', `must match ${schema.pattern}, is ${shown(value)}`);
      }
    }
    const { format } = schema;
    if (typeof format === 'string' && P.has(formats, format) && !P.test(formats[format], value)) {
      fail('format', `must be of the format ${format}, is ${shown(value)}`);
    }
  };
  const ofNumber = (schema, value, fail) => {
    // In draft 4 the exclusive forms are flags of the others.
    const low = schema.exclusiveMinimum === true;
    const high = schema.exclusiveMaximum === true;
    if (low ? value <= schema.minimum : value < schema.minimum) {
      fail('minimum', `must be ${low ? 'above' : 'at least'} ${schema.minimum}, is ${value}`);
    }
    if (high ? value >= schema.maximum : value > schema.maximum) {
      fail('maximum', `must be ${high ? 'below' : 'at most'} ${schema.maximum}, is ${value}`);
    }
    if (!low && value <= schema.exclusiveMinimum) {
      fail('exclusiveMinimum', `must be above ${schema.exclusiveMinimum}, is ${value}`);
    }
    if (!high && value >= schema.exclusiveMaximum) {
      fail('exclusiveMaximum', `must be below ${schema.exclusiveMaximum}, is ${value}`);
    }
    if (typeof schema.multipleOf === 'number') {
      const times = value / schema.multipleOf;
      if (P.Math.abs(times - P.Math.round(times)) > 1e-9) {
        fail('multipleOf', `must be a multiple of ${schema.multipleOf}, is ${value}`);
      }
    }
  };
  const ofArray = (state, schema, value, path, fail) => {
    if (value.length < schema.minItems) fail('minItems', `must have at least ${schema.minItems} items, has ${value.length}`);
    if (value.length > schema.maxItems) fail('maxItems', `must have at most ${schema.maxItems} items, has ${value.length}`);
    // A list of schemas is `items` in draft 7 and `prefixItems` after it.
    const first = schema.prefixItems ?? (P.isArray(schema.items) ? schema.items : []);
    const rest = P.isArray(schema.items) ? schema.additionalItems : schema.items;
    P.forEach(value, (item, place) => {
      check(state, place < first.length ? first[place] : rest, item, `${path}[${place}]`);
    });
    if (schema.uniqueItems === true) {
      const twice = P.findIndex(value, (item, place) =>
        P.some(P.slice(value, 0, place), (other) => equals(item, other)));
      if (twice >= 0) fail('uniqueItems', `must not have an item twice, has ${shown(value[twice])}`);
    }
    if (schema.contains !== undefined) {
      const count = P.filter(value, (item) => isValid(state, schema.contains, item)).length;
      if (count < (schema.minContains ?? 1) || count > schema.maxContains) {
        fail('contains', `has ${count} of the items that it must contain`);
      }
    }
  };
  const ofObject = (state, schema, value, path, fail) => {
    const names = P.keys(value);
    const at = (name) => P.test(/^[A-Za-z_$][\w$]*$/, name) ? `${path}.${name}` : `${path}[${P.json(name)}]`;
    for (const name of P.isArray(schema.required) ? schema.required : []) {
      if (!P.has(value, name)) fail('required', `must have the member ${shown(name)}`);
    }
    if (names.length < schema.minProperties) fail('minProperties', `must have at least ${schema.minProperties} members`);
    if (names.length > schema.maxProperties) fail('maxProperties', `must have at most ${schema.maxProperties} members`);
    const patterns = P.map(P.keys(schema.patternProperties ?? {}), (text) =>
      [new P.RegExp(text), schema.patternProperties[text]]);
    for (const name of names) {
      const isKnown = P.has(schema.properties ?? {}, name);
      if (isKnown) check(state, schema.properties[name], value[name], at(name));
      const fitting = P.filter(patterns, ([pattern]) => P.test(pattern, name));
      for (const [, part] of fitting) check(state, part, value[name], at(name));
      if (!isKnown && fitting.length === 0 && schema.additionalProperties !== undefined) {
        if (schema.additionalProperties === false) {
          fail('additionalProperties', `must not have the member ${shown(name)}`);
        } else {
          check(state, schema.additionalProperties, value[name], at(name));
        }
      }
      if (schema.propertyNames !== undefined) check(state, schema.propertyNames, name, at(name));
      const needed = schema.dependentRequired?.[name] ?? schema.dependencies?.[name];
      for (const other of P.isArray(needed) ? needed : []) {
        if (!P.has(value, other)) fail('dependentRequired', `must have ${shown(other)} beside ${shown(name)}`);
      }
      const needs = schema.dependentSchemas?.[name] ?? (P.isArray(needed) ? undefined : needed);
      if (needs !== undefined) check(state, needs, value, path);
    }
  };
  const combined = (state, schema, value, path, fail) => {
    for (const part of schema.allOf ?? []) check(state, part, value, path);
    if (schema.anyOf && !P.some(schema.anyOf, (part) => isValid(state, part, value))) {
      fail('anyOf', `fits none of the schemas of anyOf, is ${shown(value)}`);
    }
    if (schema.oneOf) {
      const count = P.filter(schema.oneOf, (part) => isValid(state, part, value)).length;
      if (count !== 1) fail('oneOf', `must fit one of the schemas of oneOf, fits ${count}`);
    }
    if (schema.not !== undefined && isValid(state, schema.not, value)) {
      fail('not', `fits the schema of not, is ${shown(value)}`);
    }
    if (schema.if !== undefined) {
      const branch = isValid(state, schema.if, value) ? schema.then : schema.else;
      check(state, branch, value, path);
    }
  };

  // Throws where a value does not fit, or does although it must not.
  const assert = (schema, value, isNegated = false) => {
    const mistakes = validate(schema, value);
    const { AssertionError } = core.part('tests');
    if (isNegated && mistakes.length === 0) {
      throw new AssertionError('expected the data to not satisfy the schema');
    }
    if (isNegated || mistakes.length === 0) return;
    const lines = P.map(P.slice(mistakes, 0, 10), ({ path, message }) => `${path} ${message}`);
    throw new AssertionError(`expected the data to satisfy the schema but found: ${P.join(lines, '; ')}`);
  };
  return P.freeze({ validate, assert });
}
