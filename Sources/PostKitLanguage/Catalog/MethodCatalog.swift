// The methods that completion offers and hover explains.

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

/// The methods PostKit knows; any other upper-case word is sent as it is.
package enum MethodCatalog {
  /// All of them, the commonest first.
  package static let all: [MethodDescription] = [
    method("GET", "Reads the resource.", true, true, "RFC 9110, section 9.3.1"),
    method("POST", "Sends the body for processing.", false, false, "RFC 9110, section 9.3.3"),
    method(
      "PUT", "Creates or replaces the resource.", false, true, "RFC 9110, section 9.3.4"),
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

  /// The method of that name.
  package static func named(_ name: String) -> MethodDescription? {
    all.first { $0.name == name }
  }

  private static func method(
    _ name: String, _ summary: String, _ isSafe: Bool, _ isIdempotent: Bool, _ source: String
  ) -> MethodDescription {
    MethodDescription(
      name: name, summary: summary, isSafe: isSafe, isIdempotent: isIdempotent, source: source)
  }
}
