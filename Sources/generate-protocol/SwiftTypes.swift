// How the types of the model are spelt, read and written in Swift.

/// The Swift side of the model's types; collects the unions that it meets.
struct SwiftTypes {
  /// The unions met so far, by name, with their items.
  private(set) var unions: [String: [ModelType]] = [:]

  /// The base types that are texts.
  private static let texts: Set<String> = ["string", "DocumentUri", "URI", "RegExp"]

  /// The Swift type of a type expression.
  mutating func name(_ type: ModelType) throws(ModelFailure) -> String {
    switch type {
    case .base(let base) where SwiftTypes.texts.contains(base): return "String"
    case .base("integer"), .base("uinteger"): return "Int"
    case .base("decimal"): return "Double"
    case .base("boolean"): return "Bool"
    case .base("null"): return "LSP.Nothing"
    case .base(let base): throw ModelFailure("there is no base type \(base)")
    case .reference(let name): return ProtocolModel.isAny(name) ? "JSONValue" : "LSP.\(name)"
    case .array(let element): return "[\(try self.name(element))]"
    case .map(let value): return "[String: \(try self.name(value))]"
    case .stringLiteral: return "String"
    case .either(let items):
      let (inner, isNullable) = SwiftTypes.withoutNull(items)
      if inner.count == 1 { return try name(inner[0]) + (isNullable ? "?" : "") }
      return "LSP.\(try register(inner))" + (isNullable ? "?" : "")
    }
  }

  /// Whether `nil` is among a type's values.
  static func isNullable(_ type: ModelType) -> Bool {
    if case .either(let items) = type { return withoutNull(items).isNullable }
    return false
  }

  /// An expression for a reader of the type.
  mutating func reader(_ type: ModelType) throws(ModelFailure) -> String {
    switch type {
    case .base(let base) where !SwiftTypes.texts.contains(base): return "Decode.\(base)"
    case .base, .stringLiteral: return "Decode.string"
    case .reference(let name):
      return ProtocolModel.isAny(name) ? "Decode.any" : "LSP.\(name).init(decoding:)"
    case .array(let element): return "Decode.array(\(try reader(element)))"
    case .map(let value): return "Decode.map(\(try reader(value)))"
    case .either(let items):
      let (inner, isNullable) = SwiftTypes.withoutNull(items)
      let reader =
        inner.count == 1
        ? try reader(inner[0]) : "LSP.\(try register(inner)).init(decoding:)"
      return isNullable ? "Decode.nullable(\(reader))" : reader
    }
  }

  /// An expression for a writer of the type.
  static func writer(_ type: ModelType) -> String {
    switch type {
    case .base("uinteger"): return "Encode.integer"
    case .base(let base) where !texts.contains(base): return "Encode.\(base)"
    case .base, .stringLiteral: return "Encode.string"
    case .reference(let name): return ProtocolModel.isAny(name) ? "Encode.any" : "Encode.value"
    case .array(.base("integer")), .array(.base("uinteger")): return "Encode.integers"
    case .array(let inner): return "Encode.array(\(writer(inner)))"
    case .map(let inner): return "Encode.map(\(writer(inner)))"
    case .either(let items):
      let (inner, isNullable) = withoutNull(items)
      let writer = inner.count == 1 ? writer(inner[0]) : "Encode.value"
      return isNullable ? "Encode.nullable(\(writer))" : writer
    }
  }

  /// The type without `null` among its values.
  static func nonNull(_ type: ModelType) -> ModelType {
    guard case .either(let items) = type else { return type }
    let inner = withoutNull(items).items
    return inner.count == 1 ? inner[0] : .either(inner)
  }

  /// The name of a case for one alternative of a union.
  static func caseName(_ type: ModelType) -> String {
    switch type {
    case .base(let name): name == "null" ? "nothing" : lowercaseFirst(name)
    case .reference(let name): lowercaseFirst(name)
    case .array(let element): caseName(element) + "Array"
    case .map(let value): caseName(value) + "Map"
    case .stringLiteral(let text): text
    case .either(let items): items.map(caseName).joined(separator: "Or")
    }
  }

  /// The alternatives of a union apart from `null`.
  static func withoutNull(_ items: [ModelType]) -> (items: [ModelType], isNullable: Bool) {
    let inner = items.filter { $0 != .base("null") }
    return (inner, inner.count < items.count)
  }

  /// The text with a small first letter; a leading run of capitals becomes small as a whole.
  static func lowercaseFirst(_ text: String) -> String {
    let run = text.prefix { $0.isUppercase }.count
    guard run > 0 else { return text }
    let count = run == 1 || run == text.count ? run : run - 1
    return text.prefix(count).lowercased() + text.dropFirst(count)
  }

  private mutating func register(_ items: [ModelType]) throws(ModelFailure) -> String {
    let parts = items.map { item in
      let name = SwiftTypes.caseName(item)
      return name.prefix(1).uppercased() + name.dropFirst()
    }
    let name = parts.joined(separator: "Or")
    unions[name] = items
    for item in items { _ = try self.name(item) }
    return name
  }
}
