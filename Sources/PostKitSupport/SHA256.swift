// SHA-256 names bodies by their content; ours, since the binary links no cryptographic library.

/// The hash function SHA-256 (FIPS 180-4, section 6.2), fed piece by piece.
package struct SHA256: Sendable {
  private var state = SHA256.start
  /// Bytes that don't fill a block yet; always fewer than 64.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Makes the hash of nothing.
  package init() { pending.reserveCapacity(64) }

  /// The digest of bytes at hand, 32 bytes.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The first 64 bits of the digest of bytes at hand. Nothing is allocated for it, since there may
  /// be hundreds of thousands of short ones.
  package static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = SHA256.start
    let whole = bytes.count & ~63
    compress(&state, UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { last in
      let rest = bytes.count - whole
      let end = rest < 56 ? 64 : 128
      last.initializeMemory(as: UInt8.self, repeating: 0)
      last.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(whole)))
      last[rest] = 0x80
      let bitCount = UInt64(bytes.count) &* 8
      last.storeBytes(of: bitCount.bigEndian, toByteOffset: end - 8, as: UInt64.self)
      compress(&state, UnsafeRawBufferPointer(rebasing: last.prefix(end)))
    }
    return UInt64(state.0) << 32 | UInt64(state.1)
  }

  /// The digest of bytes at hand as 64 hexadecimal digits in small letters.
  package static func hexDigest(_ bytes: [UInt8]) -> String { hex(digest(bytes)) }

  /// A digest as hexadecimal digits in small letters.
  package static func hex(_ digest: [UInt8]) -> String {
    let letters = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The code by which a holder of the key knows that bytes are unchanged (HMAC, RFC 2104).
  package static func authenticationCode(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? digest(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    return digest(block.map { $0 ^ 0x5C } + digest(block.map { $0 ^ 0x36 } + bytes))
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bytes.count)
    var rest = bytes
    if !pending.isEmpty {
      let taken = min(64 - pending.count, rest.count)
      pending.append(contentsOf: rest.prefix(taken))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(taken))
      guard pending.count == 64 else { return }
      pending.withUnsafeBytes { SHA256.compress(&state, $0) }
      pending.removeAll(keepingCapacity: true)
    }
    let whole = rest.count & ~63
    SHA256.compress(&state, UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    pending.append(contentsOf: rest.dropFirst(whole))
  }

  /// The digest of all that was added, 32 bytes.
  package consuming func finish() -> [UInt8] {
    var padding: [UInt8] = [0x80]
    let used = (pending.count + 1 + 8) & 63
    padding.append(contentsOf: repeatElement(0, count: used == 0 ? 0 : 64 - used))
    let bitCount = byteCount &* 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
    }
    update(padding)
    let words = [
      state.0, state.1, state.2, state.3, state.4, state.5, state.6, state.7,
    ]
    return words.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Mixes whole blocks of 64 bytes into the state.
  private static func compress(
    _ state: inout (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32),
    _ blocks: UnsafeRawBufferPointer
  ) {
    guard !blocks.isEmpty else { return }
    roundConstants.withUnsafeBufferPointer { constants in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        // Bounds are given by the loops; checking each access would halve the speed.
        guard let w = schedule.baseAddress, let k = constants.baseAddress else { return }
        for block in stride(from: 0, to: blocks.count, by: 64) {
          for i in 0..<16 {
            w[i] = UInt32(
              bigEndian: blocks.loadUnaligned(fromByteOffset: block &+ i &* 4, as: UInt32.self))
          }
          mix(&state, w, k)
        }
      }
    }
  }

  /// One block: the message schedule in `w`, then 64 rounds, eight to a turn so no value moves.
  @inline(__always)
  private static func mix(
    _ state: inout (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32),
    _ w: UnsafeMutablePointer<UInt32>, _ k: UnsafePointer<UInt32>
  ) {
    for i in 16..<64 {
      let early = w[i &- 15]
      let late = w[i &- 2]
      let small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early &>> 3)
      let small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late &>> 10)
      w[i] = w[i &- 16] &+ small0 &+ w[i &- 7] &+ small1
    }
    var (a, b, c, d, e, f, g, h) = state
    var i = 0
    while i < 64 {
      round(a, b, c, &d, e, f, g, &h, k[i] &+ w[i])
      round(h, a, b, &c, d, e, f, &g, k[i &+ 1] &+ w[i &+ 1])
      round(g, h, a, &b, c, d, e, &f, k[i &+ 2] &+ w[i &+ 2])
      round(f, g, h, &a, b, c, d, &e, k[i &+ 3] &+ w[i &+ 3])
      round(e, f, g, &h, a, b, c, &d, k[i &+ 4] &+ w[i &+ 4])
      round(d, e, f, &g, h, a, b, &c, k[i &+ 5] &+ w[i &+ 5])
      round(c, d, e, &f, g, h, a, &b, k[i &+ 6] &+ w[i &+ 6])
      round(b, c, d, &e, f, g, h, &a, k[i &+ 7] &+ w[i &+ 7])
      i &+= 8
    }
    state.0 &+= a
    state.1 &+= b
    state.2 &+= c
    state.3 &+= d
    state.4 &+= e
    state.5 &+= f
    state.6 &+= g
    state.7 &+= h
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ input: UInt32
  ) {
    let big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let choice = g ^ (e & (f ^ g))
    let sum = h &+ big1 &+ choice &+ input
    let big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    let majority = (a & b) | (c & (a | b))
    d = d &+ sum
    h = sum &+ big0 &+ majority
  }

  @inline(__always)
  private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value &>> count | value &<< (32 &- count)
  }

  private static let start: (
    UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32
  ) = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
  )

  private static let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
