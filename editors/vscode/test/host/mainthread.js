'use strict';
// The workbench side of every call the extension host makes ("MainThread*" actors).
// Anything not listed here is recorded in host.calls and answered with `undefined`.
const fs = require('fs');
const fsp = fs.promises;
const path = require('path');
const uri = require('./uri');
const { globToRegExp } = require('./glob');
const { WithBuffers } = require('./rpc');
const { panelActors } = require('./panels');
const { fromIRange, snippetToText } = require('./documents');

const SEVERITY = ['ignore', 'info', 'warning', 'error'];
const ok = () => undefined;
class FsError extends Error { constructor(name, message) { super(message); this.name = name; } }
const fsError = e => {
  const map = { ENOENT: 'EntryNotFound', EEXIST: 'EntryExists', EISDIR: 'EntryIsADirectory', ENOTDIR: 'EntryNotADirectory', EACCES: 'NoPermissions', EPERM: 'NoPermissions', ENOTEMPTY: 'EntryExists' };
  return map[e.code] ? new FsError(map[e.code], `${e.message} (FileSystemError)`) : e;
};
const statDto = s => ({ type: (s.isFile() ? 1 : 0) | (s.isDirectory() ? 2 : 0), ctime: Math.floor(s.birthtimeMs), mtime: Math.floor(s.mtimeMs), size: s.size });

function createMainThread(host) {
  const H = host.rpcProxy;                     // H.ExtHostX.$method(...)
  const local = async (u, op) => { try { return await op(uri.fsPath(u)); } catch (e) { throw fsError(e); } };
  /** Run a file operation on disk, or through the extension that provides the scheme. */
  const onFs = (u, method, args, op) => {
    u = uri.parse(u);
    if (u.scheme === 'file' || u.scheme === 'vscode-userdata') return local(u, op);
    const p = host.fileSystems.get(u.scheme);
    if (p) return host.rpc.call('ExtHostFileSystem', method, [p.handle, ...args]);
    throw new FsError('Unavailable', `ENOPRO: No file system provider found for resource '${uri.toString(u)}'`);
  };
  const registered = kind => (handle, selector, ...rest) => host._register(kind, handle, selector, rest);

  const actors = {
    ...panelActors(host),
    MainThreadConsole: {
      $logExtensionHostMessage(entry) {
        let args; try { args = JSON.parse(entry.arguments); } catch { args = [entry.arguments]; }
        host.console.push({ severity: entry.severity, text: args.filter(a => !(a && a.__$stack)).map(a => typeof a === 'string' ? a : JSON.stringify(a)).join(' ') });
      },
    },
    MainThreadErrors: { $onUnexpectedError(e) { host.errors.push({ kind: 'unexpected', message: e && e.message || String(e), stack: e && e.stack }); } },
    MainThreadExtensionService: {
      $getExtension(id) { const e = host._extension(id); return e ? { ...e } : undefined; },
      $activateExtension(id, reason) { return H.ExtHostExtensionService.$activate(id, reason); },
      $onWillActivateExtension(id) { host.activations.set(id.value.toLowerCase(), { id: id.value, state: 'activating' }); },
      $onDidActivateExtension(id, codeLoadingTime, activateCallTime, activateResolvedTime, reason) { host.activations.set(id.value.toLowerCase(), { id: id.value, state: 'active', codeLoadingTime, activateCallTime, activateResolvedTime, activationEvent: reason && reason.activationEvent }); },
      $onExtensionActivationError(id, error, missing) { const m = error && error.message || (missing ? `missing dependency ${missing.dependency}` : 'activation failed'); host.activations.set(id.value.toLowerCase(), { id: id.value, state: 'failed', error: m, stack: error && error.stack }); host.errors.push({ kind: 'activation', extension: id.value, message: m, stack: error && error.stack }); },
      $onExtensionRuntimeError(id, e) { host.errors.push({ kind: 'runtime', extension: id.value, message: e && e.message || String(e), stack: e && e.stack }); },
      $setPerformanceMarks: ok,
      $asBrowserUri: u => u,
    },
    MainThreadCommands: {
      $registerCommand(id) { host.commands.add(id); },
      $unregisterCommand(id) { host.commands.delete(id); },
      $fireCommandActivationEvent(id) { host._activateByEvent(`onCommand:${id}`).catch(() => {}); },
      async $executeCommand(id, args, retry) {
        if (args instanceof WithBuffers) args = args.value;
        return host._executeFromExtension(id, args || [], retry);
      },
      $getCommands() { return [...new Set([...host.commands, ...host.builtinCommands.keys(), ...host.contributedCommands()])]; },
    },
    MainThreadConfiguration: {
      $updateConfigurationOption(target, key, value, overrides) { return host._updateSetting(target, key, value, overrides); },
      $removeConfigurationOption(target, key, overrides) { return host._updateSetting(target, key, undefined, overrides); },
    },
    MainThreadDiagnostics: {
      $changeMany(owner, entries) {
        let m = host._markers.get(owner); if (!m) host._markers.set(owner, m = new Map());
        const changed = [];
        for (const [u, markers] of entries) { const k = uri.toString(u); if (markers && markers.length) m.set(k, markers); else m.delete(k); changed.push(k); }
        host._markersChanged(changed);
      },
      $clear(owner) { const m = host._markers.get(owner); host._markers.delete(owner); if (m) host._markersChanged([...m.keys()]); },
    },
    MainThreadDocuments: {
      async $tryCreateDocument(options) { return (await host._createUntitled(options || {})).uri; },
      async $tryOpenDocument(u) { return (await host._ensureDocument(u)).uri; },
      $trySaveDocument: u => host.saveDocument(u),
    },
    MainThreadDocumentContentProviders: {
      $registerTextContentProvider(handle, scheme) { host.contentProviders.set(scheme, handle); },
      $unregisterTextContentProvider(handle) { for (const [s, h] of host.contentProviders) if (h === handle) host.contentProviders.delete(s); },
      async $onVirtualDocumentChange(u, value) { const d = host.documents.get(uri.toString(u)); if (d) await host._edit(d, [{ range: d.fullRange(), text: value }], { dirty: false }); },
    },
    MainThreadTextEditors: {
      async $tryShowTextDocument(u, options) { return (await host._showDocument(u, options || {})).id; },
      $registerTextEditorDecorationType(extensionId, key, options) { host.decorationTypes.set(key, { extension: extensionId && extensionId.value, options }); },
      $removeTextEditorDecorationType(key) { host.decorationTypes.delete(key); for (const e of host.editors.values()) e.decorations.delete(key); },
      $tryShowEditor: ok, $tryHideEditor: ok,
      $trySetOptions(id, o) { const e = host.editors.get(id); if (e) { Object.assign(e.options, Object.fromEntries(Object.entries(o).filter(([, v]) => v !== 'auto'))); return H.ExtHostEditors.$acceptEditorPropertiesChanged(id, { options: e.options, selections: null, visibleRanges: null }); } },
      $trySetDecorations(id, key, ranges) { const e = host._editorOr(id); e.decorations.set(key, ranges); },
      $trySetDecorationsFast(id, key, flat) { const e = host._editorOr(id), out = []; for (let i = 0; i + 3 < flat.length; i += 4) out.push({ range: { startLineNumber: flat[i], startColumn: flat[i + 1], endLineNumber: flat[i + 2], endColumn: flat[i + 3] } }); e.decorations.set(key, out); },
      $tryRevealRange(id, range) { const e = host._editorOr(id); e.revealed = fromIRange(range); },
      $trySetSelections(id, selections) { return host._setSelections(host._editorOr(id), selections, 'api'); },
      async $tryApplyEdits(id, version, edits, opts) {
        const e = host._editorOr(id);
        if (e.doc.version !== version) return false;
        await host._edit(e.doc, edits.map(x => ({ range: fromIRange(x.range), text: x.text || '' })), { eol: opts && opts.setEndOfLine !== undefined ? (opts.setEndOfLine === 1 ? '\r\n' : '\n') : undefined });
        return true;
      },
      async $tryInsertSnippet(id, version, template, ranges) {
        const e = host._editorOr(id);
        if (typeof version === 'string') [version, template, ranges] = [e.doc.version, version, template];      // before 1.87 without a version
        if (e.doc.version !== version) return false;
        host.snippets.push({ uri: e.doc.key, template });
        await host._edit(e.doc, ranges.map(r => ({ range: fromIRange(r), text: snippetToText(template) })));
        return true;
      },
      $getDiffInformation: () => [],
    },
    MainThreadBulkEdits: { $tryApplyWorkspaceEdit: dto => host._applyWorkspaceEditDto(dto instanceof WithBuffers ? dto.value : dto).then(() => true, e => { host.errors.push({ kind: 'workspaceEdit', message: e.message }); return false; }) },
    MainThreadEditorTabs: { $moveTab: ok, $closeTab: async ids => { for (const id of ids) await host._closeTab(id); return true; }, $closeGroup: () => true },
    MainThreadLanguages: {
      async $changeLanguage(u, languageId) { await host.setLanguage(u, languageId); },
      $tokensAtPosition: (u, p) => ({ type: 0, range: { startLineNumber: p.lineNumber, startColumn: p.column, endLineNumber: p.lineNumber, endColumn: p.column } }),
      $setLanguageStatus(handle, s) { host.languageStatus.set(handle, { ...s, severity: SEVERITY[s.severity] }); },
      $removeLanguageStatus(handle) { host.languageStatus.delete(handle); },
    },
    MainThreadLanguageFeatures: {
      $unregister(handle) { host.registrations.delete(handle); },
      $registerDocumentSymbolProvider: registered('documentSymbol'), $registerCodeLensSupport: registered('codeLens'), $registerDefinitionSupport: registered('definition'),
      $registerDeclarationSupport: registered('declaration'), $registerImplementationSupport: registered('implementation'), $registerTypeDefinitionSupport: registered('typeDefinition'),
      $registerHoverProvider: registered('hover'), $registerEvaluatableExpressionProvider: registered('evaluatableExpression'), $registerInlineValuesProvider: registered('inlineValues'),
      $registerDocumentHighlightProvider: registered('documentHighlight'), $registerMultiDocumentHighlightProvider: registered('multiDocumentHighlight'), $registerLinkedEditingRangeProvider: registered('linkedEditing'),
      $registerReferenceSupport: registered('references'), $registerCodeActionSupport: registered('codeAction'), $registerQuickFixSupport: registered('codeAction'), $registerPasteEditProvider: registered('paste'),
      $registerDocumentFormattingSupport: registered('format'), $registerRangeFormattingSupport: registered('rangeFormat'), $registerOnTypeFormattingSupport: registered('onTypeFormat'),
      $registerNavigateTypeSupport: (handle, ...rest) => host._register('workspaceSymbol', handle, '*', rest),
      $registerRenameSupport: registered('rename'), $registerNewSymbolNamesProvider: registered('newSymbolNames'),
      $registerDocumentSemanticTokensProvider: registered('semanticTokens'), $registerDocumentRangeSemanticTokensProvider: registered('rangeSemanticTokens'),
      $registerCompletionsProvider: registered('completion'), $registerInlineCompletionsSupport: registered('inlineCompletion'), $registerInlineEditProvider: registered('inlineEdit'),
      $registerSignatureHelpProvider: registered('signatureHelp'), $registerInlayHintsProvider: registered('inlayHints'), $registerDocumentLinkProvider: registered('documentLink'),
      $registerDocumentColorProvider: registered('color'), $registerFoldingRangeProvider: registered('foldingRange'), $registerSelectionRangeProvider: registered('selectionRange'),
      $registerCallHierarchyProvider: registered('callHierarchy'), $registerTypeHierarchyProvider: registered('typeHierarchy'), $registerDocumentOnDropEditProvider: registered('drop'), $registerMappedEditsProvider: registered('mappedEdits'),
      $setLanguageConfiguration(handle, languageId, config) { host.languageConfigurations.set(languageId, config); },
      $emitCodeLensEvent: h => host._providerEvent('codeLens', h), $emitInlayHintsEvent: h => host._providerEvent('inlayHints', h), $emitInlineValuesEvent: h => host._providerEvent('inlineValues', h),
      $emitFoldingRangeEvent: h => host._providerEvent('foldingRange', h), $emitDocumentSemanticTokensEvent: h => host._providerEvent('semanticTokens', h),
    },
    MainThreadMessageService: {
      async $showMessage(severity, message, options, items) {
        const rec = { severity: SEVERITY[severity], message, items: items.map(i => i.title), modal: !!options.modal, detail: options.detail, extension: options.source && options.source.identifier && options.source.identifier.value };
        host.messages.push(rec);
        const answer = await host._ask('message', rec);
        if (answer === undefined || answer === null) { rec.answer = undefined; const close = items.find(i => i.isCloseAffordance); return close ? close.handle : undefined; }
        const it = typeof answer === 'number' ? items[answer] : items.find(i => i.title === answer);
        if (!it) throw host._fail(`the scripted answer ${JSON.stringify(answer)} is not one of the buttons ${JSON.stringify(rec.items)} of "${message}"`);
        rec.answer = it.title;
        return it.handle;
      },
    },
    MainThreadQuickOpen: {
      $show(instance, options, token) {
        return new Promise((resolve, reject) => {
          host._quick.set('pick' + instance, { options, resolve, reject });
          if (token) token.onCancellationRequested(() => { host._quick.delete('pick' + instance); resolve(undefined); });
        });
      },
      async $setItems(instance, items) {
        const q = host._quick.get('pick' + instance); if (!q) return;
        host._quick.delete('pick' + instance);
        host._answerQuickPick({ ...q.options, items, kind: 'showQuickPick' }).then(h => q.resolve(h === undefined ? undefined : q.options.canPickMany ? h : h[0]), q.reject);
      },
      $setError(instance, e) { const q = host._quick.get('pick' + instance); if (q) { host._quick.delete('pick' + instance); q.reject(e); } },
      async $input(options, validate) {
        const rec = { ...options, kind: 'showInputBox' };
        host.inputs.push(rec);
        const value = await host._ask('input', rec);
        rec.answer = value;
        if (value === undefined || value === null) return undefined;
        if (validate) {
          const v = await H.ExtHostQuickOpen.$validateInput(String(value));
          if (v) { rec.validation = typeof v === 'string' ? v : v.content; if (typeof v === 'string' || v.severity === 3) return undefined; }
        }
        return String(value);
      },
      $createOrUpdate: p => host._quickInput(p), $dispose: id => { host._quick.delete(id); },
    },
    MainThreadDialogs: {
      async $showOpenDialog(o) { const rec = { ...o, kind: 'open' }; host.dialogs.push(rec); const a = await host._ask('dialog', rec); rec.answer = a; return a === undefined ? undefined : [].concat(a).map(uri.parse); },
      async $showSaveDialog(o) { const rec = { ...o, kind: 'save' }; host.dialogs.push(rec); const a = await host._ask('dialog', rec); rec.answer = a; return a === undefined ? undefined : uri.parse(a); },
    },
    MainThreadProgress: {
      $startProgress(handle, options, extensionId) { host.progress.push({ handle, title: options.title, location: options.location, cancellable: !!options.cancellable, extension: extensionId, reports: [], done: false }); },
      $progressReport(handle, r) { host.progress.find(p => p.handle === handle)?.reports.push(r); },
      $progressEnd(handle) { const p = host.progress.find(q => q.handle === handle); if (p) p.done = true; },
    },
    MainThreadStatusBar: {
      $setEntry(entryId, id, extensionId, name, text, tooltip, command, color, backgroundColor, alignLeft, priority, accessibility) { host.statusBar.set(entryId, { id, extension: extensionId, name, text, tooltip: tooltip && typeof tooltip === 'object' ? tooltip.value : tooltip, command: host._command(command), color, backgroundColor: backgroundColor && backgroundColor.id, alignment: alignLeft ? 'left' : 'right', priority, accessibility }); },
      $disposeEntry(entryId) { host.statusBar.delete(entryId); },
    },
    MainThreadOutputService: {
      $register(label, file, languageId, extensionId) { const id = `extension-output-${extensionId}-#${host.outputs.size + 1}-${label}`; host.outputs.set(id, { id, label, extension: extensionId, languageId, key: uri.toString(file), start: 0, shown: false }); return id; },
      $update(id, mode, till) { const c = host.outputs.get(id); if (c && (mode === 2 || mode === 3)) c.start = till || 0; },
      $reveal(id) { const c = host.outputs.get(id); if (c) c.shown = true; }, $close(id) { const c = host.outputs.get(id); if (c) c.shown = false; },
      $dispose(id) { const c = host.outputs.get(id); if (c) c.disposed = true; },
    },
    MainThreadLogger: {
      $createLogger(file, options) { const k = uri.toString(file); if (!host.logs.has(k)) host.logs.set(k, { key: k, ...(options || {}), buffers: [] }); },
      $log(file, entries) {
        const k = uri.toString(file); let l = host.logs.get(k); if (!l) host.logs.set(k, l = { key: k, buffers: [] });
        const NAMES = ['', 'trace', 'debug', 'info', 'warning', 'error'];
        for (const [level, message] of entries) l.buffers.push(Buffer.from(l.donotUseFormatters ? message : `[${NAMES[level] || level}] ${message}\n`));
      },
      // The Node extension host writes its log files itself and only announces them here.
      $registerLogger(l) { const k = uri.toString(l.resource); if (!host.logs.has(k)) host.logs.set(k, { ...l, key: k, extensionId: l.extensionId, buffers: [] }); else Object.assign(host.logs.get(k), l, { key: k }); },
      $flush: ok, $setVisibility: ok, $deregisterLogger: ok,
    },
    MainThreadStorage: {
      $initializeExtensionStorage(shared, id) { const v = host.storage.get(`${shared ? 'global' : 'workspace'}:${id.toLowerCase()}`); return v === undefined ? undefined : JSON.stringify(v); },
      $setValue(shared, id, value) { host.storage.set(`${shared ? 'global' : 'workspace'}:${id.toLowerCase()}`, value); }, $registerExtensionStorageKeysToSync: ok,
    },
    MainThreadClipboard: { $readText: () => host.clipboard, $writeText(t) { host.clipboard = t; } },
    MainThreadWindow: {
      $getInitialState: () => ({ isFocused: true, isActive: true }),
      async $openUri(u, s) { host.openedUris.push(s || uri.toString(u)); return true; }, $asExternalUri: u => u,
    },
    MainThreadTelemetry: { $publicLog: ok, $publicLog2: ok },
    MainThreadLocalization: {
      $fetchBuiltInBundleUri: () => undefined,
      $fetchBundleContents: async u => (await fsp.readFile(uri.fsPath(u), 'utf8')),
    },
    MainThreadFileSystem: {
      async $registerFileSystemProvider(handle, scheme, capabilities) { host.fileSystems.set(scheme, { handle, capabilities }); await H.ExtHostFileSystemInfo.$acceptProviderInfos(uri.make(scheme, '', '/'), capabilities); },
      $unregisterProvider(handle) { for (const [s, p] of host.fileSystems) if (p.handle === handle) host.fileSystems.delete(s); },
      $onFileSystemChange(handle, changes) { const by = t => changes.filter(c => c.type === t).map(c => c.resource); return host.fireFileEvents({ changed: by(0), created: by(1), deleted: by(2) }); },
      $ensureActivation: scheme => host._activateByEvent(`onFileSystem:${scheme}`),
      $stat: u => onFs(u, '$stat', [u], async f => statDto(await fsp.stat(f))),
      $readdir: u => onFs(u, '$readdir', [u], async f => Promise.all((await fsp.readdir(f, { withFileTypes: true })).map(async d => { let t = d.isDirectory() ? 2 : d.isFile() ? 1 : 0; if (d.isSymbolicLink()) { t = 64; try { const s = await fsp.stat(path.join(f, d.name)); t |= s.isDirectory() ? 2 : s.isFile() ? 1 : 0; } catch { /* dangling */ } } return [d.name, t]; }))),
      $readFile: u => onFs(u, '$readFile', [u], f => fsp.readFile(f)),
      $writeFile: (u, content) => onFs(u, '$writeFile', [u, content, { create: true, overwrite: true, unlock: false, atomic: false }], async f => { const existed = fs.existsSync(f); await fsp.mkdir(path.dirname(f), { recursive: true }); await fsp.writeFile(f, content); host._touched(f, existed ? 'changed' : 'created'); }),
      $mkdir: u => onFs(u, '$mkdir', [u], async f => { await fsp.mkdir(f, { recursive: true }); }),
      $delete: (u, o) => onFs(u, '$delete', [u, o], async f => { await fsp.lstat(f); await fsp.rm(f, { recursive: !!(o && o.recursive) }); host._touched(f, 'deleted'); }),
      $rename: (a, b, o) => onFs(a, '$rename', [a, b, o], async f => { const t = uri.fsPath(b); if (!(o && o.overwrite) && fs.existsSync(t)) throw new FsError('EntryExists', `${t} exists`); await fsp.mkdir(path.dirname(t), { recursive: true }); await fsp.rename(f, t); host._touched(f, 'deleted'); host._touched(t, 'created'); }),
      $copy: (a, b, o) => onFs(a, '$copy', [a, b, o], async f => { const t = uri.fsPath(b); if (!(o && o.overwrite) && fs.existsSync(t)) throw new FsError('EntryExists', `${t} exists`); await fsp.cp(f, t, { recursive: true }); host._touched(t, 'created'); }),
    },
    MainThreadFileSystemEventService: { $watch(ext, session, resource, opts, correlate) { host.watches.set(session, { extension: ext, resource: uri.toString(resource), ...opts, correlate }); }, $unwatch(session) { host.watches.delete(session); } },
    MainThreadWorkspace: {
      $updateWorkspaceFolders: (ext, index, del, add) => host._updateFolders(index, del, add),
      $startFileSearch(...a) {
        const token = a.length && a[a.length - 1] && typeof a[a.length - 1].onCancellationRequested === 'function' ? a.pop() : undefined;
        if (a.length <= 2) return host._findFiles(a[0], a[1] || {}, token);
        const [includePattern, folder, x, maxResults] = a;      // before 1.92: (include, folder, exclude | options, maxResults)
        const o = x && typeof x === 'object' ? x : { excludePattern: typeof x === 'string' && x ? [x] : [], disregardExcludeSettings: x === false, maxResults: maxResults ?? undefined };
        return host._findFiles(folder, { ...o, includePattern: includePattern ?? o.includePattern, excludePattern: typeof o.excludePattern === 'string' ? [o.excludePattern] : o.excludePattern }, token);
      },
      $startTextSearch: () => ({ limitHit: false }),
      $checkExists: async (folders, includes) => { for (const f of folders) if ((await host._findFiles(f, { includePattern: includes.length > 1 ? `{${includes.join(',')}}` : includes[0], maxResults: 1 })).length) return true; return false; },
      async $save(u) { return (await host.saveDocument(u)) ? uri.parse(u) : undefined; },
      async $saveAll() { for (const d of host.documents.values()) if (d.isDirty) await host.saveDocument(d.uri); return true; },
      $resolveProxy: ok, $lookupAuthorization: ok, $lookupKerberosAuthorization: ok, $loadCertificates: () => [],
      $requestWorkspaceTrust: () => true, $registerEditSessionIdentityProvider: ok, $registerCanonicalUriProvider: ok,
    },
    MainThreadTreeViews: {
      async $registerTreeViewDataProvider(id, options) { host.treeViews.set(id, { id, options, refreshes: 0 }); },
      $refresh(id) { const t = host.treeViews.get(id); if (t) { t.refreshes++; host._treeRefreshed(t); } },
      $reveal: ok, $setTitle: ok, $setBadge: ok, $logResolveTreeNodeFailure: ok,
      $setMessage(id, m) { const t = host.treeViews.get(id); if (t) t.message = m; },
      $disposeTree(id) { host.treeViews.delete(id); },
    },
    MainThreadDecorations: { $registerDecorationProvider(handle, label) { host.fileDecorationProviders.set(handle, label); }, $unregisterDecorationProvider(handle) { host.fileDecorationProviders.delete(handle); }, $onDidChange: ok },
    MainThreadSearch: { $registerTextSearchProvider: ok, $registerFileSearchProvider: ok, $registerAITextSearchProvider: ok, $unregisterProvider: ok },
    // Asked for at start by every extension host, whatever the extension.
    MainThreadLanguageModels: { $selectChatModels: () => [] }, MainThreadLanguageModelTools: { $getTools: () => [] },
    MainThreadTerminalService: { $registerProcessSupport: ok }, MainThreadTask: { $registerTaskSystem: ok, $registerSupportedExecutions: ok }, MainThreadDebugService: { $registerDebugTypes: ok },
  };
  return actors;
}

/** findFiles over the real disk. */
async function walkFiles(root, { includePattern, filePattern, excludePattern, maxResults = 20000, disregardExcludeSettings }, excludes, token) {
  const inc = includePattern || filePattern, incRe = inc ? globToRegExp(inc) : null;
  const ex = [...[].concat(excludePattern || []).map(p => typeof p === 'string' ? p : p.pattern), ...(disregardExcludeSettings ? [] : excludes)].filter(Boolean).map(globToRegExp);
  const out = [];
  const go = async (dir, rel) => {
    if (out.length >= maxResults || (token && token.isCancellationRequested)) return;
    let list; try { list = await fsp.readdir(dir, { withFileTypes: true }); } catch { return; }
    for (const d of list.sort((a, b) => a.name < b.name ? -1 : 1)) {
      const r = rel ? `${rel}/${d.name}` : d.name;
      if (ex.some(e => e.test(r))) continue;
      if (d.isDirectory()) await go(path.join(dir, d.name), r);
      else if (!incRe || incRe.test(r)) { out.push(path.join(dir, d.name)); if (out.length >= maxResults) return; }
    }
  };
  await go(root, '');
  return out;
}
module.exports = { createMainThread, walkFiles, FsError, SEVERITY };
