// `postkit cookies`: what servers have set, by workspace folder and environment.

import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore

extension Command {
  /// Lists and deletes cookies.
  static let cookies = Command(
    name: .cookies,
    operands: "[--json] [--reveal] [FILTER]... | delete NAME [FILTER]... "
      + "| clear (--all | FILTER...)",
    summary: "Lists and deletes the cookies that servers have set.",
    options: [
      Option(names: ["--json"], value: nil, help: "print JSON"),
      Option(names: ["--reveal"], value: nil, help: "print the values"),
      Option(names: ["--all"], value: nil, help: "clear all cookies"),
      Option(names: ["--domain"], value: "D", help: "those of this domain and its subdomains"),
      Option(names: ["--path"], value: "P", help: "those for just this path"),
    ] + JarOptions.all
  ) { invocation throws(Arguments.Problem) in
    let words = invocation.arguments.positional
    let command = CookiesCommand(invocation: invocation)
    switch (words.first, words.count) {
    case (nil, _):
      try invocation.arguments.allow(
        CookiesCommand.filters.union(["--json", "--reveal"]), in: "cookies")
      return await command.list()
    case ("delete", 2):
      try invocation.arguments.allow(CookiesCommand.filters, in: "cookies delete")
      return await command.delete(words[1])
    case ("delete", _):
      throw Arguments.Problem(message: "`cookies delete` needs the name of one cookie")
    case ("clear", 1):
      try invocation.arguments.allow(CookiesCommand.filters.union(["--all"]), in: "cookies clear")
      return try await command.clear()
    default:
      throw Arguments.Problem(message: "`cookies` can `delete NAME` and `clear`, or list")
    }
  }
}

/// One call of `postkit cookies`.
struct CookiesCommand: Sendable {
  let invocation: Invocation

  /// The options that choose cookies.
  static let filters: Set<String> = ["--domain", "--path", "--env", "--folder"]

  private var console: Console { invocation.console }
  private var arguments: Arguments { invocation.arguments }

  private var query: CookieQuery {
    var query = CookieQuery()
    query.folder = JarOptions.folder(arguments)
    query.environment = arguments.value("--env")
    query.domain = arguments.value("--domain")
    query.path = arguments.value("--path")
    return query
  }

  /// Prints the cookies that the filters choose.
  func list() async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      let rows = try await store.cookies(query)
      invocation.list(
        rows, of: \.jar, line: line, json: json,
        empty: CookiesCommand.filters.contains(where: arguments.has)
          ? "No matching cookies."
          : "No cookies yet. Responses with `Set-Cookie` add them.")
      return 0
    }
  }

  private func line(_ row: Model.Cookie) -> String {
    let cookie = row.cookie
    let value = arguments.has("--reveal") ? Display.safe(cookie.value.shown) : SecretMask.text
    return
      ([
        Display.fitted(Display.safe(cookie.key.domain), 24), Display.safe(cookie.key.path),
        "\(Display.safe(cookie.key.name))=\(value)",
      ] + cookie.remarks).joined(separator: "  ")
  }

  private func json(_ row: Model.Cookie) -> JSONValue {
    let cookie = row.cookie
    let isRevealed = arguments.has("--reveal")
    return [
      "folder": .string(row.jar.folder),
      "environment": .optional(row.jar.environment.isEmpty ? nil : row.jar.environment),
      "domain": .string(cookie.key.domain), "path": .string(cookie.key.path),
      "name": .string(cookie.key.name),
      "value": isRevealed ? .string(cookie.value.shown) : .null, "masked": .bool(!isRevealed),
      "expires": .optional(cookie.expires.map { Moment.utc($0 * 1_000) }),
      "subdomains": .bool(cookie.includesSubdomains), "secure": .bool(cookie.isSecure),
      "httpOnly": .bool(cookie.isHTTPOnly),
    ]
  }

  /// Deletes the one cookie with a name; 2 where there is none or more than one.
  func delete(_ name: String) async -> Int32 {
    var query = query
    query.name = name
    return await invocation.withStore { [query] store throws(StoreFailure) in
      let found = try await store.cookies(query)
      guard let row = found.first, found.count == 1 else {
        let list = found.map { "\n  \(JarOptions.title($0.jar))  \(line($0))" }.joined()
        console.complain(
          found.isEmpty
            ? "cookie `\(name)` not found; `postkit cookies` lists all"
            : "cookie `\(name)` is ambiguous; add --domain, --path, --env or --folder:\(list)")
        return 2
      }
      return try await edit(.delete(row.cookie.key, of: row.jar), store)
    }
  }

  /// Deletes all cookies that the filters choose.
  func clear() async throws(Arguments.Problem) -> Int32 {
    guard arguments.has("--all") != CookiesCommand.filters.contains(where: arguments.has) else {
      throw Arguments.Problem(
        message: "say what to clear: --all, or --domain D, --path P, --env NAME, --folder DIR")
    }
    return await invocation.withStore { store throws(StoreFailure) in
      try await edit(.clear(query), store)
    }
  }

  private func edit(_ edit: CookieEdit, _ store: Store) async throws(StoreFailure) -> Int32 {
    let count = try await store.editCookies([edit]).count
    console.line("Deleted \(count) cookie\(count == 1 ? "" : "s").")
    return 0
  }
}
