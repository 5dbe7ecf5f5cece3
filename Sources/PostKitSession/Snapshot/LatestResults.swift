// The newest result of each request of a file, kept while the history does not change: hovers,
// hints and lenses ask for them at each move, and there may be thousands.

import PostKitHTTP
package import PostKitLanguage
package import PostKitStore
import PostKitSupport
import PostKitSyntax
import Synchronization

/// What the history said of files at one revision.
final class LatestResults: Sendable {
  private struct State {
    var files: [String: (revision: UInt64, results: ResultTable)] = [:]
  }

  /// How many files are kept; each may have a result for each of its requests.
  private static let fileLimit = 16

  private let state = Mutex(State())

  /// The results of a file, newest first; `nil` where they are not known at that revision.
  func results(file: String, at revision: UInt64) -> ResultTable? {
    state.withLock { $0.files[file].flatMap { $0.revision == revision ? $0.results : nil } }
  }

  /// Keeps the results of a file.
  func keep(_ results: ResultTable, of file: String, at revision: UInt64) {
    state.withLock { state in
      if state.files.count >= LatestResults.fileLimit, state.files[file] == nil {
        state.files = [:]
      }
      state.files[file] = (revision, results)
    }
  }
}

/// The newest results as the requests of open documents have them.
typealias ResultIndexes = DocumentCaches<ResultIndex>

extension Snapshot {
  /// The newest results, ready for the requests of a document.
  func results(of context: DocumentContext) async -> ResultIndex {
    let table = await results(file: context.file)
    let (caches, uri) = (services.resultIndexes, context.document.uri)
    let index = ResultIndex(table, context.document.parsed, reusing: caches[uri])
    if documents[uri] != nil { caches.keep(index, of: uri) }
    return index
  }

  /// The newest result of each request of a file, newest first, also where another process sent it.
  package func results(file: String) async -> ResultTable {
    // Read before what it is the revision of, so that it is never newer than that.
    let (memory, revision) = await services.rememberedNow(of: file)
    if let known = services.latestResults.results(file: file, at: revision) { return known }
    var results = memory.results(file: file)
    guard let store = await services.store.atHand() else {
      return ResultTable(results.sortedByTime)
    }
    do throws(StoreFailure) {
      let known = Set(results.map(\.id))
      results += try await store.latestSummaries(file: file)
        .filter { !known.contains($0.id) }.map(LastResult.init)
    } catch {
      Log.warning("The latest results can't be read: \(error.message)")
      return ResultTable(results.sortedByTime)
    }
    let table = ResultTable(results.sortedByTime)
    services.latestResults.keep(table, of: file, at: revision)
    return table
  }

  /// The newest results of a document with checks; nothing is looked up for one without.
  package func checkedResults(of context: DocumentContext) async -> [LastResult] {
    guard context.document.parsed.blocks.hasAny(.checks) else { return [] }
    return await results(file: context.file).results
  }
}

extension [LastResult] {
  /// The newest first.
  fileprivate var sortedByTime: [LastResult] {
    sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }
  }
}

extension LastResult {
  /// The line about a row of the history.
  package init(_ summary: ExchangeSummary) {
    self.init(
      id: summary.id, requestName: summary.requestName, line: summary.line, method: summary.method,
      url: summary.url,
      status: LastResult.status(
        summary.state, summary.status, summary.reason, summary.failureCode),
      isFailure: summary.state != .done, milliseconds: summary.milliseconds, size: summary.size,
      startedAt: summary.startedAt)
    template = summary.template
    checks = summary.tests
    if summary.state == .failed { note(reason: summary.failureMessage) }
  }
}
