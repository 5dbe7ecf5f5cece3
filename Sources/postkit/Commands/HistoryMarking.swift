// Marking and forgetting: what `postkit history` changes.

import PostKitRunner
import PostKitStore
import PostKitSupport

extension HistoryCommand {
  /// Pins exchanges, or writes a label or a note on them; 2 where one of them isn't there.
  func mark(
    _ action: String, _ words: ArraySlice<String>
  ) async throws(Arguments.Problem) -> Int32 {
    let mark: HistoryMark
    var ids = words
    switch action {
    case "pin": mark = .pinned(true)
    case "unpin": mark = .pinned(false)
    case "label": mark = .label(ids.popFirst())
    default: mark = .note(ids.popFirst())
    }
    guard !ids.isEmpty else {
      let text = ["label", "note"].contains(action) ? "a text (empty removes it) and " : ""
      throw Arguments.Problem(message: "`history \(action)` needs \(text)at least one id")
    }
    return await withStore { [ids] store throws(StoreFailure) in
      guard let whole = try await wholeIDs(Array(ids), in: store) else { return 2 }
      let count = try await store.mark(whole, as: mark)
      console.line("Marked \(HistoryCommand.exchanges(count)).")
      return 0
    }
  }

  /// Deletes exchanges and all that belongs to them.
  func forget(_ ids: [String]) async throws(Arguments.Problem) -> Int32 {
    let given = ["--all", "--host", "--since"].filter(arguments.has)
    guard given.count + (ids.isEmpty ? 0 : 1) == 1 else {
      throw Arguments.Problem(
        message: "what should be forgotten? --all, --host H, --since T or ids")
    }
    let query = try HistoryFilters.query(arguments, limit: 0)
    return await withStore { store throws(StoreFailure) in
      var scope = ForgetScope.all
      if let host = query.host { scope = .host(host) }
      if let moment = query.since { scope = .since(moment) }
      if !ids.isEmpty {
        guard let whole = try await wholeIDs(ids, in: store) else { return 2 }
        scope = .ids(whole)
      }
      let count = try await store.forget(scope)
      console.line("Forgot \(HistoryCommand.exchanges(count)).")
      return 0
    }
  }

  /// The ids that begin so; `nil` where one is missing, which was said then.
  private func wholeIDs(_ ids: [String], in store: Store) async throws(StoreFailure) -> [String]? {
    var whole: [String] = []
    for id in ids {
      guard let found = try await store.id(beginningWith: id) else {
        console.complain(
          "exchange `\(id)` not found; `postkit history` lists all")
        return nil
      }
      whole.append(found)
    }
    return whole
  }

  /// So many exchanges, in words.
  static func exchanges(_ count: Int) -> String {
    "\(count) exchange\(count == 1 ? "" : "s")"
  }
}
