// Requests in the words of Bruno, which OpenCollection has, too: what both writers share.

/// A request as Bruno keeps it, before it is written in one of its two forms.
struct BrunoItem: Sendable, Hashable {
  /// A name with a text.
  struct Pair: Sendable, Hashable {
    var name: String
    var value: String
  }

  /// A body by its kind.
  enum Body: Sendable, Hashable {
    case none
    /// The kind is `json`, `xml` or `text`.
    case text(kind: String, String)
    case form([Pair])
    case multipart([Part])
    case file(path: String, type: String?)
  }

  /// A part of a multipart body.
  struct Part: Sendable, Hashable {
    var name: String
    var value: String
    var isFile: Bool
    var contentType: String?
  }

  /// An assertion: an expression, a word and what the value is compared with.
  struct Assertion: Sendable, Hashable {
    var expression: String
    var comparison: String
    var value: String
  }

  var name: String
  /// Its place among its siblings, counted from 1.
  var position: Int
  var tags: [String] = []
  var method = ""
  var url = ""
  var headers: [Pair] = []
  var body = Body.none
  /// The word for the auth, and its fields.
  var auth = (kind: "none", fields: [Pair]())
  /// Variables that the response sets, each with the expression of its value.
  var sets: [Pair] = []
  var assertions: [Assertion] = []
  /// The lines of the scripts.
  var before: [String] = []
  var after: [String] = []
  var followsRedirects = true
  var maxRedirects: Int?
  var encodesURL = true
  /// Milliseconds; `nil` for none.
  var timeout: Int?
  var docs = ""

  static func == (left: BrunoItem, right: BrunoItem) -> Bool {
    left.name == right.name && left.position == right.position && left.url == right.url
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
