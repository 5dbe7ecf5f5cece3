// Marking and forgetting: what `postkit history` changes.

import PostKitEvaluate
import PostKitRunner
import PostKitStore
import PostKitSupport

extension HistoryCommand {
  /// So many exchanges can be changed without a question.
  static let unaskedCount = 99

  /// Pins exchanges, or writes a label or a note on them; 2 where one of them isn't there.
  func mark(
    _ action: String, _ words: ArraySlice<String>
  ) async throws(Arguments.Problem) -> Int32 {
    let mark: HistoryMark
    var ids = words
    let text = ["label", "note"].contains(action) ? ids.popFirst() : nil
    switch action {
    case "pin": mark = .pinned(true)
    case "unpin": mark = .pinned(false)
    case "label": mark = .label(text)
    default: mark = .note(text)
    }
    let selection = try selection(action, ids)
    let takesText = ["label", "note"].contains(action)
    guard let selection, text != nil || !takesText else {
      let text = takesText ? "a text (empty removes it) and " : ""
      throw Arguments.Problem(
        message: "`history \(action)` needs \(text)at least one id, or a filter such as --host H")
    }
    let chosen = Array(ids)
    return await invocation.withStore { store throws(StoreFailure) in
      if !chosen.isEmpty {
        guard let whole = try await wholeIDs(chosen, in: store) else { return 2 }
        let count = try await store.mark(whole, as: mark)
        console.line("Marked \(HistoryCommand.exchanges(count)).")
        return 0
      }
      return try await change(selection, "mark", "Marked", in: store) {
        query, most throws(StoreFailure) in
        try await store.mark(query, as: mark, atMost: most)
      }
    }
  }

  /// Deletes exchanges and all that belongs to them.
  func forget(_ words: ArraySlice<String>) async throws(Arguments.Problem) -> Int32 {
    let ids = Array(words)
    let isAll = arguments.has("--all")
    let selection = try selection("forget", words)
    guard let selection, !isAll || selection.isEmpty && ids.isEmpty else {
      throw Arguments.Problem(
        message: isAll
          ? "`--all` forgets everything; leave out the ids and filters, or leave out `--all`"
          : "what should be forgotten? --all, ids, or filters such as --host H or --since T")
    }
    return await invocation.withStore { store throws(StoreFailure) in
      if selection.isEmpty {
        var scope = ForgetScope.all
        if !isAll {
          guard let whole = try await wholeIDs(ids, in: store) else { return 2 }
          scope = .ids(whole)
        }
        let count = try await store.forget(scope)
        if isAll { await TokenKeeper(store).settle() }
        console.line("Forgot \(HistoryCommand.exchanges(count)).")
        return 0
      }
      return try await change(selection, "forget", "Forgot", in: store) {
        query, most throws(StoreFailure) in
        try await store.forget(.found(query), atMost: most)
      }
    }
  }

  /// The filters of a change; `nil` where it has neither filters, ids nor `--all`.
  private func selection(
    _ action: String, _ ids: ArraySlice<String>
  ) throws(Arguments.Problem) -> HistorySelection? {
    let given = HistoryFilters.given(arguments)
    let selection = try HistorySelection(arguments)
    // A variable of a shell that is empty would otherwise choose everything.
    if let option = given.first(where: { arguments.value($0) == "" }) {
      throw Arguments.Problem(message: "`\(option)` is empty; give it a value or leave it out")
    }
    if let option = given.first, !ids.isEmpty {
      throw Arguments.Problem(
        message: "`history \(action)` takes ids or filters, not both; leave out `\(option)`")
    }
    return given.isEmpty && ids.isEmpty && !arguments.has("--all") ? nil : selection
  }

  /// Changes all that a selection finds: many only where somebody agrees to their number, and
  /// never more than that.
  private func change(
    _ selection: HistorySelection, _ verb: String, _ done: String, in store: Store,
    by work: (HistoryQuery, Int?) async throws(StoreFailure) -> Int
  ) async throws(StoreFailure) -> Int32 {
    let query = try await selection.query(limit: 0, in: store)
    guard query.hasConditions else {
      console.complain("this search has no filter, so it would \(verb) everything; add one")
      return 2
    }
    while true {
      if query.text != nil { try await indexAll(of: store) }
      let count = try await store.historyCount(query)
      var most: Int?
      if !arguments.has("--yes") {
        guard try await agrees(to: count, verb) else { return 2 }
        most = max(count, HistoryCommand.unaskedCount)
      }
      do throws(StoreFailure) {
        console.line("\(done) \(HistoryCommand.exchanges(try await work(query, most))).")
        return 0
      } catch {
        guard case .changedMeanwhile = error else { throw error }
        console.note("More exchanges match by now.")
      }
    }
  }

  /// Whether so many exchanges may be changed.
  private func agrees(to count: Int, _ verb: String) async throws(StoreFailure) -> Bool {
    guard count > HistoryCommand.unaskedCount else { return true }
    let number = HistoryCommand.exchanges(count)
    guard TerminalPrompt.canAsk else {
      console.complain("\(number) match, and nothing was changed; `--yes` will \(verb) them")
      return false
    }
    let question = "\(verb.prefix(1).uppercased() + verb.dropFirst()) \(number)? [y/N]"
    let answer = await TerminalPrompt.ask(Prompt(name: "", label: question, isSecret: false))
    if ["y", "yes"].contains(answer?.lowercased()) { return true }
    console.complain("nothing was changed")
    return false
  }

  /// The ids that begin so; `nil` where one is missing, which was said then.
  private func wholeIDs(_ ids: [String], in store: Store) async throws(StoreFailure) -> [String]? {
    var whole: [String] = []
    for id in ids {
      guard let found = try await store.id(beginningWith: id) else {
        console.complain("exchange `\(id)` not found; `postkit history` lists all")
        return nil
      }
      whole.append(found)
    }
    return whole
  }

  /// So many exchanges, in words.
  static func exchanges(_ count: Int) -> String { "\(count) exchange\(count == 1 ? "" : "s")" }
}
