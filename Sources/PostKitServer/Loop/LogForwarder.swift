// Once the client listens, it gets the log, too; before that only standard error does (R6).

import LanguageServerProtocol
import PostKitSession
import PostKitSupport
import Synchronization

/// Sends log lines to the client, at most fifty a second.
final class LogForwarder: Sendable {
  private static let linesPerSecond = 50

  private let client: ClientProxy
  /// The begin of the second in which lines are counted, in milliseconds, and in the lower 16 bits
  /// how many there were.
  private let window = Atomic<UInt64>(0)

  private init(_ client: ClientProxy) { self.client = client }

  /// Takes over the log of the process.
  static func install(_ client: ClientProxy) {
    let forwarder = LogForwarder(client)
    Log.level = .info
    Log.setSink { level, message in
      // Editors take whatever stands there for trouble.
      if level <= .warning { Log.writeToStandardError(level, message) }
      forwarder.forward(level, message)
    }
  }

  private func forward(_ level: Log.Level, _ message: String) {
    guard isWithinLimit(UInt64(Clock.monotonicMicroseconds / 1_000)) else { return }
    let type: LSP.MessageType =
      switch level {
      case .error: .error
      case .warning: .warning
      case .info: .info
      case .debug: .log
      }
    client.logMessage(type, message)
  }

  private func isWithinLimit(_ now: UInt64) -> Bool {
    var known = window.load(ordering: .relaxed)
    while true {
      let isNew = now >= known >> 16 + 1_000
      let count = isNew ? 0 : known & 0xFFFF
      if count >= LogForwarder.linesPerSecond { return false }
      let next = (isNew ? now : known >> 16) << 16 | (count + 1)
      let (isDone, found) = window.compareExchange(
        expected: known, desired: next, ordering: .relaxed)
      if isDone { return true }
      known = found
    }
  }
}
