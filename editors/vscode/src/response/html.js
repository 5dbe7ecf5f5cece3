'use strict';
// HTML as a template in which every value is text. What is to be markup was made by it, too, so
// that nothing of a response can ever become an element or an attribute.

/** Markup that was made here. */
class Markup {
  /** @param {string} text */
  constructor(text) { this.text = text; }

  toString() { return this.text; }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A value as text of HTML, within elements and quoted attributes alike. */
function escapeText(value) {
  return String(value).replace(/[&<>"']/g, character => ENTITIES[character]);
}

function markup(value) {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(markup).join('');
  return escapeText(value);
}

/**
 * Tags a template: values become text, lists are joined, nothing stands for no value.
 * @returns {Markup}
 */
function html(strings, ...values) {
  return new Markup(strings.reduce((text, part, place) => text + markup(values[place - 1]) + part));
}

/** A file of ours, such as our style sheet, as it is. @param {string} text */
function trusted(text) { return new Markup(text); }

module.exports = { escapeText, html, Markup, trusted };
