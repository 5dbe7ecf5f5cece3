// Requests and answers of servers on loopback as values, so that routing needs no socket.

package import PostKitHTTP

/// A request as the parser understood it.
package struct LoopbackRequest: Sendable, Hashable {
  /// The method in the client's capitals.
  package var method: String
  /// The path with its percent signs, such as `/users/1`.
  package var path: String
  /// What follows the question mark, undecoded; `nil` without one.
  package var query: String?
  /// Whether the client speaks HTTP/1.0, which knows no chunks.
  package var isVersion10 = false
  /// The header fields in wire order.
  package var headers: HeaderFields = []
  /// The body without chunk framing.
  package var body: [UInt8] = []

  /// Makes a request.
  package init(
    method: String, path: String, query: String? = nil, isVersion10: Bool = false,
    headers: HeaderFields = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.isVersion10 = isVersion10
    self.headers = headers
    self.body = body
  }

  /// The path's segments, percent-decoded.
  package var segments: [String] {
    path.split(separator: "/").map {
      String(decoding: PercentEncoding.decode(String($0)), as: UTF8.self)
    }
  }

  /// The query's names and values in order, decoded as a form.
  package var arguments: [HeaderField] { LoopbackRequest.formFields(query ?? "") }

  /// The absolute URL under the server's own base URL.
  package func url(base: String) -> String { base + path + (query.map { "?" + $0 } ?? "") }

  /// Whether the connection may carry another request (RFC 9112, section 9.3).
  var keepsConnection: Bool {
    let options = headers.values("Connection").joined(separator: ",").split(separator: ",")
      .map { String($0).trimmingASCIIBlanks() }
    if options.contains(where: { $0.equalsIgnoringASCIICase("close") }) { return false }
    return !isVersion10 || options.contains { $0.equalsIgnoringASCIICase("keep-alive") }
  }

  /// The names and values of `a=1&b=2`.
  package static func formFields(_ text: String) -> [HeaderField] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return HeaderField(
        PercentEncoding.decodeForm(String(parts[0])),
        parts.count > 1 ? PercentEncoding.decodeForm(String(parts[1])) : "")
    }
  }
}

/// An answer as routing decided it.
package struct LoopbackResponse: Sendable {
  /// The bytes of an answer, or how to make them without holding them.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// So many bytes of a pattern that is repeated.
    case pattern([UInt8], count: Int)
    /// So many lines, each sent as a chunk.
    case lines(count: Int, line: @Sendable (Int) -> [UInt8])
    /// Bytes of a file, read in steps while they are sent. The whole takes so long at least, in
    /// milliseconds.
    case file(path: String, range: Range<Int>, milliseconds: Int64)
    /// Pieces, each sent as a chunk of its own after a pause in milliseconds.
    case pieces([(pause: Int64, bytes: [UInt8])])
  }

  /// The status code.
  package var status = 200
  /// The header fields besides those that the connection adds.
  package var headers: HeaderFields = []
  /// The body.
  package var body = Body.bytes([])
  /// How long the answer is held back, in milliseconds.
  package var delayMilliseconds: Int64 = 0
  /// Whether the connection ends with this answer, whatever the client wants.
  package var endsConnection = false
  /// What is done once the answer is sent, or can't be; on the connection's thread.
  package var afterwards: @Sendable () -> Void = {}

  /// Makes an answer.
  package init(
    status: Int = 200, headers: HeaderFields = [], body: Body = .bytes([]),
    delayMilliseconds: Int64 = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delayMilliseconds = delayMilliseconds
  }

  /// An answer with a body of a media type.
  package static func content(
    _ type: String, _ bytes: [UInt8], status: Int = 200
  ) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: ["Content-Type": type], body: .bytes(bytes))
  }

  /// The status line and all header fields, up to the blank line. `date` is left out where empty.
  func head(isVersion10: Bool, keepsConnection: Bool, date: String) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Status.reason(status) ?? "")\r\n"
    var fields = headers.fields
    if !date.isEmpty { fields.append(HeaderField("Date", date)) }
    switch body {
    case .bytes(let bytes):
      if !Status.hasNoBody(status) {
        fields.append(HeaderField("Content-Length", String(bytes.count)))
      }
    case .pattern(_, let count): fields.append(HeaderField("Content-Length", String(count)))
    case .file(_, let range, _):
      fields.append(HeaderField("Content-Length", String(range.count)))
    case .lines, .pieces:
      if !isVersion10 { fields.append(HeaderField("Transfer-Encoding", "chunked")) }
    }
    if !keepsConnection {
      fields.append(HeaderField("Connection", "close"))
    } else if isVersion10 {
      fields.append(HeaderField("Connection", "keep-alive"))
    }
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }
}

/// What a server does with what reaches it; called on the threads of its connections.
package struct LoopbackService: Sendable {
  /// Answers a request.
  package var respond: @Sendable (LoopbackRequest) -> LoopbackResponse
  /// Answers what is no request, or what there are too many of: with a status, what is wrong and
  /// what to do.
  package var refuse: @Sendable (_ status: Int, _ error: String, _ help: String) -> LoopbackResponse

  /// Makes a service.
  package init(
    respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse,
    refuse: @escaping @Sendable (Int, String, String) -> LoopbackResponse
  ) {
    self.respond = respond
    self.refuse = refuse
  }
}
