// Requests of the history, found again in their files.

import PostKitHTTP
import PostKitSyntax
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct KeptRequestTests {
  private func exchange(_ template: String, name: String? = nil) -> Exchange {
    var exchange = Exchange(
      id: "1", startedAt: 0, file: "/a.http", line: 1, template: template,
      request: SentRequest(method: "GET", url: "http://a.test/", headers: []), state: .done)
    exchange.requestName = name
    return exchange
  }

  /// What is sent for a kept request, with the remark in front; or why nothing is.
  private func found(
    _ template: String, name: String? = nil, in file: String?, format: DocumentFormat = .http
  ) -> String {
    let document = file.map { ParsedDocument(bytes: Array($0.utf8), format: format) }
    switch KeptRequest.find(exchange(template, name: name), in: document) {
    case .failure(let failure): return "\(failure.code.rawValue): \(failure.message)"
    case .success(let request):
      let again = ParsedDocument(bytes: request.bytes, format: format)
      guard let block = again.block(at: request.offset) else { return "nothing" }
      let text = String(decoding: again.bytes[block.range], as: UTF8.self)
      return (request.remark.map { $0 + "\n" } ?? "") + text
    }
  }

  private static let file = """
    @host = http://a.test
    GET {{host}}/first

    ### login
    POST {{host}}/login
    Authorization: Bearer literal

    {}

    ### last
    GET {{host}}/last

    """

  @Test func `a request that is as it was is sent from its file`() {
    expect(
      found("@host = http://a.test\nGET {{host}}/first", in: Self.file),
      is: "@host = http://a.test\nGET {{host}}/first\n\n")
    expect(
      found("### last\nGET {{host}}/last", name: "last", in: Self.file),
      is: "### last\nGET {{host}}/last\n")
  }

  @Test func `its secrets are those of the file`() {
    let kept = "### login\nPOST {{host}}/login\nAuthorization: Bearer ••••••\n\n{}\n"
    expect(
      found(kept, name: "login", in: Self.file),
      is: "### login\nPOST {{host}}/login\nAuthorization: Bearer literal\n\n{}\n\n")
  }

  @Test func `one that has changed is sent as it was kept`() {
    expect(
      found("### login\nGET {{host}}/old", name: "login", in: Self.file),
      is: """
        /a.http has changed `login`; PostKit sends it as recorded.
        ### login
        GET {{host}}/old

        """)
    expect(
      found("GET {{host}}/old", in: Self.file),
      is: """
        /a.http no longer has `GET http://a.test/`; PostKit sends it as recorded.
        ###
        GET {{host}}/old

        """)
  }

  @Test func `without its file it stands alone`() {
    expect(
      found("### x\nGET http://a.test/", name: "x", in: nil),
      is: """
        /a.http is gone with its definitions; PostKit sends `x` as recorded.
        ### x
        GET http://a.test/
        """)
  }

  @Test(arguments: [nil, "### login\nGET http://a.test/"])
  func `a mask is never sent`(file: String?) {
    let place = file == nil ? "is gone" : "no longer has this request"
    expect(
      found("### login\nGET http://a.test/\nCookie: ••••••", name: "login", in: file),
      is: """
        unresolved-variable: The history has `login` without its secrets, and /a.http \(place). Write it \
        there again, with a variable for the secret.
        """)
  }

  @Test func `a kept request of a Markdown file is one of a code block again`() {
    let file = "# Doc\n\n```http\nGET http://a.test/now\n```\n"
    #expect(
      found("GET http://a.test/then", in: file, format: .markdown)
        .contains("GET http://a.test/then"))
  }
}
