// The JSON of variables as people write it: with `{{templates}}`, and while it is being written.

import PostKitJSON

/// A place in the JSON of variables, which may be broken.
struct GraphQLVariablesPlace: Sendable, Hashable {
  /// One step inwards: the name of a member, or an element of an array.
  enum Step: Sendable, Hashable {
    case member(String)
    case element
  }

  /// The way to the place; of a name, to its object.
  var path: [Step]
  /// Whether a name stands here and no value.
  var isName: Bool
  /// The word at the place, with its quotes.
  var replaced: Range<Int>
  /// The other names of the object.
  var given: Set<String> = []
}

/// Reads the JSON of variables.
enum GraphQLVariablesText {
  /// The same text with other bytes in place of templates, so that it can be JSON: strings of as
  /// many bytes that begin with two braces.
  static func masked(_ json: [UInt8]) -> [UInt8] {
    var result = json
    var (at, isString) = (0, false)
    while at < json.count {
      if json[at] == UInt8(ascii: "{"), let end = templateEnd(json, at) {
        for index in at..<end { result[index] = UInt8(ascii: "{") }
        if !isString {
          (result[at], result[end - 1]) = (UInt8(ascii: "\""), UInt8(ascii: "\""))
        }
        at = end
      } else {
        if json[at] == UInt8(ascii: "\"") || json[at] == 10 && isString { isString.toggle() }
        at += isString && json[at] == UInt8(ascii: "\\") ? 2 : 1
      }
    }
    return result
  }

  /// The end of a template that begins at an offset. `{{` is JSON nowhere.
  private static func templateEnd(_ json: [UInt8], _ start: Int) -> Int? {
    guard start + 3 < json.count, json[start + 1] == UInt8(ascii: "{") else { return nil }
    var end = start + 2
    while end + 1 < json.count, json[end] != 10, json[end] != UInt8(ascii: "{") {
      if json[end] == UInt8(ascii: "}"), json[end + 1] == json[end] { return end + 2 }
      end += 1
    }
    return nil
  }

  /// Whether a text holds a template, so that its value is unknown.
  static func isTemplate(_ view: JSONView) -> Bool {
    guard view.kind == .string else { return false }
    return zip(view.source, view.source.dropFirst()).contains {
      $0 == UInt8(ascii: "{") && $1 == UInt8(ascii: "{")
    }
  }

  /// The place at an offset of a text without templates; `nil` outside of the object.
  static func place(_ json: [UInt8], at offset: Int) -> GraphQLVariablesPlace? {
    guard (0...json.count).contains(offset) else { return nil }
    var scanner = Scanner(json: json, offset: offset)
    return scanner.place()
  }

  /// An object or array that is open.
  private struct Frame {
    let id: Int
    let isObject: Bool
    var name: String?
    /// Whether a value stands next, and no name.
    var isAtValue: Bool
  }

  private struct Scanner {
    let json: [UInt8]
    let offset: Int
    private var frames: [Frame] = []
    private var count = 0
    /// The names in each frame.
    private var names: [Int: Set<String>] = [:]
    private var found: (place: GraphQLVariablesPlace, frame: Int)?

    init(json: [UInt8], offset: Int) {
      self.json = json
      self.offset = offset
    }

    mutating func place() -> GraphQLVariablesPlace? {
      var at = 0
      while at < json.count {
        let end = tokenEnd(at)
        let isWord = json[at] == UInt8(ascii: "\"") || Self.isWord(json[at])
        if found == nil {
          let isOpen = json[at] == UInt8(ascii: "\"") && !isClosed(at..<end)
          if isWord, at < offset, offset < end || offset == end && (isOpen || json[at] != 34) {
            find(at..<end)
          } else if at >= offset {
            find(offset..<offset)
          }
        }
        if isWord { take(at..<end) } else { take(json[at]) }
        if let found, !frames.contains(where: { $0.id == found.frame }) { break }
        at = end
      }
      if found == nil { find(offset..<offset) }
      return found?.place
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      GraphQLLexer.isNamePart(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: ".") || byte >= 128
    }

    private func tokenEnd(_ start: Int) -> Int {
      var at = start + 1
      if json[start] == UInt8(ascii: "\"") {
        while at < json.count, json[at] != UInt8(ascii: "\""), json[at] != 10 {
          at += json[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        if at < json.count, json[at] == UInt8(ascii: "\"") { at += 1 }
        return min(at, json.count)
      }
      guard Self.isWord(json[start]) else { return at }
      while at < json.count, Self.isWord(json[at]) { at += 1 }
      return at
    }

    private func isClosed(_ token: Range<Int>) -> Bool {
      token.count > 1 && json[token.upperBound - 1] == UInt8(ascii: "\"")
    }

    private mutating func find(_ replaced: Range<Int>) {
      guard let frame = frames.last else { return }
      var path: [GraphQLVariablesPlace.Step] = frames.dropLast().map {
        $0.isObject ? .member($0.name ?? "") : .element
      }
      if !frame.isObject {
        path.append(.element)
      } else if frame.isAtValue {
        path.append(.member(frame.name ?? ""))
      }
      let place = GraphQLVariablesPlace(
        path: path, isName: frame.isObject && !frame.isAtValue, replaced: replaced,
        given: names[frame.id] ?? [])
      found = (place, frame.id)
    }

    /// Takes a string or another word.
    private mutating func take(_ token: Range<Int>) {
      guard let last = frames.indices.last, frames[last].isObject, !frames[last].isAtValue else {
        return
      }
      let isString = json[token.lowerBound] == UInt8(ascii: "\"")
      let name =
        isString
        ? GraphQLString.value(json[token]) : String(decoding: json[token], as: UTF8.self)
      frames[last].name = name
      if found?.place.replaced == token { return }
      names[frames[last].id, default: []].insert(name)
      if let found, found.frame == frames[last].id {
        self.found?.place.given = names[found.frame] ?? []
      }
    }

    private mutating func take(_ byte: UInt8) {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = byte == UInt8(ascii: "{")
        frames.append(Frame(id: count, isObject: isObject, isAtValue: !isObject))
        count += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = frames.popLast()
      case UInt8(ascii: ":"):
        if let last = frames.indices.last { frames[last].isAtValue = true }
      case UInt8(ascii: ","):
        if let last = frames.indices.last, frames[last].isObject {
          frames[last].isAtValue = false
          frames[last].name = nil
        }
      default: break
      }
    }
  }
}
