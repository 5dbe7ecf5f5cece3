// `postkit auth decode`: what a JSON Web Token says.

import PostKitHTTP
import PostKitTestSupport
import Testing

@Suite struct AuthDecodeTests {
  /// `{"alg":"RS256"}`, and claims that ended in 1970.
  private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4iLCJleHAiOjgyMH0.c2ln"

  @Test func `header and claims are printed, times in words`() async throws {
    let bench = try Bench()
    let result = try await bench.postkit("auth", "decode", Self.token)
    #expect(result.status == 0)
    expect(
      result.output,
      is: """
        Header
          alg  RS256
        Claims
          sub  ann
          exp  820  1970-01-01T00:13:40.000Z, expired «any» years ago

        """)
    #expect(result.errorOutput == "The signature was not checked.\n")
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `a token comes from standard input with what stands around it`() async throws {
    let bench = try Bench()
    for text in ["Authorization: Bearer \(Self.token)", "  \\\"\(Self.token)\\\",", Self.token] {
      let result = try await bench.shell("printf '%s\\n' \"\(text)\" | $POSTKIT auth decode -")
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(result.output.contains("sub  ann"))
    }
  }

  @Test func `JSON has the parts and the times`() async throws {
    let bench = try Bench()
    let result = try await bench.postkit("auth", "decode", Self.token, "--json")
    expect(
      result.output,
      is: #"{"header":{"alg":"RS256"},"claims":{"sub":"ann","exp":820},"#
        + #""times":{"exp":"1970-01-01T00:13:40.000Z, expired «any» years ago"},"#
        + #""signature":"not checked"}"# + "\n")
  }

  @Test func `an encrypted token shows its header, and says so`() async throws {
    let head = Base64.encode(
      Array(#"{"alg":"RSA-OAEP"}"#.utf8), alphabet: .url, isPadded: false)
    let result = try await Bench().postkit("auth", "decode", head + ".AA.AA.AA.AA")
    #expect(result.status == 3)
    #expect(result.output.contains("alg  RSA-OAEP"))
    #expect(result.errorOutput.contains("encrypted (JWE)"))
  }

  @Test(arguments: [("opaque", "three parts"), ("a.b.c", "copy the whole token"), ("", "no token")])
  func `what is no token says why`(text: String, words: String) async throws {
    let result = try await Bench().shell("printf '%s' '\(text)' | $POSTKIT auth decode -")
    #expect(result.status == 3)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput.contains(words))
  }

  @Test func `two words are no token`() async throws {
    let result = try await Bench().postkit("auth", "decode", "a.b.c", "d")
    #expect(result.status == 2)
    #expect(result.errorOutput.contains("one token"))
  }
}
