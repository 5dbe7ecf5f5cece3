// Copies without secrets: what stands in their place in each language, and which are found.

import PostKitHTTP
import PostKitTransfer
import Testing

@Suite struct CopySecretTests {
  private static var spec: RequestSpec {
    RequestSpec(
      method: "POST", url: "https://h.example/a?t=s3cret-value",
      headers: [
        ("Content-Type", "text/plain"), ("X-Key", "s3cret-value"), ("X-Pin", "1234"),
        ("X-Other", "12345"),
      ],
      body: [.bytes(Array("a s3cret-value b".utf8))])
  }

  private static let secrets = [
    CopySecret(variable: "apiToken", value: "s3cret-value"),
    CopySecret(variable: "pin", value: "1234"),
  ]

  @Test("a read in each language", arguments: [
    (CopyTarget.python, #"b"a " + os.environ["API_TOKEN"].encode() + b" b""#),
    (.httpx, #"("https://h.example/a?t=" + os.environ["API_TOKEN"])"#),
    (.javascript, #""X-Key": process.env.API_TOKEN,"#),
    (.axios, #"url: ("https://h.example/a?t=" + process.env.API_TOKEN),"#),
    (.go, #"[]byte(("a " + os.Getenv("API_TOKEN") + " b"))"#),
    (.rust, #".header("X-Key", [std::env::var("API_TOKEN")?.as_str()].concat())"#),
    (.java, #".header("X-Pin", System.getenv("PIN"))"#),
    (.kotlin, #"("a " + System.getenv("API_TOKEN") + " b")"#),
    (.csharp, #"GetBytes(("a " + Environment.GetEnvironmentVariable("API_TOKEN") + " b"))"#),
    (.php, #"('X-Key: ' . getenv('API_TOKEN'))"#),
    (.ruby, #"request["X-Key"] = ENV.fetch("API_TOKEN")"#),
    (.powershell, #"-Uri ('https://h.example/a?t=' + $env:API_TOKEN)"#),
    (.swift, #"\(ProcessInfo.processInfo.environment["API_TOKEN"] ?? "")"#),
    (.hurl, "X-Key: {{API_TOKEN}}"),
  ])
  func reads(target: CopyTarget, expected: String) {
    let text = target.text(for: Self.spec, reading: Self.secrets)
    #expect(text.contains(expected), "\(text)")
    #expect(!text.contains("s3cret-value"))
    // A short secret is one where it is all of a value.
    #expect(text.contains("12345") && text.contains("PIN"))
  }

  @Test(arguments: [CopyTarget.curl, .httpie, .wget, .http])
  func `a command line keeps secrets`(target: CopyTarget) {
    #expect(
      target.text(for: Self.spec, reading: Self.secrets) == target.text(for: Self.spec))
  }

  @Test func `credentials are secrets whoever has written them`() {
    var spec = RequestSpec(
      method: "GET", url: "http://h/",
      headers: [("Authorization", "Bearer literal"), ("Cookie", "a=1"), ("cookie", "b=2")])
    spec.options.authentication = .digest(user: "ann", password: "pw")
    let text = CopyTarget.python.text(for: spec, reading: [])
    #expect(text.contains(#""Bearer " + os.environ["TOKEN"]"#))
    #expect(text.contains(#"os.environ["COOKIE"]"#) && text.contains(#"os.environ["COOKIE_2"]"#))
    #expect(text.contains(#"HTTPDigestAuth("ann", os.environ["PASSWORD"])"#))
    #expect(!text.contains("literal") && !text.contains("a=1"))
    #expect(text.contains("import os\n"))
  }

  @Test(
    "a credential is one wherever it stands", arguments: CopyTarget.allCases.filter(\.readsSecrets))
  func everywhere(target: CopyTarget) {
    let body = #"{"token": "tok-plain-9911", "a": "pass-word-1", "b": "pr0xy@word", "c": "tok"}"#
    var spec = RequestSpec(
      method: "POST", url: "http://h/a?access_token=tok-plain-9911&p=pass-word-1",
      headers: [
        ("Content-Type", "application/json"), ("Authorization", "Bearer tok-plain-9911"),
        ("X-T", "tok-plain-9911"), ("Cookie", "sid=open-sesame; t=tok-plain-9911"),
      ],
      body: [.bytes(Array(body.utf8))])
    spec.options.authentication = .digest(user: "ann", password: "pass-word-1")
    spec.options.proxy = "http://ann:pr0xy%40word@proxy:1"
    let text = target.text(for: spec, reading: [])
    for canary in ["tok-plain-9911", "pass-word-1", "pr0xy@word", "pr0xy%40word", "open-sesame"] {
      #expect(!text.contains(canary), "\(canary) in \(text)")
    }
    #expect(text.contains("TOKEN") && text.contains("PASSWORD"), "\(text)")
  }

  @Test func `a short token is one where it is all of a value, and Basic has a password`() {
    let spec = RequestSpec(
      method: "GET", url: "http://h/a?t=tok&u=xtok",
      headers: [("Authorization", "Bearer tok"), ("X-T", "tok"), ("X-Pass", "pass-word-1"),
        ("Proxy-Authorization", "Basic " + Base64.encode(Array("ann:pass-word-1".utf8)))])
    let text = CopyTarget.hurl.text(for: spec, reading: [])
    #expect(text.contains("GET http://h/a?t={{TOKEN}}&u=xtok"), "\(text)")
    #expect(text.contains("Authorization: Bearer {{TOKEN}}"), "\(text)")
    #expect(text.contains("X-T: {{TOKEN}}") && text.contains("X-Pass: {{PASSWORD}}"), "\(text)")
    #expect(text.contains("Proxy-Authorization: {{PROXY_AUTHORIZATION}}"), "\(text)")
  }

  @Test func `a credential with a secret that has a name is read by that name`() {
    let spec = RequestSpec(
      method: "GET", url: "http://h/?t=pre-s3cret-value",
      headers: [("Authorization", "Bearer pre-s3cret-value")])
    let text = CopyTarget.hurl.text(for: spec, reading: Self.secrets)
    #expect(text.contains("GET http://h/?t=pre-{{API_TOKEN}}"), "\(text)")
    #expect(text.contains("Authorization: Bearer pre-{{API_TOKEN}}"), "\(text)")
  }

  @Test func `the forms of a secret in a URL have names of their own`() {
    let spec = RequestSpec(
      method: "GET", url: "http://h/?a=one%20two!", headers: [("X-A", "one two!")])
    let secret = CopySecret(variable: "k", value: "one two!")
    let text = CopyTarget.go.text(for: spec, reading: [secret])
    #expect(text.contains(#"("http://h/?a=" + os.Getenv("K_ENCODED"))"#), "\(text)")
    #expect(text.contains("// K_ENCODED is K as a URL has it"))
    #expect(text.contains(#"os.Getenv("K")"#), "\(text)")
  }

  @Test func `without secrets a copy is as it was`() {
    let spec = RequestSpec(method: "GET", url: "http://h/", headers: [("X-A", "pkSecret0x")])
    for target in CopyTarget.allCases {
      #expect(target.text(for: spec, reading: Self.secrets) == target.text(for: spec))
    }
  }

  @Test(arguments: [("path", "PATH"), ("HOME", "HOME"), ("user", "USER"), ("noProxy", "NO_PROXY")])
  func `no secret has the name of what each environment has`(variable: String, taken: String) {
    #expect(CopySecret(variable: variable, value: "s3cret-value").name == taken + "_SECRET")
    #expect(CopySecret(variable: variable + "_key", value: "s3cret-value").name == taken + "_KEY")
  }

  private static let hidden = [
    CopySecret(variable: "num", value: "12345678"), CopySecret(variable: "shortpw", value: "ab$12"),
  ]

  private static func spec(_ type: String, _ body: String) -> RequestSpec {
    RequestSpec(
      method: "POST", url: "http://h/", headers: [("Content-Type", type)],
      body: [.bytes(Array(body.utf8))])
  }

  @Test(arguments: CopyTarget.allCases.filter(\.readsSecrets), [
    ("multipart/form-data; boundary=b",
      "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n12345678\r\n--b\r\n"
        + "Content-Disposition: form-data; name=\"p\"\r\n\r\nab$12\r\n--b--\r\n"),
    ("application/json", #"{"query":"{ a(b: \"12345678\") }\n","password":"ab$12","n":12345678}"#),
    ("application/json", #"{"a":"\u00fc \\ ` {{x}}","b":"12345678","c" : "ab$12"}"#),
    ("application/x-www-form-urlencoded", "a=12345678&b=ab$12&c=ab%2412"),
  ])
  func `no secret and no mark is left in a body`(
    target: CopyTarget, body: (type: String, text: String)
  ) throws {
    let text = target.text(for: Self.spec(body.type, body.text), reading: Self.hidden)
    #expect(text.contains("NUM") && text.contains("SHORTPW"), "\(text)")
    let runs = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))) }
    let decoded = runs.compactMap { Base64.decode($0).map { String(decoding: $0, as: UTF8.self) } }
    for written in [text] + decoded {
      for canary in ["12345678", "ab$12", "ab%2412", "ab\\$12", "pkSecret"] {
        #expect(!written.contains(canary), "\(canary) in \(text)")
      }
    }
  }

  @Test func `a body that is not plain is a text with reads`() {
    let spec = Self.spec("text/plain", "a\r\n12345678 {{`")
    #expect(
      CopyTarget.hurl.text(for: spec, reading: Self.hidden)
        .hasSuffix(#"`a\r\n{{NUM}} \u{7b}\u{7b}\``"#))
    #expect(
      CopyTarget.powershell.text(for: spec, reading: Self.hidden)
        .contains("([Text.Encoding]::UTF8.GetBytes($env:NUM))"))
  }

  @Test func `beside bytes that are no text a body is as it is sent`() {
    var spec = Self.spec("text/plain", "12345678")
    spec.body.append(.bytes([0xFF]))
    spec.headers.append("X-Num", "12345678")
    let text = CopyTarget.hurl.text(for: spec, reading: Self.hidden)
    #expect(text.hasSuffix("base64,MTIzNDU2Nzj/;"), "\(text)")
    #expect(text.hasPrefix("# The body is as it is sent, with the secrets in it.\n"))
    #expect(text.contains("X-Num: {{NUM}}"))
  }

  @Test func `the material of a signature is read`() {
    var spec = RequestSpec(method: "GET", url: "http://h/")
    spec.options.authentication = .signature(
      AWSSignature(accessKey: "ab$12", secret: "12345678", region: "r", service: "s"))
    let known = CopyTarget.hurl.text(for: spec, reading: Self.hidden)
    #expect(known.contains("user: {{SHORTPW}}:{{NUM}}"), "\(known)")
    let literal = CopyTarget.hurl.text(for: spec, reading: [])
    #expect(literal.contains("user: ab$12:{{SECRET_KEY}}"), "\(literal)")
  }

  @Test func `a short secret is one where it is all of a value of a URL`() {
    var spec = RequestSpec(method: "GET", url: "http://h/ab$12?a=ab$12&b=xab$12#ab$12")
    spec.options.proxy = "http://ann:pw@proxy:1"
    let text = CopyTarget.hurl.text(for: spec, reading: Self.hidden)
    #expect(text.contains("GET http://h/ab$12?a={{SHORTPW}}&b=xab$12"), "\(text)")
    #expect(text.contains("proxy: http://ann:{{PASSWORD}}@proxy:1"), "\(text)")
  }
}
