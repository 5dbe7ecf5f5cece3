// What the lists of cookies and of session values have in common: a line for each row, whose last
// word tells the row.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// A list of rows that the store keeps for workspaces and their environments.
protocol StoredList {
  associatedtype Row

  /// Where it is shown.
  static var document: ListDocument { get }

  /// The text of a list without rows.
  static var nothing: String { get }

  /// What can be done with its lines.
  static var heading: String { get }

  /// The command that does it.
  static var command: CommandID { get }

  /// All rows in the order of the list, those of an owner beside each other.
  static func rows(of store: Store) async throws(StoreFailure) -> [Row]

  /// Who the row belongs to.
  static func owner(_ row: Row) -> WorkspaceEnvironment

  /// What tells a row from all others.
  static func key(_ row: Row) -> [String]

  /// What a line says of its row, nothing of it secret.
  static func words(_ row: Row) -> [String]

  /// What can be done with a row, by its title.
  static func operations(_ row: Row) -> [(title: String, operation: LSP.PostkitEditOperation)]
}

extension StoredList {
  /// Opens the list; its URI.
  static func show(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let uri = try await document.uri(snapshot) { () throws(RPCError) in
      try await text(snapshot)
    }
    SendResults.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// The text of the document.
  static func text(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let rows = try await rows(snapshot)
    guard !rows.isEmpty else { return "# \(nothing)\n" }
    var lines = ["# \(heading)"]
    var last: WorkspaceEnvironment?
    for row in rows {
      let owner = owner(row)
      if owner != last { lines += ["#", "# \(owner.title)".oneLine] }
      last = owner
      lines.append("#   \((words(row) + [digest(row)]).joined(separator: "  "))".oneLine)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What can be done with the row on a line of the list; nothing where it is gone.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) async throws(RPCError) -> [LSP.CodeAction] {
    guard let word = document.lastWord(ofLine: line),
      let row = try await rows(snapshot).first(where: { digest($0) == word })
    else { return [] }
    return operations(row).map { title, operation in
      CodeActions.action(
        "postkit.delete", title, command.command(title, snapshot.initialization, operation))
    }
  }

  private static func rows(_ snapshot: Snapshot) async throws(RPCError) -> [Row] {
    guard let store = await snapshot.store.existing() else { return [] }
    return try await RPCError.ofStore { () throws(StoreFailure) in try await rows(of: store) }
  }

  /// A word for a row that says nothing about it.
  private static func digest(_ row: Row) -> String {
    let key = JSONValue.array(key(row).map(JSONValue.string)).text
    return String(SHA256.hexDigest(Array(key.utf8)).prefix(16))
  }
}

extension WorkspaceEnvironment {
  /// Its name among others.
  var title: String {
    let folder = folder.isEmpty ? "no folder" : folder
    return environment.isEmpty ? folder : "\(folder)  (\(environment))"
  }
}
