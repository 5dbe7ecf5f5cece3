// Names that a request asks for: they have values once it is sent, so they are not unresolved.

import PostKitEvaluate
import PostKitJSON
import PostKitSyntax

extension Analysis {
  /// The scope of a block. Names that it asks for (`@prompt`, `@secret`) stand for
  /// themselves, and a loop is in its first turn.
  func scope(of block: ParsedBlock) -> Scope {
    guard hasOwnScope(block) else { return scope }
    var scope = scope
    enterFirstTurn(of: block, &scope)
    guard scope.asksForValues(block) else { return scope }
    var evaluator = Evaluator(context: context, scope: scope)
    let settings = RequestSettings(block, defaults: defaults.options, evaluator: &evaluator)
    var result = scope
    for prompt in settings.prompts where !prompt.name.isEmpty {
      result.prompted[prompt.name] = prompt.name
      if prompt.isSecret { result.secretPrompts.insert(prompt.name) }
    }
    return result
  }

  /// Whether names may mean something else in a block than in the rest of the file.
  func hasOwnScope(_ block: ParsedBlock) -> Bool { block.mayRepeat || scope.asksForValues(block) }

  /// What a loop gives has the values of its first turn; where that is not known yet, its name
  /// stands for it.
  private func enterFirstTurn(of block: ParsedBlock, _ scope: inout Scope) {
    guard block.mayRepeat else { return }
    var evaluator = Evaluator(context: context, scope: scope)
    let turns = evaluator.turns(of: block)
    if turns.count > 0 { turns.enter(0, &scope) }
    guard let tag = block.loopTag else { return }
    if scope.loop["$index"] == nil { scope.loop["$index"] = 0 }
    if case .items(let name, _) = LoopSyntax(block.text(tag.value)), scope.loop[name] == nil {
      scope.loop[name] = .string(name)
    }
  }

  /// The scope at an offset.
  func scope(at offset: Int) -> Scope { document.block(at: offset).map(scope(of:)) ?? scope }
}
