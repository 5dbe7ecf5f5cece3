// What the program says to those who maintain it: on standard error, never on standard output.

import Libc
import Synchronization

/// The log. Its sink is the only state of the program that every thread shares.
package enum Log {
  /// How grave a line is; each level has one meaning.
  package enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Something that was asked for could not be done, or PostKit itself is at fault.
    case error
    /// Something is odd and was worked around; the result may not be what was meant.
    case warning
    /// A step a user may want to know of, rare enough to read.
    case info
    /// Detail for those who work on PostKit.
    case debug

    /// The word that begins a line of the log.
    package var word: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .info: "info"
      case .debug: "debug"
      }
    }

    /// Orders levels from the gravest on.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Where lines go. It may be called from any thread, also from several at once.
  package typealias Sink = @Sendable (Level, String) -> Void

  private struct State {
    var level = Level.warning
    var sink: Sink = Log.writeToStandardError
  }

  private static let state = Mutex(State())

  /// The least grave level that is written; `warning` at the start.
  package static var level: Level {
    get { state.withLock { $0.level } }
    set { state.withLock { $0.level = newValue } }
  }

  /// Sends lines elsewhere, such as to `window/logMessage`; meant to be called once at the start.
  package static func setSink(_ sink: @escaping Sink) {
    state.withLock { $0.sink = sink }
  }

  /// Sends lines to standard error again.
  package static func resetSink() { setSink(writeToStandardError) }

  /// Writes what failed; the text is made only when it is wanted.
  package static func error(_ message: @autoclosure () -> String) { write(.error, message) }

  /// Writes what is odd.
  package static func warning(_ message: @autoclosure () -> String) { write(.warning, message) }

  /// Writes a step worth knowing of.
  package static func info(_ message: @autoclosure () -> String) { write(.info, message) }

  /// Writes a detail.
  package static func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

  /// Writes a line of a level that was computed.
  package static func write(_ level: Level, _ message: () -> String) {
    // The sink is called after the lock is let go, since it may log itself.
    guard let sink = state.withLock({ level <= $0.level ? $0.sink : nil }) else { return }
    sink(level, message())
  }

  /// Writes one line to standard error in as few system calls as the system allows.
  package static func writeToStandardError(_ level: Level, _ message: String) {
    StandardStream.writeAll("postkit: \(level.word): \(message)\n", to: STDERR_FILENO)
  }
}

/// Writing to file descriptors that are open at the start of a program.
package enum StandardStream {
  /// Writes all of a text; gives up without a word when the reader has gone.
  package static func writeAll(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  /// Writes a line where nobody waits for it: it is cut, or dropped while a pipe is full.
  package static func writeIfRoom(_ line: String, to descriptor: Int32) {
    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&wait, 1, 0) == 1, wait.revents & Int16(POLLOUT) != 0 else { return }
    // A pipe that has room at all takes this much at once.
    var bytes = Array(line.utf8.prefix(pipeRoom - 1))
    bytes.append(0x0A)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// The bytes that every pipe with room takes without waiting.
  private static let pipeRoom = Int(PIPE_BUF)

  /// Writes all bytes and answers whether that worked; waits where the descriptor doesn't block.
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = write(descriptor, base, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

/// Runs an operation whose failure is only worth a line in the log; `attempt` says what was tried.
package func orLog<Value>(
  _ attempt: @autoclosure () -> String, level: Log.Level = .error, _ operation: () throws -> Value
) -> Value? {
  do {
    return try operation()
  } catch {
    Log.write(level) { "\(attempt()): \(error)" }
    return nil
  }
}
