// A Hurl file as a value (grammar of hurl.dev).

/// A request and what is expected of its answer.
struct HurlEntry: Sendable, Hashable {
  var method: String
  var url: String
  /// The line of the request, counted from 1.
  var line: Int
  /// The comments right above the request line.
  var heading: [String] = []
  /// All other comments, in order.
  var comments: [String] = []
  var headers: [HurlPair] = []
  var query: [HurlPair] = []
  var form: [HurlPair]?
  var multipart: [HurlPair]?
  var cookies: [HurlPair] = []
  var basicAuth: HurlPair?
  var options: [HurlPair] = []
  var body: HurlBody?
  var response: HurlResponse?
}

/// What a file expects of an answer.
struct HurlResponse: Sendable, Hashable {
  /// The version as written, such as `HTTP/2`.
  var version: String
  /// The status; `nil` for any.
  var status: String?
  var line: Int
  var headers: [HurlPair] = []
  var captures: [HurlCapture] = []
  var asserts: [HurlAssert] = []
  var body: HurlBody?
}

/// A key and a value, escapes resolved.
struct HurlPair: Sendable, Hashable {
  var name: String
  var value: String
  var line: Int
}

/// A body.
enum HurlBody: Sendable, Hashable {
  case json(String)
  case xml(String)
  /// A text that is sent as it is; `isTemplate` says whether references in it count.
  case text(String, isTemplate: Bool)
  case graphQL(query: String, variables: String?)
  case bytes([UInt8])
  case file(String)
}

/// A value that is kept for later requests.
struct HurlCapture: Sendable, Hashable {
  var name: String
  var query: HurlQuery
  var line: Int
}

/// A check of an answer.
struct HurlAssert: Sendable, Hashable {
  var query: HurlQuery
  var isNegated: Bool
  /// The predicate's word, such as `==`.
  var predicate: String
  var value: HurlValue?
  var line: Int
  /// The line as written.
  var text: String
}

/// What a value is taken from, and what is made of it.
struct HurlQuery: Sendable, Hashable {
  /// The word, such as `jsonpath`.
  var kind: String
  var argument: HurlValue?
  var filters: [HurlFilter] = []
}

/// A step from a value to another.
struct HurlFilter: Sendable, Hashable {
  var name: String
  var arguments: [HurlValue] = []
}

/// A value of a check or an argument.
enum HurlValue: Sendable, Hashable {
  case text(String)
  /// A number, `true`, `false` or `null` as written.
  case literal(String)
  case regex(String)
  /// The expression between `{{` and `}}`.
  case template(String)
  case bytes([UInt8])
  case file(String)
}
