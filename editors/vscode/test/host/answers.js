'use strict';
// What the user would answer and see: scripted answers, diagnostics, output, status bar.
const { EventEmitter } = require('events');
const fs = require('fs');
const uri = require('./uri');
const { fromIRange } = require('./documents');
const { scoreSelector } = require('./glob');
const features = require('./features');

class Answers extends EventEmitter {
  // ------------------------------------------------------------------ scripted answers
  /**
   * Answer what the extension asks. kinds: message, quickPick, input, dialog, debug, authentication.
   *   host.answer('message', /Reload/, 'Yes')      {once: true}: one time only; `match` may be a RegExp/string on the text, a function, or undefined for any
   */
  answer(kind, match, reply, { once = false } = {}) { this._scripts.push({ kind, match, reply, once }); return this; }
  async _ask(kind, rec) {
    const text = [rec.message, rec.title, rec.prompt, rec.placeHolder, rec.placeholder, rec.detail].filter(Boolean).join('\n');
    for (const s of [...this._scripts].reverse()) {
      if (s.kind !== kind) continue;
      const hit = s.match === undefined || s.match === null ? true : typeof s.match === 'function' ? s.match(rec) : s.match instanceof RegExp ? s.match.test(text) : text.includes(s.match);
      if (!hit) continue;
      if (s.once) this._scripts.splice(this._scripts.indexOf(s), 1);
      return typeof s.reply === 'function' ? s.reply(rec) : s.reply;
    }
    rec.unanswered = true;
    return undefined;
  }
  _fail(message) { this.errors.push({ kind: 'script', message }); return new Error(message); }
  /** → array of chosen handles, or undefined when dismissed */
  async _answerQuickPick(rec) {
    this.quickPicks.push(rec);
    const real = rec.items.filter(i => i.type !== 'separator');
    const a = await this._ask('quickPick', { ...rec, items: real });
    if (a === undefined || a === null) return undefined;
    if (typeof a === 'object' && 'typed' in a) return a;
    const pick = x => { const it = typeof x === 'number' ? real[x] : typeof x === 'object' ? real.find(i => i.handle === x.handle) : real.find(i => i.label === x) || real.find(i => i.label.replace(/\$\([^)]*\)\s*/g, '').trim() === x); if (!it) throw this._fail(`the scripted choice ${JSON.stringify(x)} is not among ${JSON.stringify(real.map(i => i.label))}`); return it; };
    const chosen = [].concat(a).map(pick);
    rec.answer = chosen.map(i => i.label);
    // {..., press: 'tooltip'}: a button of the item instead of the item.
    if (a.press) {
      const button = chosen[0].buttons?.find(each => each.tooltip === a.press);
      if (!button) throw this._fail(`there is no button ${JSON.stringify(a.press)} among ${JSON.stringify(chosen[0].buttons?.map(each => each.tooltip))}`);
      return { pressed: [chosen[0].handle, button.handle] };
    }
    return chosen.map(i => i.handle);
  }
  async _quickInput(p) {
    const key = p.id; let q = this._quick.get(key);
    if (!q) { q = { id: p.id, type: p.type, items: [], state: {} }; this._quick.set(key, q); }
    for (const [k, v] of Object.entries(p)) if (v !== null || k !== 'items') q.state[k] = v;
    if (p.type) q.type = p.type;
    if (p.items) q.items = p.items;
    const Q = this.rpcProxy.ExtHostQuickOpen;
    if (p.visible === false && q.shown) { q.shown = false; q.asked = false; await Q.$onDidHide(q.id); return; }
    if (p.visible) q.shown = true;
    if (!q.shown || q.asked) return;
    if (q.type === 'inputBox') {
      q.asked = true;
      const rec = { ...q.state, kind: 'inputBox' }; this.inputs.push(rec);
      const v = await this._ask('input', rec); rec.answer = v;
      setImmediate(async () => { try { if (v === undefined || v === null) { q.shown = false; await Q.$onDidHide(q.id); } else { await Q.$onDidChangeValue(q.id, String(v)); await Q.$onDidAccept(q.id); } } catch { /* host gone */ } });
    } else if (q.items.length && !q.state.busy) {
      q.asked = true;
      const h = await this._answerQuickPick({ ...q.state, items: q.items, kind: 'quickPick' });
      // {typed: 'text'}: the next items are asked about again.
      if (h?.typed !== undefined) { q.asked = false; q.items = []; setImmediate(() => Q.$onDidChangeValue(q.id, h.typed)); return; }
      // A list that stays open after a press is asked about again when it has other items.
      if (h?.pressed) { q.asked = false; q.items = []; setImmediate(() => Q.$onDidTriggerItemButton(q.id, ...h.pressed)); return; }
      setImmediate(async () => { try { if (h === undefined) { q.shown = false; await Q.$onDidHide(q.id); } else { await Q.$onDidChangeActive(q.id, h); await Q.$onDidChangeSelection(q.id, h); await Q.$onDidAccept(q.id); } } catch { /* host gone */ } });
    }
  }

  // ------------------------------------------------------------------ language features: see features.js and navigation.js
  _register(kind, handle, selector, meta) { this.registrations.set(handle, { kind, handle, selector, meta, seq: handle }); }
  _providerEvent(kind, handle) { this.emit('providerEvent', { kind, handle }); }
  /** The providers of a kind that apply to a document, best match first. */
  providers(kind, u) {
    const d = u === undefined ? undefined : this._docOr(u), out = [];
    for (const r of this.registrations.values()) {
      if (r.kind !== kind) continue;
      const s = d ? scoreSelector(r.selector, d.uri, d.languageId) : 1;
      if (s > 0) out.push([s, r]);
    }
    return out.sort((a, b) => b[0] - a[0] || b[1].seq - a[1].seq).map(x => x[1]);
  }
  /** Wait until a provider of that kind is registered for the document. */
  waitForProvider(kind, u, o = {}) { return this.waitFor(() => { const p = this.providers(kind, u); return p.length >= (o.count || 1) && p; }, { what: `a ${kind} provider${u ? ' for ' + uri.toString(u) : ''}`, ...o }); }

  // ------------------------------------------------------------------ diagnostics
  _markersChanged(keys) {
    this.emit('diagnostics', keys);
    const all = keys.map(k => [uri.parse(k), this._rawMarkers(k)]);
    this.rpc.call('ExtHostDiagnostics', '$acceptMarkersChange', [all.map(([u, m]) => [u, m])]).catch(() => {});
  }
  _rawMarkers(k) { const out = []; for (const [owner, m] of this._markers) for (const d of m.get(k) || []) out.push({ ...d, owner }); return out; }
  /** Diagnostics of a document: [{severity: 'error'|'warning'|'info'|'hint', message, range, source, code, owner, tags, relatedInformation}] */
  diagnostics(u) { return this._rawMarkers(uri.toString(u)).map(features.marker); }
  allDiagnostics() { const keys = new Set(); for (const m of this._markers.values()) for (const k of m.keys()) keys.add(k); return Object.fromEntries([...keys].map(k => [k, this.diagnostics(k)])); }
  /** Wait for diagnostics that satisfy test (default: at least one). */
  waitForDiagnostics(u, test = d => d.length > 0, o = {}) { return this.waitFor(() => { const d = this.diagnostics(u); return test(d) && d; }, { what: `diagnostics of ${uri.toString(u)} (now ${JSON.stringify(this.diagnostics(u).map(d => d.message))})`, ...o }); }

  _logText(key, start = 0) {
    const l = this.logs.get(key), inMemory = l ? Buffer.concat(l.buffers) : Buffer.alloc(0);
    let onDisk = Buffer.alloc(0); try { onDisk = fs.readFileSync(uri.fsPath(key)); } catch { /* nothing written */ }
    return (onDisk.length ? onDisk : inMemory).subarray(start).toString('utf8');
  }
  /** Text of an output channel (or log output channel) by its label; undefined when there is none. */
  output(label) {
    const c = [...this.outputs.values()].reverse().find(x => x.label === label);
    if (c) return this._logText(c.key, c.start);
    const l = [...this.logs.values()].reverse().find(x => x.name === label);
    return l && this._logText(l.key);
  }
  outputLabels() { return [...new Set([...this.outputs.values()].map(c => c.label).concat([...this.logs.values()].filter(l => l.name && l.extensionId).map(l => l.name)))]; }
  /** The extension host's own log. */
  hostLog() { for (const f of ['exthost.log', 'remoteexthost.log']) try { return fs.readFileSync(path.join(this.runDir, 'logs', f), 'utf8'); } catch { /* next */ } return ''; }
  stderr() { return this._stderr; } stdout() { return this._stdout; }
  statusBarItems() { return [...this.statusBar.values()]; }
  /** Text decorations of a document: [{key, options, ranges: [{range, hoverMessage, renderOptions}]}] */
  decorations(u) {
    const e = this.editorOf(u); if (!e) return [];
    return [...e.decorations].map(([key, ranges]) => ({ key, options: this.decorationTypes.get(key)?.options, ranges: ranges.map(r => ({ ...r, range: fromIRange(r.range) })) })).filter(d => d.ranges.length);
  }
  /** File decoration (badge, colour) of a resource, from all providers. */
  /** The user presses Cancel on a progress notification. */
  cancelProgress(p) { return this.rpc.call('ExtHostProgress', '$acceptProgressCanceled', [p.handle]); }
}
Object.assign(Answers.prototype, features.methods, require('./navigation').methods, require('./trees').methods);
module.exports = { Answers };
