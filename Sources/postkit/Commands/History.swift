// `postkit history`: what was sent before, from any editor.

import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitSupport

extension Command {
  /// Lists, shows and forgets exchanges.
  static let history = Command(
    name: Name.history,
    operands: "[--json] [--limit N] [--search TEXT] | show ID [--json | --body] "
      + "| forget (--all | --host H | --since T)",
    summary: "Lists, shows and forgets what was sent.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(names: ["--limit"], value: "N", help: "list at most N exchanges (50)"),
      Option(names: ["--search"], value: "TEXT", help: "list only exchanges with this text"),
      Option(names: ["--body"], value: nil, help: "print the response body as received"),
      Option(names: ["--all"], value: nil, help: "forget everything"),
      Option(names: ["--host"], value: "H", help: "forget what was sent to this host"),
      Option(
        names: ["--since"], value: "T",
        help: "forget what was sent since then: 2026-01-31, 2026-01-31T10:00:00Z, 2h, 3d"),
    ]
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    let command = HistoryCommand(invocation: invocation)
    switch words.first {
    case nil:
      try invocation.arguments.allow(["--json", "--limit", "--search"], in: "history")
      return try await command.list()
    case "show" where words.count == 2:
      try invocation.arguments.allow(["--json", "--body"], in: "history show")
      guard !invocation.arguments.has("--json") || !invocation.arguments.has("--body") else {
        throw Arguments.Problem(message: "choose one of `--json` and `--body`")
      }
      return await command.show(words[1])
    case "show": throw Arguments.Problem(message: "`history show` needs one id")
    case "forget" where words.count == 1:
      try invocation.arguments.allow(["--all", "--host", "--since"], in: "history forget")
      return try await command.forget()
    default: throw Arguments.Problem(message: "`history` can `show` and `forget`, or list")
    }
  }
}

/// One call of `postkit history`.
struct HistoryCommand: Sendable {
  let invocation: Invocation

  private var console: Console { invocation.console }
  private var arguments: Arguments { invocation.arguments }

  /// Prints the newest exchanges, newest first.
  func list() async throws(Arguments.Problem) -> Int32 {
    let limit = try arguments.integer("--limit", minimum: 1) ?? 50
    return await withStore { store throws(StoreFailure) in
      let query = HistoryQuery(text: arguments.value("--search"), limit: limit)
      let entries = try await store.history(query)
      if arguments.has("--json") {
        console.line(JSONValue.array(entries.map(HistoryJSON.summary)).text)
      } else {
        table(entries)
      }
      return 0
    }
  }

  /// Prints an exchange; 2 where no exchange or more than one has an id that begins so.
  func show(_ id: String) async -> Int32 {
    await withStore { store throws(StoreFailure) in
      guard let exchange = try await store.exchange(id: id) else {
        console.complain(
          "there is no exchange `\(id)` in the history; `postkit history` lists them")
        return 2
      }
      if arguments.has("--json") {
        console.line(HistoryJSON.exchange(exchange).text)
      } else if arguments.has("--body") {
        BodyPrinter(console: console, command: "postkit history show \(exchange.id) --body").show(
          exchange.response?.body ?? .empty,
          contentType: exchange.response?.headers.first("Content-Type"))
      } else {
        let body = StoredBody.bytes(exchange.response?.body ?? .empty, limit: Limits.viewBodyBytes)
        let text = ResponseText.whole(exchange, body: body)
        console.write(Array((console.outputIsTerminal ? Display.safe(text) : text).utf8))
      }
      return 0
    }
  }

  /// Deletes exchanges and their bodies.
  func forget() async throws(Arguments.Problem) -> Int32 {
    let given = ["--all", "--host", "--since"].filter(arguments.has)
    guard given.count == 1 else {
      throw Arguments.Problem(message: "say what to forget: --all, --host H or --since T")
    }
    let scope: ForgetScope
    if let host = arguments.value("--host") {
      scope = .host(host)
    } else if let text = arguments.value("--since") {
      guard let moment = Moment.parse(text, now: Clock.wallMilliseconds) else {
        throw Arguments.Problem(
          message: "`--since \(text)`: write a date (2026-01-31), a time (2026-01-31T10:00:00Z) "
            + "or an age (2h, 3d)")
      }
      scope = .since(moment)
    } else {
      scope = .all
    }
    return await withStore { store throws(StoreFailure) in
      let count = try await store.forget(scope)
      console.line("Forgot \(count) exchange\(count == 1 ? "" : "s").")
      return 0
    }
  }

  private func withStore(
    _ work: (Store) async throws(StoreFailure) -> Int32
  ) async -> Int32 {
    do throws(StoreFailure) {
      let store = try await Store.open(invocation.storeLocation)
      let code = try await work(store)
      for notice in await store.conclude().notices { console.complain(notice.message) }
      return code
    } catch {
      console.complain("\(error)")
      if case .ambiguousID = error { return 2 }
      return 5
    }
  }

  /// Characters of an id in the list, enough for `history show`. The first 13 are only the time,
  /// and several requests of a run begin in one millisecond.
  private static let shownIDLength = 23

  private func table(_ entries: [ExchangeSummary]) {
    guard !entries.isEmpty else {
      console.line(
        arguments.has("--search")
          ? "Nothing in the history has this text."
          : "Nothing was sent yet. `postkit demo` sends the first requests.")
      return
    }
    for entry in entries {
      // A response that broke off has a status, too, but is no success.
      let result =
        entry.failureCode?.rawValue ?? entry.status.map(String.init) ?? entry.state.rawValue
      let columns = [
        String(entry.id.prefix(HistoryCommand.shownIDLength)), Moment.local(entry.startedAt),
        Display.fitted(result, 10),
        Display.fitted("\(entry.milliseconds) ms", 9), Display.fitted(Display.size(entry.size), 9),
        Display.fitted(entry.method, 7), Display.safe(entry.url),
      ]
      let name = entry.requestName.map { "  (\(Display.safe($0)))" } ?? ""
      console.line(columns.joined(separator: "  ") + name)
    }
  }
}
