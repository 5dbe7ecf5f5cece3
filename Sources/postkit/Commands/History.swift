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
    name: .history,
    operands: "[--json] [--limit N] [--sort ORDER] [--count] [FILTER]... "
      + "| stats [--by WHAT] [--json] [FILTER]... "
      + "| show ID [--json | --body | --diff [OTHER] [--json]] "
      + "| timeline (ID | --file FILE [--name NAME] [--env NAME]) [--json] [--limit N] "
      + "| (pin | unpin | label TEXT | note TEXT) (ID... | FILTER... [--yes]) "
      + "| forget (--all | ID... | FILTER... [--yes]) "
      + "| save-search NAME FILTER... [--sort ORDER] | searches [--json] | delete-search NAME "
      + "| index",
    summary: "Lists, counts, shows, compares, marks and forgets sent requests.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(names: ["--limit"], value: "N", help: "list at most N exchanges (50)"),
      Option(
        names: ["--sort"], value: "ORDER",
        help: "list by \(HistorySort.words): the newest, slowest or largest first"),
      Option(names: ["--count"], value: nil, help: "print only how many there are"),
      Option(
        names: ["--by"], value: "WHAT", help: "give figures by \(StatisticsKey.words) (request)"),
      Option(names: ["--body"], value: nil, help: "print the response body as received"),
      Option(
        names: ["--diff"], value: nil,
        help: "compare the response with the previous one, or with OTHER"),
      Option(
        names: ["--all"], value: nil,
        help: "forget all exchanges; cookies, globals, collections and secret variables stay"),
      Option(
        names: ["--yes"], value: nil,
        help: "change as many as match; without it, 100 or more are asked about"),
    ] + HistoryFilters.options
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    let command = HistoryCommand(invocation: invocation)
    let filters = HistoryFilters.names
    switch words.first {
    case nil:
      try invocation.arguments.allow(
        filters.union(["--json", "--limit", "--sort", "--count"]), in: "history")
      return try await invocation.arguments.has("--count") ? command.count() : command.list()
    case "stats" where words.count == 1:
      try invocation.arguments.allow(filters.union(["--json", "--by"]), in: "history stats")
      return try await command.statistics()
    case "show", "timeline":
      return try await command.show(words)
    case "pin", "unpin", "label", "note":
      try invocation.arguments.allow(filters.union(["--yes"]), in: "history \(words[0])")
      return try await command.mark(words[0], words.dropFirst())
    case "forget":
      try invocation.arguments.allow(filters.union(["--yes", "--all"]), in: "history forget")
      return try await command.forget(words.dropFirst())
    case "save-search" where words.count == 2:
      try invocation.arguments.allow(filters.union(["--sort"]), in: "history save-search")
      return try await command.saveSearch(words[1])
    case "searches" where words.count == 1:
      try invocation.arguments.allow(["--json"], in: "history searches")
      return await command.searches()
    case "delete-search" where words.count == 2:
      try invocation.arguments.allow([], in: "history delete-search")
      return await command.deleteSearch(words[1])
    case "save-search", "delete-search":
      throw Arguments.Problem(message: "`history \(words[0])` needs one name")
    case "index" where words.count == 1:
      try invocation.arguments.allow([], in: "history index")
      return await command.index()
    default:
      throw Arguments.Problem(
        message: "`history` can `show`, `stats`, `timeline`, `pin`, `unpin`, `label`, `note`, "
          + "`forget`, `save-search`, `searches`, `delete-search` and `index`, or list")
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

  /// Prints an exchange, how it differs from another, or what came of its request.
  func show(_ words: [String]) async throws(Arguments.Problem) -> Int32 {
    switch words[0] {
    case "show" where arguments.has("--diff") && (2...3).contains(words.count):
      try arguments.allow(["--json", "--diff"], in: "history show --diff")
      return await compare(words[1], with: words.dropFirst(2).first)
    case "show" where words.count == 2:
      try arguments.allow(["--json", "--body"], in: "history show")
      guard !arguments.has("--json") || !arguments.has("--body") else {
        throw Arguments.Problem(message: "`--json` and `--body` can't be combined")
      }
      return await show(words[1])
    case "timeline" where words.count <= 2:
      try arguments.allow(
        ["--json", "--limit", "--file", "--name", "--env"], in: "history timeline")
      return try await timeline(words.dropFirst().first)
    default:
      throw Arguments.Problem(message: "`history \(words[0])` needs one id")
    }
  }

  /// Prints the exchanges that are asked for: the newest, slowest or largest first.
  func list() async throws(Arguments.Problem) -> Int32 {
    let limit = try arguments.integer("--limit", minimum: 1) ?? 50
    let selection = try HistorySelection(arguments)
    return await invocation.withStore { store throws(StoreFailure) in
      let query = try await selection.query(limit: limit, in: store)
      if query.text != nil { await catchUp(store) }
      let entries = try await store.history(query)
      if arguments.has("--json") {
        let entries = try await store.withOrigins(entries)
        console.line(JSONValue.array(entries.map(HistoryJSON.summary)))
      } else {
        table(entries, isSelection: query.hasConditions)
      }
      return 0
    }
  }

  /// Prints an exchange; 2 where no exchange or more than one has an id that begins so.
  func show(_ id: String) async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
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
        let text = ResponseText.whole(exchange, body: body, showsAllOutput: true)
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

  /// Characters of an id in the list, enough for `history show`. The first 13 are only the time,
  /// and several requests of a run begin in one millisecond.
  static let shownIDLength = 23

  private func table(_ entries: [ExchangeSummary], isSelection: Bool) {
    guard !entries.isEmpty else {
      return console.line(HistoryCommand.nothing(isSelection: isSelection))
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

  /// What stands in the place of an empty list.
  static func nothing(isSelection: Bool) -> String {
    isSelection
      ? "No matching requests."
      : "Nothing has been sent yet. `postkit demo` sends the first requests."
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
