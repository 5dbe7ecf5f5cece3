'use strict';
// More language features: from name to name, the shape of a text, its colours, its layout. As in
// features.js the registered providers are called back, and what they return becomes plain and 0-based.
const uri = require('./uri');
const { toIRange } = require('./documents');
const { call, each, edit, hide, md, P, range, SYMBOL, workspaceEdit } = require('./features');

const link = l => ({
  uri: uri.toString(l.uri), range: range(l.range),
  ...(l.targetSelectionRange ? { targetSelectionRange: range(l.targetSelectionRange) } : {}),
  ...(l.originSelectionRange ? { originSelectionRange: range(l.originSelectionRange) } : {}),
});
const hierarchyItem = (i, handle) => hide({
  name: i.name, kind: SYMBOL[i.kind], detail: i.detail, uri: uri.toString(i.uri), range: range(i.range), selectionRange: range(i.selectionRange),
}, i, { handle });
const formattingOptions = (host, document) => {
  const editor = host.editorOf(document.uri);
  return { tabSize: editor ? editor.options.tabSize : 4, insertSpaces: editor ? editor.options.insertSpaces : true };
};

/** The tokens or their change, as they travel: numbers of 32 bits behind an id and a kind. */
function readTokens(bytes) {
  const numbers = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const [id, kind, count] = numbers;
  if (kind === 1) return { id, data: numbers.slice(3, 3 + count) };
  const edits = [];
  let at = 3;
  for (let i = 0; i < count; i += 1) {
    const [start, deleteCount, length] = numbers.subarray(at, at + 3);
    edits.push({ start, deleteCount, data: numbers.slice(at + 3, at + 3 + length) });
    at += 3 + length;
  }
  return { id, edits };
}
/** [{line, character, text, type, modifiers}] */
function namedTokens(data, legend, document) {
  const out = [];
  let line = 0, character = 0;
  for (let i = 0; i + 4 < data.length; i += 5) {
    if (data[i]) { line += data[i]; character = data[i + 1]; } else character += data[i + 1];
    out.push({
      line, character, text: document.lines[line].slice(character, character + data[i + 2]),
      type: legend.tokenTypes[data[i + 3]], modifiers: legend.tokenModifiers.filter((_name, bit) => data[i + 4] & (1 << bit)),
    });
  }
  return out;
}

const firstOf = async (host, kind, u, o) => (host.providers(kind, u).length ? host.providers(kind, u) : await host.waitForProvider(kind, u, o))[0];
const places = (kind, method) => async function ask(u, position, o = {}) {
  return (await each(this, kind, u, o, (p, d) => call(this, method, [p.handle, d.uri, P(position)], o))).filter(Boolean).flat().map(link);
};

const methods = {
  definition: places('definition', '$provideDefinition'),
  typeDefinition: places('typeDefinition', '$provideTypeDefinition'),
  implementation: places('implementation', '$provideImplementation'),
  async references(u, position, o = {}) {
    const context = { includeDeclaration: o.includeDeclaration !== false };
    return (await each(this, 'references', u, o, (p, d) => call(this, '$provideReferences', [p.handle, d.uri, P(position), context], o))).filter(Boolean).flat().map(link);
  },
  async documentHighlights(u, position, o = {}) {
    return (await each(this, 'documentHighlight', u, o, (p, d) => call(this, '$provideDocumentHighlights', [p.handle, d.uri, P(position)], o)))
      .filter(Boolean).flat().map(x => ({ range: range(x.range), kind: ['text', 'read', 'write'][x.kind] }));
  },
  /** → [{range, target, tooltip}], resolved unless {resolve: false} */
  async documentLinks(u, o = {}) {
    const lists = await each(this, 'documentLink', u, o, async (p, d) => {
      const found = await call(this, '$provideDocumentLinks', [p.handle, d.uri], o);
      return Promise.all(((found && found.links) || []).map(async l => {
        const more = !l.url && o.resolve !== false ? await call(this, '$resolveDocumentLink', [p.handle, l.cacheId], o) : undefined;
        const x = { ...l, ...more };
        return { range: range(x.range), target: x.url && uri.toString(x.url), tooltip: x.tooltip };
      }));
    });
    return lists.flat();
  },
  async workspaceSymbols(query, o = {}) {
    const p = await firstOf(this, 'workspaceSymbol', undefined, o);
    const found = await call(this, '$provideWorkspaceSymbols', [p.handle, query], o);
    return ((found && found.symbols) || []).map(s => workspaceSymbol(s, p.handle));
  },
  async resolveWorkspaceSymbol(symbol, o = {}) {
    return workspaceSymbol(await call(this, '$resolveWorkspaceSymbol', [symbol.handle, symbol.raw], o), symbol.handle);
  },
  async foldingRanges(u, o = {}) {
    return (await each(this, 'foldingRange', u, o, (p, d) => call(this, '$provideFoldingRanges', [p.handle, d.uri, {}], o)))
      .filter(Boolean).flat().map(f => ({ start: f.start - 1, end: f.end - 1, kind: f.kind && f.kind.value }));
  },
  /** → for each position the ranges, the smallest first */
  async selectionRanges(u, positions, o = {}) {
    const [found] = await each(this, 'selectionRange', u, o, (p, d) => call(this, '$provideSelectionRanges', [p.handle, d.uri, positions.map(P)], o));
    return (found || []).map(list => list.map(x => range(x.range)));
  },
  async callHierarchy(u, position, o = {}) {
    return (await each(this, 'callHierarchy', u, o, async (p, d) => ((await call(this, '$prepareCallHierarchy', [p.handle, d.uri, P(position)], o)) || []).map(i => hierarchyItem(i, p.handle)))).flat();
  },
  async incomingCalls(item, o = {}) {
    const found = await call(this, '$provideCallHierarchyIncomingCalls', [item.handle, item.raw._sessionId, item.raw._itemId], o);
    return (found || []).map(c => ({ from: hierarchyItem(c.from, item.handle), fromRanges: c.fromRanges.map(range) }));
  },
  async outgoingCalls(item, o = {}) {
    const found = await call(this, '$provideCallHierarchyOutgoingCalls', [item.handle, item.raw._sessionId, item.raw._itemId], o);
    return (found || []).map(c => ({ to: hierarchyItem(c.to, item.handle), fromRanges: c.fromRanges.map(range) }));
  },
  async prepareRename(u, position, o = {}) {
    const p = await firstOf(this, 'rename', u, o);
    const r = await call(this, '$resolveRenameLocation', [p.handle, this._docOr(u).uri, P(position)], o);
    return r && { range: range(r.range), placeholder: r.text, rejectReason: r.rejectReason };
  },
  async rename(u, position, newName, o = {}) {
    const p = await firstOf(this, 'rename', u, o);
    return workspaceEdit(await call(this, '$provideRenameEdits', [p.handle, this._docOr(u).uri, P(position), newName], o));
  },
  /** o.trigger: the character just typed; o.active: the help that is shown */
  async signatureHelp(u, position, o = {}) {
    const context = { triggerKind: o.trigger ? 2 : 1, triggerCharacter: o.trigger, isRetrigger: !!o.active, activeSignatureHelp: o.active && o.active.raw };
    const [r] = (await each(this, 'signatureHelp', u, o, (p, d) => call(this, '$provideSignatureHelp', [p.handle, d.uri, P(position), context], o))).filter(Boolean);
    return r && hide({
      signatures: r.signatures.map(s => ({
        label: s.label, documentation: md(s.documentation), activeParameter: s.activeParameter,
        parameters: s.parameters.map(p => ({ label: p.label, documentation: md(p.documentation) })),
      })),
      activeSignature: r.activeSignature, activeParameter: r.activeParameter,
    }, r);
  },
  /** Edits of the formatter: of the document, of a range (o.range), or after a typed character (o.position, o.ch). */
  async format(u, o = {}) {
    const d = this._docOr(u), options = o.options || formattingOptions(this, d);
    const [kind, method, args] = o.ch ? ['onTypeFormat', '$provideOnTypeFormattingEdits', [P(o.position || {}), o.ch]]
      : o.range ? ['rangeFormat', '$provideDocumentRangeFormattingEdits', [toIRange(o.range)]] : ['format', '$provideDocumentFormattingEdits', []];
    const p = await firstOf(this, kind, u, o);
    return ((await call(this, method, [p.handle, d.uri, ...args, options], o)) || []).map(edit);
  },
  /** → {id, tokens}; with o.after (an earlier answer) the change is asked for and applied: {id, tokens, edits} */
  async semanticTokens(u, o = {}) {
    const p = await firstOf(this, 'semanticTokens', u, o), d = this._docOr(u), [legend] = p.meta;
    const bytes = await call(this, '$provideDocumentSemanticTokens', [p.handle, d.uri, o.after ? o.after.id : 0], o);
    const { id, data, edits } = readTokens(bytes);
    let all = data;
    if (edits) {
      const list = [...o.after.data];
      for (const e of [...edits].sort((a, b) => b.start - a.start)) list.splice(e.start, e.deleteCount, ...e.data);
      all = list;
    }
    return hide({ id, edits, tokens: namedTokens(all, legend, d) }, bytes, { data: all });
  },
  async rangeSemanticTokens(u, r, o = {}) {
    const p = await firstOf(this, 'rangeSemanticTokens', u, o), d = this._docOr(u);
    return namedTokens(readTokens(await call(this, '$provideDocumentRangeSemanticTokens', [p.handle, d.uri, toIRange(r)], o)).data, p.meta[0], d);
  },
};

function workspaceSymbol(s, handle) {
  return hide({
    name: s.name, kind: SYMBOL[s.kind], containerName: s.containerName,
    location: { uri: uri.toString(s.location.uri), range: s.location.range ? range(s.location.range) : undefined },
  }, s, { handle });
}

module.exports = { methods };
