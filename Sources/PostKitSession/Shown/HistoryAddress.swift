// Which exchanges a list or figures of ours are about, as the query of a URI says it.

package import JSONRPC
import PostKitHTTP
import PostKitRunner
package import PostKitStore

/// A question to the history that can be given to other documents of ours.
package struct HistoryAddress: Sendable, Hashable {
  /// Words and filters.
  package private(set) var line = HistoryLine()
  /// The most exchanges that a list has; `nil` for the usual number.
  private(set) var limit: String?
  /// What figures are about; `nil` where the URI says nothing of it.
  package private(set) var key: StatisticsKey?

  /// Reads a URI such as `postkit:/history?line=status:4xx` or
  /// `postkit:/statistics?by=host&status=4xx`.
  ///
  /// Errors: `invalidParams` with the names that there are, or with what a value must be.
  package init(_ uri: DocumentURI) throws(RPCError) {
    let isOfFigures = uri.segments.first == ShownDocument.statisticsName
    var question: [String] = []
    for (name, value) in uri.queryItems {
      if isOfFigures, name == "by" {
        guard let key = StatisticsKey(rawValue: value) else {
          let words = StatisticsKey.allCases.map(\.rawValue).listed("or")
          throw RPCError(.invalidParams, "params.uri: `by` must be \(words).")
        }
        self.key = key
        continue
      }
      question.append("\(name)=\(DocumentURI.queryValue(value))")
      try add(name, value)
    }
    // What is no question of the history is told as there.
    _ = try HistoryQuery(Self.history(question))
  }

  private mutating func add(_ name: String, _ value: String) throws(RPCError) {
    do throws(HistoryLine.Problem) {
      switch name {
      case "limit": limit = value
      case "line": line = try line.adding(try HistoryLine(value))
      case "search": line = try line.adding(HistoryLine(words: value))
      default: line = try line.adding(HistoryLine(filters: [HistoryLine.Filter(name, value)]))
      }
    } catch {
      throw RPCError(.invalidParams, "params.uri: \(error.message)")
    }
  }

  private static func history(_ items: [String]) -> DocumentURI {
    DocumentURI(
      "postkit:/history" + (items.isEmpty ? "" : "?" + items.joined(separator: "&")))
  }

  /// The query of a `postkit:/history` document; empty for all.
  var query: String { items(line).joined(separator: "&") }

  /// The line without an order: what of it chooses exchanges.
  package var unsorted: HistoryLine {
    HistoryLine(words: line.words, filters: line.filters.filter { $0.name != "sort" })
  }

  /// The query of the same exchanges without an order and a limit, for their figures.
  package var figures: String { unsorted.text.isEmpty ? "" : Self.item(unsorted) }

  /// The query of the same exchanges in an order.
  package func sorted(by sort: HistorySort) -> String {
    var line = unsorted
    if sort != .time { line.filters.append(HistoryLine.Filter("sort", sort.rawValue)) }
    return items(line).joined(separator: "&")
  }

  /// The order of the exchanges.
  package var sort: HistorySort {
    line.filters.first { $0.name == "sort" }.flatMap { HistorySort(rawValue: $0.value) } ?? .time
  }

  private func items(_ line: HistoryLine) -> [String] {
    (line.text.isEmpty ? [] : [Self.item(line)]) + (limit.map { ["limit=\($0)"] } ?? [])
  }

  private static func item(_ line: HistoryLine) -> String {
    "line=\(DocumentURI.queryValue(line.text))"
  }

  /// The question as it is asked of the store now.
  ///
  /// Errors: `invalidParams` as when it was read.
  package func asked() throws(RPCError) -> HistoryQuery {
    try HistoryQuery(Self.history(items(line)))
  }

  // MARK: - Rows of figures

  /// The URI of the list of the exchanges of a row; `nil` where no filter says what they have in
  /// common.
  package func list(of row: HistoryStatistics, by key: StatisticsKey) -> String? {
    unsorted.narrowed(to: row, by: key).map { "postkit:/history?" + Self.item($0) }
  }
}

extension HistoryLine {
  /// The line for those of its exchanges that are in a row of figures; `nil` where no filter can
  /// say it. What lies below a path is chosen with it.
  package func narrowed(to row: HistoryStatistics, by key: StatisticsKey) -> HistoryLine? {
    Self.filters(of: row, by: key).map { narrowed(by: $0, moment: HistoryQuery.moment) }
  }

  private static func filters(of row: HistoryStatistics, by key: StatisticsKey) -> [Filter]? {
    guard let value = row.value, !value.isEmpty else { return nil }
    switch key {
    case .host, .path, .status, .method, .environment: return [Filter(key.rawValue, value)]
    case .day:
      guard let start = HistoryQuery.moment(value) else { return nil }
      // By noon of the next day, however many hours this one has.
      let next = Moment.date(start + 36 * 3_600_000)
      return [Filter("since", value), Filter("until", next)]
    case .request:
      let file = row.file.map { [Filter("file", $0)] } ?? []
      if row.isNamed { return file + [Filter("name", value)] }
      let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
      // Of an address without a path there is nothing that a filter knows.
      guard parts.count == 2, parts[1].hasPrefix("/") else { return nil }
      return file + [Filter("method", parts[0]), Filter("path", parts[1])]
    }
  }
}
