// The server behind `$exampleServer` and `postkit demo`: something to send to without a network.

import PostKitHTTP
package import PostKitJSON
package import PostKitLoopback
import PostKitSupport

/// Starts servers on loopback whose answers are JSON, the example server among them.
package enum ExampleServer {
  /// The example server on a free port of 127.0.0.1.
  package static func start() throws(LoopbackFailure) -> LoopbackServer {
    try start(LoopbackLimits())
  }

  /// The example server with limits of the caller's.
  static func start(_ limits: LoopbackLimits) throws(LoopbackFailure) -> LoopbackServer {
    let token = randomToken()
    return try start(port: 0, limits) { base in
      let site = ExampleSite(base: base, token: token)
      return { site.respond(to: $0) }
    }
  }

  /// A server on a port of 127.0.0.1, any free one for 0, and on the same of `::1` where there is
  /// one, as clients take either for `localhost`; it answers as `answering` says once it knows the
  /// base URL.
  package static func start(
    port: Int, _ limits: LoopbackLimits = LoopbackLimits(),
    answering: (String) -> @Sendable (LoopbackRequest) -> LoopbackResponse
  ) throws(LoopbackFailure) -> LoopbackServer {
    try LoopbackServer.start(port: port, limits) { port in
      LoopbackService(respond: answering(LoopbackServer.url(port: port))) {
        .problem($0, $1, help: $2)
      }
    }
  }

  private static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return Hex.encode((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

extension LoopbackResponse {
  /// An answer with indented JSON.
  package static func json(_ value: JSONValue, status: Int = 200) -> LoopbackResponse {
    var writer = JSONWriter(indent: 2)
    writer.write(value)
    return content("application/json", writer.bytes + [0x0A], status: status)
  }

  /// An answer that says what was wrong and what to do about it.
  static func problem(_ status: Int, _ error: String, help: String) -> LoopbackResponse {
    json(["error": .string(error), "help": .string(help)], status: status)
  }
}
