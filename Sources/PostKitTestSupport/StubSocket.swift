// One connection of the stub server: bytes in, whole requests out.

import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads requests from a socket and writes bytes to it; belongs to the thread of its connection.
final class StubSocket {
  private let descriptor: Int32
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
  static func accept(_ listener: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.accept(listener, nil, nil)
    #elseif canImport(Musl)
      Musl.accept(listener, nil, nil)
    #else
      Glibc.accept(listener, nil, nil)
    #endif
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

  private func take(through mark: [UInt8]) -> [UInt8]? {
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

  private func take(_ count: Int) -> [UInt8]? {
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
