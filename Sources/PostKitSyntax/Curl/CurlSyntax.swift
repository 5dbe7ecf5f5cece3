// What the words of a curl command are: options, their values, URLs (PK-30).

/// The words of one curl command, sorted.
package struct CurlSyntax: Sendable, Hashable {
  /// An option as it was used.
  package struct Use: Sendable, Hashable {
    package var option: CurlOption
    /// Whether it was written `--no-…`.
    package var isNegated: Bool
    /// Its value; `nil` for a switch, or where the value is missing.
    package var value: ShellWord?
    /// The option with its value.
    package var range: Range<Int>
  }

  /// In the order of the command.
  package private(set) var uses: [Use] = []
  /// The URLs, named by `--url` or not.
  package private(set) var urls: [ShellWord] = []
  /// What looks like an option and is none of curl's.
  package private(set) var unknown: [ShellWord] = []
  /// What is left to the shell, such as a pipe.
  package private(set) var rest: Range<Int>?
  /// A quote that is never closed.
  package private(set) var unclosedQuote: Range<Int>?

  /// Reads a command; its first word is `curl`.
  package init(_ bytes: [UInt8], in range: Range<Int>) {
    let split = ShellWords(bytes, in: range)
    rest = split.rest
    unclosedQuote = split.unclosedQuote
    var words = split.words.dropFirst()
    var takesOptions = true
    while let word = words.popFirst() {
      let first = word.bytes.first
      if !takesOptions || first != Byte.dash || word.bytes.count == 1 {
        urls.append(word)
      } else if word.bytes == [Byte.dash, Byte.dash] {
        takesOptions = false
      } else if word.bytes[1] == Byte.dash {
        readLong(word, &words)
      } else {
        readLetters(word, &words)
      }
    }
  }

  /// An option that does not stand in a command: its name or its letter, and its value.
  package typealias Written = (name: String, value: ShellWord?, range: Range<Int>)

  /// Sorts options that do not stand in a command. One that isn't obeyed there is one without a
  /// counterpart.
  package init(options: [Written], obeys: (CurlOption) -> Bool) {
    for (name, value, range) in options {
      let isNegated = name.hasPrefix("no-") && CurlOption.named(name) == nil
      let long = isNegated ? String(name.dropFirst(3)) : name
      let letter = name.count == 1 ? name.first.flatMap(CurlOption.letter) : nil
      guard var option = letter ?? CurlOption.named(long), !isNegated || !option.takesValue else {
        unknown.append(ShellWord(bytes: Array(name.utf8), range: range, references: []))
        continue
      }
      if option.effect == .request, !obeys(option) { option = option.withoutEffect }
      uses.append(
        Use(
          option: option, isNegated: isNegated, value: option.takesValue ? value : nil,
          range: range))
    }
  }

  private mutating func add(
    _ option: CurlOption, isNegated: Bool = false, value: ShellWord?, from word: ShellWord
  ) {
    let end = value.map { max($0.range.upperBound, word.range.upperBound) }
    let range = word.range.lowerBound..<(end ?? word.range.upperBound)
    if option.name == "url", let value { urls.append(value) }
    uses.append(Use(option: option, isNegated: isNegated, value: value, range: range))
  }

  /// `--name value`, `--name=value` as other parsers take it, `--no-name`.
  private mutating func readLong(_ word: ShellWord, _ words: inout ArraySlice<ShellWord>) {
    let equals = word.bytes.firstIndex(of: Byte.equals)
    let name = String(decoding: word.bytes[2..<(equals ?? word.bytes.count)], as: UTF8.self)
    if let option = CurlOption.named(name) {
      if !option.takesValue {
        add(option, value: nil, from: word)
      } else if let equals {
        add(option, value: word.dropFirst(equals + 1), from: word)
      } else {
        add(option, value: words.popFirst(), from: word)
      }
    } else if name.hasPrefix("no-"), let option = CurlOption.named(String(name.dropFirst(3))),
      !option.takesValue
    {
      add(option, isNegated: true, value: nil, from: word)
    } else {
      unknown.append(word)
    }
  }

  /// `-sSXPOST`: letters in a row, of which the first that takes a value takes the rest.
  private mutating func readLetters(_ word: ShellWord, _ words: inout ArraySlice<ShellWord>) {
    var at = 1
    while at < word.bytes.count {
      let letter = Character(Unicode.Scalar(word.bytes[at]))
      at += 1
      guard let option = CurlOption.letter(letter) else { return unknown.append(word) }
      if option.takesValue {
        let value = at < word.bytes.count ? word.dropFirst(at) : words.popFirst()
        return add(option, value: value, from: word)
      }
      add(option, isNegated: letter == "N", value: nil, from: word)
    }
  }

  /// Whether a switch is on: the last use counts.
  package func has(_ name: String) -> Bool {
    uses.last { $0.option.name == name }.map { !$0.isNegated } ?? false
  }

  /// The last value of an option.
  package func value(_ name: String) -> ShellWord? {
    uses.last { $0.option.name == name && $0.value != nil }?.value
  }

  /// The method as written or as the other options mean it.
  package var method: String {
    if let written = value("request") { return written.text }
    if has("head") { return "HEAD" }
    if value("upload-file") != nil { return "PUT" }
    let carriers: Set<String> = [
      "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json",
    ]
    let hasData = !has("get") && uses.contains { carriers.contains($0.option.name) }
    let hasForm = uses.contains { $0.option.name == "form" || $0.option.name == "form-string" }
    return hasData || hasForm ? "POST" : "GET"
  }
}

extension ParsedBlock {
  /// The curl command, if the block is one; its ranges are places in the file.
  package var curl: CurlSyntax? {
    request?.curl.map { CurlSyntax(bytes, in: absolute($0)) }
  }

  /// The method as written, GET where there is none.
  package var writtenMethod: String {
    curl?.method ?? request?.method.map(text) ?? "GET"
  }

  /// The target as written.
  package var writtenTarget: String {
    if let curl { return curl.urls.first?.text ?? "" }
    guard let target = request?.target else { return "" }
    if target.count == 1 { return text(target[0]) }
    // `joined` would search all conformances when it is first called, and each run comes by here.
    return target.reduce(into: "") { $0 += text($1) }
  }

  /// The method, and the target as written but for its user information: titles come into reports
  /// and logs, where no password may stand.
  package var methodAndPlace: String {
    let target = writtenTarget
    guard target.utf8.contains(UInt8(ascii: "@")), let slashes = target.firstRange(of: "://") else {
      return "\(writtenMethod) \(target)"
    }
    let rest = target[slashes.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? target.endIndex
    let host = rest[..<end].lastIndex(of: "@").map(target.index(after:)) ?? rest.startIndex
    return "\(writtenMethod) \(target[..<slashes.upperBound])\(target[host...])"
  }
}
