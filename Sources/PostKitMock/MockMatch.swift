// Which recording answers a request (IO-44). A pure function: who serves counts what was served.

import PostKitHTTP
import PostKitJSON

/// How well a recording answers a request; larger is better.
struct MockScore: Comparable, Hashable {
  /// 3 for the same query, 2 for the same names, 1 where the request has more.
  var query: Int
  /// 3 for an equal body, 2 for the same GraphQL operation, 1 for any body.
  var body: Int
  /// Whether the client takes the type of the answer.
  var isAccepted: Bool

  /// The query counts before the body, and that before the type.
  static func < (left: MockScore, right: MockScore) -> Bool {
    (left.query, left.body, left.isAccepted ? 1 : 0)
      < (right.query, right.body, right.isAccepted ? 1 : 0)
  }
}

/// Why a recording does not answer a request, the nearest first.
enum MockMiss: Int, Comparable {
  case header, example, query, method, path

  /// The nearest come first.
  static func < (left: MockMiss, right: MockMiss) -> Bool { left.rawValue < right.rawValue }

  /// The reason in a few words.
  var reason: String {
    switch self {
    case .header: "a header that must be equal differs"
    case .example: "it is not the example that was asked for"
    case .query: "its query has pairs that the request lacks"
    case .method: "its method differs"
    case .path: "its path differs"
    }
  }
}

/// What a client asks for by name (`X-PostKit-Example`, `Prefer: code=404, example=NAME`).
struct MockWish: Hashable {
  var name: String?
  var status: Int?

  /// Reads the fields of a request.
  init(_ headers: HeaderFields) {
    name = headers.first("X-PostKit-Example")
    for part in headers.values("Prefer").joined(separator: ",").split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map {
        String($0).trimmingASCIIBlanks()
      }
      guard words.count == 2 else { continue }
      let value = words[1].hasPrefix("\"") ? String(words[1].dropFirst().dropLast()) : words[1]
      if words[0].equalsIgnoringASCIICase("code") { status = Int(value) }
      if words[0].equalsIgnoringASCIICase("example") { name = value }
    }
  }

  /// Whether a recording is what was asked for.
  func accepts(_ recording: MockRecording) -> Bool {
    if let status, recording.status != status { return false }
    if let name { return recording.name?.equalsIgnoringASCIICase(name) ?? false }
    return true
  }
}

extension MockRecording {
  /// Whether the path is one that this recording answers, and how many of its segments are literal.
  /// What was recorded of one thing answers for others of its kind, too.
  func fits(_ segments: [String]) -> Int? {
    guard segments.count == path.count else { return nil }
    var literals = 0
    for (mine, theirs) in zip(path, segments) {
      switch mine {
      case .literal(let text):
        if text == theirs {
          literals += 1
        } else if recordedAt == 0 || !IdentifierText.isLikely(text)
          || !IdentifierText.isLikely(theirs)
        {
          return nil
        }
      case .parameter: if theirs.isEmpty { return nil }
      }
    }
    return literals
  }

  /// How well it answers a request whose method and path fit; `nil` where its query has more.
  func score(_ request: MockRequest, _ body: MockRequestBody) -> MockScore? {
    guard let query = queryScore(request.query) else { return nil }
    return MockScore(query: query, body: bodyScore(body), isAccepted: isAccepted(by: request))
  }

  private func queryScore(_ theirs: [HeaderField]) -> Int? {
    guard let mine = query else { return 1 }
    if Self.sorted(mine) == Self.sorted(theirs) { return 3 }
    let (names, others) = (mine.map(\.name).sorted(), theirs.map(\.name).sorted())
    if names == others { return 2 }
    return Set(names).isSubset(of: others) ? 1 : nil
  }

  private static func sorted(_ fields: [HeaderField]) -> [String] {
    fields.map { "\($0.name)\u{0}\($0.value)" }.sorted()
  }

  private func bodyScore(_ theirs: MockRequestBody) -> Int {
    guard let mine = requestBody else { return 1 }
    return theirs.likeness(to: mine)
  }

  private func isAccepted(by request: MockRequest) -> Bool {
    let accepted = request.headers.values("Accept").joined(separator: ",").split(separator: ",")
    guard !accepted.isEmpty, let type = headers.first("Content-Type").flatMap(MediaType.init) else {
      return true
    }
    return accepted.contains { range in
      let range = String(range.prefix { $0 != ";" }).trimmingASCIIBlanks().lowercased()
      if range == "*/*" || range == type.essence.lowercased() { return true }
      return range.hasSuffix("/*") && type.essence.lowercased().hasPrefix(range.dropLast())
    }
  }
}

/// The body of a request, read once for all recordings.
struct MockRequestBody {
  private let bytes: [UInt8]
  private let tree: JSONTree?
  private let operation: String?

  /// Reads a body.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tree = Self.parse(bytes)
    operation = tree.flatMap(Self.operation)
  }

  /// 3 for an equal body, 2 for one of the same GraphQL operation, 1 for any other.
  func likeness(to other: [UInt8]) -> Int {
    if bytes == other { return 3 }
    guard let tree, let theirs = Self.parse(other) else { return 1 }
    if tree.root.value.isEquivalent(to: theirs.root.value) { return 3 }
    return operation != nil && operation == Self.operation(theirs) ? 2 : 1
  }

  private static func parse(_ bytes: [UInt8]) -> JSONTree? {
    guard let first = bytes.first(where: { $0 > 0x20 }), first == 0x7B || first == 0x5B else {
      return nil
    }
    // What is no JSON is compared byte for byte.
    return try? JSONTree(parsing: bytes)
  }

  private static func operation(_ tree: JSONTree) -> String? {
    guard tree.root["query"]?.kind == .string else { return nil }
    return tree.root["operationName"]?.string
  }
}
