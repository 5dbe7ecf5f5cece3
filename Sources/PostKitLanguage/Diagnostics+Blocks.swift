// Remarks on parts of a block: definitions that mean something else in another tool (PK-34, PK-60),
// checks and scripts.

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
      ? "Requests use the last definition here, but the nearest one above in other tools."
      : "Requests use the nearest one above, but the last of the file in REST Client."
    return Diagnostic(
      .variableRedefined, block.absolute(variable.nameRange),
      "This file defines `\(name)` more than once. \(reading)")
  }

  private func shadowing(_ variable: VariableSyntax, _ block: ParsedBlock) -> Diagnostic? {
    let name = block.name(of: variable)
    guard let other = scope.environments.definitions[name],
      other.shownText != block.text(variable.value)
    else { return nil }
    let place = Analysis.place(other.origin).map { " (\($0))" } ?? ""
    let reading =
      scope.dialect.precedence == .fileFirst
      ? "PostKit uses the value of the file, JetBrains and kulala that of the environment."
      : "This dialect uses the value of the environment, REST Client and httpYac that of the file."
    return Diagnostic(
      .variableShadowed, block.absolute(variable.nameRange),
      "The environment gives `\(name)` another value\(place). \(reading)")
  }

  /// The remarks on a check: that nothing defines what it reads.
  func checkRemarks(_ assertion: AssertionSyntax, _ block: ParsedBlock) -> [Diagnostic] {
    guard let form = block.form(of: assertion) else { return [] }
    var result: [Diagnostic] = []
    if let (range, name) = form.undefinedName(block, scope) {
      let message = "`\(name)` is not defined, so this check fails. Add `@\(name) = …`."
      var diagnostic = Diagnostic(.unresolvedVariable, range, message)
      diagnostic.severity = .warning
      result.append(diagnostic)
    }
    return result
  }
}
