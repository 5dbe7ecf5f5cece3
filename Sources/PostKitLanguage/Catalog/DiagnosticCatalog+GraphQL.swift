// The diagnostics of GraphQL: each is a rule of the language (GraphQL of October 2021, section 5),
// or about the variables beside a query.

extension DiagnosticEntry {
  /// The entry of a code that begins with `graphql-`.
  static func graphQL(_ code: DiagnosticCode) -> DiagnosticEntry {
    switch code {
    case .graphQLSchema:
      .init(
        .warning, "The schema that `# @graphql-schema` names can't be read.",
        "Correct the path, or the file.")
    case .graphQLSyntax:
      .init(.error, "A query can't be read.", "Correct it as the message says.")
    case .graphQLExecutableDefinitions:
      .init(.error, "A query has a definition of a type in it.", "Move it to the schema.")
    case .graphQLOperationName:
      .init(.error, "Two operations have the same name.", "Rename one of them.")
    case .graphQLLoneAnonymous:
      .init(.error, "An operation without a name is not the only one.", "Give it a name.")
    case .graphQLSingleRoot:
      .init(.error, "A subscription selects several fields.", "Select one field.")
    case .graphQLOperationType:
      .init(
        .error, "The schema has no operations of this type.", "Use one that the schema has.")
    case .graphQLField:
      known("A type has no field of that name.", "Use a field that the schema has.")
    case .graphQLFieldMerge:
      .init(
        .warning, "Two fields have the same name in the response.", "Give one of them an alias.")
    case .graphQLLeaf:
      .init(
        .error, "A field of an object selects nothing, or a field of a scalar selects something.",
        "Add a selection, or remove it.")
    case .graphQLArgumentName:
      known("A field or directive has no argument of that name.", "Use one that it has.")
    case .graphQLArgumentUnique:
      .init(.error, "An argument is given twice.", "Remove one of them.")
    case .graphQLArgumentRequired:
      .init(.error, "An argument that is needed is missing.", "Add it.")
    case .graphQLFragmentName:
      .init(.error, "Two fragments have the same name.", "Rename one of them.")
    case .graphQLFragmentType:
      known("A fragment is on a type that can't have one.", "Use a type that has fields.")
    case .graphQLFragmentUnused:
      .init(
        .warning, "Nothing uses a fragment.", "Use it, or remove it.", tag: .unnecessary)
    case .graphQLFragmentUnknown:
      known("There is no fragment of that name.", "Correct the name, or define it.")
    case .graphQLFragmentCycle:
      .init(.error, "A fragment uses itself.", "Break the circle.")
    case .graphQLFragmentImpossible:
      .init(
        .error, "A fragment is on a type that can't occur at its place.",
        "Use a type that can occur there.")
    case .graphQLValue:
      known("A value does not fit the type that is expected.", "Write a value that fits.")
    case .graphQLInputField:
      known("An input type has no field of that name.", "Use one that it has.")
    case .graphQLInputFieldUnique:
      .init(.error, "A field of an input object is given twice.", "Remove one of them.")
    case .graphQLInputFieldRequired:
      .init(.error, "A field that an input object needs is missing.", "Add it.")
    default: ofNames(code)
    }
  }

  /// The entries of directives, variables and the rest.
  private static func ofNames(_ code: DiagnosticCode) -> DiagnosticEntry {
    switch code {
    case .graphQLDirective:
      known("There is no directive of that name.", "Use one that the schema has.")
    case .graphQLDirectiveLocation:
      .init(.error, "A directive can't stand at its place.", "Move it, or remove it.")
    case .graphQLDirectiveUnique:
      .init(.error, "A directive stands twice at one place.", "Remove one of them.")
    case .graphQLVariableName:
      .init(.error, "An operation declares a variable twice.", "Remove one of them.")
    case .graphQLVariableType:
      known("A variable has a type that can't be given.", "Use a scalar, an enum or an input type.")
    case .graphQLVariableUnknown:
      known("An operation uses a variable that it does not declare.", "Declare it.")
    case .graphQLVariableUnused:
      .init(
        .warning, "An operation does not use a variable that it declares.",
        "Use it, or remove it.", tag: .unnecessary)
    case .graphQLVariableUsage:
      .init(
        .error, "A variable is used where its type does not fit.", "Change its type.")
    case .graphQLVariablesMissing:
      .init(.error, "The JSON of the variables lacks one that is needed.", "Add it.")
    case .graphQLVariablesUnknown:
      known(
        "The JSON of the variables has one that the operation does not declare.",
        "Correct the name, or remove it.", .warning)
    case .graphQLVariablesValue:
      known("A value of the variables does not fit its type.", "Write a value that fits.")
    default:
      .init(
        .hint, "The schema says that a field, an argument or a value is deprecated.",
        "Use what the message names.", tag: .deprecated)
    }
  }

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
