// What a script can name: an entry of the table `protocol/script-api.json`.

/// A name of the objects that scripts see, such as `client.global.set`.
package struct ScriptEntry: Sendable, Hashable {
  /// What stands behind a name.
  package enum Kind: Sendable, Hashable {
    case object, function, property
  }

  /// The names from the outermost on, such as `client.global.set`. The first one is a global, or a
  /// type such as `GlobalVariables`; the last one may be `()`, which is what is called itself.
  package let path: String
  package let kind: Kind
  /// The type as TypeScript writes it. Objects may have one, whose members are theirs, too.
  package let type: String?
  package let families: ScriptFamilies
  package let phases: ScriptPhases
  /// The ways to call it.
  package let signatures: [ScriptSignature]
  /// What it says in plain English, as Markdown.
  package let documentation: String
  /// What is returned where there is nothing.
  package let absent: String?
  /// What is thrown, and when.
  package let throwing: String?
  /// What is inserted in its place, with the places to fill in as LSP writes them.
  package let snippet: String?

  /// Makes an entry; only the generated table does.
  init(
    _ path: String, _ kind: Kind, type: String? = nil, _ families: ScriptFamilies,
    _ phases: ScriptPhases, signatures: [ScriptSignature] = [], _ documentation: String,
    absent: String? = nil, throwing: String? = nil, snippet: String? = nil
  ) {
    self.path = path
    self.kind = kind
    self.type = type
    self.families = families
    self.phases = phases
    self.signatures = signatures
    self.documentation = documentation
    self.absent = absent
    self.throwing = throwing
    self.snippet = snippet
  }

  /// The last of its names.
  package var name: Substring { path.split(separator: ".").last ?? "" }
}

/// A way to call a function.
package struct ScriptSignature: Sendable, Hashable {
  package let parameters: [ScriptParameter]
  /// The type of what is returned.
  package let returns: String
  /// The parameters of the type, such as `T extends object`.
  package let generic: String?

  /// Makes a signature.
  init(_ parameters: [ScriptParameter], _ returns: String, generic: String? = nil) {
    self.parameters = parameters
    self.returns = returns
    self.generic = generic
  }

  /// The signature as TypeScript writes it, such as `(name: string): any`.
  package var text: String {
    let inner = parameters.map(\.text).joined(separator: ", ")
    return "\(generic.map { "<\($0)>" } ?? "")(\(inner)): \(returns)"
  }
}

/// A parameter of a function.
package struct ScriptParameter: Sendable, Hashable {
  package let name: String
  /// The type as TypeScript writes it.
  package let type: String
  package let isOptional: Bool
  /// Whether it stands for any number of arguments.
  package let isRest: Bool

  /// Makes a parameter.
  init(_ name: String, _ type: String, isOptional: Bool = false, isRest: Bool = false) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isRest = isRest
  }

  /// The parameter as TypeScript writes it.
  package var text: String { "\(isRest ? "..." : "")\(name)\(isOptional ? "?" : ""): \(type)" }
}

/// The tools whose scripts have a name.
package struct ScriptFamilies: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let jetbrains = ScriptFamilies(rawValue: 1)
  package static let httpyac = ScriptFamilies(rawValue: 2)
  package static let kulala = ScriptFamilies(rawValue: 4)
  package static let web = ScriptFamilies(rawValue: 8)
  package static let node = ScriptFamilies(rawValue: 16)
  package static let postman = ScriptFamilies(rawValue: 32)
  package static let bruno = ScriptFamilies(rawValue: 64)
}

/// The phases in which a script can use a name.
package struct ScriptPhases: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The import block `={% %}` and modules.
  package static let imports = ScriptPhases(rawValue: 1)
  /// Scripts before the request.
  package static let before = ScriptPhases(rawValue: 2)
  /// `{{@request`.
  package static let request = ScriptPhases(rawValue: 4)
  /// `{{@streaming`.
  package static let streaming = ScriptPhases(rawValue: 8)
  /// Scripts after the response.
  package static let response = ScriptPhases(rawValue: 16)
  /// `{{@responseLogging`.
  package static let logging = ScriptPhases(rawValue: 32)
  /// `{{@after`.
  package static let after = ScriptPhases(rawValue: 64)
  /// Expressions.
  package static let expression = ScriptPhases(rawValue: 128)
  /// All of them.
  package static let all = ScriptPhases(rawValue: 255)
}
