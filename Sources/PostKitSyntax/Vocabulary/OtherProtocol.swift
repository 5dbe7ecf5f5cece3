// The protocols that a word in the place of a method, or the scheme of a URL, chooses (PK-41).

/// A protocol beside plain HTTP.
package struct OtherProtocol: Sendable {
  /// The words in the place of a method.
  package let words: [String]
  /// The schemes of its URLs.
  package var schemes: [String] = []
  /// Whether PostKit sends such requests.
  package var isSent = false
  /// Whether its targets are URLs of HTTP, whose scheme may be left out.
  package var usesHTTP = false
  /// Whether a request stays open for messages, so that an editor says "Connect".
  package var staysOpen = false

  /// A query in the body of a request of HTTP.
  package static let graphQL = OtherProtocol(words: ["GRAPHQL"], isSent: true, usesHTTP: true)
  package static let webSocket = OtherProtocol(
    words: ["WS", "WSS", "WEBSOCKET"], schemes: ["ws", "wss"], staysOpen: true)

  /// All of them.
  package static let all = [
    graphQL, webSocket,
    OtherProtocol(words: ["SSE", "EVENTSOURCE"], schemes: ["sse"], usesHTTP: true, staysOpen: true),
    OtherProtocol(words: ["GRPC"], schemes: ["grpc", "grpcs"], staysOpen: true),
    OtherProtocol(words: ["MQTT", "MQTTS"], schemes: ["mqtt", "mqtts"]),
    OtherProtocol(words: ["AMQP"], schemes: ["amqp", "amqps"]),
  ]

  /// The protocol that a word in capitals chooses.
  package static func named(_ word: String) -> OtherProtocol? {
    all.first { $0.words.contains(word) }
  }

  /// The protocol of URLs with a scheme in small letters.
  package static func ofScheme(_ scheme: String) -> OtherProtocol? {
    all.first { $0.schemes.contains(scheme) }
  }
}
