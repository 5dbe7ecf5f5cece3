// What goes over the wire, byte by byte.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransport

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
  let harness: Harness
  let server: StubServer

  init() throws {
    harness = try Harness()
    server = try StubServer { request in
      [request.lines[0].hasPrefix("HEAD") ? .response() : .response(body: "ok")]
    }
  }

  /// Sends a request and gives what the server read.
  func wire(_ spec: RequestSpec) async throws -> StubRequest {
    let outcome = await harness.send(spec)
    #expect(outcome.failure == nil)
    #expect(outcome.state == .done)
    let request = try #require(server.requests.last)
    let sent = outcome.sent.headers.fields.map {
      $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)"
    }
    #expect(sent == Array(request.lines.dropFirst()))
    #expect(outcome.sent.bodySize == request.rawBody.count)
    return request
  }

  @Test func `a plain request says only the host and the codings`() async throws {
    let outcome = await harness.send(.make("GET", server.url("/a?b=c")))
    #expect(outcome.failure == nil)
    #expect(outcome.response?.status == 200)
    #expect(outcome.response?.reason == "OK")
    #expect(outcome.response?.httpVersion == "HTTP/1.1")
    #expect(outcome.response?.text == "ok")
    #expect(outcome.remoteAddress == "127.0.0.1:\(server.port)")
    let request = try #require(server.requests.first)
    #expect(request.lines.first == "GET /a?b=c HTTP/1.1")
    #expect(request.values("host") == ["127.0.0.1:\(server.port)"])
    #expect(request.lines.count == 3)
    #expect(request.lines[2].hasPrefix("Accept-Encoding: "))
  }

  @Test func `headers keep their order, their letters and their repeats`() async throws {
    let headers: HeaderFields = [
      ("x-b", "1"), ("X-A", "two words"), ("x-b", "2"), ("ACCEPT", "text/plain"), ("X-Empty", ""),
      ("X-Colon", "a:b; c"), ("user-agent", "me"),
    ]
    let request = try await wire(.make("GET", server.url(), headers: headers))
    #expect(
      request.lines.dropFirst(3) == [
        "x-b: 1", "X-A: two words", "x-b: 2", "ACCEPT: text/plain", "X-Empty:", "X-Colon: a:b; c",
        "user-agent: me",
      ])
  }

  @Test func `a written Host and Accept-Encoding replace libcurl's`() async throws {
    let headers: HeaderFields = [("Accept-Encoding", "identity"), ("Host", "example.test")]
    let request = try await wire(.make("GET", server.url(), headers: headers))
    #expect(
      request.lines == ["GET / HTTP/1.1", "Host: example.test", "Accept-Encoding: identity"])
  }

  @Test(arguments: ["GET", "DELETE", "OPTIONS", "PROPFIND", "get", "M-SEARCH", "TRACE"])
  func `a method is sent verbatim and without a length`(method: String) async throws {
    let request = try await wire(.make(method, server.url("/x")))
    #expect(request.lines[0] == "\(method) /x HTTP/1.1")
    #expect(request.values("Content-Length").isEmpty)
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func `a method that has content says so even without any`(method: String) async throws {
    let request = try await wire(.make(method, server.url()))
    #expect(request.lines[0] == "\(method) / HTTP/1.1")
    #expect(request.values("Content-Length") == ["0"])
    #expect(request.values("Content-Type").isEmpty)
  }

  @Test(arguments: ["POST", "GET", "DELETE", "REPORT", "HEAD"])
  func `any method may have a body`(method: String) async throws {
    let body = Array("a=b".utf8)
    let request = try await wire(.make(method, server.url(), body: [.bytes(body)]))
    #expect(request.lines[0] == "\(method) / HTTP/1.1")
    #expect(request.body == body)
    #expect(request.values("Content-Length") == ["3"])
    #expect(request.values("Content-Type").isEmpty)
    #expect(request.values("Expect").isEmpty)
  }

  @Test func `HEAD doesn't wait for a body`() async throws {
    let lone = try StubServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")] }
    let outcome = await harness.send(.make("HEAD", lone.url()))
    #expect(outcome.failure == nil)
    #expect(outcome.response?.headers.first("content-length") == "10")
    #expect(outcome.response?.body == .empty)
    #expect(lone.requests.first?.lines[0] == "HEAD / HTTP/1.1")
  }

  @Test func `the target may differ from the URL`() async throws {
    let request = try await wire(.make("OPTIONS", server.url()) { $0.requestTarget = "*" })
    #expect(request.lines[0] == "OPTIONS * HTTP/1.1")
  }

  @Test func `dot segments stay`() async throws {
    let request = try await wire(.make("GET", server.url("/a/../b/./c")))
    #expect(request.target == "/a/../b/./c")
  }

  @Test func `a version can be asked for`() async throws {
    let old = try await wire(.make("GET", server.url()) { $0.options.httpVersion = .http10 })
    #expect(old.lines[0] == "GET / HTTP/1.0")
    let new = try await wire(.make("GET", server.url()) { $0.options.httpVersion = .http11 })
    #expect(new.lines[0] == "GET / HTTP/1.1")
  }

  @Test func `without a jar a Cookie field is a field like others`() async throws {
    let headers: HeaderFields = [("X-A", "1"), ("cookie", "a=b; c=d")]
    let request = try await wire(.make("GET", server.url(), headers: headers))
    #expect(request.lines.last == "cookie: a=b; c=d")
  }

  @Test(arguments: [0, 1, 100_000, 1 << 20, (1 << 20) + 1])
  func `bodies of every size arrive whole, without Expect`(size: Int) async throws {
    let halves = [
      [UInt8](repeating: 1, count: size / 2), [UInt8](repeating: 2, count: size - size / 2),
    ]
    let request = try await wire(
      .make("POST", server.url(), body: halves.map { BodyChunk.bytes($0) }))
    #expect(request.body == halves[0] + halves[1])
    #expect(request.values("Content-Length") == ["\(size)"])
    #expect(request.values("Expect").isEmpty)
  }

  @Test(arguments: [3, 2 << 20])
  func `chunked is used where it is written`(size: Int) async throws {
    let body = [UInt8](repeating: 65, count: size)
    let spec = RequestSpec.make(
      "POST", server.url(), headers: [("Transfer-Encoding", "chunked")], body: [.bytes(body)])
    let outcome = await harness.send(spec)
    #expect(outcome.failure == nil)
    let request = try #require(server.requests.last)
    #expect(request.body == body)
    #expect(request.rawBody.count > body.count)
    #expect(request.values("Content-Length").isEmpty)
    #expect(request.values("Transfer-Encoding") == ["chunked"])
  }

  @Test func `a written Expect is kept and the answer to it is waited for`() async throws {
    let spec = RequestSpec.make(
      "PUT", server.url(), headers: [("Expect", "100-continue")], body: [.bytes([1, 2, 3])])
    let outcome = await harness.send(spec)
    #expect(outcome.response?.status == 200)
    #expect(server.requests.last?.body == [1, 2, 3])
  }

  @Test func `files are streamed and their size is announced`() async throws {
    let content = Array("0123456789".utf8) + [UInt8](repeating: 7, count: 299_990)
    let path = try harness.directory.write("body.bin", bytes: content)
    let spec = RequestSpec.make("PUT", server.url(), body: [.file(path: path)])
    let outcome = await harness.send(spec)
    #expect(outcome.sent.body == .file(path: path, size: content.count))
    #expect(server.requests.last?.body == content)
    let mixed = RequestSpec.make(
      "PUT", server.url(), body: [.bytes([1]), .file(path: path), .bytes([2, 3])])
    let second = await harness.send(mixed)
    #expect(server.requests.last?.body == [1] + content + [2, 3])
    #expect(second.sent.body == .bytes([1] + content + [2, 3]))
    #expect(server.requests.last?.values("Content-Length") == ["300003"])
  }

  @Test func `a missing file is a failure and nothing is sent`() async throws {
    let path = harness.directory.path("missing.json")
    let outcome = await harness.send(.make("POST", server.url(), body: [.file(path: path)]))
    #expect(outcome.failure?.code == .fileNotFound)
    #expect(outcome.failure?.message.contains(path) == true)
    #expect(outcome.state == .failed)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: [
    RequestSpec.make("GET", "http://127.0.0.1:1/", headers: [("A", "b\r\nC: d")]),
    RequestSpec.make("GET", "http://127.0.0.1:1/", headers: [("A\n", "b")]),
    RequestSpec.make("G\0ET", "http://127.0.0.1:1/"),
    RequestSpec.make("", "http://127.0.0.1:1/"),
    RequestSpec.make("GET", "ftp://127.0.0.1/"),
    RequestSpec.make("GET", "file:///etc/passwd"),
    RequestSpec.make("GET", "127.0.0.1/a"),
    RequestSpec.make("GET", "http:///a"),
    RequestSpec.make("GET", "http://127.0.0.1:99999/"),
  ])
  func `what would become another request is refused`(spec: RequestSpec) async {
    let outcome = await harness.send(spec)
    #expect(outcome.failure?.code == .syntax)
    #expect(outcome.state == .failed)
  }

  @Test func `the server's name and not its proxy is asked where a proxy is given`() async throws {
    let spec = RequestSpec.make("GET", "http://example.test/a") {
      $0.options.proxy = "http://127.0.0.1:\(server.port)"
    }
    let outcome = await harness.send(spec)
    #expect(outcome.response?.status == 200)
    #expect(server.requests.last?.lines[0] == "GET http://example.test/a HTTP/1.1")
  }
}
