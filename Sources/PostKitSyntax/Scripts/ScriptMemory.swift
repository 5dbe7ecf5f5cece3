// The readings of the long scripts that were looked at last: somebody who types in one asks for
// diagnostics, completions and hovers of nearly the same text again and again.

import PostKitText
import Synchronization

/// Remembers a few readings by their texts. What is remembered is the same as what is read anew.
final class ScriptMemory: Sendable {
  /// The memory of the process.
  static let shared = ScriptMemory()

  /// Bytes of the shortest script that is remembered: shorter ones are read as fast.
  static let least = 2 << 10
  /// How many readings are remembered, and how many bytes their texts have together.
  private static let most = (readings: 8, bytes: 1 << 20)

  /// The readings, the newest first.
  private let kept = Mutex<[ScriptReading]>([])

  /// The reading of a script.
  func reading(_ bytes: ArraySlice<UInt8>, isLua: Bool) -> ScriptReading {
    var base: (ScriptTokens, CommonEnds)?
    for known in kept.withLock({ $0 }) where known.tokens.isLua == isLua {
      // One that resembles it is enough.
      if base != nil, known.tokens.bytes.count != bytes.count { continue }
      let ends = CommonEnds(known.tokens.bytes, bytes)
      let longest = max(ends.oldCount, ends.newCount)
      if ends.prefix == longest {
        keep(known)
        return known
      }
      if base == nil, ends.prefix + ends.suffix > longest / 2 { base = (known.tokens, ends) }
    }
    // A copy, as the text of the whole file would be kept with a part of it.
    let text = Array(bytes)[...]
    let tokens =
      base.map { ScriptTokens(text, reusing: $0, $1) } ?? ScriptTokens(text, isLua: isLua)
    let reading = ScriptReading(tokens)
    keep(reading)
    return reading
  }

  private func keep(_ reading: ScriptReading) {
    if reading.tokens.bytes.count > Self.most.bytes { return }
    kept.withLock { kept in
      if kept.first === reading { return }
      kept.removeAll { $0 === reading }
      kept.insert(reading, at: 0)
      var bytes = 0
      let fitting = kept.prefix(Self.most.readings).prefix {
        bytes += $0.tokens.bytes.count
        return bytes <= Self.most.bytes
      }
      kept.removeLast(kept.count - fitting.count)
    }
  }
}
