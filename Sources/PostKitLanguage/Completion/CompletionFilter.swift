// Which candidates fit what is typed, and which of too many are shown.

/// What is typed, held against candidates: its letters must occur in order, in either case.
struct CompletionFilter {
  private let typed: [UInt8]

  /// Makes a filter of what stands before the caret.
  init(_ typed: some Sequence<UInt8>) { self.typed = typed.map(\.folded) }

  /// How well a candidate fits: 0 where it begins so, 1 where one of its words does, 2 where that
  /// occurs in it, 3 where only the letters do, in order; `nil` where they don't.
  func quality(_ candidate: String) -> Int? {
    if typed.isEmpty { return 0 }
    var candidate = candidate
    return candidate.withUTF8 { bytes in
      var at = 0
      for byte in bytes where byte.folded == typed[at] {
        at += 1
        if at == typed.count { break }
      }
      guard at == typed.count else { return nil }
      var best = 3
      for start in 0...bytes.count - typed.count where occurs(in: bytes, at: start) {
        if start == 0 { return 0 }
        if CompletionFilter.isWordStart(bytes, at: start) { return 1 }
        best = 2
      }
      return best
    }
  }

  /// Whether a word begins at a place behind the first one: behind what is no letter, at a capital
  /// letter behind a small one, and at what is no letter itself.
  private static func isWordStart(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    let before = bytes[place - 1]
    let isCapital = (65...90).contains(bytes[place]) && (97...122).contains(before)
    return isCapital || !bytes[place].isLetterOrDigit || !before.isLetterOrDigit
  }

  private func occurs(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    for (offset, byte) in typed.enumerated() where bytes[start + offset].folded != byte {
      return false
    }
    return true
  }

  /// The best of many names, in order; no more than `count` are ever held.
  func best(_ names: some Sequence<String>, count: Int) -> [String] {
    var found: [(quality: Int, name: String)] = []
    for name in names {
      guard let quality = quality(name) else { continue }
      if found.count == count, let last = found.last, last < (quality, name) { continue }
      let place = found.firstIndex { (quality, name) < $0 } ?? found.count
      found.insert((quality, name), at: place)
      if found.count > count { found.removeLast() }
    }
    return found.map(\.name)
  }
}

extension UInt8 {
  /// The small letter of a capital one of ASCII; any other byte as it is.
  fileprivate var folded: UInt8 { (65...90).contains(self) ? self | 0x20 : self }

  /// Whether it is a letter, a digit, or part of a character that is not ASCII.
  fileprivate var isLetterOrDigit: Bool { isLetter || (48...57).contains(self) || self >= 128 }
}

/// What a completion comes to.
package struct CompletionAnswer: Sendable, Hashable {
  /// The best first.
  package var items: [CompletionItem]
  /// Whether there are more, so that an editor asks again when more is typed.
  package var isIncomplete: Bool

  /// Takes those that fit what stands between their start and the caret: those that begin so come
  /// first, then by rank.
  init(_ candidates: [CompletionItem], _ bytes: [UInt8], caret: Int, limit: Int) {
    var filters: [Int: CompletionFilter] = [:]
    var fitting: [(quality: Int, index: Int)] = []
    for (index, item) in candidates.enumerated() {
      let start = min(item.replaced.lowerBound, caret)
      let filter = filters[start] ?? CompletionFilter(bytes[start..<caret])
      filters[start] = filter
      if let quality = filter.quality(item.filterText) { fitting.append((quality, index)) }
    }
    fitting.sort {
      ($0.quality, candidates[$0.index].rank, $0.index)
        < ($1.quality, candidates[$1.index].rank, $1.index)
    }
    items = CompletionAnswer.aligned(fitting.prefix(limit).map { candidates[$0.index] }, bytes)
    for index in items.indices {
      let rest = caret..<max(caret, items[index].replaced.upperBound)
      if !rest.isEmpty, bytes[rest].allSatisfy(\.isWord) { items[index].insertedEnd = caret }
      items[index].isBeforeQuote = bytes[rest].elementsEqual("\"".utf8)
    }
    isIncomplete = fitting.count > limit
  }

  /// The items with one start for all, what stands there repeated in those that began later: some
  /// editors know one start for a whole list (Neovim, Vim), and guess it where it is not the same.
  private static func aligned(_ items: [CompletionItem], _ bytes: [UInt8]) -> [CompletionItem] {
    guard let start = items.map(\.replaced.lowerBound).min() else { return [] }
    return items.map { item in
      let kept = start..<item.replaced.lowerBound
      guard !kept.isEmpty else { return item }
      let lead = String(decoding: bytes[kept], as: UTF8.self)
      var result = item
      result.filter = lead + item.filterText
      result.text = lead + item.text
      result.snippet = item.snippet.map { Snippet.literal(lead) + $0 }
      result.replaced = start..<item.replaced.upperBound
      return result
    }
  }
}
