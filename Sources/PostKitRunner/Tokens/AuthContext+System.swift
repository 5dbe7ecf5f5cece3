// The world as plans see it where they are carried out.

import PostKitAuth
import PostKitSupport

extension AuthContext {
  /// The clock, chance and digests of this machine.
  static var system: AuthContext {
    AuthContext(
      now: { Clock.wallMilliseconds },
      random: { count in
        var source = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
      },
      sha256: { SHA256.digest($0) },
      sign: { Signatures.sign($0, $1, $2) })
  }
}
