// How long a token can be used.

import PostKitAuth
import Testing

@Suite("How long a token holds")
struct TokenSetTests {
  @Test(
    "A token ends a minute early, or by a tenth of its life where that is less (AU-42)",
    arguments: [
      (lifetime: 3_600_000 as Int64, last: 3_539_999 as Int64), (lifetime: 5_000, last: 4_499),
    ])
  func ends(_ life: (lifetime: Int64, last: Int64)) {
    var tokens = TokenSet(accessToken: "a", acquired: 1_000)
    tokens.expires = 1_000 + life.lifetime
    #expect(tokens.isValid(at: 1_000 + life.last))
    #expect(!tokens.isValid(at: 1_000 + life.last + 1))
  }

  @Test("A token of which nobody knows the end is used")
  func noEnd() {
    #expect(TokenSet(accessToken: "a", acquired: 0).isValid(at: .max))
  }
}
