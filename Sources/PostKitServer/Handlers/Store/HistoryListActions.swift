// What can be done with a list of exchanges as a whole: sort it, count it, save its search, and
// change all that it finds on whatever page.

import JSONRPC
import LanguageServerProtocol
import PostKitSession
import PostKitStore

/// The code actions of any line of a list of exchanges, and the questions that they ask.
enum HistoryListActions {
  /// So many exchanges can be marked without a question.
  static let unaskedCount = 99

  /// The actions of a list.
  static func actions(_ snapshot: Snapshot, _ address: HistoryAddress) -> [LSP.CodeAction] {
    let own = snapshot.initialization
    let sorts = HistorySort.allCases.filter { $0 != address.sort }.map { sort in
      let title = "Sort by \(sort.told)"
      return CodeActions.action(
        "postkit.list.sort", title,
        CommandID.history.command(
          title, own, LSP.PostkitHistoryArguments(query: address.sorted(by: sort))))
    }
    let (figures, searches) = ("Show the statistics of this list", "Show the saved searches")
    let others = [
      CodeActions.action(
        "postkit.list.statistics", figures,
        CommandID.statistics.command(
          figures, own, LSP.PostkitStatisticsArguments(query: address.figures))),
      CodeActions.action(
        "postkit.list.searches", searches,
        CommandID.savedSearches.command(searches, own, nil as LSP.PostkitHistoryArguments?)),
    ]
    return sorts + others + changes(snapshot, address)
  }

  /// What changes all that the list finds; nothing where it finds everything.
  private static func changes(
    _ snapshot: Snapshot, _ address: HistoryAddress
  ) -> [LSP.CodeAction] {
    let line = address.unsorted
    guard !line.isEmpty else { return [] }
    var filter = LSP.PostkitHistoryParams()
    filter.line = line.text
    let takesText = snapshot.client.profile.postkit?.input == true
    let offers: [(kind: String, title: String, op: LSP.PostkitEditKind, needsText: Bool)] = [
      ("postkit.list.mark", "Pin all that match", .historyPin, false),
      ("postkit.list.mark", "Unpin all that match", .historyUnpin, false),
      ("postkit.list.mark", "Label all that match…", .historyLabel, true),
      ("postkit.list.mark", "Add a note to all that match…", .historyNote, true),
      ("postkit.list.delete", "Forget all that match…", .historyDelete, false),
    ]
    var actions: [LSP.CodeAction] = []
    if takesText {
      let title = "Save this search…"
      actions.append(
        CodeActions.action(
          "postkit.list.save", title,
          CommandID.historyEdit.command(
            title, snapshot.initialization,
            LSP.PostkitEditOperation(op: .searchSave, query: address.line.text, ask: true))))
    }
    return actions + offers.filter { takesText || !$0.needsText }.map { offer in
      CodeActions.action(
        offer.kind, offer.title,
        CommandID.historyEdit.command(
          offer.title, snapshot.initialization,
          LSP.PostkitEditOperation(op: offer.op, filter: filter, ask: true)))
    }
  }

  /// Changes all that a filter finds. The user is told how many they are, asked for what is to be
  /// written on them, and whether all of them are meant: before any is forgotten, and before many
  /// are marked.
  static func edit(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    guard let filter = operation.filter, operation.atMost == nil else {
      throw RPCError(
        .invalidParams, "params.arguments[0].atMost: the number is found, and asked about.")
    }
    let place = "params.arguments[0].filter"
    let query = try await HistoryPages.resolved(
      snapshot, try HistoryQuery(all: filter, place: place))
    let count = try await HistoryPages.count(snapshot, query)
    guard count > 0 else {
      throw RPCError(.requestFailed, "No request matches, so nothing was changed.")
    }
    var operation = operation
    (operation.ask, operation.atMost) = (nil, count)
    try await askText(snapshot, &operation, count)
    try await askWhether(snapshot, operation.op, count)
    let result = try await HistoryEdits.edit(
      snapshot, LSP.PostkitEditParams(ops: [operation]))
    let words = operation.op.words
    snapshot.client.showMessage(.info, "\(words.done) \(requests(result.count ?? count)).")
    return result
  }

  private static func askText(
    _ snapshot: Snapshot, _ operation: inout LSP.PostkitEditOperation, _ count: Int
  ) async throws(RPCError) {
    guard [.historyLabel, .historyNote].contains(operation.op), operation.text == nil else {
      return
    }
    let noun = operation.op == .historyLabel ? "Label" : "Note"
    try UserQuestions.requireText(
      snapshot.client, instead: "Use `postkit history \(noun.lowercased()) TEXT FILTER`.")
    operation.text = try await UserQuestions.text(
      snapshot.client, "\(noun) of \(requests(count))", nil)
    if operation.text == nil { throw cancelled }
  }

  private static func askWhether(
    _ snapshot: Snapshot, _ kind: LSP.PostkitEditKind, _ count: Int
  ) async throws(RPCError) {
    let forgets = kind == .historyDelete
    guard forgets || count > unaskedCount else { return }
    let words = kind.words
    let warning = forgets ? " This can't be undone." : ""
    let answer = await UserQuestions.choose(
      snapshot.client, "\(words.verb) \(requests(count))?\(warning)", [words.verb, "Cancel"])
    switch answer {
    case .button(0): return
    case .button, .nothing: throw cancelled
    case .cannotAsk:
      throw RPCError(
        .requestFailed,
        "This editor can't ask whether \(requests(count)) are meant. Use `postkit history "
          + "\(words.verb.lowercased()) FILTER`.")
    }
  }

  private static let cancelled = RPCError(.requestCancelled, "Nothing was changed.")

  private static func requests(_ count: Int) -> String {
    count == 1 ? "1 request" : "\(count) requests"
  }
}

extension LSP.PostkitEditKind {
  /// What an operation on the history does and did, in words.
  fileprivate var words: (verb: String, done: String) {
    switch self {
    case .historyDelete: ("Forget", "Forgot")
    case .historyPin: ("Pin", "Pinned")
    case .historyUnpin: ("Unpin", "Unpinned")
    case .historyLabel: ("Label", "Labelled")
    default: ("Note", "Wrote a note on")
    }
  }
}

extension HistorySort {
  /// What it sorts by, in words.
  fileprivate var told: String {
    switch self {
    case .time: "time"
    case .milliseconds: "duration"
    case .size: "size"
    }
  }

  /// What comes first in this order, in words.
  var first: String {
    switch self {
    case .time: "Latest"
    case .milliseconds: "Slowest"
    case .size: "Largest"
    }
  }
}
