// How two responses differ: the status line, the headers by name, the body by what it is.

package import PostKitHTTP
import PostKitJSON

/// What changed from one response to another.
package struct ResponseDifference: Sendable, Hashable {
  /// Bodies up to this size are compared by their content, larger ones by size and digest.
  package static let bodyByteLimit = 4 << 20

  /// The exchanges without their bodies.
  package let old: Exchange
  package let new: Exchange
  /// The status lines, or why there is none.
  package let oldStatus: String
  package let newStatus: String
  /// `nil` where one of them has no response.
  package let headers: HeaderDifference?
  package let body: BodyDifference
  /// What else a reader must know to judge the comparison.
  package let notes: [String]

  /// Compares the responses of two exchanges; `read` gives the first bytes of a body, `digest` the
  /// SHA-256 of all.
  package init(
    from old: Exchange, to new: Exchange, read: (BodyContent, Int) -> [UInt8],
    digest: (BodyContent) -> String
  ) {
    self.old = old
    self.new = new
    oldStatus = ResponseDifference.statusLine(old)
    newStatus = ResponseDifference.statusLine(new)
    guard let before = old.response, let after = new.response else {
      headers = nil
      body = .same
      notes = ["Only one of the two has a response, so there is no more to compare."]
      return
    }
    let fields = HeaderDifference(from: before.headers, to: after.headers)
    headers = fields
    body = BodyDifference(from: before, to: after, read: read, digest: digest)
    var notes: [String] = []
    if body == .json([]) { notes.append("The bodies differ in layout only.") }
    if fields.isReordered { notes.append("The headers have another order.") }
    notes += fields.spellings.map { "The header `\($0.old)` is now written `\($0.new)`." }
    if before.isTruncated || after.isTruncated {
      notes.append("A body was truncated when it was stored; only the stored part is compared.")
    }
    if old.isRedacted || new.isRedacted {
      notes.append("Secrets are masked, so a change inside one is not visible.")
    }
    self.notes = notes
  }

  /// Whether status line, headers and body say the same.
  package var isEmpty: Bool {
    oldStatus == newStatus && headers?.changes.isEmpty != false
      && (body == .same || body == .json([]))
  }

  private static func statusLine(_ exchange: Exchange) -> String {
    guard let response = exchange.response else {
      let reason = exchange.failure?.code.rawValue ?? exchange.state.rawValue
      return "no response: \(reason)"
    }
    let reason = response.reason.isEmpty ? "" : " " + response.reason
    return "\(response.httpVersion) \(response.status)\(reason)"
  }
}

/// What changed from one body to another.
package enum BodyDifference: Sendable, Hashable {
  /// What is told of a body that is not compared by its content.
  package struct Facts: Sendable, Hashable {
    package var type: String
    package var size: Int
    /// The SHA-256 of the bytes in hexadecimal digits.
    package var digest: String
  }

  /// Byte for byte.
  case same
  /// Place by place; none where both only write the same value otherwise.
  case json([JSONChange])
  /// Line by line.
  case text([LineHunk])
  /// Binary or large.
  case opaque(old: Facts, new: Facts)

  fileprivate init(
    from old: Response, to new: Response, read: (BodyContent, Int) -> [UInt8],
    digest: (BodyContent) -> String
  ) {
    let limit = ResponseDifference.bodyByteLimit
    if old.body.count <= limit, new.body.count <= limit {
      let (before, after) = (Side(old, read(old.body, limit)), Side(new, read(new.body, limit)))
      if before.bytes == after.bytes {
        self = .same
      } else if let changes = BodyDifference.changes(before, after) {
        self = .json(changes)
      } else if let (left, right) = BodyDifference.texts(before, after) {
        self = .text(LineDifference.hunks(from: left, to: right))
      } else {
        self = .opaque(old: before.facts(digest(old.body)), new: after.facts(digest(new.body)))
      }
      return
    }
    let facts = (Side(old, []).facts(digest(old.body)), Side(new, []).facts(digest(new.body)))
    let isSame = facts.0.size == facts.1.size && facts.0.digest == facts.1.digest
    self = isSame ? .same : .opaque(old: facts.0, new: facts.1)
  }

  /// One of the bodies.
  private struct Side {
    let type: MediaType?
    let size: Int
    let bytes: [UInt8]

    init(_ response: Response, _ bytes: [UInt8]) {
      type = response.headers.mediaType
      size = response.body.count
      self.bytes = bytes
    }

    /// `nil` for what is no JSON; what only claims to be is compared as text.
    var tree: JSONTree? {
      guard ResponseText.isJSON(bytes, type) else { return nil }
      return try? JSONTree(parsing: bytes)
    }

    func facts(_ digest: String) -> Facts {
      Facts(type: type?.essence ?? "no type", size: size, digest: digest)
    }
  }

  private static func changes(_ old: Side, _ new: Side) -> [JSONChange]? {
    guard let before = old.tree, let after = new.tree else { return nil }
    return JSONDifference.changes(from: before, to: after)
  }

  private static func texts(_ old: Side, _ new: Side) -> (String, String)? {
    guard let before = BodyText.decoded(old.bytes, old.type),
      let after = BodyText.decoded(new.bytes, new.type)
    else { return nil }
    return (before, after)
  }
}
