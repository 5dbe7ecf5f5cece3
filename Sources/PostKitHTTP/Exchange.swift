// One request and what became of it: the record that reports, editors and history share.

/// Bytes of a body, in memory or in a file where they are large.
package enum BodyContent: Sendable, Hashable {
  case bytes([UInt8])
  /// A file at an absolute path with its size in bytes.
  case file(path: String, size: Int)

  /// The number of bytes.
  package var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(_, let size): size
    }
  }

  /// No bytes at all.
  package static let empty = BodyContent.bytes([])
}

/// Where the time of a transfer went; each is microseconds since its start, as libcurl counts.
package struct Timings: Sendable, Hashable {
  /// Until the name was resolved.
  package var nameLookup: Int64 = 0
  /// Until the connection stood.
  package var connect: Int64 = 0
  /// Until the TLS handshake was done; 0 without TLS.
  package var tls: Int64 = 0
  /// Until the first byte of the response.
  package var firstByte: Int64 = 0
  /// Until the end.
  package var total: Int64 = 0

  /// Makes timings of zero.
  package init() {}

  /// The whole time in milliseconds, rounded.
  package var totalMilliseconds: Int { Int((total + 500) / 1_000) }
}

/// The request as it went over the wire.
package struct SentRequest: Sendable, Hashable {
  package var method: String
  /// The absolute URL.
  package var url: String
  /// The header fields as sent, those that libcurl added included, for displays.
  package var headers: HeaderFields
  package var body: BodyContent
  /// The number of body bytes sent.
  package var bodySize: Int
  /// Whether `body` holds only the head of what was sent, or nothing.
  package var isTruncated = false

  /// Makes a record of a sent request.
  package init(
    method: String, url: String, headers: HeaderFields, body: BodyContent = .empty,
    bodySize: Int = 0
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.bodySize = bodySize
  }
}

/// A response as received.
package struct Response: Sendable, Hashable {
  /// The version as the status line gives it, such as `HTTP/1.1` or `HTTP/2`.
  package var httpVersion: String
  package var status: Int
  /// The reason phrase; empty where the server sent none.
  package var reason: String
  package var headers: HeaderFields
  /// The body with content codings removed.
  package var body: BodyContent
  /// Body bytes on the wire, before content codings were removed.
  package var wireSize: Int
  /// Body bytes after content codings were removed; may exceed `body.count` when it was cut off.
  package var decodedSize: Int
  /// Whether `body` holds only the head of what was received.
  package var isTruncated: Bool

  /// Makes a response.
  package init(
    httpVersion: String, status: Int, reason: String, headers: HeaderFields, body: BodyContent,
    wireSize: Int, decodedSize: Int, isTruncated: Bool = false
  ) {
    self.httpVersion = httpVersion
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
    self.wireSize = wireSize
    self.decodedSize = decodedSize
    self.isTruncated = isTruncated
  }
}

/// One redirect that was followed: what was sent and the head of the answer (PK-84).
package struct RedirectHop: Sendable, Hashable {
  package var request: SentRequest
  package var status: Int
  package var headers: HeaderFields
  package var timings: Timings

  /// Makes a record of a hop.
  package init(request: SentRequest, status: Int, headers: HeaderFields, timings: Timings) {
    self.request = request
    self.status = status
    self.headers = headers
    self.timings = timings
  }
}

/// How an exchange ended (CONTRACTS.md, section 2).
package enum ExchangeState: String, Sendable, Hashable {
  case done
  case failed
  case cancelled
}

/// A failure in the words of the contract, with a sentence for a person.
package struct Failure: Error, Sendable, Hashable {
  /// The word for `error`, such as `connection` (CONTRACTS.md, section 1).
  package var code: FailureCode
  /// What happened, where, and what to do next.
  package var message: String
  /// Whether somebody was asked and said no, or closed the question, so that nothing went wrong.
  package var wasDeclined: Bool

  /// Makes a failure.
  package init(_ code: FailureCode, _ message: String, wasDeclined: Bool = false) {
    self.code = code
    self.message = message
    self.wasDeclined = wasDeclined
  }
}

/// The result of one check.
package struct TestResult: Sendable, Hashable {
  package var name: String
  package var passed: Bool
  /// Why it failed; empty when it passed.
  package var message: String
  /// The line of the check in its file, counted from 1; 0 where none is known.
  package var line: Int
  /// The path of the file in which the check stands; empty for the file of the request.
  package var path = ""
  /// The column of the check, counted from 1 in UTF-16 units; 0 where none is known.
  package var column = 0
  /// How long a test of a script took, in milliseconds; `nil` for other checks.
  package var milliseconds: Int?

  /// Makes a result.
  package init(
    name: String, passed: Bool, message: String = "", line: Int = 0, milliseconds: Int? = nil
  ) {
    self.name = name
    self.passed = passed
    self.message = message
    self.line = line
    self.milliseconds = milliseconds
  }
}

/// Something that a script has printed (SC-45).
package struct OutputLine: Sendable, Hashable {
  /// `log`, `info`, `warn`, `error` or `debug`.
  package var level: String
  package var text: String
  /// The line of the call in its file, counted from 1; 0 where none is known.
  package var line: Int
  /// The path of the file in which the call stands; empty for the file of the request.
  package var path = ""

  /// Makes a line of output.
  package init(level: String, text: String, line: Int) {
    self.level = level
    self.text = text
    self.line = line
  }
}

/// A value that a script of a request gave a variable.
package struct AssignedValue: Sendable, Hashable {
  package var name: String
  /// The value as JSON, secrets masked, or the beginning of it.
  package var text: String

  /// Makes a value.
  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// Everything that is known of one exchange.
package struct Exchange: Sendable, Hashable {
  /// UUID version 7 in small letters; sorts by time.
  package var id: String
  /// When it started, in milliseconds since 1970-01-01T00:00:00Z.
  package var startedAt: Int64
  /// The URI or path of the file the request stands in, as the user named it.
  package var file: String
  /// The workspace folder's path; empty where there is none.
  package var workspaceFolder = ""
  /// The request's name; `nil` where it has none.
  package var requestName: String?
  /// The line of the request line, counted from 1.
  package var line: Int
  /// The environment's name; `nil` where none was chosen.
  package var environment: String?
  /// The dialect preset, such as `auto`.
  package var dialect = "auto"
  /// Names the run that this exchange was part of.
  package var runID = ""
  /// The request as written, references unresolved, bytes that are no UTF-8 included
  /// (`String(keeping:)`).
  package var template: String
  package var request: SentRequest
  package var response: Response?
  package var hops: [RedirectHop] = []
  package var timings = Timings()
  /// Address and port of the peer, such as `127.0.0.1:8080`; empty without a connection.
  package var remoteAddress = ""
  package var state: ExchangeState
  package var failure: Failure?
  package var tests: [TestResult] = []
  /// What the check against the description of its API has found, secrets masked; only the session
  /// keeps it.
  package var contract: ContractFindings?
  /// What is displayed in place of the response's body, as a script says; nothing keeps it.
  package var display: String?
  /// What the scripts of the request have printed.
  package var output: [OutputLine] = []
  /// Who asked for it; `nil` where an older PostKit has recorded it.
  package var origin: ExchangeOrigin?
  /// What it was made for.
  package var purpose = ExchangePurpose.request
  /// What the scripts of the request have set, the newest last; only the session keeps it.
  package var assigned: [AssignedValue] = []
  /// Whether a secret was masked in the response, so that its body isn't as received.
  package var isRedacted = false
  /// The files that the response's body was saved to (PK-90).
  package var savedTo: [String] = []
  /// Whether the server's certificate was not verified (PK-86).
  package var isUnverified = false
  /// The id of the stored request that was sent; `nil` for one of a file.
  package var storedRequestID: String?
  /// What people wrote on it since: whether it is kept however old it is, and two texts.
  package var isPinned = false
  package var label: String?
  package var note: String?

  /// The exchange as people see its response: with what a script displays in place of its body.
  package var displayed: Exchange {
    guard display != nil else { return self }
    var exchange = self
    exchange.response = displayedResponse
    return exchange
  }

  /// The response as people see it.
  package var displayedResponse: Response? {
    guard let display, var response else { return response }
    response.body = .bytes(Array(display.utf8))
    response.isTruncated = false
    return response
  }

  /// Makes a record; the rest is filled in as it becomes known.
  package init(
    id: String, startedAt: Int64, file: String, line: Int, template: String, request: SentRequest,
    state: ExchangeState
  ) {
    self.id = id
    self.startedAt = startedAt
    self.file = file
    self.line = line
    self.template = template
    self.request = request
    self.state = state
  }
}
