// What every GraphQL service has (October 2021, sections 3.5, 3.13 and 4), as definitions.

/// The definitions that no schema needs to write.
enum GraphQLPrelude {
  /// A type that no text can name: its fields are those that are selected beside others.
  static let metaType = "__Meta"

  /// The definitions.
  static let source = GraphQLSource(path: "", bytes: Array(text.utf8))

  private static let text = #"""
    "Text of any length."
    scalar String
    "A whole number of 32 bits with a sign."
    scalar Int
    "A number of double precision, as IEEE 754 has it."
    scalar Float
    "`true` or `false`."
    scalar Boolean
    "A value that identifies something. It is sent as a string; numbers are accepted, too."
    scalar ID

    "Leaves a field or fragment out unless the condition is true."
    directive @include(
      "Whether it is there."
      if: Boolean!
    ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Leaves a field or fragment out if the condition is true."
    directive @skip(
      "Whether it is left out."
      if: Boolean!
    ) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Says that something should not be used any more."
    directive @deprecated(reason: String = "No longer supported")
      on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    "Names the document that specifies a scalar."
    directive @specifiedBy(url: String!) on SCALAR
    "Says that exactly one field must be given."
    directive @oneOf on INPUT_OBJECT

    type __Meta {
      "The name of the object's type."
      __typename: String!
      "What the service offers."
      __schema: __Schema!
      "What the service says about a type; null if it has none of that name."
      __type(name: String!): __Type
    }
    "What a service offers."
    type __Schema {
      description: String
      types: [__Type!]!
      queryType: __Type!
      mutationType: __Type
      subscriptionType: __Type
      directives: [__Directive!]!
    }
    "A type: what it is depends on its kind."
    type __Type {
      kind: __TypeKind!
      name: String
      description: String
      "Of objects and interfaces."
      fields(includeDeprecated: Boolean = false): [__Field!]
      "Of objects and interfaces."
      interfaces: [__Type!]
      "Of interfaces and unions."
      possibleTypes: [__Type!]
      "Of enumerations."
      enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
      "Of input objects."
      inputFields(includeDeprecated: Boolean = false): [__InputValue!]
      "Of lists and of types that can't be null."
      ofType: __Type
      "Of scalars."
      specifiedByURL: String
      "Of input objects."
      isOneOf: Boolean
    }
    "What a type is."
    enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
    "A field of an object or interface."
    type __Field {
      name: String!
      description: String
      args(includeDeprecated: Boolean = false): [__InputValue!]!
      type: __Type!
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "An argument or a field of an input object."
    type __InputValue {
      name: String!
      description: String
      type: __Type!
      "The value that is taken where none is given, as GraphQL writes it."
      defaultValue: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "A value of an enumeration."
    type __EnumValue {
      name: String!
      description: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "A directive that the service knows."
    type __Directive {
      name: String!
      description: String
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean = false): [__InputValue!]!
      isRepeatable: Boolean!
    }
    "Where a directive may stand."
    enum __DirectiveLocation {
      QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
      VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION
      ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
    }
    """#
}
