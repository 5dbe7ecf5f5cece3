// The small values that outlive a process, as a document for every client; forgetting them.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitText

/// The handlers of session values: globals, answers, chosen environments, trust.
enum SessionValues {
  /// The operation of `postkit/edit` on session values. Here they are forgotten as well: what this
  /// process remembers of them would be used in their stead.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    guard params.ops.count == 1, let operation = params.ops.first, operation.op.isOfSession else {
      throw RPCError(
        .invalidParams,
        "params.ops: forgetting can't be undone, so it needs a message of its own.")
    }
    try operation.requireMembers(place: "params.ops[0]")
    guard params.ifRevision == nil else {
      throw RPCError(
        .invalidParams, "params.ifRevision: session values have no revision; leave it out.")
    }
    let query = try query(operation)
    defer {
      snapshot.session.update { $0.memory.forget(query) }
      snapshot.events.post(.refresh(.everything))
      snapshot.events.post(.statusChanged)
    }
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitEditResult(revision: 0, ids: [:], count: 0)
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let count = try await store.forget(query)
      return LSP.PostkitEditResult(
        revision: Double(try await store.revision()), ids: [:], count: count)
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

/// The list `postkit:/session`, values that may be secrets hidden.
extension SessionValues: StoredList {
  static let document = ListDocument.session
  static let nothing =
    "Nothing is stored yet. Answers, globals, trust and environments appear here."
  static let heading =
    "The code actions of a line forget its value, or all values of its group."
  static let command = CommandID.sessionEdit

  static func rows(of store: Store) async throws(StoreFailure) -> [Model.SessionValue] {
    try await store.sessionValues(SessionQuery())
  }

  static func owner(_ row: Model.SessionValue) -> WorkspaceEnvironment { row.owner }

  static func key(_ row: Model.SessionValue) -> [String] {
    [row.owner.folder, row.owner.environment, row.key]
  }

  static func words(_ row: Model.SessionValue) -> [String] {
    let value = row.kind.isHidden ? SecretMask.text : row.value.shown.excerpt
    return [row.key, value.isEmpty ? "(none)" : value, row.kind.meaning]
  }

  static func operations(
    _ row: Model.SessionValue
  ) -> [(title: String, operation: LSP.PostkitEditOperation)] {
    [
      (
        "Forget `\(row.key)`",
        LSP.PostkitEditOperation(
          op: .sessionDelete, name: row.key, environment: row.owner.environment,
          folder: row.owner.folder)
      ),
      (
        "Forget all values of \(row.owner.title)",
        LSP.PostkitEditOperation(
          op: .sessionClear, environment: row.owner.environment, folder: row.owner.folder)
      ),
    ]
  }
}

extension LSP.PostkitEditKind {
  /// Whether it changes session values, and nothing else.
  var isOfSession: Bool { rawValue.hasPrefix("session.") }
}

extension SessionMemory {
  /// Forgets what this process knows of the session values that are meant.
  mutating func forget(_ query: SessionQuery) {
    forget { owner, key in
      (query.folder ?? owner.folder) == owner.folder
        && (query.environment ?? owner.environment) == owner.environment
        && query.keys?.contains(key.text) != false
    }
  }
}
