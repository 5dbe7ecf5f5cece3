// Checks curl lines by running them: in a shell that shows the words, and with the real curl.

import Foundation
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import PostKitTransfer
import Testing

@Suite struct CurlCommandTests {
  @Test func `a plain request is a plain line`() {
    let spec = RequestSpec(
      method: "GET", url: "http://h/a?b=c&d", headers: [("Accept", "*/*"), ("User-Agent", "p")])
    expect(
      CurlCommand.line(for: spec),
      is: """
      curl --header 'Accept: */*' --header 'User-Agent: p' --compressed --location 'http://h/a?b=c&d'
      """)
  }

  @Test func `defaults of curl are suppressed and ours are left out`() {
    var spec = RequestSpec(
      method: "PURGE", url: "http://h/../[x]", requestTarget: "*", headers: [("X-Empty", "")],
      body: [.bytes(Array("it's\n$x `y`".utf8))])
    spec.options.httpVersion = .http11
    spec.options.followsRedirects = false
    spec.options.verifiesTLS = false
    spec.options.totalTimeoutMilliseconds = 1_500
    expect(
      CurlCommand.line(for: spec).replacing(" --", with: "\n--"),
      is: #"""
      curl
      --request PURGE
      --request-target '*'
      --globoff
      --path-as-is
      --header 'X-Empty;'
      --header User-Agent:
      --header Accept:
      --header Content-Type:
      --header Expect:
      --compressed
      --http1.1
      --max-time 1.500
      --insecure
      --data-raw 'it'\''s
      $x `y`' 'http://h/../[x]'
      """#)
  }

  @Test func `certificates, proxies and methods that are kept have options`() {
    var spec = RequestSpec(
      method: "GET", url: "https://h/",
      headers: [("Accept", "*/*"), ("User-Agent", "p"), ("Proxy-Authorization", "Basic x")])
    spec.options.clientCertificateFile = "/c:d.P12"
    spec.options.clientKeyPassphrase = "x y"
    spec.options.proxy = "http://p:1"
    spec.options.proxyExceptions = ""
    spec.options.keepsMethod = true
    expect(
      CurlCommand.line(for: spec).replacing(" --", with: "\n--"),
      is: #"""
      curl
      --header 'Accept: */*'
      --header 'User-Agent: p'
      --proxy-header 'Proxy-Authorization: Basic x'
      --compressed
      --location
      --post301
      --post302
      --cert '/c\:d.P12'
      --cert-type P12
      --pass 'x y'
      --proxy http://p:1
      --noproxy '' https://h/
      """#)
  }

  @Test func `the shell reads every word as it was meant`() async throws {
    var generator = RepeatableGenerator(seed: 12)
    let pieces = [
      "'", "\"", "\\", "$HOME", "`x`", "\n", " ", "!", "*", "~", "#", "é", "{a,b}", "-", "=", "%s",
      "\\n", "&", ";", "\t",
    ]
    let words = (0..<60).map { _ in
      (0..<generator.int(in: 0..<6)).map { _ in generator.pick(pieces) }.joined()
    }
    let script = "printf '%s\\0' " + words.map(ShellText.quote).joined(separator: " ")
    let result = try await Subprocess.run("sh", ["-c", script])
    #expect(result.output == words.map { $0 + "\0" }.joined())
  }

  @Test func `the shell reads words of bytes that are no UTF-8, too`() async throws {
    var generator = RepeatableGenerator(seed: 13)
    let words = (0..<60).map { _ in
      (0..<generator.int(in: 1..<9)).map { _ in
        generator.oneIn(3) ? UInt8(generator.int(in: 1..<0x80)) : generator.pick([10, 37, 0xE9, 55])
      }
    }
    let quoted = words.map { ShellText.quote(String(keeping: $0)) }
    #expect(quoted.allSatisfy { $0 == $0.shown })
    let result = try await Subprocess.run(
      "sh", ["-c", "printf '%s\\0' " + quoted.joined(separator: " ")])
    #expect(result.standardOutput == words.flatMap { $0 + [0] })
    #expect(
      ShellText.quote("X-A: caf" + String(keeping: [0xE9])) == #""$(printf 'X-A: caf\351')""#)
  }

  @Test("curl sends exactly the request", arguments: Self.requests)
  func roundTrip(_ sample: Sample) async throws {
    guard try Require.tool("curl", reason: "it runs the lines") != nil else { return }
    let directory = try TemporaryDirectory()
    let file = try directory.write("it's a file", "from\nfile\n")
    let recorder = try #require(RequestRecorder(count: 1))
    var spec = sample.spec
    spec.url = "http://127.0.0.1:\(recorder.port)" + spec.url
    spec.body = spec.body.map { $0 == .file(path: "FILE") ? .file(path: file) : $0 }
    spec.options.followsRedirects = false
    let result = try await Subprocess.run(
      "sh", ["-c", CurlCommand.line(for: spec)], environment: ["HOME": directory.path],
      timeoutSeconds: 60)
    try #require(result.status == 0, "\(result.errorOutput)")
    let received = try #require(recorder.received().first)
    let parts = received.split(
      separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    var lines = parts[0].split(separator: "\r\n").map(String.init)
    #expect(lines.removeFirst() == "\(spec.method) \(sample.target) HTTP/1.1")
    #expect(lines.removeFirst() == "Host: 127.0.0.1:\(recorder.port)")
    let codings = lines.filter { $0.hasPrefix("Accept-Encoding: ") }
    #expect(codings.count == 1)
    if !spec.headers.contains("Accept-Encoding") { lines.removeAll(where: codings.contains) }
    if let length = sample.length { #expect(lines.contains("Content-Length: \(length)")) }
    if let length = lines.firstIndex(where: { $0.hasPrefix("Content-Length: ") }) {
      lines.remove(at: length)
    }
    #expect(
      lines.sorted()
        == spec.headers.fields.map { $0.value.isEmpty ? "\($0.name):" : "\($0.name): \($0.value)" }
        .sorted())
    #expect(parts[1] == sample.body)
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    var spec: RequestSpec
    var target: String
    /// The body as Latin-1 characters.
    var body = ""
    /// The length that must be said; `nil` where the body says enough.
    var length: Int?
    var testDescription: String { "\(spec.method) \(target)" }
  }

  static let requests = [
    Sample(
      spec: RequestSpec(method: "GET", url: "/e", headers: [("Accept-Encoding", "gzip")]),
      target: "/e"),
    Sample(spec: RequestSpec(method: "POST", url: "/empty"), target: "/empty", length: 0),
    Sample(
      spec: RequestSpec(method: "GET", url: "/a/../b?x[]={1}&y='%20"),
      target: "/a/../b?x[]={1}&y='%20"),
    Sample(spec: RequestSpec(method: "OPTIONS", url: "/", requestTarget: "*"), target: "*"),
    Sample(spec: RequestSpec(method: "HEAD", url: "/h", headers: [("Accept", "x")]), target: "/h"),
    Sample(
      spec: RequestSpec(
        method: "POST", url: "/p",
        headers: [("X-Empty", ""), ("X", "it's \"$x\""), ("X", "again"), ("Content-Type", "a/b")],
        body: [.bytes(Array("@it's\r\n\n$HOME&".utf8))]), target: "/p", body: "@it's\r\n\n$HOME&"),
    Sample(
      spec: RequestSpec(method: "PUT", url: "/f", body: [.file(path: "FILE")]), target: "/f",
      body: "from\nfile\n"),
    Sample(
      spec: RequestSpec(
        method: "PATCH", url: "/m",
        body: [.bytes(Array("-%s\\n'".utf8)), .file(path: "FILE"), .bytes([0, 255, 37, 92, 49])]),
      target: "/m", body: "-%s\\n'from\nfile\n\u{0}\u{FF}%\\1"),
    Sample(
      spec: RequestSpec(method: "GET", url: "/g", body: [.bytes([0])]),
      target: "/g", body: "\u{0}"),
  ]
}
