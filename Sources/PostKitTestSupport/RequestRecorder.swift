// A server on loopback that keeps the bytes of what it is sent.

import Libc
import PostKitSupport

/// Receives requests on loopback, one to a connection, and answers each with nothing.
package final class RequestRecorder: Sendable {
  /// The port on 127.0.0.1.
  package let port: UInt16
  private let count: Int
  private let state = Monitor<[String]>([])

  /// A recorder for so many requests; `nil` where no socket can be had.
  package init?(count: Int) {
    // Why there is no socket is of no use to a test.
    guard let (listener, port) = try? Descriptors.loopbackListener() else { return nil }
    self.port = UInt16(port)
    self.count = count
    let state = state
    SystemThread.start {
      for _ in 0..<count {
        let connection = accept(listener, nil, nil)
        let bytes = RequestRecorder.read(connection)
        StandardStream.writeAll(
          "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", to: connection)
        close(connection)
        let text = bytes.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
        state.update { $0.append(text) }
      }
      close(listener)
    }
  }

  /// The requests as Latin-1 characters, once all have come.
  package func received() -> [String] {
    let count = count
    return state.wait { $0.count == count ? $0 : nil }
  }

  private static func read(_ connection: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
      let head = String(decoding: bytes[..<end], as: UTF8.self)
      let length = head.split(separator: "\r\n")
        .first { $0.lowercased().hasPrefix("content-length: ") }
        .flatMap { Int($0.dropFirst(16)) }
      if bytes.count - end >= length ?? 0 { return bytes }
    }
  }
}
