'use strict';
// What the tests share: where the real program and the real extension host are, a scratch
// workspace, and a loopback HTTP server that can keep a request waiting.
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const home = require('./home');
const { ExtHost } = require('./host');

home.leave();

const extensionPath = path.join(__dirname, '..');
const repository = path.join(extensionPath, '..', '..');
const binary = path.resolve(
  process.env.POSTKIT_BIN ?? path.join(repository, '.build/debug/postkit'));
const serverDirectory = process.env.VSCODE_SERVER;

/**
 * Why a test can't run here: `false` when it can. With POSTKIT_REQUIRE_ALL=1 a missing part fails.
 * @param {Record<string, string | undefined>} needs what is needed and where it should be
 */
function missing(needs) {
  const absent = Object.entries(needs)
    .filter(([, file]) => !file || !fs.existsSync(file))
    .map(([name, file]) => `${name} (${file ?? 'not set'})`);
  if (absent.length === 0) return false;
  const reason = `missing: ${absent.join(', ')}`;
  if (process.env.POSTKIT_REQUIRE_ALL === '1') throw new Error(reason);
  process.stderr.write(`SKIPPED, ${reason}\n`);
  return reason;
}

/** The paths of all files of the extension's code. */
const sourceFiles = () => fs.readdirSync(path.join(extensionPath, 'src'),
  { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));

/** All of the extension's code in one text. */
const sourceText = () => sourceFiles().map(file => fs.readFileSync(file, 'utf8')).join('\n');

/**
 * How long anything is waited for that has to come, and how long a test may take, in milliseconds:
 * only one that fails takes so long, on however slow a machine.
 */
const PATIENCE = 60_000;
const LIMIT = 300_000;

const needsEditor = () => missing({ POSTKIT_BIN: binary, VSCODE_SERVER: serverDirectory });

const cleanups = new WeakMap();

/**
 * Runs at the end of the test, last come first served: what was started later ends earlier. All of
 * it runs, whatever fails.
 */
function atEnd(context, work) {
  let list = cleanups.get(context);
  if (!list) {
    cleanups.set(context, list = []);
    context.after(async () => {
      const failures = [];
      for (const each of list.reverse()) await Promise.resolve().then(each).catch(
        error => failures.push(error));
      if (failures.length) throw failures[0];
    });
  }
  list.push(work);
}

/** A new directory with these files; gone when the test ends. */
function scratch(context, files = {}) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'postkit-vscode-'));
  atEnd(context, () => fs.rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    fs.writeFileSync(path.join(directory, name), text);
  }
  return directory;
}

/**
 * Starts the extension host with our extension; at the end checks that nothing is left behind.
 * `store` is where in the workspace PostKit keeps its own things.
 */
async function startEditor(context,
  { workspace, settings, extension = extensionPath, store = '.store', env, ...more }) {
  const own = scratch(context);
  const host = await ExtHost.start({
    serverDir: serverDirectory,
    extensionPath: extension,
    workspace,
    settings: { 'postkit.path': binary, ...settings },
    // The keyring and the home of whoever runs the tests are left alone.
    env: {
      ...home.variables(own), POSTKIT_HOME: path.join([].concat(workspace)[0], store),
      DBUS_SESSION_BUS_ADDRESS: '', ...env,
    },
    timeout: PATIENCE,
    startTimeout: PATIENCE,
    hardTimeout: LIMIT,
    ...more,
  });
  atEnd(context, async () => {
    const { code, forced, leaked } = await host.dispose();
    if (code !== 0 || forced || leaked.length) {
      const end = JSON.stringify({ code, forced, leaked });
      throw new Error(`the extension host ended badly: ${end}`);
    }
    const problems = [...host.errors, ...host.unhandled.keys(), ...host.engineProblems];
    if (problems.length) throw new Error(`on the way: ${JSON.stringify(problems)}`);
    const strays = home.left(own);
    if (strays.length) throw new Error(`PostKit has used the home of its user: ${strays}`);
  });
  return host;
}

/**
 * A window on a folder with these files, the first of them open.
 * @param {Record<string, string>} files
 * @param {object} [options] of `startEditor`
 */
async function openFiles(t, files, options = {}) {
  const workspace = scratch(t, files);
  const host = await startEditor(t, { workspace, ...options });
  const file = path.join(workspace, Object.keys(files)[0]);
  const document = await host.openDocument(file);
  await host.waitForProvider('completion', file);
  const uri = name => `file://${path.join(workspace, name)}`;
  return { workspace, host, file, document, uri };
}

/**
 * A server that answers JSON and notes what it was asked; `/hang` never gets an answer, `/drip` and
 * `/events` (a stream) get half of one until `release` is called.
 * @param {{cookies?: string[], body?: string}} [options] what it sets, and answers instead
 * @returns {Promise<{origin: string, requests: object[], waitFor: Function, release: Function}>}
 */
async function startServer(context, { cookies, body } = {}) {
  const requests = [];
  const waiting = new Set();
  const halves = [];
  const changed = () => waiting.forEach(check => check());
  const server = http.createServer((request, response) => {
    const seen = { method: request.method, url: request.url, headers: request.headers, body: '' };
    requests.push(seen);
    request.on('data', chunk => { seen.body += chunk; });
    response.on('close', () => {
      seen.isClosed = true;
      changed();
    });
    request.on('end', () => {
      changed();
      if (request.url.startsWith('/hang')) return;
      if (/^\/(drip|events)/.test(request.url)) {
        const type = request.url === '/drip' ? 'text/plain' : 'text/event-stream';
        response.writeHead(200, { 'Content-Type': type });
        response.write('data: one\n\n');
        halves.push(() => response.end('data: two\n\n'));
        return;
      }
      const isPage = request.url.endsWith('.html');
      response.setHeader('Content-Type', isPage ? 'text/html' : 'application/json');
      if (cookies) response.setHeader('Set-Cookie', cookies);
      response.end(body ?? JSON.stringify({ path: request.url, token: 'abc' }));
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(context, () => {
    server.closeAllConnections();
    server.close();
  });
  /** Waits until a request satisfies the test. */
  const waitFor = (test, milliseconds = PATIENCE) => new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(check);
      reject(new Error(`no such request among ${JSON.stringify(requests)}`));
    }, milliseconds);
    function check() {
      const found = requests.find(test);
      if (!found) return;
      waiting.delete(check);
      clearTimeout(timer);
      resolve(found);
    }
    waiting.add(check);
    check();
  });
  const release = () => halves.splice(0).forEach(finish => finish());
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, waitFor, release };
}

module.exports = {
  atEnd, binary, extensionPath, LIMIT, missing, needsEditor, openFiles, PATIENCE, scratch,
  serverDirectory, sourceFiles, sourceText, startEditor, startServer,
};
