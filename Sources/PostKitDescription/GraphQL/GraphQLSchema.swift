// What a GraphQL service offers: its types, their members and its directives, as compact tables
// over the sources that they were read from. Texts are made when somebody asks for them.

/// A text that defines a part of a schema.
package struct GraphQLSource: Sendable, Hashable {
  /// Its name, which only messages and definitions mention.
  package let path: String
  package let bytes: [UInt8]

  /// Makes a source.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// Something that is wrong with a schema.
package struct GraphQLSchemaProblem: Sendable, Hashable {
  /// The position of the source.
  package let source: Int
  package let range: Range<Int>
  /// A sentence for people.
  package let message: String
  /// Whether the schema is of use all the same, as one part of another is.
  package let isRemark: Bool
}

/// What a type is.
package enum GraphQLTypeKind: UInt8, Sendable, Hashable {
  case scalar, object, interface, union, enumeration, inputObject
  /// It is named but not defined.
  case missing

  /// Its keyword in definitions.
  package var keyword: String {
    switch self {
    case .scalar: "scalar"
    case .object: "type"
    case .interface: "interface"
    case .union: "union"
    case .enumeration: "enum"
    case .inputObject: "input"
    case .missing: "type"
    }
  }

  /// Whether fields of it can be selected; a missing one may be anything.
  package var isComposite: Bool {
    self == .object || self == .interface || self == .union || self == .missing
  }

  /// Whether arguments can have it; a missing one may be anything.
  package var isInput: Bool {
    self == .scalar || self == .enumeration || self == .inputObject || self == .missing
  }

  /// Whether it has no fields to be selected.
  package var isLeaf: Bool { self == .scalar || self == .enumeration }
}

/// A type with its lists and exclamation marks.
package struct GraphQLTypeReference: Sendable, Hashable {
  /// The marks of `wrapping`, two bits each, the innermost in the lowest ones.
  static let nonNull: UInt32 = 1
  static let list: UInt32 = 2

  /// The position of the named type among the schema's types.
  package let type: Int32
  let wrapping: UInt32

  /// Whether null is no value of it.
  package var isNonNull: Bool { outermost == Self.nonNull }
  /// Whether it is a list, also one that can't be null.
  package var isList: Bool { nullable.outermost == Self.list }
  /// The same with null as a value.
  package var nullable: GraphQLTypeReference { isNonNull ? unwrapped : self }
  /// The type of a list's items; `nil` where it is no list.
  package var item: GraphQLTypeReference? { isList ? nullable.unwrapped : nil }

  private var shift: Int { wrapping == 0 ? 0 : (31 - wrapping.leadingZeroBitCount) & ~1 }
  private var outermost: UInt32 { wrapping >> UInt32(shift) }
  private var unwrapped: GraphQLTypeReference {
    GraphQLTypeReference(type: type, wrapping: wrapping & ~(3 << UInt32(shift)))
  }
}

/// A part of a source: a name, a description, a default value. Without a source it is empty.
struct GraphQLSpan: Sendable, Hashable {
  var source: Int32 = -1
  var start: UInt32 = 0
  var end: UInt32 = 0

  var range: Range<Int> { Int(start)..<Int(end) }
  var isEmpty: Bool { source < 0 }
}

/// A type of a schema.
struct GraphQLTypeDefinition: Sendable, Hashable {
  var name: String
  var kind = GraphQLTypeKind.missing
  var place = GraphQLSpan()
  var description = GraphQLSpan()
  /// Its fields, input fields or enumeration's values.
  var members: Range<Int> = 0..<0
  /// The interfaces that it implements, by their positions.
  var interfaces: [Int32] = []
  /// The object types that a union or an interface can be, sorted; an object itself.
  var possible: [Int32] = []
  /// Whether exactly one field of an input object must be given.
  var isOneOf = false
}

/// A field, an argument, an input field or a value of an enumeration.
struct GraphQLMember: Sendable, Hashable {
  var place: GraphQLSpan
  var description = GraphQLSpan()
  var defaultValue = GraphQLSpan()
  /// The reason of a deprecation as a string's source; the directive's own place without one.
  var deprecation = GraphQLSpan()
  var type: GraphQLTypeReference?
  /// Of a field, its arguments among the members.
  var arguments: Range<Int32> = 0..<0

  /// Whether a value must be given.
  var isRequired: Bool { type?.isNonNull == true && defaultValue.isEmpty }
}

/// A directive of a schema.
struct GraphQLDirectiveDefinition: Sendable, Hashable {
  var name: String
  var place: GraphQLSpan
  var description = GraphQLSpan()
  var arguments: Range<Int> = 0..<0
  var isRepeatable = false
  var locations: Set<GraphQLLocation> = []
}

/// Where a directive may stand.
enum GraphQLLocation: String, Sendable, Hashable {
  case query = "QUERY", mutation = "MUTATION", subscription = "SUBSCRIPTION", field = "FIELD"
  case fragmentDefinition = "FRAGMENT_DEFINITION", fragmentSpread = "FRAGMENT_SPREAD"
  case inlineFragment = "INLINE_FRAGMENT", variableDefinition = "VARIABLE_DEFINITION"

  /// The location that directives of a node have; `nil` for those of definitions of a schema.
  init?(_ node: GraphQLNode) {
    if node.kind == .operation {
      self = [.query, .mutation, .subscription][min(Int(node.detail), 2)]
    } else if let location = Self.locations[node.kind] {
      self = location
    } else {
      return nil
    }
  }

  private static let locations: [GraphQLNodeKind: GraphQLLocation] = [
    .field: .field, .fragmentDefinition: .fragmentDefinition, .fragmentSpread: .fragmentSpread,
    .inlineFragment: .inlineFragment, .variableDefinition: .variableDefinition,
  ]
}

/// A schema.
package struct GraphQLSchema: Sendable {
  /// The texts that it was read from; the last is ours, with what every service has.
  package let sources: [GraphQLSource]
  package let problems: [GraphQLSchemaProblem]
  let types: [GraphQLTypeDefinition]
  let members: [GraphQLMember]
  let directives: [GraphQLDirectiveDefinition]
  let typeIndexes: [String: Int32]
  /// The types of the operations, by their raw values.
  let roots: [Int32?]
  /// What each type with selections has, and what only the query's has, by their members.
  let metaFields: (all: Int, query: Range<Int>)

  /// Reads a schema from definitions, in any number of sources.
  package init(sources: [GraphQLSource]) {
    self = GraphQLSchemaBuilder(sources + [GraphQLPrelude.source]).schema()
  }

  /// Reads a schema from the answer to an introspection query.
  package init(
    introspection json: [UInt8], path: String = ""
  ) throws(GraphQLIntrospectionFailure) {
    let text = try GraphQLIntrospection.definitions(json)
    self.init(sources: [GraphQLSource(path: path, bytes: text)])
  }

  init(_ builder: consuming GraphQLSchemaBuilder) {
    sources = builder.sources
    problems = builder.problems
    types = builder.types
    members = builder.members
    directives = builder.directives
    typeIndexes = builder.typeIndexes
    roots = builder.roots
    metaFields = builder.metaFields
  }

  /// How many types it defines, beside those that every schema has.
  package var typeCount: Int {
    types.count { $0.kind != .missing && $0.place.source < sources.count - 1 }
  }

  /// The position of a type.
  func type(named name: String) -> Int? { typeIndexes[name].map(Int.init) }

  /// The type of an operation.
  func root(_ operation: GraphQLOperationType) -> Int? {
    roots[Int(operation.rawValue)].map(Int.init)
  }

  /// The text of a part of a source.
  func text(_ span: GraphQLSpan) -> String {
    span.isEmpty ? "" : String(decoding: bytes(span), as: UTF8.self)
  }

  /// The bytes of a part of a source.
  func bytes(_ span: GraphQLSpan) -> ArraySlice<UInt8> {
    span.isEmpty ? [] : sources[Int(span.source)].bytes[span.range]
  }

  /// The name of a member.
  func name(_ member: Int) -> String { text(members[member].place) }

  /// What a string of a source says; `nil` where there is none.
  func string(_ span: GraphQLSpan) -> String? {
    span.isEmpty ? nil : GraphQLString.value(bytes(span))
  }

  /// Why a member should not be used; `nil` where it may be.
  func deprecation(_ member: Int) -> String? {
    let span = members[member].deprecation
    if span.isEmpty { return nil }
    return bytes(span).first == UInt8(ascii: "\"") ? string(span) : "No longer supported"
  }

  /// A type with its lists and exclamation marks, as GraphQL writes it.
  func text(_ reference: GraphQLTypeReference) -> String {
    if reference.isNonNull { return text(reference.nullable) + "!" }
    if let item = reference.item { return "[" + text(item) + "]" }
    return types[Int(reference.type)].name
  }

  /// The kind of the type that is named in a reference.
  func kind(_ reference: GraphQLTypeReference) -> GraphQLTypeKind {
    types[Int(reference.type)].kind
  }

  /// The member of some that has a name.
  func member(named name: ArraySlice<UInt8>, in range: Range<Int>) -> Int? {
    range.first { bytes(members[$0].place).elementsEqual(name) }
  }

  /// The field of a type, also one that all types have.
  func field(named name: ArraySlice<UInt8>, of type: Int) -> Int? {
    let kind = types[type].kind
    if kind != .union, let own = member(named: name, in: types[type].members) { return own }
    guard kind.isComposite, name.first == UInt8(ascii: "_") else { return nil }
    if type == root(.query), let meta = member(named: name, in: metaFields.query) { return meta }
    return member(named: name, in: metaFields.all..<metaFields.all + 1)
  }

  /// The directive of a name.
  func directive(named name: String) -> Int? { directives.firstIndex { $0.name == name } }

  /// Whether a value can be of both types.
  func overlap(_ one: Int, _ other: Int) -> Bool {
    if one == other || types[one].kind == .missing || types[other].kind == .missing { return true }
    let (left, right) = (types[one].possible, types[other].possible)
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if left[i] == right[j] { return true }
      if left[i] < right[j] { i += 1 } else { j += 1 }
    }
    return false
  }

  /// Whether all values of one type are of the other, too: where an argument has it, or a variable.
  func isSubtype(_ one: GraphQLTypeReference, of other: GraphQLTypeReference) -> Bool {
    if other.isNonNull {
      return one.isNonNull && isSubtype(one.nullable, of: other.nullable)
    }
    let one = one.nullable
    if let item = other.item {
      return one.item.map { isSubtype($0, of: item) } ?? (kind(one) == .missing)
    }
    return !one.isList && one.type == other.type || kind(one) == .missing
      || kind(other) == .missing
  }
}
