// What can be typed in the GraphQL of a request, and what its brackets want (IO-41).

import PostKitDescription
import PostKitEvaluate

extension GraphQLRequest {
  /// The candidates at an offset of the file.
  package func completion(at offset: Int) -> [CompletionItem] {
    let answer: GraphQLCompletion?
    let replaced: Range<Int>
    switch place(offset) {
    case .query(let place):
      answer = query.completion(at: place)
      // Text that is yet to be written may stand behind the query.
      let start = parts.query.lowerBound
      replaced = answer.map { start + $0.replaced.lowerBound..<start + $0.replaced.upperBound }
        ?? offset..<offset
    case .variables(let place):
      answer = query.variableCompletion(at: place)
      replaced = answer.map { inVariables($0.replaced) } ?? offset..<offset
    case nil: return []
    }
    return (answer?.items ?? []).map { CompletionItem($0, replaced: replaced) }
  }

  /// The arguments of the field or directive in whose brackets an offset is.
  package func signature(at offset: Int) -> SignatureHelp? {
    guard case .query(let place) = place(offset), let found = query.signature(at: place) else {
      return nil
    }
    let label = Array(found.label.utf8)
    let signature = SignatureHelp.Signature(
      label: found.label, documentation: Markdown.text(found.documentation ?? ""),
      parameters: found.parameters.map { String(decoding: label[$0.range], as: UTF8.self) })
    return SignatureHelp(
      signatures: [signature], activeSignature: 0,
      activeParameter: found.active ?? found.parameters.count)
  }
}

extension CompletionItem {
  /// A candidate of GraphQL.
  fileprivate init(_ item: GraphQLItem, replaced: Range<Int>) {
    let kind: CompletionKind =
      switch item.kind {
      case .keyword: .keyword
      case .field, .argument, .inputField: .member
      case .enumValue, .literal: .value
      case .variable: .variable
      case .directive: .function
      case .fragment, .type: .object
      }
    let texts = [
      item.deprecation.map { GraphQLRequest.deprecated($0) },
      item.documentation.map { Markdown.text($0) },
    ].compactMap { $0 }.filter { !$0.isEmpty }
    self.init(
      item.label, kind, text: item.text, replaced: replaced, detail: item.detail,
      documentation: texts.isEmpty ? nil : texts.joined(separator: "\n\n"),
      rank: item.rank + (item.deprecation == nil ? 0 : 1_000))
    isDeprecated = item.deprecation != nil
  }
}
