// An answer that a mock can give, with the request that it answers.

package import PostKitHTTP

/// A piece of a path that a recording answers.
package enum MockSegment: Sendable, Hashable {
  /// Text, percent-decoded.
  case literal(String)
  /// Anything but nothing.
  case parameter
}

/// Where the bytes of an answer are.
package enum MockBody: Sendable, Hashable {
  case bytes([UInt8])
  /// Bytes of a file.
  case file(path: String, range: Range<Int>)

  /// The number of bytes.
  package var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    }
  }
}

/// An answer with the request that it answers.
package struct MockRecording: Sendable, Hashable {
  /// Where it comes from, for messages, such as `orders.http, example 404`.
  package var source: String
  /// What a client can ask for it by (`X-PostKit-Example`).
  package var name: String?
  /// The place of its source among those that were named: earlier ones win (IO-42).
  package var rank = 0
  package var method: String
  package var path: [MockSegment]
  /// The names and values of the query, decoded; `nil` where any will do.
  package var query: [HeaderField]?
  /// The body of the request; `nil` where any will do.
  package var requestBody: [UInt8]?
  package var requestHeaders: HeaderFields
  package var status: Int
  package var headers: HeaderFields
  package var body: MockBody
  /// The scheme, host and port that it was recorded from, such as `https://api.example.com`; empty
  /// where nobody was asked.
  package var origin = ""
  /// When it was recorded, in milliseconds since 1970; 0 for what is no recording.
  package var recordedAt: Int64 = 0
  package var isPinned = false
  /// Whether secrets were masked in it.
  package var isRedacted = false
  /// The time until the first byte of the answer, in milliseconds.
  package var firstByteMilliseconds = 0
  /// The time of the whole answer, in milliseconds.
  package var totalMilliseconds = 0

  /// Makes a recording.
  package init(
    source: String, method: String, path: [MockSegment], query: [HeaderField]? = nil,
    requestBody: [UInt8]? = nil, requestHeaders: HeaderFields = [], status: Int,
    headers: HeaderFields = [], body: MockBody = .bytes([])
  ) {
    self.source = source
    self.method = method
    self.path = path
    self.query = query
    self.requestBody = requestBody
    self.requestHeaders = requestHeaders
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The segments of a path that stands in a URL.
  package static func segments(ofPath path: String) -> [MockSegment] {
    path.split(separator: "/").map {
      .literal(String(decoding: PercentEncoding.decode(String($0)), as: UTF8.self))
    }
  }

  /// The path as people write it, such as `/orders/{…}`.
  var shownPath: String {
    "/" + path.map { segment in
      switch segment {
      case .literal(let text): text
      case .parameter: "{…}"
      }
    }.joined(separator: "/")
  }
}

/// A request that somebody sends to the mock.
package struct MockRequest: Sendable, Hashable {
  package var method: String
  /// The segments of the path, percent-decoded.
  package var path: [String]
  /// The names and values of the query, decoded.
  package var query: [HeaderField]
  package var headers: HeaderFields
  package var body: [UInt8]

  /// Makes a request.
  package init(
    method: String, path: [String], query: [HeaderField] = [], headers: HeaderFields = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}
