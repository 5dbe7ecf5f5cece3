// Which paths name things of one kind: `/users/7`, `/users/12?full=1` and `/users/{{id}}` do.

import PostKitHTTP

/// A path whose ids don't matter.
package struct PathShape: Sendable, Hashable {
  /// A piece between slashes.
  private enum Segment: Hashable {
    case name(Substring)
    /// A number, a UUID and the like.
    case id(Substring)
    /// A reference, which may be anything.
    case reference
  }

  private let segments: [Segment]

  /// Reads a path; a query and an end slash do not belong to it.
  package init(_ path: String) {
    let end = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
    segments = path[..<end].split(separator: "/").map { segment in
      if segment.contains("{") { return .reference }
      return IdentifierText.isLikely(segment) ? .id(segment) : .name(segment)
    }
  }

  /// How near another path is: 0 for the same, 1 where other things of the kind are named, 2 where
  /// one names a thing and the other those of its kind; `nil` for any other.
  package func distance(to other: PathShape) -> Int? {
    if segments == other.segments, !segments.contains(.reference) { return 0 }
    if PathShape.fit(segments[...], other.segments[...]) { return 1 }
    let (long, short) =
      segments.count > other.segments.count
      ? (segments, other.segments) : (other.segments, segments)
    guard long.count == short.count + 1, !short.isEmpty else { return nil }
    switch long.last {
    case .id, .reference: return PathShape.fit(long.dropLast(), short[...]) ? 2 : nil
    case nil, .name: return nil
    }
  }

  private static func fit(_ one: ArraySlice<Segment>, _ other: ArraySlice<Segment>) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { pair in
        switch pair {
        case (.reference, _), (_, .reference), (.id, .id): true
        default: pair.0 == pair.1
        }
      }
  }
}
