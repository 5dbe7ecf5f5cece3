// What is offered in clients of `Security.Auth`, behind `$auth.token(`, and in `Authorization`.

import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

/// What is offered in a file of environments.
private func items(_ marked: String, beside others: [String] = []) -> [CompletionItem] {
  let text = MarkedText(marked)
  return EnvironmentFileCompletion.answer(
    text.bytes, of: .publicFile, at: text.offset(), others: others.map { Array($0.utf8) },
    wanted: [], limit: 200
  ).items
}

@Suite struct ClientCompletionTests {
  @Test func `A client is offered the keys that its grant uses and it lacks`() {
    let head = #"{"dev": {"Security": {"Auth": {"shop": {"#
    let password = items(head + #""Grant Type": "Password", 1️⃣}}}}}"#)
    let labels = password.map(\.label)
    #expect(labels.contains("Username") && labels.contains("Token URL"))
    #expect(!labels.contains("Grant Type") && !labels.contains("Auth URL"))
    #expect(password.first { $0.label == "Password" }?.snippet == #""Password": "$1""#)
    #expect(password.first { $0.label == "Password" }?.detail == "a secret")
    // The grant may stand in the file beside.
    let beside = head + #""Grant Type": "Device Authorization"}}}}}"#
    #expect(items(head + "1️⃣}}}}}", beside: [beside]).contains { $0.label == "Device Auth URL" })
    #expect(!items(head + "1️⃣}}}}}", beside: [beside]).contains { $0.label == "Auth URL" })
    #expect(
      items(head + #""PKCE": {1️⃣}}}}}}"#).map(\.label)
        == ["Code Challenge Method", "Code Verifier"])
    #expect(
      items(head + #""Custom Headers": {"X-A": {1️⃣}}}}}}}"#).map(\.label) == ["Value", "Use"])
    #expect(items(head + #""Custom Headers": {1️⃣}}}}}}"#).isEmpty)
  }

  @Test func `Closed lists and truth values are offered as values`() {
    let head = #"{"dev": {"Security": {"Auth": {"shop": {"#
    #expect(
      items(head + #""Grant Type": "1️⃣"}}}}}"#).map(\.text).prefix(2)
        == [#""Authorization Code""#, #""Client Credentials""#])
    #expect(items(head + #""Acquire Automatically": 1️⃣}}}}}"#).map(\.label) == ["true", "false"])
    #expect(items(head + #""Token URL": "1️⃣"}}}}}"#).isEmpty)
  }

  @Test func `An environment is led to its clients, and these are offered whole`() {
    #expect(items(#"{"dev": {1️⃣}}"#).map(\.snippet) == [#""Security": {"Auth": {$1\}\}"#])
    #expect(items(#"{"dev": {"Security": {1️⃣}}}"#).map(\.snippet) == [#""Auth": {$1\}"#])
    let whole = items(#"{"dev": {"Security": {"Auth": {1️⃣}}}}"#)
    #expect(
      whole.map(\.label) == [
        "Authorization Code", "Client Credentials", "Device Authorization", "Password", "Implicit",
      ])
    expect(
      whole[1].text,
      is: """
        "shop": {
          "Type": "OAuth2",
          "Grant Type": "Client Credentials",
          "Token URL": "",
          "Client ID": "",
          "Scope": ""
        }
        """)
    #expect(whole[1].snippet?.contains(#""Token URL": "$2""#) == true)
    #expect(
      whole[1].documentation == "Write `Client Secret` into http-client.private.env.json.")
  }

  private static let environment = #"""
    {"dev": {"Security": {"Auth": {
      "shop": {"Type": "OAuth2", "Grant Type": "Client Credentials", "Client Secret": "hush"},
      "bank": {"Type": "OAuth2"}
    }}}}
    """#

  private func completions(_ marked: String) -> [CompletionItem] {
    var bench = Bench()
    bench.sources = [(.publicFile, Self.environment)]
    let text = MarkedText(marked)
    return bench.analysis(text.bytes).completion(at: text.offset()).items
  }

  @Test func `Clients are offered between the quotes of a token, with grant and file`() {
    for (written, texts) in [
      ("{{$auth.token(\"1️⃣", ["bank\")}}", "shop\")}}"]),
      ("{{$auth.token(1️⃣)}}", ["\"bank\"", "\"shop\""]),
      ("{{$auth.token(\"1️⃣\")}}", ["bank", "shop"]),
      ("{{ $auth.idToken( 'b1️⃣}}", ["bank')", "shop')"]),
    ] {
      let items = completions("GET https://a.test/\nAuthorization: Bearer \(written)")
      #expect(items.map(\.text) == texts.filter { !written.contains("'b") || $0.contains("bank") })
      #expect(items.last?.detail?.contains("publicFile.json") == true)
    }
    let shop = completions("GET https://a.test/{{$auth.token(\"s1️⃣\")}}")
    #expect(shop.map(\.detail) == ["Client Credentials, publicFile.json"])
    #expect(completions("GET https://a.test/{{$auth.token(\"shop\"1️⃣)}}").isEmpty)
  }

  @Test func `A header is offered tokens of clients, and prefixes that have variables`() {
    let head = "@bank_tokenEndpoint = https://b.test\n@bank_deviceCodeEndpoint = x\n"
    let request = "GET https://a.test/\nAuthorization: 1️⃣"
    let labels = completions(head + request).map(\.label)
    #expect(labels.contains("Bearer {{$auth.token(\"shop\")}}"))
    #expect(
      labels.filter { $0.hasPrefix("oauth2") }
        == ["oauth2 client_credentials bank", "oauth2 device_code bank"])
    #expect(completions(request).map(\.label).contains("oauth2 authorization_code"))
    #expect(!completions(head + request).contains { "\($0)".contains("hush") })
  }
}
