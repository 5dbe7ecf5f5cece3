// What was inferred at several places as schemas, with objects that are seen again by name (IO-29).

package import PostKitJSON

/// The schemas of several inferences. Objects of the same members, three or more of them, that
/// stand at several places are one schema with a name.
package struct InferredSchemas {
  /// Members that an object has before it may have a name.
  private static let namedCount = 3

  private var names: [ObjectIdentifier: String] = [:]
  /// Objects with names, in the order in which they were found.
  private var named: [InferredObject] = []

  /// Reads inferences in order; the name of each is for objects that are its values.
  package init(_ inferences: [(inference: SchemaInference, name: String)]) {
    for (inference, _) in inferences { Self.findMaps(inference.shape) }
    while unifyEqual(Self.objects(inferences)) {}
    var uses: [ObjectIdentifier: Int] = [:]
    let found = Self.objects(inferences)
    for (object, _) in found { uses[ObjectIdentifier(object), default: 0] += 1 }
    var taken: Set<String> = []
    for (object, hint) in found where uses[ObjectIdentifier(object), default: 0] > 1 {
      guard object.members.count >= Self.namedCount, names[ObjectIdentifier(object)] == nil else {
        continue
      }
      var (name, number) = (hint, 2)
      while !taken.insert(name).inserted {
        name = "\(hint)\(number)"
        number += 1
      }
      names[ObjectIdentifier(object)] = name
      named.append(object)
    }
  }

  /// The schemas with names, by name.
  package var components: [JSONMember] {
    named.map { JSONMember(names[ObjectIdentifier($0)] ?? "", .object(members(of: $0, []))) }
      .sorted { $0.key < $1.key }
  }

  /// The schema of what an inference has seen; `{}` where that is nothing.
  package func schema(of inference: SchemaInference) -> JSONValue {
    schema(inference.shape, [])
  }

  /// The schema of a place inside of objects; one without a name that holds itself is open there.
  private func schema(_ shape: InferredShape, _ inside: Set<ObjectIdentifier>) -> JSONValue {
    guard !shape.isOpen, !shape.types.isEmpty else { return .object([]) }
    guard shape.types.contains(.object), let object = shape.object?.resolved else {
      return .object(plain(shape, shape.types, inside))
    }
    guard let name = names[ObjectIdentifier(object)] else {
      guard !inside.contains(ObjectIdentifier(object)) else { return .object([]) }
      let rest = plain(shape, shape.types, inside)
      return .object(rest + members(of: object, inside).filter { $0.key != "type" })
    }
    let reference: JSONValue = ["$ref": .string("#/components/schemas/\(name)")]
    let others = shape.types.subtracting(.object)
    return others.isEmpty
      ? reference : ["anyOf": [reference, .object(plain(shape, others, inside))]]
  }

  /// What is said of a value without what is said of objects.
  private func plain(
    _ shape: InferredShape, _ types: SchemaTypes, _ inside: Set<ObjectIdentifier>
  ) -> [JSONMember] {
    var types = types
    if types.contains(.number) { types.remove(.integer) }
    let words = types.words.map(JSONValue.string)
    var members = [JSONMember("type", words.count == 1 ? words[0] : .array(words))]
    if types.contains(.string) {
      let isAlone = types.subtracting([.string, .null]).isEmpty
      members += shape.texts.members(listsWords: isAlone, isNullable: types.contains(.null))
    }
    if let elements = shape.elements {
      members.append(JSONMember("items", schema(elements, inside)))
    }
    return members
  }

  private func members(
    of object: InferredObject, _ inside: Set<ObjectIdentifier>
  ) -> [JSONMember] {
    let inside = inside.union([ObjectIdentifier(object)])
    var result = [JSONMember("type", "object")]
    if let further = object.further {
      return result + [JSONMember("additionalProperties", schema(further, inside))]
    }
    let required = object.members.filter { $0.presence == object.count }
    if !required.isEmpty {
      result.append(JSONMember("required", .array(required.map { .string($0.name) })))
    }
    if !object.members.isEmpty {
      let properties = object.members.map { JSONMember($0.name, schema($0.shape, inside)) }
      result.append(JSONMember("properties", .object(properties)))
    }
    return result
  }

  // MARK: - Objects

  private static func findMaps(_ shape: InferredShape) {
    if let elements = shape.elements { findMaps(elements) }
    guard let object = shape.object else { return }
    if object.looksLikeMap { object.becomeMap() }
    if let further = object.further { findMaps(further) }
    for member in object.members { findMaps(member.shape) }
  }

  /// The objects at all places, those at the outside first, with a name for each; what is inside
  /// of one counts once.
  private static func objects(
    _ inferences: [(inference: SchemaInference, name: String)]
  ) -> [(object: InferredObject, hint: String)] {
    var found: [(object: InferredObject, hint: String)] = []
    var seen: Set<ObjectIdentifier> = []
    func look(_ shape: InferredShape, _ hint: String) {
      if let elements = shape.elements { look(elements, hint) }
      guard let object = shape.object?.resolved else { return }
      if object.further == nil { found.append((object, hint)) }
      guard seen.insert(ObjectIdentifier(object)).inserted else { return }
      if let further = object.further { look(further, hint) }
      for member in object.members { look(member.shape, ComponentName.name(for: member.name)) }
    }
    for (inference, name) in inferences { look(inference.shape, name) }
    return found
  }

  /// Makes objects of the same members one; `false` where there are none.
  private func unifyEqual(_ found: [(object: InferredObject, hint: String)]) -> Bool {
    var firsts: [[String]: InferredObject] = [:]
    var hasChanged = false
    for (object, _) in found {
      let object = object.resolved
      guard object.further == nil, object.members.count >= Self.namedCount else { continue }
      let names = object.members.map(\.name).sorted()
      if let first = firsts[names]?.resolved {
        guard first !== object else { continue }
        first.unify(object)
        hasChanged = true
      } else {
        firsts[names] = object
      }
    }
    return hasChanged
  }
}

/// Names of schemas, made of words of paths and of members.
package enum ComponentName {
  /// The name for things that a word in the plural stands for: `order_items` becomes `OrderItem`.
  package static func name(for word: String) -> String {
    let pieces = singular(word).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = pieces.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first else { return "Item" }
    return first.isNumber ? "Item\(name)" : String(name.prefix(60))
  }

  /// A word in the singular, as far as its ending tells.
  package static func singular(_ word: String) -> String {
    let small = word.lowercased()
    if ["series", "species", "news"].contains(small) { return word }
    if small.hasSuffix("ies"), small.utf8.count > 4 { return word.dropLast(3) + "y" }
    if ["sses", "shes", "ches", "xes", "zes", "tuses"].contains(where: small.hasSuffix) {
      return String(word.dropLast(2))
    }
    let isSingular = ["ss", "us", "is"].contains(where: small.hasSuffix)
    return small.hasSuffix("s") && !isSingular && small.utf8.count > 2
      ? String(word.dropLast()) : word
  }
}
