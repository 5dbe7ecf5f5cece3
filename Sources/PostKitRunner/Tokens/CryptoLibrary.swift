// Opens libcrypto once per process, when the first signature is made or checked.

import CCrypto

/// The libcrypto of this machine (AU-62).
package enum CryptoLibrary {
  /// Its name and version, or why there is none.
  package static let version: Result<String, CryptoLibraryMissing> = open(names)

  /// The names to try. Apple's own, which has no number, ends programs that open it.
  static var names: [String] {
    #if canImport(Darwin)
      [
        "/opt/homebrew/lib/libcrypto.3.dylib", "/usr/local/lib/libcrypto.3.dylib",
        "libcrypto.3.dylib",
      ]
    #else
      ["libcrypto.so.3", "libcrypto.so.1.1"]
    #endif
  }

  /// Opens the first library that there is.
  static func open(_ names: [String]) -> Result<String, CryptoLibraryMissing> {
    var reasons: [String] = []
    for name in names {
      var message = [CChar](repeating: 0, count: 512)
      if postkit_crypto_open(name, &message, message.count) {
        return .success(String(cString: postkit_crypto_version()))
      }
      let end = message.firstIndex(of: 0) ?? message.endIndex
      reasons.append(String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return .failure(CryptoLibraryMissing(reason: reasons.joined(separator: "; ")))
  }
}

/// Why libcrypto can't be used.
package struct CryptoLibraryMissing: Error, Sendable, Hashable {
  /// What the loader said.
  let reason: String

  /// What is missing and how to get it, as a clause.
  package var explanation: String {
    "libcrypto, which makes and checks signatures, can't be opened (\(reason)); install it, on "
      + "Debian and Ubuntu with `apt install libssl3`"
  }
}
