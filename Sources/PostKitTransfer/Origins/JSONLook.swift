// A first look at JSON of another tool: what its outermost object has, without a tree (IO-4).

import PostKitJSON

/// The members of one JSON object with where their values stand. What lies deeper is passed over,
/// so that a look at a large file costs no more than reading it once.
struct JSONLook: Sendable, Hashable {
  private struct Member: Hashable {
    let name: String
    let value: Range<Int>
  }

  private let bytes: [UInt8]
  private var members: [Member] = []

  /// Looks at the object that a source is, or at the first element of an array; `nil` where it is
  /// neither, or the source ends before the object does.
  init?(_ bytes: [UInt8]) {
    self.init(bytes, in: bytes.indices)
  }

  private init?(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    var start = range.lowerBound
    if bytes[range].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    var at = Self.skipBlanks(bytes, start, range.upperBound)
    if at < range.upperBound, bytes[at] == UInt8(ascii: "[") {
      at = Self.skipBlanks(bytes, at + 1, range.upperBound)
    }
    guard at < range.upperBound, bytes[at] == UInt8(ascii: "{"),
      readMembers(from: at + 1, to: range.upperBound)
    else { return nil }
  }

  /// The names of its members in order.
  var names: [String] { members.map(\.name) }

  /// Whether it has a member of that name.
  func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// The text of a member that is a string.
  func string(_ name: String) -> String? {
    guard let range = range(of: name), range.count <= Self.mostBytes else { return nil }
    // What is no JSON has no text; reading the source says what is wrong with it.
    return (try? JSONTree(parsing: Array(bytes[range])))?.root.string
  }

  /// The number of a member as it is written.
  func number(_ name: String) -> String? {
    guard let range = range(of: name), range.count <= 64 else { return nil }
    return (try? JSONTree(parsing: Array(bytes[range])))?.root.numberText
  }

  /// A look at a member that is an object, or an array whose first element is one.
  func look(_ name: String) -> JSONLook? { range(of: name).flatMap { JSONLook(bytes, in: $0) } }

  /// Whether a member is an array.
  func isArray(_ name: String) -> Bool {
    range(of: name).map { bytes[$0.lowerBound] == UInt8(ascii: "[") } ?? false
  }

  /// How much of one text is looked at.
  private static let mostBytes = 64 << 10

  private func range(of name: String) -> Range<Int>? { members.last { $0.name == name }?.value }

  private mutating func readMembers(from start: Int, to end: Int) -> Bool {
    var at = Self.skipBlanks(bytes, start, end)
    while at < end, bytes[at] != UInt8(ascii: "}") {
      guard bytes[at] == UInt8(ascii: "\"") else { return false }
      // What is no string has no name: the look ends there.
      let nameEnd = Self.stringEnd(bytes, at, end)
      guard nameEnd - at <= Self.mostBytes,
        let name = (try? JSONTree(parsing: Array(bytes[at..<nameEnd])))?.root.string
      else { return false }
      at = Self.skipBlanks(bytes, nameEnd, end)
      guard at < end, bytes[at] == UInt8(ascii: ":") else { return false }
      at = Self.skipBlanks(bytes, at + 1, end)
      guard let valueEnd = Self.valueEnd(bytes, at, end) else { return false }
      members.append(Member(name: name, value: at..<valueEnd))
      at = Self.skipBlanks(bytes, valueEnd, end)
      if at < end, bytes[at] == UInt8(ascii: ",") { at = Self.skipBlanks(bytes, at + 1, end) }
    }
    return at < end
  }

  /// Where a value ends: behind its string, its brackets, or its number or word.
  private static func valueEnd(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int? {
    bytes.withUnsafeBufferPointer { valueEnd($0, start, end) }
  }

  private static func valueEnd(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Int? {
    guard start < end else { return nil }
    var (at, depth) = (start, 0)
    while at < end {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at = stringEnd(bytes, at, end)
        if depth == 0 { return at }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return at > start ? at : nil }
        depth -= 1
        at += 1
        if depth == 0 { return at }
      case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
        if depth == 0 { return at > start ? at : nil }
        at += 1
      default: at += 1
      }
    }
    return nil
  }

  /// Where a string ends, its quote included.
  private static func stringEnd(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
    bytes.withUnsafeBufferPointer { stringEnd($0, start, end) }
  }

  private static func stringEnd(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Int {
    var at = start + 1
    while let quote = bytes.place(of: UInt8(ascii: "\""), from: at), quote < end {
      var escapes = quote
      while escapes > at, bytes[escapes - 1] == UInt8(ascii: "\\") { escapes -= 1 }
      at = quote + 1
      if (quote - escapes).isMultiple(of: 2) { return at }
    }
    return end
  }

  private static func skipBlanks(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
    var at = start
    while at < end, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    return at
  }
}

extension OriginSource {
  /// A first look at the JSON that it is; `nil` where it is none.
  var look: JSONLook? { taken ?? (files == nil ? JSONLook(bytes) : nil) }

  /// The JSON that it is; the failure says at which byte it is none.
  func json() throws(OriginFailure) -> JSONTree {
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    do throws(JSONSyntaxError) {
      return try JSONTree(parsing: isMarked ? Array(bytes.dropFirst(3)) : bytes)
    } catch {
      let offset = error.offset + (isMarked ? 3 : 0)
      throw OriginFailure(
        "\(lastName) can't be read at byte \(offset): \(error.explanation). Export it once more.")
    }
  }

  /// Where its content stands; the name is part of it only where several sources are read.
  func place(among count: Int) -> OriginPlace { OriginPlace(file: count > 1 ? name : nil) }
}
