// The descriptions of APIs that the requests of a document are compared with.

import PostKitDescription
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax

extension Snapshot {
  /// An analysis that knows the descriptions around its document, as far as they are read. What is
  /// read later makes the client ask for the diagnostics again.
  func comparing(_ analysis: Analysis, _ context: DocumentContext) async -> Analysis {
    let document = context.document.parsed
    let tagged = document.taggedBlocks
    let (events, uri) = (events, context.document.uri)
    let found = await descriptions.around(
      context, of: tagged, within: Limits.describedReadMilliseconds, client
    ) { events.post(.scriptsChecked(uri)) }
    guard !found.isEmpty || !tagged.isEmpty else { return analysis }
    var analysis = analysis
    analysis.descriptions = RequestDescriptions(
      revision: found.revision, severity: severity(context.settings)
    ) { block, request in
      // Why it can't be read is told by who is asked for it.
      try? found.description(for: request, tag: document.descriptionTag(of: block))?.index
    }
    analysis.descriptions?.tagged = { TaggedDescription(found, $0) }
    return analysis
  }

  private func severity(_ settings: Settings) -> DiagnosticSeverity? {
    switch settings[.openapiDiagnostics] {
    case .hint, nil: .hint
    case .warning: .warning
    case .off: nil
    }
  }
}
