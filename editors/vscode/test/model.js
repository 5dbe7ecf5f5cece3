'use strict';
// Holds what the extension and the server say to each other against the models of protocol/.
const fs = require('node:fs');
const path = require('node:path');

const protocol = path.join(__dirname, '../../../protocol');
const models = ['lsp.subset.json', 'postkit.metaModel.json'].map(
  name => JSON.parse(fs.readFileSync(path.join(protocol, name), 'utf8')));
/** The subset leaves out what the server does not read, so that only its own part is whole. */
let isWhole = false;
const named = (part, key = 'name') => new Map(
  models.flatMap(model => model[part]).map(item => [item[key], item]));
const structures = named('structures');
const enumerations = named('enumerations');
const aliases = named('typeAliases');
const messages = new Map([...named('requests', 'method'), ...named('notifications', 'method')]);

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const isInteger = (value, least) => Number.isInteger(value) && value >= least && value < 2 ** 31;
const BASES = {
  string: value => typeof value === 'string',
  DocumentUri: value => typeof value === 'string',
  URI: value => typeof value === 'string',
  boolean: value => typeof value === 'boolean',
  integer: value => isInteger(value, -(2 ** 31)),
  uinteger: value => isInteger(value, 0),
  decimal: value => typeof value === 'number',
  null: value => value === null,
};
const say = value => `${JSON.stringify(value)}`.slice(0, 80);
const first = (list, test) => {
  for (const [index, item] of list.entries()) {
    const problem = test(item, index);
    if (problem) return problem;
  }
  return null;
};

/** For each kind of type: what is wrong with a value at a place, else `null`. */
const KINDS = {
  base: ({ name }, value, place) =>
    BASES[name](value) ? null : `${place}: ${say(value)}, no ${name}`,
  array: ({ element }, value, place) => Array.isArray(value)
    ? first(value, (item, index) => problem(element, item, `${place}[${index}]`))
    : `${place}: ${say(value)} is no array`,
  map: ({ value: type }, value, place) => isObject(value)
    ? first(Object.entries(value), ([key, item]) => problem(type, item, `${place}.${key}`))
    : `${place}: ${say(value)} is no object`,
  or: ({ items }, value, place) => {
    const problems = items.map(item => problem(item, value, place));
    // The longest tells of the deepest place, so of the alternative that was meant.
    return problems.includes(null) ? null : problems.sort((a, b) => b.length - a.length)[0];
  },
  and: ({ items }, value, place) => first(items, item => problem(item, value, place)),
  tuple: ({ items }, value, place) => Array.isArray(value) && value.length === items.length
    ? first(items, (item, index) => problem(item, value[index], `${place}[${index}]`))
    : `${place} is no tuple of ${items.length}`,
  literal: ({ value: type }, value, place) => structure(
    { name: 'literal', ...type }, value, place),
  stringLiteral: ({ value: wanted }, value, place) =>
    value === wanted ? null : `${place}: ${say(value)} is not ${say(wanted)}`,
  reference: ({ name }, value, place) => {
    if (name === 'LSPAny' || name === 'LSPArray') return null;
    if (name === 'LSPObject') return isObject(value) ? null : `${place} is no object`;
    if (structures.has(name)) return structure(structures.get(name), value, place);
    if (aliases.has(name)) return problem(aliases.get(name).type, value, place);
    const { values, type, supportsCustomValues } = enumerations.get(name);
    if (supportsCustomValues) return problem(type, value, place);
    return values.some(item => item.value === value) ? null : `${place}: ${say(value)}, no ${name}`;
  },
};

const problem = (type, value, place) => KINDS[type.kind](type, value, place);

/** All properties by name; its own replace those that it takes over. */
function properties({ extends: bases = [], mixins = [], properties: own }) {
  const inherited = [...bases, ...mixins].flatMap(
    ({ name }) => [...properties(structures.get(name))]);
  return new Map([...inherited, ...own.map(property => [property.name, property])]);
}

function structure(type, value, place) {
  if (!isObject(value)) return `${place}: ${say(value)} is no ${type.name}`;
  const known = properties(type);
  const unknown = isWhole && Object.keys(value).find(name => !known.has(name));
  if (unknown) return `${place}.${unknown} is not in ${type.name}`;
  return first([...known.values()], ({ name, type: inner, optional }) => {
    if (name in value) return problem(inner, value[name], `${place}.${name}`);
    return optional ? null : `${place}.${name} is missing`;
  });
}

/** What is wrong with one message; `request` is the one that a response answers. */
function messageProblem({ from, id, method, params, result, error }, request) {
  isWhole = from === 'server';
  if (method === undefined) {
    if (error) return null;
    return problem(messages.get(request.method).result, result, `${request.method} result`);
  }
  const model = messages.get(method);
  if (!model) return `${method} is not in the model`;
  const wrong = from === 'client' ? 'serverToClient' : 'clientToServer';
  if (model.messageDirection === wrong) return `${method} from the ${from}`;
  if ((id !== undefined) !== ('result' in model)) return `${method}: request or notification?`;
  if (!model.params) return params ? `${method} has parameters` : null;
  return problem(model.params, params, `${method} params`);
}

/** What is wrong with a conversation as a tap notes it. @param {object[]} noted */
function problems(noted) {
  const requests = new Map();
  const key = (from, id) => `${from} ${JSON.stringify(id)}`;
  return noted.flatMap(message => {
    const { from, id, method } = message;
    if (method !== undefined && id !== undefined) requests.set(key(from, id), message);
    const request = method === undefined
      && requests.get(key(from === 'client' ? 'server' : 'client', id));
    // Answers to what a test has asked by itself.
    if (method === undefined && !request) return [];
    return messageProblem(message, request) ?? [];
  });
}

module.exports = { problems };
