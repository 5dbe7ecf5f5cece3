// Credentials that stand in a line of a text by name: in the query of a URL, in a form, and as
// members of JSON or elements of XML that are on one line.

import PostKitHTTP
import PostKitJSON

/// Finds values by the names before them.
enum NamedValues {
  /// Whether what has a name may be a credential: in what is told, rather too much is hidden.
  static func isSecret(_ name: String) -> Bool {
    if OriginCredentials.isSecret(name) || OriginCredentials.isSecretField(name) { return true }
    let name = name.lowercased()
    if shortNames.contains(name) { return true }
    // Authors are none.
    let rest = name.replacing("authori", with: "auth").replacing("author", with: "")
    return words.contains { rest.contains($0) }
  }

  private static let shortNames: Set<String> = ["otp", "pass", "pin", "pw", "sid"]
  private static let words = [
    "auth", "cookie", "credential", "jwt", "passphrase", "passwd", "pwd", "session", "signature",
  ]

  private static let marks = ["-----begin", "bearer ", "basic ", "\\u"]

  /// Whether anything in a text is named like a credential, in whatever notation, or is a key or a
  /// value with the word for its scheme.
  static func mayHoldSecret(_ text: String) -> Bool {
    // Names in forms are encoded, and those in JSON may have escapes instead of letters.
    [text, PercentEncoding.decodeForm(text)].contains { text in
      let text = text.lowercased()
      if marks.contains(where: { text.contains($0) }) { return true }
      let names = text.split { !($0.isLetter || $0.isNumber || "-_".contains($0)) }
      return names.contains { isSecret(String($0)) }
    }
  }

  /// A line without the values that are named like credentials. Templates are none.
  static func masked(_ line: String) -> String {
    var (result, rest) = ("", line[...])
    while let sign = rest.firstIndex(where: { "=:>".contains($0) }) {
      let name = name(before: sign, in: rest)
      let value = name.map(isSecret) == true ? value(behind: sign, in: rest) : nil
      let next = rest.index(after: sign)
      guard let value, FolderMerge.isLiteral(String(rest[value])) else {
        result += rest[..<next]
        rest = rest[next...]
        continue
      }
      result += rest[..<value.lowerBound] + SecretMask.text
      rest = rest[value.upperBound...]
    }
    return result + rest
  }

  /// The name of what a sign gives a value to; `nil` where it gives none.
  private static func name(before sign: Substring.Index, in line: Substring) -> String? {
    var before = line[..<sign]
    if line[sign] == ">" {
      guard let open = before.lastIndex(of: "<") else { return nil }
      return String(before[before.index(after: open)...].prefix { $0 != " " })
    }
    while before.last == " " || before.last == "\t" { before.removeLast() }
    if let quote = before.last, quote == "\"" || quote == "'" {
      before.removeLast()
      if before.last == "\\" { before.removeLast() }
      guard let open = before.lastIndex(of: quote) else { return nil }
      return String(before[before.index(after: open)...])
    }
    guard line[sign] == "=" else { return nil }
    let start = before.lastIndex { "?&;,\"' \t".contains($0) }
    return PercentEncoding.decodeForm(
      String(start.map { before[before.index(after: $0)...] } ?? before))
  }

  /// The value behind a sign: within its quotes, or up to what ends it; `nil` for none.
  private static func value(
    behind sign: Substring.Index, in line: Substring
  ) -> Range<Substring.Index>? {
    var start = line.index(after: sign)
    while start < line.endIndex, line[start] == " " || line[start] == "\t" {
      start = line.index(after: start)
    }
    var ends = line[sign] == "=" ? "&#\"' \t" : line[sign] == ">" ? "<" : ",}] \t"
    var isEscaped = false
    if start < line.endIndex, line[start] == "\\" {
      isEscaped = true
      start = line.index(after: start)
    }
    if start < line.endIndex, line[start] == "\"" || line[start] == "'" {
      ends = String(line[start])
      start = line.index(after: start)
    } else if isEscaped || line[start...].first.map({ "{[".contains($0) }) == true,
      !line[start...].hasPrefix("{{")
    {
      return nil
    }
    var at = start
    while at < line.endIndex, !ends.contains(line[at]) {
      if line[at...].hasPrefix("{{"), let close = line[at...].place(ofText: "}}") {
        at = close.upperBound
        continue
      }
      // The quotes of JSON in a string have a backslash, and so has the one that ends it.
      if line[at] == "\\", isEscaped { break }
      at = line.index(line[at] == "\\" ? line.index(after: at) : at, offsetBy: 1,
        limitedBy: line.endIndex) ?? line.endIndex
    }
    let words: Set<Substring> = ["true", "false", "null"]
    return start < at && !words.contains(line[start..<at]) ? start..<at : nil
  }
}

extension WrittenVariable {
  /// The texts in a secret's value that are no templates.
  var hiddenTexts: [String] {
    func texts(_ value: JSONValue) -> [String] {
      switch value {
      case .string(let text): FolderMerge.isLiteral(text) && text.utf8.count > 3 ? [text] : []
      case .array(let elements): elements.flatMap(texts)
      case .object(let members): members.flatMap { texts($0.value) }
      default: []
      }
    }
    // What is no JSON would be a mistake of the writer.
    return (try? JSONTree(parsing: Array(json.utf8)).root.value).map(texts) ?? []
  }
}
