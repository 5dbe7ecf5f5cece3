// The newest results of the requests of a document.

import PostKitHTTP
package import PostKitLanguage
package import PostKitStore
import PostKitSupport
import PostKitSyntax

extension Snapshot {
  /// The newest results, ready for the requests of a document.
  func results(of context: DocumentContext) async -> ResultIndex {
    let table = await results(file: context.file)
    let uri = context.document.uri
    let index = ResultIndex(table, context.document.parsed, reusing: caches[uri]?.results)
    caches.keep(uri) { $0.results = index }
    return index
  }

  /// The newest result of each request of a file, newest first, also where another process sent it.
  package func results(file: String) async -> ResultTable {
    // Read before what it is the revision of, so that it is never newer than that.
    let (memory, revision) = await rememberedNow(of: file)
    if let known = caches.results(file: file, at: revision) { return known }
    var results = memory.results(file: file)
    guard let store = await store.atHand() else {
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
    caches.keep(table, of: file, at: revision)
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
    hasFailedScript = summary.state == .done && summary.failureCode == .scriptFailed
    if summary.state == .failed { note(reason: summary.failureMessage) }
  }
}
