// The commands of a script, for each of the shells that browsers copy commands for.

/// A command of a list as its shell would run it.
struct ListedCommand: Sendable, Hashable {
  /// The command as `sh` has it, whichever shell it was written for.
  var text: [UInt8]
  /// The line at which it begins, counted from 1.
  var line: Int
  /// The comment lines right above it, without their marks.
  var comments: [String]
  /// What the shell puts values in for, such as `$TOKEN`.
  var expansions: [String] = []

  /// Its first word: the program.
  var program: String {
    String(decoding: text.prefix { $0 != 32 && $0 != 9 && $0 != 10 }, as: UTF8.self)
  }

  /// Whether it runs curl.
  var isCurl: Bool {
    let name = program.split { $0 == "/" || $0 == "\\" }.last?.lowercased()
    return name == "curl" || name == "curl.exe" || name == "'curl'" || name == "'curl.exe'"
  }
}

/// Splits a script into commands. Each may be written for another shell: Windows' command line
/// continues lines by `^`, PowerShell by a backtick, all others by a backslash.
struct CommandList {
  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var comments: [String] = []
  private(set) var commands: [ListedCommand] = []

  /// Splits a text; line ends become those of Unix.
  init(_ text: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for (position, byte) in text.enumerated() {
      if byte == 13, position + 1 < text.count, text[position + 1] == 10 { continue }
      bytes.append(byte)
    }
    self.bytes = bytes
    while at < bytes.count { readLine() }
  }

  /// Reads a command, a comment or what lies between commands.
  private mutating func readLine() {
    switch bytes[at] {
    case 10:
      at += 1
      line += 1
      // A blank line parts a comment from what comes below it.
      if at < bytes.count, bytes[at] == 10 { comments = [] }
    case 32, 9, UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"): at += 1
    case UInt8(ascii: "#"): readComment()
    default: readCommand()
    }
  }

  private mutating func readComment() {
    let end = bytes[at...].firstIndex(of: 10) ?? bytes.count
    var text = String(decoding: bytes[at..<end], as: UTF8.self).drop { $0 == "#" || $0 == " " }
    while text.last?.isWhitespace == true { text.removeLast() }
    // A command that is switched off says nothing of the next, and may hold a secret.
    if !text.isEmpty, !text.hasPrefix("!"), !text.contains("curl ") {
      comments.append(String(text))
    }
    at = end
  }

  private mutating func readCommand() {
    // The prompt of a shell is copied along.
    if bytes[at...].starts(with: "$ ".utf8) { at += 2 }
    let start = (at, line)
    let text: [UInt8]
    let shell = shell
    let isPOSIX = shell == .posix
    switch shell {
    case .posix: text = readPOSIX()
    case .windows:
      text = Self.quoted(WindowsWords.split(readWindows()))
    case .power: text = Self.quoted(readPower())
    }
    if at == start.0, at < bytes.count { at += 1 }
    line = start.1 + bytes[start.0..<at].count { $0 == 10 }
    guard !text.isEmpty else { return }
    commands.append(
      ListedCommand(
        text: text, line: start.1, comments: comments,
        expansions: isPOSIX ? ShellExpansions.names(in: text) : []))
    comments = []
  }

  // MARK: - Shells

  private enum Shell { case posix, windows, power }

  /// The shell that the command at this place was written for, told by its first line.
  private var shell: Shell {
    let end = bytes[at...].firstIndex(of: 10) ?? bytes.count
    let first = String(decoding: bytes[at..<end], as: UTF8.self)
    let last = first.last { !$0.isWhitespace }
    if last == "\\" { return .posix }
    if last == "^" || first.contains(" ^\"") { return .windows }
    if last == "`" || first.contains("\"`\"") { return .power }
    return .posix
  }

  /// The words as `sh` has them.
  private static func quoted(_ words: [[UInt8]]) -> [UInt8] {
    var text: [UInt8] = []
    for word in words {
      if !text.isEmpty { text.append(32) }
      // Only the first is read as it stands, to know the program.
      guard !text.isEmpty else {
        text += word
        continue
      }
      text.append(UInt8(ascii: "'"))
      for byte in word {
        if byte == UInt8(ascii: "'") { text += Array("'\\'".utf8) }
        text.append(byte)
      }
      text.append(UInt8(ascii: "'"))
    }
    return text
  }

  /// Whether a command ends here: an operator that is no part of a word, as in a query.
  private func ends(inWord: Bool) -> Bool {
    let next = at + 1 < bytes.count ? bytes[at + 1] : 10
    switch bytes[at] {
    case 10: return true
    case UInt8(ascii: ";"): return !inWord || next == 32 || next == 10
    case UInt8(ascii: "&"): return !inWord
    case UInt8(ascii: "|"): return !inWord && next == UInt8(ascii: "|")
    default: return false
    }
  }

  private mutating func readPOSIX() -> [UInt8] {
    let start = at
    var isInWord = false
    while at < bytes.count, !ends(inWord: isInWord) {
      let byte = bytes[at]
      let isANSI = byte == UInt8(ascii: "$") && at + 1 < bytes.count
        && bytes[at + 1] == UInt8(ascii: "'")
      switch byte {
      case 32, 9:
        isInWord = false
        at += 1
        continue
      case UInt8(ascii: "\\"): at = min(at + 2, bytes.count)
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        at = end(ofQuotedFrom: at + 1, byte, escapes: byte == UInt8(ascii: "\""))
      case _ where isANSI: at = end(ofQuotedFrom: at + 2, UInt8(ascii: "'"), escapes: true)
      case UInt8(ascii: "#") where !isInWord:
        at = bytes[at...].firstIndex(of: 10) ?? bytes.count
        continue
      default: at += 1
      }
      isInWord = true
    }
    return Array(bytes[start..<at])
  }

  /// The end of a text in quotes; without a closing one, that of the script.
  private func end(ofQuotedFrom start: Int, _ quote: UInt8, escapes: Bool) -> Int {
    var place = start
    while place < bytes.count, bytes[place] != quote {
      place += escapes && bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(place + 1, bytes.count)
  }

  /// A line of Windows' command line with its carets resolved: they take the meaning of the next
  /// character outside of quotes away, and that of a line end, too.
  private mutating func readWindows() -> [UInt8] {
    var text: [UInt8] = []
    var isQuoted = false
    while at < bytes.count {
      let byte = bytes[at]
      if !isQuoted, byte == UInt8(ascii: "^"), at + 1 < bytes.count {
        at += bytes[at + 1] == 10 ? 2 : 1
        guard at < bytes.count else { break }
        // Behind a caret and a line end stands what is taken as it is: a line end for the text.
        if bytes[at - 1] == 10, bytes[at] != 10 { continue }
        text.append(bytes[at])
        at += 1
        continue
      }
      if !isQuoted, byte == 10 || byte == UInt8(ascii: "&") { break }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      text.append(byte)
      at += 1
    }
    return text
  }

  /// The words of a command of PowerShell.
  private mutating func readPower() -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    while at < bytes.count, bytes[at] != 10, bytes[at] != UInt8(ascii: ";") {
      switch bytes[at] {
      case 32, 9:
        if let done = word { words.append(done) }
        word = nil
        at += 1
      case UInt8(ascii: "`"):
        let next = at + 1 < bytes.count ? bytes[at + 1] : 10
        at = min(at + 2, bytes.count)
        if next != 10 { word = (word ?? []) + [PowerText.escaped(next)] }
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        let quoted = PowerText.quoted(bytes, from: at)
        word = (word ?? []) + quoted.text
        at = quoted.end
      default:
        word = (word ?? []) + [bytes[at]]
        at += 1
      }
    }
    if let word { words.append(word) }
    return words
  }
}

/// Words as programs on Windows get them.
enum WindowsWords {
  /// Splits at blanks outside of double quotes; backslashes count only before a quote.
  static func split(_ text: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var isQuoted = false
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte == 32 || byte == 9, !isQuoted {
        if let done = word { words.append(done) }
        word = nil
        at += 1
        continue
      }
      var backslashes = 0
      while at < text.count, text[at] == UInt8(ascii: "\\") {
        backslashes += 1
        at += 1
      }
      let isQuote = at < text.count && text[at] == UInt8(ascii: "\"")
      let kept = isQuote ? backslashes / 2 : backslashes
      word = (word ?? []) + Array(repeating: UInt8(ascii: "\\"), count: kept)
      guard isQuote else {
        if backslashes == 0 {
          word?.append(byte)
          at += 1
        }
        continue
      }
      if backslashes.isMultiple(of: 2) {
        isQuoted.toggle()
      } else {
        word?.append(UInt8(ascii: "\""))
      }
      at += 1
    }
    if let word { words.append(word) }
    return words
  }
}

/// What a POSIX shell would put values in for.
enum ShellExpansions {
  /// The expansions of a command outside of single quotes: `$NAME`, `${…}` and `$(…)`, each once.
  static func names(in text: [UInt8]) -> [String] {
    guard text.contains(UInt8(ascii: "$")) else { return [] }
    var names: [String] = []
    // The open quote; 0 for `$'…'`, in which backslashes count.
    var quote: UInt8?
    var at = 0
    while at < text.count {
      let byte = text[at]
      let single = UInt8(ascii: "'")
      switch (byte, quote) {
      case (UInt8(ascii: "\\"), _) where quote != single: at += 1
      case (single, nil): quote = at > 0 && text[at - 1] == UInt8(ascii: "$") ? 0 : single
      case (single, single?), (single, 0?): quote = nil
      case (UInt8(ascii: "\""), nil): quote = byte
      case (UInt8(ascii: "\""), byte?): quote = nil
      case (UInt8(ascii: "$"), nil), (UInt8(ascii: "$"), UInt8(ascii: "\"")?):
        if let name = name(in: text[(at + 1)...]), !names.contains(name) { names.append(name) }
      default: break
      }
      at += 1
    }
    return names
  }

  /// What stands behind a `$`, with it; `nil` where that is a `$` like any other.
  private static func name(in rest: ArraySlice<UInt8>) -> String? {
    switch rest.first {
    case UInt8(ascii: "("): return "$(…)"
    case UInt8(ascii: "{"):
      return "$" + String(decoding: rest.prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self) + "}"
    case let first? where isNamePart(first) && !(48...57).contains(first):
      return "$" + String(decoding: rest.prefix(while: isNamePart), as: UTF8.self)
    default: return nil
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (48...57).contains(byte) || (97...122).contains(byte | 32)
  }
}
