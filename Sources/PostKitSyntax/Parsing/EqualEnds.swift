// Compares two versions of a file, to know what an edit left alone.

import PostKitText

/// How many bytes two texts have in common at their ends.
struct EqualEnds: Sendable {
  /// The bytes of the old text.
  let oldCount: Int
  /// The bytes of the new text.
  let newCount: Int
  /// How many bytes are equal from the start.
  let prefix: Int
  /// How many are equal from the end; may overlap the prefix.
  let suffix: Int

  /// Compares two texts.
  init(_ old: [UInt8], _ new: [UInt8]) {
    let ends = CommonEnds(old, new)
    (oldCount, newCount) = (old.count, new.count)
    (prefix, suffix) = (ends.prefix, ends.suffix)
  }
}
