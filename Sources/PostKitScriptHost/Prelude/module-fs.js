// The modules `fs` and `fs/promises`: reading inside the project; the program opens the files.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');
  const { Buffer } = core.part('buffer');

  const named = (path, name) => {
    const text = typeof name === 'object' && name !== null && typeof name.pathname === 'string'
      ? name.pathname : P.isView(name) ? V.decoded(name) : name;
    return V.named(path, text, 'path');
  };
  const encodingOf = (options) => typeof options === 'string' ? options : options?.encoding;
  const read = (path, name, options) => {
    const answer = core.call('file', named(path, name), 'bytes');
    const bytes = typeof answer === 'string' ? V.utf8(answer) : new P.Uint8Array(answer);
    const buffer = Buffer.from(bytes);
    const encoding = encodingOf(options);
    return encoding ? buffer.toString(encoding) : buffer;
  };
  const stat = (path, name) => {
    const found = core.call('file', named(path, name), 'stat');
    if (found === null) {
      throw P.assign(new P.Error(`ENOENT: no such file or directory, stat '${name}'`),
        { code: 'ENOENT', path: name });
    }
    return P.freeze({
      size: found.size, isFile: () => found.isFile, isDirectory: () => found.isDirectory,
      isSymbolicLink: () => false,
    });
  };
  const list = (path, name, options) => {
    const folder = named(path, name);
    const names = core.call('file', folder, 'list');
    if (options?.withFileTypes !== true) return names;
    return P.map(names, (item) => {
      const found = stat(path, `${P.replace(folder, /\/$/, '')}/${item}`);
      return P.freeze({ name: item, isFile: found.isFile, isDirectory: found.isDirectory });
    });
  };
  const exists = (name) => {
    try {
      return core.call('file', named('fs.existsSync', name), 'stat') !== null;
    } catch {
      return false;
    }
  };

  const refuse = () => {
    throw new P.Error("scripts can't write files");
  };
  const writing = ['writeFile', 'appendFile', 'mkdir', 'rm', 'rmdir', 'unlink', 'rename', 'copyFile',
    'truncate', 'chmod', 'symlink', 'link', 'utimes', 'mkdtemp', 'cp'];
  const promises = {
    readFile: async (name, options) => read('fs.readFile', name, options),
    stat: async (name) => stat('fs.stat', name),
    lstat: async (name) => stat('fs.lstat', name),
    readdir: async (name, options) => list('fs.readdir', name, options),
    access: async (name) => { stat('fs.access', name); },
  };
  // Node's form with a callback behind the arguments.
  const withCallback = (name) => (...values) => {
    const callback = V.callable(`fs.${name}`, 'callback', P.pop(values));
    P.then(promises[name](...values), (value) => callback(null, value), (error) => callback(error));
  };
  const fs = {
    readFileSync: (name, options) => read('fs.readFileSync', name, options), existsSync: exists,
    statSync: (name, options) => options?.throwIfNoEntry === false && !exists(name)
      ? undefined : stat('fs.statSync', name),
    lstatSync: (name) => stat('fs.lstatSync', name),
    readdirSync: (name, options) => list('fs.readdirSync', name, options),
    accessSync: (name) => { stat('fs.accessSync', name); },
    readFile: withCallback('readFile'), stat: withCallback('stat'),
    readdir: withCallback('readdir'), access: withCallback('access'),
  };
  for (const name of writing) {
    fs[name] = refuse;
    fs[`${name}Sync`] = refuse;
    promises[name] = async () => refuse();
  }
  for (const name of ['createWriteStream', 'createReadStream', 'watch', 'open', 'openSync']) {
    fs[name] = () => {
      throw new P.Error(`fs.${name} is not supported by PostKit`);
    };
  }
  fs.createWriteStream = refuse;
  fs.promises = promises;
  return P.freeze({ fs: P.freeze(fs), promises: P.freeze(promises) });
}
