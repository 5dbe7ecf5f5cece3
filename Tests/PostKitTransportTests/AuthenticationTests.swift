// Credentials that libcurl makes headers of, checked by servers that reckon for themselves.

import CCurl
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitTransport

/// The parameters of an `Authorization` value, quotes removed.
private func parameters(_ value: String) -> [String: String] {
  var result: [String: String] = [:]
  for part in value.drop(while: { $0 != " " }).split(separator: ",") {
    let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
    guard halves.count == 2 else { continue }
    result[halves[0].trimmingASCIIBlanks()] = halves[1].trimmingASCIIBlanks()
      .replacing("\"", with: "")
  }
  return result
}

@Suite(.timeLimit(.minutes(10))) struct DigestTests {
  /// How a server challenges (RFC 7616, section 3.3).
  struct Challenge: Sendable, CustomTestStringConvertible {
    var algorithm: String?
    var qop: String?
    var testDescription: String { "\(algorithm ?? "no algorithm"), \(qop ?? "no qop")" }

    func hash(_ text: String) throws -> String {
      let bytes = Array(text.utf8)
      if algorithm?.hasPrefix("SHA-256") == true { return SHA256.hexDigest(bytes) }
      return SHA256.hex(try #require(SystemDigest.md5.digest(bytes)))
    }

    /// Whether an answer is right for the user `ann` with the password `s3cret pass`.
    func accepts(_ request: StubRequest) throws -> Bool {
      guard let value = request.values("Authorization").first else { return false }
      let given = parameters(value)
      let part = { (name: String) in given[name] ?? "" }
      var first = try hash("ann:hall:s3cret pass")
      if algorithm?.hasSuffix("-sess") == true {
        first = try hash("\(first):\(part("nonce")):\(part("cnonce"))")
      }
      let second = try hash("\(request.lines[0].prefix { $0 != " " }):\(request.target)")
      let middle =
        qop == nil
        ? part("nonce") : [part("nonce"), part("nc"), part("cnonce"), "auth"].joined(separator: ":")
      return try part("response") == hash("\(first):\(middle):\(second)")
        && part("uri") == request.target && part("username") == "ann" && part("nonce") == "n-1"
    }

    var header: String {
      let more = [algorithm.map { "algorithm=\($0)" }, qop.map { "qop=\"\($0)\"" }]
      return (["Digest realm=\"hall\"", "nonce=\"n-1\"", "opaque=\"o\""] + more.compactMap { $0 })
        .joined(separator: ", ")
    }

    func server() throws -> StubServer {
      try StubServer { request in
        if (try? accepts(request)) == true { return [.response(body: "welcome")] }
        return [.response("401 Unauthorized", headers: ["WWW-Authenticate: \(header)"], body: "no")]
      }
    }
  }

  @Test(arguments: [
    Challenge(), Challenge(qop: "auth"), Challenge(qop: "auth,auth-int"),
    Challenge(algorithm: "MD5", qop: "auth"), Challenge(algorithm: "MD5-sess", qop: "auth"),
    Challenge(algorithm: "SHA-256", qop: "auth"), Challenge(algorithm: "SHA-256"),
  ])
  func `a challenge is answered with the query in the URI`(challenge: Challenge) async throws {
    let server = try challenge.server()
    let outcome = await (try Harness()).send(
      .make("GET", server.url("/a?b=c d".replacing(" ", with: "%20")))
      { $0.options.authentication = .digest(user: "ann", password: "s3cret pass") })
    #expect(outcome.response?.text == "welcome")
    #expect(server.requests.count == 2)
    #expect(server.requests[0].values("Authorization").isEmpty)
    #expect(outcome.sent.headers.first("Authorization")?.hasPrefix("Digest ") == true)
  }

  @Test func `the body goes with the request that is let in`() async throws {
    let server = try Challenge(qop: "auth").server()
    let outcome = await (try Harness()).send(
      .make("POST", server.url("/a"), body: [.bytes([0xFF, 0, 0x41])])
      { $0.options.authentication = .digest(user: "ann", password: "s3cret pass") })
    #expect(outcome.response?.text == "welcome")
    #expect(server.requests.last?.body == [0xFF, 0, 0x41])
    #expect(outcome.sent.body == .bytes([0xFF, 0, 0x41]))
  }

  @Test func `a wrong password is asked for no third time`() async throws {
    let server = try Challenge(qop: "auth").server()
    let harness = try Harness()
    let outcome = await harness.send(
      .make("GET", server.url()) {
        $0.options.authentication = .digest(user: "ann", password: "wrong")
      })
    #expect(outcome.state == .done && outcome.response?.status == 401)
    #expect(outcome.response?.text == "no")
    #expect(server.requests.count == 2)
    // The next request of the same handle knows nothing of it.
    let next = await harness.send(.make("GET", server.url()))
    #expect(next.sent.headers.first("Authorization") == nil)
    #expect(next.response?.status == 401)
  }
}

@Suite(.timeLimit(.minutes(10))) struct SignatureTests {
  let key = AWSSignature(
    accessKey: "AKID", secret: "very/secret", region: "eu-west-1", service: "execute-api")

  /// HMAC with SHA-256 (RFC 2104).
  static func code(_ key: [UInt8], _ text: String) -> [UInt8] {
    var block = key.count > 64 ? SHA256.digest(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = SHA256.digest(block.map { $0 ^ 0x36 } + Array(text.utf8))
    return SHA256.digest(block.map { $0 ^ 0x5C } + inner)
  }

  /// The signature that a request ought to have, reckoned from what arrived.
  func signature(of request: StubRequest) throws -> String {
    let given = parameters(try #require(request.values("Authorization").first))
    let date = try #require(request.values("X-Amz-Date").first)
    let names = try #require(given["SignedHeaders"])
    let target = request.target.split(separator: "?", maxSplits: 1)
    let lines = names.split(separator: ";").map { name in
      "\(name):\(request.values(String(name)).joined(separator: ","))\n"
    }
    let canonical = [
      String(request.lines[0].prefix { $0 != " " }), String(target[0]),
      target.count > 1 ? String(target[1]) : "", lines.joined(), names,
      SHA256.hexDigest(request.body),
    ].joined(separator: "\n")
    let place = "\(date.prefix(8))/eu-west-1/execute-api/aws4_request"
    #expect(given["Credential"] == "AKID/\(place)")
    let text = [
      "AWS4-HMAC-SHA256", date, place, SHA256.hexDigest(Array(canonical.utf8)),
    ].joined(separator: "\n")
    var code = Array("AWS4very/secret".utf8)
    for part in [String(date.prefix(8)), "eu-west-1", "execute-api", "aws4_request", text] {
      code = Self.code(code, part)
    }
    return SHA256.hex(code)
  }

  enum Body: CaseIterable, Sendable { case none, text, binary, file, pieces, large }

  @Test(arguments: Body.allCases)
  func `the signature is that of the bytes on the wire`(kind: Body) async throws {
    let harness = try Harness()
    let file = harness.directory.path("body.bin")
    let binary = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    try FileSystem.writeAtomically(binary, to: file)
    let body: [BodyChunk] =
      switch kind {
      case .none: []
      case .text: [.bytes(Array("{\"a\": 1}".utf8))]
      case .binary: [.bytes(binary)]
      case .file: [.file(path: file)]
      case .pieces: [.bytes([0xFE]), .file(path: file)]
      case .large: [.bytes([UInt8](repeating: 7, count: CurlOptions.copiedBodyBytes + 1))]
      }
    let server = try StubServer { _ in [.response(body: "ok")] }
    let outcome = await harness.send(
      .make(
        body.isEmpty ? "GET" : "PUT", server.url("/path/x?a=1&b=2"),
        headers: ["X-Amz-Security-Token": "session", "Accept": "*/*"], body: body)
      { $0.options.authentication = .signature(key) })
    #expect(outcome.failure == nil)
    let request = try #require(server.requests.first)
    let given = parameters(request.values("Authorization").joined())
    #expect(try given["Signature"] == signature(of: request))
    #expect(given["SignedHeaders"]?.contains("x-amz-security-token") == true)
  }
}

@Suite struct HelperTests {
  static func options(
    _ authentication: Authentication, features: Set<String>
  ) throws -> [CurlOptions.Value] {
    var spec = RequestSpec(method: "GET", url: "http://a.test/")
    spec.options.authentication = authentication
    return try CurlOptions(spec, body: nil, facts: .init(features: features)).settings
      .filter { [CURLOPT_USERNAME, CURLOPT_PASSWORD].contains($0.option) }.map(\.value)
  }

  @Test func `without credentials libcurl is asked to use those of the login`() throws {
    let values = try Self.options(.negotiate(user: "", password: ""), features: ["SPNEGO"])
    #expect(values == [.text(""), .text("")])
  }

  @Test(arguments: [
    Authentication.ntlm(user: "a", password: "b"), .negotiate(user: "", password: ""),
  ])
  func `what the library can't do is a failure that says so`(helper: Authentication) {
    let failure = #expect(throws: Failure.self) { try Self.options(helper, features: []) }
    #expect(failure?.code == .protocol)
    #expect(failure?.message.contains("libcurl on this machine does not support") == true)
  }
}
