// Runs that read XML answers: references, `$xpath`, assertions, and what goes wrong.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitRunner

@Suite struct XPathRunTests {
  @Sendable private static func answer(_ request: StubRequest) -> [StubStep] {
    let body: (String, String) =
      switch request.target {
      case "/soap":
        (
          "application/soap+xml",
          #"<s:Env xmlns:s="urn:s"><s:Body><t xmlns="urn:t" k="v">A1</t><n>3</n></s:Body></s:Env>"#
        )
      case "/page": ("text/html", "<title>Hi</title><p>One<br>Two")
      case "/json": ("text/xml", #"{"a": 1}"#)
      default: ("text/plain", request.values("X-Read").joined(separator: "|"))
      }
    return [.response(headers: ["Content-Type: \(body.0)"], body: body.1)]
  }

  /// What a request sends for references into the answers before it.
  private func read(_ references: [String], _ head: String = "") async throws -> [String] {
    let server = try StubServer(XPathRunTests.answer)
    let fields = references.map { "X-Read: \($0)" }.joined(separator: "\n")
    let track = try Track(
      """
      \(head)
      ### page
      GET \(server.url("/page"))

      ### json
      GET \(server.url("/json"))

      ### soap
      GET \(server.url("/soap"))

      ### read
      \(fields.isEmpty ? "" : "GET \(server.url("/read"))\n\(fields)")

      """)
    let result = await track.run().result
    if let failure = result.firstFailure { return [failure.message] }
    let sent = result.outcomes.last?.exchange?.request.headers.values("X-Read") ?? []
    return sent
  }

  @Test func `references and $xpath read XML`() async throws {
    #expect(
      try await read([
        // An absolute path, a function, and a forced one.
        "{{soap.response.body.//t}}", "{{soap.response.body.//t/@k}}",
        "{{soap.response.body.count(//n)}}", "{{soap.response.body.asXml.//s:Body/n}}",
        // The type of the body decides where the selector does not.
        "{{soap.response.body.Env/Body/n}}", "{{page.response.body.html/head/title}}",
        "{{json.response.body.$.a}}",
        "{{$xpath //n}}", "{{$xpath:page //title}}", "{{$xpath:soapResponse string(//n + 1)}}",
      ]) == ["A1", "v", "1", "3", "3", "Hi", "1", "3", "Hi", "4"])
  }

  @Test func `prefixes are what the file says, and variables can be XML`() async throws {
    let head = """
      @xpath_ns a=urn:t
      @doc = <x><y>{{z}}</y></x>
      @z = 9
      """
    #expect(
      try await read(["{{$xpath //a:t}}", "{{$xpath:doc /x/y}}"], head) == ["A1", "9"])
  }

  @Test(arguments: [
    (
      "{{soap.response.body.//t[}}",
      "Invalid XPath in `{{soap.response.body.//t[}}`: this is not XPath 1.0."
    ),
    (
      "{{$xpath //b:t}}",
      "Invalid XPath in `{{$xpath //b:t}}`: unknown prefix; define it "
        + "with `@xpath_ns prefix=uri`."
    ),
    (
      "{{$xpath:json //t}}",
      "`{{$xpath:json //t}}` finds nothing: the body is not XML, line 1: Start tag expected, '<' "
        + "not found."
    ),
    (
      "{{$xpath //none}}",
      "`{{$xpath //none}}` finds nothing: `//none` matches nothing in the body."
    ),
    ("{{$xpath}}", "`$xpath` has wrong arguments. Write `$xpath[:name] expression`."),
    (
      "{{$xpath:nobody //a}}",
      "`nobody` is not defined. Add `@nobody = …` here or put it in an environment file."
    ),
  ])
  func `what finds nothing says why`(_ reference: String, _ message: String) async throws {
    #expect(try await read([reference]) == [message])
  }

  @Test func `assertions check XML`() async throws {
    let server = try StubServer(XPathRunTests.answer)
    let track = try Track(
      """
      @xpath_ns a=urn:t
      ###
      GET \(server.url("/soap"))

      ?? xpath //a:t == A1
      ?? xpath count(//n) > 0
      ?? xpath //n == 4
      ?? xpath //none exists
      ?? xpath //n[ == 3

      """)
    let tests = await track.run().recorded[0].tests
    #expect(tests.map(\.passed) == [true, true, false, false, false])
    #expect(
      tests.suffix(3).map(\.message) == [
        "The value is `3`.",
        "No value: `//none` matches nothing in the body.",
        "`//n[` can't be read: this is not XPath 1.0.",
      ])
  }
}
