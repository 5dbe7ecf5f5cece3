// A meta-model file as values (the form that LSP publishes its own model in).

import PostKitJSON

/// A type expression of the model.
indirect enum ModelType: Hashable {
  case base(String)
  case reference(String)
  case array(ModelType)
  case map(ModelType)
  case either([ModelType])
  case stringLiteral(String)

  /// Reads a type expression; throws for the kinds that none of our messages needs.
  init(_ view: JSONView, at place: String) throws(ModelFailure) {
    switch view["kind"]?.string {
    case "base": self = .base(view["name"]?.string ?? "")
    case "reference": self = .reference(view["name"]?.string ?? "")
    case "stringLiteral": self = .stringLiteral(view["value"]?.string ?? "")
    case "array":
      self = .array(try ModelType(try view.member("element", at: place), at: place))
    case "map":
      self = .map(try ModelType(try view.member("value", at: place), at: place))
    case "or":
      var items: [ModelType] = []
      for item in view["items"]?.elements ?? [] { items.append(try ModelType(item, at: place)) }
      self = .either(items)
    default:
      throw ModelFailure("\(place): types of kind \(view["kind"]?.string ?? "?") are not supported")
    }
  }
}

extension JSONView {
  fileprivate func member(_ name: String, at place: String) throws(ModelFailure) -> JSONView {
    guard let member = self[name] else { throw ModelFailure("\(place): \(name) is missing") }
    return member
  }
}

/// A member of a structure.
struct ModelProperty {
  let name: String
  let type: ModelType
  let isOptional: Bool
  let documentation: String?
}

/// A structure; what it extends and mixes in comes last.
struct ModelStructure {
  let name: String
  var properties: [ModelProperty]
  let bases: [String]
  let documentation: String?
}

/// An enumeration.
struct ModelEnumeration {
  let name: String
  let isString: Bool
  let isOpen: Bool
  let values: [(name: String, value: String)]
  let documentation: String?
}

/// A request, or a notification where `result` is `nil`.
struct ModelMessage {
  let method: String
  let typeName: String
  let direction: String
  let params: ModelType?
  let result: ModelType?
  let serverCapability: String?
  let documentation: String?
}

/// What is wrong with a model file.
struct ModelFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// All model files together.
struct ProtocolModel {
  var messages: [ModelMessage] = []
  var structures: [ModelStructure] = []
  var enumerations: [ModelEnumeration] = []
  var aliases: [(name: String, type: ModelType)] = []

  /// Adds the contents of a file.
  mutating func add(_ root: JSONView) throws(ModelFailure) {
    for view in root["requests"]?.elements ?? [] { messages.append(try message(view, true)) }
    for view in root["notifications"]?.elements ?? [] { messages.append(try message(view, false)) }
    for view in root["structures"]?.elements ?? [] { structures.append(try structure(view)) }
    for view in root["enumerations"]?.elements ?? [] {
      enumerations.append(
        ModelEnumeration(
          name: view["name"]?.string ?? "", isString: view["type"]?["name"]?.string == "string",
          isOpen: view["supportsCustomValues"]?.bool ?? false,
          values: (view["values"]?.elements ?? []).map {
            ($0["name"]?.string ?? "", $0["value"]?.string ?? $0["value"]?.numberText ?? "")
          }, documentation: view["documentation"]?.string))
    }
    for view in root["typeAliases"]?.elements ?? [] {
      let name = view["name"]?.string ?? ""
      guard let type = view["type"], !ProtocolModel.isAny(name) else { continue }
      aliases.append((name, try ModelType(type, at: name)))
    }
  }

  /// Whether a name stands for any JSON.
  static func isAny(_ name: String) -> Bool { ["LSPAny", "LSPObject", "LSPArray"].contains(name) }

  /// The members of a structure with those that it takes over.
  func properties(of structure: ModelStructure) throws(ModelFailure) -> [ModelProperty] {
    var result: [ModelProperty] = []
    for base in structure.bases {
      guard let found = structures.first(where: { $0.name == base }) else {
        throw ModelFailure("\(structure.name) takes over \(base), which is not in the model")
      }
      result += try properties(of: found)
    }
    return structure.properties + result
  }

  /// Checks that every name that is used is in the model.
  func validate() throws(ModelFailure) {
    let known = Set(
      structures.map(\.name) + enumerations.map(\.name) + aliases.map(\.name)
        + ["LSPAny", "LSPObject", "LSPArray"])
    var types: [(String, ModelType)] = aliases.map { ($0.name, $0.type) }
    for structure in structures { types += structure.properties.map { (structure.name, $0.type) } }
    for message in messages {
      types += [message.params, message.result].compactMap(\.self).map { (message.method, $0) }
    }
    for (place, type) in types {
      for name in ProtocolModel.names(in: type) where !known.contains(name) {
        throw ModelFailure("\(place) uses \(name), which is not in the model")
      }
    }
  }

  private static func names(in type: ModelType) -> [String] {
    switch type {
    case .base, .stringLiteral: []
    case .reference(let name): [name]
    case .array(let inner), .map(let inner): names(in: inner)
    case .either(let items): items.flatMap(names)
    }
  }

  private func message(_ view: JSONView, _ isRequest: Bool) throws(ModelFailure) -> ModelMessage {
    let method = view["method"]?.string ?? ""
    guard let typeName = view["typeName"]?.string else {
      throw ModelFailure("\(method) has no typeName")
    }
    var params: ModelType?
    if let type = view["params"] { params = try ModelType(type, at: method) }
    var result: ModelType?
    if isRequest, let type = view["result"] { result = try ModelType(type, at: method) }
    return ModelMessage(
      method: method, typeName: typeName, direction: view["messageDirection"]?.string ?? "both",
      params: params, result: result, serverCapability: view["serverCapability"]?.string,
      documentation: view["documentation"]?.string)
  }

  private func structure(_ view: JSONView) throws(ModelFailure) -> ModelStructure {
    let name = view["name"]?.string ?? ""
    var properties: [ModelProperty] = []
    for property in view["properties"]?.elements ?? [] {
      guard let type = property["type"] else { continue }
      let member = property["name"]?.string ?? ""
      properties.append(
        ModelProperty(
          name: member, type: try ModelType(type, at: "\(name).\(member)"),
          isOptional: property["optional"]?.bool ?? false,
          documentation: property["documentation"]?.string))
    }
    let bases = (view["extends"]?.elements ?? []) + (view["mixins"]?.elements ?? [])
    return ModelStructure(
      name: name, properties: properties, bases: bases.compactMap { $0["name"]?.string },
      documentation: view["documentation"]?.string)
  }
}
