'use strict';
// The workbench's part: commands, documents, editors, files and settings.
const fs = require('fs');
const path = require('path');
const uri = require('./uri');
const { Answers } = require('./answers');
const { change, OVERRIDE } = require('./config');
const { TextDocument, TextEditor, toIRange, fromIRange, snippetToText } = require('./documents');
const features = require('./features');
const { walkFiles } = require('./mainthread');

class Workbench extends Answers {
  // ------------------------------------------------------------------ commands
  /** Run a command as the palette, a key or a code lens would. Activates the extension that contributes it. */
  async executeCommand(id, ...args) { return features.clean(this, await this._execute(id, args)); }
  async _execute(id, args, { timeout = this.timeout } = {}) {
    if (!this.commands.has(id)) await this._activateByEvent(`onCommand:${id}`);
    if (this.commands.has(id)) return this.rpc.call('ExtHostCommands', '$executeContributedCommand', [id, ...args], { timeout });
    return this._builtin(id, args);
  }
  async _executeFromExtension(id, args, retry) {
    if (this.commands.has(id)) return this._execute(id, args);
    if (!this.builtinCommands.has(id)) {
      await this._activateByEvent(`onCommand:${id}`);
      if (this.commands.has(id)) { if (retry && args.length) throw new Error('$executeCommand:retry'); return this._execute(id, args); }
    }
    return this._builtin(id, args);
  }
  async _builtin(id, args) {
    this.builtinCalls.push({ id, args });
    if (this.builtinCommands.has(id)) return this.builtinCommands.get(id)(...args);
    switch (id) {
      case 'setContext': case '_setContext': this.contextKeys[args[0]] = args[1]; return;
      case 'vscode.open': case '_workbench.open': { const u = uri.parse(args[0]); if (u.scheme === 'http' || u.scheme === 'https' || u.scheme === 'mailto') this.openedUris.push(uri.toString(u)); else await this._showDocument(u, {}); return; }
      case 'vscode.diff': case '_workbench.diff': case 'revealLine': case 'cursorMove': case 'type': return;
      case 'workbench.action.files.save': if (this.activeEditor) await this.saveDocument(this.activeEditor.doc.uri); return;
      case 'workbench.action.files.saveAll': for (const d of this.documents.values()) if (d.isDirty) await this.saveDocument(d.uri); return;
      case 'workbench.action.closeActiveEditor': if (this.activeEditor) await this.closeDocument(this.activeEditor.doc.uri); return;
    }
    if (/^(_?workbench\.|editor\.|_?vscode\.|list\.|outline\.|notebook\.|markdown\.|explorer\.|search\.|problems\.|references-view\.|testing\.|debug\.|_extensionsManifest)/.test(id) || id.endsWith('.focus')) return undefined;   // the workbench has it; recorded in builtinCalls
    throw new Error(`command '${id}' not found`);
  }
  /** Provide a workbench command that is not there without a GUI (or replace one). */
  onBuiltinCommand(id, f) { this.builtinCommands.set(id, f); }
  /** Run the command object of a code lens, completion, code action, tree item, status bar entry… */
  runCommand(c) {
    if (!c) throw new Error('no command');
    const raw = c.raw || c;
    return raw.id ? this.executeCommand(raw.id, ...(raw.arguments || [])) : this.executeCommand(raw.command, ...(raw.arguments || []));
  }
  _command(c) { return features.command(c); }

  // ------------------------------------------------------------------ documents and editors
  document(u) { return this.documents.get(uri.toString(u)); }
  _docOr(u) { const d = this.document(u); if (!d) throw new Error(`document ${uri.toString(u)} is not open; openDocument() it first`); return d; }
  _editorOr(id) { const e = this.editors.get(id); if (!e) { const x = new Error('TextEditor is disposed'); x.name = 'DISPOSED'; throw x; } return e; }
  editorOf(u) { const k = uri.toString(u); return [...this.editors.values()].find(e => e.doc.key === k); }
  /**
   * Open a document in an editor and activate what listens to its language.
   * openDocument(file) | openDocument(uri, languageId, text)   options: {show: true, activate: true}
   */
  async openDocument(u, languageId, text, { show = true, activate = true } = {}) {
    u = uri.parse(u);
    let doc = this.document(u);
    if (!doc) {
      const onDisk = u.scheme === 'file' && fs.existsSync(uri.fsPath(u));
      if (text === undefined) {
        if (u.scheme !== 'file') { doc = await this._ensureDocument(u); if (languageId && doc.languageId !== languageId) await this.setLanguage(u, languageId); }
        else if (!onDisk) throw new Error(`${uri.fsPath(u)} does not exist and no text was given`);
        else text = fs.readFileSync(uri.fsPath(u), 'utf8');
      }
      doc = doc || await this._addDocument(new TextDocument(u, languageId || this.languageOf(u), text, { isDirty: u.scheme === 'untitled' || (u.scheme === 'file' && !onDisk && text !== '') }), activate, show);
    } else if (text !== undefined && doc.getText() !== text) await this.setText(u, text);
    if (show) await this._showDocument(u, {});
    return doc;
  }
  async _addDocument(doc, activate = true, show = false) {
    this.documents.set(doc.key, doc);
    const delta = { addedDocuments: [doc.dto()] };
    if (show) await this._openEditor(doc, {}, delta);       // tab first, then document and editor in one delta, as the workbench does
    await this.rpc.call('ExtHostDocumentsAndEditors', '$acceptDocumentsAndEditorsDelta', [delta]);
    if (activate) { const p = Promise.all([this._activateByEvent(`onLanguage:${doc.languageId}`), this._activateByEvent('onLanguage')]); if (activate === 'background') p.catch(() => {}); else await p; }
    return doc;
  }
  async _ensureDocument(u) {
    u = uri.parse(u);
    const have = this.document(u); if (have) return have;
    let text;
    if (u.scheme === 'file') { try { text = fs.readFileSync(uri.fsPath(u), 'utf8'); } catch (e) { throw new Error(`cannot open ${uri.toString(u)}. Detail: Unable to read file '${uri.fsPath(u)}' (${e.code})`); } }
    else if (u.scheme === 'untitled') { const f = u.path; text = f && fs.existsSync(f) ? fs.readFileSync(f, 'utf8') : ''; }
    else {
      if (!this.contentProviders.has(u.scheme) && !this.fileSystems.has(u.scheme)) await Promise.all([this._activateByEvent(`onFileSystem:${u.scheme}`), this._activateByEvent(`onTextDocumentContent:${u.scheme}`)]);
      if (this.contentProviders.has(u.scheme)) text = await this.rpc.call('ExtHostDocumentContentProviders', '$provideTextDocumentContent', [this.contentProviders.get(u.scheme), u]);
      else if (this.fileSystems.has(u.scheme)) text = (await this.rpc.call('ExtHostFileSystem', '$readFile', [this.fileSystems.get(u.scheme).handle, u])).toString('utf8');
      else throw new Error(`cannot open ${uri.toString(u)}. Detail: unable to resolve resource`);
      text = text ?? '';
    }
    if (this.document(u)) return this.document(u);
    return this._addDocument(new TextDocument(u, this.languageOf(u), text), 'background');
  }
  async _createUntitled({ language, content }) {
    let u; do { u = uri.make('untitled', '', `Untitled-${++this._untitled}`); } while (this.document(u));
    return this._addDocument(new TextDocument(u, language || 'plaintext', content || '', { isDirty: !!content }), 'background');
  }
  async _openEditor(doc, { preserveFocus, position }, delta) {
    let e = this.editorOf(doc.uri);
    const before = this.activeEditor;
    if (!e) {
      const get = k => { const o = this.config.workspace[`[${doc.languageId}]`] || this.config.user[`[${doc.languageId}]`] || {}; return k in o ? o[k] : this.config.get(k); };
      e = new TextEditor(`vschost.editor:${++this._editorSeq},${doc.key}`, doc, { tabSize: Number(get('editor.tabSize')) || 4, insertSpaces: get('editor.insertSpaces') !== false, viewColumn: position > 0 ? position : 0 });
      this.editors.set(e.id, e);
      delta.addedEditors = [e.dto()];
      if (!preserveFocus || !before) this.activeEditor = e;
      this._tabs.push({ id: `0~${doc.key}`, key: doc.key, label: path.posix.basename(doc.uri.path), uri: doc.uri });
      await this._tabOp(0, this._tabs.length - 1);
    } else if (!preserveFocus) this.activeEditor = e;
    if (this.activeEditor !== before) {
      delta.newActiveEditor = this.activeEditor.id;
      if (before) await this._tabOp(2, this._tabs.findIndex(t => t.key === before.doc.key));
      if (!delta.addedEditors) await this._tabOp(2, this._tabs.findIndex(t => t.key === e.doc.key));
    }
    return e;
  }
  /** kind: 0 open, 1 close, 2 update */
  _tabOp(kind, index, tab = this._tabs[index]) { return tab && index >= 0 ? this.rpc.call('ExtHostEditorTabs', '$acceptTabOperation', [{ groupId: 0, index, tabDto: this._tabDto(tab), kind }]) : undefined; }
  /** One after the other: who shows what is in front already waits until the extensions know it. */
  _showDocument(u, options = {}) {
    const shown = (this._shows ?? Promise.resolve()).then(() => this._showInTurn(u, options));
    this._shows = shown.catch(() => {});
    return shown;
  }
  async _showInTurn(u, options) {
    const doc = await this._ensureDocument(u), delta = {}, { selection } = options;
    const e = await this._openEditor(doc, options, delta);
    if (Object.keys(delta).length) await this.rpc.call('ExtHostDocumentsAndEditors', '$acceptDocumentsAndEditorsDelta', [delta]);
    if (selection) await this._setSelections(e, [{ selectionStartLineNumber: selection.startLineNumber, selectionStartColumn: selection.startColumn, positionLineNumber: selection.endLineNumber, positionColumn: selection.endColumn }], 'api');
    return e;
  }
  _tabDto(t) { return { id: t.id, label: t.label, input: { kind: 1, uri: t.uri }, isActive: !!this.activeEditor && this.activeEditor.doc.key === t.key, isPinned: false, isPreview: false, isDirty: !!this.documents.get(t.key)?.isDirty, editorId: undefined }; }
  _tabModel() { return [{ groupId: 0, isActive: true, viewColumn: 0, tabs: this._tabs.map(t => this._tabDto(t)) }]; }
  _closeTab(id) { const t = this._tabs.find(x => x.id === id); return t ? this.closeDocument(t.uri) : undefined; }
  async _setSelections(e, selections, source) {
    e.selections = selections.map(s => ({ selectionStartLineNumber: s.selectionStartLineNumber, selectionStartColumn: s.selectionStartColumn, positionLineNumber: s.positionLineNumber, positionColumn: s.positionColumn }));
    await this.rpc.call('ExtHostEditors', '$acceptEditorPropertiesChanged', [e.id, { options: null, selections: { selections: e.selections, source: source || 'keyboard' }, visibleRanges: null }]);
  }
  /** setSelection(uri, pos) | setSelection(uri, anchor, active), 0-based {line, character} */
  async setSelection(u, anchor, active = anchor) {
    const e = this.editorOf(u) || await this._showDocument(u, {});
    await this._setSelections(e, [{ selectionStartLineNumber: anchor.line + 1, selectionStartColumn: anchor.character + 1, positionLineNumber: active.line + 1, positionColumn: active.character + 1 }], 'keyboard');
  }
  async _edit(doc, edits, { eol, dirty = true } = {}) {
    const ev = doc.apply(edits, { eol });
    if (!ev) return false;
    if (!dirty) doc.isDirty = false;
    await this.rpc.call('ExtHostDocuments', '$acceptModelChanged', [doc.uri, ev, doc.isDirty]);
    for (const e of this.editors.values()) if (e.doc === doc) e.visibleRanges = [toIRange(doc.fullRange())];
    return true;
  }
  /** Apply edits [{range: {start, end}, text}] (0-based) as if the user made them. */
  edit(u, edits) { return this._edit(this._docOr(u), [].concat(edits)); }
  /** Replace the whole text. */
  setText(u, text) { const d = this._docOr(u); return this._edit(d, [{ range: d.fullRange(), text }]); }
  /** Type text at a position (default: the cursor), moving the cursor behind it. */
  async type(u, text, at) {
    const d = this._docOr(u), e = this.editorOf(u);
    if (!at) { if (!e) throw new Error('no editor: give a position'); const s = e.selections[0]; at = { line: s.positionLineNumber - 1, character: s.positionColumn - 1 }; }
    const end = d.offsetAt(at) + text.length;
    await this._edit(d, [{ range: { start: at, end: at }, text }]);
    const p = d.positionAt(end);
    if (e) await this.setSelection(u, p);
    return p;
  }
  async setLanguage(u, languageId) {
    const d = this._docOr(u); d.languageId = languageId;
    await this.rpc.call('ExtHostDocuments', '$acceptModelLanguageChanged', [d.uri, languageId]);
    await Promise.all([this._activateByEvent(`onLanguage:${languageId}`), this._activateByEvent('onLanguage')]);
  }
  /** Save to disk: runs the extensions' onWillSave participants first, then tells them it was saved. */
  async saveDocument(u, { reason = 1 } = {}) {
    const d = this._docOr(u);
    if (d.uri.scheme === 'untitled') return false;
    await this.rpc.call('ExtHostDocumentSaveParticipant', '$participateInSave', [d.uri, reason]);
    if (d.uri.scheme === 'file') { const f = uri.fsPath(d.uri), existed = fs.existsSync(f); fs.mkdirSync(path.dirname(f), { recursive: true }); fs.writeFileSync(f, d.getText()); this._touched(f, existed ? 'changed' : 'created'); }
    else if (this.fileSystems.has(d.uri.scheme)) await this.rpc.call('ExtHostFileSystem', '$writeFile', [this.fileSystems.get(d.uri.scheme).handle, d.uri, Buffer.from(d.getText()), { create: true, overwrite: true, unlock: false, atomic: false }]);
    else return false;
    d.isDirty = false; d.savedText = d.getText();
    await this.rpc.call('ExtHostDocuments', '$acceptModelSaved', [d.uri]);
    return true;
  }
  async closeDocument(u) {
    const d = this._docOr(u), gone = [...this.editors.values()].filter(e => e.doc === d);
    for (const e of gone) this.editors.delete(e.id);
    this.documents.delete(d.key);
    const delta = { removedDocuments: [d.uri], removedEditors: gone.map(e => e.id) };
    if (this.activeEditor && gone.includes(this.activeEditor)) { this.activeEditor = [...this.editors.values()].pop() || null; delta.newActiveEditor = this.activeEditor ? this.activeEditor.id : null; }
    const i = this._tabs.findIndex(t => t.key === d.key);
    if (i >= 0) { const [t] = this._tabs.splice(i, 1); await this._tabOp(1, i, t); if (delta.newActiveEditor) await this._tabOp(2, this._tabs.findIndex(x => x.key === this.activeEditor.doc.key)); }
    await this.rpc.call('ExtHostDocumentsAndEditors', '$acceptDocumentsAndEditorsDelta', [delta]);
  }
  async _applyWorkspaceEditDto(dto) {
    const byDoc = new Map();
    const flush = async () => {
      for (const [k, edits] of byDoc) { const d = await this._ensureDocument(k); if (edits.version !== undefined && edits.version !== d.version) throw new Error(`${k} has changed in the meantime`); await this._edit(d, edits); }
      byDoc.clear();
    };
    for (const e of dto.edits || []) {
      if (e.textEdit) {
        const k = uri.toString(e.resource); if (!byDoc.has(k)) byDoc.set(k, []);
        const a = byDoc.get(k); if (e.versionId !== undefined && e.versionId !== null) a.version = e.versionId;
        a.push({ range: fromIRange(e.textEdit.range), text: e.textEdit.insertAsSnippet ? snippetToText(e.textEdit.text) : e.textEdit.text ?? '' });
      } else if (e.oldResource || e.newResource) {
        await flush();
        const from = e.oldResource && uri.fsPath(e.oldResource), to = e.newResource && uri.fsPath(e.newResource), o = e.options || {};
        if (from && to) {
          if (fs.existsSync(to) && !o.overwrite) { if (o.ignoreIfExists) continue; throw new Error(`${to} exists`); }
          const d = this.document(e.oldResource); fs.mkdirSync(path.dirname(to), { recursive: true }); fs.renameSync(from, to); this._touched(from, 'deleted'); this._touched(to, 'created');
          if (d) { const shown = !!this.editorOf(d.uri); await this.closeDocument(d.uri); await this.openDocument(to, d.languageId, d.getText(), { show: shown }); }
          await this.rpc.call('ExtHostFileSystemEventService', '$onDidRunFileOperation', [2, [{ source: e.oldResource, target: e.newResource }]]);
        } else if (to) {
          if (fs.existsSync(to) && !o.overwrite) { if (o.ignoreIfExists) continue; throw new Error(`${to} exists`); }
          fs.mkdirSync(path.dirname(to), { recursive: true }); fs.writeFileSync(to, o.contents && o.contents.type === 'base64' ? Buffer.from(o.contents.value, 'base64') : ''); this._touched(to, 'created');
          await this.rpc.call('ExtHostFileSystemEventService', '$onDidRunFileOperation', [0, [{ target: e.newResource }]]);
        } else {
          if (!fs.existsSync(from)) { if (o.ignoreIfNotExists) continue; throw new Error(`${from} does not exist`); }
          fs.rmSync(from, { recursive: !!o.recursive }); this._touched(from, 'deleted'); if (this.document(e.oldResource)) await this.closeDocument(e.oldResource);
          await this.rpc.call('ExtHostFileSystemEventService', '$onDidRunFileOperation', [1, [{ target: e.oldResource }]]);
        }
      }
    }
    await flush();
  }
  /** Apply the workspace edit of a rename or code action result. */
  applyWorkspaceEdit(edit) { const raw = edit && (edit.raw || edit); return this._applyWorkspaceEditDto(raw); }

  // ------------------------------------------------------------------ files and workspace
  async _findFiles(folder, o, token) {
    const roots = folder ? [uri.fsPath(folder)] : this.folders.map(f => uri.fsPath(f.uri));
    const ex = Object.entries({ ...(this.config.get('files.exclude') || {}), ...(o.disregardSearchExcludeSettings === false ? this.config.get('search.exclude') : {}) }).filter(([, v]) => v === true).flatMap(([k]) => [k, `${k}/**`]);
    const out = [];
    for (const r of roots) for (const f of await walkFiles(r, o, ex, token)) out.push(uri.fromPath(f));
    return o.maxResults ? out.slice(0, o.maxResults) : out;
  }
  /** Tell file watchers about files. Each list holds paths or URIs. */
  async fireFileEvents({ created = [], changed = [], deleted = [] }) {
    if (this.dead) return;
    const ev = { created: created.map(uri.parse), changed: changed.map(uri.parse), deleted: deleted.map(uri.parse) };
    await this.rpc.call('ExtHostFileSystemEventService', '$onFileEvent', [{ session: undefined, ...ev }]);
    for (const [session, w] of this.watches) if (w.correlate) await this.rpc.call('ExtHostFileSystemEventService', '$onFileEvent', [{ session, ...ev }]);
  }
  _touched(file, what) { this._recent = this._recent || new Map(); this._recent.set(file, Date.now()); setImmediate(() => this.fireFileEvents({ [what]: [file] }).catch(() => {})); }
  /**
   * The user gives a file or folder another name: the extensions may add edits before, and hear of it after.
   * @returns the edits that were made along with it
   */
  async renameFile(from, to) {
    const files = [{ source: uri.parse(from), target: uri.parse(to) }], MOVE = 2;
    const joined = await this.rpc.call('ExtHostFileSystemEventService', '$onWillRunFileOperation', [MOVE, files, this.timeout], { cancellable: true });
    if (joined) await this._applyWorkspaceEditDto(joined.edit);
    await this._applyWorkspaceEditDto({ edits: [{ oldResource: files[0].source, newResource: files[0].target }] });
    return joined && features.workspaceEdit(joined.edit);
  }
  /** The user adds a folder to the window. */
  addFolder(folder) { return this._updateFolders(this.folders.length, 0, [{ uri: uri.fromPath(folder), name: path.basename(folder) }]); }
  /** The user takes a folder out of the window. */
  removeFolder(folder) { return this._updateFolders(this.folders.findIndex(f => uri.fsPath(f.uri) === folder), 1, []); }
  async _updateFolders(index, del, add) {
    this.folders.splice(index, del || 0, ...(add || []).map(f => ({ uri: uri.parse(f.uri), name: f.name })));
    this.folders.forEach((f, i) => { f.index = i; });
    await this.rpc.call('ExtHostWorkspace', '$acceptWorkspaceData', [this._workspaceData()]);
  }

  // ------------------------------------------------------------------ settings
  /** Change settings; undefined removes one. target: 'user' | 'workspace' */
  async setConfiguration(values, { target = 'workspace' } = {}) {
    const layer = target === 'user' ? this.config.user : this.config.workspace, before = { ...layer };
    for (const [k, v] of Object.entries(values)) if (v === undefined) delete layer[k]; else layer[k] = v;
    await this.rpc.call('ExtHostConfiguration', '$acceptConfigurationChanged', [this.config.data(this.folders.map(f => f.uri)), change(Object.keys(values), before, layer)]);
  }
  async _updateSetting(target, key, value, overrides) {
    // ConfigurationTarget: 1 application, 2 user, 3 user local, 4 user remote, 5 workspace, 6 folder, 7 default, 8 memory
    const lang = overrides && overrides.overrideIdentifier;
    let t = target;
    if (t === null || t === undefined) t = this.folders.length ? 5 : 2;
    const name = t === 5 || t === 6 ? 'workspace' : 'user';
    if (name === 'workspace' && !this.folders.length) throw new Error(`Unable to write to Workspace Settings because no workspace is opened. Please open a workspace first and try again.`);
    if (!(key in this.config.defaults) && !lang && !OVERRIDE.test(key)) throw new Error(`Unable to write to ${name === 'user' ? 'User' : 'Workspace'} Settings because ${key} is not a registered configuration.`);
    if (lang) { const k = `[${lang}]`, o = { ...((name === 'user' ? this.config.user : this.config.workspace)[k] || {}) }; if (value === undefined) delete o[key]; else o[key] = value; return this.setConfiguration({ [k]: o }, { target: name }); }
    return this.setConfiguration({ [key]: value }, { target: name });
  }
}
module.exports = { Workbench };
