'use strict';
// Finds the program `postkit`: the setting first, then the one packed with the extension, then
// the PATH.
const fs = require('fs');
const os = require('os');
const path = require('path');

/** There is no program that can be used; `message` says where this looked and what to do. */
class BinaryNotFound extends Error {}

/**
 * @param {object} options
 * @param {string} [options.setting] the value of `postkit.path`: a file, or a name to look up
 * @param {string} options.extensionPath
 * @param {NodeJS.ProcessEnv} options.environment
 * @param {string} [options.platform] as `process.platform`
 * @returns {string} the path of an executable file
 * @throws {BinaryNotFound}
 */
function findBinary({ setting, extensionPath, environment, platform = process.platform }) {
  const suffix = platform === 'win32' ? '.exe' : '';
  const wanted = (setting ?? '').trim();
  if (wanted) {
    const found = wanted.includes('/') || wanted.includes(path.sep)
      ? [expandHome(wanted)].find(isExecutable)
      : searchPath(wanted, environment, platform);
    if (found) return found;
    throw new BinaryNotFound(`The setting postkit.path is ${JSON.stringify(wanted)}, but there is `
      + 'no program there that can run. Correct the setting, or clear it.');
  }
  const bundled = path.join(extensionPath, 'bin', `postkit${suffix}`);
  if (isExecutable(bundled)) return bundled;
  const found = searchPath(`postkit${suffix}`, environment, platform);
  if (found) return found;
  throw new BinaryNotFound('The program postkit is neither in the extension nor on your PATH. '
    + 'Install it, or set its path in postkit.path.');
}

function searchPath(name, environment, platform) {
  const directories = (environment.PATH ?? '').split(platform === 'win32' ? ';' : ':');
  return directories.filter(Boolean).map(directory => path.join(directory, name))
    .find(isExecutable);
}

function expandHome(file) {
  return file === '~' || file.startsWith('~/') ? path.join(os.homedir(), file.slice(1)) : file;
}

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

module.exports = { findBinary, BinaryNotFound };
