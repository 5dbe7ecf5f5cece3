// What can be changed in the GraphQL of a request (IO-41).

import PostKitDescription
import PostKitEvaluate
import PostKitText

extension GraphQLRequest {
  /// The changes that are offered for a selection.
  package func changes(in range: Range<Int>, lineEnd: String) -> [CodeChange] {
    let start = parts.query.lowerBound
    let selected = range.lowerBound - start..<range.upperBound - start
    guard selected.lowerBound >= 0, selected.upperBound <= own, !parts.hasVariablesInFile else {
      return []
    }
    // What is copied of the file has its line ends, each of which is one character.
    func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return TextEdit(range, lines.joined(separator: lineEnd))
    }
    let actions = query.actions(in: selected)
    return actions.filter { parts.takesVariables || $0.newVariables == nil }.map { action in
      var edits = action.edits.map { edit(inQuery($0.range), $0.replacement) }
      edits += action.variableEdits.map { edit(inVariables($0.range), $0.replacement) }
      if let new = action.newVariables {
        let end = parts.query.upperBound
        edits.append(edit(end..<end, "\n\n" + new))
      }
      let kind: CodeChange.Kind = action.newVariables == nil && action.variableEdits.isEmpty
        ? .rewrite : .extract
      return CodeChange(kind, action.title, edits)
    }
  }
}
