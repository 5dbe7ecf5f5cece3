// One connection of the stub server: bytes in, whole requests out.

import Libc
import PostKitSupport

/// Reads requests from a socket and writes bytes to it; belongs to the thread of its connection.
final class StubSocket {
  /// The socket, which belongs to whoever made it.
  let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next request; `nil` once the client has closed the connection.
  func readRequest(connection: Int) -> StubRequest? {
    guard let head = take(through: Array("\r\n\r\n".utf8)) else { return nil }
    let bare = StubRequest(connection: connection, head: head, rawBody: [], body: [])
    if bare.values("Expect").contains("100-continue") {
      _ = send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if bare.values("Transfer-Encoding").contains("chunked") {
      guard let (raw, body) = readChunks() else { return nil }
      return StubRequest(connection: connection, head: head, rawBody: raw, body: body)
    }
    let length = bare.values("Content-Length").first.flatMap { Int($0) } ?? 0
    guard let body = take(length) else { return nil }
    return StubRequest(connection: connection, head: head, rawBody: body, body: body)
  }

  /// Sends all bytes; `false` where the client has gone.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { StandardStream.writeAll($0, to: descriptor) }
  }

  /// Throws away what comes until the client closes the connection.
  func waitForClose() {
    while fill() { buffer.removeAll(keepingCapacity: true) }
  }

  /// Makes the close that follows a reset.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// The next connection of a listening socket; negative where there is none any more.
  static func accept(_ listener: Int32) -> Int32 { Libc.accept(listener, nil, nil) }

  /// The first byte that comes, which stays; `nil` once the client has closed the connection.
  func peek() -> UInt8? {
    while buffer.isEmpty { guard fill() else { return nil } }
    return buffer[0]
  }

  /// What has come and was not asked for.
  func takeBuffered() -> [UInt8] {
    defer { buffer = [] }
    return buffer
  }

  /// Hands everything on until one side is at its end, and tells the other side.
  static func copy(from source: Int32, to target: Int32) {
    let (reader, writer) = (StubSocket(source), StubSocket(target))
    while reader.fill(), writer.send(reader.takeBuffered()) {}
    shutdown(target, Int32(SHUT_WR))
  }

  /// A connection to a port of this machine; `nil` where nothing listens.
  static func connect(port: Int) -> Int32? {
    #if os(Linux) && !canImport(Musl)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Libc.connect(descriptor, $0, length) == 0
      }
    }
    if isConnected { return descriptor }
    if descriptor >= 0 { close(descriptor) }
    return nil
  }

  private func readChunks() -> (raw: [UInt8], body: [UInt8])? {
    var raw: [UInt8] = []
    var body: [UInt8] = []
    while true {
      guard let line = take(through: [13, 10]) else { return nil }
      raw += line
      guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      guard let chunk = take(size + 2) else { return nil }
      raw += chunk
      body += chunk.dropLast(2)
      if size == 0 { return (raw, body) }
    }
  }

  /// The bytes up to a mark, the mark with them.
  func take(through mark: [UInt8]) -> [UInt8]? {
    var searched = 0
    while true {
      var index = searched
      while index + mark.count <= buffer.count {
        if buffer[index..<(index + mark.count)].elementsEqual(mark) {
          return take(index + mark.count)
        }
        index += 1
      }
      searched = index
      guard fill() else { return nil }
    }
  }

  /// So many bytes.
  func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count { guard fill() else { return nil } }
    if buffer.count == count {
      defer { buffer = [] }
      return buffer
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func fill() -> Bool {
    // Arrays made in one go: debug builds would spend seconds on filling them element by element.
    let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { room, count in
      repeat {
        count = max(-1, recv(descriptor, room.baseAddress, room.count, 0))
      } while count < 0 && errno == EINTR
      count = max(count, 0)
    }
    if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
    return !bytes.isEmpty
  }
}
