// Exchanges on their way to the store's thread, gathered into groups: a commit each would cost a
// batch run more than its requests do.

import PostKitHTTP
import PostKitSupport

/// The exchanges of `enqueue` until they are committed.
final class RecordQueue: Sendable {
  private let state = Monitor(State())

  private struct State {
    var exchanges: [(exchange: Exchange, byteCount: Int)] = []
    var byteCount = 0
    var hasTimer = false
    /// Whether a commit is on its way.
    var hasCommit = false
    var failure: StoreFailure?
    /// The ids of what is neither committed nor waits in files.
    var lost: Set<String> = []

    /// What is needed for what waits to be committed.
    mutating func need() -> Need {
      if hasCommit || exchanges.isEmpty { return .nothing }
      if exchanges.count >= groupCount || byteCount > groupBytes {
        hasCommit = true
        return .commit
      }
      if hasTimer { return .nothing }
      hasTimer = true
      return .timer
    }
  }

  /// What the caller has to see to.
  enum Need {
    /// Nothing is waiting, or a commit is on its way already.
    case nothing
    /// The group is full.
    case commit
    /// This is the first of a group; commit a moment later.
    case timer
  }

  /// How long the first of a group waits for others, in microseconds.
  static let lingerMicroseconds: UInt32 = 20_000

  private static let groupCount = 64
  /// Bodies in memory are limited, too.
  private static let groupBytes = 1 << 20
  /// Bytes of bodies, and exchanges, above which who sends should wait for the store.
  private static let crowdedBytes = 32 << 20
  private static let crowdedCount = 4_096

  /// Adds an exchange and tells what is needed for it to be committed.
  func add(_ exchange: Exchange) -> Need {
    let byteCount = [exchange.request.body, exchange.response?.body].reduce(0) { sum, body in
      if case .bytes(let bytes) = body { sum + bytes.count } else { sum }
    }
    return state.update { state in
      state.exchanges.append((exchange, byteCount))
      state.byteCount += byteCount
      return state.need()
    }
  }

  /// Whether so much is waiting that who sends should wait, too.
  var isCrowded: Bool {
    state.update {
      $0.byteCount > RecordQueue.crowdedBytes || $0.exchanges.count > RecordQueue.crowdedCount
    }
  }

  /// The next group, in order; empty where nothing is waiting.
  func take() -> [Exchange] {
    state.update { state in
      var (count, byteCount) = (0, 0)
      while count < min(state.exchanges.count, RecordQueue.groupCount),
        byteCount <= RecordQueue.groupBytes
      {
        byteCount += state.exchanges[count].byteCount
        count += 1
      }
      guard count > 0 else { return [] }
      let group = state.exchanges[..<count].map(\.exchange)
      state.exchanges.removeFirst(count)
      state.byteCount -= byteCount
      return group
    }
  }

  /// Lets the next exchange start a timer again.
  func timerHasFired() -> Need {
    state.update { state in
      state.hasTimer = false
      if state.hasCommit || state.exchanges.isEmpty { return .nothing }
      state.hasCommit = true
      return .commit
    }
  }

  /// A commit was made; tells what is needed for the rest.
  func hasCommitted() -> Need {
    state.update { state in
      state.hasCommit = false
      return state.need()
    }
  }

  /// Notes that exchanges are lost, and keeps the reason until somebody asks for it; the first one
  /// counts.
  func fail(_ failure: StoreFailure, of exchanges: [Exchange]) {
    state.update { state in
      state.failure = state.failure ?? failure
      state.lost.formUnion(exchanges.map(\.id))
    }
  }

  /// The ids of what was added and could not be kept.
  var lost: Set<String> { state.update { $0.lost } }

  /// The first failure since it was last asked for.
  func takeFailure() -> StoreFailure? {
    state.update { state in
      defer { state.failure = nil }
      return state.failure
    }
  }
}
