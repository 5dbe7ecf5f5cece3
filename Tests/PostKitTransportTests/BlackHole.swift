// A port that neither accepts nor refuses, so that connecting to it never ends.

import Libc

/// Listens without accepting, its queue filled by connections of its own: further ones get no answer.
final class BlackHole {
  let port: Int
  private var descriptors: [Int32] = []

  init?() {
    guard let listener = BlackHole.makeSocket() else { return nil }
    descriptors = [listener]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var made: [Int32] = []
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(listener, generic, length) == 0, listen(listener, 0) == 0,
          getsockname(listener, generic, &length) == 0
        else { return false }
        for _ in 0..<4 {
          guard let descriptor = BlackHole.makeSocket() else { return false }
          _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
          _ = connect(descriptor, generic, length)
          made.append(descriptor)
        }
        return true
      }
    }
    descriptors += made
    port = Int(UInt16(bigEndian: address.sin_port))
    if !isReady { return nil }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  private static func makeSocket() -> Int32? {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    return descriptor >= 0 ? descriptor : nil
  }
}
