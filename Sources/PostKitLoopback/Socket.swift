// The system calls of servers on loopback, each with its error turned into a value.

import Libc
import PostKitSupport

/// Sockets that never block: who waits does it with a time limit, in `isReady`.
enum Socket {
  /// What came of reading.
  enum Received {
    case bytes([UInt8])
    case nothingYet
    /// The client has closed its side, or the connection is broken.
    case ended
  }

  /// A listening socket on a port of an address, any free one for 0.
  static func listener(
    _ address: LoopbackAddress, port: Int
  ) throws(ListenFailure) -> (descriptor: Int32, port: Int) {
    let listener = try Descriptors.loopbackListener(address, port: port)
    if Descriptors.setNonBlocking(listener.descriptor) { return listener }
    close(listener.descriptor)
    throw .none
  }

  /// A pipe that wakes the accepting thread; `nil` where the system gives none.
  static func wakePipe() -> (reader: Int32, writer: Int32)? {
    guard let ends = Descriptors.pipe() else { return nil }
    guard Descriptors.setNonBlocking(ends.reader), Descriptors.setNonBlocking(ends.writer) else {
      close(ends.reader)
      close(ends.writer)
      return nil
    }
    return ends
  }

  /// The next connection of a listener, ready for use; `nil` where there is none now.
  static func nextConnection(of listener: Int32) -> Int32? {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
    #endif
    guard Descriptors.setNonBlocking(descriptor), fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Waits until one of the descriptors can be read, for at most some milliseconds, and answers
  /// which; a negative limit is none.
  static func readable(_ descriptors: [Int32], milliseconds: Int64) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds))
    return entries.map { count > 0 && $0.revents != 0 }
  }

  /// Waits until a socket can be read or written, or has failed; `false` when the time is up. With
  /// neither it waits for a failure.
  static func isReady(
    _ descriptor: Int32, toRead: Bool, toWrite: Bool = false, milliseconds: Int64
  ) -> Bool {
    let events = (toRead ? Int32(POLLIN) : 0) | (toWrite ? Int32(POLLOUT) : 0)
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, Int32(clamping: max(milliseconds, 0))) > 0
  }

  /// Reads what has arrived.
  static func receive(_ descriptor: Int32) -> Received {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: LoopbackLimits.stepBytes) { buffer, filled in
      count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      filled = max(count, 0)
    }
    if count > 0 { return .bytes(bytes) }
    return count < 0 && isTransient(errno) ? .nothingYet : .ended
  }

  /// Sends as much as fits and answers how many bytes; `nil` where the connection is broken.
  static func transmit(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int? {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let count = send(descriptor, bytes.baseAddress, bytes.count, flags)
    if count >= 0 { return count }
    return isTransient(errno) ? 0 : nil
  }

  /// Says that nothing more will be sent.
  static func endSending(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends a connection in both directions, which wakes the thread that serves it.
  static func end(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Gives a descriptor back.
  static func release(_ descriptor: Int32) { close(descriptor) }

  private static func isTransient(_ code: Int32) -> Bool {
    code == EINTR || code == EAGAIN || code == EWOULDBLOCK
  }
}
