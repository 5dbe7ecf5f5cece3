// What is told of an origin's text: without the credentials in it, since reports are kept.

import PostKitHTTP

extension FolderMerge {
  /// A text of the origin in a sentence, in one line, its beginning where it is long.
  static func quoted(_ text: String) -> String {
    if text.isEmpty { return "nothing." }
    let line = masked(text).replacing("\n", with: " ⏎ ")
    return line.count > 400 ? "`\(line.prefix(400))…`" : "`\(line)`"
  }

  /// The text without the values of lines whose names say that these are credentials, and without
  /// the user information of URLs. What is a template is no secret.
  private static func masked(_ text: String) -> String {
    var isHidden = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A line that goes on with the one before.
      if isHidden, line.first == " " || line.first == "\t" { return " \(SecretMask.text)" }
      let end = endOfSecretName(line)
      isHidden = end != nil
      return end.map { "\(line[...$0]) \(SecretMask.text)" } ?? withoutUserInformation(line)
    }
    return lines.joined(separator: "\n")
  }

  /// Where the value of a header, a definition or a pair begins that is a credential.
  private static func endOfSecretName(_ line: Substring) -> Substring.Index? {
    guard let end = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
    let name = String(line[..<end].drop { "#/@?& \t".contains($0) }).trimmingASCIIBlanks()
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    guard isName, SentRequests.isSecret(name) else { return nil }
    var value = String(line[end...].dropFirst()).trimmingASCIIBlanks()
    let word = String(value.prefix { $0 != " " })
    if SecretMask.isScheme(word) { value = String(value.dropFirst(word.count)) }
    return isLiteral(value) ? end : nil
  }

  private static func withoutUserInformation(_ line: Substring) -> String {
    guard line.utf8.contains(UInt8(ascii: "@")) else { return String(line) }
    var (result, rest) = ("", line)
    while let slashes = rest.firstRange(of: "://") {
      result += rest[..<slashes.upperBound]
      rest = rest[slashes.upperBound...]
      let end = rest.firstIndex { "/?#\"'".contains($0) } ?? rest.endIndex
      guard let at = rest[..<end].lastIndex(of: "@"), isLiteral(String(rest[..<at])) else {
        continue
      }
      result += SecretMask.text
      rest = rest[at...]
    }
    return result + rest
  }

  /// Whether there is more in a text than templates.
  private static func isLiteral(_ text: String) -> Bool {
    !TemplateText.rewriting(text) { _ in "" }.allSatisfy { ": \t".contains($0) }
  }
}
