// The parts of targets, forms and plain values.

import PostKitSyntax

/// Where in a target a piece begins; references stand between pieces.
enum URLPart: Sendable, Hashable {
  case start, authority, path, queryName, queryValue, fragment

  /// Goes on behind a reference: one at the start gives at least the host.
  mutating func passReference() {
    if self == .start { self = .authority }
  }
}

/// Where in a form a piece begins.
enum FormPart: Sendable, Hashable { case name, value }

extension TokenPainter {
  /// A piece of the target outside of references.
  mutating func paintTarget(_ range: Range<Int>) {
    var at = range.lowerBound
    if url == .start { at = paintScheme(range) }
    // A line of its own may go on with `&` where no `?` stands before.
    if url == .path, byte(at) == UInt8(ascii: "&") { url = .queryName }
    var first = at
    while at < range.upperBound {
      let next = url.follower(byte(at))
      guard let next else {
        at += 1
        continue
      }
      // A slash is the first byte of the path, all other marks stand between two parts.
      addURLPart(first..<at)
      url = next
      if next != .path {
        add(at..<at + 1, .operator)
        first = at + 1
      } else {
        first = at
      }
      at += 1
    }
    addURLPart(first..<at)
  }

  /// The scheme with its slashes; where the first piece has none, a host or a path begins.
  private mutating func paintScheme(_ range: Range<Int>) -> Int {
    var at = range.lowerBound
    while at < range.upperBound, byte(at).isOfScheme { at += 1 }
    url = .authority
    let hasScheme =
      at > range.lowerBound && at + 2 < range.upperBound
      && byte(at) == UInt8(ascii: ":") && byte(at + 1) == UInt8(ascii: "/")
      && byte(at + 2) == UInt8(ascii: "/")
    guard hasScheme else { return range.lowerBound }
    add(range.lowerBound..<at + 3, .namespace)
    return at + 3
  }

  private mutating func addURLPart(_ range: Range<Int>) {
    if range.isEmpty { return }
    switch url {
    case .start, .authority: add(range, .namespace)
    case .path, .fragment: add(range, .string)
    case .queryName: add(range, .parameter)
    case .queryValue: add(range, isNumber(range) ? .number : .string)
    }
  }

  /// A piece of a form body.
  mutating func paintForm(_ range: Range<Int>) {
    var first = range.lowerBound
    var at = first
    while at <= range.upperBound {
      let mark = at < range.upperBound ? byte(at) : 0
      let isEnd = at == range.upperBound
      let isMark = mark == UInt8(ascii: "&") || mark == UInt8(ascii: "=") && formPart == .name
      if isEnd || isMark {
        paintFormPart(first..<at)
        if !isEnd {
          add(at..<at + 1, .operator)
          formPart = mark == UInt8(ascii: "&") ? .name : .value
        }
        first = at + 1
      }
      at += 1
    }
  }

  private mutating func paintFormPart(_ range: Range<Int>) {
    let part = skipBlanks(range.lowerBound, range.upperBound)..<range.upperBound
    if formPart == .name {
      add(part, .parameter)
    } else {
      add(part, isNumber(part) ? .number : .string)
    }
  }

  /// A value without a form of its own.
  mutating func paintValue(_ range: Range<Int>) {
    if isNumber(range) { return add(range, .number) }
    let isWord = ["true", "false", "null"].contains { block.slice(range).elementsEqual($0.utf8) }
    add(range, isWord ? .keyword : .string)
  }

  /// Whether a piece is a number.
  func isNumber(_ range: Range<Int>) -> Bool {
    var (hasDigit, hasPoint) = (false, false)
    for place in range {
      switch byte(place) {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: "-") where place == range.lowerBound: break
      case UInt8(ascii: ".") where hasDigit && !hasPoint: hasPoint = true
      default: return false
      }
    }
    return hasDigit
  }

  /// The end of the first word of a range.
  func wordEnd(_ range: Range<Int>) -> Int {
    var at = range.lowerBound
    while at < range.upperBound, byte(at) != 32, byte(at) != 9 { at += 1 }
    return at
  }

  /// The first place that is no blank.
  func skipBlanks(_ place: Int, _ end: Int) -> Int {
    var at = min(place, end)
    while at < end, byte(at) == 32 || byte(at) == 9 { at += 1 }
    return at
  }
}

extension URLPart {
  /// The part that begins with a byte; `nil` where the part goes on.
  fileprivate func follower(_ byte: UInt8) -> URLPart? {
    switch (self, byte) {
    case (.fragment, _): nil
    case (_, UInt8(ascii: "#")): .fragment
    case (.start, UInt8(ascii: "/")), (.authority, UInt8(ascii: "/")): .path
    case (.start, UInt8(ascii: "?")), (.authority, UInt8(ascii: "?")), (.path, UInt8(ascii: "?")),
      (.queryName, UInt8(ascii: "&")), (.queryValue, UInt8(ascii: "&")):
      .queryName
    case (.queryName, UInt8(ascii: "=")): .queryValue
    default: nil
    }
  }
}

extension UInt8 {
  fileprivate var isOfScheme: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
