'use strict';
// Which documents are whose.

/** Requests: what all features are for. Responses (`postkit:`) are for reading only. */
const SELECTOR = [
  { language: 'http', scheme: 'file' },
  { language: 'http', scheme: 'untitled' },
];
/** What the server offers actions for: its responses and lists are nothing but shown. */
const ACTION_SELECTOR = [...SELECTOR, { scheme: 'postkit' }];
/** What it wants the text of: it says what is wrong with the settings of a project, too. */
const SYNCHRONIZED_SELECTOR = [...ACTION_SELECTOR, { scheme: 'file', pattern: '**/postkit.json' }];

module.exports = { ACTION_SELECTOR, SELECTOR, SYNCHRONIZED_SELECTOR };
