// Saved searches of the history as a document, and what saves and deletes them.

import JSONRPC
import LanguageServerProtocol
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The document `postkit:/searches`: a line for each search, which ends with a word that tells it.
enum SavedSearchList {
  /// Opens the list; its URI.
  static func show(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let uri = try await ListDocument.searches.uri(snapshot) { () throws(RPCError) in
      try await text(snapshot)
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// The list as it is now.
  static func text(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let searches = try await searches(snapshot)
    guard !searches.isEmpty else {
      return "# No saved searches yet. The code action \"Save this search…\" of a history that is "
        + "filtered adds one.\n"
    }
    let width = searches.map(\.name.oneLine.count).max() ?? 0
    let lines = searches.map { search in
      let name = search.name.oneLine
      let blanks = String(repeating: " ", count: width - name.count)
      return "# \(name)\(blanks)  \(search.filter.oneLine)  \(digest(search.name))"
    }
    return ([keys, "#"] + lines).joined(separator: "\n") + "\n"
  }

  /// What can be done with a line. Editors that know us say their keys in its place.
  private static let keys =
    "# The code actions of a line show what its search finds, and delete it."

  /// What can be done with the search on a line, counted from 0; nothing where it is gone.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) async throws(RPCError) -> [LSP.CodeAction] {
    guard let word = document.lastWord(ofLine: line),
      let search = try await searches(snapshot).first(where: { digest($0.name) == word })
    else { return [] }
    let own = snapshot.initialization
    let query = "line=\(DocumentURI.queryValue(search.filter))"
    let (show, figures, delete) = (
      "Show what it finds", "Show its statistics", "Delete the search `\(search.name)`"
    )
    return [
      CodeActions.action(
        "postkit.open", show,
        CommandID.history.command(show, own, LSP.PostkitHistoryArguments(query: query))),
      CodeActions.action(
        "postkit.list.statistics", figures,
        CommandID.statistics.command(
          figures, own, LSP.PostkitStatisticsArguments(query: query))),
      CodeActions.action(
        "postkit.delete", delete,
        CommandID.historyEdit.command(
          delete, own, LSP.PostkitEditOperation(op: .searchDelete, name: search.name))),
    ]
  }

  /// The searches by their names.
  static func searches(_ snapshot: Snapshot) async throws(RPCError) -> [Model.SavedSearch] {
    guard let store = await snapshot.store.existing() else { return [] }
    return try await RPCError.ofStore { () throws(StoreFailure) in try await store.savedSearches() }
  }

  /// A word for a search that says nothing about it.
  private static func digest(_ name: String) -> String {
    String(SHA256.hexDigest(Array(name.utf8)).prefix(16))
  }

  /// Saves or deletes a search, whose name the user may be asked for.
  static func edit(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    var operation = operation
    if operation.ask == true {
      guard operation.op == .searchSave, operation.name == nil else {
        throw RPCError(
          .invalidParams,
          "params.arguments[0].ask: only the name of a new search can be asked for.")
      }
      try UserQuestions.requireText(
        snapshot.client, instead: "Use `postkit history save-search NAME FILTER`.")
      operation.name = try await UserQuestions.text(snapshot.client, "Name of the search", nil)
      operation.ask = nil
      guard operation.name != nil else {
        throw RPCError(.requestCancelled, "You entered nothing; nothing was saved.")
      }
    }
    return try await HistoryFigures.edit(snapshot, LSP.PostkitEditParams(ops: [operation]))
  }
}
