'use strict';
// A headless Chromium, driven through its DevTools protocol over two pipes: no port is opened and
// no package is needed.
const { spawn } = require('child_process');
const { EventEmitter } = require('events');
const fs = require('fs');
const os = require('os');
const path = require('path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
  '--no-first-run', '--no-default-browser-check', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-extensions', '--disable-dev-shm-usage',
  '--force-color-profile=srgb', '--font-render-hinting=none', '--remote-debugging-pipe'];
const CLOSE_MILLISECONDS = 5_000;
const COMMAND_MILLISECONDS = 30_000;
const STARTS = 3;
const ERROR_CHARACTERS = 2_000;

/** Where Chromium is: `CHROMIUM`, or the first of its names on the PATH. */
function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const directories = (process.env.PATH ?? '').split(path.delimiter);
  return directories.flatMap(directory => NAMES.map(name => path.join(directory, name)))
    .find(file => fs.existsSync(file));
}

/** One browser. Events: `event` ({method, params, sessionId}). */
class Chromium extends EventEmitter {
  #child;
  #profile;
  #waiting = new Map();
  #next = 1;
  #rest = Buffer.alloc(0);
  #said = '';
  #end = null;

  /**
   * Starts it with a profile of its own, which goes with it. Chromium now and then ends, or hears
   * nothing, right after its start; then another one is started.
   * @returns {Promise<Chromium>} one that has answered
   */
  static async start(program = findChromium()) {
    for (let left = STARTS - 1; ; left--) {
      const browser = new Chromium(program);
      try {
        await browser.send('Browser.getVersion');
        return browser;
      } catch (error) {
        await browser.close();
        if (left === 0) throw error;
      }
    }
  }

  /** Starts it; `start` waits until it answers, too. */
  constructor(program) {
    super();
    // Each page listens.
    this.setMaxListeners(0);
    this.#profile = fs.mkdtempSync(path.join(os.tmpdir(), 'postkit-chromium-'));
    this.#child = spawn(program, [...FLAGS, `--user-data-dir=${this.#profile}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.#child.stdio[4].on('data', bytes => this.#receive(bytes));
    this.#child.stdio[3].on('error', () => {});
    this.#child.stderr.on('data', bytes => {
      this.#said = (this.#said + bytes).slice(-ERROR_CHARACTERS);
    });
    this.#child.on('error', error => this.#fail(error));
    this.#child.on('exit', (code, signal) => this.#fail(
      new Error(`Chromium ended with ${signal ?? `code ${code}`}; it said:\n${this.#said}`)));
  }

  /** Asks the browser, or with `sessionId` a page. */
  send(method, params = {}, sessionId = undefined) {
    // One that has ended would never answer.
    if (this.#end) return Promise.reject(this.#end);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method}: no answer in ${COMMAND_MILLISECONDS} ms; Chromium said:\n${
          this.#said}`));
      }, COMMAND_MILLISECONDS);
      const settle = work => value => {
        clearTimeout(timer);
        work(value);
      };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject), method });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** A new page of this size. @returns {Promise<Page>} */
  async open({ width, height }) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.send('Emulation.setDeviceMetricsOverride',
      { width, height, deviceScaleFactor: 1, mobile: false });
    await page.listen(sessionId);
    return page;
  }

  /** Ends it and takes its profile away. */
  async close() {
    const gone = new Promise(resolve => {
      if (this.#end) resolve();
      else this.#child.once('exit', resolve);
    });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_MILLISECONDS);
    await this.send('Browser.close').catch(() => {});
    await gone;
    clearTimeout(timer);
    fs.rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let end = this.#rest.indexOf(0); end >= 0; end = this.#rest.indexOf(0)) {
      const message = JSON.parse(this.#rest.toString('utf8', 0, end));
      this.#rest = this.#rest.subarray(end + 1);
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (!waiting) this.emit('event', message);
      else if (message.error) {
        waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      } else waiting.resolve(message.result);
    }
  }

  #fail(error) {
    this.#end ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/**
 * One page of it with the frames in it, and all that happened there: `requests`, `violations`,
 * `messages`; `frames` are those that live in a process of their own.
 */
class Page {
  frames = [];
  requests = [];
  violations = [];
  messages = [];
  #browser;
  #session;
  #sessions = new Set();
  #waiting = new Set();

  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
    browser.on('event', event => {
      if (this.#sessions.has(event.sessionId)) this.#note(event);
    });
  }

  /** Hears of all that happens in the page or in a frame; a frame waits until it is heard. */
  async listen(session) {
    this.#sessions.add(session);
    const send = (method, params) => this.#browser.send(method, params, session);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits']) {
      await send(`${domain}.enable`);
    }
    await send('Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    await send('Runtime.runIfWaitingForDebugger');
  }

  send(method, params) { return this.#browser.send(method, params, this.#session); }

  /** The value of an expression in the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Opens an address and waits until it has loaded. */
  async go(url) {
    const loaded = this.next('Page.loadEventFired');
    await this.send('Page.navigate', { url });
    await loaded;
  }

  /** Waits for an event. */
  next(method) {
    return new Promise((resolve, reject) => {
      const waiting = { method, resolve };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new Error(`there was no ${method}`));
      }, COMMAND_MILLISECONDS);
      waiting.resolve = value => {
        clearTimeout(timer);
        resolve(value);
      };
      this.#waiting.add(waiting);
    });
  }

  /** Presses a key, such as `Tab` or `Shift+Tab`. */
  async press(name) {
    const [key, ...modifiers] = name.split('+').reverse();
    const codes = { Tab: 9, Enter: 13, End: 35, Home: 36, ArrowLeft: 37, ArrowRight: 39 };
    const common = { key, code: key, windowsVirtualKeyCode: codes[key],
      modifiers: modifiers.includes('Shift') ? 8 : 0 };
    const text = key === 'Enter' ? '\r' : undefined;
    await this.send('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', text,
      ...common });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
  }

  /** A picture of the page as PNG. @returns {Promise<Buffer>} */
  async picture() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  #note({ method, params }) {
    if (method === 'Target.attachedToTarget') {
      this.frames.push(params.targetInfo.url);
      this.listen(params.sessionId).catch(error => this.messages.push(error.message));
    }
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Log.entryAdded') this.messages.push(params.entry.text);
    if (method === 'Runtime.exceptionThrown') {
      this.messages.push(params.exceptionDetails.exception?.description ?? 'an exception');
    }
    if (method === 'Audits.issueAdded' && params.issue.code === 'ContentSecurityPolicyIssue') {
      this.violations.push(params.issue.details.contentSecurityPolicyIssueDetails);
    }
    for (const waiting of this.#waiting) {
      if (waiting.method !== method) continue;
      this.#waiting.delete(waiting);
      waiting.resolve(params);
    }
  }
}

module.exports = { Chromium, findChromium };
