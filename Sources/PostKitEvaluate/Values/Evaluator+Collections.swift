// Values with members: what a loop goes through, and what a wildcard finds.

package import PostKitJSON
import PostKitSyntax

extension Evaluator {
  /// Words that are values of their own.
  static let literals: [String: JSONValue] = ["true": true, "false": false, "null": nil]

  /// The value of an expression such as `login.items`, with its type; `nil` where there is none,
  /// the problem recorded.
  package mutating func value(ofExpression text: String, at range: Range<Int>) -> JSONValue? {
    beginExpression(at: range.lowerBound)
    switch resolve(
      ReferenceExpression(parsing: text), at: range, place: .metadata, offset: range.lowerBound)
    {
    case .value(let value): return value
    case .unresolved(let kind):
      report(kind, range)
      return nil
    }
  }

  /// The definition with its value where that is an array or an object; one that is a reference to
  /// such a value counts, too (PK-105).
  mutating func collection(
    _ definition: VariableDefinition, at range: Range<Int>, place: TemplatePlace, offset: Int
  ) -> VariableDefinition? {
    switch definition.value {
    case .object, .array: return definition
    case .string(let text):
      guard text.hasPrefix("{{"),
        case .value(let value) = use(definition, at: range, place: place, offset: offset)
      else { return nil }
      switch value {
      case .object, .array:
        var result = definition
        result.value = value
        return result
      case .null, .bool, .number, .string: return nil
      }
    case .null, .bool, .number: return nil
    }
  }

  /// All values that a path with a wildcard finds in a variable; `nil` where it is no path into a
  /// collection. `$.users..id` is the path `..id` into `users` (PK-71).
  mutating func matches(_ name: String, _ rest: String, at range: Range<Int>) -> [JSONValue]? {
    var (name, rest) = (name, rest)
    if name == "$" {
      guard case .path(let inner, let tail) = ReferenceExpression(
        parsing: String(rest.drop { $0 == "." }))
      else { return nil }
      (name, rest) = (inner, tail)
    }
    guard let definition = definition(name, at: range.lowerBound),
      let collection = collection(
        definition, at: range, place: .metadata, offset: range.lowerBound),
      // A path that can't be read is reported where it is used.
      let tree = try? JSONTree(parsing: collection.value.bytes),
      let values = try? JSONPath("$" + rest).values(in: tree.root)  // as above
    else { return nil }
    return values
  }

  /// A member of a definition that is an array or an object.
  mutating func member(
    _ rest: String, of definition: VariableDefinition, at range: Range<Int>, place: TemplatePlace,
    offset: Int
  ) -> JSONValue? {
    guard let definition = collection(definition, at: range, place: place, offset: offset) else {
      return nil
    }
    // A path that can't be read, or that finds nothing, is no member: the caller looks elsewhere.
    guard let tree = try? JSONTree(parsing: definition.value.bytes),
      let value = try? JSONPath("$" + rest).value(in: tree.root)  // as above
    else { return nil }
    var part = definition
    part.value = value
    part.name = definition.name + rest
    if case .value(let expanded) = use(part, at: range, place: place, offset: offset) {
      return expanded
    }
    return value
  }
}
