// What a block becomes on the wire.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import Testing

private let form =
  "POST http://t.test/\nContent-Type: application/x-www-form-urlencoded\n\n"
private let multipart =
  "POST http://t.test/\nContent-Type: multipart/form-data; boundary=cut\n\n"

@Suite struct LoweringTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var expected: String
    var testDescription: String { title }
  }

  @Test(
    "a block becomes the request its author meant",
    arguments: [
      Case(
        title: "a bare URL is a GET", source: "http://t.test/a", expected: "GET http://t.test/a"),
      Case(
        title: "definitions may use each other, in any order (PK-34)",
        source: "@b = {{a}}/x\n@a = 1\nGET https://t.test/{{b}}",
        expected: "GET https://t.test/1/x"),
      Case(
        title: "path, query and flag lines continue the target (PK-12)",
        source: "GET https://t.test\n  /v2\n  /things\n  ?q=1\n  &flag\nAccept: text/plain",
        expected: "GET https://t.test/v2/things?q=1&flag\nAccept: text/plain"),
      Case(
        title: "an origin-form target takes the host from its header (PK-11)",
        source: "GET /ping\nHost: t.test:8443",
        expected: "GET https://t.test:8443/ping\nHost: t.test:8443"),
      Case(
        title: "a scheme in the Host header decides and is cut (PK-110)",
        source: "GET /ping\nHost: https://t.test",
        expected: "GET https://t.test/ping\nHost: t.test"),
      Case(
        title: "a fragment is not sent and blanks are encoded (PK-69)",
        source: "GET http://t.test/ä?q=two words&p=50%#top",
        expected: "GET http://t.test/%C3%A4?q=two%20words&p=50%25"),
      Case(
        title: "user information becomes Basic credentials",
        source: "GET http://ann:s%20x@t.test/",
        expected: "GET http://t.test/\nAuthorization: Basic YW5uOnMgeA=="),
      Case(
        title: "credentials split at the blank of the template, not of the value (PK-79)",
        source: "@pw = p:q r\nGET http://t.test/\nAuthorization: Basic ann {{pw}}",
        expected: "GET http://t.test/\nAuthorization: Basic YW5uOnA6cSBy"),
      Case(
        title: "a colon splits where no blank comes first (PK-79)",
        source: "@pw = p:q r\nGET http://t.test/\nAuthorization: Basic ann:{{pw}}",
        expected: "GET http://t.test/\nAuthorization: Basic YW5uOnA6cSBy"),
      Case(
        title: "encoded credentials stay as they are",
        source: "GET http://t.test/\nAuthorization: Basic YW5uOnA=",
        expected: "GET http://t.test/\nAuthorization: Basic YW5uOnA="),
      Case(
        title: "Cookie lines are joined, others repeat, Content-Length is computed (PK-13)",
        source: "GET http://t.test/\nCookie: a=1\nX-A: 1\nCookie: b=2\nX-A: 2\nContent-Length: 9",
        expected: "GET http://t.test/\nCookie: a=1; b=2\nX-A: 1\nX-A: 2"),
      Case(
        title: "comment lines leave JSON bodies (PK-5)",
        source: "POST http://t.test/\nContent-Type: application/json\n\n{\n// no\n\"a\": 1\n}",
        expected: "POST http://t.test/\nContent-Type: application/json\n\n{\n\"a\": 1\n}"),
      Case(
        title: "and stay in text (PK-5)",
        source: "POST http://t.test/\nContent-Type: text/plain\n\na\n# b\n// c",
        expected: "POST http://t.test/\nContent-Type: text/plain\n\na\n# b\n// c"),
      Case(
        title: "CRLF files send LF bodies (PK-1)",
        source: "POST http://t.test/\r\nContent-Type: text/plain\r\n\r\na\r\nb\r\n",
        expected: "POST http://t.test/\nContent-Type: text/plain\n\na\nb"),
      Case(
        title: "forms join lines, trim around & and =, and know JetBrains' escapes (PK-20)",
        source:
          form + "user = a b &\npw = x%&y",
        expected:
          form + "user=a%20b&pw=x%26y"
      ),
      Case(
        title: "multipart bodies end every line in CRLF (PK-19)",
        source:
          multipart + "--cut\nX-Part: a\n\nx\n--cut--",
        expected:
          multipart + "--cut\r\nX-Part: a\r\n\r\nx\r\n--cut--\r\n"
      ),
      Case(
        title: "newline-delimited JSON ends its last record (PK-22)",
        source: "POST http://t.test/\nContent-Type: application/x-ndjson\n\n{}\n{}",
        expected: "POST http://t.test/\nContent-Type: application/x-ndjson\n\n{}\n{}\n"),
      Case(
        title: "braces around a reference stay (PK-44)",
        source: "@x = 5\nPOST http://t.test/\nContent-Type: application/json\n\n{\"a\":{{x}}}",
        expected: "POST http://t.test/\nContent-Type: application/json\n\n{\"a\":5}"),
      Case(
        title: "escapes in values (PK-33)",
        source:
          "@a = x\\ny\n@b = C:\\new\\table\n"
          + "POST http://t.test/\nContent-Type: text/plain\n\n{{a}}|{{b}}",
        expected: "POST http://t.test/\nContent-Type: text/plain\n\nx\ny|C:\\new\\table"),
      Case(
        title: "an unresolved reference in a body is sent as it is (PK-67)",
        source: "POST http://t.test/\nContent-Type: text/plain\n\n{{nope}}",
        expected: "POST http://t.test/\nContent-Type: text/plain\n\n{{nope}}"),
      Case(
        title: "in a header it is an error (PK-66)",
        source: "GET http://t.test/\nX-A: {{nope}}", expected: "error: unresolved-variable"),
      Case(
        title: "a circle of definitions is an error (PK-46)",
        source: "@a = {{b}}\n@b = {{a}}\nGET http://t.test/{{a}}", expected: "error: variable-cycle"
      ),
      Case(
        title: "a value can't add a header",
        source: "@v = a\\nX-Evil: 1\nGET http://t.test/\nX-A: {{v}}", expected: "error: syntax"),
      Case(
        title: "a value can be percent-encoded (PK-68)",
        source: "@v = a b&c\nGET http://t.test/?q={{%v}}",
        expected: "GET http://t.test/?q=a%20b%26c"),
      Case(
        title: "comments outside of multipart parts are dropped (PK-5)",
        source: multipart + "# {{nope}}\n--cut\nX: y\n\n# kept\n--cut--\n\n# end",
        expected: "POST http://t.test/\nContent-Type: multipart/form-data; boundary=cut\n\n"
          + "--cut\r\nX: y\r\n\r\n# kept\r\n--cut--\r\n"),
      Case(
        title: "comments leave no blank lines at the ends of a body (PK-5)",
        source: "POST http://t.test/\nContent-Type: application/json\n\n"
          + "# a {{nope}}\n\n{\n\n}\n\n// b",
        expected: "POST http://t.test/\nContent-Type: application/json\n\n{\n\n}"),
      Case(
        title: "a body of comments is none",
        source: "POST http://t.test/\nContent-Type: application/json\n\n# a\n\n# b",
        expected: "POST http://t.test/\nContent-Type: application/json"),
      Case(
        title: "a line that is one reference may be headers (PK-45)",
        source: "@h = X-A: 1\\nX-B:2\nGET http://t.test/\n{{h}}\nX-C: 3",
        expected: "GET http://t.test/\nX-A: 1\nX-B: 2\nX-C: 3"),
      Case(
        title: "with credentials, too",
        source: "@h = Authorization: Basic ann s x\nGET http://t.test/\n{{h}}",
        expected: "GET http://t.test/\nAuthorization: Basic YW5uOnMgeA=="),
      Case(
        title: "a request line that is one reference may be several lines (PK-45)",
        source: "@r = post {{u}}/a\\nX-A: 1\\nAuthorization: Basic ann s\n@u = http://t.test\n"
          + "{{r}}\n  ?b=1\nX-B: 2\n\nbody",
        expected: "POST http://t.test/a?b=1\nX-A: 1\nAuthorization: Basic YW5uOnM=\nX-B: 2\n\nbody"),
      Case(
        title: "with a body where the block has none",
        source: "@r = PUT http://t.test/\\n\\none\\ntwo\n{{r}}\nX-B: 2",
        expected: "PUT http://t.test/\nX-B: 2\n\none\ntwo"),
      Case(
        title: "or one with a method, or a URL",
        source: "@r = DELETE http://t.test/ HTTP/1.1\n{{r}}", expected: "DELETE http://t.test/"),
      Case(
        title: "a URL is a URL", source: "@r = http://t.test/\n{{r}}",
        expected: "GET http://t.test/"),
      Case(
        title: "lines of a value that are no headers are refused",
        source: "@r = GET http://t.test/\\nword\n{{r}}", expected: "error: malformed-header"),
      Case(
        title: "a value never makes a second request",
        source: "@r = GET http://t.test/\\n###\\nGET http://u.test/\n{{r}}",
        expected: "error: syntax"),
      Case(
        title: "a line break makes no header where the line is more than a reference",
        source: "@r = http://t.test/\\nX-A: 1\nGET {{r}}",
        expected: "GET http://t.test/%0AX-A:%201"),
      Case(
        title: "a version that is no number", source: "@v = two\nGET http://t.test/ HTTP/{{v}}",
        expected: "error: syntax"),
      Case(
        title: "or nothing", source: "@h =\nGET http://t.test/\n{{h}}",
        expected: "GET http://t.test/"),
      Case(
        title: "but no other text", source: "@h = word\nGET http://t.test/\n{{h}}",
        expected: "error: malformed-header"),
      Case(
        title: "and must be resolved", source: "GET http://t.test/\n{{h}}",
        expected: "error: unresolved-variable"),
      Case(
        title: "a name that an answer defines is not known before it (PK-26)",
        source: "GET http://t.test/{{id}}\n\n### a\nGET http://t.test/\n\n> {% %}\n@id = 1",
        expected: "error: unresolved-variable"),
      Case(
        title: "the example server is a variable",
        source: "GET {{$exampleServer}}/users", expected: "GET http://127.0.0.1:4000/users"),
      Case(
        title: "a missing file is an error before sending (PK-17)",
        source: "POST http://t.test/\n\n< ./missing.json", expected: "error: file-not-found"),
      Case(
        title: "a host is needed", source: "GET /a", expected: "error: syntax"),
      Case(
        title: "what is not built yet says so", source: "WEBSOCKET ws://t.test/\n\na",
        expected: "error: protocol-unsupported"),
    ])
  func lowers(_ example: Case) {
    #expect(Laboratory().lower(example.source).text == example.expected)
  }

  @Test func `the nearest definition above counts, or the last below`() {
    let source = "@v = 1\nGET http://t.test/{{v}}\n\n###\n@v = 2\nGET http://t.test/{{v}}"
    #expect(Laboratory().lower(source, request: 1).text == "GET http://t.test/1")
    #expect(Laboratory().lower(source, request: 2).text == "GET http://t.test/2")
    var restClient = Laboratory()
    restClient.dialect = Dialect(.restclient)
    #expect(restClient.lower(source, request: 1).text == "GET http://t.test/2")
  }

  @Test(
    "no preset sends what nothing resolves but in a body", arguments: DialectPreset.allCases)
  func unresolved(_ preset: DialectPreset) {
    var laboratory = Laboratory()
    laboratory.dialect = Dialect(preset)
    for source in [
      "GET http://t.test/{{nope}}", "GET http://t.test/\nX-A: {{nope}}",
      "GET http://t.test/\nX-{{nope}}: a", "{{nope}} http://t.test/",
      "POST http://t.test/\n\n< ./{{nope}}.json",
    ] {
      #expect(laboratory.lower(source).text.hasPrefix("error: unresolved-variable"), "\(source)")
    }
    let inBody = laboratory.lower("POST http://t.test/\nContent-Type: text/plain\n\na{{nope}}b")
    let expected =
      switch preset {
      case .auto, .restclient, .jetbrains, .kulala: "a{{nope}}b"
      case .restnvim: "ab"
      case .httpyac, .visualstudio: "error: unresolved-variable"
      }
    #expect(inBody.text.split(separator: "\n\n").last.map(String.init) == expected)
  }

  @Test func `raw files are streamed and substituted files are text`() {
    var laboratory = Laboratory()
    laboratory.files = ["a.json": "{{x}}"]
    let source =
      "@x = 1\nPOST http://t.test/\nContent-Type: application/json\n\n< a.json\n###\n"
      + "POST http://t.test/\nContent-Type: application/json\n\n<@ a.json"
    #expect(laboratory.lower(source, request: 1).text.hasSuffix("\n\n<a.json>"))
    #expect(laboratory.lower(source, request: 2).text.hasSuffix("\n\n1"))
  }

  @Test func `a value that changes at each use is stable through a definition`() throws {
    let lowered = Laboratory().lower(
      "@id = {{$uuid}}\nGET http://t.test/?a={{id}}&b={{id}}&c={{$uuid}}&d={{$uuid}}")
    let url = try #require(lowered.spec?.url)
    let values = url.split(separator: "?")[1].split(separator: "&").map { $0.dropFirst(2) }
    #expect(values[0] == values[1])
    #expect(values[2] != values[3])
    #expect(values[0].count == 36)
  }

  @Test func `strict refuses unresolved references in bodies`() {
    var laboratory = Laboratory()
    laboratory.isStrict = true
    let lowered = laboratory.lower("POST http://t.test/\nContent-Type: text/plain\n\n{{nope}}")
    #expect(lowered.text == "error: unresolved-variable")
  }

  @Test func `metadata sets options`() {
    let options = Laboratory().lower(
      "# @no-redirect\n# @timeout 30\n# @connection-timeout 2 s\n"
        + "# @no-cookie-jar\n# @insecure\nGET http://t.test/"
    ).settings.options
    #expect(!options.followsRedirects)
    #expect(options.totalTimeoutMilliseconds == 30_000)
    #expect(options.connectTimeoutMilliseconds == 2_000)
    #expect(!options.usesCookieJar)
    #expect(!options.verifiesTLS)
  }

  @Test func `parts of secrets are reported for masking`() {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [
      (.privateFile, #"{"dev": {"header": "X-Key: abc-123", "login": {"pin": 4711}}}"#)
    ]
    let lowered = laboratory.lower("GET http://t.test/{{login.pin}}\n{{header}}")
    #expect(lowered.secrets.isSuperset(of: ["abc-123", "4711"]))
    #expect(lowered.text == "GET http://t.test/4711\nX-Key: abc-123")
  }

  @Test func `a mistyped variable gets a suggestion`() throws {
    let failure = try #require(
      Laboratory().lower("@baseUrl = x\nGET http://t.test/{{baseURL2}}").failure)
    #expect(failure.message.contains("Did you mean `baseUrl`?"))
  }

  @Test(
    "the version may be a reference, or part of one (PK-45)",
    arguments: [
      ("@v = 1.0\nGET http://t.test HTTP/{{v}}", .http10),
      ("@v = 2 (Prior Knowledge)\nGET http://t.test HTTP/{{v}}", .http2PriorKnowledge),
      ("@r = GET http://t.test HTTP/3\n{{r}}", .http3), ("GET http://t.test HTTP/2", .http2),
    ] as [(String, HTTPVersion)])
  func version(_ text: String, _ version: HTTPVersion) {
    #expect(Laboratory().lower(text).spec?.options.httpVersion == version)
  }

  @Test func `the parts of a secret request line are secrets`() {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    laboratory.sources = [
      (.privateFile, #"{"dev": {"r": "GET http://t.test/\nX-Key: tiger-lily"}}"#)
    ]
    #expect(laboratory.lower("{{r}}").secrets.contains("tiger-lily"))
  }

  @Test("a send says which tags have no effect", arguments: MetadataTable.all.map(\.tag))
  func ignored(_ tag: MetadataTag) {
    let entry = tag.entry
    for key in entry.keys where !entry.isOpen {
      let lowered = Laboratory().lower("# @\(key) x\nGET http://t.test")
      let isSaid = lowered.problems.map(\.message).contains("This version ignores `@\(key)`.")
      #expect(isSaid == [.later, .command].contains(entry.status), "\(key)")
    }
  }

  @Test(
    "`@insecure` counts only where it can be nothing else",
    arguments: [
      ("# @insecure\nGET https://t.test", false),
      ("# @insecure = true\nGET https://t.test", true),
      ("POST https://t.test\n\n<a>\n# @insecure\n</a>", true),
    ])
  func insecure(_ text: String, _ verifies: Bool) {
    #expect(Laboratory().lower(text).settings.options.verifiesTLS == verifies)
  }
}
