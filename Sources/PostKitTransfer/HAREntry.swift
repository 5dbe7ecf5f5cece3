// Exchanges as entries of an HTTP Archive, version 1.2
// (http://www.softwareishard.com/blog/har-12-spec/).

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON

/// Makes entries of exchanges. What the history doesn't know is -1, empty or left out, whichever
/// the format has for it; nothing is made up.
enum HAREntry {
  private static let unknown = JSONValue.int(-1)

  /// The entries of an exchange: one for each redirect that was followed, and one for the end.
  static func entries(_ exchange: Exchange, read: (BodyContent) -> [UInt8]) -> [JSONValue] {
    var start: Int64 = 0
    var entries: [JSONValue] = []
    for hop in exchange.hops {
      entries.append(entry(hop, exchange, start, read))
      start += hop.timings.total
    }
    // The times of the whole count from the first hop on.
    let timings = exchange.timings.since(start)
    let version = exchange.response?.httpVersion ?? ""
    var members = [
      JSONMember("startedDateTime", time(exchange, start)),
      JSONMember("time", ExchangeJSON.milliseconds(timings.total)),
      JSONMember("request", request(exchange.request, version, read)),
      JSONMember("response", response(exchange, read)), JSONMember("cache", .object([])),
      JSONMember("timings", self.timings(timings)),
    ]
    if let address = address(exchange.remoteAddress) {
      members.append(JSONMember("serverIPAddress", .string(address)))
    }
    let words = [exchange.requestName, exchange.label, exchange.note].compactMap(\.self)
    if !words.isEmpty {
      members.append(JSONMember("comment", .string(words.joined(separator: "; "))))
    }
    members.append(JSONMember("_id", .string(exchange.id)))
    if exchange.isPinned { members.append(JSONMember("_pinned", true)) }
    return entries + [.object(members)]
  }

  /// A redirect; of its answer only the head was kept.
  private static func entry(
    _ hop: RedirectHop, _ exchange: Exchange, _ start: Int64, _ read: (BodyContent) -> [UInt8]
  ) -> JSONValue {
    [
      "startedDateTime": time(exchange, start),
      "time": ExchangeJSON.milliseconds(hop.timings.total),
      "request": request(hop.request, "", read),
      "response": [
        "status": .int(hop.status), "statusText": "", "httpVersion": "", "cookies": [],
        "headers": headers(hop.headers), "content": content(hop.headers, size: unknown),
        "redirectURL": .string(hop.headers.first("Location") ?? ""), "headersSize": unknown,
        "bodySize": unknown,
      ],
      "cache": .object([]), "timings": timings(hop.timings), "_id": .string(exchange.id),
    ]
  }

  private static func time(_ exchange: Exchange, _ microseconds: Int64) -> JSONValue {
    .string(DateFormat.iso8601(CivilDate(milliseconds: exchange.startedAt + microseconds / 1_000)))
  }

  private static func request(
    _ request: SentRequest, _ version: String, _ read: (BodyContent) -> [UInt8]
  ) -> JSONValue {
    var members = [
      JSONMember("method", .string(request.method)), JSONMember("url", .string(request.url)),
      // A response speaks the version of its request.
      JSONMember("httpVersion", .string(version)),
      // Cookies are never kept in the history.
      JSONMember("cookies", []), JSONMember("headers", headers(request.headers)),
      JSONMember("queryString", query(request.url)), JSONMember("headersSize", unknown),
      JSONMember("bodySize", .int(request.bodySize)),
    ]
    let bytes = read(request.body)
    if !bytes.isEmpty || request.isTruncated {
      members.append(JSONMember("postData", posted(bytes, request)))
    }
    return .object(members)
  }

  /// The format has no place for a body that is no text, so that stands in a field of our own.
  private static func posted(_ bytes: [UInt8], _ request: SentRequest) -> JSONValue {
    let type = request.headers.first("Content-Type")
    let remark = request.isTruncated ? "The stored body is truncated." : nil
    let mimeType = JSONMember("mimeType", .string(type ?? ""))
    if let text = BodyText.decoded(bytes, type.flatMap(MediaType.init)) {
      return .object(
        [mimeType, JSONMember("text", .string(text))]
          + (remark.map { [JSONMember("comment", .string($0))] } ?? []))
    }
    let remarks = [remark, "The body is not text; `_base64` has its bytes."].compactMap { $0 }
    return .object([
      mimeType, JSONMember("_base64", .string(Base64.encode(bytes))),
      JSONMember("comment", .string(remarks.joined(separator: " "))),
    ])
  }

  private static func response(
    _ exchange: Exchange, _ read: (BodyContent) -> [UInt8]
  ) -> JSONValue {
    guard let response = exchange.response else { return unanswered(exchange) }
    var members = [
      JSONMember("status", .int(response.status)),
      JSONMember("statusText", .string(response.reason)),
      JSONMember("httpVersion", .string(response.httpVersion)), JSONMember("cookies", []),
      JSONMember("headers", headers(response.headers)),
      JSONMember("content", content(response, read(response.body))),
      JSONMember("redirectURL", .string(response.headers.first("Location") ?? "")),
      JSONMember("headersSize", unknown), JSONMember("bodySize", .int(response.wireSize)),
    ]
    if let failure = exchange.failure { members += self.failure(failure) }
    return .object(members)
  }

  /// The format knows no entry without a response; browsers write a status of 0, too.
  private static func unanswered(_ exchange: Exchange) -> JSONValue {
    let members = [
      JSONMember("status", 0), JSONMember("statusText", ""), JSONMember("httpVersion", ""),
      JSONMember("cookies", []), JSONMember("headers", []),
      JSONMember("content", content([], size: 0)), JSONMember("redirectURL", ""),
      JSONMember("headersSize", unknown), JSONMember("bodySize", unknown),
    ]
    return .object(members + (exchange.failure.map(failure) ?? []))
  }

  private static func failure(_ failure: Failure) -> [JSONMember] {
    [
      JSONMember("_error", .string(failure.code.rawValue)),
      JSONMember("comment", .string(failure.message)),
    ]
  }

  private static func content(_ headers: HeaderFields, size: JSONValue) -> JSONValue {
    ["size": size, "mimeType": .string(headers.first("Content-Type") ?? "")]
  }

  private static func content(_ response: Response, _ bytes: [UInt8]) -> JSONValue {
    let type = response.headers.first("Content-Type")
    var members = [JSONMember("size", .int(response.decodedSize))]
    if response.headers.contains("Content-Encoding") {
      members.append(JSONMember("compression", .int(response.decodedSize - response.wireSize)))
    }
    members.append(JSONMember("mimeType", .string(type ?? "")))
    if let text = BodyText.decoded(bytes, type.flatMap(MediaType.init)) {
      members.append(JSONMember("text", .string(text)))
    } else {
      members.append(JSONMember("text", .string(Base64.encode(bytes))))
      members.append(JSONMember("encoding", "base64"))
    }
    if response.isTruncated {
      members.append(JSONMember("comment", "The stored body is truncated."))
    }
    return .object(members)
  }

  private static func headers(_ headers: HeaderFields) -> JSONValue {
    .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  private static func query(_ url: String) -> JSONValue {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    return .array(
      query.split(separator: "&").map { pair in
        let name = pair.prefix { $0 != "=" }
        return [
          "name": .string(decoded(name)), "value": .string(decoded(pair.dropFirst(name.count + 1))),
        ]
      })
  }

  /// A part of a query without percent-encoding; as it is where its bytes are no text then.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(text)
  }

  /// The time of each phase; one that there was not, such as TLS without TLS, is -1. The format
  /// wants a number for sending, which is a part of waiting here.
  private static func timings(_ timings: Timings) -> JSONValue {
    let connected = max(timings.connect, timings.tls)
    let firstByte = max(timings.firstByte, connected)
    let waited = timings.firstByte == 0 ? timings.total - connected : firstByte - connected
    let received = timings.firstByte == 0 ? 0 : timings.total - firstByte
    // A connection that was used again needed none of this.
    let isNew = timings.connect > 0
    return [
      "blocked": unknown, "dns": isNew ? ExchangeJSON.milliseconds(timings.nameLookup) : unknown,
      "connect": isNew
        ? ExchangeJSON.milliseconds(max(0, connected - timings.nameLookup)) : unknown,
      "ssl": timings.tls > 0
        ? ExchangeJSON.milliseconds(max(0, timings.tls - timings.connect)) : unknown,
      "send": 0, "wait": ExchangeJSON.milliseconds(max(0, waited)),
      "receive": ExchangeJSON.milliseconds(max(0, received)),
    ]
  }

  /// The address of `127.0.0.1:8080` or `[::1]:8080`.
  private static func address(_ text: String) -> String? {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let address = text[..<colon].filter { $0 != "[" && $0 != "]" }
    return address.isEmpty ? nil : address
  }
}

extension Timings {
  /// The times counted from a later moment on, in microseconds.
  fileprivate func since(_ start: Int64) -> Timings {
    var result = self
    result.nameLookup = max(0, nameLookup - start)
    result.connect = max(0, connect - start)
    result.tls = max(0, tls - start)
    result.firstByte = max(0, firstByte - start)
    result.total = max(0, total - start)
    return result
  }
}
