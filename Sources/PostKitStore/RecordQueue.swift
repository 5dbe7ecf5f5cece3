// Exchanges on their way to the store's thread, gathered into groups: a commit each would cost a
// batch run more than its requests do.

import PostKitHTTP
import PostKitSupport

/// The exchanges of `enqueue` until they are committed.
final class RecordQueue: Sendable {
  private let state = Monitor(State())

  private struct State {
    var exchanges: [Exchange] = []
    var byteCount = 0
    var hasTimer = false
    var failure: StoreFailure?
  }

  /// What the caller of `add` has to see to.
  enum Need {
    /// A commit is on its way already.
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

  /// Adds an exchange and tells what is needed for it to be committed.
  func add(_ exchange: Exchange) -> Need {
    state.update { state in
      state.exchanges.append(exchange)
      for body in [exchange.request.body, exchange.response?.body] {
        if case .bytes(let bytes) = body { state.byteCount += bytes.count }
      }
      let isFull =
        state.exchanges.count == RecordQueue.groupCount || state.byteCount > RecordQueue.groupBytes
      if isFull {
        state.byteCount = 0
        return .commit
      }
      if state.hasTimer { return .nothing }
      state.hasTimer = true
      return .timer
    }
  }

  /// All that is waiting, in order.
  func take() -> [Exchange] {
    state.update { state in
      guard !state.exchanges.isEmpty else { return [] }
      defer {
        state.exchanges = []
        state.byteCount = 0
      }
      return state.exchanges
    }
  }

  /// Lets the next exchange start a timer again.
  func timerHasFired() { state.update { $0.hasTimer = false } }

  /// Keeps a failure until somebody asks for it; the first one counts.
  func fail(_ failure: StoreFailure) { state.update { $0.failure = $0.failure ?? failure } }

  /// The first failure since it was last asked for.
  func takeFailure() -> StoreFailure? {
    state.update { state in
      defer { state.failure = nil }
      return state.failure
    }
  }
}
