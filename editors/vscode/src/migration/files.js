'use strict';
// Adds members to a JSON file without changing what is there. Pure.

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Adds what is missing; what is there stays, and is told where it differs. */
function add(target, addition, path, kept) {
  for (const [key, value] of Object.entries(addition)) {
    const place = [...path, key];
    if (!Object.hasOwn(target, key)) target[key] = value;
    else if (isObject(target[key]) && isObject(value)) add(target[key], value, place, kept);
    else if (JSON.stringify(target[key]) !== JSON.stringify(value)) kept.push(place.join(' / '));
  }
}

/** JSON without the blanks between its tokens. */
function compact(text) {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (whole, string) => string ?? '');
}

/**
 * A file's text with more members.
 * @param {string} text as it is; empty for a new file
 * @param {object} addition
 * @returns {{text: string, kept: string[]}} `kept` names what is there with another value
 * @throws {Error} where to write the file anew would change more than its layout
 */
function extended(text, addition) {
  let value = {};
  if (text.trim()) {
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new Error(`it is not JSON (${error.message}). Correct it first`);
    }
    if (!isObject(value)) throw new Error('it is not a JSON object. Correct it first');
    // Long numbers and names that stand there twice would not survive.
    if (compact(text) !== JSON.stringify(value)) {
      throw new Error('its numbers, escapes or repeated names would not stay as they are. '
        + 'Add the members by hand');
    }
  }
  const kept = [];
  add(value, addition, [], kept);
  return { text: `${JSON.stringify(value, null, 2)}\n`, kept };
}

module.exports = { extended };
