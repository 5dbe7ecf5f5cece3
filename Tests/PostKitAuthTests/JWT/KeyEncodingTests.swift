// Keys and signatures in DER.

import PostKitHTTP
import PostKitJSON
import Testing

@testable import PostKitAuth

@Suite("Keys are written as libraries read them")
struct KeyEncodingTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func problem(_ text: String) -> KeyProblem? {
    do throws(KeyProblem) { _ = try KeyEncoding.privateKey(text) } catch { return error }
    return nil
  }

  @Test func `Numbers are as short as they can be, and never negative`() {
    #expect(hex(DER.integer([])) == "020100")
    #expect(hex(DER.integer([0, 0])) == "020100")
    #expect(hex(DER.integer([0, 0x7F])) == "02017f")
    #expect(hex(DER.integer([0x80])) == "02020080")
  }

  @Test func `Lengths have as many bytes as they need`() {
    #expect(hex(Array(DER.octets([UInt8](repeating: 1, count: 127)).prefix(2))) == "047f")
    #expect(hex(Array(DER.octets([UInt8](repeating: 1, count: 128)).prefix(3))) == "048180")
    #expect(hex(Array(DER.octets([UInt8](repeating: 1, count: 256)).prefix(4))) == "04820100")
  }

  @Test(arguments: EllipticCurve.allCases)
  func `Signatures on curves have two forms`(curve: EllipticCurve) {
    let size = curve.size
    for first in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
      let numbers = [first] + [UInt8](repeating: 0xA5, count: size - 1)
        + [UInt8](repeating: 0, count: size - 1) + [first]
      let sequence = EllipticSignature.sequence(numbers, curve)
      #expect(sequence.flatMap { EllipticSignature.numbers($0, curve) } == numbers)
    }
    #expect(EllipticSignature.sequence([UInt8](repeating: 1, count: 2 * size - 1), curve) == nil)
    #expect(EllipticSignature.sequence([], curve) == nil)
  }

  @Test func `What is no signature on a curve is none`() {
    let right: [UInt8] = [0x30, 6, 2, 1, 1, 2, 1, 2]
    #expect(EllipticSignature.numbers(right, .p256)?.count == 64)
    #expect(EllipticSignature.numbers([], .p256) == nil)
    #expect(EllipticSignature.numbers(right + [0], .p256) == nil)
    #expect(EllipticSignature.numbers([0x30, 0x84, 1, 1, 1, 1], .p256) == nil)
    for place in right.indices {
      #expect(EllipticSignature.numbers(Array(right[..<place]), .p256) == nil)
    }
    let long = DER.integer([UInt8](repeating: 0x11, count: 33))
    #expect(EllipticSignature.numbers(DER.sequence(long, DER.integer([1])), .p256) == nil)
  }

  @Test func `A key on Edwards' curve is the one of RFC 8410`() throws {
    let key = try #require(
      WebKey(["kty": "OKP", "crv": "Ed25519", "x": "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"]))
    let text = Base64.encode(try KeyEncoding.publicKey(key))
    #expect(text == "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=")
  }

  @Test(
    arguments: [
      ("", "neither PEM"), ("secret", "neither PEM"), ("{", "is no JSON Web Key"),
      ("{}", "has no `kty`"), (#"{"kty":"RSA"}"#, "public one"),
      (#"{"kty":"RSA","d":"AQ","n":"AQ"}"#, "`e`, `p`, `q`, `dp`, `dq` and `qi`"),
      (#"{"kty":"EC","crv":"secp256k1","d":"AQ"}"#, "secp256k1"),
      (#"{"kty":"OKP","crv":"X25519","d":"AQ"}"#, "X25519"),
      (#"{"kty":"oct","k":"AQ","d":"AQ"}"#, "`oct`"),
      (#"{"kty":"EC","crv":"P-256","d":"\#(String(repeating: "_", count: 44))"}"#, "longer"),
      ("-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----", "public one"),
      ("-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----", "damaged"),
      ("-----BEGIN PRIVATE KEY-----\nAAAA", "neither PEM"),
    ])
  func `A key that can't be read says why`(text: String, words: String) {
    #expect(problem(text)?.message.contains(words) == true)
    #expect(problem(text)?.isEncrypted == false)
  }

  @Test(
    arguments: [
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAA==\n"
        + "-----END RSA PRIVATE KEY-----",
    ])
  func `An encrypted key says how it is decrypted`(text: String) {
    #expect(problem(text)?.isEncrypted == true)
    #expect(problem(text)?.message.contains("openssl pkey") == true)
  }

  @Test func `Line ends of PEM may be written out, blanks, or missing`() throws {
    for end in ["\n", "\r\n", "\\n", " ", ""] {
      let lines = ["-----BEGIN PRIVATE KEY-----", "AQID", "BAUG", "-----END PRIVATE KEY-----", ""]
      let text = lines.joined(separator: end)
      #expect(try KeyEncoding.privateKey(text) == [1, 2, 3, 4, 5, 6])
    }
    let two = "-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n"
      + "-----BEGIN EC PRIVATE KEY-----\nAQID\n-----END EC PRIVATE KEY-----"
    #expect(try KeyEncoding.privateKey(two) == [1, 2, 3])
  }
}
