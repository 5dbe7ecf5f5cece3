// The Authorization header's short forms (PK-79).

import PostKitHTTP
import PostKitSyntax

/// Rewrites `Basic user password` as the header that goes over the wire.
enum Credentials {
  /// What became of an Authorization value.
  enum Outcome: Hashable {
    case verbatim
    case rewritten(String)
    case passwordMissing(scheme: String)
    case unsupported(String)
  }

  /// Reads an Authorization value: the template decides where user and password part, the
  /// expanded halves are used.
  static func rewrite(
    template: String, value: String, expand: (String) -> String
  ) -> Outcome {
    let word = template.prefix { $0 != " " && $0 != "\t" }
    let scheme = word.lowercased()
    let rest = String(template.dropFirst(word.count)).trimmingBlanks
    if scheme == "aws" && !rest.isEmpty { return .unsupported("AWS signatures are") }
    if scheme == "oauth2" || scheme == "openid" { return .unsupported("OAuth2 is") }
    guard scheme == "basic" || scheme == "digest" || scheme == "ntlm", !rest.isEmpty else {
      return scheme == "negotiate" && rest.isEmpty ? .unsupported("Negotiate is") : .verbatim
    }
    var parts = split(rest)
    if parts == nil, rest.hasPrefix("{{"), rest.hasSuffix("}}"), references(in: rest) == 1 {
      // One reference holds the whole credential: its value decides.
      let expanded = String(value.dropFirst(word.count)).trimmingBlanks
      if isBase64Credential(expanded) || expanded.isEmpty { return .verbatim }
      parts = split(expanded)
      if let parts { return encoded(scheme, parts.user, parts.password) }
      return .passwordMissing(scheme: String(word))
    }
    if isBase64Credential(rest) { return .verbatim }
    if scheme == "digest", rest.contains("="), parts == nil || rest.contains("nonce") {
      return .verbatim
    }
    guard let parts else { return .passwordMissing(scheme: String(word)) }
    return encoded(scheme, expand(parts.user), expand(parts.password))
  }

  private static func encoded(_ scheme: String, _ user: String, _ password: String) -> Outcome {
    guard scheme == "basic" else {
      return .unsupported(scheme == "digest" ? "Digest credentials are" : "NTLM credentials are")
    }
    return .rewritten("Basic " + Base64.encode(Array("\(user):\(password)".utf8)))
  }

  /// Splits at the first blank if it stands before the first colon, else at the colon; what is
  /// inside of references does not count.
  private static func split(_ text: String) -> (user: String, password: String)? {
    var depth = 0
    var previous: Character = " "
    for index in text.indices {
      let character = text[index]
      if character == "{", previous == "{" { depth += 1 }
      if character == "}", previous == "}" { depth = max(0, depth - 1) }
      previous = character
      guard depth == 0 else { continue }
      let after = text.index(after: index)
      if character == " " || character == "\t" {
        let password = String(text[after...]).drop { $0 == " " || $0 == "\t" }
        return (String(text[..<index]), String(password))
      }
      if character == ":" { return (String(text[..<index]), String(text[after...])) }
    }
    return nil
  }

  private static func references(in text: String) -> Int {
    var count = 0
    let bytes = Array(text.utf8)
    for piece in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      if case .literal = piece { return 0 }
      count += 1
    }
    return count
  }

  private static func isBase64Credential(_ text: String) -> Bool {
    guard !text.contains(" "), !text.contains(":"), let bytes = Base64.decode(text) else {
      return false
    }
    return bytes.contains(UInt8(ascii: ":"))
  }
}
