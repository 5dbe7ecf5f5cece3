// The pairs of a dictionary block: keys that may be quoted, values of one line or many, and the
// annotations before and behind them.

import PostKitEvaluate

/// A pair of a dictionary.
struct BruPair: Sendable, Hashable {
  /// The name without quotes and `~`; the `@` of a local variable is part of it.
  var key: String
  /// The text of the value, blanks around it left out.
  var value: String
  /// The elements where the value is a list.
  var list: [String]?
  /// Whether it is switched on: there is no `~` before it.
  var isOn = true
  /// What stands before it as `@name` or `@name(value)`, in order.
  var annotations: [BruAnnotation] = []
  /// Where the key stands, counted from 1.
  var line: Int

  /// The value of the last annotation of that name; empty where it has none.
  func annotation(_ name: String) -> String? {
    annotations.last { $0.name == name }.map { $0.value ?? "" }
  }

  /// The words for people before it.
  var description: String { annotation("description") ?? "" }

  /// The name without the mark of a variable that is local to the request.
  var variableName: String { key.hasPrefix("@") ? String(key.dropFirst()) : key }
}

/// A word about a pair.
struct BruAnnotation: Sendable, Hashable {
  var name: String
  /// What stands in its parentheses, quotes left out; `nil` without any.
  var value: String?
}

/// Takes the pairs out of lines, one after the other.
struct BruPairReader {
  /// What begins and ends a value of several lines.
  private static let fence = "'''"

  private let lines: [BruLine]
  /// The next line that is read.
  private(set) var at: Int

  /// Begins at a line.
  init(lines: [BruLine], at: Int = 0) {
    self.lines = lines
    self.at = at
  }

  /// The next pair; `nil` at the end.
  mutating func next() throws(BruMistake) -> BruPair? {
    var annotations: [BruAnnotation] = []
    while at < lines.count {
      let text = lines[at].text.trimmingBlanks
      if text.isEmpty || BruLine.isComment(text) {
        at += 1
      } else if Self.annotationName(text) != nil {
        try readAnnotations(text, into: &annotations)
      } else {
        return try pair(text, annotations)
      }
    }
    return nil
  }

  // MARK: Pairs

  private mutating func pair(
    _ text: String, _ annotations: [BruAnnotation]
  ) throws(BruMistake) -> BruPair {
    let line = lines[at]
    at += 1
    let isOn = !text.hasPrefix("~")
    let rest = isOn ? text : String(text.dropFirst()).trimmingBlanks
    guard let (key, written) = Self.split(rest) else {
      throw BruMistake(
        line.number,
        "There is no `:` between a name and a value. Write `name: value`, or `\"name\": value` for "
          + "a name with a colon in it.")
    }
    var pair = BruPair(
      key: key, value: written, isOn: isOn, annotations: annotations, line: line.number)
    if written.hasPrefix(Self.fence) {
      let columns = line.text.utf8.prefix { $0 == 0x20 || $0 == 0x09 }.count + 2
      let value = try fenced(String(written.dropFirst(3)), from: line.number, columns)
      pair.value = value.text.trimmingBlanks
      pair.annotations += Self.trailing(value.rest).annotations
    } else if written == "[" {
      pair.list = try list(from: line.number)
      pair.value = ""
    }
    return pair
  }

  /// The key of a trimmed pair, and what stands behind the colon.
  private static func split(_ text: String) -> (key: String, value: String)? {
    let bytes = text.utf8
    if bytes.first == 0x22, let (key, end) = quoted(text) {
      let rest = String(text[end...]).trimmingBlanks
      guard rest.hasPrefix(":") else { return nil }
      return (key, String(rest.dropFirst()).trimmingBlanks)
    }
    guard let colon = bytes.firstIndex(of: 0x3A) else { return nil }
    let value = String(text[bytes.index(after: colon)...])
    return (String(text[..<colon]).trimmingBlanks, value.trimmingBlanks)
  }

  /// A quoted key and where its quotes end; only `\"` is an escape.
  private static func quoted(_ text: String) -> (key: String, end: String.Index)? {
    let bytes = text.utf8
    var key: [UInt8] = []
    var index = bytes.index(after: bytes.startIndex)
    while index < bytes.endIndex {
      let next = bytes.index(after: index)
      if bytes[index] == 0x22 { return (String(decoding: key, as: UTF8.self), next) }
      if bytes[index] == 0x5C, next < bytes.endIndex, bytes[next] == 0x22 {
        key.append(0x22)
        index = bytes.index(after: next)
      } else {
        key.append(bytes[index])
        index = next
      }
    }
    return nil
  }

  /// The elements of a list that begins on the line before.
  private mutating func list(from line: Int) throws(BruMistake) -> [String] {
    guard let end = lines[at...].firstIndex(where: { $0.text.trimmingBlanks == "]" }) else {
      throw BruMistake(line, "The list is never closed. Put `]` on a line behind it.")
    }
    let block = BruBlock(name: "", line: line, lines: Array(lines[at..<end]), isList: true)
    at = end + 1
    return block.items.map(\.text)
  }

  /// A text up to the next fence, from what stands behind the first one on, and what stands behind
  /// the second. `columns` is how far its lines are indented.
  private mutating func fenced(
    _ start: String, from line: Int, _ columns: Int
  ) throws(BruMistake) -> (text: String, rest: String) {
    if let (before, after) = start.halves(around: Self.fence) { return (before, after) }
    var texts = [start]
    while at < lines.count {
      let line = lines[at]
      at += 1
      guard let (before, after) = line.text.halves(around: Self.fence) else {
        texts.append(line.dedented(by: columns).text)
        continue
      }
      texts.append(BruLine(number: line.number, text: before).dedented(by: columns).text)
      return (texts.joined(separator: "\n"), after)
    }
    throw BruMistake(line, "The text that `'''` begins is never ended. Put `'''` behind it.")
  }

  // MARK: Annotations

  /// The name of the annotation that a line begins with; `nil` for a pair such as `@local: value`.
  private static func annotationName(_ text: String) -> String? {
    guard text.hasPrefix("@") else { return nil }
    let name = text.utf8.dropFirst().prefix {
      switch $0 {
      case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x5F: true
      default: false
      }
    }
    guard !name.isEmpty else { return nil }
    let rest = String(text[name.endIndex...]).trimmingBlanks
    guard rest.isEmpty || rest.hasPrefix("(") || rest.hasPrefix("@") else { return nil }
    return String(text[name.startIndex..<name.endIndex])
  }

  /// Reads the annotations of a line, the value of the last of which may go on below.
  private mutating func readAnnotations(
    _ text: String, into annotations: inout [BruAnnotation]
  ) throws(BruMistake) {
    let line = lines[at]
    at += 1
    var text = text
    while let name = Self.annotationName(text) {
      let rest = String(text.utf8.dropFirst(name.utf8.count + 1)) ?? ""
      guard rest.trimmingBlanks.hasPrefix("(") else {
        annotations.append(BruAnnotation(name: name))
        text = rest.trimmingBlanks
        continue
      }
      let inside = String(rest.trimmingBlanks.dropFirst())
      if inside.trimmingBlanks.hasPrefix(Self.fence) {
        let start = String(inside.trimmingBlanks.dropFirst(3))
        let columns = line.text.utf8.prefix { $0 == 0x20 || $0 == 0x09 }.count + 2
        let value = try fenced(start, from: line.number, columns)
        annotations.append(BruAnnotation(name: name, value: value.text.trimmingBlanks))
        text = String(value.rest.trimmingBlanks.drop { $0 == ")" }).trimmingBlanks
        continue
      }
      guard let (value, after) = Self.argument(inside) else {
        throw BruMistake(
          line.number, "`@\(name)(` is never closed. Put `)` behind its value on the same line.")
      }
      annotations.append(BruAnnotation(name: name, value: value))
      text = after.trimmingBlanks
    }
  }

  /// What stands in parentheses, quotes and their escapes resolved, and what stands behind them.
  private static func argument(_ text: String) -> (value: String, after: String)? {
    let trimmed = text.trimmingBlanks
    guard let quote = trimmed.utf8.first, quote == 0x22 || quote == 0x27 else {
      return text.halves(around: ")").map { ($0.before.trimmingBlanks, $0.after) }
    }
    var value: [UInt8] = []
    let bytes = Array(trimmed.utf8)
    var index = 1
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if bytes[index] == 0x5C, [0x22, 0x27, 0x5C].contains(next) {
        value.append(next)
        index += 2
      } else if bytes[index] == quote {
        let rest = String(decoding: bytes[(index + 1)...], as: UTF8.self).trimmingBlanks
        guard rest.hasPrefix(")") else { return nil }
        return (String(decoding: value, as: UTF8.self), String(rest.dropFirst()))
      } else {
        value.append(bytes[index])
        index += 1
      }
    }
    return nil
  }

  /// A value without `@contentType(…)` at its end, and that annotation.
  static func trailing(_ value: String) -> (value: String, annotations: [BruAnnotation]) {
    let mark = "@contentType("
    guard value.hasSuffix(")"), let (before, after) = value.lastHalves(around: mark) else {
      return (value, [])
    }
    let type = String(after.dropLast()).trimmingBlanks
    return (before.trimmingBlanks, [BruAnnotation(name: "contentType", value: type)])
  }
}

extension String {
  /// What stands before and behind the first place of a text; `nil` where it doesn't occur.
  func halves(around mark: String) -> (before: String, after: String)? {
    let bytes = utf8
    let wanted = Array(mark.utf8)
    var at = bytes.startIndex
    while let found = bytes[at...].firstIndex(of: wanted[0]) {
      if bytes[found...].starts(with: wanted) {
        return (String(self[..<found]), String(self[bytes.index(found, offsetBy: wanted.count)...]))
      }
      at = bytes.index(after: found)
    }
    return nil
  }

  /// What stands before and behind the last place of a text; `nil` where it doesn't occur.
  fileprivate func lastHalves(around mark: String) -> (before: String, after: String)? {
    guard var (before, after) = halves(around: mark) else { return nil }
    while let next = after.halves(around: mark) {
      before += mark + next.before
      after = next.after
    }
    return (before, after)
  }
}
