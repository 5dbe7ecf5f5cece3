// The templates of Insomnia as they are written: `{{ … }}` and `{% … %}` of Nunjucks.

/// A template in a text.
struct InsomniaTag {
  /// Where it stands, braces included.
  let range: Range<String.Index>
  /// Whether it is `{{ … }}`, a value, and not `{% … %}`.
  let isValue: Bool
  /// What stands between the braces, without blanks around it.
  let inner: Substring

  /// The first template of a text; a beginning without an end is text. `hasEnd` says of values and
  /// tags whether the text can have an end of one, so that what is missing is looked for once.
  static func first(in text: Substring, _ hasEnd: inout [Bool]) -> InsomniaTag? {
    var at = text.startIndex
    let bytes = text.utf8
    while let brace = bytes[at...].firstIndex(of: UInt8(ascii: "{")) {
      let next = bytes.index(after: brace)
      guard next < bytes.endIndex else { return nil }
      let kind = bytes[next] == UInt8(ascii: "{") ? 0 : bytes[next] == UInt8(ascii: "%") ? 1 : -1
      guard kind >= 0, hasEnd[kind] else {
        at = next
        continue
      }
      let start = bytes.index(after: next)
      guard let end = end(in: text, from: start, isValue: kind == 0) else {
        hasEnd[kind] = false
        at = next
        continue
      }
      let inner = trimmed(text[start..<end])
      return InsomniaTag(
        range: brace..<bytes.index(end, offsetBy: 2), isValue: kind == 0, inner: inner)
    }
    return nil
  }

  /// Where the closing braces begin: outside of quotes or, where quotes don't end, anywhere.
  private static func end(
    in text: Substring, from start: String.Index, isValue: Bool
  ) -> String.Index? {
    let bytes = text.utf8
    let mark = isValue ? UInt8(ascii: "}") : UInt8(ascii: "%")
    var quote: UInt8?
    var anywhere: String.Index?
    var at = start
    while at < bytes.endIndex {
      let byte = bytes[at]
      let next = bytes.index(after: at)
      if byte == mark, next < bytes.endIndex, bytes[next] == UInt8(ascii: "}") {
        if quote == nil { return at }
        if anywhere == nil { anywhere = at }
      }
      if let open = quote {
        if byte == UInt8(ascii: "\\"), next < bytes.endIndex {
          at = bytes.index(after: next)
          continue
        }
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
      at = next
    }
    return anywhere
  }

  /// Leaves out blanks, and the hyphens that take them away from the text around.
  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    if text.first == "-" { text.removeFirst() }
    if text.last == "-" { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  // MARK: - Values

  /// The names and numbers on the way to a value, such as `a`, `b` and `0` of `_.a['b'][0]`; `nil`
  /// for anything that is more than a path.
  var path: [InsomniaStep]? {
    var steps: [InsomniaStep] = []
    var rest = inner
    while !rest.isEmpty {
      if rest.first == "[" {
        guard !steps.isEmpty, let close = rest.firstIndex(of: "]") else { return nil }
        let key = rest[rest.index(after: rest.startIndex)..<close]
        if let number = Int(key) {
          steps.append(.index(number))
        } else {
          guard let quote = key.first, quote == "'" || quote == "\"", key.last == quote,
            key.count > 2
          else { return nil }
          steps.append(.name(String(key.dropFirst().dropLast())))
        }
        rest = rest[rest.index(after: close)...]
      } else {
        if !steps.isEmpty {
          guard rest.first == "." else { return nil }
          rest.removeFirst()
        }
        let name = rest.prefix(while: Self.isNamePart)
        guard let first = name.first, !first.isNumber, first != "-" else { return nil }
        steps.append(.name(String(name)))
        rest = rest[name.endIndex...]
      }
    }
    if steps.count > 1, steps.first == .name("_") { steps.removeFirst() }
    return steps.isEmpty ? nil : steps
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
      || character == "-"
  }

  // MARK: - Tags

  /// The name of a tag and what is given to it; what is no literal is `nil`.
  var call: (name: Substring, arguments: [String?]) {
    let name = inner.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" }
    var arguments: [String?] = []
    var rest = inner[name.endIndex...]
    while true {
      while let first = rest.first, first.isWhitespace || first == "," { rest.removeFirst() }
      guard let first = rest.first else { return (name, arguments) }
      guard first == "'" || first == "\"" else {
        let word = rest.prefix { $0 != "," }
        rest = rest[word.endIndex...]
        let text = word.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        let isLiteral = Double(text) != nil || ["true", "false", "null"].contains(text)
        arguments.append(isLiteral ? text : nil)
        continue
      }
      rest.removeFirst()
      var text = ""
      while let next = rest.popFirst(), next != first {
        text.append(next == "\\" ? rest.popFirst() ?? next : next)
      }
      arguments.append(text)
    }
  }
}

/// A step on the way to a value of an environment.
enum InsomniaStep: Hashable {
  case name(String)
  case index(Int)
}
