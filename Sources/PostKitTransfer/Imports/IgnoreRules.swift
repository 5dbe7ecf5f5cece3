// What `.gitignore` files leave out, as far as one path is concerned.

/// The rules of one `.gitignore` file.
struct IgnoreRules: Sendable, Hashable {
  private struct Rule: Sendable, Hashable {
    var pattern: [Character]
    var isNegated: Bool
    var isForFoldersOnly: Bool
    /// Whether it counts from the folder of the file; else it is about names at any depth.
    var isAnchored: Bool
  }

  private static let starLimit = 8

  private var rules: [Rule] = []

  /// Reads a file.
  init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      var line = line
      while line.last == " ", line.dropLast().last != "\\" { line.removeLast() }
      if line.isEmpty || line.hasPrefix("#") { continue }
      let isNegated = line.hasPrefix("!")
      if isNegated { line.removeFirst() }
      let isForFoldersOnly = line.hasSuffix("/")
      if isForFoldersOnly { line.removeLast() }
      let isAnchored = line.contains("/")
      if line.hasPrefix("/") { line.removeFirst() }
      // A pattern of many stars could take for ever; without it a line more is written, no less.
      if line.isEmpty || line.count(where: { $0 == "*" }) > Self.starLimit { continue }
      rules.append(
        Rule(
          pattern: Array(line), isNegated: isNegated, isForFoldersOnly: isForFoldersOnly,
          isAnchored: isAnchored))
    }
  }

  /// Whether a path below the folder of the file is left out; `nil` where no rule is about it.
  func ignores(_ path: String, isFolder: Bool) -> Bool? {
    let name = Array(path.split(separator: "/").last ?? "")
    for rule in rules.reversed() where isFolder || !rule.isForFoldersOnly {
      let text = rule.isAnchored ? Array(path) : name
      if Self.matches(rule.pattern[...], text[...]) { return !rule.isNegated }
    }
    return nil
  }

  /// Whether a file is left out by the files of its folder and of those above; `files` has their
  /// texts, the nearest folder's first, each with the path from that folder to the file.
  static func ignores(_ files: [(text: String, path: String)]) -> Bool {
    let rules = files.map { (IgnoreRules($0.text), $0.path.split(separator: "/")) }
    // What lies in a folder that is left out is left out, whatever is said of it.
    let depth = rules.map(\.1.count).max() ?? 0
    for length in (0..<depth).reversed() {
      for (rules, parts) in rules where parts.count > length {
        let path = parts.dropLast(length).joined(separator: "/")
        guard let answer = rules.ignores(path, isFolder: length > 0) else { continue }
        if answer { return true }
        break
      }
    }
    return false
  }

  /// Whether a pattern matches a whole text: `*` and `?` stop at `/`, `**` does not.
  private static func matches(
    _ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*" where rest.first == "*":
      let behind = rest.drop { $0 == "*" }
      if behind.isEmpty { return true }
      if behind.first == "/", matches(behind.dropFirst(), text) { return true }
      let ends = Array(text.indices) + [text.endIndex]
      return ends.contains { matches(behind, text[$0...]) }
    case "*":
      var tail = text
      while true {
        if matches(rest, tail) { return true }
        guard let next = tail.first, next != "/" else { return false }
        tail = tail.dropFirst()
      }
    case "?":
      guard let next = text.first, next != "/" else { return false }
      return matches(rest, text.dropFirst())
    case "[":
      guard let end = rest.dropFirst().firstIndex(of: "]") else {
        return text.first == "[" && matches(rest, text.dropFirst())
      }
      guard let next = text.first, next != "/", isIn(rest[..<end], next) else { return false }
      return matches(pattern[(end + 1)...], text.dropFirst())
    case "\\":
      guard let escaped = rest.first else { return false }
      return text.first == escaped && matches(rest.dropFirst(), text.dropFirst())
    default:
      return text.first == first && matches(rest, text.dropFirst())
    }
  }

  /// Whether a character is one of a set such as `a-z` or `!x`.
  private static func isIn(_ set: ArraySlice<Character>, _ character: Character) -> Bool {
    var set = set
    let isNegated = set.first == "!" || set.first == "^"
    if isNegated { set.removeFirst() }
    var isFound = false
    while let low = set.popFirst() {
      if set.first == "-", let high = set.dropFirst().first {
        set = set.dropFirst(2)
        if low <= character, character <= high { isFound = true }
      } else if low == character {
        isFound = true
      }
    }
    return isFound != isNegated
  }
}
