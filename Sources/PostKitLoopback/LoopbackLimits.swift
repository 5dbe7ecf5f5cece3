// What a client of a server on loopback may ask for: it runs inside an editor's process.

/// The limits of a server; exceeding one is an ordinary, worded answer. A value, so that a server
/// has those of its purpose, and tests need not wait as long.
package struct LoopbackLimits: Sendable {
  /// Time in which a client must send or take something, in milliseconds.
  package var idleMilliseconds: Int64 = 60_000
  /// Time in which a whole head must arrive, however slowly it trickles, in milliseconds.
  package var headMilliseconds: Int64 = 60_000
  /// Time that a client has to read its last answer before the connection is closed, in
  /// milliseconds.
  package var lingerMilliseconds: Int64 = 1_000
  /// Time that a connection has as a whole, in milliseconds; `nil` for no end.
  package var connectionMilliseconds: Int64?
  /// Bytes of a request's head, request line included.
  package var headBytes = 64 << 10
  /// Bytes of a request's body.
  package var bodyBytes = 64 << 20
  /// Connections at a time; each has a thread.
  package var connections = 256
  /// Connections that may be on their way out beside those, having made room for others.
  package var endingConnections = 32

  /// Bytes read or produced in one step.
  package static let stepBytes = 64 << 10

  /// Makes the limits of a server that has many clients.
  package init() {}

  init(
    idleMilliseconds: Int64 = 60_000, headMilliseconds: Int64 = 60_000,
    connectionMilliseconds: Int64? = nil
  ) {
    self.idleMilliseconds = idleMilliseconds
    self.headMilliseconds = headMilliseconds
    self.connectionMilliseconds = connectionMilliseconds
  }
}
