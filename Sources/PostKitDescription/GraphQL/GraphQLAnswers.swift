// What an editor is told about a GraphQL text: values without any editor's protocol. All ranges and
// offsets are bytes of the text that was asked about.

package import PostKitText

/// What a candidate of GraphQL is, for its icon.
package enum GraphQLItemKind: Sendable, Hashable {
  case keyword, field, argument, inputField, enumValue, literal, variable, directive, fragment
  case type
}

/// One candidate at a place of a GraphQL text.
package struct GraphQLItem: Sendable, Hashable {
  package var label: String
  package var kind: GraphQLItemKind
  /// What replaces the range of the answer.
  package var text: String
  /// A type in GraphQL's notation, such as `[User!]!`.
  package var detail: String?
  /// The description in the schema, which is Markdown.
  package var documentation: String?
  /// Why it should not be used any more; `nil` where it may be.
  package var deprecation: String?
  /// The place in the list; smaller comes first.
  package var rank: Int
}

/// The candidates at an offset, and what each of them replaces.
package struct GraphQLCompletion: Sendable, Hashable {
  package var items: [GraphQLItem]
  package var replaced: Range<Int>
}

/// What a name stands for.
package struct GraphQLHover: Sendable, Hashable {
  /// The bytes that it is about.
  package var range: Range<Int>
  /// The declaration in GraphQL's notation, such as `User.name: String!`.
  package var declaration: String
  /// The description in the schema, which is Markdown.
  package var description: String?
  package var deprecation: String?
}

/// Where a name is declared.
package enum GraphQLPlace: Sendable, Hashable {
  /// The name in the text that was asked about.
  case text(Range<Int>)
  /// The name in a source of the schema, by its position in `GraphQLSchema.sources`.
  case schema(source: Int, Range<Int>)
}

/// The arguments that a field or directive takes.
package struct GraphQLSignature: Sendable, Hashable {
  /// One argument.
  package struct Parameter: Sendable, Hashable {
    /// Its UTF-8 bytes in `label`.
    package var range: Range<Int>
    package var documentation: String?
  }

  /// The field with its arguments, such as `user(id: ID!): User`.
  package var label: String
  package var documentation: String?
  package var parameters: [Parameter]
  /// The argument at the caret by its position; `nil` where it is none that is known.
  package var active: Int?
}

/// Whether something keeps a request from being answered.
package enum GraphQLSeverity: Sendable, Hashable {
  case error, warning, hint
}

/// Something that a server would refuse, or that is not what it seems.
package struct GraphQLFinding: Sendable, Hashable {
  package var rule: GraphQLRule
  package var range: Range<Int>
  /// A sentence for people.
  package var message: String
  /// What may be meant in place of the name at `range`.
  package var suggestion: String?

  /// How serious it is, which its rule decides.
  package var severity: GraphQLSeverity { rule.severity }
}

/// A change that an editor offers.
package struct GraphQLAction: Sendable, Hashable {
  package var title: String
  /// Changes of the query.
  package var edits: [TextEdit]
  /// Changes of the variables that were given.
  package var variableEdits: [TextEdit] = []
  /// The variables' JSON that is to be added where none was given.
  package var newVariables: String?
}

/// The rules that a text is held against (GraphQL of October 2021, sections 2 and 5), and those for
/// the variables beside it.
package enum GraphQLRule: String, Sendable, Hashable, CaseIterable {
  case syntax = "graphql-syntax"
  case executableDefinitions = "graphql-executable-definitions"
  case operationName = "graphql-operation-name"
  case loneAnonymous = "graphql-lone-anonymous"
  case singleRoot = "graphql-single-root"
  case operationType = "graphql-operation-type"
  case field = "graphql-field"
  case fieldMerge = "graphql-field-merge"
  case leaf = "graphql-leaf"
  case argumentName = "graphql-argument-name"
  case argumentUnique = "graphql-argument-unique"
  case argumentRequired = "graphql-argument-required"
  case fragmentName = "graphql-fragment-name"
  case fragmentType = "graphql-fragment-type"
  case fragmentUnused = "graphql-fragment-unused"
  case fragmentUnknown = "graphql-fragment-unknown"
  case fragmentCycle = "graphql-fragment-cycle"
  case fragmentImpossible = "graphql-fragment-impossible"
  case value = "graphql-value"
  case inputField = "graphql-input-field"
  case inputFieldUnique = "graphql-input-field-unique"
  case inputFieldRequired = "graphql-input-field-required"
  case directive = "graphql-directive"
  case directiveLocation = "graphql-directive-location"
  case directiveUnique = "graphql-directive-unique"
  case variableName = "graphql-variable-name"
  case variableType = "graphql-variable-type"
  case variableUnknown = "graphql-variable-unknown"
  case variableUnused = "graphql-variable-unused"
  case variableUsage = "graphql-variable-usage"
  case variablesMissing = "graphql-variables-missing"
  case variablesUnknown = "graphql-variables-unknown"
  case variablesValue = "graphql-variables-value"
  case deprecated = "graphql-deprecated"

  /// How serious a finding of the rule is.
  package var severity: GraphQLSeverity {
    switch self {
    case .fieldMerge, .fragmentUnused, .variableUnused, .variablesUnknown: .warning
    case .deprecated: .hint
    case .syntax, .executableDefinitions, .operationName, .loneAnonymous, .singleRoot,
      .operationType, .field, .leaf, .argumentName, .argumentUnique, .argumentRequired,
      .fragmentName, .fragmentType, .fragmentUnknown, .fragmentCycle, .fragmentImpossible, .value,
      .inputField, .inputFieldUnique, .inputFieldRequired, .directive, .directiveLocation,
      .directiveUnique, .variableName, .variableType, .variableUnknown, .variableUsage,
      .variablesMissing, .variablesValue:
      .error
    }
  }
}
