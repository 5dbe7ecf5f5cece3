// Diagnostics of scripts that need more than the text: what the engine says of their syntax, and
// how they failed at the last run.

import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitScripting
import PostKitSession
import PostKitSupport
import PostKitSyntax
import PostKitText

/// The diagnostics of scripts.
enum ScriptDiagnostics {
  /// All that is known of the scripts of an open document. What is said of those in files of their
  /// own, and what is found later, is told to the loop.
  static func all(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis
  ) async -> [Diagnostic] {
    let document = context.document
    guard snapshot.documents[document.uri] != nil else { return [] }
    var (own, files): ([Diagnostic], [ScriptFile]) = ([], [])
    var found: [String: [Diagnostic]] = [:]
    if document.parsed.hasScripts {
      var cache = snapshot.caches[document.uri]?.scripts ?? ScriptSources()
      var sources = cache.sources(of: document.parsed)
      snapshot.caches.keep(document.uri) { $0.scripts = cache }
      files = context.workspace.scriptFiles(named: cache.files)
      sources += files.map { ScriptSource(file: $0.path, $0.bytes, isModule: $0.isModule) }
      let findings = await syntax(sources, snapshot, context)
      if findings.isMissing, let first = sources.first(where: { $0.file == nil }) {
        own.append(analysis.missingEngine(at: first))
      }
      for (source, mistake) in findings.mistakes {
        if let file = source.file {
          found[file, default: []].append(Diagnostic(mistake, in: source))
        } else if let diagnostic = analysis.syntaxDiagnostic(mistake, in: source) {
          own.append(diagnostic)
        }
      }
    }
    own += failed(snapshot, context, analysis)
    tell(files, found, snapshot, context)
    return own
  }

  /// What is said of a script in a file of its own that is open itself, where an open document
  /// names it.
  static func ofFile(_ snapshot: Snapshot, _ document: OpenDocument) async -> [LSP.Diagnostic] {
    guard let path = document.uri.path.map(FilePath.normalise),
      let known = snapshot.session.scriptFiles.file(path)
    else { return [] }
    let context = await snapshot.context(of: document)
    let bytes = document.text.bytes
    let source = ScriptSource(file: path, bytes, isModule: known.isModule)
    let mistakes = await syntax([source], snapshot, context).mistakes
    let file = ScriptFile(path: path, bytes: bytes, isModule: known.isModule)
    return diagnostics(
      of: file, mistakes.map { Diagnostic($0.mistake, in: $0.source) }, snapshot, context)
  }

  /// The mistakes of syntax that are known, and whether there is no engine.
  private static func syntax(
    _ sources: [ScriptSource], _ snapshot: Snapshot, _ context: DocumentContext
  ) async -> ScriptFindings {
    if sources.isEmpty { return ScriptFindings() }
    let (uri, root) = (context.document.uri, context.workspace.root)
    var limits = ScriptLimits()
    // Texts of a folder that isn't trusted are read in the cage alone.
    limits.requiresConfinement =
      context.settings.scriptLimits.requiresConfinement ? true : await !snapshot.isTrusted(root)
    let events = snapshot.events
    let order = ScriptOrder(
      uri, root: root, engine: snapshot.scripts.reader(of: root), limits: limits
    ) { events.post(.scriptsChecked(uri)) }
    return await snapshot.scriptChecker.look(sources, order)
  }

  /// The scripts of an open document that failed at the last run.
  private static func failed(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis
  ) -> [Diagnostic] {
    if context.settings[.inlayResults] == false { return [] }
    let failed = snapshot.session.failedScripts.failed(of: context.file)
    if failed.isEmpty { return [] }
    return analysis.failedScripts(failed).map { diagnostic in
      var result = diagnostic
      result.frames = ScriptFrames(snapshot, context).counted(diagnostic.frames)
      return result
    }
  }

  // MARK: - Scripts in files of their own

  /// Tells the loop what is said of the script files that a document names.
  private static func tell(
    _ files: [ScriptFile], _ found: [String: [Diagnostic]], _ snapshot: Snapshot,
    _ context: DocumentContext
  ) {
    if files.isEmpty, snapshot.session.scriptFiles.isEmpty { return }
    var all: [String: ScriptFileFindings.File] = [:]
    for file in files {
      let diagnostics = diagnostics(of: file, found[file.path] ?? [], snapshot, context)
      all[file.path] = ScriptFileFindings.File(isModule: file.isModule, diagnostics: diagnostics)
    }
    let document = context.document
    let changed = snapshot.session.update {
      $0.scriptFiles.note(all, of: document.uri, version: document.text.version)
    }
    if !changed.isEmpty { snapshot.events.post(.scriptFilesChanged(changed)) }
  }

  /// Mistakes of syntax of a file with how it failed at the last run.
  private static func diagnostics(
    of file: ScriptFile, _ mistakes: [Diagnostic], _ snapshot: Snapshot, _ context: DocumentContext
  ) -> [LSP.Diagnostic] {
    let failed =
      context.settings[.inlayResults] == false
      ? [] : snapshot.session.failedScripts.failed(in: file.path)
    if mistakes.isEmpty && failed.isEmpty { return [] }
    let text = TextSnapshot(uri: file.path, version: nil, bytes: file.bytes)
    let (units, frames) = (text.converter(.utf16), ScriptFrames(snapshot, context))
    let failures = failed.compactMap { failed -> Diagnostic? in
      guard let place = failed.frames.first else { return nil }
      let offset = units.offset(
        of: TextPosition(line: place.line - 1, column: max(0, place.column - 1)))
      var result = failed.diagnostic(at: offset, in: file.bytes)
      result.frames = frames.counted(result.frames)
      return result
    }
    let converter = text.converter(snapshot.client.profile.encoding)
    return (mistakes + failures).map {
      ToProtocol.diagnostic($0, converter, snapshot.client.profile)
    }
  }
}

/// Counts the columns of places in scripts as the client does.
private struct ScriptFrames {
  let snapshot: Snapshot
  let context: DocumentContext

  init(_ snapshot: Snapshot, _ context: DocumentContext) {
    (self.snapshot, self.context) = (snapshot, context)
  }

  /// The same places with other columns; where a text can't be had they stay as they are.
  func counted(_ frames: [EvaluationProblem.Frame]) -> [EvaluationProblem.Frame] {
    let encoding = snapshot.client.profile.encoding
    if encoding == .utf16 { return frames }
    return frames.map { frame in
      guard let bytes = bytes(frame.path) else { return frame }
      let text = TextSnapshot(uri: frame.path, version: nil, bytes: bytes)
      let offset = text.converter(.utf16).offset(
        of: TextPosition(line: frame.line - 1, column: max(0, frame.column - 1)))
      let place = text.converter(encoding).position(of: offset)
      return EvaluationProblem.Frame(
        path: frame.path, line: place.line + 1, column: place.column + 1)
    }
  }

  private func bytes(_ path: String) -> [UInt8]? {
    if path == context.file { return context.document.text.bytes }
    guard case .bytes(let bytes) = context.workspace.scriptContent(path) else { return nil }
    return bytes
  }
}
