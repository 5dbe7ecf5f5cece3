// Read-only documents of ours: responses, bodies, the history, the environments.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport

/// The handler of `workspace/textDocumentContent` (contracts.md, section 3, URIs).
enum ContentDocuments {
  /// The text of a `postkit:` document.
  static func content(
    _ snapshot: Snapshot, _ params: LSP.TextDocumentContentParams
  ) async throws(RPCError) -> LSP.TextDocumentContentResult {
    let uri = DocumentURI(params.uri)
    guard uri.scheme == "postkit" else {
      throw RPCError(.invalidParams, "params.uri: expected a postkit: URI.")
    }
    let parts = uri.segments
    let text: String
    switch (parts.first, parts.count) {
    case ("response", 2):
      text = Showing.text(try await exchange(snapshot, parts[1]))
    case ("response", 3) where parts[2].hasPrefix("body"):
      text = body(try await exchange(snapshot, parts[1]))
    case ("history", 1):
      text = try await history(snapshot, HistoryQuery(uri))
    case ("environments", 1):
      text = await environments(snapshot)
    case ("diagnostics", 2):
      text = try diagnostic(parts[1])
    default:
      throw RPCError(.invalidParams, "params.uri: there is no document \(params.uri).")
    }
    return LSP.TextDocumentContentResult(text: text)
  }

  /// The URI of the page about a code of a diagnostic.
  static func page(ofDiagnostic code: String) -> String { "postkit:/diagnostics/\(code).md" }

  private static func diagnostic(_ name: String) throws(RPCError) -> String {
    guard name.hasSuffix(".md"), let code = DiagnosticCode(rawValue: String(name.dropLast(3)))
    else {
      throw RPCError(.invalidParams, "params.uri: there is no diagnostic \(name).")
    }
    return "# \(code.rawValue)\n\n\(code.meaning)\n\n\(code.remedy)\n"
  }

  private static func exchange(
    _ snapshot: Snapshot, _ name: String
  ) async throws(RPCError) -> Exchange {
    let id = name.prefix { $0 != "." }
    return try await Showing.exchange(snapshot, id: String(id))
  }

  private static func body(_ exchange: Exchange) -> String {
    guard let response = exchange.response else { return "" }
    let bytes = StoredBody.bytes(response.body, limit: Limits.viewBodyBytes)
    let type = response.headers.first("Content-Type").flatMap(MediaType.init)
    return ResponseText.body(bytes, type, total: response.body.count) + "\n"
  }

  private static func history(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> String {
    let entries = try await Browsing.entries(snapshot, query)
    var lines = [
      entries.isEmpty
        ? "# There is no such request in the history."
        : "# The newest requests, at most \(query.limit). postkit history shows more."
    ]
    for item in entries {
      let result = LastResult(item)
      lines.append("")
      lines.append("### \(Browsing.time(item.startedAt))  \(result.summary)  \(item.id)")
      lines.append("\(item.method) \(item.url)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func environments(_ snapshot: Snapshot) async -> String {
    var lines: [String] = []
    for item in await Browsing.environments(snapshot, nil) {
      lines.append("\(item.active ? "*" : " ") \(item.name)  \(item.files.joined(separator: ", "))")
    }
    return lines.isEmpty ? "# There is no environment.\n" : lines.joined(separator: "\n") + "\n"
  }
}
