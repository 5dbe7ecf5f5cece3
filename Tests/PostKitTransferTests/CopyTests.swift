// What copies look like, and what they say that they can't do. That they send the same is checked
// on the wire, in the tests of the runner.

import PostKitHTTP
import PostKitTestSupport
import PostKitTransfer
import Testing

@Suite struct CopyTests {
  private static let plain: HeaderFields = [("User-Agent", "p"), ("Accept", "*/*")]

  @Test func `a plain request is plain code`() {
    let spec = RequestSpec(method: "GET", url: "http://h/a?b=c", headers: CopyTests.plain)
    expect(
      CopyTarget.python.text(for: spec),
      is: """
      import requests

      headers = {
          "User-Agent": "p",
          "Accept": "*/*",
          "Accept-Encoding": "gzip, deflate",
      }
      request = requests.Request("GET", "http://h/a?b=c", headers=headers).prepare()
      session = requests.Session()
      response = session.send(request)
      print(response.text)
      """)
    expect(
      CopyTarget.javascript.text(for: spec),
      is: """
      const response = await fetch("http://h/a?b=c", {
        headers: {
          "User-Agent": "p",
          "Accept": "*/*",
        },
      });
      console.log(await response.text());
      """)
    expect(
      CopyTarget.httpie.text(for: spec),
      is: "http --ignore-stdin --follow --max-redirects=10 GET 'http://h/a?b=c' 'User-Agent: p' "
        .replacing("--max-redirects=10", with: "'--max-redirects=10'") + "'Accept: */*'")
    expect(
      CopyTarget.http.text(for: spec), is: "###\nGET http://h/a?b=c\nUser-Agent: p\nAccept: */*")
  }

  @Test("what a target can't do is said", arguments: CopyTarget.allCases.filter { $0 != .curl })
  func remarks(target: CopyTarget) {
    var spec = RequestSpec(
      method: "OPTIONS", url: "http://h/", requestTarget: "*", headers: CopyTests.plain)
    spec.options.httpVersion = .http3
    spec.options.authentication = .negotiate(user: "ann", password: "word")
    let text = target.text(for: spec)
    let comments = text.split(separator: "\n").filter { $0.hasPrefix(target.commentMark) }
      .joined(separator: "\n")
    if target == .http {
      #expect(comments.contains("Its target is `*`") && text.contains("HTTP/3"))
      #expect(comments.contains("# @curl-negotiate"))
      return
    }
    // Each has a way to say it, or says that it has none.
    let ways = CopyTests.ways[target] ?? []
    #expect(comments.contains("the request asks for HTTP/3") != ways.contains(.version))
    #expect(comments.contains("the target `*`") != ways.contains(.target))
    let lacks = comments.contains("does not support Negotiate authentication")
    #expect(lacks != ways.contains(.authentication))
    #expect(text.contains("word") == ways.contains(.authentication))
  }

  private enum Way { case version, target, authentication }

  /// What targets have a way for that others lack.
  private static let ways: [CopyTarget: Set<Way>] = [
    .php: [.version, .target, .authentication], .hurl: [.version, .authentication],
    .ruby: [.target],
  ]

  @Test("no part of a request ends a comment", arguments: CopyTarget.allCases)
  func comments(target: CopyTarget) {
    var spec = RequestSpec(method: "GET", url: "http://h/", headers: CopyTests.plain)
    spec.requestTarget = "*\nevil\r\u{2028}evil"
    spec.options.certificateAuthorityFile = "/a\nevil"
    let text = target.text(for: spec)
    let comments = text.split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix("\(target.commentMark) ") }
    #expect([.curl, .php, .ruby].contains(target) || comments.contains { $0.contains("*") || $0.contains("evil") })
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("evil") }
    // The shell has such a path between quotes.
    #expect(lines.isEmpty || ["wget", "httpie", "curl"].contains(target.rawValue))
  }

  @Test("what can't be in a text is escaped", arguments: [CopyTarget.python, .javascript, .swift])
  func escapes(target: CopyTarget) {
    let spec = RequestSpec(
      method: "POST", url: "http://h/", headers: CopyTests.plain,
      body: [.bytes(Array("a\u{202E}b\u{0}\n\u{FEFF}c\r\n".utf8))])
    let hidden: Set<Unicode.Scalar> = ["\u{202E}", "\u{0}", "\u{FEFF}", "\r"]
    #expect(target.text(for: spec).unicodeScalars.allSatisfy { !hidden.contains($0) })
  }

  @Test func `that a proxy has no exceptions follows from it`() {
    var spec = RequestSpec(method: "GET", url: "http://h/", headers: CopyTests.plain)
    (spec.options.proxy, spec.options.proxyExceptions) = ("http://p:1", "")
    let rest = "GET http://h/\nUser-Agent: p\nAccept: */*"
    expect(CopyTarget.http.text(for: spec), is: "###\n# @proxy http://p:1\n\(rest)")
    spec.options.proxyExceptions = "a.test"
    let text = CopyTarget.http.text(for: spec)
    #expect(text.contains("# @proxy http://p:1\n# @curl-noproxy a.test\n"), "\(text)")
  }

  @Test func `digest and proxies are told where there is a way`() {
    var spec = RequestSpec(method: "GET", url: "http://h/", headers: CopyTests.plain)
    spec.options.authentication = .digest(user: "ann", password: "it's")
    spec.options.proxy = "http://p:1"
    spec.options.totalTimeoutMilliseconds = 1_500
    #expect(CopyTarget.python.text(for: spec).contains("auth=HTTPDigestAuth(\"ann\", \"it's\")"))
    #expect(CopyTarget.python.text(for: spec).contains("\"http\": \"http://p:1\""))
    #expect(CopyTarget.httpie.text(for: spec).contains("--auth-type=digest' '--auth=ann:it'\\''s'"))
    #expect(CopyTarget.wget.text(for: spec).contains("'--http-password=it'\\''s'"))
    #expect(CopyTarget.javascript.text(for: spec).contains("AbortSignal.timeout(1500)"))
    #expect(CopyTarget.swift.text(for: spec).contains("timeoutIntervalForResource = 1.500"))
    #expect(CopyTarget.http.text(for: spec).contains("# @curl-digest\n# @curl-user ann:it's\n"))
  }
}
