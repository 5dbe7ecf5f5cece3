// `postkit history`: what was sent before, from any editor.

import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitTransfer

extension Command {
  /// Lists, shows and forgets exchanges.
  static let history = Command(
    name: Name.history,
    operands: "[--json] [--limit N] [FILTER]... "
      + "| show ID [--json | --body | --diff [OTHER] [--json]] "
      + "| timeline (ID | --file FILE [--name NAME] [--env NAME]) [--json] [--limit N] "
      + "| (pin | unpin) ID... | (label | note) TEXT ID... "
      + "| forget (--all | --host H | --since T | ID...) | index",
    summary: "Lists, shows, compares, marks and forgets sent requests.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(names: ["--limit"], value: "N", help: "list at most N exchanges (50)"),
      Option(names: ["--body"], value: nil, help: "print the response body as received"),
      Option(
        names: ["--diff"], value: nil,
        help: "compare the response with the previous one, or with OTHER"),
      Option(
        names: ["--all"], value: nil,
        help: "forget all exchanges; cookies, globals, collections and secret variables stay"),
    ] + HistoryFilters.options
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    let command = HistoryCommand(invocation: invocation)
    switch words.first {
    case nil:
      try invocation.arguments.allow(
        HistoryFilters.names.union(["--json", "--limit"]), in: "history")
      return try await command.list()
    case "show" where invocation.arguments.has("--diff") && (2...3).contains(words.count):
      try invocation.arguments.allow(["--json", "--diff"], in: "history show --diff")
      return await command.compare(words[1], with: words.dropFirst(2).first)
    case "timeline" where words.count <= 2:
      try invocation.arguments.allow(
        ["--json", "--limit", "--file", "--name", "--env"], in: "history timeline")
      return try await command.timeline(words.dropFirst().first)
    case "show" where words.count == 2:
      try invocation.arguments.allow(["--json", "--body"], in: "history show")
      guard !invocation.arguments.has("--json") || !invocation.arguments.has("--body") else {
        throw Arguments.Problem(message: "`--json` and `--body` can't be combined")
      }
      return await command.show(words[1])
    case "show", "timeline":
      throw Arguments.Problem(message: "`history \(words[0])` needs one id")
    case "pin", "unpin", "label", "note":
      try invocation.arguments.allow([], in: "history \(words[0])")
      return try await command.mark(words[0], words.dropFirst())
    case "forget":
      try invocation.arguments.allow(["--all", "--host", "--since"], in: "history forget")
      return try await command.forget(Array(words.dropFirst()))
    case "index" where words.count == 1:
      try invocation.arguments.allow([], in: "history index")
      return await command.index()
    default:
      throw Arguments.Problem(
        message: "`history` can `show`, `timeline`, `pin`, `unpin`, `label`, `note`, `forget` and "
          + "`index`, or list")
    }
  }
}

/// One call of `postkit history`.
struct HistoryCommand: Sendable {
  let invocation: Invocation

  /// Where results and complaints go.
  var console: Console { invocation.console }
  /// The options and operands.
  var arguments: Arguments { invocation.arguments }

  /// Prints the newest exchanges, newest first.
  func list() async throws(Arguments.Problem) -> Int32 {
    let limit = try arguments.integer("--limit", minimum: 1) ?? 50
    let query = try HistoryFilters.query(arguments, limit: limit)
    return await withStore { store throws(StoreFailure) in
      if query.text != nil { await catchUp(store) }
      let entries = try await store.history(query)
      if arguments.has("--json") {
        console.line(JSONValue.array(entries.map(HistoryJSON.summary)))
      } else {
        table(entries, isSelection: query.hasConditions)
      }
      return 0
    }
  }

  /// Prints an exchange; 2 where no exchange or more than one has an id that begins so.
  func show(_ id: String) async -> Int32 {
    await withStore { store throws(StoreFailure) in
      guard let exchange = try await exchange(id, in: store) else { return 2 }
      if arguments.has("--json") {
        console.line(ExchangeJSON.value(exchange, read: StoredBody.whole))
      } else if arguments.has("--body") {
        if let response = exchange.response {
          let command = "postkit history show \(exchange.id) --body"
          BodyPrinter(console: console, command: command).show(response)
        }
      } else {
        let body = StoredBody.bytes(exchange.response?.body ?? .empty, limit: Limits.viewBodyBytes)
        let text = ResponseText.whole(exchange, body: body)
        console.write(Array((console.outputIsTerminal ? Display.safe(text) : text).utf8))
      }
      return 0
    }
  }

  /// The exchange of an id, or of its beginning; where there is none, that is said.
  func exchange(_ id: String, in store: Store) async throws(StoreFailure) -> Exchange? {
    let found = try await store.exchange(id: id)
    if found == nil {
      console.complain("exchange `\(id)` not found; `postkit history` lists all")
    }
    return found
  }

  /// Opens the store for some work and closes it; answers the exit code.
  func withStore(
    _ work: (Store) async throws(StoreFailure) -> Int32
  ) async -> Int32 {
    await invocation.withStore(work)
  }

  /// Characters of an id in the list, enough for `history show`. The first 13 are only the time,
  /// and several requests of a run begin in one millisecond.
  static let shownIDLength = 23

  private func table(_ entries: [ExchangeSummary], isSelection: Bool) {
    guard !entries.isEmpty else {
      console.line(
        isSelection
          ? "No matching requests."
          : "Nothing has been sent yet. `postkit demo` sends the first requests.")
      return
    }
    for entry in entries {
      let columns =
        HistoryCommand.columns(entry)
        + [Display.fitted(entry.method, 7), Display.line(entry.url)]
      let name = entry.requestName.map { "  (\(Display.line($0)))" } ?? ""
      let marks = [entry.isPinned ? "pinned" : nil, entry.label, entry.note].compactMap(\.self)
        .map { "  [\(Display.line($0))]" }
      console.line(columns.joined(separator: "  ") + name + marks.joined())
    }
  }

  /// What every list begins its lines with: id, time, result, duration and size.
  static func columns(_ entry: ExchangeSummary) -> [String] {
    // A response that broke off has a status, too, but is no success.
    let result =
      entry.failureCode?.rawValue ?? entry.status.map(String.init) ?? entry.state.rawValue
    return [
      String(entry.id.prefix(shownIDLength)), Moment.local(entry.startedAt),
      Display.fitted(result, 10), Display.fitted(DurationText.text(entry.milliseconds), 9),
      Display.fitted(Display.size(entry.size), 9),
    ]
  }
}
