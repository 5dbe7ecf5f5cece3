// Inlay hints: the last results on request lines, and what names stand for.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitText

/// The handlers of inlay hints.
enum InlayHints {
  /// `textDocument/inlayHint`.
  static func inlayHint(
    _ snapshot: Snapshot, _ params: LSP.InlayHintParams
  ) async throws(RPCError) -> [LSP.InlayHint]? {
    guard let document = try snapshot.requestFile(params.textDocument.uri) else { return [] }
    let context = await snapshot.context(of: document)
    let variables = context.settings[.inlayVariables] ?? .usual
    let analysis = await snapshot.analysis(of: context)
    let converter = context.converter(snapshot)
    let range = converter.offsets(params.range)
    let showsResults = context.settings[.inlayResults] != false
    let hints = analysis.inlayHints(in: range, variables: variables, results: showsResults).map {
      hint($0, document, converter, snapshot)
    }
    guard showsResults else { return hints }
    let marks = snapshot.session.sends.marks(of: document.uri).marks
    let results = analysis.resultHints(in: range, marks: marks).filter {
      $0.mood != .waiting || snapshot.client.profile.knowsWaiting
    }
    return results.map { result($0, converter, snapshot) } + hints
  }

  /// Fills in what a hint is about: the value with its origin and all that it covers.
  static func resolve(
    _ snapshot: Snapshot, _ hint: LSP.InlayHint
  ) async throws(RPCError) -> LSP.InlayHint {
    guard let uri = hint.data?["uri"]?.string else { return hint }
    let document = try snapshot.document(uri)
    guard hint.data?["version"]?.int == document.text.version else {
      throw RPCError(.contentModified, "The document has changed since this hint was made.")
    }
    let context = await snapshot.context(of: document)
    let analysis = await snapshot.analysis(of: context)
    let offset = context.converter(snapshot).offset(hint.position)
    guard
      let text = analysis.inlayHintDetail(
        at: offset, environments: { snapshot.environments(around: context) })
    else { return hint }
    var resolved = hint
    resolved.tooltip = ToProtocol.markup(
      text, isMarkdown: snapshot.client.profile.takesMarkdownInHover)
    return resolved
  }

  private static func hint(
    _ hint: InlayHint, _ document: OpenDocument, _ converter: PositionConverter,
    _ snapshot: Snapshot
  ) -> LSP.InlayHint {
    var part = LSP.InlayHintLabelPart(value: hint.text)
    var edits: [LSP.TextEdit]?
    switch hint.kind {
    case .value(let range, let literal):
      edits = literal.map { [LSP.TextEdit(range: converter.lsp(range), newText: $0)] }
    case .request(let id):
      part.command = id.map { showing($0, snapshot) }
    case .overridden, .script: break
    }
    if case .script(let isStale) = hint.kind {
      let isFailure = hint.text.hasPrefix("✗")
      let mood = isFailure ? "failed" : hint.text.hasPrefix("✓") ? "done" : "value"
      // Resolving would tell of the line as it is now.
      return LSP.InlayHint(
        position: converter.lsp(hint.offset), label: [part], paddingLeft: true,
        data: ["script": .string(isStale ? "stale" : mood)])
    }
    var data: [JSONMember] = [JSONMember("uri", .string(document.uri.spelling))]
    if let version = document.text.version { data.append(JSONMember("version", .int(version))) }
    return LSP.InlayHint(
      position: converter.lsp(hint.offset), label: [part], textEdits: edits,
      paddingLeft: !hint.text.hasPrefix(" "), data: .object(data))
  }

  private static func result(
    _ hint: ResultHint, _ converter: PositionConverter, _ snapshot: Snapshot
  ) -> LSP.InlayHint {
    LSP.InlayHint(
      position: converter.lsp(hint.offset),
      label: [
        LSP.InlayHintLabelPart(
          value: hint.text, command: hint.id.map { showing($0, snapshot) })
      ],
      tooltip: ToProtocol.markup(hint.tooltip, isMarkdown: false), paddingLeft: true,
      data: ["result": .string(hint.mood.rawValue)])
  }

  private static func showing(_ id: String, _ snapshot: Snapshot) -> LSP.Command {
    CommandID.showResponse.command(
      "Show the response", snapshot.initialization, LSP.PostkitShowResponseArguments(id: id))
  }
}
