// Figures of the history, saved searches, and where its pages end.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore

/// The handlers of `postkit/statistics` and `postkit/savedSearches`, and what saves a search.
enum HistoryFigures {
  /// `postkit/statistics`: how many exchanges there are, and how they went.
  static func statistics(
    _ snapshot: Snapshot, _ params: LSP.PostkitStatisticsParams
  ) async throws(RPCError) -> LSP.PostkitStatisticsResult {
    let key = StatisticsKey(rawValue: params.by.rawValue) ?? .request
    var query = HistoryQuery()
    if let filter = params.filter {
      query = try HistoryQuery(all: filter, place: "params.filter")
      query = try await HistoryPages.resolved(snapshot, query)
    }
    // Before the rows: a revision newer than them would hide what is missing in them.
    let revision = Double(await HistoryPages.revision(snapshot))
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitStatisticsResult(rows: [], revision: revision)
    }
    let line = try line(asked: params.filter)
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let rows = try await store.statistics(by: key, where: query)
      return LSP.PostkitStatisticsResult(
        rows: rows.map { row(params.by, $0, of: line) }, revision: revision,
        summary: "\(sum(rows, \.responseBytes)) received, "
          + "\(sum(rows, \.requestBytes)) sent in bodies")
    }
  }

  private static func row(
    _ key: LSP.PostkitStatisticsKey, _ row: HistoryStatistics, of line: HistoryLine?
  ) -> LSP.PostkitStatisticsRow {
    let rowLine = StatisticsKey(rawValue: key.rawValue).flatMap {
      line?.narrowed(to: row, by: $0)
    }
    return LSP.PostkitStatisticsRow(
      by: key, value: row.value, file: row.file, count: row.count, failed: row.failed,
      median: Double(row.median), p95: Double(row.p95), max: Double(row.max),
      requestBytes: Double(row.requestBytes), responseBytes: Double(row.responseBytes),
      last: HistoryPages.time(row.last), line: rowLine?.text,
      texts: LSP.PostkitStatisticsTexts(
        median: DurationText.text(row.median), p95: DurationText.text(row.p95),
        max: DurationText.text(row.max), requestBytes: SizeText.text(row.requestBytes),
        responseBytes: SizeText.text(row.responseBytes)))
  }

  private static func sum(
    _ rows: [HistoryStatistics], _ bytes: KeyPath<HistoryStatistics, Int>
  ) -> String {
    SizeText.text(rows.reduce(0) { $0 + $1[keyPath: bytes] })
  }

  /// The line that asks what a filter asks; `nil` where it has more than a line.
  private static func line(
    asked filter: LSP.PostkitHistoryParams?
  ) throws(RPCError) -> HistoryLine? {
    guard let filter else { return HistoryLine() }
    guard filter == LSP.PostkitHistoryParams(line: filter.line) else { return nil }
    return try HistoryQuery.line(filter)
  }

  /// `postkit/savedSearches`: all of them.
  static func searches(
    _ snapshot: Snapshot, _ params: LSP.PostkitSavedSearchesParams
  ) async throws(RPCError) -> LSP.PostkitSavedSearchesResult {
    guard let store = await snapshot.store.existing() else {
      return LSP.PostkitSavedSearchesResult(searches: [])
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      LSP.PostkitSavedSearchesResult(
        searches: try await store.savedSearches().map { search in
          LSP.PostkitSavedSearch(
            name: search.name, query: search.filter, createdAt: HistoryPages.time(search.createdAt))
        })
    }
  }

  /// Saves or deletes a search.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    guard params.ops.count == 1, let operation = params.ops.first else {
      throw RPCError(
        .invalidParams, "params.ops: a search is saved or deleted in a message of its own.")
    }
    try operation.requireMembers(place: "params.ops[0]")
    guard let name = operation.name else {
      throw RPCError(.invalidParams, "params.ops[0].name: expected the name of the search.")
    }
    let edit: HistoryEdit
    if operation.op == .searchSave {
      edit = .saveSearch(name, try line(operation.query))
    } else {
      edit = .deleteSearch(name)
    }
    guard let store = await snapshot.store.store() else {
      throw RPCError(.requestFailed, "The store is not available, so nothing was changed.")
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let result = try await store.editHistory(edit, ifRevision: params.expectedRevision)
      return LSP.PostkitEditResult(revision: Double(result.revision), ids: [:], count: result.count)
    }
  }

  /// The line of a search, if lists can be asked with it.
  private static func line(_ text: String?) throws(RPCError) -> HistoryLine {
    let place = "params.ops[0].query"
    do throws(HistoryLine.Problem) {
      let line = try HistoryLine(text ?? "")
      _ = try HistoryQuery(line, limit: 1, moment: HistoryQuery.moment)
      guard line.words.isEmpty, line.filters.isEmpty else { return line }
    } catch {
      throw RPCError(.invalidParams, "\(place): \(error.message)")
    }
    throw RPCError(
      .invalidParams, "\(place): expected words or filters, such as `status:5xx since:2h`.")
  }
}

extension LSP.PostkitEditKind {
  /// Whether it is about saved searches, and nothing else.
  var isOfSearches: Bool { rawValue.hasPrefix("search.") }
}

extension HistoryQuery {
  /// Reads the filter of something that has no pages, and so no order.
  ///
  /// Errors: `invalidParams` with what a value must be.
  init(all filter: LSP.PostkitHistoryParams, place: String) throws(RPCError) {
    let others = [
      ("cursor", filter.cursor != nil), ("limit", filter.limit != nil),
      ("sort", filter.sort != nil), ("count", filter.count != nil),
    ]
    if let other = others.first(where: \.1) {
      throw RPCError(.invalidParams, "\(place).\(other.0): all are meant; leave it out.")
    }
    try self.init(filter, limit: 1)
  }
}

extension HistoryQuery.Cursor {
  /// The cursor as a text that a client keeps and gives back.
  var text: String {
    let place = "\(startedAt) \(id) \(sequence)"
    return sort == .time ? place : "\(place) \(sort.rawValue) \(value)"
  }

  /// Reads a cursor; `nil` for a text that is none.
  init?(text: String) {
    let parts = text.split(separator: " ")
    guard [3, 5].contains(parts.count), let startedAt = Int64(parts[0]),
      let sequence = Int64(parts[2])
    else { return nil }
    self.init(startedAt: startedAt, id: String(parts[1]), sequence: sequence)
    guard parts.count == 5 else { return }
    guard let sort = HistorySort(rawValue: String(parts[3])), let value = Int64(parts[4]) else {
      return nil
    }
    (self.sort, self.value) = (sort, value)
  }
}
