// What copies for further languages look like, in `Golden/copies`: a request with fields, a body of
// several lines and options, and one with all that a program may lack.

import PostKitHTTP
import PostKitTestSupport
import PostKitTransfer
import Testing

@Suite struct CopiedCodeTests {
  private static var plain: RequestSpec {
    var options = TransferOptions()
    options.totalTimeoutMilliseconds = 2_500
    options.followsRedirects = false
    return RequestSpec(
      method: "POST", url: "https://h.example/orders?a=1",
      headers: [
        ("Content-Type", "application/json"), ("User-Agent", "p"), ("X-Price", "$5 {x}"),
      ],
      body: [.bytes(Array("{\n  \"a\": \"it's\"\n}".utf8))], options: options)
  }

  private static var lacking: RequestSpec {
    var options = TransferOptions()
    options.httpVersion = .http3
    options.authentication = .ntlm(user: "ann", password: "p")
    options.verifiesTLS = false
    options.certificateAuthorityFile = "/ca.pem"
    options.clientCertificateFile = "/c.pem"
    options.clientKeyPassphrase = "x"
    options.proxy = "http://p:8080"
    options.connectTimeoutMilliseconds = 100
    options.keepsMethod = true
    options.redirectLimit = 3
    return RequestSpec(
      method: "PURGE", url: "https://h/a/../b?c={d}", requestTarget: "*",
      headers: [("Host", "other"), ("x-a", "1"), ("X-A", "2"), ("Transfer-Encoding", "chunked")],
      body: [.bytes([0xFF, 0]), .file(path: "/f.bin")], options: options)
  }

  @Test("code in a language", arguments: [
    CopyTarget.httpx, .axios, .go, .rust, .java, .kotlin, .csharp, .php, .ruby, .powershell, .hurl,
  ])
  func code(target: CopyTarget) {
    let name = "\(target.rawValue).\(target.fileExtension).txt"
    Golden.check(target.text(for: CopiedCodeTests.plain) + "\n", "copies/plain-\(name)")
    Golden.check(target.text(for: CopiedCodeTests.lacking) + "\n", "copies/lacking-\(name)")
  }
}
