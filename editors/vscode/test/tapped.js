'use strict';
// Windows whose conversation with the server is listened to.
const assert = require('node:assert/strict');
const { atEnd, binary, openFiles, scratch } = require('./support');
const { problems } = require('./model');
const { makeTap } = require('./tap');

/** A window whose extension talks to the server through a tap, which has to like what it hears. */
async function openTapped(t, files, held, { settings, ...options } = {}) {
  const tap = makeTap(scratch(t), binary, held);
  const opened = await openFiles(
    t, files, { settings: { ...settings, 'postkit.path': tap.command }, ...options });
  // What a test answers by itself may be more than the model of our server has.
  atEnd(t, () => assert.deepEqual(tap.isScripted ? [] : problems(tap.read()), []));
  return { tap, ...opened };
}

module.exports = { openTapped };
