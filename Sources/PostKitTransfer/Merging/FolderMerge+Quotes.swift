// What is told of an origin's text: without the credentials in it, since reports are kept.

import PostKitHTTP
import PostKitJSON

extension FolderMerge {
  /// A text of the origin in a sentence, without the secrets that it has elsewhere.
  func told(_ text: String) -> String { Self.quoted(secrets.mask(text).text) }

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
      let goesOn = line.first == " " || line.first == "\t"
      if isHidden, goesOn { return isLiteral(String(line)) ? " \(SecretMask.text)" : String(line) }
      let end = endOfSecretName(line)
      isHidden = end != nil && !goesOn
      guard let end, isLiteral(credential(line[end...].dropFirst())) else {
        return NamedValues.masked(withoutUserInformation(line))
      }
      return "\(line[...end]) \(SecretMask.text)"
    }
    return lines.joined(separator: "\n")
  }

  /// Where the name of a header, a definition or a pair ends that says that it is a credential.
  private static func endOfSecretName(_ line: Substring) -> Substring.Index? {
    guard let end = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
    let name = String(line[..<end].drop { "#/@?& \t".contains($0) }).trimmingASCIIBlanks()
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isName && OriginCredentials.isSecretField(name) ? end : nil
  }

  /// A value without the word for its scheme, which is no secret.
  private static func credential(_ value: Substring) -> String {
    let value = String(value).trimmingASCIIBlanks()
    let word = String(value.prefix { $0 != " " })
    return SecretMask.isScheme(word) ? String(value.dropFirst(word.count)) : value
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
  static func isLiteral(_ text: String) -> Bool {
    !TemplateText.rewriting(text) { _ in "" }.allSatisfy { ": \t".contains($0) }
  }
}
