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
    return await invocation.withStore { store throws(StoreFailure) in
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
    return await invocation.withStore { [key] store throws(StoreFailure) in
      let query = try await selection.query(limit: 0, in: store)
      if query.text != nil { try await indexAll(of: store) }
      let rows = try await store.statistics(by: key, where: query)
      if arguments.has("--json") {
        console.line(JSONValue.array(rows.map { HistoryJSON.figures($0, by: key) }))
      } else if rows.isEmpty {
        console.line(HistoryCommand.nothing(isSelection: query.hasConditions))
      } else {
        for line in FiguresTable(rows, by: key, size: Display.size).lines { console.line(line) }
      }
      return 0
    }
  }
}

extension StatisticsKey {
  /// All of them, as words of a sentence.
  static var words: String { allCases.map(\.rawValue).listed("or") }
}
