// File events of the store's directory, the hint that another process has committed.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A watch on a directory; used by one thread.
///
/// Only Linux has one here; elsewhere making it fails and the store is asked at intervals.
final class DirectoryWatch {
  /// Can be polled for reading.
  let descriptor: Int32

  #if os(Linux)
    /// Watches a directory; `nil` where the system can't.
    init?(_ directory: String) {
      descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let events = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO)
      guard inotify_add_watch(descriptor, directory, events) >= 0 else {
        close(descriptor)
        return nil
      }
    }

    deinit { close(descriptor) }

    /// Reads all events; answers whether one concerned a database.
    func hasChanges() -> Bool {
      var found = false
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return found }
        var at = 0
        while at + DirectoryWatch.headSize <= count {
          let length = buffer.withUnsafeBytes {
            Int($0.loadUnaligned(fromByteOffset: at + DirectoryWatch.headSize - 4, as: UInt32.self))
          }
          let start = at + DirectoryWatch.headSize
          let name = buffer[start..<min(start + length, count)].prefix { $0 != 0 }
          found = found || String(decoding: name, as: UTF8.self).contains(".sqlite")
          // Without a name the queue overflowed.
          found = found || length == 0
          at = start + length
        }
      }
    }

    /// The size of `inotify_event` without the name.
    private static let headSize = 16
  #else
    init?(_ directory: String) { return nil }

    /// Never: this system has no events, so that callers poll.
    func hasChanges() -> Bool { false }
  #endif
}
