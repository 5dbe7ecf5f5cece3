// The newest results of a file's requests: of this session, and those that the history has from
// before and from other processes.

import PostKitHTTP
import PostKitLanguage
import PostKitStore
import PostKitSupport
import PostKitSyntax

/// The newest results of a document as they were at a revision, where a check failed among them.
struct CheckedResults: Sendable {
  let file: String
  let revision: UInt64
  let results: [LastResult]
}

/// Those of the open documents: a keystroke must not read the history.
typealias CheckedResultsCaches = DocumentCaches<CheckedResults>

extension Snapshot {
  /// The newest result of each request of a file, also where another process sent it.
  func results(file: String) async -> [LastResult] {
    var results = await services.remembered().results(file: file)
    if let store = await services.store.atHand() {
      do throws(StoreFailure) {
        let known = Set(results.map(\.id))
        results += try await store.latestSummaries(file: file)
          .filter { !known.contains($0.id) }.map(LastResult.init)
      } catch {
        Log.warning("The latest results can't be read: \(error.message)")
      }
    }
    return results.sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }
  }

  /// The newest results of a document with checks, where any of these failed; nothing is looked up
  /// for a document without.
  func checkedResults(of context: DocumentContext) async -> [LastResult] {
    guard context.document.parsed.blocks.hasAny(.checks) else { return [] }
    // Read before what it is the revision of, so that it is never newer than that.
    let revision = await exchangeRevision
    let (caches, uri) = (services.checkedResults, context.document.uri)
    if let known = caches[uri], known.file == context.file, known.revision == revision {
      return known.results
    }
    let all = await results(file: context.file)
    // Where nothing failed they say nothing of checks.
    let hasFailed = all.contains { $0.checks.contains { !$0.passed } }
    let found = CheckedResults(
      file: context.file, revision: revision, results: hasFailed ? all : [])
    caches.keep(found, of: uri)
    return found.results
  }
}

extension LastResult {
  /// The line about a row of the history.
  init(_ summary: ExchangeSummary) {
    self.init(
      id: summary.id, requestName: summary.requestName, line: summary.line, method: summary.method,
      url: summary.url,
      status: LastResult.status(
        summary.state, summary.status, summary.reason, summary.failureCode),
      isFailure: summary.state != .done, milliseconds: summary.milliseconds, size: summary.size,
      startedAt: summary.startedAt)
    template = summary.template
    checks = summary.tests
  }
}
