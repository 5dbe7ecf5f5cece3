// Windows on the bytes that are parsed and on the starts of their lines. An array in their place
// would be retained and released at nearly every look.
//
// What every line asks is always in line: a release is compiled file by file in the end, where a
// call from another file stays one unless it is asked for otherwise.

import PostKitText

/// A part of a text that somebody else keeps while it is parsed; places count from 0.
struct ByteView: RandomAccessCollection {
  private let buffer: UnsafeBufferPointer<UInt8>

  /// Looks at nothing.
  init() { buffer = UnsafeBufferPointer(start: nil, count: 0) }

  /// Looks at a whole buffer.
  init(_ buffer: UnsafeBufferPointer<UInt8>) { self.buffer = buffer }

  /// Looks at a part of a buffer.
  init(_ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.buffer = UnsafeBufferPointer(rebasing: buffer[range.clamped(to: 0..<buffer.count)])
  }

  var startIndex: Int { 0 }
  var endIndex: Int { buffer.count }

  /// What follows a place.
  func from(_ start: Int) -> ByteView { ByteView(buffer, start..<buffer.count) }

  /// The byte at a place. One outside reads as NUL, so that nobody else's memory is ever read.
  subscript(at: Int) -> UInt8 {
    assert(buffer.indices.contains(at), "\(at) of \(buffer.count)")
    return UInt(bitPattern: at) < UInt(bitPattern: buffer.count) ? buffer[at] : 0
  }

  /// Hands out the memory, so that texts are made of it without a copy.
  func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try body(buffer)
  }

  /// The first place from `start` on with no character of a token; `end` where there is none.
  func skipTokenCharacters(_ start: Int, _ end: Int) -> Int {
    let end = Swift.min(end, buffer.count)
    var at = start
    while at < end, buffer[at].isTokenCharacter { at += 1 }
    return at
  }

  /// The first place after the last blank of a range; its start where there is none.
  func lastWordStart(_ range: Range<Int>) -> Int {
    var at = Swift.min(range.upperBound, buffer.count)
    let raw = UnsafeRawBufferPointer(buffer)
    while at - 8 >= range.lowerBound {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at - 8, as: UInt64.self))
      if word.hasByte(below: 0x21) { break }
      at -= 8
    }
    while at > range.lowerBound, !buffer[at - 1].isBlank { at -= 1 }
    return at
  }

  /// The text of a range; bytes that are no UTF-8 become U+FFFD.
  func string(_ range: Range<Int>) -> String {
    if range.isEmpty { return "" }
    return String(decoding: ByteView(buffer, range).buffer, as: UTF8.self)
  }

  /// Whether both have the same bytes.
  func equals(_ other: ByteView) -> Bool {
    guard count == other.count else { return false }
    let (left, right) = (UnsafeRawBufferPointer(buffer), UnsafeRawBufferPointer(other.buffer))
    var at = 0
    while at + 8 <= count {
      if left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        != right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      {
        return false
      }
      at += 8
    }
    while at < count {
      if left[at] != right[at] { return false }
      at += 1
    }
    return true
  }

  /// The first place of a byte in a range; `nil` where there is none.
  @inline(__always) func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    let end = Swift.min(range.upperBound, buffer.count)
    var at = range.lowerBound
    let raw = UnsafeRawBufferPointer(buffer)
    while at < end, at + 8 <= buffer.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let places = word.places(of: byte)
      if places != 0 {
        let place = at + places.trailingZeroBitCount / 8
        return place < end ? place : nil
      }
      at += 8
    }
    while at < end {
      if buffer[at] == byte { return at }
      at += 1
    }
    return nil
  }

  /// The first place of two bytes side by side; `nil` where they don't stand so.
  @inline(__always) func firstPair(_ first: UInt8, _ second: UInt8, in range: Range<Int>) -> Int? {
    var at = range.lowerBound
    let last = range.upperBound - 1
    while at < last, let place = self.first(first, in: at..<last) {
      at = place + 1
      if self[at] == second { return place }
    }
    return nil
  }
}

extension Array where Element == UInt8 {
  /// Calls `body` with a view of the array.
  func withView<Result>(_ body: (ByteView) -> Result) -> Result {
    withUnsafeBufferPointer { body(ByteView($0)) }
  }

  /// The first place of two bytes side by side; `nil` where they don't stand so.
  func firstPair(_ first: UInt8, _ second: UInt8, in range: Range<Int>) -> Int? {
    withView { $0.firstPair(first, second, in: range) }
  }
}

/// Where the lines of a file start; a CR alone ends none of them (PK-1).
struct LineStarts {
  private let starts: UnsafeBufferPointer<UInt32>

  /// Calls `body` with the starts of the lines of a file. `index` is made of the same bytes.
  static func find<Result>(
    _ bytes: [UInt8], _ index: LineIndex, _ body: (LineStarts) -> Result
  ) -> Result {
    var starts = index.starts
    if index.hasLoneReturns {
      starts.removeAll { $0 > 0 && bytes[Int($0) - 1] != Byte.lineFeed }
    }
    return starts.withUnsafeBufferPointer { buffer in
      // A text that ends in a line end has no further line here.
      let count = buffer.last.map { Int($0) } == bytes.count ? buffer.count - 1 : buffer.count
      return body(LineStarts(starts: UnsafeBufferPointer(rebasing: buffer[..<count])))
    }
  }

  /// How many lines there are.
  var count: Int { starts.count }

  /// Where a line starts.
  subscript(line: Int) -> Int { Int(starts[line]) }

  /// The first line that starts behind a place.
  func firstLine(after place: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The lines of a part of the file, which begins and ends where lines do. `line` is not above the
  /// first one, and is set behind the last one.
  func lines(of bytes: ByteView, in range: Range<Int>, from line: inout Int) -> SourceLines {
    while line < count, self[line] < range.lowerBound { line += 1 }
    let first = line
    while line < count, self[line] < range.upperBound { line += 1 }
    return SourceLines(
      bytes, starts: UnsafeBufferPointer(rebasing: starts[first..<line]), origin: range.lowerBound)
  }
}

/// The lines of a part of a file, of which only the starts are kept.
struct SourceLines: RandomAccessCollection {
  private let bytes: ByteView
  /// Where lines start in the file.
  private let starts: UnsafeBufferPointer<UInt32>
  /// Where the part starts in the file.
  private let origin: Int

  /// No lines.
  init() {
    bytes = ByteView()
    starts = UnsafeBufferPointer(start: nil, count: 0)
    origin = 0
  }

  /// The lines of a part, by their starts in the file.
  fileprivate init(_ bytes: ByteView, starts: UnsafeBufferPointer<UInt32>, origin: Int) {
    self.bytes = bytes
    self.starts = starts
    self.origin = origin
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts.count }

  /// The lines from one on, as those of `rest`, which begins with it.
  func from(_ index: Int, of rest: ByteView) -> SourceLines {
    SourceLines(
      rest, starts: UnsafeBufferPointer(rebasing: starts[index...]),
      origin: index < starts.count ? Int(starts[index]) : origin)
  }

  /// A line by its number.
  @inline(__always) subscript(index: Int) -> SourceLine {
    let isLast = index + 1 == starts.count
    return SourceLine(
      bytes, start: Int(starts[index]) - origin,
      end: isLast ? bytes.count : Int(starts[index + 1]) - origin)
  }
}
