// Reads JSON piece by piece, so that a text of any length can be laid out without a tree of it.

/// An array or object that is open at a place of a JSON text.
package struct JSONFrame: Sendable, Hashable {
  /// Whether it is an object; an array otherwise.
  package let isObject: Bool
  /// How many of its elements or members have begun.
  package internal(set) var count = 0
  /// Where the name of the newest member stands, with its quotes.
  package internal(set) var key = 0..<0
}

/// A receiver of the parts of a JSON text, in their order.
protocol JSONSink {
  /// Called before an element, a member or the outermost value, with the brackets around it.
  mutating func begin(at offset: Int, in frames: [JSONFrame])
  /// Called with a part of a name, string, number or word; a token may come in several parts.
  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>)
  /// Called behind the last part of a name, string, number or word.
  mutating func endText(isString: Bool)
  /// Called between a name and its value.
  mutating func colon()
  /// Called at an opening bracket.
  mutating func open(isObject: Bool)
  /// Called at a closing bracket.
  mutating func close(isObject: Bool, isEmpty: Bool)
}

/// A state machine over the bytes of a JSON text. It checks brackets, commas and colons, and leaves
/// strings and numbers as they are.
struct JSONScanner {
  /// Brackets in brackets up to which a text is laid out, as for a tree.
  static let depthLimit = 256

  private enum Expected {
    case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing
  }

  private enum Token {
    case none, string, escape, word
  }

  private(set) var frames: [JSONFrame]
  private var expected: Expected
  private var token = Token.none
  private var isKey = false
  private(set) var offset: Int
  /// Whether the bytes can't be JSON.
  private(set) var isBroken = false

  /// Begins with the outermost value, or with an element inside of the given brackets.
  init(at offset: Int, in frames: [JSONFrame]) {
    self.offset = offset
    self.frames = frames
    if let last = frames.indices.last {
      self.frames[last].count -= 1
      expected = frames[last].isObject ? .key : .value
    } else {
      expected = .value
    }
  }

  /// Whether the outermost value has ended.
  var isComplete: Bool { !isBroken && expected == .nothing && token == .none }

  /// Reads the next bytes.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: inout some JSONSink) {
    var at = 0
    while at < bytes.count, !isBroken {
      switch token {
      case .escape:
        sink.text(part(bytes, at, at + 1))
        at += 1
        token = .string
      case .string: at = readString(bytes, from: at, &sink)
      case .word: at = readWord(bytes, from: at, &sink)
      case .none:
        step(bytes[at], offset + at, &sink)
        // The first byte of a word is a part of it.
        if token != .word {
          if token == .string { sink.text(part(bytes, at, at + 1)) }
          at += 1
        }
      }
    }
    offset += bytes.count
  }

  /// Ends a number or word that goes up to the end of the text.
  mutating func finish(_ sink: inout some JSONSink) {
    if token == .word { endToken(&sink) }
  }

  private func part(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  private mutating func readString(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ sink: inout some JSONSink
  ) -> Int {
    var at = start
    while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") {
      at += 1
    }
    guard at < bytes.count else {
      sink.text(part(bytes, start, at))
      return at
    }
    sink.text(part(bytes, start, at + 1))
    if bytes[at] == UInt8(ascii: "\\") {
      token = .escape
    } else {
      if isKey, let last = frames.indices.last {
        frames[last].key = frames[last].key.lowerBound..<(offset + at + 1)
      }
      endToken(&sink)
    }
    return at + 1
  }

  private mutating func readWord(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ sink: inout some JSONSink
  ) -> Int {
    var at = start
    while at < bytes.count, bytes[at].isInWord { at += 1 }
    sink.text(part(bytes, start, at))
    if at < bytes.count { endToken(&sink) }
    return at
  }

  private mutating func endToken(_ sink: inout some JSONSink) {
    sink.endText(isString: token == .string)
    token = .none
    if isKey {
      isKey = false
      expected = .colon
    } else {
      endValue()
    }
  }

  private mutating func endValue() { expected = frames.isEmpty ? .nothing : .commaOrEnd }

  /// Takes a byte outside of strings and words.
  private mutating func step(_ byte: UInt8, _ place: Int, _ sink: inout some JSONSink) {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return
    case UInt8(ascii: "\""): beginString(place, &sink)
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte == UInt8(ascii: "{"), place, &sink)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte == UInt8(ascii: "}"), &sink)
    case UInt8(ascii: ","):
      guard expected == .commaOrEnd, let last = frames.last else { return isBroken = true }
      expected = last.isObject ? .key : .value
    case UInt8(ascii: ":"):
      guard expected == .colon else { return isBroken = true }
      sink.colon()
      expected = .value
    default:
      guard byte.isInWord, beginValue(place, &sink) else { return isBroken = true }
      token = .word
    }
  }

  private mutating func beginString(_ place: Int, _ sink: inout some JSONSink) {
    if expected == .key || expected == .keyOrEnd, let last = frames.indices.last {
      isKey = true
      frames[last].count += 1
      frames[last].key = place..<place + 1
      sink.begin(at: place, in: frames)
    } else if !beginValue(place, &sink) {
      return isBroken = true
    }
    token = .string
  }

  /// Begins a value; `false` where none may stand.
  private mutating func beginValue(_ place: Int, _ sink: inout some JSONSink) -> Bool {
    guard expected == .value || expected == .valueOrEnd else { return false }
    if let last = frames.last, last.isObject { return true }
    if let last = frames.indices.last { frames[last].count += 1 }
    sink.begin(at: place, in: frames)
    return true
  }

  private mutating func open(_ isObject: Bool, _ place: Int, _ sink: inout some JSONSink) {
    guard beginValue(place, &sink), frames.count < JSONScanner.depthLimit else {
      return isBroken = true
    }
    sink.open(isObject: isObject)
    frames.append(JSONFrame(isObject: isObject))
    expected = isObject ? .keyOrEnd : .valueOrEnd
  }

  private mutating func close(_ isObject: Bool, _ sink: inout some JSONSink) {
    let mayEnd = expected == .commaOrEnd || expected == (isObject ? .keyOrEnd : .valueOrEnd)
    guard mayEnd, let last = frames.last, last.isObject == isObject else {
      return isBroken = true
    }
    frames.removeLast()
    sink.close(isObject: isObject, isEmpty: last.count == 0)
    endValue()
  }
}

extension UInt8 {
  /// Whether it may stand in a number, `true`, `false` or `null`.
  fileprivate var isInWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
