'use strict';
// Language features: call the registered providers back and turn what they return into plain, 0-based objects.
// Every returned object keeps the original under `raw` (not enumerable), which the resolve*/runCommand calls use.
const uri = require('./uri');
const { WithBuffers } = require('./rpc');
const { toIRange, fromIRange } = require('./documents');

const COMPLETION = ['Method', 'Function', 'Constructor', 'Field', 'Variable', 'Class', 'Struct', 'Interface', 'Module', 'Property', 'Event', 'Operator', 'Unit', 'Value', 'Constant', 'Enum', 'EnumMember', 'Keyword', 'Text', 'Color', 'File', 'Reference', 'Customcolor', 'Folder', 'TypeParameter', 'User', 'Issue', 'Snippet'];
const SYMBOL = ['File', 'Module', 'Namespace', 'Package', 'Class', 'Method', 'Property', 'Field', 'Constructor', 'Enum', 'Interface', 'Function', 'Variable', 'Constant', 'String', 'Number', 'Boolean', 'Array', 'Object', 'Key', 'Null', 'EnumMember', 'Struct', 'Event', 'Operator', 'TypeParameter'];
const MARKER = { 1: 'hint', 2: 'info', 4: 'warning', 8: 'error' };
const hide = (o, raw, more = {}) => { for (const [k, v] of Object.entries({ raw, ...more })) Object.defineProperty(o, k, { value: v, enumerable: false, writable: true, configurable: true }); return o; };
const P = p => ({ lineNumber: p.line + 1, column: p.character + 1 });
const pos = p => p && p.lineNumber !== undefined ? { line: p.lineNumber - 1, character: p.column - 1 } : p;
const range = r => r && r.startLineNumber !== undefined ? fromIRange(r) : r;
const md = m => m === undefined || m === null ? undefined : typeof m === 'string' ? m : m.value;

/** Deep: IRange → {start, end}, IPosition → {line, character}, URI → string, buffers stay. */
function clean(_host, v) {
  if (v === null || typeof v !== 'object' || Buffer.isBuffer(v)) return v;
  if (v instanceof WithBuffers) return clean(_host, v.value);
  if (Array.isArray(v)) return v.map(x => clean(_host, x));
  if (v.$mid === 1) return uri.toString(v);
  if (v.startLineNumber !== undefined && v.endColumn !== undefined && Object.keys(v).length === 4) return fromIRange(v);
  if (v.lineNumber !== undefined && v.column !== undefined && Object.keys(v).length === 2) return pos(v);
  const o = {}; for (const k of Object.keys(v)) o[k] = clean(_host, v[k]);
  return o;
}
/** CommandDto → {command, title, arguments?}. Commands with arguments travel as a reference; runCommand() follows it. */
function command(c) {
  if (!c) return undefined;
  const viaRef = typeof c.$ident === 'string';
  return hide({ command: viaRef && / \/\d+$/.test(c.$ident) ? c.$ident.replace(/ \/\d+$/, '') : c.id,      // (before 1.82 the reference does not tell the name)
    title: c.title, tooltip: c.tooltip, ...(viaRef ? { hasArguments: true } : c.arguments ? { arguments: clean(null, c.arguments) } : {}) }, c);
}
function marker(d) {
  return { severity: MARKER[d.severity] || d.severity, message: d.message, range: { start: { line: d.startLineNumber - 1, character: d.startColumn - 1 }, end: { line: d.endLineNumber - 1, character: d.endColumn - 1 } }, source: d.source, code: d.code && typeof d.code === 'object' ? d.code.value : d.code, ...(d.code && d.code.target ? { codeTarget: uri.toString(d.code.target) } : {}), owner: d.owner, ...(d.tags && d.tags.length ? { tags: d.tags.map(t => ({ 1: 'unnecessary', 2: 'deprecated' })[t] || t) } : {}), ...(d.relatedInformation && d.relatedInformation.length ? { relatedInformation: d.relatedInformation.map(r => ({ uri: uri.toString(r.resource), range: { start: { line: r.startLineNumber - 1, character: r.startColumn - 1 }, end: { line: r.endLineNumber - 1, character: r.endColumn - 1 } }, message: r.message })) } : {}) };
}
function edit(e) { return { range: range(e.range), newText: e.text }; }
function workspaceEdit(w) {
  if (!w) return w;
  const o = { edits: (w.edits || []).map(e => e.textEdit ? { uri: uri.toString(e.resource), range: range(e.textEdit.range), newText: e.textEdit.text, ...(e.textEdit.insertAsSnippet ? { snippet: true } : {}), ...(e.metadata ? { metadata: e.metadata } : {}) } : { ...(e.oldResource ? { from: uri.toString(e.oldResource) } : {}), ...(e.newResource ? { to: uri.toString(e.newResource) } : {}), options: e.options }) };
  if (w.rejectReason) o.rejectReason = w.rejectReason;
  return hide(o, w);
}
function completionItem(raw, defaults, handle) {
  const label = typeof raw.a === 'string' ? raw.a : raw.a.label;
  const r = raw.j || defaults || {};
  const o = { label, kind: COMPLETION[raw.b ?? 9], detail: raw.c, documentation: md(raw.d), sortText: raw.e ?? label, filterText: raw.f ?? label, insertText: raw.h ?? label, isSnippet: !!((raw.i || 0) & 4), preselect: !!raw.g, commitCharacters: raw.k ? [...raw.k] : undefined, additionalTextEdits: raw.l && raw.l.map(edit), deprecated: !!(raw.m && raw.m.includes(1)), range: r.insert ? { insert: range(r.insert), replace: range(r.replace) } : range(r) };
  if (typeof raw.a === 'object') { o.labelDetail = raw.a.detail; o.labelDescription = raw.a.description; }
  if (raw.o) o.command = command({ $ident: raw.n, id: raw.o, title: '', arguments: raw.n ? [raw.n] : raw.p });
  for (const k of Object.keys(o)) if (o[k] === undefined) delete o[k];
  return hide(o, raw, { handle, defaults });
}
function symbol(s) { return { name: s.name, kind: SYMBOL[s.kind], detail: s.detail, ...(s.containerName ? { containerName: s.containerName } : {}), range: range(s.range), selectionRange: range(s.selectionRange), children: (s.children || []).map(symbol) }; }
function hint(h, handle) { return hide({ position: pos(h.position), label: typeof h.label === 'string' ? h.label : h.label.map(p => p.label).join(''), ...(Array.isArray(h.label) ? { parts: h.label.map(p => ({ label: p.label, tooltip: md(p.tooltip), location: p.location && { uri: uri.toString(p.location.uri), range: range(p.location.range) }, command: command(p.command) })) } : {}), kind: { 1: 'type', 2: 'parameter' }[h.kind], tooltip: md(h.tooltip), textEdits: h.textEdits && h.textEdits.map(edit), paddingLeft: !!h.paddingLeft, paddingRight: !!h.paddingRight }, h, { handle }); }

// ---- calling providers
const call = (h, method, args, o = {}) => h.rpc.call('ExtHostLanguageFeatures', method, args, { cancellable: true, timeout: o.timeout || h.timeout, signal: o.signal });
/** Call every provider of the kind for the document; wait for the first one to be registered unless o.wait === false. */
async function each(h, kind, u, o, f) {
  const doc = h._docOr(u);
  if (o.wait !== false && !h.providers(kind, u).length) await h.waitForProvider(kind, u, { timeout: o.timeout || h.timeout });
  const list = h.providers(kind, u);
  return Promise.all(list.map(p => f(p, doc)));
}
/** Since 1.88 a hover request has a context before the token. */
const hoverArgs = (h, a) => h.info.arity('$provideHover').includes(4) && !h.info.arity('$provideHover').includes(5) ? a : [...a, undefined];

const methods = {
  /** host.completion(uri, line, character, {trigger}) → items of all providers; .incomplete on the array */
  async completion(u, line, character, o = {}) {
    const position = typeof line === 'object' ? line : { line, character }; if (typeof line === 'object' && character) o = character;
    const lists = await each(this, 'completion', u, o, async (p, d) => {
      if (o.trigger && !(p.meta[0] || []).includes(o.trigger)) return null;
      const r = await call(this, '$provideCompletionItems', [p.handle, d.uri, P(position), { triggerKind: o.trigger ? 1 : 0, triggerCharacter: o.trigger }], o);
      return r && { items: r.b.map(i => completionItem(i, r.a, p.handle)), incomplete: !!r.c };
    });
    const items = lists.filter(Boolean).flatMap(l => l.items).sort((a, b) => a.sortText < b.sortText ? -1 : a.sortText > b.sortText ? 1 : 0);
    return hide(items, lists, { incomplete: lists.some(l => l && l.incomplete) });
  },
  async resolveCompletion(item, o = {}) { const r = await call(this, '$resolveCompletionItem', [item.handle, item.raw.x], o); return r ? completionItem({ ...item.raw, ...r }, item.defaults, item.handle) : item; },
  /** Put a completion into the document the way the editor does: resolve, edit, additional edits, command. */
  async acceptCompletion(u, item) {
    const it = await this.resolveCompletion(item).catch(() => item), { snippetToText } = require('./documents');
    const r = it.range.insert ? (this.config.get('editor.suggest.insertMode') === 'replace' ? it.range.replace : it.range.insert) : it.range;
    await this.edit(u, [{ range: r, text: it.isSnippet ? snippetToText(it.insertText) : it.insertText }, ...(it.additionalTextEdits || []).map(e => ({ range: e.range, text: e.newText }))]);
    if (it.command || item.command) await this.runCommand(it.command || item.command);
  },
  /** → [{contents: ['markdown', …], range}] */
  async hover(u, line, character, o = {}) {
    const position = typeof line === 'object' ? line : { line, character };
    return (await each(this, 'hover', u, o, (p, d) => call(this, '$provideHover', hoverArgs(this, [p.handle, d.uri, P(position)]), o))).filter(Boolean).map(x => hide({ contents: x.contents.map(md), range: range(x.range) }, x));
  },
  /** → [{range, command: {command, title}}], resolved unless {resolve: false} */
  async codeLens(u, o = {}) {
    const lists = await each(this, 'codeLens', u, o, async (p, d) => {
      const r = await call(this, '$provideCodeLenses', [p.handle, d.uri], o);
      return Promise.all(((r && r.lenses) || []).map(async l => { const x = l.command || o.resolve === false ? l : (await call(this, '$resolveCodeLens', [p.handle, l], o)) || l; return hide({ range: range(x.range), command: command(x.command) }, x); }));
    });
    return lists.flat().sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character);
  },
  async inlayHints(u, o = {}) {
    const lists = await each(this, 'inlayHints', u, o, async (p, d) => {
      const r = await call(this, '$provideInlayHints', [p.handle, d.uri, toIRange(o.range || d.fullRange())], o);
      return ((r && r.hints) || []).map(x => hint(x, p.handle));
    });
    return lists.flat().sort((a, b) => a.position.line - b.position.line || a.position.character - b.position.character);
  },
  async resolveInlayHint(x, o = {}) { const r = await call(this, '$resolveInlayHint', [x.handle, x.raw.cacheId], o); return r ? hint({ ...x.raw, ...r }, x.handle) : x; },
  /** Diagnostic-driven and other code actions for a range (default: the whole document). o.only: kind, o.trigger: 1 invoke, 2 automatic */
  async codeActions(u, r, o = {}) {
    const lists = await each(this, 'codeAction', u, o, async (p, d) => {
      const x = await call(this, '$provideCodeActions', [p.handle, d.uri, toIRange(r || d.fullRange()), { only: o.only, trigger: o.trigger || 1 }], o);
      return ((x && x.actions) || []).map(a => hide({ title: a.title, kind: a.kind, isPreferred: !!a.isPreferred, disabled: a.disabled, edit: workspaceEdit(a.edit), command: command(a.command), diagnostics: a.diagnostics && a.diagnostics.map(marker) }, a, { handle: p.handle, canResolve: p.meta.at(-1) === true }));
    });
    return lists.flat();
  },
  async resolveCodeAction(a, o = {}) { if (a.edit || !a.raw.cacheId || !a.canResolve) return a; const r = await call(this, '$resolveCodeAction', [a.handle, a.raw.cacheId], o); return hide({ ...a, edit: workspaceEdit(r.edit) || a.edit, command: command(r.command) || a.command }, { ...a.raw, ...r }, { handle: a.handle }); },
  /** Resolve, apply the edit, run the command. */
  async applyCodeAction(a) { const r = await this.resolveCodeAction(a); if (r.edit) await this.applyWorkspaceEdit(r.edit); if (r.command) await this.runCommand(r.command); return r; },
  async documentSymbols(u, o = {}) { return (await each(this, 'documentSymbol', u, o, (p, d) => call(this, '$provideDocumentSymbols', [p.handle, d.uri], o))).filter(Boolean).flat().map(symbol); },
};

module.exports = { methods, call, clean, command, each, edit, hide, marker, md, P, range, SYMBOL, workspaceEdit };
