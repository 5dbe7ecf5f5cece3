// Names that somebody may have meant.

import PostKitText

/// Finds the name that is meant by one that is unknown.
enum GraphQLSpelling {
  /// The known name that is nearest. Of long lists only those count that have about its length.
  static func nearest(_ name: String, _ known: some Sequence<String>) -> String? {
    // A slip of the hand leaves something of the name.
    if name.utf8.count < 2 { return known.first { $0.lowercased() == name.lowercased() } }
    let reach = max(1, name.utf8.count / 3)
    let near = known.filter { abs($0.utf8.count - name.utf8.count) <= reach }
    let first = name.utf8.first.map { $0 | 0x20 }
    let alike = near.filter { $0.utf8.first.map { $0 | 0x20 } == first }
    return Suggestion.nearest(to: name, among: alike) ?? Suggestion.nearest(to: name, among: near)
  }
}
