// Exchanges to write.

import PostKitHTTP

/// Exchanges for tests.
enum Sample {
  /// 2026-01-31T10:00:00Z.
  static let start: Int64 = 1_769_853_600_000

  /// The exchange number `number`; a later one started later.
  static func exchange(
    _ number: Int = 0, name: String? = nil, file: String = "/project/a.http", line: Int = 1,
    template: String = "GET http://a.test/", body: [UInt8] = Array("{}".utf8)
  ) -> Exchange {
    let hex = String(number, radix: 16)
    let id = "019a8f2e-7c11-7b3e-9d55-" + String(repeating: "0", count: 12 - hex.count) + hex
    var exchange = Exchange(
      id: id, startedAt: start + Int64(number) * 1_000, file: file, line: line,
      template: template,
      request: SentRequest(method: "GET", url: "http://a.test/", headers: [("Accept", "*/*")]),
      state: .done)
    exchange.requestName = name
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: 200, reason: "OK",
      headers: [("Content-Type", "application/json")], body: .bytes(body), wireSize: body.count,
      decodedSize: body.count)
    return exchange
  }

  /// The bytes of a body in memory.
  static func read(_ body: BodyContent) -> [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }
}
