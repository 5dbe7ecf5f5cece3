// `postkit session`: the small values that outlive a process, and forgetting them.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore

extension Command {
  /// Lists and forgets session values.
  static let session = Command(
    name: .session,
    operands: "[--json] [--reveal] [FILTER]... | forget (KEY... | --all) [FILTER]...",
    summary: "Lists and forgets globals, last answers, chosen environments and trust in folders.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(
        names: ["--reveal"], value: nil,
        help: "also print values whose names suggest secrets"),
      Option(names: ["--all"], value: nil, help: "forget all that the filters match"),
    ] + JarOptions.all
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    let command = SessionCommand(invocation: invocation)
    switch words.first {
    case nil:
      try invocation.arguments.allow(["--json", "--reveal", "--env", "--folder"], in: "session")
      return await command.list()
    case "forget":
      try invocation.arguments.allow(["--all", "--env", "--folder"], in: "session forget")
      return try await command.forget(Array(words.dropFirst()))
    default:
      throw Arguments.Problem(message: "`session` can `forget`, or list")
    }
  }
}

/// One call of `postkit session`.
struct SessionCommand: Sendable {
  let invocation: Invocation

  private var console: Console { invocation.console }
  private var arguments: Arguments { invocation.arguments }

  private var query: SessionQuery {
    var query = SessionQuery()
    query.folder = JarOptions.folder(arguments)
    query.environment = arguments.value("--env")
    return query
  }

  /// Prints the values that the filters choose, each with what it is.
  func list() async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      let rows = try await store.sessionValues(query)
      invocation.list(
        rows, of: \.owner, line: line, json: json,
        empty: arguments.has("--env") || arguments.has("--folder")
          ? "No matching values."
          : "Nothing is stored yet. Answers, globals, trust and environments appear here.")
      return 0
    }
  }

  private func line(_ row: Model.SessionValue) -> String {
    var value = isHidden(row) ? SecretMask.text : Display.safe(row.value.shown)
    if value.isEmpty { value = "(none)" }
    return
      "\(Display.fitted(Display.safe(row.key), 24))  \(Display.fitted(value, 24))  "
      + row.kind.meaning
  }

  private func isHidden(_ row: Model.SessionValue) -> Bool {
    !arguments.has("--reveal") && row.kind.isHidden
  }

  private func json(_ row: Model.SessionValue) -> JSONValue {
    let isHidden = isHidden(row)
    return [
      "folder": .string(row.owner.folder),
      "environment": .optional(row.owner.environment.isEmpty ? nil : row.owner.environment),
      "key": .string(row.key), "kind": .string(row.kind.word), "name": .optional(row.kind.name),
      "value": isHidden ? .null : .string(row.value.shown), "masked": .bool(isHidden),
      "time": .string(Moment.utc(row.updatedAt)),
    ]
  }

  /// Forgets values by their keys, or all that the filters choose; 2 where there is none with a
  /// key.
  func forget(_ keys: [String]) async throws(Arguments.Problem) -> Int32 {
    guard arguments.has("--all") != !keys.isEmpty else {
      throw Arguments.Problem(message: "what should be forgotten? --all or keys")
    }
    return await invocation.withStore { store throws(StoreFailure) in
      let count: Int
      if keys.isEmpty {
        count = try await store.forget(query)
      } else {
        let result = try await store.forget(keys, of: query)
        if let missing = result.missing {
          console.complain(
            "key `\(missing)` not found, and nothing was forgotten; `postkit session` "
              + "lists the keys")
          return 2
        }
        count = result.count
      }
      console.line("Forgot \(count) value\(count == 1 ? "" : "s").")
      return 0
    }
  }
}

extension SessionKey {
  /// The word for what it is.
  fileprivate var word: String {
    switch self {
    case .environment: "environment"
    case .trust: "trust"
    case .signIn: "sign-in"
    case .answer: "answer"
    case .global: "global"
    case .other: "other"
    }
  }
}
