'use strict';
// Which documents are whose.

/** Requests: what all features are for. Responses (`postkit:`) are for reading only. */
const SELECTOR = [
  { language: 'http', scheme: 'file' },
  { language: 'http', scheme: 'untitled' },
];
/**
 * Its responses and lists, too, which are nothing but shown: they can be folded and followed, have
 * colours, and actions.
 */
const SHOWN_SELECTOR = [...SELECTOR, { scheme: 'postkit' }];
/** What it wants the text of: it says what is wrong with the settings of a project, too. */
const SYNCHRONIZED_SELECTOR = [...SHOWN_SELECTOR, { scheme: 'file', pattern: '**/postkit.json' }];

module.exports = { SHOWN_SELECTOR, SELECTOR, SYNCHRONIZED_SELECTOR };
