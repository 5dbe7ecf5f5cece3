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
    (
      Option(
        names: ["--stored"], value: "PATH", help: "of this stored request: its path, or its id"),
      "stored"
    ),
    (
      Option(names: ["--origin"], value: "WHO", help: "asked for by editor, run, mcp or demo"),
      "origin"
    ),
    (
      Option(
        names: ["--purpose"], value: "P",
        help: "made for this: \(HistoryPurpose.words) (request)"), "purpose"
    ),
  ]

  /// The options, in the order of the help.
  static var options: [Option] {
    table.map(\.option) + [
      Option(names: ["--saved"], value: "NAME", help: "that this saved search finds")
    ]
  }

  /// Their first names.
  static var names: Set<String> { Set(options.map { $0.names[0] }) }

  /// The options that were given, in the order of the help.
  static func given(_ arguments: Arguments) -> [String] {
    options.map { $0.names[0] }.filter(arguments.has)
  }

  /// The filters that a command line has, `--saved` apart. A relative path is one of the current
  /// directory.
  static func line(_ arguments: Arguments) throws(Arguments.Problem) -> HistoryLine {
    var line = HistoryLine()
    for (option, name) in table where arguments.has(option.names[0]) {
      var value = arguments.value(option.names[0]) ?? "true"
      // Stored requests are no files.
      if name == "file", !value.hasPrefix("postkit:") { value = FileSystem.absolute(value) }
      if name == "search" { line.words = value } else { line.filters.append(.init(name, value)) }
      // Each value is told of by its own option.
      var query = HistoryQuery()
      do throws(HistoryQuery.NameProblem) {
        try query.set(name, to: value, moment: moment)
      } catch {
        guard case .expected(let expected) = error else { continue }
        throw Arguments.Problem(message: "`\(option.names[0]) \(value)`: write \(expected)")
      }
    }
    return line
  }

  /// A time as people write it.
  static func moment(_ text: String) -> Int64? { Moment.parse(text, now: Clock.wallMilliseconds) }
}

/// The exchanges that a command line is about, `--saved` among what it says.
struct HistorySelection: Sendable {
  /// What is asked besides the saved search.
  private let line: HistoryLine
  private let saved: String?

  /// Reads the filters of a command line, and its order.
  init(_ arguments: Arguments) throws(Arguments.Problem) {
    var line = try HistoryFilters.line(arguments)
    if let word = arguments.value("--sort") {
      guard HistorySort(rawValue: word) != nil else {
        throw Arguments.Problem(message: "`--sort \(word)`: write \(HistorySort.words)")
      }
      line.filters.append(.init("sort", word))
    }
    do throws(HistoryLine.Problem) {
      _ = try HistoryQuery(line, limit: 0, moment: HistoryFilters.moment)
    } catch {
      throw Arguments.Problem(message: error.message)
    }
    (self.line, saved) = (line, arguments.value("--saved"))
  }

  /// Whether no filter was given.
  var isEmpty: Bool { saved == nil && line.isEmpty }

  /// The whole line, with that of the saved search.
  func line(in store: Store) async throws(StoreFailure) -> HistoryLine {
    guard let saved else { return line }
    let search = try await store.savedSearch(saved)
    do throws(HistoryLine.Problem) {
      return try HistoryLine(search.filter).adding(line)
    } catch {
      throw .collection(.sentence("The saved search `\(saved)`: \(error.message)"))
    }
  }

  /// The question, with the id of a stored request in place of its path.
  func query(limit: Int, in store: Store) async throws(StoreFailure) -> HistoryQuery {
    let line = try await line(in: store)
    let query: HistoryQuery
    do throws(HistoryLine.Problem) {
      query = try HistoryQuery(line, limit: limit, moment: HistoryFilters.moment)
    } catch {
      throw .collection(.sentence(error.message))
    }
    return try await store.resolved(query)
  }
}
