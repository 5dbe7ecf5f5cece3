// The diagnostics of GraphQL: each is a rule of the language (GraphQL of October 2021, section 5),
// or about the variables beside a query.

extension DiagnosticEntry {
  /// The entry of a code that begins with `graphql-`.
  static func graphQL(_ code: DiagnosticCode) -> DiagnosticEntry {
    // A test asks for all of them.
    ofGraphQL[code] ?? .init(.error, "A query is not as its schema wants it.", "Correct it.")
  }

  private static let ofGraphQL: [DiagnosticCode: DiagnosticEntry] = [
    .graphQLSchema: .init(
      .warning, "The schema of a request can't be read, or has a mistake.",
      "Correct the path, or the file."),
    .graphQLSyntax: .init(.error, "A query can't be read.", "Correct it as the message says."),
    .graphQLExecutableDefinitions:
      .init(.error, "A query has a definition of a type in it.", "Move it to the schema."),
    .graphQLOperationName:
      .init(.error, "Two operations have the same name.", "Rename one of them."),
    .graphQLLoneAnonymous:
      .init(.error, "An operation without a name is not the only one.", "Give it a name."),
    .graphQLSingleRoot:
      .init(.error, "A subscription selects several fields.", "Select one field."),
    .graphQLOperationType: .init(
      .error, "The schema has no operations of this type.", "Use one that the schema has."),
    .graphQLField: known("A type has no field of that name.", "Use a field that the schema has."),
    .graphQLFieldMerge: .init(
      .warning, "Two fields have the same name in the response.", "Give one of them an alias."),
    .graphQLLeaf: .init(
      .error, "A field of an object selects nothing, or a field of a scalar selects something.",
      "Add a selection, or remove it."),
    .graphQLArgumentName:
      known("A field or directive has no argument of that name.", "Use one that it has."),
    .graphQLArgumentUnique: .init(.error, "An argument is given twice.", "Remove one of them."),
    .graphQLArgumentRequired: .init(.error, "An argument that is needed is missing.", "Add it."),
    .graphQLFragmentName: .init(.error, "Two fragments have the same name.", "Rename one of them."),
    .graphQLFragmentType:
      known("A fragment is on a type that can't have one.", "Use a type that has fields."),
    .graphQLFragmentUnused: .init(
      .warning, "Nothing uses a fragment.", "Use it, or remove it.", tag: .unnecessary),
    .graphQLFragmentUnknown:
      known("There is no fragment of that name.", "Correct the name, or define it."),
    .graphQLFragmentCycle: .init(.error, "A fragment uses itself.", "Break the circle."),
    .graphQLFragmentImpossible: .init(
      .error, "A fragment is on a type that can't occur at its place.",
      "Use a type that can occur there."),
    .graphQLValue:
      known("A value does not fit the type that is expected.", "Write a value that fits."),
    .graphQLInputField: known("An input type has no field of that name.", "Use one that it has."),
    .graphQLInputFieldUnique:
      .init(.error, "A field of an input object is given twice.", "Remove one of them."),
    .graphQLInputFieldRequired:
      .init(.error, "A field that an input object needs is missing.", "Add it."),
    .graphQLDirective: known("There is no directive of that name.", "Use one that the schema has."),
    .graphQLDirectiveLocation:
      .init(.error, "A directive can't stand at its place.", "Move it, or remove it."),
    .graphQLDirectiveUnique:
      .init(.error, "A directive stands twice at one place.", "Remove one of them."),
    .graphQLVariableName:
      .init(.error, "An operation declares a variable twice.", "Remove one of them."),
    .graphQLVariableType:
      known(
        "A variable has a type that can't be given.", "Use a scalar, an enum or an input type."),
    .graphQLVariableUnknown:
      known("An operation uses a variable that it does not declare.", "Declare it."),
    .graphQLVariableUnused: .init(
      .warning, "An operation does not use a variable that it declares.",
      "Use it, or remove it.", tag: .unnecessary),
    .graphQLVariableUsage: .init(
      .error, "A variable is used where its type does not fit.", "Change its type."),
    .graphQLVariablesMissing:
      .init(.error, "The JSON of the variables lacks one that is needed.", "Add it."),
    .graphQLVariablesUnknown: known(
      "The JSON of the variables has one that the operation does not declare.",
      "Correct the name, or remove it.", .warning),
    .graphQLVariablesValue:
      known("A value of the variables does not fit its type.", "Write a value that fits."),
    .graphQLDeprecated: .init(
      .hint, "The schema says that a field, an argument or a value is deprecated.",
      "Use what the message names.", tag: .deprecated),
  ]

  /// A name that is not known, where another one may be meant.
  private static func known(
    _ meaning: String, _ remedy: String, _ severity: DiagnosticSeverity = .error
  ) -> DiagnosticEntry {
    .init(severity, meaning, remedy, edit: \.proposed)
  }
}

extension FixPlace {
  /// What the diagnostic itself proposes.
  var proposed: [QuickFix] { writing(replacement) }
}
