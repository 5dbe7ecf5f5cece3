'use strict';
// ExtHost: starts a real VS Code extension host process and plays the workbench for it.
const { spawn } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const uri = require('./uri');
const { matchPath } = require('./glob');
const { Wire } = require('./wire');
const { Rpc, WithBuffers, TimeoutError } = require('./rpc');
const { readBundle } = require('./bundle');
const { readExtension, activationEvents, engineProblem } = require('./manifest');
const { Configuration } = require('./config');
const { createMainThread } = require('./mainthread');
const { Workbench } = require('./workbench');

const sleep = ms => new Promise(r => setTimeout(r, ms));
/** Wait for p, at most ms; leaves no timer behind. */
const atMost = (p, ms) => { let t; return Promise.race([p, new Promise(r => { t = setTimeout(r, ms); })]).finally(() => clearTimeout(t)); };
const MSG_INITIALIZED = 1, MSG_READY = 2, MSG_TERMINATE = 3;
const live = new Set();
const killAll = () => { for (const h of live) { h._killGroup('SIGKILL'); try { if (!h.options.keepRunDir) fs.rmSync(h.runDir, { recursive: true, force: true }); } catch { /* best effort */ } } live.clear(); };
const onSignal = sig => { killAll(); process.off(sig, onSignal); process.kill(process.pid, sig); };
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
function track(h) { if (!live.size) { process.on('exit', killAll); for (const s of SIGNALS) process.on(s, onSignal); } live.add(h); }
function untrack(h) { if (live.delete(h) && !live.size) { process.off('exit', killAll); for (const s of SIGNALS) process.off(s, onSignal); } }

class ExtHost extends Workbench {
  /**
   * @param {object} o
   *   serverDir        directory of the unpacked VS Code Server (has node, out/, product.json)          [required]
   *   extensionPath    directory of the extension under test (or an array of them)
   *   builtins         names of extensions in serverDir/extensions to load as well, e.g. ['json-language-features']
   *   workspace        folder, array of folders, or undefined for an empty window
   *   settings         user settings {"a.b": value}; workspaceSettings likewise; folderSettings {folder: {...}}
   *   env              extra environment of the extension host (a value of null removes the variable)
   *   isolateHome      HOME and the XDG directories point into the run directory
   *   trusted          workspace trust (default true)
   *   development      load the extension as "under development" (ExtensionMode.Development)
   *   enableProposedApi  keep the manifest's enabledApiProposals
   *   timeout          default time limit of every request and wait, ms (30000)
   *   startTimeout     time limit for the start (30000);  hardTimeout: everything is killed after it (300000; 0 = never)
   *   trace            file that receives every RPC message as one JSON line
   *   keepRunDir, logLevel (1 trace … 5 error, 3), language ('en'), node (another node binary), inspect (port)
   */
  static async start(o) {
    const h = new ExtHost(o);
    track(h);
    try { await h._start(); } catch (e) { e.message += h._postMortem(); await h.dispose().catch(() => {}); throw e; }
    return h;
  }

  /** start, run f(host), always dispose; a failure carries what the host knew. Resolves with f's result. */
  static async run(o, f) {
    const h = await ExtHost.start(o);
    try { return await f(h); } catch (e) { try { e.message += `\n--- host state: ${JSON.stringify(h.describe(), null, 1).slice(0, 6000)}${h._postMortem()}`; } catch { /* keep the first error */ } throw e; } finally { await h.dispose(); }
  }

  constructor(o) {
    super();
    this.setMaxListeners(0);
    if (!o || !o.serverDir) throw new Error('serverDir is required');
    this.options = o;
    this.timeout = o.timeout ?? 30000;
    this.info = readBundle(o.serverDir);
    this._mark = `VSCHOST_ID=${crypto.randomUUID()}`;
    this.extensions = [].concat(o.extensionPath || []).map(d => readExtension(d, { isUnderDevelopment: !!o.development, enableProposedApi: !!o.enableProposedApi }));
    const loaded = new Set(), load = b => {
      const dir = path.isAbsolute(b) ? b : path.join(this.info.extensionsDir, b.replace(/^vscode\./, ''));
      if (loaded.has(dir)) return; loaded.add(dir);
      if (!fs.existsSync(dir)) throw new Error(`no built-in extension ${b} in ${this.info.extensionsDir}`);
      const e = readExtension(dir, { isBuiltin: true });
      this.extensions.push(e); deps(e);
    };
    // Built-in extensions that others depend on come along by themselves.
    const deps = e => { for (const d of e.extensionDependencies || []) if (/^vscode\./.test(d) && fs.existsSync(path.join(this.info.extensionsDir, d.slice(7)))) load(d); };
    this.extensions.slice().forEach(deps);
    (o.builtins || []).forEach(load);
    this.engineProblems = this.extensions.map(e => engineProblem(e, this.info.version)).filter(Boolean);
    this.folders = [].concat(o.workspace || []).map((f, i) => ({ uri: uri.fromPath(f), name: path.basename(path.resolve(f)), index: i }));
    this.config = new Configuration(this.extensions, { user: o.settings, workspace: o.workspaceSettings, folders: Object.fromEntries(Object.entries(o.folderSettings || {}).map(([k, v]) => [uri.toString(k), v])) });

    // what the extension does, for the test to look at
    this.calls = [];                 // every call of the extension host {at, actor, method, args} (log and telemetry traffic left out)
    this.unhandled = new Map();      // 'MainThreadX.$y' → count, for calls this harness answers with undefined because it does not know them
    this.errors = [];                // {kind: activation|runtime|unexpected|workspaceEdit|script, message, extension?, stack?}
    this.console = [];               // console.* of extensions {severity, text}
    this.activations = new Map();    // extension id (lower case) → {state: activating|active|failed, …times, error}
    this.commands = new Set();       // commands registered at run time
    this.builtinCommands = new Map();   // commands answered by the harness; add your own with onBuiltinCommand
    this.builtinCalls = [];          // {id, args} of workbench commands extensions asked for
    this.contextKeys = {};
    this.registrations = new Map();  // language feature providers: handle → {kind, selector, meta}
    this.documents = new Map(); this.editors = new Map(); this.activeEditor = null;
    this.messages = []; this.inputs = []; this.quickPicks = []; this.dialogs = []; this.progress = []; this.snippets = []; this.openedUris = []; this.clipboard = '';
    this.statusBar = new Map(); this.languageStatus = new Map(); this.outputs = new Map(); this.logs = new Map(); this.treeViews = new Map();
    this.decorationTypes = new Map(); this.fileDecorationProviders = new Map(); this.languageConfigurations = new Map();
    this.storage = new Map(Object.entries(o.storage || {}));
    this.contentProviders = new Map(); this.fileSystems = new Map(); this.watches = new Map();
    this._markers = new Map(); this._quick = new Map(); this._scripts = []; this._untitled = 0; this._editorSeq = 0; this._tabs = [];
    this._stderr = ''; this._stdout = ''; this.exit = null; this._disposing = false;
    this.runDir = fs.mkdtempSync(path.join(o.tmpDir || os.tmpdir(), 'vschost-'));
    this.rpcProxy = new Proxy({}, { get: (_t, actor) => new Proxy({}, { get: (_u, method) => (...args) => this.rpc.call(actor, method, args) }) });
  }

  // ------------------------------------------------------------------ start and stop
  async _start() {
    const o = this.options, t0 = Date.now(), limit = o.startTimeout ?? 30000;
    for (const d of ['logs', 'globalStorage', 'workspaceStorage']) fs.mkdirSync(path.join(this.runDir, d), { recursive: true });
    const hard = o.hardTimeout ?? 300000;
    if (hard) { this._hard = setTimeout(() => { this._timedOut = true; this._die(new TimeoutError(`hardTimeout of ${hard} ms reached`)); this._killGroup('SIGKILL'); }, hard); this._hard.unref(); }
    if (o.trace) this._trace = fs.createWriteStream(o.trace);

    const sock = path.join(this.runDir, 'ipc.sock');
    const server = net.createServer();
    await new Promise((res, rej) => { server.once('error', rej); server.listen(sock, res); });
    const connection = new Promise(res => server.once('connection', res));

    const env = {};
    for (const [k, v] of Object.entries(process.env)) if (!/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_V8_COVERAGE$|NODE_TEST_CONTEXT$)/.test(k)) env[k] = v;
    Object.assign(env, {
      VSCODE_ESM_ENTRYPOINT: this.info.entry, VSCODE_AMD_ENTRYPOINT: this.info.entry, VSCODE_HANDLES_UNCAUGHT_ERRORS: 'true', VSCODE_EXTHOST_IPC_HOOK: sock, VSCHOST_ID: this._mark.slice('VSCHOST_ID='.length),
      VSCODE_NLS_CONFIG: JSON.stringify({ userLocale: 'en', osLocale: 'en', resolvedLanguage: 'en', defaultMessagesFile: this.info.nls, locale: 'en', availableLanguages: {} }),
    });
    if (o.isolateHome) { const hm = path.join(this.runDir, 'home'); fs.mkdirSync(hm, { recursive: true }); Object.assign(env, { HOME: hm, XDG_CONFIG_HOME: `${hm}/.config`, XDG_CACHE_HOME: `${hm}/.cache`, XDG_DATA_HOME: `${hm}/.local/share`, XDG_STATE_HOME: `${hm}/.local/state` }); }
    for (const [k, v] of Object.entries(o.env || {})) if (v === null) delete env[k]; else env[k] = String(v);

    // 1.94 and 1.95 look for Electron's fetch unless they believe to have replaced fetch already.
    const preload = path.join(this.runDir, 'preload.cjs');
    if (this.info.minor < 96) fs.writeFileSync(preload, 'globalThis.__originalFetch ??= globalThis.fetch;\n');
    const args = ['--dns-result-order=ipv4first', ...(o.inspect ? [`--inspect=127.0.0.1:${o.inspect}`] : []), ...(this.info.minor < 96 ? ['--require', preload] : []), ...(o.execArgv || []), this.info.bootstrap, '--type=extensionHost', '--skipWorkspaceStorageLock', '--useHostProxy=false'];
    // A process group of its own, so that everything the extension spawns can be found and ended with it.
    this.child = spawn(o.node || this.info.node, args, { cwd: o.cwd || this.runDir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.pid = this.child.pid;
    const keep = (s, d) => (s + d).slice(-200000);
    this.child.stdout.setEncoding('utf8').on('data', d => { this._stdout = keep(this._stdout, d); });
    this.child.stderr.setEncoding('utf8').on('data', d => { this._stderr = keep(this._stderr, d); });
    this._exited = new Promise(res => {
      this.child.once('error', e => { this.exit = { code: null, signal: null, error: e.message }; res(); });
      this.child.once('exit', (code, signal) => { this.exit = { code, signal }; res(); });
    });
    this._exited.then(() => this._die(new Error(`the extension host ended (${JSON.stringify(this.exit)})`)));

    const within = (p, what) => {
      let timer;
      return Promise.race([p, this._exited.then(() => { throw new Error(`the extension host ended before ${what}: ${JSON.stringify(this.exit)}`); }),
        new Promise((_r, rej) => { timer = setTimeout(() => rej(new TimeoutError(`${what}: nothing within ${limit} ms`)), Math.max(1, limit - (Date.now() - t0))); })]).finally(() => clearTimeout(timer));
    };
    let socket;
    try { socket = await within(connection, 'it connected'); } finally { server.close(); }
    this.wire = new Wire(socket);
    this.wire.on('close', () => { if (!this._disposing) this._die(new Error('the extension host closed its connection')); });
    this.rpc = new Rpc(this.wire, this.info.ids, (a, m, args2, token) => this._incoming(a, m, args2, token), { timeout: this.timeout, trace: this._trace && (x => this._trace.write(JSON.stringify({ at: Date.now() - t0, ...x }, (_k, v) => v && v.type === 'Buffer' ? `<${v.data.length} bytes>` : v) + '\n')) });
    this.actors = createMainThread(this);

    // handshake: its "ready" → our init data → its "initialized" → RPC
    const step = want => new Promise(res => { const f = m => { if (m.length === 1 && m[0] === want) { this.wire.off('message', f); res(); } }; this.wire.on('message', f); });
    const ready = step(MSG_READY);
    await within(ready, 'it said it is ready');
    const initialized = step(MSG_INITIALIZED);
    this.wire.on('message', m => { if (m.length > 1) this.rpc.accept(m); });
    this.wire.send(Buffer.from(JSON.stringify(this._initData())));
    await within(initialized, 'it took the init data');

    const H = this.rpcProxy;
    // Not awaited one by one: the extension host loads its API only after the first of these has arrived.
    const first = [
      H.ExtHostConfiguration.$initializeConfiguration(this.config.data(this.folders.map(f => f.uri))),
      H.ExtHostFileSystemInfo.$acceptProviderInfos(uri.make('file', '', '/'), 2 | 4 | 8 | 1024),
      H.ExtHostTelemetry.$initializeTelemetryLevel(0, false, { usage: false, error: false }),
      H.ExtHostEditorTabs.$acceptEditorTabModel(this._tabModel()),
      H.ExtHostWorkspace.$initializeWorkspace(this._workspaceData(), o.trusted !== false),
    ];
    await within(Promise.all(first), 'it took configuration and workspace');
    await within(Promise.all([
      H.ExtHostLanguages.$acceptLanguageIds(this.languageIds()),
      H.ExtHostTheming.$onColorThemeChange('dark'),
      H.ExtHostStatusBar.$acceptStaticEntries([]),
      H.ExtHostTerminalService.$acceptDefaultProfile({ profileName: 'bash', path: '/bin/bash', isDefault: true }, { profileName: 'bash', path: '/bin/bash', isDefault: true }),
    ].map(p => p.catch(e => { this.errors.push({ kind: 'unexpected', message: `while starting: ${e.message}` }); }))), 'it took the rest of the state');
    await within(this.rpc.call('ExtHostExtensionService', '$activateByEvent', ['*', 0], { timeout: limit }), 'start-up activation finished');
    this.startMs = Date.now() - t0;
  }

  _initData() {
    const o = this.options, i = this.info, dir = d => uri.fromPath(path.join(this.runDir, d));
    const strip = ({ dir: _d, ...e }) => e;
    const map = {}; for (const e of this.extensions) { const a = activationEvents(e); if (a.length) map[e.identifier._lower] = a; }
    this.activationEvents = map;
    return {
      version: i.version, quality: i.quality, commit: i.commit, date: i.date, parentPid: process.pid,
      environment: {
        isExtensionDevelopmentDebug: false, appRoot: uri.fromPath(i.serverDir), appName: i.product.nameLong || 'Visual Studio Code', appHost: 'desktop', appUriScheme: i.product.urlProtocol || 'vscode',
        isExtensionTelemetryLoggingOnly: true, appLanguage: o.language || 'en', globalStorageHome: dir('globalStorage'), workspaceStorageHome: dir('workspaceStorage'), extensionTelemetryLogResource: dir('logs/extensionTelemetry.log'),
        ...(o.development ? { extensionDevelopmentLocationURI: this.extensions.filter(e => !e.isBuiltin).map(e => e.extensionLocation) } : {}),
        extensionLogLevel: o.extensionLogLevel,
      },
      workspace: this.folders.length ? { id: this._workspaceId(), name: this.folders.length === 1 ? this.folders[0].name : 'workspace', configuration: null, isUntitled: false, transient: false } : null,
      remote: { isRemote: false, authority: undefined, connectionData: null },
      consoleForward: { includeStack: false, logNative: false },
      extensions: { versionId: 1, allExtensions: this.extensions.map(strip), activationEvents: map, myExtensions: this.extensions.map(e => e.identifier) },
      ...(i.minor < 83 ? { logFile: dir('logs/exthost.log'), allExtensions: this.extensions.map(strip), activationEvents: map, myExtensions: this.extensions.map(e => e.identifier) } : {}),      // their place in old versions
      telemetryInfo: { sessionId: crypto.randomUUID(), machineId: 'vschost', sqmId: '', devDeviceId: '', firstSessionDate: new Date().toUTCString() },
      logLevel: o.logLevel ?? 3, loggers: [], logsLocation: dir('logs'), autoStart: true, uiKind: 1,
    };
  }
  _workspaceId() { return crypto.createHash('md5').update(this.folders.map(f => f.uri.external).join('|')).digest('hex'); }
  _workspaceData() {
    if (!this.folders.length) return null;
    return { id: this._workspaceId(), name: this.folders.length === 1 ? this.folders[0].name : 'workspace', isUntitled: false, transient: false, configuration: null, folders: this.folders.map((f, index) => ({ uri: f.uri, name: f.name, index })) };
  }
  languageIds() {
    const ids = ['plaintext', 'json', 'jsonc', 'javascript', 'typescript', 'javascriptreact', 'typescriptreact', 'html', 'css', 'scss', 'less', 'markdown', 'python', 'c', 'cpp', 'rust', 'go', 'java', 'csharp', 'shellscript', 'xml', 'yaml', 'sql', 'php', 'ruby', 'lua', 'makefile', 'dockerfile', 'log'];
    for (const e of this.extensions) for (const l of (e.contributes && e.contributes.languages) || []) if (l.id) ids.push(l.id);
    return [...new Set(ids)];
  }
  /** Language of a file by the extensions' contributions (pattern of the path, file name, extension), else a small built-in table. */
  languageOf(u) {
    const p = uri.parse(u).path, base = path.posix.basename(p).toLowerCase();
    const languages = this.extensions.flatMap(e => (e.contributes && e.contributes.languages) || []);
    const byPattern = languages.find(l => (l.filenamePatterns || []).some(x => x.includes('/') && matchPath(x, p)));
    if (byPattern) return byPattern.id;
    for (const l of languages)
      if ((l.filenames || []).some(f => f.toLowerCase() === base) || (l.extensions || []).some(x => base.endsWith(x.toLowerCase()))) return l.id;
    return { '.json': 'json', '.jsonc': 'jsonc', '.js': 'javascript', '.mjs': 'javascript', '.cjs': 'javascript', '.ts': 'typescript', '.html': 'html', '.css': 'css', '.scss': 'scss', '.less': 'less', '.md': 'markdown', '.py': 'python', '.c': 'c', '.h': 'c', '.cpp': 'cpp', '.hpp': 'cpp', '.rs': 'rust', '.go': 'go', '.java': 'java', '.sh': 'shellscript', '.xml': 'xml', '.yml': 'yaml', '.yaml': 'yaml', '.sql': 'sql', '.php': 'php' }[path.posix.extname(base)] || 'plaintext';
  }

  _incoming(actor, method, args, token) {
    if (!/^(\$log|\$publicLog2?|\$flush|\$logExtensionHostMessage|\$setPerformanceMarks)$/.test(method)) {
      this.calls.push({ at: Date.now(), actor, method, args });
      if (this.calls.length > 50000) this.calls.splice(0, 10000);
    }
    const f = this.actors[actor] && this.actors[actor][method];
    let r;
    if (f) r = f(...args, ...(token ? [token] : []));
    else { const k = `${actor}.${method}`; this.unhandled.set(k, (this.unhandled.get(k) || 0) + 1); }
    if (r && typeof r.then === 'function') r.then(() => this.emit('changed'), () => this.emit('changed')); else setImmediate(() => this.emit('changed'));
    return r;
  }
  _die(e) { if (this.rpc) this.rpc.die(e); if (!this.dead) { this.dead = e; this.emit('changed'); } }
  /** End the extension host, its process group, and what left the group but carries our mark in its environment. Nothing else. */
  _killGroup(sig) {
    if (!this.pid) return;
    const rest = this.children();
    try { process.kill(-this.pid, sig); } catch { /* nobody left */ }
    for (const c of rest) try { process.kill(c.pid, sig); } catch { /* gone */ }
  }
  /** Live processes the extension host started (directly or not): same process group, or our mark in the environment. */
  children() {
    const out = [];
    if (process.platform !== 'linux' || !this.pid) return out;
    for (const d of fs.readdirSync('/proc')) {
      if (!/^\d+$/.test(d) || Number(d) === this.pid) continue;
      try {
        const st = fs.readFileSync(`/proc/${d}/stat`, 'utf8'), rest = st.slice(st.lastIndexOf(')') + 2).split(' ');
        if (rest[0] === 'Z' || Number(d) === process.pid) continue;
        if (Number(rest[2]) === this.pid || fs.readFileSync(`/proc/${d}/environ`, 'latin1').includes(this._mark)) out.push({ pid: Number(d), cmd: fs.readFileSync(`/proc/${d}/cmdline`, 'utf8').replace(/\0/g, ' ').trim() });
      } catch { /* gone meanwhile */ }
    }
    return out;
  }
  _postMortem() {
    const bits = [];
    if (this.exit) bits.push(`exit ${JSON.stringify(this.exit)}`);
    if (this._stderr.trim()) bits.push(`stderr:\n${this._stderr.trim().slice(-3000)}`);
    if (this._stdout.trim()) bits.push(`stdout:\n${this._stdout.trim().slice(-2000)}`);
    const log = this.hostLog ? this.hostLog().split('\n').filter(l => /\[error\]/.test(l)).slice(-10).join('\n') : '';
    if (log) bits.push(`log:\n${log}`);
    return bits.length ? `\n  ${bits.join('\n  ')}` : '';
  }
  /**
   * Ask the extension host to end (it deactivates the extensions first), kill what is left.
   * @returns {{code, signal, forced, leaked: {pid, cmd}[], ms}}  leaked: processes the extension left running after its deactivation;
   *   a busy server behind something that listens ends when it finds that it is alone, which takes a loaded machine its time
   */
  async dispose({ graceMs = 60000, leakGraceMs = 60000 } = {}) {
    if (this._disposed) return this._disposed;
    return this._disposed = (async () => {
      const t0 = Date.now();
      this._disposing = true;
      clearTimeout(this._hard);
      let forced = false, leaked = [];
      if (this.child && !this.exit) {
        if (this.wire && !this.wire.closed) this.wire.send(Buffer.from([MSG_TERMINATE])); else forced = true;
        if (forced) this._killGroup('SIGKILL');
        await atMost(this._exited, graceMs);
        if (!this.exit) { forced = true; this._killGroup('SIGKILL'); await atMost(this._exited, 3000); }
      }
      if (this.pid && !forced) {
        const until = Date.now() + leakGraceMs;
        while ((leaked = this.children()).length && Date.now() < until) await sleep(50);
      }
      this._killGroup('SIGKILL');
      this._die(new Error('the extension host was disposed'));
      if (this.wire) this.wire.close();
      if (this._trace) await new Promise(r => this._trace.end(r));
      if (this.child) { this.child.stdout.destroy(); this.child.stderr.destroy(); this.child.unref(); }
      untrack(this);
      if (!this.options.keepRunDir) fs.rmSync(this.runDir, { recursive: true, force: true });
      return { ...(this.exit || { code: null, signal: null }), forced, leaked, ms: Date.now() - t0 };
    })();
  }

  // ------------------------------------------------------------------ waiting
  /** Wait until test() returns something truthy; re-checked whenever the extension host calls in (and every 100 ms). */
  async waitFor(test, { timeout = this.timeout, what } = {}) {
    const end = Date.now() + timeout;
    for (;;) {
      const v = await test();
      if (v) return v;
      if (this.dead) throw new Error(`waiting for ${what || test}: ${this.dead.message}${this._postMortem()}`);
      const left = end - Date.now();
      if (left <= 0) throw new TimeoutError(`waited ${timeout} ms in vain for ${what || test}${this._waitHint()}`);
      await new Promise(res => { const done = () => { clearTimeout(t); this.off('changed', done); res(); }; const t = setTimeout(done, Math.min(100, left)); this.on('changed', done); });
    }
  }
  _waitHint() {
    const bits = [];
    for (const a of this.activations.values()) if (a.state !== 'active') bits.push(`${a.id} is ${a.state}${a.error ? ': ' + a.error : ''}`);
    for (const e of this.errors.slice(-3)) bits.push(`${e.kind} error: ${e.message}`);
    const m = this.messages.filter(x => x.severity === 'error').slice(-2).map(x => `error message shown: ${x.message}`);
    return bits.concat(m).map(b => `\n  ${b}`).join('');
  }
  sleep(ms) { return sleep(ms); }
  /** Wait until the extension host has been silent for `quiet` ms. */
  async idle(quiet = 300, { timeout = this.timeout } = {}) {
    const end = Date.now() + timeout; let last = Date.now(); const f = () => { last = Date.now(); }; this.on('changed', f);
    try { while (Date.now() - last < quiet) { if (Date.now() > end) throw new TimeoutError(`never silent for ${quiet} ms within ${timeout} ms`); await sleep(25); } } finally { this.off('changed', f); }
  }

  // ------------------------------------------------------------------ activation
  _extension(id) { const l = String(id && id.value || id).toLowerCase(); return this.extensions.find(e => e.identifier._lower === l); }
  _activateByEvent(event, kind = 0) { return this.rpc.call('ExtHostExtensionService', '$activateByEvent', [event, kind]); }
  activateByEvent(event) { return this._activateByEvent(event); }
  /** Activate an extension (default: the first one) and fail loudly when its activate() fails. */
  async activate(id = this.extensions[0].id) {
    const e = this._extension(id); if (!e) throw new Error(`no extension ${id}`);
    await this.rpc.call('ExtHostExtensionService', '$activate', [e.identifier, { startup: false, extensionId: e.identifier, activationEvent: 'api' }]);
    const a = this.activations.get(e.identifier._lower);
    if (a && a.state === 'failed') throw new Error(`${e.id} failed to activate: ${a.error}\n${a.stack || ''}`);
    return a;
  }
  isActive(id = this.extensions[0].id) { return this.activations.get(String(id).toLowerCase())?.state === 'active'; }
  contributedCommands() { return this.extensions.flatMap(e => [].concat((e.contributes && e.contributes.commands) || [])).map(c => c.command); }

  /** One-page summary, handy when a test fails. */
  describe() {
    const count = {}; for (const r of this.registrations.values()) count[r.kind] = (count[r.kind] || 0) + 1;
    return {
      vscode: this.info.version, pid: this.pid, startMs: this.startMs, engineProblems: this.engineProblems,
      activations: [...this.activations.values()], providers: count, commands: [...this.commands].filter(c => !c.startsWith('__vsc') && !c.startsWith('_')),
      documents: [...this.documents.values()].map(d => ({ uri: d.key, languageId: d.languageId, version: d.version, dirty: d.isDirty })),
      diagnostics: Object.fromEntries(Object.entries(this.allDiagnostics()).map(([k, v]) => [k, v.map(d => `${d.severity}: ${d.message}`)])),
      messages: this.messages, statusBar: this.statusBarItems().map(s => s.text), outputs: this.outputLabels(),
      errors: this.errors, console: this.console.slice(-20), children: this.children(), unhandled: Object.fromEntries(this.unhandled),
    };
  }
}
module.exports = { ExtHost };
