// Templates in templates, and braces that never close: neither can be said in our language.

/// What a text has of templates beyond plain ones.
struct NestedTemplates {
  /// The text with each template that holds others as one plain template, whose name is put
  /// together of what stood between the braces.
  private(set) var text = ""
  /// The templates that held others, as they were written.
  private(set) var nested: [String] = []
  /// Whether `{{` stands behind the last template and never closes.
  private(set) var isUnclosed = false
  /// Whether there is a template at all.
  private(set) var hasTemplate = false

  /// Reads a text.
  init(_ source: String) {
    guard source.hasTemplate else {
      text = source
      return
    }
    let bytes = Array(source.utf8)
    var result: [UInt8] = []
    // What is in the result so far.
    var (at, done) = (0, 0)
    while at < bytes.count {
      guard Self.isPair(bytes, at, UInt8(ascii: "{")) else {
        at += 1
        continue
      }
      guard let (end, depth) = Self.end(of: bytes, from: at) else {
        isUnclosed = true
        break
      }
      hasTemplate = true
      if depth > 1 {
        let template = bytes[at..<end]
        nested.append(String(decoding: template, as: UTF8.self))
        result += bytes[done..<at] + Self.flat(template)
        done = end
      }
      at = end
    }
    text = done == 0 ? source : String(decoding: result + bytes[done...], as: UTF8.self)
  }

  private static func isPair(_ bytes: [UInt8], _ at: Int, _ brace: UInt8) -> Bool {
    at + 1 < bytes.count && bytes[at] == brace && bytes[at + 1] == brace
  }

  /// The end of a template and how deep others nest in it; `nil` where it never closes.
  private static func end(of bytes: [UInt8], from start: Int) -> (end: Int, depth: Int)? {
    var (at, depth, deepest) = (start, 0, 0)
    while at < bytes.count {
      if isPair(bytes, at, UInt8(ascii: "{")) {
        depth += 1
        deepest = max(deepest, depth)
        at += 2
      } else if isPair(bytes, at, UInt8(ascii: "}")) {
        depth -= 1
        at += 2
        if depth == 0 { return (at, deepest) }
      } else {
        at += 1
      }
    }
    return nil
  }

  /// Whether a name in a template would be worked out here: as JavaScript, or as a value of the
  /// process or its surroundings.
  static func isCode(_ name: Substring) -> Bool {
    name.first == "$" || name.hasPrefix("process.env.")
      || name.utf8.contains { "()+*/=\"'`;,<>?!&|%^~:[]".utf8.contains($0) }
  }

  /// A name of letters and digits for one that can't be a name here.
  static func plainName(_ name: String) -> String {
    let template = flat(Array(name.utf8)[...])
    return String(decoding: template.dropFirst(2).dropLast(2), as: UTF8.self)
  }

  /// One template whose name has `_` for all that can't be in a name.
  private static func flat(_ template: ArraySlice<UInt8>) -> [UInt8] {
    var name: [UInt8] = []
    for byte in template {
      let isWord = (65...90).contains(byte & 0xDF) || (48...57).contains(byte) || byte >= 0x80
      if isWord {
        name.append(byte)
      } else if name.last != UInt8(ascii: "_"), !name.isEmpty {
        name.append(UInt8(ascii: "_"))
      }
    }
    while name.last == UInt8(ascii: "_") { name.removeLast() }
    return Array("{{".utf8) + (name.isEmpty ? [UInt8(ascii: "_")] : name) + Array("}}".utf8)
  }
}
