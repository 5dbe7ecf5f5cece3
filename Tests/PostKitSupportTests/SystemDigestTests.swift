// Digests by the libraries of the system, against published values (RFC 1321, FIPS 180-4).

import PostKitTestSupport
import Testing

@testable import PostKitSupport

@Suite struct SystemDigestTests {
  private let known: [(SystemDigest, String, String)] = [
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  @Test func `the system's library makes digests`() {
    for (kind, text, digest) in known {
      #expect(kind.digest(Array(text.utf8)).map(SHA256.hex) == digest)
    }
  }

  @Test func `every library that is there makes the same`() {
    for library in SystemDigest.libraries {
      for (kind, text, digest) in known {
        let found = kind.digest(Array(text.utf8), libraries: [library])
        #expect(found == nil || found.map(SHA256.hex) == digest, "\(library.name)")
      }
    }
  }

  @Test func `without a library there is no digest`() {
    let none = SystemDigest.Library(name: "libnone.so.1", style: .openSSL)
    #expect(SystemDigest.md5.digest([1], libraries: [none]) == nil)
    // A library without the function, as one that was built without MD5.
    let other = SystemDigest.Library(name: "libc.so.6", style: .gnuTLS)
    #expect(SystemDigest.md5.digest([1], libraries: [other]) == nil)
  }
}
