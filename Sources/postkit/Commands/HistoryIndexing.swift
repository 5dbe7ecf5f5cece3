// The index of words, which runs leave behind themselves and searches need.

import PostKitStore
import PostKitSupport

extension HistoryCommand {
  /// Indexes all that is missing, which a search does only for so long.
  func index() async -> Int32 {
    await invocation.withStore { store throws(StoreFailure) in
      let health = try await store.wordIndexHealth()
      guard health.isSupported else {
        console.complain(
          "this SQLite has no FTS5, so there is no index; searches read the history itself")
        return 0
      }
      let count = health.pendingCount
      let progress = ProgressLine(console)
      try await indexAll(of: store, count)
      if try await store.isGoodPart(count) {
        progress.show("the parts of the index are merged")
        while try await !store.mergeWords(milliseconds: HistoryCommand.stepMilliseconds) {}
      }
      progress.clear()
      console.line("Indexed \(HistoryCommand.exchanges(count)).")
      return 0
    }
  }

  /// Indexes all that is missing, as what counts or changes matches has to find each of them.
  func indexAll(of store: Store, _ count: Int? = nil) async throws(StoreFailure) {
    let progress = ProgressLine(console)
    let step = HistoryCommand.stepMilliseconds
    while try await !store.indexWords(milliseconds: step, step: .long) {
      let left = try await store.pendingWordBound()
      let rest = count.map { "\(min(left, $0)) of \($0)" } ?? "\(left)"
      progress.show("\(rest) exchanges are still to be indexed")
    }
    progress.clear()
  }

  /// Indexes what is missing before a search, for no longer than somebody likes to wait. What is
  /// left then the search says itself.
  func catchUp(_ store: Store) async {
    do throws(StoreFailure) {
      try await store.indexWords(milliseconds: HistoryCommand.catchUpMilliseconds)
    } catch {
      Log.info("The search index is not up to date: \(error.message)")
    }
  }

  private static let stepMilliseconds: Int64 = 500
  /// Enough for all that is sent in days.
  private static let catchUpMilliseconds: Int64 = 1_500
}
