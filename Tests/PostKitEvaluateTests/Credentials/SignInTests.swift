// References to tokens of `Security.Auth`: needs, answers, and what is wrong with clients.

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import Testing

@Suite struct SignInTests {
  /// A client that is complete, with more members.
  static func shop(_ more: String = "") -> String {
    """
    {"Type": "OAuth2", "Grant Type": "Client Credentials", "Token URL": "https://id.test/token",
     "Client ID": "cli"\(more.isEmpty ? "" : ", " + more)}
    """
  }

  static func file(_ client: String) -> String {
    "{\"dev\": {\"Security\": {\"Auth\": {\"shop\": \(client)}}}}"
  }

  private func laboratory(
    _ publicFile: String, _ privateFile: String? = nil, environment: String? = "dev"
  ) -> Laboratory {
    var laboratory = Laboratory()
    laboratory.environment = environment
    laboratory.sources = [(.publicFile, publicFile)]
    if let privateFile { laboratory.sources.append((.privateFile, privateFile)) }
    return laboratory
  }

  private static let complete = file(shop("\"Client Secret\": \"s3cret\""))

  @Test(
    "all spellings of a reference",
    arguments: [
      ("$auth.token(\"shop\")", .access), ("$auth.token('shop')", .access),
      ("$auth.token(shop)", .access), ("$auth.token( \"shop\" )", .access),
      ("$auth.token (\"shop\")", .access), (" $auth.token(\"shop\") ", .access),
      ("$auth.idToken(\"shop\")", .id), ("$auth.token shop", .access),
    ] as [(String, TokenNeed.Kind)])
  func spellings(_ reference: String, _ kind: TokenNeed.Kind) {
    let lowered = laboratory(Self.complete).lower("GET http://t.test/{{\(reference)}}")
    let need = lowered.needs.first?.token
    #expect(need?.configuration.id == "shop" && need?.kind == kind)
    #expect(lowered.problems == [])
  }

  @Test(
    "a reference without an id",
    arguments: ["$auth.token", "$auth.token()", "$auth.token(\"\")", "$auth.idToken('')"])
  func withoutID(_ reference: String) {
    let lowered = laboratory(Self.complete).lower("GET http://t.test/{{\(reference)}}")
    #expect(lowered.failure?.code.rawValue == "dynamic-arguments")
  }

  @Test func `header, target and body need one token, and have it when it is there`() {
    let text = """
      @bearer = Bearer {{$auth.token("shop")}}
      POST http://t.test/?t={{$auth.token("shop")}}
      Authorization: {{bearer}}
      X-Id: {{$auth.idToken('shop')}}
      Content-Type: text/plain

      {{$auth.token(shop)}}
      """
    let laboratory = laboratory(Self.complete)
    let open = laboratory.lower(text)
    #expect(open.failure == nil)
    #expect(open.needs.compactMap(\.token).map(\.kind) == [.access, .id])
    let lowered = laboratory.lowerWithTokens(text)
    #expect(
      lowered.text == """
        POST http://t.test/?t=access-1
        Authorization: Bearer access-1
        X-Id: id-1
        Content-Type: text/plain

        access-1
        """)
    #expect(lowered.secrets.isSuperset(of: ["access-1", "id-1", "s3cret"]))
  }

  @Test func `files are merged by key, and references in values are replaced`() throws {
    let laboratory = laboratory(
      """
      {"$shared": {"Security": {"Auth": {"shop": {"Scope": "all", "Client ID": "shared"}}}},
       "dev": {"host": "id.test", "Security": {"Auth": {"shop": {
         "Type": "OAuth2", "Grant Type": "Password", "Token URL": "https://{{host}}/token",
         "Client ID": "cli", "Username": "{{user}}", "Password": "{{pw}}",
         "Custom Request Parameters": {"audience": ["{{host}}", "b"]}}}}}}
      """,
      """
      {"dev": {"pw": "pr1vate", "Security": {"Auth": {"shop": {
        "Client Secret": "{{pw}}2", "Custom Headers": {"X-Key": "k3y"}}}}}}
      """)
    let lowered = laboratory.lower(
      "@user = ann\nGET http://t.test/\nAuthorization: Bearer {{$auth.token(\"shop\")}}")
    let read = try #require(lowered.needs.first?.token?.configuration)
    #expect(read.tokenURL == "https://id.test/token")
    #expect(read.scope == "all" && read.clientID == "cli")
    #expect(read.username == "ann" && read.password == "pr1vate")
    #expect(read.clientSecret == "pr1vate2")
    #expect(read.parameters == [AuthParameter(name: "audience", values: ["id.test", "b"])])
    #expect(lowered.secrets.isSuperset(of: ["pr1vate", "pr1vate2", "k3y"]))
    #expect(!lowered.secrets.contains("cli"))
  }

  @Test func `a name that nothing defines is a mistake of the environment file`() throws {
    let file = Self.file(Self.shop("\"Client Secret\": \"{{missing}}\""))
    let text = "GET http://t.test/?{{$auth.token(\"shop\")}}&{{$auth.idToken(\"shop\")}}"
    let lowered = laboratory(file).lower(text)
    let problem = try #require(lowered.failure)
    #expect(lowered.problems.count == 1)
    #expect(problem.code == .unresolvedVariable)
    #expect(problem.message.hasPrefix("`missing` is not defined."))
    #expect(problem.path == "/project/publicFile")
    let range = try #require(file.utf8.firstRange(of: "\"{{missing}}\"".utf8))
    let offset = file.utf8.distance(from: file.startIndex, to: range.lowerBound)
    #expect(problem.range.lowerBound == offset)
    #expect(problem.position?.line == 2)
    #expect(lowered.spec == nil && lowered.needs.isEmpty)
  }

  @Test(
    "what is wrong with a client keeps the request from being sent, also in a body",
    arguments: [
      (Self.shop(), "auth-incomplete"), ("{\"Grant Type\": \"magic\"}", "auth-grant-unknown"),
      (
        Self.shop("\"Custom Request Parameters\": {\"state\": \"x\"}"), "auth-parameter-reserved"
      ),
    ])
  func mistakes(_ client: String, _ code: String) {
    let text = "POST http://t.test/\n\n{{$auth.token(\"shop\")}}"
    let lowered = laboratory(Self.file(client)).lower(text)
    #expect(lowered.failure?.code.rawValue == code)
    #expect(lowered.failure?.code.exitCode == 3)
    #expect(lowered.needs.isEmpty)
  }

  @Test(
    "an id that no chosen environment has",
    arguments: [
      ("shpo", "dev", "Environment `dev` has no sign-in `shpo`. Did you mean `shop`?"),
      (
        "shop", nil,
        "No environment is selected that has the sign-in `shop`. It is defined in `dev`: choose "
          + "that environment."
      ),
      ("other", "dev", "Environment `dev` has no sign-in `other`. It has: shop."),
    ] as [(String, String?, String)])
  func unknown(_ id: String, _ environment: String?, _ message: String) {
    let lowered = laboratory(Self.complete, environment: environment)
      .lower("POST http://t.test/\n\n{{$auth.token(\"\(id)\")}}")
    #expect(lowered.failure?.code.rawValue == "auth-unknown-id")
    #expect(lowered.failure?.message == message)
  }

  @Test func `a token that was handed in needs no client`() {
    var laboratory = laboratory("{}", environment: nil)
    let text = "GET http://t.test/\nAuthorization: Bearer {{$auth.token(\"my shop\")}}"
    laboratory.processEnvironment = ["POSTKIT_TOKEN_MY_SHOP": "from-env"]
    #expect(laboratory.lower(text).text.hasSuffix("Bearer from-env"))
    laboratory.overrides = ["auth.my shop": "from-line"]
    let lowered = laboratory.lower(text)
    #expect(lowered.text.hasSuffix("Bearer from-line"))
    #expect(lowered.secrets.contains("from-line") && lowered.needs.isEmpty)
  }

  @Test func `a client that needs its own token is no endless loop`() {
    let file = Self.file(Self.shop("\"Client Secret\": \"{{$auth.token('shop')}}\""))
    let lowered = laboratory(file).lower("GET http://t.test/{{$auth.token(\"shop\")}}")
    #expect(lowered.failure?.code == .variableCycle)
  }

  @Test func `a client can need the token of another one first`() {
    let file = """
      {"dev": {"Security": {"Auth": {
        "shop": \(Self.shop("\"Client Secret\": \"{{$auth.token('first')}}\"")),
        "first": \(Self.shop("\"Client Secret\": \"s\""))}}}}
      """
    let laboratory = laboratory(file)
    let text = "GET http://t.test/{{$auth.token(\"shop\")}}"
    #expect(laboratory.lower(text).needs.compactMap(\.token?.configuration.id) == ["first"])
    #expect(laboratory.lowerWithTokens(text).text == "GET http://t.test/access-2")
  }

  @Test func `questions of a client come before its token`() {
    let file = Self.file(Self.shop("\"Client Secret\": \"{{$password pin}}\""))
    var laboratory = laboratory(file)
    let text = "GET http://t.test/{{$auth.token(\"shop\")}}"
    let open = laboratory.lower(text)
    #expect(open.needs.compactMap(\.prompt?.name) == ["pin"])
    #expect(open.needs.compactMap(\.token).isEmpty)
    laboratory.answers = ["pin": "1234"]
    #expect(laboratory.lowerWithTokens(text).text == "GET http://t.test/access-1")
  }

  @Test func `values that change at each use don't ask for a token again`() {
    let file = Self.file(
      Self.shop("\"Client Secret\": \"s\", \"Custom Headers\": {\"X-Id\": \"{{$uuid}}\"}"))
    let lowered = laboratory(file)
      .lowerWithTokens("GET http://t.test/{{$auth.token(\"shop\")}}")
    #expect(lowered.text == "GET http://t.test/access-1")
  }

  @Test func `a stored environment has its clients in a text`() {
    var laboratory = Laboratory()
    laboratory.environment = "dev"
    let text = JSONValue.string("{\"Auth\": {\"shop\": \(Self.shop("\"Client Secret\": \"s\""))}}")
    laboratory.sources = [(.stored(secrets: []), "{\"dev\": {\"Security\": \(text.text)}}")]
    let lowered = laboratory.lower("GET http://t.test/{{$auth.token(\"shop\")}}")
    #expect(lowered.needs.first?.token?.configuration.clientID == "cli")
  }

  @Test func `a script learns of a token what a text does`() {
    let document = ParsedDocument(bytes: Array("GET http://t.test/".utf8))
    var evaluator = laboratory(Self.complete).evaluator(document)
    let reference = TokenReference(name: "auth.token", arguments: "shop")
    guard let reference,
      case .need(let need) = evaluator.token(reference, at: 0..<0, offset: 0)
    else {
      Issue.record("no need")
      return
    }
    #expect(need.configuration.clientID == "cli")
    #expect(evaluator.needs.isEmpty)
  }
}
