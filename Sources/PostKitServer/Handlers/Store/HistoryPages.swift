// Pages of the history and of bodies, for pickers and tree views.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// The handlers of `postkit/history` and `postkit/exchange`.
enum HistoryPages {
  /// `postkit/history`: a page, newest first or in the order that is asked for.
  static func history(
    _ snapshot: Snapshot, _ params: LSP.PostkitHistoryParams
  ) async throws(RPCError) -> LSP.PostkitHistoryResult {
    let limit = min(max(params.limit ?? 50, 1), 200)
    var query = try HistoryQuery(params, limit: limit + 1)
    if let cursor = params.cursor {
      guard let after = HistoryQuery.Cursor(text: cursor) else {
        throw RPCError(.invalidParams, "params.cursor: expected the cursor of an earlier page.")
      }
      guard after.sort == query.sort else {
        throw RPCError(
          .invalidParams,
          "params.cursor: it is from the order `\(after.sort.rawValue)`. Ask for the first page "
            + "again.")
      }
      query.after = after
    }
    query = try await resolved(snapshot, query)
    // Before the rows: a revision newer than them would hide what is missing in them.
    let revision = await revision(snapshot)
    let (entries, notice) = try await search(snapshot, query)
    let page = try await withOrigins(snapshot, Array(entries.prefix(limit)))
    return LSP.PostkitHistoryResult(
      items: page.map(item),
      cursor: entries.count > limit
        ? page.last.map { HistoryQuery.Cursor($0, sort: query.sort).text } : nil,
      revision: Double(revision), notice: notice,
      count: params.count == true ? try await count(snapshot, query) : nil)
  }

  /// The entries with who asked for them.
  private static func withOrigins(
    _ snapshot: Snapshot, _ entries: [ExchangeSummary]
  ) async throws(RPCError) -> [ExchangeSummary] {
    guard let store = await snapshot.store.existing(), !entries.isEmpty else { return entries }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      try await store.withOrigins(entries)
    }
  }

  /// How many exchanges a query asks for, on whatever page.
  static func count(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> Int {
    guard let store = await snapshot.store.existing() else { return 0 }
    return try await RPCError.ofStore { () throws(StoreFailure) in
      try await store.historyCount(query)
    }
  }

  /// The query with the id of the stored request that it names by a path.
  static func resolved(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> HistoryQuery {
    guard query.storedRequestID != nil, let store = await snapshot.store.existing() else {
      return query
    }
    return try await RPCError.ofStore { () throws(StoreFailure) in try await store.resolved(query) }
  }

  /// Rows of the history; none where there is no history yet. The notice says that some may not
  /// have been found.
  static func search(
    _ snapshot: Snapshot, _ query: HistoryQuery
  ) async throws(RPCError) -> (entries: [ExchangeSummary], notice: String?) {
    guard let store = await snapshot.store.existing() else { return ([], nil) }
    let query = try await resolved(snapshot, query)
    do throws(StoreFailure) {
      let found = try await store.searchHistory(query)
      // Not every client shows it with what was found.
      if query.text != nil { await snapshot.store.tellNotices(of: store) }
      return found
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
  }

  /// The revision of the history; 0 where there is none yet.
  static func revision(_ snapshot: Snapshot) async -> Int64 {
    guard let store = await snapshot.store.existing() else { return 0 }
    do throws(StoreFailure) {
      return try await store.revision()
    } catch {
      Log.warning("The revision of the store can't be read: \(error.message)")
      return 0
    }
  }

  /// RFC 3339 in UTC with milliseconds.
  static func time(_ milliseconds: Int64) -> String {
    DateFormat.iso8601(CivilDate(milliseconds: milliseconds))
  }

  private static func item(_ entry: ExchangeSummary) -> LSP.PostkitHistoryItem {
    let last = LastResult(entry)
    return LSP.PostkitHistoryItem(
      id: entry.id, time: time(entry.startedAt), file: entry.file, name: entry.requestName,
      environment: entry.environment, method: entry.method, url: entry.url,
      state: LSP.PostkitExchangeState(rawValue: entry.state.rawValue) ?? .failed,
      status: entry.status, ms: Double(entry.milliseconds), size: Double(entry.size),
      error: entry.failureCode?.rawValue, pinned: entry.isPinned ? true : nil, label: entry.label,
      note: entry.note, summary: last.summary, mood: LSP.PostkitResultMood(last.mood),
      origin: entry.origin?.rawValue, purpose: entry.purpose.rawValue)
  }

  /// A piece of a request or response.
  static func exchange(
    _ snapshot: Snapshot, _ params: LSP.PostkitExchangeParams
  ) async throws(RPCError) -> LSP.PostkitExchangeResult {
    var exchange = try await SendResults.exchange(snapshot, id: params.id)
    if [.pretty, .pages].contains(params.view), params.select == nil {
      exchange = exchange.displayed
    }
    let part = try ExchangePart(
      exchange, params.part ?? .response, params.view ?? .raw, select: params.select)
    let length = Int(min(max(params.length ?? 65_536, 1), 1_048_576))
    let offset = Int(min(max(params.offset ?? 0, 0), Double(part.total)))
    var page = part.page(offset: offset, length: length)
    page.size = SizeText.text(part.total)
    if params.view == .record {
      let (last, failed) = (LastResult(exchange), exchange.tests.count { !$0.passed })
      page.summary = last.summary
      page.mood = LSP.PostkitResultMood(last.mood)
      page.tests = exchange.tests.isEmpty
        ? nil : TestsText.text(passed: exchange.tests.count - failed, failed: failed)
    }
    return page
  }
}
