// The methods PostKit knows (PK-9).

/// A request method.
package struct MethodDescription: Sendable, Hashable {
  package let name: String
  /// What it asks for, in one sentence.
  package let summary: String
  /// Whether it leaves the server's state alone (RFC 9110, section 9.2.1).
  package let isSafe: Bool
  /// Whether sending it twice is the same as once (RFC 9110, section 9.2.2).
  package let isIdempotent: Bool
  package let source: String
}

/// The methods of HTTP, WebDAV and the registries that other tools list; any other word in capitals
/// is sent as it is.
package enum MethodCatalog {
  /// Those that completion offers and hover explains, the commonest first.
  package static let all: [MethodDescription] = [
    method("GET", "Reads the resource.", true, true, "RFC 9110, section 9.3.1"),
    method("POST", "Sends the body for processing.", false, false, "RFC 9110, section 9.3.3"),
    method("PUT", "Creates or replaces the resource.", false, true, "RFC 9110, section 9.3.4"),
    method("PATCH", "Changes a part of the resource.", false, false, "RFC 5789"),
    method("DELETE", "Deletes the resource.", false, true, "RFC 9110, section 9.3.5"),
    method(
      "HEAD", "Reads the headers of a GET, not the body.", true, true, "RFC 9110, section 9.3.2"),
    method("OPTIONS", "Asks which methods are supported.", true, true, "RFC 9110, section 9.3.7"),
    method("TRACE", "Asks the server to echo the request.", true, true, "RFC 9110, section 9.3.8"),
    method("CONNECT", "Opens a tunnel through a proxy.", false, false, "RFC 9110, section 9.3.6"),
    method("PROPFIND", "Reads properties.", true, true, "RFC 4918, section 9.1"),
    method("PROPPATCH", "Changes properties.", false, true, "RFC 4918, section 9.2"),
    method("MKCOL", "Creates a collection.", false, true, "RFC 4918, section 9.3"),
    method("COPY", "Copies a resource.", false, true, "RFC 4918, section 9.8"),
    method("MOVE", "Moves a resource.", false, true, "RFC 4918, section 9.9"),
    method("LOCK", "Locks a resource.", false, false, "RFC 4918, section 9.10"),
    method("UNLOCK", "Releases a lock.", false, true, "RFC 4918, section 9.11"),
    method("SEARCH", "Searches.", true, true, "RFC 5323"),
    method("REPORT", "Requests a report.", true, true, "RFC 3253, section 3.6"),
    method("LIST", "Lists secrets in HashiCorp Vault.", true, true, "Vault API"),
    method(
      "GRAPHQL", "Posts the body as a GraphQL query.", false, false, "a word of request files"),
  ]

  /// Those that other tools list, too.
  private static let others = [
    "ACL", "BASELINE-CONTROL", "CHECKIN", "CHECKOUT", "MERGE", "MKACTIVITY", "MKCALENDAR",
    "MKWORKSPACE", "QUERY", "VERSION-CONTROL",
  ]

  /// The words in the place of a method that choose another protocol.
  private static let protocols = Set(OtherProtocol.all.flatMap(\.words))

  /// Those that are sent as they are written.
  private static let http = Set(all.map(\.name) + others).subtracting(protocols)

  /// The method of that name.
  package static func named(_ name: String) -> MethodDescription? {
    all.first { $0.name == name }
  }

  /// The method to be sent: known ones in capitals, any other word as written (PK-9).
  package static func canonical(_ word: String) -> String {
    let capitals = word.uppercased()
    return isKnown(capitals) ? capitals : word
  }

  /// Whether a word in capitals is a method of HTTP.
  package static func isHTTP(_ word: String) -> Bool { http.contains(word) }

  /// Whether a word in capitals is a method, or chooses another protocol.
  package static func isKnown(_ word: String) -> Bool {
    http.contains(word) || protocols.contains(word)
  }

  /// Whether a word is one of them, in capitals or in small letters.
  static func isKnown(_ bytes: ByteView, _ word: Range<Int>) -> Bool {
    isUsual(bytes, word) || isKnown(bytes.string(word).uppercased())
  }

  /// Whether a word is one of those that nearly all requests have.
  private static func isUsual(_ bytes: ByteView, _ word: Range<Int>) -> Bool {
    switch word.count {
    case 3: bytes.equalsIgnoringCase(word, "GET") || bytes.equalsIgnoringCase(word, "PUT")
    case 4: bytes.equalsIgnoringCase(word, "POST") || bytes.equalsIgnoringCase(word, "HEAD")
    case 5: bytes.equalsIgnoringCase(word, "PATCH")
    case 6: bytes.equalsIgnoringCase(word, "DELETE")
    case 7: bytes.equalsIgnoringCase(word, "OPTIONS")
    default: false
    }
  }

  private static func method(
    _ name: String, _ summary: String, _ isSafe: Bool, _ isIdempotent: Bool, _ source: String
  ) -> MethodDescription {
    MethodDescription(
      name: name, summary: summary, isSafe: isSafe, isIdempotent: isIdempotent, source: source)
  }
}
