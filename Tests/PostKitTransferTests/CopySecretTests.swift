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
}
