// Answers that are not made yet.

extension GraphQLQuery {
  /// What can stand at an offset of the query.
  package func completion(at offset: Int) -> GraphQLCompletion? { nil }
  /// What the name at an offset of the query stands for.
  package func hover(at offset: Int) -> GraphQLHover? { nil }
  /// Where the name at an offset of the query is declared.
  package func definition(at offset: Int) -> GraphQLPlace? { nil }
  /// The arguments of the innermost field or directive whose parentheses an offset is in.
  package func signature(at offset: Int) -> GraphQLSignature? { nil }
  /// What is wrong with the query.
  package func findings() -> [GraphQLFinding] { [] }
  /// The changes that can be made at a range of the query.
  package func actions(in range: Range<Int>) -> [GraphQLAction] { [] }
  /// What can stand at an offset of the variables' JSON; where there is none, of an empty text.
  package func variableCompletion(at offset: Int) -> GraphQLCompletion? { nil }
  /// What the name at an offset of the variables' JSON stands for.
  package func variableHover(at offset: Int) -> GraphQLHover? { nil }
  /// Where the name at an offset of the variables' JSON is declared.
  package func variableDefinition(at offset: Int) -> GraphQLPlace? { nil }
  /// What is wrong with the variables; ranges are those of their JSON.
  package func variableFindings() -> [GraphQLFinding] { [] }
}
