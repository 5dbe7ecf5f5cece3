// The newest results of a file's requests: of this session, and those that the history has from
// before and from other processes.

import PostKitHTTP
import PostKitLanguage
import PostKitStore
import PostKitSupport
import PostKitSyntax
import Synchronization

/// The results of open documents among which a check failed: a keystroke must not read the history.
final class CheckedResultsCache: Sendable {
  private struct Found {
    let file: String
    let revision: UInt64
    let results: [LastResult]
  }

  private let found = Mutex<[DocumentURI: Found]>([:])

  /// The results of a document as they were at a revision.
  func results(of context: DocumentContext, revision: UInt64) -> [LastResult]? {
    guard let known = found.withLock({ $0[context.document.uri] }), known.file == context.file,
      known.revision == revision
    else { return nil }
    return known.results
  }

  /// Keeps the results of a document; those in which nothing failed say nothing of checks.
  func keep(
    _ results: [LastResult], of context: DocumentContext, revision: UInt64
  ) -> [LastResult] {
    let hasFailed = results.contains { $0.checks.contains { !$0.passed } }
    let kept = hasFailed ? results : []
    let new = Found(file: context.file, revision: revision, results: kept)
    found.withLock { $0[context.document.uri] = new }
    return kept
  }

  /// Forgets documents that are no longer open.
  func keep(_ isOpen: (DocumentURI) -> Bool) {
    found.withLock { found in
      for uri in Array(found.keys) where !isOpen(uri) { found[uri] = nil }
    }
  }
}

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
    let cache = services.checkedResults
    if let known = cache.results(of: context, revision: revision) { return known }
    return cache.keep(await results(file: context.file), of: context, revision: revision)
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
