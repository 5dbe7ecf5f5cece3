// Ends scripts that run too long or use too much, while they run (SC-56).

import CJavaScriptCore
import CSystem
import Libc
import PostKitSupport

/// Looks after the script that runs, some fifty times a second of its time.
final class WatchDog {
  /// Why what runs is terminated.
  enum Reason {
    case time, memory, cancelled
    /// The script asked for it, by `client.exit()` and the like.
    case script
  }

  private let js: JavaScript
  private let group: postkit_js_group
  /// The system's count of the pages of this process; opened before files are out of reach.
  private let pages: Int32
  private static let slice = 0.02

  /// Makes a watch-dog that isn't armed.
  init(_ js: JavaScript, _ group: postkit_js_group) {
    (self.js, self.group) = (js, group)
    pages = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  }

  /// Asks the host after each slice of running time from now on.
  func arm(seconds: Double = WatchDog.slice) {
    js.pointee.JSContextGroupSetExecutionTimeLimit?(
      group, seconds, { _, _ in ScriptHostProcess.current?.sliceIsOver() ?? false }, nil)
  }

  private var lastUsed = (bytes: 0, at: Int64(0))
  /// How old a figure of the memory may be for a job that begins, in microseconds.
  private static let recent: Int64 = 50_000

  /// Bytes of memory that this process used a moment ago.
  var recentlyUsedBytes: Int {
    let now = Clock.monotonicMicroseconds
    if now > lastUsed.at + Self.recent || lastUsed.bytes == 0 { lastUsed = (usedBytes, now) }
    return lastUsed.bytes
  }

  /// Bytes of memory that this process uses; 0 where the system doesn't say.
  var usedBytes: Int {
    guard pages >= 0 else { return 0 }
    var text = [UInt8](repeating: 0, count: 128)
    let count = pread(pages, &text, text.count, 0)
    guard count > 0 else { return 0 }
    let words = text[..<count].split(separator: UInt8(ascii: " "))
    guard words.count > 1, let resident = Int(String(decoding: words[1], as: UTF8.self)) else {
      return 0
    }
    return resident * Self.pageSize
  }

  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}
