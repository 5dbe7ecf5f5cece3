// File events of the store's directory, the hint that another process has committed.

import Libc
import PostKitSupport

/// A watch on a directory; used by one thread.
///
/// Only Linux has one here; elsewhere making it fails and the store is asked at intervals.
final class DirectoryWatch {
  /// Can be polled for reading.
  let descriptor: Int32
  private let directory: String
  private let identity: FileIdentity?

  /// Whether the directory watched is still the one of that name.
  ///
  /// A directory that somebody holds open sends no event when it is removed: its end comes with the
  /// last descriptor, and every process that uses the store has one.
  var isCurrent: Bool { identity == FileIdentity(directory) }

  #if os(Linux)
    /// Watches a directory; `nil` where there is none or the system can't.
    init?(_ directory: String) {
      self.directory = directory
      // Before the watch: one that takes the name in between is found not to be the same.
      identity = FileIdentity(directory)
      descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      // All properties are set: whoever gives up from here on has `deinit` close the descriptor.
      guard identity != nil, descriptor >= 0 else { return nil }
      let events =
        UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_ONLYDIR)
        | DirectoryWatch.endings
      guard inotify_add_watch(descriptor, directory, events) >= 0 else { return nil }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Reads all events; answers whether one concerned a database, and whether no others will come.
    func changes() -> (hasFound: Bool, isOver: Bool) {
      var (found, isOver) = (false, false)
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return (found, isOver) }
        var at = 0
        while at + DirectoryWatch.headSize <= count {
          let (mask, length) = buffer.withUnsafeBytes {
            (
              $0.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self),
              Int($0.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
            )
          }
          isOver = isOver || mask & DirectoryWatch.endings != 0
          let start = at + DirectoryWatch.headSize
          let name = buffer[start..<min(start + length, count)].prefix { $0 != 0 }
          found = found || String(decoding: name, as: UTF8.self).contains(".sqlite")
          // Without a name the queue overflowed.
          found = found || length == 0
          at = start + length
        }
      }
    }

    /// Events after which there are no others: the directory was removed, renamed or unmounted.
    private static let endings = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)
    /// The size of `inotify_event` without the name.
    private static let headSize = 16
  #else
    init?(_ directory: String) { return nil }

    /// Never: this system has no events, so that callers poll.
    func changes() -> (hasFound: Bool, isOver: Bool) { (false, true) }
  #endif
}
