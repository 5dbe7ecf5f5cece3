// Fixes in scripts.

import PostKitEvaluate
import PostKitSyntax
import PostKitText

extension FixPlace {
  /// The script or the expression that the diagnostic is about.
  private var script: ScriptPlace? { analysis.scriptPlace(at: range.lowerBound) }

  /// The member that was meant.
  var scriptMember: [QuickFix] {
    guard let script, let token = script.reading.token(at: script.place(range.upperBound)),
      let chain = script.reading.chain(naming: token),
      case .missing(let owner, token) = script.reading.meaning(of: chain)
    else { return [] }
    let known = ScriptAPI.members(of: owner).map { String($0.name) }
    return writing(Suggestion.nearest(to: text, among: known))
  }

  /// The variable as scripts read it.
  var scriptReference: [QuickFix] {
    guard let script, let name = ScriptRemarks.reference(String(text.dropFirst().dropLast()))
    else { return [] }
    let forms = [
      analysis.scriptReading(of: name, script), "request.variables.get(\"\(name)\")",
      "client.global.get(\"\(name)\")",
    ]
    var seen: Set<String> = []
    return forms.filter { seen.insert($0).inserted }.flatMap { writing($0) }
  }

  /// The variable as one that stays.
  var scriptExport: [QuickFix] { writing("exports.\(text)") }

  /// `await` before the call.
  var scriptAwait: [QuickFix] {
    [QuickFix("Write `await`", inserting("await ", at: range.lowerBound))]
  }
}
