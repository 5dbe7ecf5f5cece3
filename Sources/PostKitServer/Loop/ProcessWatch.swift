// Signals and the death of the client, turned into events (PROMISES.md L7, L9).

import Libc
import PostKitSupport
import Synchronization

/// Watches what happens to the process from outside.
struct ProcessWatch: Sendable {
  /// The writing end of the pipe that the signal handler writes to; the handler may touch nothing
  /// else.
  private static let signalPipe = Atomic<Int32>(-1)

  private let events: EventSink
  private var followed: Set<Int32> = []

  /// Takes over the signals that ask a process to end.
  init(events: EventSink) {
    self.events = events
    guard let (readingEnd, writingEnd) = Descriptors.pipe() else { return }
    ProcessWatch.signalPipe.store(writingEnd, ordering: .sequentiallyConsistent)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signal(number) { number in
        let byte = UInt8(truncatingIfNeeded: number)
        let pipe = ProcessWatch.signalPipe.load(ordering: .sequentiallyConsistent)
        _ = withUnsafeBytes(of: byte) { write(pipe, $0.baseAddress, 1) }
      }
    }
    SystemThread.start {
      var byte: UInt8 = 0
      while true {
        let count = read(readingEnd, &byte, 1)
        if count == 1 {
          events.post(.signal(Int32(byte)))
        } else if !(count < 0 && errno == EINTR) {
          return
        }
      }
    }
  }

  /// Reports the end of a process, also one that ended before. One that can't be seen, as its
  /// number means something in another container, is ignored.
  mutating func follow(_ pid: Int32) {
    guard pid > 1 else { return }
    guard kill(pid, 0) == 0 || errno == EPERM else {
      if ProcessWatch.wasHere(pid) { events.post(.clientDied) }
      return
    }
    guard followed.insert(pid).inserted else { return }
    let events = events
    SystemThread.start {
      ProcessWatch.wait(for: pid)
      events.post(.clientDied)
    }
  }

  /// Whether a number that no process has was that of one on this machine.
  ///
  /// A server in a container is told the number of a client outside, and one outside may be told
  /// that of a client inside. So nothing is concluded in a container, nor from a number that was
  /// never given here, nor from one as small as a container's first processes have.
  private static func wasHere(_ pid: Int32) -> Bool {
    #if os(Linux)
      // The first namespace of process numbers is this file on every Linux.
      var namespace = stat()
      guard stat("/proc/self/ns/pid", &namespace) == 0, namespace.st_ino == 4_026_531_836,
        let load = try? FileSystem.read(path: "/proc/loadavg", limit: 256),
        let last = load.split(whereSeparator: { $0 == 32 || $0 == 10 }).last
      else { return false }
      return pid >= 300 && pid <= Int32(String(decoding: last, as: UTF8.self)) ?? 0
    #else
      return true
    #endif
  }

  /// Blocks until a process has ended.
  private static func wait(for pid: Int32) {
    #if os(Linux)
      if let descriptor = openProcess(pid) {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&watched, 1, -1) < 0, errno == EINTR {}
        close(descriptor)
        return
      }
    #endif
    while kill(pid, 0) == 0 || errno == EPERM { sleep(1) }
  }

  #if os(Linux)
    /// A descriptor that becomes readable when the process ends. The function is looked up, as
    /// older C libraries lack it.
    private static func openProcess(_ pid: Int32) -> Int32? {
      typealias Open = @convention(c) (Int32, UInt32) -> Int32
      guard let symbol = dlsym(nil, "pidfd_open") else { return nil }
      let descriptor = unsafeBitCast(symbol, to: Open.self)(pid, 0)
      return descriptor >= 0 ? descriptor : nil
    }
  #endif
}
