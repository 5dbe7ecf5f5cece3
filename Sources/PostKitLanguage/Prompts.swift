// Names that a request asks for: they have values once it is sent, so they are not unresolved.

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// The scope of a block. Names that it asks for (`@prompt`, `@secret`) stand for themselves.
  func scope(of block: ParsedBlock) -> Scope {
    guard block.syntax.metadata.contains(where: { $0.asksForValue }) else { return scope }
    var evaluator = Evaluator(context: context, scope: scope)
    let settings = RequestSettings(block, defaults: defaults.options, evaluator: &evaluator)
    var result = scope
    for prompt in settings.prompts where !prompt.name.isEmpty {
      result.prompted[prompt.name] = prompt.name
    }
    return result
  }

  /// The scope at an offset.
  func scope(at offset: Int) -> Scope { document.block(at: offset).map(scope(of:)) ?? scope }
}

extension MetadataSyntax {
  /// Whether a value is asked for before the request is sent (PK-54).
  fileprivate var asksForValue: Bool {
    region != .body && ["prompt", "secret", "kulalaprompt"].contains(foldedKey)
  }
}
