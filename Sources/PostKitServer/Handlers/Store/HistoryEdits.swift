// Changes of the history that a client asks for.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// The operations of `postkit/edit` on the history.
enum HistoryEdits {
  private static let isAlone =
    "forgetting can't be undone, so it needs a message of its own."

  /// `postkit.historyEdit`: one operation. A label or note that its user is to be asked for is
  /// asked for with the present one; with a filter its user is asked whether all are meant.
  static func execute(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected what is to be edited.")
    }
    let operation = try ExecuteCommand.decode(LSP.PostkitEditOperation.self, argument)
    if operation.op.isOfSearches { return try await SavedSearchList.edit(snapshot, operation) }
    if operation.ask == true {
      return operation.filter == nil
        ? try await ask(snapshot, operation)
        : try await HistoryListActions.edit(snapshot, operation)
    }
    return try await edit(snapshot, LSP.PostkitEditParams(ops: [operation]))
  }

  /// Asks for the text of a label or note, and asks again where somebody else has written another
  /// one meanwhile: neither of the two is lost.
  private static func ask(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    let isLabel = operation.op == .historyLabel
    guard isLabel || operation.op == .historyNote, let id = operation.ids?.first,
      operation.ids?.count == 1, operation.text == nil
    else {
      throw RPCError(
        .invalidParams,
        "params.arguments[0].ask: only the label or the note of one entry can be asked for.")
    }
    try UserQuestions.requireText(
      snapshot.client, instead: "Use `postkit history \(isLabel ? "label" : "note")`.")
    let entry = try await entry(snapshot, id)
    var title = isLabel ? "Label" : "Note"
    var seen = isLabel ? entry.label : entry.note
    var proposal = seen
    while true {
      guard let text = try await UserQuestions.text(snapshot.client, title, proposal) else {
        throw RPCError(.requestCancelled, "You entered nothing; nothing was changed.")
      }
      let marking = HistoryMarking(
        [id], as: isLabel ? .label(text) : .note(text),
        seen: isLabel ? .label(seen) : .note(seen))
      do throws(StoreFailure) {
        return try await change(snapshot, .mark([marking]), ifRevision: nil)
      } catch {
        guard case .markChanged(_, let other) = error else { throw RPCError(error) }
        title = (isLabel ? "Label" : "Note")
          + (other.isEmpty ? " (removed meanwhile)" : " (meanwhile changed to `\(other)`)")
        (seen, proposal) = (other.isEmpty ? nil : other, text)
      }
    }
  }

  /// The entry with an id.
  private static func entry(
    _ snapshot: Snapshot, _ id: String
  ) async throws(RPCError) -> Model.HistoryEntry {
    let store = await snapshot.store.existing()
    let found = try await RPCError.ofStore { () throws(StoreFailure) in
      try await store?.fetch(FetchDescriptor<Model.HistoryEntry>(where: { $0.id == id })).first
    }
    if let found { return found }
    throw RPCError(.contentModified, "Exchange \(id) not found in the history.")
  }

  /// What can be done with an entry where it is listed or shown; nothing where it is gone. Texts
  /// are offered to be entered only where the client can ask for them.
  static func actions(_ snapshot: Snapshot, _ id: String) async -> [LSP.CodeAction] {
    let entry: Model.HistoryEntry
    do throws(RPCError) { entry = try await self.entry(snapshot, id) } catch { return [] }
    var offers: [(kind: String, title: String, operation: LSP.PostkitEditOperation)] = [
      entry.isPinned
        ? ("postkit.mark", "Unpin it", LSP.PostkitEditOperation(op: .historyUnpin, ids: [id]))
        : ("postkit.mark", "Pin it", LSP.PostkitEditOperation(op: .historyPin, ids: [id]))
    ]
    if snapshot.client.profile.postkit?.input == true {
      offers += [
        (
          "postkit.mark", "Label it…",
          LSP.PostkitEditOperation(op: .historyLabel, ids: [id], ask: true)
        ),
        (
          "postkit.mark", "Add a note…",
          LSP.PostkitEditOperation(op: .historyNote, ids: [id], ask: true)
        ),
      ]
    }
    offers.append(
      ("postkit.delete", "Forget it", LSP.PostkitEditOperation(op: .historyDelete, ids: [id])))
    return offers.map { kind, title, operation in
      CodeActions.action(
        kind, title,
        CommandID.historyEdit.command(title, snapshot.initialization, operation))
    }
  }

  /// Makes all marks in order in one transaction, or forgets.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    let edit = try edit(params.ops)
    return try await RPCError.ofStore { () throws(StoreFailure) in
      try await change(
        snapshot, edit, ifRevision: params.expectedRevision, atMost: params.ops.first?.atMost)
    }
  }

  /// Makes a change.
  private static func change(
    _ snapshot: Snapshot, _ edit: HistoryEdit, ifRevision expected: Int64?, atMost most: Int? = nil
  ) async throws(StoreFailure) -> LSP.PostkitEditResult {
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitEditResult(revision: 0, ids: [:], count: 0)
    }
    let result = try await store.editHistory(
      try await edit.resolved(in: store), ifRevision: expected, atMost: most)
    if edit == .forget(.all) { await TokenKeeper(store).settle() }
    return LSP.PostkitEditResult(revision: Double(result.revision), ids: [:], count: result.count)
  }

  private static func edit(
    _ operations: [LSP.PostkitEditOperation]
  ) throws(RPCError) -> HistoryEdit {
    var marks: [HistoryMarking] = []
    for (index, operation) in operations.enumerated() {
      let place = "params.ops[\(index)]"
      guard operation.op.isOfHistory else { throw StoreEdits.isApart }
      try operation.requireMembers(place: place)
      let forgets = [.historyClear, .historyDelete].contains(operation.op)
      guard !forgets || operations.count == 1 else {
        throw RPCError(.invalidParams, "\(place): \(isAlone)")
      }
      if operation.op == .historyClear { return .forget(try scope(operation, place: place)) }
      if let found = try found(operation, place: place) {
        guard operations.count == 1 else {
          throw RPCError(
            .invalidParams, "\(place).filter: what it finds needs a message of its own.")
        }
        return found
      }
      guard let ids = operation.ids else {
        throw RPCError(
          .invalidParams,
          "\(place).ids: expected the entries for \(operation.op.rawValue), or a `filter`.")
      }
      guard let mark = mark(operation) else { return .forget(.ids(ids)) }
      marks.append(HistoryMarking(ids, as: mark))
    }
    return .mark(marks)
  }

  /// A change of all that a filter finds; `nil` without a filter.
  private static func found(
    _ operation: LSP.PostkitEditOperation, place: String
  ) throws(RPCError) -> HistoryEdit? {
    guard let filter = operation.filter else {
      if operation.atMost == nil { return nil }
      throw RPCError(.invalidParams, "\(place).atMost: only a `filter` finds more or less.")
    }
    guard operation.ids == nil else {
      throw RPCError(.invalidParams, "\(place).ids: expected either entries or a `filter`.")
    }
    let query = try HistoryQuery(all: filter, place: "\(place).filter")
    guard query.hasConditions else {
      throw RPCError(
        .invalidParams,
        "\(place).filter: it would choose everything. Give a condition, or use `history.clear`.")
    }
    return mark(operation).map { .markFound(query, $0) } ?? .forget(.found(query))
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

extension HistoryEdit {
  /// The edit with the id of the stored request that its query names by a path.
  fileprivate func resolved(in store: Store) async throws(StoreFailure) -> HistoryEdit {
    switch self {
    case .markFound(let query, let mark): .markFound(try await store.resolved(query), mark)
    case .forget(.found(let query)): .forget(.found(try await store.resolved(query)))
    default: self
    }
  }
}

extension LSP.PostkitEditKind {
  /// Whether it changes the history, and nothing else.
  var isOfHistory: Bool { rawValue.hasPrefix("history.") }

  /// Whether it changes the cookies, and nothing else.
  var isOfCookies: Bool { rawValue.hasPrefix("cookie.") }
}
