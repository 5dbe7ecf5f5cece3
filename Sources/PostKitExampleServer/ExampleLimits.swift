// What a client of the example server may ask for: it runs inside an editor's process.

/// The limits of the example server; exceeding one is an ordinary, worded answer.
enum ExampleLimits {
  /// Bytes of a request's head, request line included.
  static let headBytes = 64 << 10
  /// Bytes of a request's body.
  static let bodyBytes = 64 << 20
  /// Bytes of a body that an echo repeats; it says so when there was more.
  static let echoBytes = 1 << 20
  /// Connections at a time; each has a thread.
  static let connections = 256
  /// Connections that may be on their way out beside those, having made room for others.
  static let endingConnections = 32
  /// The longest answer delay, in milliseconds; a longer one is shortened to it.
  static let delayMilliseconds: Int64 = 10_000
  /// The longest body of `/bytes/{n}`, in bytes.
  static let generatedBytes = 2 << 30
  /// The most lines of `/stream/{n}`.
  static let streamedLines = 1_000_000
  /// The longest chain of `/redirect/{n}`.
  static let redirects = 100
  /// Bytes read or produced in one step.
  static let stepBytes = 64 << 10
}

/// How long the example server waits for its clients; a value, so that tests need not wait as long.
struct ExamplePatience: Sendable {
  /// Time in which a client must send or take something, in milliseconds.
  var idleMilliseconds: Int64 = 60_000
  /// Time in which a whole head must arrive, however slowly it trickles, in milliseconds.
  var headMilliseconds: Int64 = 60_000
  /// Time that a client has to read its last answer before the connection is closed, in
  /// milliseconds.
  var lingerMilliseconds: Int64 = 1_000
}
