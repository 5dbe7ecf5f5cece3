// Exchanges to record, and stores to record them in.

import PostKitHTTP
import PostKitSupport
import PostKitTestSupport

@testable import PostKitStore

/// Exchanges for tests.
enum Sample {
  /// The moment of the first sample, in milliseconds since 1970.
  static let start: Int64 = 1_760_000_000_000

  /// The exchange number `number`; a later one started later.
  static func exchange(
    _ number: Int = 0, name: String? = "login",
    url: String = "https://api.example.com/users?page=1",
    file: String = "/project/api.http", status: Int? = 200,
    body: BodyContent = .bytes(Array("{}".utf8))
  ) -> Exchange {
    let startedAt = start + Int64(number) * 1_000
    var exchange = Exchange(
      id: Identifier.version7(
        milliseconds: startedAt, random: (UInt64(number), UInt64(number) &* 31)),
      startedAt: startedAt, file: file, line: 3, template: "GET {{host}}/users",
      request: SentRequest(method: "GET", url: url, headers: [("Accept", "application/json")]),
      state: status == nil ? .failed : .done)
    exchange.requestName = name
    exchange.timings.total = 12_345
    if let status {
      exchange.response = Response(
        httpVersion: "HTTP/1.1", status: status, reason: "OK",
        headers: [
          ("Content-Type", "application/json"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2"),
        ],
        body: body, wireSize: body.count, decodedSize: body.count)
    } else {
      exchange.failure = Failure(
        .connection, "The server at api.example.com refused the connection.")
    }
    return exchange
  }

  /// An exchange in which every field has a value of its own.
  static var full: Exchange {
    var exchange = exchange(7, body: .bytes([0x00, 0xFF, 0x7B]))
    exchange.workspaceFolder = "/project"
    exchange.environment = "dev"
    exchange.dialect = "kulala"
    exchange.runID = "run-1"
    exchange.request.method = "POST"
    exchange.request.body = .bytes(Array("grüße \"x\"\n".utf8))
    exchange.request.bodySize = 12
    exchange.timings.nameLookup = 1
    exchange.timings.connect = 2
    exchange.timings.tls = 3
    exchange.timings.firstByte = 4
    exchange.remoteAddress = "127.0.0.1:8080"
    exchange.failure = Failure(.scriptFailed, "The test failed.")
    exchange.tests = [
      TestResult(name: "status is 200", passed: true),
      TestResult(name: "body", passed: false, message: "expected \"a\""),
    ]
    exchange.origin = .editor
    exchange.output = [
      OutputLine(level: "log", text: "grüße \"x\"", line: 4),
      OutputLine(level: "error", text: "", line: 0),
    ]
    exchange.isRedacted = true
    exchange.response?.wireSize = 77
    exchange.response?.decodedSize = 99
    exchange.response?.isTruncated = true
    var timings = Timings()
    timings.connect = 5
    timings.total = 6
    exchange.hops = [
      RedirectHop(
        request: SentRequest(
          method: "POST", url: "http://api.example.com/", headers: [("X", "1"), ("x", "2")],
          body: .bytes([0xFE, 0x01]), bodySize: 2),
        status: 307, headers: [("Location", "https://api.example.com/users")], timings: timings)
    ]
    return exchange
  }
}

extension TemporaryDirectory {
  /// The place of a store in this directory; nothing is made yet.
  var store: StoreLocation { StoreLocation(directory: path("store")) }
}

/// The files below the store in whose bytes a text occurs. Another process reads them: opening a
/// database by ourselves would drop the locks that SQLite holds on it in this one.
func places(of text: String, in place: TemporaryDirectory) async throws -> [String] {
  let found = try await Subprocess.run("grep", ["-rlaF", text, place.store.directory])
  return found.output.split(separator: "\n").map(String.init)
}
