// A client that sends whatever a test wants, well-formed or not.

import Libc
import PostKitSupport

/// A blocking connection to a server on loopback; reading gives up after some seconds.
package struct RawClient: Sendable {
  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1; where that fails, every read fails.
  /// With `receiveBytes` the system keeps little for it.
  package init(port: Int, receiveBytes: Int32? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBytes {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(clamping: port).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends as much of a text as the server takes.
  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends as many of the bytes as the server takes.
  package func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Libc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// Reads until a text has come; what came, or all up to the end of the connection.
  package func read(through mark: String) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      bytes.append(byte)
      if bytes.suffix(mark.utf8.count).elementsEqual(mark.utf8) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// All that comes until the server closes the connection; `nil` where it keeps it open or resets
  /// it.
  package func readToEnd() -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0 { return nil }
      bytes += buffer[..<count]
    }
  }

  /// Waits for the first byte and leaves it where it is; `false` at the end of the connection.
  package func hasAnswer() -> Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1
  }

  /// Whether something can be read within so many milliseconds.
  package func hasAnswer(withinMilliseconds milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// Leaves.
  package func close() { Libc.close(descriptor) }

  /// Runs blocking test code off the cooperative pool.
  package static func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await SerialQueueExecutor().perform(work)
  }
}
