// Where the caret is in a target: in its origin, its path or its query.

/// A target up to the caret.
struct TargetCaret: Sendable, Hashable {
  /// What the caret stands in.
  enum Part: Sendable, Hashable {
    /// The scheme and the host, or what stands for them.
    case origin
    case path
    case queryName
    case queryValue(name: String)
    /// Behind `#`, which is never sent.
    case fragment
  }

  let part: Part
  /// What stands before the path, as written: `https://a.test:81` or `{{host}}`.
  let origin: String
  /// The path as written; of one that the caret stands in, what stands before the caret.
  let path: String
  /// How many bytes before the caret belong to the piece at the caret.
  let typedCount: Int
  /// The names of the query's pairs before the one at the caret.
  let givenNames: [String]
  /// Whether the origin is whole and the caret stands right behind it.
  let isBehindOrigin: Bool

  /// Takes a target apart: what stands on lines before, and what is typed on this one.
  init(before: String, typed: String) {
    let bytes = Array((before + typed).utf8)
    let shape = TargetShape(bytes)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    origin = text(0..<shape.originEnd)
    path = text(shape.originEnd..<shape.pathEnd)
    givenNames = shape.pairs.dropLast().map { text($0.name) }
    var start = 0
    if shape.hasFragment {
      part = .fragment
      start = bytes.count
    } else if let pair = shape.pairs.last {
      let name = pair.name
      part = pair.value == nil ? .queryName : .queryValue(name: text(name))
      start = pair.value?.lowerBound ?? name.lowerBound
    } else if shape.originEnd < bytes.count {
      part = .path
      start = shape.originEnd
    } else {
      part = .origin
    }
    isBehindOrigin = part == .origin && origin.hasSuffix("}}")
    typedCount = min(bytes.count - start, typed.utf8.count)
  }
}

/// The pieces of a target as it is written, references in it not looked into.
struct TargetShape {
  /// A pair of the query; without `=` it has no value.
  struct Pair {
    var name: Range<Int>
    var value: Range<Int>?
  }

  private(set) var originEnd = 0
  private(set) var pathEnd = 0
  private(set) var pairs: [Pair] = []
  private(set) var hasFragment = false

  /// Finds the pieces.
  init(_ bytes: [UInt8]) {
    let visible = TargetShape.withoutReferences(bytes)
    originEnd = TargetShape.originEnd(visible)
    let fragment = visible.firstIndex(of: UInt8(ascii: "#"))
    hasFragment = fragment != nil
    let end = fragment ?? bytes.count
    originEnd = min(originEnd, end)
    let query = visible[originEnd..<end].firstIndex(of: UInt8(ascii: "?"))
    pathEnd = query ?? end
    guard let query else { return }
    var start = query + 1
    while start <= end {
      let stop = visible[start..<end].firstIndex(of: UInt8(ascii: "&")) ?? end
      let equals = visible[start..<stop].firstIndex(of: UInt8(ascii: "="))
      pairs.append(Pair(name: start..<(equals ?? stop), value: equals.map { $0 + 1..<stop }))
      start = stop + 1
    }
  }

  /// Finds the pairs of a query without its mark, or of a line of a form.
  init(query: ArraySlice<UInt8>) {
    self.init([UInt8(ascii: "?")] + query)
    func moved(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound - 1..<range.upperBound - 1
    }
    pairs = pairs.map { Pair(name: moved($0.name), value: $0.value.map(moved)) }
  }

  /// The text with letters in place of references, closed ones and one that is open at the end.
  private static func withoutReferences(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var at = 0
    while at + 1 < bytes.count {
      guard bytes[at] == UInt8(ascii: "{"), bytes[at + 1] == UInt8(ascii: "{") else {
        at += 1
        continue
      }
      while at < bytes.count {
        let isEnd =
          at + 1 < bytes.count && bytes[at] == UInt8(ascii: "}")
          && bytes[at + 1] == UInt8(ascii: "}")
        result[at] = UInt8(ascii: "x")
        if isEnd {
          result[at + 1] = UInt8(ascii: "x")
          at += 2
          break
        }
        at += 1
      }
    }
    return result
  }

  /// Where the path begins: at the first slash that does not belong to `://`.
  private static func originEnd(_ bytes: [UInt8]) -> Int {
    var at = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "?"): return at
      case UInt8(ascii: "/"):
        let isScheme = at > 0 && bytes[at - 1] == UInt8(ascii: ":")
        guard isScheme else { return at }
        at += at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/") ? 2 : 1
      default: at += 1
      }
    }
    return bytes.count
  }
}
