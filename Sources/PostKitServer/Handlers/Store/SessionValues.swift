// The small values that outlive a process, as a document for every client; forgetting them.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers that show and forget session values: globals, answers, chosen environments, trust.
enum SessionValues {
  /// `postkit.session`: opens the list.
  static func show(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let uri = try await ListDocument.session.uri(snapshot) { () throws(RPCError) in
      try await text(snapshot)
    }
    Showing.open(snapshot, uri, takesFocus: true)
    return uri
  }

  /// The document `postkit:/session`: a line for each value, those that may be secrets hidden.
  static func text(_ snapshot: Snapshot) async throws(RPCError) -> String {
    let rows = try await rows(snapshot)
    guard !rows.isEmpty else {
      return "# Nothing is kept from run to run but the history and cookies.\n"
    }
    var lines = ["# The code actions of a line forget its value, or all values that stand with it."]
    var owner: WorkspaceEnvironment?
    for row in rows {
      if row.owner != owner { lines += ["#", "# \(title(row.owner))".oneLine] }
      owner = row.owner
      lines.append("#   \(line(row))".oneLine)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func title(_ owner: WorkspaceEnvironment) -> String {
    let folder = owner.folder.isEmpty ? "no folder" : owner.folder
    return owner.environment.isEmpty ? folder : "\(folder)  (\(owner.environment))"
  }

  private static func line(_ row: Model.SessionValue) -> String {
    let value = row.kind.isHidden ? SecretMask.text : row.value.shown.excerpt
    return [row.key, value.isEmpty ? "(none)" : value, row.kind.meaning, digest(row)]
      .joined(separator: "  ")
  }

  /// A word for a value that says nothing about it.
  private static func digest(_ row: Model.SessionValue) -> String {
    let key = JSONValue.array(
      [row.owner.folder, row.owner.environment, row.key].map(JSONValue.string))
    return String(SHA256.hexDigest(Array(key.text.utf8)).prefix(16))
  }

  private static func rows(_ snapshot: Snapshot) async throws(RPCError) -> [Model.SessionValue] {
    guard let store = await snapshot.services.store.existing() else { return [] }
    do throws(StoreFailure) { return try await store.sessionValues(SessionQuery()) } catch {
      throw RPCError(error)
    }
  }

  /// What can be done with the value on a line of the list; nothing where it is gone.
  static func actions(
    _ snapshot: Snapshot, _ document: OpenDocument, line: Int
  ) async throws(RPCError) -> [LSP.CodeAction] {
    guard let word = document.lastWord(ofLine: line),
      let row = try await rows(snapshot).first(where: { digest($0) == word })
    else { return [] }
    let operations = [
      (
        "Forget `\(row.key)`",
        LSP.PostkitEditOperation(
          op: .sessionDelete, name: row.key, environment: row.owner.environment,
          folder: row.owner.folder)
      ),
      (
        "Forget all values of \(title(row.owner))",
        LSP.PostkitEditOperation(
          op: .sessionClear, environment: row.owner.environment, folder: row.owner.folder)
      ),
    ]
    return operations.map { title, operation in
      Acting.action(
        "postkit.delete", title,
        CommandID.sessionEdit.command(title, snapshot.initialization, operation))
    }
  }

  // MARK: - Forgetting

  /// The operation of `postkit/edit` on session values. Here they are forgotten as well: what this
  /// process remembers of them would be used in their stead.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    guard params.ops.count == 1, let operation = params.ops.first, operation.op.isOfSession else {
      throw RPCError(
        .invalidParams,
        "params.ops: what is forgotten can't be put back, so that it needs a message of its own.")
    }
    try operation.requireMembers(place: "params.ops[0]")
    guard params.ifRevision == nil else {
      throw RPCError(
        .invalidParams, "params.ifRevision: session values have no revision; leave it out.")
    }
    let query = try query(operation)
    defer {
      snapshot.services.memory.forget(query)
      snapshot.events.post(.refresh)
      snapshot.events.post(.statusChanged)
    }
    guard let store = await snapshot.services.store.existing() else {
      return LSP.PostkitEditResult(revision: 0, ids: [:], count: 0)
    }
    do throws(StoreFailure) {
      let count = try await store.forget(query)
      return LSP.PostkitEditResult(
        revision: Double(try await store.revision()), ids: [:], count: count)
    } catch {
      throw RPCError(error)
    }
  }

  private static func query(
    _ operation: LSP.PostkitEditOperation
  ) throws(RPCError) -> SessionQuery {
    var query = SessionQuery()
    query.folder = operation.folder
    query.environment = operation.environment
    guard operation.op == .sessionDelete else { return query }
    guard operation.folder != nil, let key = operation.name else {
      throw RPCError(
        .invalidParams, "params.ops[0]: folder and name are needed for session.delete.")
    }
    query.environment = operation.environment ?? ""
    query.keys = [key]
    return query
  }
}

extension LSP.PostkitEditKind {
  /// Whether it changes session values, and nothing else.
  var isOfSession: Bool { rawValue.hasPrefix("session.") }
}

extension SessionMemory {
  /// Forgets what this process knows of the session values that are meant.
  func forget(_ query: SessionQuery) {
    forget { owner, key in
      (query.folder ?? owner.folder) == owner.folder
        && (query.environment ?? owner.environment) == owner.environment
        && query.keys?.contains(key.text) != false
    }
  }
}
