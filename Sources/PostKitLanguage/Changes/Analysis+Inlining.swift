// Variables that become the texts that they stand for, at one use or from their definition.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax
import PostKitText

extension Analysis {
  /// The variable under the caret as the text that it stands for.
  func inlining(at selection: Range<Int>) -> CodeChange? {
    guard let block = document.block(at: selection.lowerBound) else { return nil }
    func touches(_ range: Range<Int>) -> Bool {
      let range = block.absolute(range)
      return range.lowerBound <= selection.lowerBound && selection.upperBound <= range.upperBound
    }
    if let variable = block.syntax.variables.first(where: { touches($0.nameRange) }) {
      return inliningOfAll(variable, block)
    }
    let place = selection.lowerBound - block.range.lowerBound
    guard let reference = block.syntax.reference(at: place), touches(reference.range),
      let use = Use(reference, block, self),
      ![.prompt, .override, .loop].contains(use.definition.origin.layer)
    else { return nil }
    let title = "Inline `\(use.name)`"
    switch use.value(self) {
    case .success(let value): return CodeChange(.inline, title, [TextEdit(use.range, value)])
    case .failure(let obstacle): return CodeChange(.inline, title, disabled: obstacle.reason)
    }
  }

  /// The text that a definition stands for at all places of the file where it is in force. The
  /// definition stays: other files may read it, and where nothing does, a hint says so.
  private func inliningOfAll(_ variable: VariableSyntax, _ block: ParsedBlock) -> CodeChange? {
    let (name, place) = (block.name(of: variable), block.absolute(variable.value))
    var edits: [TextEdit] = []
    var obstacle: Use.Obstacle?
    for user in document.blocks where user.mayRefer(to: name) {
      for reference in user.syntax.references {
        guard let use = Use(reference, user, self), use.definition.origin.layer == .file,
          use.definition.origin.range == place
        else { continue }
        switch use.value(self) {
        case .success(let value): edits.append(TextEdit(use.range, value))
        case .failure(let found): obstacle = obstacle ?? found
        }
      }
    }
    if let obstacle {
      return CodeChange(.inline, "Inline `\(name)`", disabled: obstacle.reason)
    }
    if edits.isEmpty { return nil }
    let places = edits.count == 1 ? "" : " at \(edits.count) places"
    return CodeChange(.inline, "Inline `\(name)`\(places)", edits)
  }
}

extension ParsedBlock {
  /// Whether a reference in the block may be to a variable.
  fileprivate func mayRefer(to name: String) -> Bool {
    syntax.references.contains {
      if case .path(let first, _) = $0.expression { name.hasPrefix(first) } else { false }
    }
  }
}

/// A reference to a variable, which its value could replace.
private struct Use {
  /// Why a value can't stand in the file.
  struct Obstacle: Error { let reason: String }

  let name: String
  let range: Range<Int>
  let definition: VariableDefinition
  private let scope: Scope

  /// Finds what a reference of a block is about; `nil` where that is no variable.
  init?(_ reference: ReferenceSyntax, _ block: ParsedBlock, _ analysis: Analysis) {
    guard case .path(let first, let rest) = reference.expression else { return nil }
    range = block.absolute(reference.range)
    scope = analysis.scope(of: block)
    let place = range.lowerBound
    for known in [first + rest, first] {
      guard let found = scope.lookup(known, at: place) else { continue }
      (name, definition) = (known, found)
      return
    }
    return nil
  }

  /// The text that stands for it.
  func value(_ analysis: Analysis) -> Result<String, Obstacle> {
    var evaluator = Evaluator(context: analysis.context, scope: scope)
    let written = String(decoding: analysis.document.bytes[range], as: UTF8.self)
    let value = evaluator.display(written, at: range.lowerBound)
    let reason = obstacle(to: value, evaluator, analysis)
    return reason.map { .failure(Obstacle(reason: $0)) } ?? .success(value)
  }

  private func obstacle(to value: String, _ evaluator: Evaluator, _ analysis: Analysis) -> String? {
    let mask = SecretMask(secrets: analysis.knownSecrets)
    if definition.isSecret || !evaluator.secrets.isEmpty || mask.mask(value).didMask {
      return "The value is a secret: everybody who gets the file could read it."
    }
    if definition.isFile { return "The value is the content of a file." }
    if let problem = evaluator.problems.first { return problem.message }
    if evaluator.usedChangingValue { return "The value changes at each use." }
    if value.contains("{{") || value.contains(where: \.isNewline) {
      return "The value contains braces or line breaks, so it would mean something else here."
    }
    return nil
  }
}
