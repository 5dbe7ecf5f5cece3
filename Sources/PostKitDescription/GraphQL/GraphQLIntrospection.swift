// What a service answers about its own schema (October 2021, section 4.1), as definitions: a schema
// that is read from them has places that an editor can show.

package import PostKitJSON
import PostKitText

/// Why an answer holds no schema.
package struct GraphQLIntrospectionFailure: Error, Sendable, Hashable {
  /// Says what is wrong in a clause, such as "the answer is not JSON".
  package let explanation: String
}

/// Asks for a schema, and reads the answer.
package enum GraphQLIntrospection {
  /// The name of the operation that asks.
  package static let operationName = "IntrospectionQuery"

  /// The operation that asks for a schema, as of October 2021.
  package static let query = text(directive: " isRepeatable")

  /// The same for services that know GraphQL as of June 2018 only.
  package static let olderQuery = text(directive: "")

  /// Whether a JSON text is the answer to an introspection query.
  package static func isAnswer(_ json: JSONTree) -> Bool { schema(json) != nil }

  /// The definitions that an answer describes, without those that every service has.
  package static func definitions(
    _ json: [UInt8]
  ) throws(GraphQLIntrospectionFailure) -> [UInt8] {
    let tree: JSONTree
    do throws(JSONSyntaxError) {
      tree = try JSONTree(parsing: json)
    } catch {
      throw GraphQLIntrospectionFailure(explanation: "the answer is not JSON")
    }
    guard let schema = schema(tree) else {
      let messages = tree.root["errors"]?.elements.prefix(3).compactMap { $0["message"]?.string }
      guard let messages, !messages.isEmpty else {
        throw GraphQLIntrospectionFailure(explanation: "the answer has no `__schema`")
      }
      throw GraphQLIntrospectionFailure(
        explanation: "the service answers: \(messages.map(\.inOneLine).joined(separator: "; "))")
    }
    let query = schema["queryType"]?["name"]?.string
    let types = schema["types"]?.elements ?? []
    guard let query, types.contains(where: { $0["name"]?.string == query }) else {
      throw GraphQLIntrospectionFailure(explanation: "the answer has no query type")
    }
    var writer = DefinitionWriter()
    writer.write(schema)
    return writer.output
  }

  private static func schema(_ json: JSONTree) -> JSONView? {
    let schema = json.root["__schema"] ?? json.root["data"]?["__schema"]
    return schema?["types"]?.kind == .array ? schema : nil
  }

  private static func text(directive: String) -> String {
    let type = (0..<9).reduce("kind name") { inner, _ in "kind name ofType { \(inner) }" }
    return """
      query \(operationName) {
        __schema {
          queryType { name }
          mutationType { name }
          subscriptionType { name }
          types { ...Type }
          directives { name description locations\(directive) args { ...Input } }
        }
      }
      fragment Type on __Type {
        kind
        name
        description
        fields(includeDeprecated: true) {
          name
          description
          args { ...Input }
          type { ...Reference }
          isDeprecated
          deprecationReason
        }
        inputFields { ...Input }
        interfaces { name }
        enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
        possibleTypes { name }
      }
      fragment Input on __InputValue { name description type { ...Reference } defaultValue }
      fragment Reference on __Type { \(type) }

      """
  }
}

/// Writes definitions.
private struct DefinitionWriter {
  private(set) var output: [UInt8] = []

  private static let ownScalars: Set<String> = ["String", "Int", "Float", "Boolean", "ID"]
  private static let ownDirectives: Set<String> = [
    "include", "skip", "deprecated", "specifiedBy", "oneOf",
  ]
  /// A type that needs more lists is none that anybody uses.
  private static let wrappingLimit = 32

  mutating func write(_ schema: JSONView) {
    let roots = ["query", "mutation", "subscription"].compactMap { word in
      name(schema[word + "Type"]).map { "  \(word): \($0)\n" }
    }
    if !roots.isEmpty { add("schema {\n" + roots.joined() + "}\n") }
    for directive in schema["directives"]?.elements ?? [] { write(directive: directive) }
    for type in schema["types"]?.elements ?? [] { write(type: type) }
  }

  private mutating func add(_ text: String) { output.append(contentsOf: text.utf8) }

  private func name(_ view: JSONView?) -> String? {
    guard let text = view?["name"]?.string, let first = text.utf8.first,
      GraphQLLexer.isNameStart(first), text.utf8.allSatisfy(GraphQLLexer.isNamePart)
    else { return nil }
    return text
  }

  private mutating func write(directive: JSONView) {
    guard let name = name(directive), !Self.ownDirectives.contains(name) else { return }
    let locations = (directive["locations"]?.elements ?? []).compactMap(\.string).filter {
      !$0.isEmpty && $0.utf8.allSatisfy(GraphQLLexer.isNamePart)
    }
    if locations.isEmpty { return }
    add("\n")
    describe(directive, "")
    add("directive @" + name)
    writeArguments(directive["args"], "")
    if directive["isRepeatable"]?.bool == true { add(" repeatable") }
    add(" on " + locations.joined(separator: " | ") + "\n")
  }

  private mutating func write(type: JSONView) {
    guard let name = name(type), !name.hasPrefix("__"), !Self.ownScalars.contains(name),
      let keyword = Self.keyword(type["kind"]?.string)
    else { return }
    add("\n")
    describe(type, "")
    add(keyword + " " + name)
    let interfaces = (type["interfaces"]?.elements ?? []).compactMap { self.name($0) }
    if keyword == "type" || keyword == "interface", !interfaces.isEmpty {
      add(" implements " + interfaces.joined(separator: " & "))
    }
    switch keyword {
    case "union":
      let members = (type["possibleTypes"]?.elements ?? []).compactMap { self.name($0) }
      if !members.isEmpty { add(" = " + members.joined(separator: " | ")) }
    case "enum": writeMembers(type["enumValues"])
    case "input":
      if type["isOneOf"]?.bool == true { add(" @oneOf") }
      writeMembers(type["inputFields"])
    case "type", "interface": writeMembers(type["fields"])
    default: break
    }
    add("\n")
  }

  private static func keyword(_ kind: String?) -> String? {
    switch kind {
    case "SCALAR": "scalar"
    case "OBJECT": "type"
    case "INTERFACE": "interface"
    case "UNION": "union"
    case "ENUM": "enum"
    case "INPUT_OBJECT": "input"
    default: nil
    }
  }

  private mutating func writeMembers(_ list: JSONView?) {
    let members = (list?.elements ?? []).filter { name($0) != nil }
    if members.isEmpty { return }
    add(" {\n")
    for member in members {
      describe(member, "  ")
      add("  ")
      writeMember(member, "  ")
      add("\n")
    }
    add("}")
  }

  private mutating func writeArguments(_ list: JSONView?, _ indent: String) {
    let arguments = (list?.elements ?? []).filter { name($0) != nil }
    if arguments.isEmpty { return }
    let isDescribed = arguments.contains { $0["description"]?.string?.isEmpty == false }
    add("(")
    for (index, argument) in arguments.enumerated() {
      if isDescribed {
        add("\n")
        describe(argument, indent + "  ")
        add(indent + "  ")
      } else if index > 0 {
        add(", ")
      }
      writeMember(argument, indent)
    }
    add(isDescribed ? "\n" + indent + ")" : ")")
  }

  /// Writes a field, an argument or a value of an enumeration.
  private mutating func writeMember(_ member: JSONView, _ indent: String) {
    add(name(member) ?? "")
    writeArguments(member["args"], indent)
    if let type = member["type"], let text = reference(type) { add(": " + text) }
    if let value = member["defaultValue"]?.string.flatMap(Self.value) { add(" = " + value) }
    guard member["isDeprecated"]?.bool == true else { return }
    let reason = member["deprecationReason"]?.string
    add(" @deprecated" + (reason.map { "(reason: \(GraphQLString.quoted($0)))" } ?? ""))
  }

  private func reference(_ type: JSONView) -> String? {
    var (type, before, after) = (type, "", "")
    for _ in 0..<Self.wrappingLimit {
      let kind = type["kind"]?.string
      if kind == "LIST" {
        before += "["
        after = "]" + after
      } else if kind == "NON_NULL" {
        after = "!" + after
      } else {
        return name(type).map { before + $0 + after }
      }
      guard let inner = type["ofType"], inner.kind == .object else { return nil }
      type = inner
    }
    return nil
  }

  /// A default value as it was written, if it is one.
  private static func value(_ text: String) -> String? {
    let tree = GraphQLTree(parsing: Array("input A { a: A = \(text)\n}".utf8))
    guard tree.problems.isEmpty, Array(tree.children(0)).count == 1,
      let member = tree.child(.inputValue, of: 1), tree.nodes[1].next == tree.nodes[member].next
    else { return nil }
    let parts = Array(tree.children(member))
    guard parts.count == 2, tree.nodes[parts[1]].kind.isValue,
      tree.nodes[parts[1]].kind != .template
    else { return nil }
    return tree.text(tree.nodes[parts[1]].range)
  }

  private mutating func describe(_ view: JSONView, _ indent: String) {
    guard let text = view["description"]?.string, !text.isEmpty else { return }
    add(indent)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1, Self.isBlock(text, lines) else {
      return add(GraphQLString.quoted(text) + "\n")
    }
    add("\"\"\"\n")
    for line in lines { add(line.isEmpty ? "\n" : indent + line + "\n") }
    add(indent + "\"\"\"\n")
  }

  /// Whether a text can stand in a block and be read from it unchanged.
  private static func isBlock(_ text: String, _ lines: [Substring]) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 }
    guard let first = text.utf8.first, let last = text.utf8.last, !isBlank(first), !isBlank(last),
      !Array(text.utf8)[...].holds("\"\"\""),
      text.utf8.allSatisfy({ $0 >= 32 || $0 == 9 || $0 == 10 })
    else { return false }
    return lines.allSatisfy { $0.isEmpty || !$0.utf8.allSatisfy(isBlank) }
  }
}
