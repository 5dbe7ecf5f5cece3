// An exchange as a row: the stored form is its own, so that the types of the program may change.

import PostKitHTTP
import PostKitJSON
import PostKitSupport

/// The columns of an exchange and its way there and back.
enum ExchangeRow {
  /// The statement that inserts an exchange; its values are those of `values(_:request:response:)`.
  static let insertion: String = {
    // Each run makes it once, and `joined` would first look for conformances.
    var (names, marks) = ("", "")
    for column in columns {
      let comma = names.isEmpty ? "" : ", "
      names += comma + column
      marks += comma + "?"
    }
    return "INSERT INTO exchange (\(names)) VALUES (\(marks))"
  }()

  /// Notes what an exchange was made for that is no request; see `originsSQL`.
  static let purposeInsertion = """
    INSERT INTO exchange_purpose SELECT sequence, purpose FROM exchange
    WHERE sequence = ? AND purpose IS NOT NULL
    """

  /// The columns with the hashes of bodies that are files.
  static let hashColumns = ["request_body_hash", "response_body_hash"]

  /// The statement that inserts some columns of an exchange, unless the history has its id.
  static func insertion(of columns: [String]) -> String {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO exchange (\(columns.joined(separator: ", "))) VALUES (\(marks)) "
      + "ON CONFLICT (id) DO NOTHING"
  }

  /// The statement, without its condition, whose rows `exchange(_:bodies:)` reads.
  static let selection =
    "SELECT \((columns + ["pinned", "label", "note"]).joined(separator: ", ")) FROM exchange"

  /// The columns of `values(_:request:response:)`, in order.
  static let columns = [
    "id", "started_at", "file", "line", "request_name", "environment", "method", "url", "state",
    "status", "reason", "total_microseconds", "decoded_size", "failure_code", "failure_message",
    "workspace_folder", "dialect", "run_id", "is_redacted", "http_version", "remote_address",
    "name_lookup_microseconds", "connect_microseconds", "tls_microseconds",
    "first_byte_microseconds", "wire_size", "request_size", "template", "request_headers",
    "response_headers", "hops", "tests", "request_body_hash", "request_body_size",
    "response_body_hash", "response_body_size", "response_is_truncated", "request_body",
    "response_body", "saved_to", "is_unverified", "http_request_id", "output", "origin", "purpose",
  ]

  /// The values of a row, in the order of the columns.
  static func values(
    _ exchange: Exchange, request: KeptBody, response: KeptBody
  ) -> [SQLValue] {
    let answer = exchange.response
    let times = exchange.timings
    // There is no column for it: a body that was cut off is marked by a byte that isn't there.
    let isCut = exchange.request.isTruncated || request.isTruncated
    return [
      .text(exchange.id), .int(exchange.startedAt), .text(exchange.file),
      .int(Int64(exchange.line)), .optional(exchange.requestName),
      .optional(exchange.environment), .text(exchange.request.method),
      .text(exchange.request.url), .text(exchange.state.rawValue), .optional(answer?.status),
      .optional(answer?.reason), .int(times.total), .int(Int64(answer?.decodedSize ?? 0)),
      .optional(exchange.failure?.code.rawValue), .optional(exchange.failure?.message),
      .text(exchange.workspaceFolder), .text(exchange.dialect), .text(exchange.runID),
      .int(exchange.isRedacted ? 1 : 0), .optional(answer?.httpVersion),
      .text(exchange.remoteAddress), .int(times.nameLookup), .int(times.connect),
      .int(times.tls), .int(times.firstByte), .int(Int64(answer?.wireSize ?? 0)),
      .int(Int64(exchange.request.bodySize)), .text(exchange.template),
      .text(StoredJSON.text(exchange.request.headers)),
      .optional(answer.map { StoredJSON.text($0.headers) }),
      .optional(StoredJSON.text(exchange.hops)), .optional(StoredJSON.text(exchange.tests)),
      .optional(request.hash), .int(Int64(request.size + (isCut ? 1 : 0))),
      .optional(response.hash),
      .int(Int64(response.size)),
      .int(answer?.isTruncated ?? false || response.isTruncated ? 1 : 0),
      request.inlineValue, response.inlineValue,
      .optional(exchange.savedTo.isEmpty ? nil : StoredJSON.text(exchange.savedTo)),
      .int(exchange.isUnverified ? 1 : 0), .optional(exchange.storedRequestID),
      .optional(StoredJSON.text(exchange.output)), .optional(exchange.origin?.rawValue),
      .optional(exchange.purpose == .request ? nil : exchange.purpose.rawValue),
    ]
  }

  /// Reads the current row of a statement that begins with `selection`.
  static func exchange(_ row: Statement, bodies: BodyFiles?) -> Exchange {
    let request = body(row, hash: 32, size: 33, bytes: 37, bodies)
    var exchange = Exchange(
      id: row.text(0), startedAt: row.int64(1), file: row.text(2), line: row.int(3),
      template: row.text(27),
      request: SentRequest(
        method: row.text(6), url: row.text(7), headers: StoredJSON.headers(row.text(28)),
        body: request.content, bodySize: row.int(26)),
      state: ExchangeState(rawValue: row.text(8)) ?? .failed)
    exchange.request.isTruncated = request.isCut
    exchange.requestName = row.optionalText(4)
    exchange.environment = row.optionalText(5)
    exchange.workspaceFolder = row.text(15)
    exchange.dialect = row.text(16)
    exchange.runID = row.text(17)
    exchange.isRedacted = row.int(18) != 0
    exchange.remoteAddress = row.text(20)
    exchange.timings.nameLookup = row.int64(21)
    exchange.timings.connect = row.int64(22)
    exchange.timings.tls = row.int64(23)
    exchange.timings.firstByte = row.int64(24)
    exchange.timings.total = row.int64(11)
    if let code = row.optionalText(13) {
      exchange.failure = Failure(FailureCode(rawValue: code), row.text(14))
    }
    exchange.savedTo = StoredJSON.words(row.text(39))
    exchange.isUnverified = row.int(40) != 0
    exchange.storedRequestID = row.optionalText(41)
    exchange.output = StoredJSON.output(row.text(42))
    exchange.origin = row.optionalText(43).map(ExchangeOrigin.init(rawValue:))
    exchange.purpose = row.optionalText(44).map(ExchangePurpose.init(rawValue:)) ?? .request
    exchange.isPinned = row.int(45) != 0
    exchange.label = row.optionalText(46)
    exchange.note = row.optionalText(47)
    exchange.hops = StoredJSON.hops(row.text(30))
    exchange.tests = StoredJSON.tests(row.text(31))
    if let status = row.optionalInt(9) {
      let body = body(row, hash: 34, size: 35, bytes: 38, bodies)
      exchange.response = Response(
        httpVersion: row.text(19), status: status, reason: row.text(10),
        headers: StoredJSON.headers(row.text(29)), body: body.content, wireSize: row.int(25),
        decodedSize: row.int(12), isTruncated: row.int(36) != 0 || body.isCut)
    }
    return exchange
  }

  private static func body(
    _ row: Statement, hash: Int32, size: Int32, bytes: Int32, _ bodies: BodyFiles?
  ) -> (content: BodyContent, isCut: Bool) {
    let expected = row.int(size)
    guard let hash = row.optionalText(hash) else {
      let kept = row.bytes(bytes)
      return (.bytes(kept), kept.count < expected)
    }
    // A power failure can lose a body whose row was kept.
    guard let path = bodies?.existingPath(hash: hash), let version = FileSystem.version(path) else {
      return (.empty, true)
    }
    let size = min(Int(version.size), expected)
    return (.file(path: path, size: size), size < expected)
  }
}
