// An exchange as JSON (CONTRACTS.md, section 2): what `history show --json` prints, and a line of
// an export as JSON Lines.

import PostKitEvaluate
package import PostKitHTTP
package import PostKitJSON

/// Makes the JSON of exchanges.
package enum ExchangeJSON {
  /// An exchange with its messages; `read` gives the bytes of a body, or nothing for one that is
  /// left out.
  package static func value(_ exchange: Exchange, read: (BodyContent) -> [UInt8]?) -> JSONValue {
    [
      "id": .string(exchange.id),
      "time": .string(DateFormat.iso8601(CivilDate(milliseconds: exchange.startedAt))),
      "file": .string(exchange.file), "name": .optional(exchange.requestName),
      "environment": .optional(exchange.environment), "method": .string(exchange.request.method),
      "url": .string(exchange.request.url), "state": .string(exchange.state.rawValue),
      "status": exchange.response.map { .int($0.status) } ?? .null,
      "ms": .int(exchange.timings.totalMilliseconds),
      "size": .int(exchange.response?.decodedSize ?? 0),
      "error": .optional(exchange.failure?.code.rawValue),
      "message": .optional(exchange.failure?.message),
      "template": .string(exchange.template.shown), "redacted": .bool(exchange.isRedacted),
      "remoteAddress": .string(exchange.remoteAddress),
      "request": .object(
        [JSONMember("headers", headers(exchange.request.headers))]
          + body(read(exchange.request.body))
          + [JSONMember("truncated", .bool(exchange.request.isTruncated))]),
      "response": exchange.response.map { response($0, read($0.body)) } ?? .null,
      "hops": .array(exchange.hops.map(hop)), "timings": timings(exchange.timings),
      "tests": .array(exchange.tests.map(test)),
      "savedTo": .array(exchange.savedTo.map(JSONValue.string)),
      "pinned": .bool(exchange.isPinned), "label": .optional(exchange.label),
      "note": .optional(exchange.note), "origin": .optional(exchange.origin?.rawValue),
      "purpose": .string(exchange.purpose.rawValue),
      "output": .array(exchange.output.map(output)),
    ]
  }

  private static func response(_ response: Response, _ bytes: [UInt8]?) -> JSONValue {
    .object(
      [
        JSONMember("httpVersion", .string(response.httpVersion)),
        JSONMember("status", .int(response.status)),
        JSONMember("reason", .string(response.reason)),
        JSONMember("headers", headers(response.headers)),
      ] + body(bytes) + [
        JSONMember("wireSize", .int(response.wireSize)),
        JSONMember("size", .int(response.decodedSize)),
        JSONMember("truncated", .bool(response.isTruncated)),
      ])
  }

  private static func hop(_ hop: RedirectHop) -> JSONValue {
    [
      "method": .string(hop.request.method), "url": .string(hop.request.url),
      "status": .int(hop.status), "requestHeaders": headers(hop.request.headers),
      "responseHeaders": headers(hop.headers), "ms": .int(hop.timings.totalMilliseconds),
      "timings": timings(hop.timings),
    ]
  }

  private static func test(_ result: TestResult) -> JSONValue {
    [
      "name": .string(result.name), "passed": .bool(result.passed),
      "message": .string(result.message),
    ]
  }

  private static func output(_ line: OutputLine) -> JSONValue {
    ["level": .string(line.level), "text": .string(line.text), "line": .int(line.line)]
  }

  private static func timings(_ timings: Timings) -> JSONValue {
    [
      "dns": milliseconds(timings.nameLookup), "connect": milliseconds(timings.connect),
      "tls": milliseconds(timings.tls), "firstByte": milliseconds(timings.firstByte),
      "total": milliseconds(timings.total),
    ]
  }

  /// Microseconds as milliseconds with three places.
  static func milliseconds(_ value: Int64) -> JSONValue {
    let fraction = String(1_000 + value % 1_000).dropFirst()
    return .number("\(value / 1_000).\(fraction)")
  }

  private static func headers(_ headers: HeaderFields) -> JSONValue {
    .array(headers.fields.map { [.string($0.name), .string($0.value)] })
  }

  /// A body as text; where its bytes are no UTF-8, some of them are U+FFFD there, and all of them
  /// are in Base64 beside it.
  private static func body(_ bytes: [UInt8]?) -> [JSONMember] {
    guard let bytes else { return [] }
    if let text = String(validating: bytes, as: UTF8.self) {
      return [JSONMember("body", .string(text))]
    }
    return [
      JSONMember("body", .string(String(decoding: bytes, as: UTF8.self))),
      JSONMember("bodyBase64", .string(Base64.encode(bytes))),
    ]
  }
}
