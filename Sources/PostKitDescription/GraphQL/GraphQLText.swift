// A schema's parts as GraphQL writes them, for hovers, signatures and details.

extension GraphQLSchema {
  /// A field or argument without its owner, such as `user(id: ID!): User`, and where each argument
  /// is in it.
  func declaration(
    _ name: String, arguments: Range<Int>, type: GraphQLTypeReference?
  ) -> (text: String, arguments: [Range<Int>]) {
    var (text, ranges): (String, [Range<Int>]) = (name, [])
    for argument in arguments {
      text += ranges.isEmpty ? "(" : ", "
      let start = text.utf8.count
      text += self.argument(argument)
      ranges.append(start..<text.utf8.count)
    }
    if !ranges.isEmpty { text += ")" }
    if let type { text += ": " + self.text(type) }
    return (text, ranges)
  }

  /// An argument or an input field with its type and default.
  func argument(_ index: Int) -> String {
    let member = members[index]
    var result = text(member.place)
    if let type = member.type { result += ": " + text(type) }
    if !member.defaultValue.isEmpty { result += " = " + text(member.defaultValue) }
    return result
  }

  /// The arguments of a member as a range of members.
  func arguments(_ member: Int) -> Range<Int> {
    Int(members[member].arguments.lowerBound)..<Int(members[member].arguments.upperBound)
  }

  /// A type with its keyword, such as `interface Node`.
  func declaration(ofType index: Int) -> String {
    let type = types[index]
    var result = "\(type.kind.keyword) \(type.name)"
    if !type.interfaces.isEmpty {
      let names = type.interfaces.map { types[Int($0)].name }
      result += " implements " + names.joined(separator: " & ")
    }
    if type.kind == .union, !type.possible.isEmpty {
      let names = type.possible.prefix(20).map { types[Int($0)].name }
      result += " = " + names.joined(separator: " | ")
      if type.possible.count > 20 { result += " | …" }
    }
    return result
  }

  /// A directive with its arguments.
  func declaration(ofDirective index: Int) -> String {
    let directive = directives[index]
    return declaration("@" + directive.name, arguments: directive.arguments, type: nil).text
  }
}
