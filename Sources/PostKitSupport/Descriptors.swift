// Pipes and listening sockets whose descriptors no child process inherits.

import CSystem
import Libc

/// Makes descriptors of the system. A child process that another thread starts must not get them,
/// not even for the moment between making and marking them: it would keep the other end waiting.
package enum Descriptors {
  /// A pipe; `nil` where the system gives none.
  package static func pipe() -> (reader: Int32, writer: Int32)? {
    var ends: [Int32] = [-1, -1]
    return postkit_pipe(&ends) ? (ends[0], ends[1]) : nil
  }

  /// A listening socket on a port of 127.0.0.1, any free one for 0; `nil` where the system gives
  /// none.
  package static func loopbackListener(port: Int = 0) -> (descriptor: Int32, port: Int)? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(clamping: port).bigEndian
    guard let descriptor = listener(AF_INET, &address) else { return nil }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A listening socket on a port of `::1`; `nil` where the system gives none, as one without IPv6.
  package static func loopbackListenerOfIPv6(port: Int) -> Int32? {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    address.sin6_port = in_port_t(clamping: port).bigEndian
    return listener(AF_INET6, &address)
  }

  /// A socket that listens on an address, which becomes the one that the system has given.
  private static func listener<Address>(_ family: Int32, _ address: inout Address) -> Int32? {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #elseif canImport(Musl)
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #else
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { return nil }
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #endif
    // A port that was in use a moment ago is free again.
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var length = socklen_t(MemoryLayout<Address>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && listen(descriptor, SOMAXCONN) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    if isListening { return descriptor }
    close(descriptor)
    return nil
  }

  /// Makes reads and writes of a descriptor return at once; `false` where that fails.
  package static func setNonBlocking(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL, 0)
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
  }
}
