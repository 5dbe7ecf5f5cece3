// The rules that look at lines: length, first sentence, banned words, reasons beside risks.

/// Checks of one file that need no outline.
enum FileChecks {
  /// A file has fewer than 400 lines.
  static func length(_ source: SourceText) -> [Violation] {
    guard source.lines.count >= 400 else { return [] }
    return [Violation(path: source.path, line: 0, rule: "has \(source.lines.count) lines")]
  }

  /// So has a file in another language.
  static func length(path: String, _ text: String) -> [Violation] {
    // The last line feed ends a line and begins none.
    let count = text.utf8.count { $0 == UInt8(ascii: "\n") } + (text.hasSuffix("\n") ? 0 : 1)
    return count < 400 ? [] : [Violation(path: path, line: 0, rule: "has \(count) lines")]
  }

  /// A line has at most 100 characters.
  static func columns(_ source: SourceText) -> [Violation] {
    source.lines.enumerated().filter { $0.element.count > 100 }.map {
      Violation(path: source.path, line: $0.offset + 1, rule: "has \($0.element.count) columns")
    }
  }

  /// A file begins with a `//` sentence that says why it exists.
  static func firstSentence(_ source: SourceText) -> [Violation] {
    let block = source.lines.prefix { $0.hasPrefix("// ") }.map { $0.dropFirst(3) }
    if let first = block.first?.unicodeScalars.first, let last = block.last?.last,
      first.properties.isUppercase || "`/.".unicodeScalars.contains(first), ".:?!".contains(last)
    {
      return []
    }
    return [Violation(path: source.path, line: 1, rule: "doesn't begin with a // sentence")]
  }

  /// Shipped code holds no word that crashes, prints past the writers, or imports Foundation.
  static func bannedWords(_ source: SourceText) -> [Violation] {
    source.code.enumerated().flatMap { line, text in
      let words = banned.filter { holds(text, $0) }.map { "says \($0)" }
      return (words + (unwraps(text) ? ["unwraps by force"] : [])).map {
        Violation(path: source.path, line: line + 1, rule: $0)
      }
    }
  }

  /// No line says that it waits to be done.
  static func leftovers(path: String, _ text: String) -> [Violation] {
    guard leftoverWords.contains(where: text.contains) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { line, text in
      leftoverWords.filter { holds(String(text), $0) }.map {
        Violation(path: path, line: line + 1, rule: "says \($0)")
      }
    }
  }

  /// An unstructured task starts only in the files that own tasks.
  static func tasks(_ source: SourceText, allowedIn files: Set<String>) -> [Violation] {
    if files.contains(source.path) { return [] }
    return source.code.enumerated().compactMap { line, text in
      guard taskStarts.contains(where: { holds(text, $0) }) else { return nil }
      return Violation(path: source.path, line: line + 1, rule: "starts an unstructured task")
    }
  }

  /// No task runs on Dispatch's threads, nor waits for its clock: once it is used, Dispatch wakes
  /// once a second for as long as the program runs.
  static func dispatched(_ source: SourceText) -> [Violation] {
    source.code.enumerated().compactMap { line, text in
      guard ["Task {", "Task.sleep", "Task.detached {"].contains(where: { holds(text, $0) }) else {
        return nil
      }
      return Violation(path: source.path, line: line + 1, rule: "leaves a task to Dispatch")
    }
  }

  /// `try?`, `@unchecked Sendable` and `nonisolated(unsafe)` have their reason in a comment on the
  /// line, in the comment above the declaration, or within the three lines before.
  static func reasons(_ source: SourceText) -> [Violation] {
    source.code.enumerated().compactMap { line, text in
      guard let risk = risks.first(where: { holds(text, $0) }) else { return nil }
      let near = max(0, line - 3)...line
      if near.contains(where: { source.lines[$0].contains("//") }) { return nil }
      return Violation(path: source.path, line: line + 1, rule: "has \(risk) without a reason")
    }
  }

  /// The user's own store is looked for only in the files that ask the environment for it, and no
  /// server of a test starts without a store of its own.
  static func usersStore(_ source: SourceText, allowedIn files: Set<String>) -> [Violation] {
    if files.contains(source.path) { return [] }
    return source.code.enumerated().compactMap { line, text in
      let next = line + 1 < source.code.count ? source.code[line + 1] : ""
      let serves =
        holds(text, "ServerOptions(") && source.path.hasPrefix("Tests/")
        && !(text + next).contains("storeDirectory:")
      guard serves || asksForPlace(text) else { return nil }
      return Violation(path: source.path, line: line + 1, rule: "may open the user's own store")
    }
  }

  /// Whether a line has the place of the store made from an environment.
  private static func asksForPlace(_ line: String) -> Bool {
    if line.contains("StoreLocation.init") || line.contains("StoreLocation(environment") {
      return true
    }
    // A type before a brace is none that is made: `var store: StoreLocation {`.
    return line.ranges(of: "StoreLocation {").contains { range in
      let before = line[..<range.lowerBound].split(separator: " ").last ?? ""
      return before != "->" && before != "extension" && !before.hasSuffix(":")
    }
  }

  /// Whether a line holds a word or phrase that isn't part of a longer word.
  static func holds(_ line: String, _ phrase: String) -> Bool {
    let bytes = Array(line.utf8)
    let wanted = Array(phrase.utf8)
    guard bytes.count >= wanted.count, let last = wanted.last else { return false }
    return (0...(bytes.count - wanted.count)).contains { start in
      let end = start + wanted.count
      return bytes[start..<end].elementsEqual(wanted)
        && (start == 0 || !isWord(bytes[start - 1]))
        && (!isWord(last) || end == bytes.count || !isWord(bytes[end]))
    }
  }

  /// Whether a line has `!` right behind a value or a type, as in `x!`, `f()!` and `as!`.
  static func unwraps(_ line: String) -> Bool {
    let bytes = Array(line.utf8)
    return bytes.indices.contains { index in
      guard bytes[index] == UInt8(ascii: "!"), index > 0 else { return false }
      let before = bytes[index - 1]
      let after = index + 1 < bytes.count ? bytes[index + 1] : 0x20
      return (isWord(before) || ")]?>\"`".utf8.contains(before)) && after != UInt8(ascii: "=")
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == 0x5F
  }

  private static let banned = [
    "print(", "debugPrint(", "fatalError", "preconditionFailure", "import Foundation",
    "import FoundationNetworking", "import FoundationXML", "DispatchQueue",
  ]
  private static let leftoverWords = ["FIXME", "TODO", "XXX"]
  private static let taskStarts = ["Task {", "Task(", "Task.detached"]
  private static let risks = ["try?", "@unchecked Sendable", "nonisolated(unsafe)"]
}
