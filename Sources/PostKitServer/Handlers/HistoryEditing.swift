// Changes of the history that a client asks for.

import JSONRPC
import LanguageServerProtocol
import PostKitRunner
import PostKitStore
import PostKitSupport

/// The operations of `postkit/edit` on the history.
enum HistoryEditing {
  private static let isAlone =
    "what is forgotten can't be put back, so that it needs a message of its own."

  /// Makes all marks in order in one transaction, or forgets.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    let edit = try edit(params.ops)
    guard let store = await snapshot.services.store.existing() else {
      return LSP.PostkitEditResult(revision: 0, ids: [:], count: 0)
    }
    do throws(StoreFailure) {
      let result = try await store.editHistory(edit, ifRevision: params.expectedRevision)
      return LSP.PostkitEditResult(
        revision: Double(result.revision), ids: [:], count: result.count)
    } catch {
      throw RPCError(error)
    }
  }

  private static func edit(
    _ operations: [LSP.PostkitEditOperation]
  ) throws(RPCError) -> HistoryEdit {
    var marks: [HistoryMarking] = []
    for (index, operation) in operations.enumerated() {
      let place = "params.ops[\(index)]"
      guard operation.op.isOfHistory else { throw Editing.isApart }
      try operation.requireMembers(place: place)
      let forgets = [.historyClear, .historyDelete].contains(operation.op)
      guard !forgets || operations.count == 1 else {
        throw RPCError(.invalidParams, "\(place): \(isAlone)")
      }
      if operation.op == .historyClear { return .forget(try scope(operation, place: place)) }
      guard let ids = operation.ids else {
        throw RPCError(
          .invalidParams, "\(place).ids: expected the entries for \(operation.op.rawValue).")
      }
      guard let mark = mark(operation) else { return .forget(.ids(ids)) }
      marks.append(HistoryMarking(ids, as: mark))
    }
    return .mark(marks)
  }

  private static func mark(_ operation: LSP.PostkitEditOperation) -> HistoryMark? {
    switch operation.op {
    case .historyPin: .pinned(true)
    case .historyUnpin: .pinned(false)
    case .historyLabel: .label(operation.text)
    case .historyNote: .note(operation.text)
    default: nil
    }
  }

  private static func scope(
    _ operation: LSP.PostkitEditOperation, place: String
  ) throws(RPCError) -> ForgetScope {
    switch (operation.host, operation.since) {
    case (nil, nil): return .all
    case (let host?, nil): return .host(host)
    case (nil, let since?):
      guard let moment = Moment.parse(since, now: Clock.wallMilliseconds) else {
        throw RPCError(
          .invalidParams, "\(place).since: expected a time (RFC 3339), a date or an age (3d).")
      }
      return .since(moment)
    case (_?, _?):
      throw RPCError(.invalidParams, "\(place): expected one of host and since.")
    }
  }
}

extension LSP.PostkitEditKind {
  /// Whether it changes the history, and nothing else.
  var isOfHistory: Bool { rawValue.hasPrefix("history.") }

  /// Whether it changes the cookies, and nothing else.
  var isOfCookies: Bool { rawValue.hasPrefix("cookie.") }
}
