// Texts that editors take for settings: servers send them, and no editor may obey a server.

import PostKitLanguage

/// What Vim, Neovim, Kakoune, Kate and Emacs look for in the first and last lines of a file. An
/// editor with an extension of ours turns that off; any other one opens a file as its own.
enum Modelines {
  /// Lines at either end in which settings are looked for: Kate reads the most.
  private static let reach = 10
  /// Characters at the end in which Emacs looks for a list of its variables.
  private static let listReach = 3_000
  private static let list = "local variables:"
  private static let words = ["vi:", "vim:", "ex:", "kak:", "kakoune:"]

  /// The text of a file in which nothing is taken for a setting. Lines are added where it has what
  /// looks like one; no byte of it changes, and any other text stays as it is. They are comments,
  /// and blank in a body, where a comment would mean something else.
  static func disarmed(_ text: String, isBody: Bool) -> String {
    var text = text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let filler = isBody ? "\n" : "#\n"
    if holds(text.suffix(listReach).lowercased(), list) {
      // Emacs reads from the last form feed on.
      text += (text.hasSuffix("\n") ? "" : "\n") + "\u{c}\n"
    }
    if lines.suffix(reach + 1).contains(where: isSetting) {
      text += (text.hasSuffix("\n") ? "" : "\n") + String(repeating: filler, count: reach)
    }
    if isOpenAbove(lines) {
      // What a page is stands in its first line. The path there is the server's, too.
      let isPage =
        isBody && lines.first.flatMap { PageHeading(line: $0) } != nil
        && !isSetting(lines[0]) && !isHead(lines[0])
      let place = isPage ? lines[0].endIndex : text.startIndex
      let above = String(repeating: filler, count: reach)
      text.insert(contentsOf: isPage ? "\n" + above.dropLast() : above, at: place)
    }
    return text
  }

  /// How many bytes `disarmed` puts above a text.
  static func bytesAbove(_ text: String, isBody: Bool) -> Int {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return isOpenAbove(lines) ? reach * (isBody ? 1 : 2) : 0
  }

  private static func isOpenAbove(_ lines: [Substring]) -> Bool {
    lines.prefix(reach).contains(where: isSetting) || lines.prefix(2).contains(where: isHead)
  }

  private static func isHead(_ line: Substring) -> Bool { holds(line, "-*-") }

  /// Whether a text has another in it. Editors find a sign also where a combining mark follows,
  /// with which it is another character.
  private static func holds(_ text: some StringProtocol, _ other: String) -> Bool {
    Array(text.utf8).firstRange(of: Array(other.utf8)) != nil
  }

  /// Whether a line has the words at which editors begin to read settings.
  private static func isSetting(_ line: Substring) -> Bool {
    let colon = UInt8(ascii: ":")
    guard line.utf8.contains(colon) else { return false }
    let line = line.lowercased()
    if holds(line, "kate:") || holds(line, "kate-") { return true }
    return line.split(whereSeparator: \.isWhitespace).map(\.utf8).contains { word in
      if words.contains(where: { word.starts(with: $0.utf8) }) { return true }
      // Such as `vim700:` and `vim>=700:`.
      guard word.starts(with: "vim".utf8), let end = word.firstIndex(of: colon) else {
        return false
      }
      return word[..<end].dropFirst(3).allSatisfy { "<=>0123456789".utf8.contains($0) }
    }
  }
}
