// Which exchanges a list or figures of ours are about, as the query of a URI says it.

import JSONRPC
import PostKitHTTP
import PostKitRunner
import PostKitStore
import PostKitSupport
import PostKitText

/// A question to the history that can be given to other documents of ours.
struct HistoryAddress: Sendable, Hashable {
  /// Words and filters.
  private(set) var line = HistoryLine()
  /// The most exchanges that a list has; `nil` for the usual number.
  private(set) var limit: String?
  /// What figures are about; `nil` where the URI says nothing of it.
  private(set) var key: StatisticsKey?

  /// Reads a URI such as `postkit:/history?line=status:4xx` or
  /// `postkit:/statistics?by=host&status=4xx`.
  ///
  /// Errors: `invalidParams` with the names that there are, or with what a value must be.
  init(_ uri: DocumentURI) throws(RPCError) {
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
  var unsorted: HistoryLine {
    HistoryLine(words: line.words, filters: line.filters.filter { $0.name != "sort" })
  }

  /// The query of the same exchanges without an order and a limit, for their figures.
  var figures: String { unsorted.text.isEmpty ? "" : Self.item(unsorted) }

  /// The query of the same exchanges in an order.
  func sorted(by sort: HistorySort) -> String {
    var line = unsorted
    if sort != .time { line.filters.append(HistoryLine.Filter("sort", sort.rawValue)) }
    return items(line).joined(separator: "&")
  }

  /// The order of the exchanges.
  var sort: HistorySort {
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
  func asked() throws(RPCError) -> HistoryQuery {
    try HistoryQuery(Self.history(items(line)))
  }

  // MARK: - Rows of figures

  /// The URI of the list of the exchanges of a row; `nil` where no filter says what they have in
  /// common.
  func list(of row: HistoryStatistics, by key: StatisticsKey) -> String? {
    guard let value = row.value, let filters = Self.filters(value, row, key) else { return nil }
    let names = Set(filters.map(\.name))
    // A row is one value of what the others may have asked for in general, as 404 is of 4xx.
    var kept = unsorted.filters.filter { !names.contains($0.name) }
    kept += filters.map { narrowed($0) }
    let line = HistoryLine(words: line.words, filters: kept)
    return "postkit:/history?" + Self.item(line)
  }

  private static func filters(
    _ value: String, _ row: HistoryStatistics, _ key: StatisticsKey
  ) -> [HistoryLine.Filter]? {
    switch key {
    case .host, .path, .status, .method, .environment:
      return [HistoryLine.Filter(key.rawValue, value)]
    case .request:
      let file = row.file.map { [HistoryLine.Filter("file", $0)] } ?? []
      return file + request(value)
    case .day:
      guard let start = Moment.parse(value, now: Clock.wallMilliseconds) else { return nil }
      // Days of a change of clocks are an hour longer or shorter.
      let next = Moment.local(start + 36 * 3_600_000).prefix(10)
      return [HistoryLine.Filter("since", value), HistoryLine.Filter("until", String(next))]
    }
  }

  /// A request without a name is called by its method and path.
  private static func request(_ value: String) -> [HistoryLine.Filter] {
    let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].allSatisfy({ $0.isASCII && $0.isUppercase }),
      parts[1].hasPrefix("/")
    else { return [HistoryLine.Filter("name", value)] }
    return [HistoryLine.Filter("method", parts[0]), HistoryLine.Filter("path", parts[1])]
  }

  /// A bound of a day, unless the question has one within that day.
  private func narrowed(_ filter: HistoryLine.Filter) -> HistoryLine.Filter {
    let now = Clock.wallMilliseconds
    guard ["since", "until"].contains(filter.name),
      let own = line.filters.first(where: { $0.name == filter.name }),
      let moment = Moment.parse(own.value, now: now),
      let bound = Moment.parse(filter.value, now: now)
    else { return filter }
    return (filter.name == "since" ? moment > bound : moment < bound) ? own : filter
  }
}

extension Snapshot {
  /// What a list of exchanges or their figures are about; `nil` for any other document.
  func address(of document: OpenDocument) -> HistoryAddress? {
    switch services.lists.content(document.uri, document.text.bytes) {
    case .history(let address), .statistics(let address): return address
    case .list, .found, .timeline: return nil
    case nil: break
    }
    let names = ["history", ShownDocument.statisticsName]
    guard document.uri.scheme == "postkit", names.contains(document.uri.segments.first ?? "")
    else { return nil }
    // A URI that can't be read has no list either.
    return try? HistoryAddress(document.uri)
  }
}
