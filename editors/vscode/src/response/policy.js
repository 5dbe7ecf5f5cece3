'use strict';
// What the pages of the response panel may do. Pure.

/**
 * Nothing but their own style and script, and pictures that they have in themselves.
 * @param {string} nonce
 */
function policy(nonce) {
  return `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; `
    + `script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
}

module.exports = { policy };
