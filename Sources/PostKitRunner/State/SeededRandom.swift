// Random bits that a seed determines (PK-64): SplitMix64, one stream for each request.

import Synchronization

/// SplitMix64. A stream begins at the seed with the FNV-1a hash of its name mixed in, so that what
/// a request draws does not depend on which others are sent, nor on their order.
final class SeededRandom: Sendable {
  private let state: Mutex<UInt64>

  /// Begins a stream.
  init(seed: UInt64, stream: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in stream.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    state = Mutex(seed ^ hash)
  }

  /// The bits of a stream.
  static func source(_ seed: UInt64, _ stream: String) -> @Sendable () -> UInt64 {
    let random = SeededRandom(seed: seed, stream: stream)
    return { random.next() }
  }

  /// The next 64 bits.
  func next() -> UInt64 {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
  }
}
