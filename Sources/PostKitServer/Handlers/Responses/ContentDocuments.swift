// Read-only documents of ours: responses, bodies, comparisons, the history, the environments.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitText

/// The handler of `workspace/textDocumentContent` (CONTRACTS.md, section 3, URIs).
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
    case ("response", _):
      text = try await response(snapshot, uri)
    case ("diff", 3):
      text = try await ResponseDiff.text(snapshot, from: id(parts[1]), to: id(parts[2]))
    case ("history", 1):
      text = try await HistoryList.text(snapshot, HistoryAddress(uri))
    case ("collections", 1):
      if let listing = try RequestListing(uri) {
        text = try await FoundRequests.text(snapshot, listing)
      } else {
        text = try await Collections.text(snapshot)
      }
    case ("collections", 2):
      text = String(decoding: try await snapshot.sendable(params.uri).text.bytes, as: UTF8.self)
    case ("cookies", 1):
      text = try await Cookies.text(snapshot)
    case ("session", 1):
      text = try await SessionValues.text(snapshot)
    case ("searches", 1):
      text = try await SavedSearchList.text(snapshot)
    case (ShownDocument.statisticsName, 1):
      text = try await StatisticsList.text(snapshot, HistoryAddress(uri))
    case ("timeline", 2):
      text = try await HistoryList.timeline(snapshot, id: id(parts[1]))
    case (ShownDocument.fetchedName, 2):
      text = try await FetchedDocument.text(of: uri, snapshot)
    case ("copied", 2):
      guard let copied = snapshot.session.copies[id(parts[1])] else {
        throw RPCError(.contentModified, "The copied text is gone. Copy it again.")
      }
      text = copied
    case ("variables", 1):
      text = try await Overview.variables(snapshot, of: uri)
    case (TokenCommands.documentName, 1):
      text = try await TokenCommands.claims(snapshot, of: uri)
    case ("environments", 1):
      text = await environments(snapshot)
    case ("diagnostics", 2):
      text = try diagnostic(parts[1])
    default:
      throw RPCError(.invalidParams, "params.uri: there is no document \(params.uri).")
    }
    return LSP.TextDocumentContentResult(text: text)
  }

  private static func response(
    _ snapshot: Snapshot, _ uri: DocumentURI
  ) async throws(RPCError) -> String {
    guard case .response(let id, let view) = ShownDocument(postkit: uri) else {
      throw RPCError(.invalidParams, "params.uri: there is no document \(uri.spelling).")
    }
    if let live = snapshot.session.live.text(of: id, isBody: view.isBody) { return live }
    return try await ResponseDocuments.text(snapshot, id: id, view)
  }

  private static func diagnostic(_ name: String) throws(RPCError) -> String {
    guard name.hasSuffix(".md"), let code = DiagnosticCode(rawValue: String(name.dropLast(3)))
    else {
      throw RPCError(.invalidParams, "params.uri: there is no diagnostic \(name).")
    }
    let entry = code.entry
    let fix = entry.fixes.isEmpty ? "" : "\nA quick fix does this.\n"
    return "# \(code.rawValue)\n\n\(entry.meaning)\n\n\(entry.remedy)\n\(fix)"
  }

  /// The id in the name of a document.
  private static func id(_ name: String) -> String { String(name.prefix { $0 != "." }) }

  /// Those of files, then those of the store with their variables.
  private static func environments(_ snapshot: Snapshot) async -> String {
    var lines: [String] = []
    for item in await EnvironmentLists.environments(snapshot, nil) {
      lines.append("\(item.active ? "*" : " ") \(item.name)  \(item.files.joined(separator: ", "))")
    }
    for item in await EnvironmentLists.storedEnvironments(snapshot) {
      let place = item.collection.map { "in the collection \($0)" } ?? "for all collections"
      lines.append("\(item.active ? "*" : " ") \(item.name)  \(place)".oneLine)
      lines += item.variables.map {
        "    \($0.name) = \($0.value ?? SecretMask.text)".oneLine
      }
    }
    return lines.isEmpty ? "# No environments.\n" : lines.joined(separator: "\n") + "\n"
  }
}
