// Which configurations share their tokens, and tokens as text.

import PostKitAuth
import Testing

@Suite("Kept tokens")
struct TokenKeyTests {
  private var shop: AuthConfiguration {
    var shop = AuthConfiguration(id: "shop", dialect: .securityAuth, grant: .password)
    shop.tokenURL = "https://id.example/token"
    shop.clientID = "cli"
    shop.username = "ann"
    shop.scope = "a b"
    shop.audiences = ["x", "y"]
    shop.parameters = [
      AuthParameter(name: "p", values: ["1"]), AuthParameter(name: "q", values: ["2"]),
    ]
    return shop
  }

  private func key(
    _ change: (inout AuthConfiguration) -> Void = { _ in }, folder: String = "/w",
    environment: String? = "dev"
  ) -> [UInt8] {
    var shop = shop
    change(&shop)
    return shop.keyMaterial(folder: folder, environment: environment)
  }

  @Test("Neither names and secrets nor an order without meaning tell tokens apart (AU-41)")
  func same() {
    #expect(key { $0.id = "other" } == key())
    #expect(key { $0.clientSecret = "s" } == key())
    #expect(key { $0.password = "p" } == key())
    #expect(key { $0.scope = "b  a" } == key())
    #expect(key { $0.audiences.reverse() } == key())
    #expect(key { $0.parameters.reverse() } == key())
    #expect(key { $0.clientAuthentication = .basic } == key())
  }

  @Test("What decides which token is given tells them apart (AU-41)")
  func different() {
    let changes: [(inout AuthConfiguration) -> Void] = [
      { _ in }, { $0.grant = .clientCredentials }, { $0.tokenURL = "https://id.example/tokens" },
      { $0.issuer = "https://id.example" }, { $0.authorizationURL = "https://id.example/a" },
      { $0.clientID = "cl" }, { $0.username = "bob" }, { $0.scope = "ab" }, { $0.scope = nil },
      { $0.audiences = ["xy"] }, { ($0.audiences, $0.resources) = ([], ["x", "y"]) },
      { $0.parameters[0].values = ["1", "2"] }, { $0.parameters[0].use = .token },
      { $0.redirectURI = "http://localhost:1/" }, { $0.exchange = [$0] },
      { shop in
        var other = shop
        other.clientID = "c2"
        shop.exchange = [other]
      },
    ]
    let keys = changes.map { key($0) } + [key(folder: "/v"), key(environment: nil)]
      + [key(environment: "")]
    #expect(Set(keys).count == keys.count)
  }

  @Test("Whom an assertion stands for tells them apart, and so do written tokens")
  func assertions() {
    func bearer(_ claims: String) -> [UInt8] {
      key {
        $0.grant = .jwtBearer
        $0.assertion.claims = claims
      }
    }
    #expect(bearer(#"{"sub":"a"}"#) != bearer(#"{"sub":"b"}"#))
    func mock(_ id: String) -> [UInt8] {
      key {
        $0.grant = .mock
        $0.id = id
      }
    }
    #expect(mock("a") != mock("b"))
  }

  @Test("Tokens come back from their text as they were")
  func json() throws {
    var tokens = TokenSet(accessToken: "a\"b", acquired: 1_700_000_000_000)
    #expect(TokenSet(json: tokens.json) == tokens)
    tokens.scheme = "PoP"
    tokens.refreshToken = "r"
    tokens.idToken = "i"
    tokens.scope = "x y"
    tokens.expires = 1_700_000_060_000
    tokens.refreshExpires = 1_800_000_000_000
    tokens.nonce = "n"
    tokens.remarks = ["One.", "Two."]
    let ways: [ClientAuthentication] = [.basic, .body, .none, .secretJWT, .privateKeyJWT, .tls]
    for way in ways {
      tokens.clientAuthentication = way
      #expect(TokenSet(json: tokens.json) == tokens)
    }
  }

  @Test("A text that is none of ours is none", arguments: ["", "{}", "[]", #"{"accessToken":1}"#])
  func spoiled(_ text: String) {
    #expect(TokenSet(json: text) == nil)
  }
}
