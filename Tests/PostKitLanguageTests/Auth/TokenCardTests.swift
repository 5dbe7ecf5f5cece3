// What a hover says of a token, where tokens are found, and what they are called across files.

import PostKitAuth
import PostKitEvaluate
import PostKitLanguage
import PostKitTestSupport
import Testing

private let environment = #"""
  {"dev": {"host": "https://id.test:8443", "Security": {"Auth": {
    "shop": {"Grant Type": "Authorization Code", "Auth URL": "https://id.test/authorize",
      "Token URL": "{{host}}/token", "Client ID": "c`li", "Scope": "openid", "Client Secret": "hush"}
  }}}}
  """#

private func bench(_ text: String = environment) -> Bench {
  var bench = Bench()
  bench.sources = [(.publicFile, text)]
  return bench
}

@Suite struct TokenCardTests {
  private func configuration(_ grant: Grant = .authorizationCode) throws -> AuthConfiguration {
    let text = MarkedText("GET https://a.test/\nAuthorization: Bearer ⏩{{$auth.to1️⃣ken('shop')}}⏪\n")
    let found = try #require(bench().analysis(text.bytes).token(at: text.offset()))
    #expect(found.range == text.selections.first)
    var result = found.configuration
    result.grant = grant
    return result
  }

  private func state(_ kept: KeptToken?, _ grant: Grant = .authorizationCode) throws -> String {
    TokenCard(try configuration(grant), kept: kept, now: 1_000_000) { "at \($0)" }.state
  }

  @Test func `A card has grant, hosts, client, scope and state, and no secret`() throws {
    var card = TokenCard(try configuration(), kept: nil, now: 0) { "\($0)" }
    card.links = [HoverLink(title: "Sign in", uri: "command:postkit.signIn?%5B%5D")]
    expect(
      card.markdown,
      is: """
        **shop**: Authorization Code

        at `id.test`, `id.test:8443`, client `` c`li ``, scope `openid`

        Token: none: the next send signs in with a browser.

        [Sign in](command:postkit.signIn?%5B%5D)
        """)
    #expect(!card.markdown.contains("hush"))
  }

  @Test func `The state says how long the token holds and what a send does`() throws {
    func kept(_ expires: Int64?, refreshable: Bool = false, refused: Bool = false) -> KeptToken {
      KeptToken(
        subject: "ann", acquired: 100_000, expires: expires, isRefreshable: refreshable,
        isRefused: refused)
    }
    #expect(
      try state(kept(1_000_000 + 12 * 60_000)) == "valid for 12 min, as `ann`; got at 100000.")
    #expect(try state(kept(nil)) == "valid, as `ann`, nobody knows how long; got at 100000.")
    #expect(
      try state(kept(900_000, refreshable: true))
        == "expired, can be refreshed, as `ann`; got at 100000.")
    #expect(
      try state(kept(900_000))
        == "expired, as `ann`; got at 100000. The next send signs in with a browser.")
    #expect(
      try state(kept(nil, refused: true), .clientCredentials)
        == "refused by the server, as `ann`; got at 100000. The next send gets one.")
    #expect(try state(nil, .deviceCode) == "none: the next send shows a code to sign in with.")
    #expect(try state(nil, .mock) == "written in the file.")
  }

  @Test func `Tokens are found at headers in httpYac's form, too`() throws {
    let text = MarkedText(
      """
      @bank_tokenEndpoint = http://id.test/token
      @bank_clientId = cli
      @bank_clientSecret = hush

      GET https://a.test/
      Authorization: ⏩oauth2 client_cre1️⃣dentials bank⏪
      """)
    let analysis = Bench().analysis(text.bytes)
    let found = try #require(analysis.token(at: text.offset()))
    #expect(found.range == text.selections.first && found.configuration.id == "bank")
    #expect(analysis.diagnostics(limit: 9).contains {
      $0.code == .authCleartext && $0.range == found.range
    })
    #expect(Bench().analysis("GET https://a.test/\nAuthorization: Basic a b").token(at: 35) == nil)
  }

  @Test func `Who names a client with a mistake is told at the reference`() {
    checkDiagnostics(
      bench(#"{"dev": {"Security": {"Auth": {"shop": {"Grant Type": "Implicit"}}}}}"#),
      is: """
        GET https://a.test/
        Authorization: Bearer {{$auth.token("shop")}}
        #                     ^^^^^^^^^^^^^^^^^^^^^^^ error auth-incomplete: `shop` needs `Auth URL` and `Client ID` for the grant Implicit. Add them to publicFile.json.
        """)
    checkDiagnostics(
      bench(environment.replacing("{{host}}", with: "{{hots}}")),
      is: """
        GET https://a.test/
        Authorization: Bearer {{$auth.token("shop")}}
        #                     ^^^^^^^^^^^^^^^^^^^^^^^ error unresolved-variable: «any» It is named in publicFile.json, line 3.
        """)
  }

  @Test func `A client in its own file is found with the environment around it`() throws {
    let text = MarkedText(environment.replacing("\"shop\"", with: "⏩\"sh1️⃣op\"⏪"))
    let kind = EnvironmentSource.Kind.publicFile
    let file = SourceFile(path: "/p/http-client.env.json", bytes: text.bytes)
    let source = EnvironmentSource(kind: kind, file: file)
    let document = EnvironmentDocument(kind, file, among: [source])
    let sets = ["prod", "dev"].map { EnvironmentSet(sources: [source], active: $0) }
    let world = bench().analysis("GET /").context
    let found = try #require(document.token(at: text.offset(), in: sets, world, Dialect()))
    #expect(found.environment == "dev" && found.place.range == text.selections.first)
    #expect(found.place.configuration.tokenURL == "https://id.test:8443/token")
    #expect(document.token(at: 3, in: sets, world, Dialect()) == nil)
  }

  @Test func `A client means the same in environments and in references`() throws {
    let files = """
      -- http-client.env.json --
      {"dev": {"Security": {"Auth": {"⏩shop⏪": {}, "bank": {}}}}}
      -- http-client.private.env.json --
      {"dev": {"Security": {"Auth": {"⏩shop⏪": {"Client Secret": "x"}}}}}
      -- a.http --
      GET https://a.test/{{$auth.token("⏩sh1️⃣op⏪")}}
      -- sub/b.http --
      GET https://a.test/{{$auth.idToken('⏩shop⏪')}}{{shop}}

      """
    checkUses(files)
    let project = Project(files)
    let (path, offset) = project.caret
    let index = project.index()
    let renamed = try index.rename(in: path, at: offset, to: "store", kept: [])
    #expect(renamed.map(\.edits.count) == [1, 1, 1, 1])
    #expect(throws: RenameRefusal.self) {
      try index.rename(in: path, at: offset, to: "bank", kept: [])
    }
  }

  @Test func `A page of claims has the claims and never the token`() {
    let header = "eyJhbGciOiJub25lIn0"
    let text = ClaimsDocument.markdown(
      of: "shop", environment: "dev",
      tokens: [("Access token", "opaque-token"), ("ID token", header + ".eyJzdWIiOiJhbm4ifQ.")],
      now: 0)
    expect(
      text,
      is: """
        # Tokens of `shop` in the environment `dev`

        ## Access token

        It is no JSON Web Token, so that only the provider can read it.

        ## ID token

        | Claim | Value |
        | --- | --- |
        | `sub` | `ann` |

        | Header | Value |
        | --- | --- |
        | `alg` | `none` |

        The signature was not checked.

        """)
  }
}
