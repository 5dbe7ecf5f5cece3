// JSON as somebody is writing it: which objects there are, which keys they have, and what the caret
// stands in, also where commas, quotes and brackets are missing.

/// The outline of a JSON text with references in it.
struct JSONSketch {
  /// A member of an object.
  struct Key {
    var name: String
    /// The value as written where it is a scalar, quotes included.
    var value: Range<Int>?
  }

  /// An object or an array.
  struct Container {
    var isObject: Bool
    /// The keys that lead to it; `*` for the elements of an array.
    var path: [String]
    var keys: [Key] = []
  }

  /// What the caret stands in.
  struct Caret {
    /// What a token there would be.
    enum Role { case key, value, nothing }
    var role: Role
    /// The container; `nil` outside of all.
    var container: Int?
    /// The key of the value.
    var key: String?
    /// The word or text at the caret, quotes included; empty between words.
    var token: Range<Int>
    /// Whether the token begins with a quote.
    var isQuoted: Bool
    /// Whether a colon follows the token.
    var hasColon: Bool
  }

  private(set) var containers: [Container] = []
  private(set) var caret: Caret?

  private enum Expected { case key, colon, value, comma }
  private struct Frame {
    var container: Int
    var expected: Expected
    var key: String?
  }

  private let bytes: [UInt8]
  private let end: Int
  private let caretPlace: Int?
  private var frames: [Frame] = []
  private var at: Int
  private var hasValue = false
  /// Whether a line ended since the last token.
  private var isNewLine = true

  /// How many objects and arrays are open at the end.
  var depth: Int { frames.count }
  /// Whether the last thing in the text is a string that isn't closed.
  private(set) var endsInString = false

  /// How much text is looked at while somebody types.
  static let limit = 1 << 20

  /// Reads a text; `caret` is a place in it.
  init(_ bytes: [UInt8], in range: Range<Int>, caret: Int? = nil) {
    self.bytes = bytes
    at = range.lowerBound
    end = min(range.upperBound, range.lowerBound + JSONSketch.limit)
    caretPlace = caret
    while at < end { step() }
    if let caret, self.caret == nil, caret >= end { placeCaret(caret..<caret, isQuoted: false) }
  }

  private mutating func step() {
    let byte = bytes[at]
    if isNewLine, isComment(at) { return skipLine() }
    if byte > 32 { endsInString = false }
    switch byte {
    case 32, 9, 10, 13:
      placeCaretBefore(at)
      if byte == 10 || byte == 13 { isNewLine = true }
      at += 1
      return
    case UInt8(ascii: "{") where isReference(at): token(to: endOfReference(at), isQuoted: false)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      placeCaretBefore(at)
      open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      placeCaretBefore(at)
      close(isObject: byte == UInt8(ascii: "}"))
    case UInt8(ascii: ","):
      placeCaretBefore(at)
      if let last = frames.indices.last {
        frames[last].expected = containers[frames[last].container].isObject ? .key : .value
        frames[last].key = nil
      }
      at += 1
    case UInt8(ascii: ":"):
      placeCaretBefore(at)
      if let last = frames.indices.last, frames[last].expected == .colon {
        frames[last].expected = .value
      }
      at += 1
    case UInt8(ascii: "\""): string()
    default:
      var stop = at
      while stop < end, !" \t\r\n,:{}[]\"".utf8.contains(bytes[stop]) { stop += 1 }
      token(to: max(stop, at + 1), isQuoted: false)
    }
    isNewLine = false
  }

  // MARK: - Containers

  private mutating func open(isObject: Bool) {
    var path: [String] = []
    if let frame = frames.last {
      let parent = containers[frame.container]
      path = parent.path + [parent.isObject ? frame.key ?? "" : "*"]
      frames[frames.count - 1].expected = .comma
    }
    hasValue = true
    containers.append(Container(isObject: isObject, path: path))
    frames.append(
      Frame(container: containers.count - 1, expected: isObject ? .key : .value, key: nil))
    at += 1
  }

  private mutating func close(isObject: Bool) {
    if let place = frames.lastIndex(where: { containers[$0.container].isObject == isObject }) {
      frames.removeSubrange(place...)
    }
    at += 1
  }

  // MARK: - Tokens

  private mutating func string() {
    var stop = at + 1
    while stop < end, bytes[stop] != 10, bytes[stop] != 13 {
      if bytes[stop] == UInt8(ascii: "\"") { return token(to: stop + 1, isQuoted: true) }
      // What follows the caret belongs to another token where a string can't go on like that.
      if let caretPlace, stop >= caretPlace, caretPlace > at, ":,".utf8.contains(bytes[stop]),
        frames.last.map({ $0.expected == .key || $0.expected == .comma }) == true
      {
        return token(to: stop, isQuoted: true)
      }
      stop += bytes[stop] == UInt8(ascii: "\\") ? 2 : 1
    }
    token(to: min(stop, end), isQuoted: true)
    endsInString = true
  }

  /// Takes a scalar or a key that ends at a place.
  private mutating func token(to stop: Int, isQuoted: Bool) {
    let range = at..<stop
    let isClosed = isQuoted && range.count > 1 && bytes[stop - 1] == UInt8(ascii: "\"")
    let last = isClosed ? stop - 1 : stop
    let isInside =
      caretPlace.map { isQuoted ? $0 > at && $0 <= last : $0 >= at && $0 <= stop } ?? false
    if isInside, caret == nil {
      placeCaret(range, isQuoted: isQuoted)
    } else {
      placeCaretBefore(at)
    }
    hasValue = true
    at = stop
    guard let frame = frames.indices.last else { return }
    let container = frames[frame].container
    let expected = frames[frame].expected
    // Where a comma is missing, the next key stands.
    let isKey = expected == .key || expected == .comma && containers[container].isObject
    switch expected {
    case _ where isKey:
      if isInside { break }
      let name = String(decoding: bytes[range].dropFirst(isQuoted ? 1 : 0), as: UTF8.self)
      let key = isClosed ? String(name.dropLast()) : name
      containers[container].keys.append(Key(name: key, value: nil))
      frames[frame].key = key
    case .value:
      if let key = containers[container].keys.indices.last, containers[container].isObject,
        containers[container].keys[key].name == frames[frame].key, !isInside
      {
        containers[container].keys[key].value = range
      }
      frames[frame].expected = .comma
      return
    case .key, .colon, .comma: return
    }
    frames[frame].expected = .colon
  }

  // MARK: - The caret

  private mutating func placeCaretBefore(_ place: Int) {
    guard let caretPlace, caret == nil, caretPlace <= place else { return }
    placeCaret(caretPlace..<caretPlace, isQuoted: false)
  }

  private mutating func placeCaret(_ token: Range<Int>, isQuoted: Bool) {
    guard caret == nil else { return }
    var next = token.upperBound
    while next < bytes.count, bytes[next] == 32 || bytes[next] == 9 { next += 1 }
    let hasColon = next < bytes.count && bytes[next] == UInt8(ascii: ":")
    let role: Caret.Role
    switch frames.last?.expected {
    case nil: role = hasValue ? .nothing : .value
    case .key: role = .key
    case .value: role = .value
    case .comma:
      // A comma is missing, which is seen best where the next key begins.
      let isObject = frames.last.map { containers[$0.container].isObject } ?? false
      role = isObject && isNewLine ? .key : .nothing
    case .colon: role = .nothing
    }
    caret = Caret(
      role: role, container: frames.last?.container, key: frames.last?.key, token: token,
      isQuoted: isQuoted, hasColon: hasColon)
  }

  // MARK: - References and comments

  private func isReference(_ place: Int) -> Bool {
    guard place + 1 < end, bytes[place + 1] == UInt8(ascii: "{") else { return false }
    return endOfReference(place) > place + 2
  }

  /// Behind the `}}` of a reference; where none follows on the line, the place itself.
  private func endOfReference(_ place: Int) -> Int {
    var stop = place + 2
    while stop + 1 < end, bytes[stop] != 10, bytes[stop] != 13 {
      if bytes[stop] == UInt8(ascii: "}"), bytes[stop + 1] == UInt8(ascii: "}") { return stop + 2 }
      if bytes[stop] == UInt8(ascii: "{") { return place }
      stop += 1
    }
    return place
  }

  private func isComment(_ place: Int) -> Bool {
    bytes[place] == UInt8(ascii: "#")
      || bytes[place] == UInt8(ascii: "/") && place + 1 < end && bytes[place + 1] == bytes[place]
  }

  private mutating func skipLine() {
    while at < end, bytes[at] != 10, bytes[at] != 13 { at += 1 }
  }
}
