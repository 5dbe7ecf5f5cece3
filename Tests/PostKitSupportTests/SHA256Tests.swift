// Checks SHA-256 against published vectors and against itself fed in pieces.

import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct SHA256Tests {
  @Test(
    "the published vectors give their digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrl"
          + "mnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func vectors(text: String, digest: String) {
    #expect(SHA256.hexDigest(Array(text.utf8)) == digest)
  }

  @Test func `a million letters a give their published digest`() {
    #expect(
      SHA256.hexDigest([UInt8](repeating: 0x61, count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `any cut into pieces gives the digest of the whole`() {
    var generator = RepeatableGenerator(seed: 256)
    for length in 0..<200 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      var hash = SHA256()
      var at = 0
      while at < length {
        let end = min(length, at + generator.int(in: 0..<70))
        hash.update(Array(bytes[at..<end]))
        at = end
      }
      let digest = SHA256.digest(bytes)
      #expect(hash.finish() == digest, "length \(length)")
      let prefix = bytes.withUnsafeBytes { SHA256.prefix($0) }
      #expect(prefix == digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, "length \(length)")
    }
  }
}
