// What is still true of what was told: each notice has a reason, and goes when that goes.

import PostKitHTTP
import PostKitSupport

extension Store {
  /// Those of some notices whose reason is still there. What can be tried again is tried.
  package func standing(_ notices: [StoreNotice]) -> [StoreNotice] {
    notices.filter { stands($0.kind) }
  }

  /// Makes sure that the history can be written now: a transaction that changes nothing.
  package func proveWritable() throws(StoreFailure) {
    let file = try history()
    try waitingHere(atMost: Store.proofMilliseconds) { () throws(StoreFailure) in
      try file.write("write to the history", scope: nil) { connection throws(StoreFailure) in
        try file.sql("write to the history") { connection throws(SQLiteError) in
          _ = try connection.run(Store.proofSQL, [.text(StoreScope.history.rawValue)])
        }
      }
    }
  }

  private func stands(_ kind: StoreNotice.Kind) -> Bool {
    switch kind {
    case .setAside(_, let copy), .copyKept(_, let copy): FileSystem.exists(copy)
    case .mended: pendingWords() != .none
    case .collectionsUnavailable: !hasCollections()
    case .slowJournal:
      [historyIfOpen, collections].contains { $0.map { !$0.writesLog } ?? false }
    case .openDirectory(let path): StorePlace.isOpen(path)
    case .exchangesWait: stillWaits()
    case .bodyNotKept: !keepsBodies()
    case .searchIsPartial: !hasFullText || pendingWords() != .none
    case .copiesRemain: !historyCopies.isEmpty
    }
  }

  /// Whether exchanges wait that can't be taken in now.
  private func stillWaits() -> Bool {
    takeInIfFree()
    return hasWaiting()
  }

  /// Whether a body can be kept as a file: one is, and is removed again.
  private func keepsBodies() -> Bool {
    let name = Array(Identifier.next().utf8)
    let content = name + [UInt8](repeating: 0x20, count: min(bodies.inlineLimit, 1 << 20))
    guard location != nil else { return true }
    do throws(StoreFailure) {
      let staged = try bodies.stage(.bytes(content), limit: .max)
      defer { bodies.discard(staged) }
      try history().underLock { () throws(StoreFailure) in
        try bodies.commit(staged, of: .bytes(content), limit: .max)
        if let hash = staged.hash { bodies.remove(hash: hash) }
      }
      return true
    } catch {
      return false
    }
  }

  private static let proofMilliseconds = 100
  private static let proofSQL = "UPDATE revision SET number = number WHERE scope = ?"
}
