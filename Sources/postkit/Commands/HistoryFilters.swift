// The options by which exchanges are chosen.

import PostKitRunner
import PostKitStore
import PostKitSupport

/// The filters of `postkit history` and `postkit export`, as options.
enum HistoryFilters {
  /// The options with the names of the filters that they set.
  private static let table: [(option: Option, name: String)] = [
    (Option(names: ["--search"], value: "TEXT", help: "with these words or \"phrases\""), "search"),
    (Option(names: ["--host"], value: "H", help: "sent to this host"), "host"),
    (Option(names: ["--path"], value: "P", help: "whose URL path begins with this"), "path"),
    (Option(names: ["--method"], value: "M", help: "with this method"), "method"),
    (Option(names: ["--status"], value: "S", help: "with this status: 404, or 4xx"), "status"),
    (Option(names: ["--state"], value: "S", help: "that are done, failed or cancelled"), "state"),
    (Option(names: ["--file"], value: "FILE", help: "of requests in this file"), "file"),
    (Option(names: ["--name"], value: "NAME", help: "of requests with this name"), "name"),
    (Option(names: ["--env", "-e"], value: "NAME", help: "with this environment"), "environment"),
    (
      Option(
        names: ["--since"], value: "T",
        help: "sent since: 2026-01-31, 2026-01-31T10:00:00Z, 2h, 3d"), "since"
    ),
    (Option(names: ["--until"], value: "T", help: "sent before"), "until"),
    (Option(names: ["--min-ms"], value: "N", help: "that took at least this long"), "minMs"),
    (Option(names: ["--max-ms"], value: "N", help: "that took at most this long"), "maxMs"),
    (Option(names: ["--min-size"], value: "N", help: "with bodies of at least N bytes"), "minSize"),
    (Option(names: ["--max-size"], value: "N", help: "with bodies of at most N bytes"), "maxSize"),
    (Option(names: ["--failed-tests"], value: nil, help: "with a failed test"), "failedTests"),
    (Option(names: ["--pinned"], value: nil, help: "that are pinned"), "pinned"),
    (Option(names: ["--label"], value: "L", help: "with this label"), "label"),
    (Option(names: ["--run"], value: "ID", help: "of this run"), "run"),
  ]

  /// The options, in the order of the help.
  static var options: [Option] { table.map(\.option) }

  /// Their first names.
  static var names: Set<String> { Set(table.map { $0.option.names[0] }) }

  /// The question that a command line asks.
  static func query(_ arguments: Arguments, limit: Int) throws(Arguments.Problem) -> HistoryQuery {
    var query = HistoryQuery(limit: limit)
    for (option, name) in table where arguments.has(option.names[0]) {
      var value = arguments.value(option.names[0]) ?? "true"
      if name == "file" { value = FileSystem.absolute(value) }
      do throws(HistoryQuery.NameProblem) {
        try query.set(name, to: value) { Moment.parse($0, now: Clock.wallMilliseconds) }
      } catch {
        guard case .expected(let expected) = error else { continue }
        throw Arguments.Problem(
          message: "`\(option.names[0]) \(value)`: write \(expected)")
      }
    }
    return query
  }
}
