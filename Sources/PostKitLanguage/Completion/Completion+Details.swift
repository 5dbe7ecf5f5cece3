// What completion says about one item when it is looked at.

import PostKitEvaluate
import PostKitHTTP

extension Analysis {
  /// A variable in Markdown: its value, masked where it is a secret, where it comes from, and what
  /// it covers; `nil` where nothing defines it.
  package func variableText(_ name: String, at offset: Int) -> String? {
    let candidates = scope(at: offset).candidates(name, at: offset)
    guard let first = candidates.first else { return nil }
    var lines = [
      "\(Analysis.code(name)) = \(Analysis.code(Analysis.detail(first)))", Analysis.source(first),
    ]
    for other in candidates.dropFirst().prefix(Analysis.shownCandidates) {
      lines.append("covers \(Analysis.code(Analysis.detail(other))), \(Analysis.source(other))")
    }
    return SecretText.masking(lines.joined(separator: "\n\n"), Set(knownSecrets))
  }

  private static let shownCandidates = 5

  private static func source(_ definition: VariableDefinition) -> String {
    let layer = definition.origin.layer.rawValue
    guard let place = place(definition.origin) else { return layer }
    return "\(layer): \(Markdown.text(place))"
  }
}
