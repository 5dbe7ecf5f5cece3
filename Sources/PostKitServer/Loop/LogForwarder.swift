// Once the client listens, it gets the log, too; before that only standard error does (R6).

import LanguageServerProtocol
import PostKitSession
import PostKitSupport
import Synchronization

/// Sends log lines to the client, at most fifty a second.
final class LogForwarder: Sendable {
  private struct Window {
    var start: Int64 = 0
    var count = 0
  }

  private static let linesPerSecond = 50

  private let client: ClientProxy
  private let window = Mutex(Window())

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
    let now = Clock.monotonicMicroseconds
    let isWithinLimit = window.withLock { window in
      if now - window.start >= 1_000_000 { window = Window(start: now) }
      window.count += 1
      return window.count <= LogForwarder.linesPerSecond
    }
    guard isWithinLimit else { return }
    let type: LSP.MessageType =
      switch level {
      case .error: .error
      case .warning: .warning
      case .info: .info
      case .debug: .log
      }
    client.logMessage(type, message)
  }
}
