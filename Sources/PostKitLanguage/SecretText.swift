// Keeps secrets out of whatever an editor is told (CONTRACTS.md, section 5).

import PostKitEvaluate
import PostKitHTTP

extension Analysis {
  /// The values of all secrets that the environments define, covered ones included, and those of
  /// earlier exchanges.
  var knownSecrets: [String] {
    let environments = scope.environments
    let all = Array(environments.definitions.values) + environments.shadowed.values.joined()
    return all.filter(\.isSecret).flatMap(\.secretTexts) + context.exchangeSecrets
  }
}

/// Masks for sentences, which quote values.
enum SecretText {
  /// The text without any of the secrets, short ones included: rather a sentence with too many
  /// masks than one with a secret.
  static func masking(_ text: String, _ secrets: Set<String>) -> String {
    var result = SecretMask(secrets: Array(secrets)).mask(text).text
    for secret in secrets where !secret.isEmpty && secret.utf8.count < SecretMask.searchedBytes {
      result = result.split(separator: secret.shown, omittingEmptySubsequences: false)
        .joined(separator: SecretMask.text)
    }
    return result
  }
}

extension EvaluationProblem {
  /// The problem without the values of secrets in the texts that it quotes.
  func masking(_ secrets: Set<String>) -> EvaluationProblem {
    guard !secrets.isEmpty else { return self }
    let mask = { SecretText.masking($0, secrets) }
    // What the file says is no secret from its reader, while a short one could be any part of it.
    return changing(written: { $0 }, values: mask, url: mask)
  }
}
