// A log of one's own: lines at the end of a file.

import Libc
import Synchronization

/// A file that gets lines at its end, from any thread.
package final class LineFile: Sendable {
  private let descriptor: Mutex<Int32>

  /// Opens a file, and makes it where it is missing, for its user alone.
  package init(_ path: String) throws(FileFailure) {
    let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard opened >= 0 else { throw .make(errno, path: path, action: "write") }
    descriptor = Mutex(opened)
  }

  deinit { _ = descriptor.withLock { close($0) } }

  /// Appends a line in one piece; answers whether it was written whole.
  @discardableResult
  package func write(_ line: [UInt8]) -> Bool {
    let line = line + [10]
    return descriptor.withLock { Libc.write($0, line, line.count) } == line.count
  }
}
