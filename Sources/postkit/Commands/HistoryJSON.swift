// Exchanges as JSON (contracts.md, section 2).

import PostKitHTTP
import PostKitJSON
import PostKitRunner
import PostKitStore

/// Makes the JSON of `postkit history`.
enum HistoryJSON {
  /// A line of the list.
  static func summary(_ entry: ExchangeSummary) -> JSONValue {
    [
      "id": .string(entry.id), "time": .string(Moment.utc(entry.startedAt)),
      "file": .string(entry.file), "name": .optional(entry.requestName),
      "environment": .optional(entry.environment), "method": .string(entry.method),
      "url": .string(entry.url), "state": .string(entry.state.rawValue),
      "status": entry.status.map { .int($0) } ?? .null, "ms": .int(entry.milliseconds),
      "size": .int(entry.size), "error": .optional(entry.failureCode?.rawValue),
    ]
  }

  /// An exchange with its messages.
  static func exchange(_ exchange: Exchange) -> JSONValue {
    [
      "id": .string(exchange.id), "time": .string(Moment.utc(exchange.startedAt)),
      "file": .string(exchange.file), "name": .optional(exchange.requestName),
      "environment": .optional(exchange.environment), "method": .string(exchange.request.method),
      "url": .string(exchange.request.url), "state": .string(exchange.state.rawValue),
      "status": exchange.response.map { .int($0.status) } ?? .null,
      "ms": .int(exchange.timings.totalMilliseconds),
      "size": .int(exchange.response?.decodedSize ?? 0),
      "error": .optional(exchange.failure?.code.rawValue),
      "message": .optional(exchange.failure?.message),
      "template": .string(exchange.template), "redacted": .bool(exchange.isRedacted),
      "remoteAddress": .string(exchange.remoteAddress),
      "request": [
        "headers": headers(exchange.request.headers), "body": body(exchange.request.body),
      ],
      "response": exchange.response.map(response) ?? .null,
      "hops": .array(exchange.hops.map(hop)), "timings": timings(exchange.timings),
      "savedTo": .array(exchange.savedTo.map(JSONValue.string)),
    ]
  }

  private static func response(_ response: Response) -> JSONValue {
    [
      "httpVersion": .string(response.httpVersion), "status": .int(response.status),
      "reason": .string(response.reason), "headers": headers(response.headers),
      "body": body(response.body), "wireSize": .int(response.wireSize),
      "size": .int(response.decodedSize), "truncated": .bool(response.isTruncated),
    ]
  }

  private static func hop(_ hop: RedirectHop) -> JSONValue {
    [
      "method": .string(hop.request.method), "url": .string(hop.request.url),
      "status": .int(hop.status), "requestHeaders": headers(hop.request.headers),
      "responseHeaders": headers(hop.headers), "ms": .int(hop.timings.totalMilliseconds),
    ]
  }

  /// Milliseconds since the start, to the microsecond.
  private static func timings(_ timings: Timings) -> JSONValue {
    func milliseconds(_ value: Int64) -> JSONValue {
      let fraction = String(1_000 + value % 1_000).dropFirst()
      return .number("\(value / 1_000).\(fraction)")
    }
    return [
      "dns": milliseconds(timings.nameLookup), "connect": milliseconds(timings.connect),
      "tls": milliseconds(timings.tls), "firstByte": milliseconds(timings.firstByte),
      "total": milliseconds(timings.total),
    ]
  }

  private static func headers(_ headers: HeaderFields) -> JSONValue {
    .array(headers.fields.map { [.string($0.name), .string($0.value)] })
  }

  /// A body as text; bytes that are no UTF-8 become U+FFFD, `--body` gives them as they are.
  private static func body(_ body: BodyContent) -> JSONValue {
    .string(String(decoding: StoredBody.bytes(body, limit: .max), as: UTF8.self))
  }
}
