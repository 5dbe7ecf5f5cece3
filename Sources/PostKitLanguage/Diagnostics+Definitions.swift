// Remarks on definitions that mean something else in another tool (PK-34, PK-60).

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// The remarks on the definitions of a block.
  func definitionRemarks(_ block: ParsedBlock) -> [Diagnostic] {
    block.syntax.variables.filter { !$0.isAfterResponse }.flatMap { variable in
      [redefinition(variable, block), shadowing(variable, block)].compactMap { $0 }
    }
  }

  private func redefinition(_ variable: VariableSyntax, _ block: ParsedBlock) -> Diagnostic? {
    let name = block.name(of: variable)
    guard let places = document.names.definitions[name], let first = places.first,
      places.count > 1
    else { return nil }
    let isFirst =
      first.block == block.index
      && block.syntax.variables[first.index].line == variable.line
    guard !isFirst else { return nil }
    let reading =
      scope.dialect.redefinition == .lastInFile
      ? "All requests use the last definition; others use the nearest one above."
      : "A request uses the nearest definition above it; REST Client uses the last of the file."
    return Diagnostic(
      range: block.absolute(variable.nameRange), severity: .information, code: "variable-redefined",
      message: "`\(name)` is defined more than once in this file. \(reading)")
  }

  private func shadowing(_ variable: VariableSyntax, _ block: ParsedBlock) -> Diagnostic? {
    let name = block.name(of: variable)
    guard let other = scope.environments.definitions[name],
      other.shownText != block.text(variable.value)
    else { return nil }
    let place = Analysis.place(other.origin).map { " (\($0))" } ?? ""
    let reading =
      scope.dialect.precedence == .fileFirst
      ? "This one is used here; JetBrains and kulala use that of the environment."
      : "That one is used here; REST Client, httpYac and others use the file's."
    return Diagnostic(
      range: block.absolute(variable.nameRange), severity: .hint, code: "variable-shadowed",
      message: "The environment has another value for `\(name)`\(place). \(reading)")
  }
}
