// The checks of a request, against its response.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension RunState {
  /// One line of a text that may be a whole body.
  private static func shortened(_ text: String) -> String {
    let start = text.prefix(200)
    let line = start.split(whereSeparator: \.isNewline).joined(separator: " ")
    return start.endIndex < text.endIndex ? line + "…" : line
  }

  /// The results of the checks of a request that was answered.
  mutating func tests(
    of place: RequestPlace, _ answered: AnsweredRequest, _ lowered: LoweredRequest,
    _ services: RunServices
  ) -> [TestResult] {
    let block = scope.files.block(place)
    var evaluator = evaluator(place, services, "after")
    let results = evaluator.results(of: block, lowered.settings, answered)
    addSecrets(evaluator.secrets)
    let mask = mask
    // Masked before it is cut: a part of a secret would not be found.
    let shown: (String, String?) -> String = { text, type in
      RunState.shortened(mask.mask(text, as: SecretMask.format(ofType: type)).text)
    }
    return results.map {
      TestResult(
        name: mask.mask($0.name).text.excerpt, passed: $0.passed, message: $0.message(shown: shown))
    }
  }
}
