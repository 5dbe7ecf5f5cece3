// Diagnostics of scripts that need more than the text: what the engine says of their syntax.

import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitScripting
import PostKitSession
import PostKitSyntax

/// The diagnostics of scripts.
enum ScriptDiagnostics {
  /// The scripts of an open document that failed at the last run.
  static func failed(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis
  ) -> [Diagnostic] {
    guard context.settings[.inlayResults] != false,
      snapshot.documents[context.document.uri] != nil
    else { return [] }
    let failed = snapshot.session.failedScripts.failed(of: context.file)
    return failed.isEmpty ? [] : analysis.failedScripts(failed)
  }

  /// The mistakes of syntax that are known of the scripts of an open document, and that there is no
  /// engine. What is found later is told to the loop.
  static func syntax(
    _ snapshot: Snapshot, _ context: DocumentContext, _ analysis: Analysis
  ) async -> [Diagnostic] {
    let document = context.document
    let uri = document.uri
    guard document.parsed.blocks.hasAny([.scripts, .expressions]),
      snapshot.documents[uri] != nil
    else { return [] }
    var cache = snapshot.caches[uri]?.scripts ?? ScriptSources()
    let sources = cache.sources(of: document.parsed)
    snapshot.caches.keep(uri) { $0.scripts = cache }
    guard let first = sources.first else { return [] }
    var limits = ScriptLimits()
    // Texts of a folder that isn't trusted are read in the cage alone.
    limits.requiresConfinement =
      context.settings.scriptLimits.requiresConfinement
      ? true : await !snapshot.isTrusted(context.workspace.root)
    let events = snapshot.events
    let order = ScriptOrder(
      uri, root: context.workspace.root,
      engine: snapshot.scripts.reader(of: context.workspace.root), limits: limits
    ) { events.post(.scriptsChecked(uri)) }
    let findings = await snapshot.scriptChecker.look(sources, order)
    let missing = findings.isMissing ? [analysis.missingEngine(at: first)] : []
    return missing
      + findings.mistakes.compactMap { analysis.syntaxDiagnostic($0.mistake, in: $0.source) }
  }
}
