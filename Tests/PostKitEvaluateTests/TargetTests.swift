// Targets that are URLs already: the short way to them must lead where the long one does.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitEvaluate

@Suite struct TargetTests {
  @Test(arguments: [
    "http://a", "https://a.test/", "http://127.0.0.1:65535/x.json?a=b&c=d,e;f",
    "http://a_b-c.test:8/~me/(1)/*?q=a..b", "http://a/b?x=y@z:80",
  ])
  func `a plain URL is taken as it is`(text: String) throws {
    #expect(Target.isURL(text))
    #expect(
      try Target.read(text, host: nil, encodes: true, schemes: .httpsForPaths)
        == Target(url: text))
  }

  /// A path with a `Host` header, and a URL without a scheme, in the words of each reading.
  @Test(arguments: [
    ("a.test", .byPort, "http", "http"), ("a.test:80", .byPort, "http", "http"),
    ("a.test:443", .byPort, "https", "https"), ("a.test:8443", .byPort, "https", "https"),
    ("a.test", .httpsForPaths, "https", "http"), ("a.test:80", .httpsForPaths, "http", "http"),
    ("a.test:8443", .httpsForPaths, "https", "https"),
    ("a.test", .restNvim, "https", "http"), ("a.test:80", .restNvim, "http", "http"),
    ("a.test:443", .restNvim, "https", "http"), ("a.test:8443", .restNvim, "http", "http"),
  ] as [(String, AssumedSchemes, String, String)])
  func `a scheme that is not written is assumed (PK-11)`(
    host: String, schemes: AssumedSchemes, ofPath: String, ofHost: String
  ) throws {
    let path = try Target.read("/x", host: host, encodes: true, schemes: schemes)
    #expect(path.url == "\(ofPath)://\(host)/x")
    let url = try Target.read("\(host)/x", host: nil, encodes: true, schemes: schemes)
    #expect(url.url == "\(ofHost)://\(host)/x")
  }

  @Test func `rest.nvim's reading has its own schemes, unless a knob says otherwise`() {
    #expect(Dialect().assumedSchemes == .byPort)
    #expect(Dialect(.restnvim).assumedSchemes == .restNvim)
    var dialect = Dialect(.restnvim)
    dialect.originFormIsHTTPS = false
    #expect(dialect.assumedSchemes == .byPort)
    dialect = Dialect(.httpyac)
    dialect.originFormIsHTTPS = true
    #expect(dialect.assumedSchemes == .httpsForPaths)
  }

  @Test(arguments: [
    "a.test/x", "HTTP://a/", "ftp://a/", "http://", "http:///x", "http://:80/", "http://a:/",
    "http://a:65536/", "http://a:123456/", "http://u:p@a/", "http://[::1]/", "http://a/./b",
    "http://a/..", "http://a/#x", "http://a?b", "http://a/ b", "http://a/%zz", "http://a/é", "/x",
    "http://a/\r\n", "*", "",
  ])
  func `anything else is taken apart`(text: String) {
    #expect(!Target.isURL(text))
  }

  @Test func `a host of another script goes out as punycode, after a redirect too (PK-69)`() throws {
    let target = try Target.read(
      "http://u:p@bücher.test:81/ü?é", host: nil, encodes: true)
    #expect(target.url == "http://xn--bcher-kva.test:81/%C3%BC?%C3%A9")
    #expect(target.userInformation == "u:p")
    let hosted = try Target.read(
      "/x", host: "http://bücher.test", encodes: false)
    #expect(hosted.url == "http://xn--bcher-kva.test/x" && hosted.host == "xn--bcher-kva.test")
    let decision = Redirects.decide(
      after: RequestSpec(method: "GET", url: "http://a.test/"), status: 302,
      headers: ["Location": "//bücher.test/ü"], secrets: [])
    guard case .follow(let next) = decision else {
      Issue.record("\(decision)")
      return
    }
    #expect(next.url == "http://xn--bcher-kva.test/%C3%BC")
  }

  @Test(arguments: [
    ("GET http://{{p}}.test/", "Pässwort-Geheim", "xn--p"),
    ("GET http://a-{{p}}-b.test/", "geheim\u{E4}", "xn--a-geheim-b"),
    ("GET /x\nHost: {{p}}:81", "TopSecretHost", "topsecrethost"),
    ("curl http://{{p}}.test/", "TopSecretHost", "topsecrethost"),
  ])
  func `a secret in a host is one in the form of a host, too`(
    text: String, secret: String, host: String
  ) throws {
    let laboratory = Laboratory(
      environment: "dev", sources: [(.privateFile, "{\"dev\": {\"p\": \"\(secret)\"}}")])
    let lowered = laboratory.lower(text)
    let url = try #require(lowered.spec?.url)
    let parts = try #require(URLParts(url))
    #expect(parts.host.contains(host), "\(parts.host)")
    let mask = SecretMask(secrets: lowered.secrets.sorted())
    #expect(!mask.mask(parts.host).text.contains(host))
    #expect(!mask.maskURL(url).text.contains("xn--") && mask.maskURL(url).text.contains("•"))
  }

  @Test(arguments: ["GET {{p}}://x/", "GET /x\nHost: {{p}}://y"])
  func `a secret in the place of a scheme is not told`(text: String) {
    let laboratory = Laboratory(
      environment: "dev", sources: [(.privateFile, #"{"dev": {"p": "Canary-Private.42"}}"#)])
    let lowered = laboratory.lower(text)
    #expect(lowered.spec == nil)
    let told = lowered.problems.map(\.message).joined().lowercased()
    #expect(!told.isEmpty && !told.contains("canary"), "\(told)")
  }

  @Test func `whatever is taken as it is would come out of taking it apart`() {
    var generator = RepeatableGenerator(seed: 11)
    let pieces = [
      "http://", "https://", "a.test", "127.0.0.1", ":80", ":99999", ":", "/", "/x", "/.", "/..",
      ".", "?", "a=b", "&", "@", "#", "%20", "%", " ", "é", "[::1]", "_", "~", "*", "//",
    ]
    var taken = 0
    for _ in 0..<20_000 {
      let count = generator.int(in: 1..<6)
      let text = "http://" + (0..<count).map { _ in generator.pick(pieces) }.joined()
      guard Target.isURL(text) else { continue }
      taken += 1
      // A blank before it closes the short way and means nothing.
      for encodes in [true, false] {
        let target = try? Target.read(
          " " + text, host: nil, encodes: encodes)
        #expect(target == Target(url: text), "\(text)")
      }
    }
    #expect(taken > 500)
  }

  @Test func `a target that is too long is told by the number of its bytes`() {
    let target = Array("http://a/".utf8) + Array(repeating: 0xFF, count: Target.longestBytes)
    #expect(throws: Target.tooLong(target.count)) {
      try Target.read(
        String(keeping: target), host: nil, encodes: true)
    }
  }
}
