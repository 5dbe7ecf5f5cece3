// Pages of long JSON bodies: where they begin is found out once.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitServer

@Suite struct PagedBodyTests {
  @Test func `a page is turned without reading the whole body again`() throws {
    let place = try TemporaryDirectory()
    let items = (0..<60_000).map { "{\"id\": \($0), \"name\": \"some name\"}" }
    let bytes = Array("[\(items.joined(separator: ","))]".utf8)
    let path = try place.write("body", String(decoding: bytes, as: UTF8.self))
    var exchange = Exchange(
      id: Identifier.next(), startedAt: 0, file: "/a.http", line: 1, template: "GET /",
      request: SentRequest(method: "GET", url: "http://a.test/", headers: []), state: .done)
    exchange.response = Response(
      httpVersion: "HTTP/1.1", status: 200, reason: "OK",
      headers: ["Content-Type": "application/json"],
      body: .file(path: path, size: bytes.count), wireSize: bytes.count, decodedSize: bytes.count)
    let count = try #require(PagedBody(exchange)).count
    #expect(count > 2)
    // Where its bytes can't be read, where its pages begin is known all the same.
    try FileSystem.remove(path)
    #expect(PagedBody(exchange)?.count == count)
    var other = exchange
    other.isRedacted = true
    #expect(PagedBody(other) == nil)
  }
}
