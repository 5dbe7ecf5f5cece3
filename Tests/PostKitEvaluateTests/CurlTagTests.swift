// Options of curl as metadata (`@curl-…`, `@kulala-curl--…`).

import PostKitEvaluate
import PostKitHTTP
import Testing

@Suite struct CurlTagTests {
  private static let laboratory: Laboratory = {
    var laboratory = Laboratory()
    laboratory.files = ["ca.pem": "", "me.pem": "", "me.key": ""]
    laboratory.overrides = ["seconds": "7", "password": "s3cret word"]
    return laboratory
  }()

  private func options(_ tags: String...) -> TransferOptions {
    let text = tags.map { "# \($0)\n" }.joined() + "GET https://a.test/\n"
    let lowered = Self.laboratory.lower(text)
    #expect(lowered.problems.isEmpty, "\(tags): \(lowered.problems.map(\.message))")
    return lowered.settings.options
  }

  @Test func `what PostKit can do is done`() {
    #expect(options("@curl-max-time {{seconds}}").totalTimeoutMilliseconds == 7_000)
    #expect(options("@curl-m 1.5").totalTimeoutMilliseconds == 1_500)
    #expect(options("@kulala-curl--connect-timeout 3").connectTimeoutMilliseconds == 3_000)
    #expect(options("@curl-max-redirs 2").redirectLimit == 2)
    #expect(!options("@curl-insecure").verifiesTLS && !options("@kulala-curl-k").verifiesTLS)
    #expect(options("@curl-no-location").followsRedirects == false)
    #expect(options("@no-redirect", "@curl-location").followsRedirects)
    #expect(options("@curl-post302").keepsMethod)
    #expect(options("@curl-http1.1").httpVersion == .http11)
    #expect(options("@kulala-curl--http2-prior-knowledge").httpVersion == .http2PriorKnowledge)
    #expect(options("@curl-proxy http://p.test:1").proxy == "http://p.test:1")
    #expect(options("@curl-socks5-hostname p.test:1").proxy == "socks5h://p.test:1")
    #expect(options("@curl-noproxy a.test").proxyExceptions == "a.test")
    #expect(options("@curl-cacert ca.pem").certificateAuthorityFile == "ca.pem")
    let certificate = options("@curl-cert me.pem:pass", "@curl-key me.key")
    #expect(certificate.clientCertificateFile == "me.pem" && certificate.clientKeyFile == "me.key")
    #expect(certificate.clientKeyPassphrase == "pass")
    let digest = options("@curl-digest", "@curl-user ann:{{password}}").authentication
    #expect(digest == .digest(user: "ann", password: "s3cret word"))
    #expect(options("@curl-silent", "@curl-compressed", "@curl-v") == options())
  }

  @Test func `headers are added where the request has none of that name`() {
    let text = """
      # @curl-user ann:{{password}}
      # @curl-user-agent mine
      # @curl-header X-A: 1
      # @curl-header X-B: 2
      # @curl-b k=v
      GET https://a.test/
      X-B: own

      """
    let lowered = Self.laboratory.lower(text)
    #expect(
      lowered.text == """
        GET https://a.test/
        X-B: own
        X-A: 1
        Authorization: Basic YW5uOnMzY3JldCB3b3Jk
        User-Agent: mine
        Cookie: k=v
        """)
  }

  @Test(arguments: [
    ("@curl-retry 3", "PostKit has no counterpart of `--retry` and ignores it."),
    (
      "@kulala-curl--aws-sigv4 aws:amz",
      "PostKit has no counterpart of `--aws-sigv4` and ignores it."
    ),
    ("@curl-data a=b", "PostKit has no counterpart of `--data` and ignores it."),
    ("@curl-request PUT", "PostKit has no counterpart of `--request` and ignores it."),
    ("@curl-max-tiem 3", "Unknown curl option `max-tiem` is ignored. Check its spelling."),
    ("@curl-max-time", "`--max-time` needs a value. Write one after it."),
    ("@curl-max-time soon", "`soon` is not a duration. Write a number with a unit"),
    ("@curl-cert nobody.pem", "File `nobody.pem` not found. PostKit looked beside the request file"),
    ("@curl-proxy ftp://u:p@x", "`ftp://***@x` is not a proxy URL."),
  ])
  func `anything else is answered with one line`(tag: String, sentence: String) {
    let lowered = Self.laboratory.lower("# \(tag)\nGET https://a.test/\n")
    #expect(lowered.problems.count == 1)
    #expect(lowered.problems.first?.message.hasPrefix(sentence) == true)
    // The whole tag, or its value where that alone is wrong.
    let isOption = lowered.problems.first?.code.rawValue == "curl-option"
    let blank = tag.utf8.firstIndex(of: UInt8(ascii: " "))
    let start = isOption ? 0 : blank.map { tag.utf8[...$0].count + 2 }
    #expect(lowered.problems.first?.range == (start ?? 0)..<tag.utf8.count + 2)
  }

  @Test func `a shared block gives its options to all`() {
    let text = """
      ### Shared
      # @curl-max-time 3

      ###
      GET https://a.test/

      """
    #expect(Self.laboratory.lower(text).settings.options.totalTimeoutMilliseconds == 3_000)
  }

  @Test(
    "a value with a line break is told where it stands",
    arguments: [
      ("# @curl-header X-A: {{two}}\nGET http://a.test/\n", "# @curl-header X-A: {{two}}", "X-A"),
      ("# @curl-user-agent {{two}}\nGET http://a.test/\n", "# @curl-user-agent {{two}}", "User-Agent"),
      ("# @curl-cookie a={{two}}\nGET http://a.test/\n", "# @curl-cookie a={{two}}", "Cookie"),
      ("curl http://a.test/ -H 'X-B: 1' -H 'X-A: {{two}}'\n", "-H 'X-A: {{two}}'", "X-A"),
      ("curl http://a.test/ -A '{{two}}'\n", "-A '{{two}}'", "User-Agent"),
    ])
  func lineBreaks(_ request: String, _ place: String, _ name: String) throws {
    let text = "@two = 1\\n2\n\n### a\n" + request
    let lowered = Laboratory().lower(text)
    #expect(lowered.spec == nil)
    let problem = try #require(lowered.failure)
    #expect(problem.kind == .headerInjection(name: name))
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == place)
  }

  @Test func `a header of a shared block or of a whole line can have no line break either`() throws {
    let shared = "@two = 1\\n2\n\n### Shared\nX-A: {{two}}\n\n### a\nGET http://a.test/\n"
    #expect(Laboratory().lower(shared, request: 2).failure?.kind == .headerInjection(name: "X-A"))
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [
      (.publicFile, #"{"dev": {"$default_headers": {"X-A": "1\n2"}}}"#)
    ]
    #expect(
      laboratory.lower("GET http://a.test/\n").failure?.kind == .headerInjection(name: "X-A"))
  }
}
