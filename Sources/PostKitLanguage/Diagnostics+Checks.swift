// Remarks on checks and scripts.

import PostKitEvaluate
import PostKitSyntax

extension Analysis {
  /// The remarks on a check: that it needs JavaScript, and that nothing defines what it reads.
  func checkRemarks(_ assertion: AssertionSyntax, _ block: ParsedBlock) -> [Diagnostic] {
    guard let form = block.form(of: assertion) else { return [] }
    var result: [Diagnostic] = []
    let mistake = form.misspelling(block, scope)
    if mistake == nil, let problem = form.unsupported(block, scope) {
      result.append(diagnostic(problem))
    }
    if let (range, name) = form.undefinedName(block, scope) {
      let message = "`\(name)` is not defined, so this check fails. Add `@\(name) = …`."
      var diagnostic = Diagnostic(.unresolvedVariable, range, message)
      diagnostic.severity = .warning
      result.append(diagnostic)
    }
    return result
  }

  /// The remark that scripts are not run, where no request says it.
  func scriptRemark(_ block: ParsedBlock) -> [Diagnostic] {
    guard !block.isRequest, block.syntax.kind != .prose, let script = block.syntax.scripts.first
    else { return [] }
    return [
      Diagnostic(
        .protocolUnsupported, block.absolute(script.range), Evaluator.scriptIsIgnored)
    ]
  }
}
