// Secrets in the file itself: in headers, and in definitions that everybody gets (PK-81).

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

extension Advice {
  /// A password or token that stands in the file itself (PK-81).
  mutating func checkSecret(_ header: HeaderSyntax) {
    // Most headers are told from these by their length.
    guard header.name.count == 13 || header.name.count == 19,
      let value = header.value.first, header.value.count == 1,
      ["authorization", "proxy-authorization"].contains(block.text(header.name).lowercased())
    else { return }
    let text = block.text(value)
    guard !text.contains("{{"), !text.contains("<"),
      let blank = text.firstIndex(of: " ")
    else { return }
    let credentials = text[blank...].drop { $0 == " " }
    let secret: Substring? =
      switch text[..<blank].lowercased() {
      case "bearer": credentials.utf8.count >= 16 ? credentials : nil
      case "basic", "digest": Advice.password(of: credentials)
      case "aws": credentials.split(separator: " ").dropFirst().first
      default: nil
      }
    guard let secret, !secret.isEmpty else { return }
    let start = value.lowerBound + text[..<secret.startIndex].utf8.count
    say(
      .secretInFile, start..<start + secret.utf8.count,
      "Everybody who gets this file can read this secret. Move it to "
        + "`http-client.private.env.json` and write `{{name}}` here.")
  }

  /// The password of `user password`, `user:password` or their Base64 form.
  private static func password(of credentials: Substring) -> Substring? {
    if let cut = credentials.firstIndex(where: { $0 == ":" || $0 == " " }) {
      return credentials[credentials.index(after: cut)...]
    }
    guard let decoded = Base64.decode(String(credentials)), decoded.contains(58) else { return nil }
    return credentials
  }

  /// A token, or an address that is one, in a definition.
  mutating func checkSecret(_ variable: VariableSyntax) {
    let text = block.text(variable.value)
    guard text.utf8.count >= SecretForm.shortest, !text.contains("{{"), !variable.isAfterResponse
    else { return }
    let name = block.name(of: variable)
    let isAddress = SecretForm.isWebhook(text)
    guard
      isAddress || SecretForm.isToken(text)
        || VariableDefinition.nameIsSecret(name) && SecretForm.looksRandom(text)
    else { return }
    say(
      .secretInFile, variable.value,
      "Everybody with this file can \(isAddress ? "post to this address" : "read this secret"). "
        + "Move `\(name)` to `http-client.private.env.json`.")
  }
}

/// How secrets look that services give out.
enum SecretForm {
  /// The length of the shortest text that is taken for one.
  static let shortest = 16

  /// What tokens of large services begin with, and how much follows at least.
  private static let prefixes: [(text: String, rest: Int)] = [
    ("ghp_", 30), ("gho_", 30), ("ghu_", 30), ("ghs_", 30), ("ghr_", 30), ("github_pat_", 30),
    ("glpat-", 16), ("xoxb-", 20), ("xoxp-", 20), ("xoxa-", 20), ("xapp-", 20), ("sk_live_", 16),
    ("rk_live_", 16), ("sk-", 32), ("AKIA", 16), ("ASIA", 16), ("AIza", 30), ("SG.", 40),
    ("npm_", 30), ("pypi-", 40), ("dop_v1_", 40), ("hf_", 30), ("shpat_", 30), ("ya29.", 30),
  ]

  /// Whether a text is a token by its form: one of a large service, or a signed JSON Web Token.
  static func isToken(_ text: String) -> Bool {
    guard text.utf8.allSatisfy(isTokenByte) else { return false }
    if isJSONWebToken(text) { return true }
    return prefixes.contains {
      text.hasPrefix($0.text) && text.utf8.count >= $0.text.utf8.count + $0.rest
    }
      && looksRandom(text)
  }

  private static func isJSONWebToken(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && text.hasPrefix("eyJ") && parts[1].hasPrefix("eyJ")
      && parts[2].utf8.count >= 16
  }

  /// Whether a text has no words in it that a person would write in the place of a secret: letters
  /// and digits, many of them different, on one line without a blank.
  static func looksRandom(_ text: String) -> Bool {
    guard text.utf8.count >= shortest, text.utf8.allSatisfy(isTokenByte) else { return false }
    let small = text.lowercased()
    if placeholders.contains(where: small.contains) { return false }
    return text.utf8.contains { (48...57).contains($0) }
      && text.utf8.contains { (65...90).contains($0 & 0xDF) } && Set(text.utf8).count >= 8
  }

  private static let placeholders = [
    "your", "example", "sample", "placeholder", "change", "replace", "insert", "dummy", "secret",
    "password", "token", "xxxx", "0123456", "123456", "abcdef", "todo", "fake", "test", "....",
  ]

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "-_.=+/~:".utf8.contains(byte)
    }
  }

  /// Whether a text is an address that takes messages from whoever knows it.
  static func isWebhook(_ text: String) -> Bool {
    guard let url = URLParts(text), url.scheme == "https" else { return false }
    let path = text.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
    let last = String(path.last?.prefix { $0 != "?" } ?? "")
    let host = url.host.lowercased()
    switch host {
    case "hooks.slack.com": return path.count >= 4 && isKey(last)
    case "discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com":
      return path.contains("webhooks") && path.count >= 4 && isKey(last)
    case "hooks.zapier.com", "chat.googleapis.com", "maker.ifttt.com":
      return path.count >= 3 && (isKey(last) || text.contains("token="))
    case "api.telegram.org":
      return path.contains { $0.hasPrefix("bot") && $0.contains(":") && $0.utf8.count > 30 }
    default: return host.hasSuffix(".webhook.office.com") && path.count >= 3
    }
  }

  /// Whether the part of an address is a key and not a word that stands for one.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count >= 8 && Set(text.utf8).count >= 5
      && !placeholders.contains(where: text.lowercased().contains)
  }
}
