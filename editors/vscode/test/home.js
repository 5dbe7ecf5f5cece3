'use strict';
// A home for all that tests start. A program that was told no store would open that of whoever runs
// the tests; here it is found instead, and the tests of the file fail.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** What of the environment leads PostKit to the places of a user, for a home. */
const variables = home => ({
  HOME: home,
  XDG_CACHE_HOME: path.join(home, '.cache'),
  XDG_CONFIG_HOME: path.join(home, '.config'),
  XDG_DATA_HOME: path.join(home, '.local/share'),
  XDG_STATE_HOME: path.join(home, '.local/state'),
});

/** The directories that PostKit has left in a home, relative to it. */
const left = home => fs.readdirSync(home, { recursive: true })
  .filter(name => path.basename(name) === 'postkit').sort();

/** Takes the home and the store of whoever runs the tests away from what this process starts. */
function leave() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'postkit-home-'));
  Object.assign(process.env, variables(home));
  delete process.env.POSTKIT_HOME;
  process.on('exit', () => {
    const found = left(home);
    fs.rmSync(home, { recursive: true, force: true });
    if (found.length === 0) return;
    process.stderr.write(`a program was started without a store of the test's own: it made ${found}`
      + ' in the home of whoever runs the tests\n');
    process.exitCode = 1;
  });
}

module.exports = { leave, left, variables };
