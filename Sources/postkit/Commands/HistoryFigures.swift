// `postkit history stats` and `--count`: how many exchanges there are, and how they went.

import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore
import PostKitSupport

extension HistoryCommand {
  /// Prints the number of the exchanges that are asked for.
  func count() async throws(Arguments.Problem) -> Int32 {
    for option in ["--limit", "--sort"] where arguments.has(option) {
      throw Arguments.Problem(message: "`--count` counts all of them; leave out `\(option)`")
    }
    let selection = try HistorySelection(arguments)
    return await withStore { store throws(StoreFailure) in
      let query = try await selection.query(limit: 0, in: store)
      if query.text != nil { try await indexAll(of: store) }
      let count = try await store.historyCount(query)
      if arguments.has("--json") {
        console.line(["count": .int(count)] as JSONValue)
      } else {
        console.line(String(count))
      }
      return 0
    }
  }

  /// Prints figures of the exchanges that are asked for.
  func statistics() async throws(Arguments.Problem) -> Int32 {
    var key = StatisticsKey.request
    if let word = arguments.value("--by") {
      guard let chosen = StatisticsKey(rawValue: word) else {
        throw Arguments.Problem(message: "`--by \(word)`: write \(StatisticsKey.words)")
      }
      key = chosen
    }
    let selection = try HistorySelection(arguments)
    return await withStore { [key] store throws(StoreFailure) in
      let query = try await selection.query(limit: 0, in: store)
      if query.text != nil { try await indexAll(of: store) }
      let rows = try await store.statistics(by: key, where: query)
      if arguments.has("--json") {
        console.line(JSONValue.array(rows.map { HistoryJSON.figures($0, by: key) }))
      } else if rows.isEmpty {
        console.line(HistoryCommand.nothing(isSelection: query.hasConditions))
      } else {
        for line in FiguresTable(rows, by: key).lines { console.line(line) }
      }
      return 0
    }
  }
}

/// Figures as lines whose columns stand below each other.
struct FiguresTable {
  private let rows: [HistoryStatistics]
  private let key: StatisticsKey

  /// Prepares the lines of some rows, in their order.
  init(_ rows: [HistoryStatistics], by key: StatisticsKey) {
    (self.rows, self.key) = (rows, key)
  }

  private static let longestValue = 60

  /// A heading, and a line for each row.
  var lines: [String] {
    let heading = [
      key.rawValue, "count", "failed", "median", "p95", "max", "sent", "received", "last",
    ]
    let table = [heading.map { $0.uppercased() }] + rows.map(columns)
    let widths = heading.indices.map { index in table.map { $0[index].count }.max() ?? 0 }
    return table.map { columns in
      columns.indices.map { index in
        let blanks = String(repeating: " ", count: widths[index] - columns[index].count)
        if index == 0 { return columns[index] + blanks }
        return index == columns.count - 1 ? columns[index] : blanks + columns[index]
      }.joined(separator: "  ")
    }
  }

  private func columns(_ row: HistoryStatistics) -> [String] {
    let place = row.file.map { "  (\($0.hasPrefix("postkit:") ? "stored" : FilePath.name($0)))" }
    let value = Display.line((row.value ?? key.missing) + (place ?? ""))
    return [
      value.count > Self.longestValue ? Display.fitted(value, Self.longestValue) : value,
      String(row.count), String(row.failed), DurationText.text(row.median),
      DurationText.text(row.p95), DurationText.text(row.max), Display.size(row.requestBytes),
      Display.size(row.responseBytes), Moment.local(row.last),
    ]
  }
}

extension StatisticsKey {
  /// All of them, as words of a sentence.
  static var words: String { allCases.map(\.rawValue).listed("or") }

  /// What stands for exchanges without a value.
  fileprivate var missing: String {
    switch self {
    case .status: "(no response)"
    case .environment: "(no environment)"
    case .host, .path: "(no URL)"
    case .request, .method, .day: "(none)"
    }
  }
}

extension HistoryJSON {
  /// A row of figures; of a request with its file.
  static func figures(_ row: HistoryStatistics, by key: StatisticsKey) -> JSONValue {
    let figures: [(String, JSONValue)] = [
      ("by", .string(key.rawValue)), ("value", .optional(row.value)), ("count", .int(row.count)),
      ("failed", .int(row.failed)), ("median", .int(row.median)), ("p95", .int(row.p95)),
      ("max", .int(row.max)), ("requestBytes", .int(row.requestBytes)),
      ("responseBytes", .int(row.responseBytes)), ("last", .string(Moment.utc(row.last))),
    ]
    let file = row.file.map { [("file", JSONValue.string($0))] } ?? []
    return .object((figures + file).map { JSONMember($0, $1) })
  }
}
