// Literal credentials as variables: numbered by their values, in the order of first use (IO-16).

import PostKitEvaluate
import PostKitJSON

/// What a text says of a credential.
enum Credential {
  /// Whether a text is one template and nothing else, so that it is no literal credential.
  static func isTemplate(_ text: String) -> Bool {
    guard text.hasPrefix("{{"), text.hasSuffix("}}") else { return false }
    return !text.dropFirst(2).dropLast(2).contains { "{} \n".contains($0) }
  }

  /// Whether enough of a text beside its templates is literal to be a secret.
  static func isLiteral(_ text: String) -> Bool {
    guard text.hasTemplate else { return true }
    var literal = text
    literal = TemplateText.rewriting(literal) { _ in "" }
    return literal.utf8.count { $0 > 32 } >= 6
  }
}

/// Gives each literal credential a variable of its own.
final class SecretNames {
  private let variables: WrittenVariables
  /// The names for values, by what they are for.
  private var names: [String: [String: String]] = [:]
  /// The request that is written.
  var owner = ""
  /// The names that each request uses by what they are for.
  private(set) var used: [String: [String: String]] = [:]
  /// The same of the import before: values that people have put under a name stay with the request.
  private let earlier: [String: [String: String]]
  /// Those of its names that no credential has so far.
  private var free: Set<String> = []

  /// The names of secrets that each request has used before, and what the target has.
  private let usedBefore: [String: Set<String>]
  private let there: VariablesThere

  /// Variables are added to those.
  init(_ variables: WrittenVariables, _ options: WritingOptions) {
    (self.variables, earlier) = (variables, options.credentialNames)
    (usedBefore, there) = (options.usedNames, options.variablesThere)
    for name in Set(earlier.values.flatMap(\.values)) where variables.unused(name) == name {
      free.insert(name)
    }
  }

  /// The template for a credential: the text itself where it is one, else that of a variable. What
  /// is a secret goes to the private file, told with its place.
  func template(
    for text: String, as base: String, isSecret: Bool = true, at place: OriginPlace,
    origin: String
  ) -> String {
    if Credential.isTemplate(text) { return text }
    if let known = names[base]?[text] {
      used[owner, default: [:]][base] = known
      return "{{\(known)}}"
    }
    let before = earlier[owner]?[base].flatMap { free.remove($0) }
    let name = before ?? unused(base, for: text)
    used[owner, default: [:]][base] = name
    names[base, default: [:]][text] = name
    variables.addShared(name, .text(text), isSecret: isSecret)
    if isSecret {
      variables.tellSecret(name, isEmpty: text.isEmpty, at: place, origin: origin)
    }
    return "{{\(name)}}"
  }

  /// A name that nothing has yet. One that has another value in the target is somebody else's, so
  /// that this would be sent with the request, unless the request has used it before.
  private func unused(_ base: String, for text: String) -> String {
    while true {
      let name = variables.unused(base)
      if !there.isOther(name, than: text) || usedBefore[owner]?.contains(name) == true {
        return name
      }
    }
  }
}

extension OriginVariable {
  /// Whether a member somewhere in the value is a secret, by its name or its mark.
  var holdsSecret: Bool {
    // A text that is no JSON has no members.
    guard case .json(let json)? = value,
      let tree = try? JSONTree(parsing: Array(json.text.utf8))
    else { return false }
    return Self.holdsSecret(tree.root.value)
  }

  private static func holdsSecret(_ value: JSONValue) -> Bool {
    switch value {
    case .array(let elements): elements.contains(where: holdsSecret)
    case .object(let members):
      members.contains { member in
        if member.key == "__isSecret" { return member.value == .bool(true) }
        guard let text = member.value.string else { return holdsSecret(member.value) }
        return VariableDefinition.nameIsSecret(member.key) && !text.isEmpty
          && Credential.isLiteral(text)
      }
    default: false
    }
  }
}
