// Swift source split into code and comments, so that checks never take a word in a string for code.

/// A file whose code, comments and strings are told apart.
struct SourceText: Sendable {
  /// The path from the root of the repository.
  let path: String
  /// The lines as written.
  let lines: [String]
  /// The same lines with comments and the insides of strings blanked out.
  let code: [String]
  /// The declarations.
  let outline: SourceOutline

  /// Splits a file.
  init(path: String, _ text: String) {
    self.path = path
    var masker = Masker(Array(text.utf8))
    masker.run()
    lines = Self.split(Array(text.utf8))
    code = Self.split(masker.output)
    outline = SourceOutline(code: code)
  }

  private static func split(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

/// Blanks out what isn't code; code inside string interpolations stays.
private struct Masker {
  private let input: [UInt8]
  private(set) var output: [UInt8]
  private var at = 0

  init(_ input: [UInt8]) {
    self.input = input
    output = input
  }

  /// Masks the whole file.
  mutating func run() {
    while at < input.count { code() }
  }

  /// Steps over one piece of code, or over a comment or string whole.
  private mutating func code() {
    if matches("//") {
      while at < input.count, input[at] != 0x0A { blank() }
    } else if matches("/*") {
      blockComment()
    } else if input[at] == UInt8(ascii: "`") {
      // Names of tests are sentences; they are blanked like strings.
      at += 1
      while at < input.count, input[at] != UInt8(ascii: "`") { blank() }
      at += 1
    } else if let hashes = stringStart() {
      string(hashes)
    } else {
      at += 1
    }
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      let isStart = matches("/*")
      if isStart || matches("*/") {
        depth += isStart ? 1 : -1
        blank()
      }
      blank()
    } while depth > 0 && at < input.count
  }

  /// The number of `#` before a quote that begins a string here.
  private func stringStart() -> Int? {
    var index = at
    while index < input.count, input[index] == UInt8(ascii: "#") { index += 1 }
    return index < input.count && input[index] == UInt8(ascii: "\"") ? index - at : nil
  }

  private mutating func string(_ hashes: Int) {
    at += hashes
    let fence = String(repeating: "#", count: hashes)
    let quotes = matches("\"\"\"") ? "\"\"\"" : "\""
    at += quotes.utf8.count
    while at < input.count {
      if matches(quotes + fence) {
        at += quotes.utf8.count + hashes
        return
      }
      if matches("\\" + fence + "(") {
        interpolation(hashes)
      } else if matches("\\" + fence) {
        for _ in 0..<(2 + hashes) { blank() }
      } else if quotes.utf8.count == 1 && input[at] == 0x0A {
        return
      } else {
        blank()
      }
    }
  }

  private mutating func interpolation(_ hashes: Int) {
    for _ in 0..<(1 + hashes) { blank() }
    var depth = 0
    repeat {
      if input[at] == UInt8(ascii: "(") { depth += 1 }
      if input[at] == UInt8(ascii: ")") { depth -= 1 }
      code()
    } while depth > 0 && at < input.count
  }

  private func matches(_ text: String) -> Bool {
    var index = at
    for byte in text.utf8 {
      guard index < input.count, input[index] == byte else { return false }
      index += 1
    }
    return true
  }

  private mutating func blank() {
    guard at < input.count else { return }
    if input[at] != 0x0A { output[at] = 0x20 }
    at += 1
  }
}
