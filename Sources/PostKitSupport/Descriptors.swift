// Pipes and listening sockets whose descriptors no child process inherits.

import CSystem
import Libc

/// An address that reaches this machine alone.
package enum LoopbackAddress: Sendable, Hashable {
  /// One of 127.0.0.0/8, in the order of the machine.
  case one(UInt32)
  /// `::1`
  case ipv6

  /// 127.0.0.1
  package static let ipv4 = LoopbackAddress.one(0x7F00_0001)

  /// Reads an address such as `127.0.0.1` or `::1`; `nil` for any that others can reach.
  package init?(_ text: String) {
    if text == "::1" {
      self = .ipv6
      return
    }
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard numbers.count == 4, numbers[0] == 127, !numbers.contains(nil) else { return nil }
    self = .one(numbers.reduce(0) { $0 << 8 | UInt32($1 ?? 0) })
  }
}

/// Why nothing listens on a port.
package enum ListenFailure: Error, Hashable {
  /// Another program has the port.
  case taken
  /// The port is for others than this user.
  case forbidden
  /// The system has no such address, or gives no socket.
  case none
}

/// Makes descriptors of the system. A child process that another thread starts must not get them,
/// not even for the moment between making and marking them: it would keep the other end waiting.
package enum Descriptors {
  /// A pipe; `nil` where the system gives none.
  package static func pipe() -> (reader: Int32, writer: Int32)? {
    var ends: [Int32] = [-1, -1]
    return postkit_pipe(&ends) ? (ends[0], ends[1]) : nil
  }

  /// A listening socket on a port of a loopback address, any free one for 0.
  package static func loopbackListener(
    _ place: LoopbackAddress = .ipv4, port: Int = 0
  ) throws(ListenFailure) -> (descriptor: Int32, port: Int) {
    let number = in_port_t(clamping: port).bigEndian
    switch place {
    case .one(let host):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = host.bigEndian
      address.sin_port = number
      let descriptor = try listener(AF_INET, &address)
      return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_addr = in6addr_loopback
      address.sin6_port = number
      let descriptor = try listener(AF_INET6, &address)
      return (descriptor, Int(UInt16(bigEndian: address.sin6_port)))
    }
  }

  /// A socket that listens on an address, which becomes the one that the system has given.
  private static func listener<Address>(
    _ family: Int32, _ address: inout Address
  ) throws(ListenFailure) -> Int32 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #elseif canImport(Musl)
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #else
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw .none }
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
    let code = errno
    close(descriptor)
    throw code == EADDRINUSE ? .taken : code == EACCES ? .forbidden : .none
  }

  /// Makes reads and writes of a descriptor return at once; `false` where that fails.
  package static func setNonBlocking(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL, 0)
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
  }
}
