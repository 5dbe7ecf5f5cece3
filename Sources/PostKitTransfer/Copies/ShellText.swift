// Texts and bodies for `sh`, whatever bytes they have.

import PostKitHTTP

/// Writes words for the shell.
package enum ShellText {
  /// A word that the shell reads as exactly this text.
  package static func quote(_ word: String) -> String {
    if word.keepsBytes { return printed(word.keptBytes) }
    let isPlain = !word.isEmpty && word.utf8.allSatisfy(plain.contains)
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A word of bytes that are no UTF-8, which no quotes could hold in a text. The shell takes line
  /// feeds away from the end of what a command prints.
  private static func printed(_ bytes: [UInt8]) -> String {
    let lineFeeds = bytes.reversed().prefix { $0 == 10 }.count
    var text = bytes.dropLast(lineFeeds).map { byte in
      legible.contains(byte) ? String(Unicode.Scalar(byte)) : octal([byte])
    }
    // Else it would be an option of `printf`.
    if text.first == "-" { text[0] = octal([UInt8(ascii: "-")]) }
    let end = lineFeeds > 0 ? "'" + String(repeating: "\n", count: lineFeeds) + "'" : ""
    return "\"$(printf '\(text.joined())')\"" + end
  }

  /// Bytes as the escapes of `printf`.
  static func octal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  // What stands for itself in a format of `printf`.
  private static let legible = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@,+ =;&?()[]{}<>~*")

  // No `~`, `{`, `=` at the start and the like: better one quote too many.
  private static let plain = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:@,+%")
}

/// How a program of the shell gets a body.
enum ShellBody {
  case none
  /// As one word.
  case text(String)
  /// From the file at a path.
  case file(String)
  /// As what these commands print, one after the other: no word can hold a zero byte, and few
  /// programs put pieces together.
  case printed([String])

  /// The simplest way to hand over these pieces.
  init(_ chunks: [BodyChunk]) {
    let chunks = chunks.filter { $0 != .bytes([]) }
    switch chunks.first {
    case nil:
      self = .none
      return
    case .file(let path) where chunks.count == 1:
      self = .file(path)
      return
    case .bytes(let bytes) where chunks.count == 1:
      if let text = ShellBody.text(bytes) {
        self = .text(text)
        return
      }
    default: break
    }
    self = .printed(chunks.map(ShellBody.command))
  }

  /// What stands before a program that reads the body from its input, with the pipe sign; empty
  /// where it has none to read.
  var pipe: String {
    guard case .printed = self else { return "" }
    return "\(group) | "
  }

  /// A command that prints the whole body.
  var group: String {
    switch self {
    case .none: ":"
    case .text(let text): ShellBody.command(.bytes(Array(text.utf8)))
    case .file(let path): ShellBody.command(.file(path: path))
    case .printed(let commands):
      commands.count == 1 ? commands[0] : "{ " + commands.joined(separator: "; ") + "; }"
    }
  }

  private static func command(_ chunk: BodyChunk) -> String {
    switch chunk {
    case .file(let path): "cat \(ShellText.quote(path))"
    case .bytes(let bytes):
      text(bytes).map { "printf %s \(ShellText.quote($0))" }
        ?? "printf '\(ShellText.octal(bytes))'"
    }
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}
