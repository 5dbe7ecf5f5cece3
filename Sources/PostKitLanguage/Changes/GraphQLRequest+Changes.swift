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
    return query.actions(in: selected).map { action in
      var edits = action.edits.map { edit in
        TextEdit(inQuery(edit.range), lineEnd == "\n" ? edit.replacement
          : edit.replacement.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: lineEnd))
      }
      edits += action.variableEdits.map { TextEdit(inVariables($0.range), $0.replacement) }
      if let new = action.newVariables {
        let end = parts.query.upperBound
        edits.append(TextEdit(end..<end, lineEnd + lineEnd + new))
      }
      let kind: CodeChange.Kind = action.newVariables == nil && action.variableEdits.isEmpty
        ? .rewrite : .extract
      return CodeChange(kind, action.title, edits)
    }
  }
}
