'use strict';
// Whether the program is one that this extension can work with.

/** The version of `experimental.postkit` that the extension speaks. */
const VERSION = 1;
/** The requests that it can't do without. */
const NEEDED = ['postkit/send', 'postkit/history', 'postkit/environments', 'postkit/variables',
  'postkit/collections', 'postkit/cookies', 'postkit/edit'];

/**
 * What is wrong with a program, in a sentence that says what to do.
 * @param {{capabilities?: object, serverInfo?: object}} result of `initialize`
 * @param {string} command the program
 * @param {string} version of the extension
 * @returns {string | null} `null` where all is well
 */
function incompatibility({ capabilities, serverInfo }, command, version) {
  const own = capabilities?.experimental?.postkit;
  const name = [serverInfo?.name, serverInfo?.version].filter(Boolean).join(' ');
  const what = `The program ${command}${name ? ` (${name})` : ''}`;
  if (!own) {
    return `${what} is a language server, but not PostKit's. Name PostKit's in the setting `
      + 'postkit.path.';
  }
  const missing = NEEDED.filter(method => !own.methods?.includes(method));
  if (own.version < VERSION || missing.length > 0) {
    const lacks = missing.length ? `: it lacks ${missing.join(', ')}` : '';
    return `${what} is too old for this extension${lacks}. Install PostKit ${version} or `
      + 'newer, or name a newer program in the setting postkit.path.';
  }
  if (own.version > VERSION) {
    return `${what} is too new for this extension. Update the extension.`;
  }
  return null;
}

module.exports = { NEEDED, incompatibility };
