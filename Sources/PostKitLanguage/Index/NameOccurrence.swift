// A place where a name stands, and what it does there.

import PostKitSyntax

/// A name of a variable, a request or a file, at its place.
package struct NameOccurrence: Sendable, Hashable {
  /// What a name does where it stands.
  package enum Role: Sendable, Hashable {
    /// `@name = value`.
    case fileVariable
    /// `@global.name = value`.
    case globalVariable
    /// A definition that gets its value from a response.
    case responseVariable
    /// `# @prompt name`, `# @secret name` and kulala's.
    case prompt
    /// The variable of a `@loop`.
    case loopVariable
    /// A variable in the parentheses of an `import` or `run` line.
    case override
    /// A key of an environment's object, or of an object in it.
    case environmentKey
    /// A key of a dotenv file.
    case dotEnvKey
    /// The name of a client in `Security.Auth` of an environment.
    case client
    /// The client whose token `{{$auth.token("name")}}` stands for.
    case clientReference
    /// `{{name…}}`: a variable, or a request whose exchange is read.
    case reference
    /// `{{$global.name…}}`.
    case globalReference
    /// `{{$dotenv name}}`.
    case dotEnvReference
    /// The request whose response `$xpath:name` reads.
    case exchangeReference
    /// What a script sets for all files, as `client.global.set("name", …)`.
    case scriptGlobal
    /// What a script sets for its request or its file.
    case scriptVariable
    /// What a script reads, wherever it is defined.
    case scriptReference
    /// What a script reads from the environments alone.
    case environmentReference
    /// The request that a script runs.
    case scriptCall
    /// A word in a script that reads variables by their bare names; it may be another thing.
    case scriptWord
    /// A name that a script puts together, so that it may be any.
    case openName
    /// The value of `# @name`.
    case requestName
    /// The title of a separator.
    case requestTitle
    /// `# @ref name`, `# @forceRef name`, `run #name`.
    case requestCall
    /// A path of another file; the name is the absolute path that it means, `rest` what is written.
    case filePath
    /// The same of a request file whose requests are run.
    case runPath
    /// The same of a file that is sent as it is, unless its request file asks for more.
    case includePath
    /// The same of a file whose references are resolved when it is sent.
    case templatePath
    /// The same of a file with a script.
    case scriptPath
    /// A path with references in it, of a file that is sent as it is.
    case openIncludePath
    /// A path with references in it, which may be another file in each environment.
    case openPath
  }

  /// The name; of a reference the first segment, of a nested key the key of its variable.
  package var name: String
  package var role: Role
  /// How many bytes of the reference stand before the name, its braces among them.
  private var lead: UInt16 = 0
  /// How many bytes of the reference stand behind the name.
  private var tail: UInt32 = 0
  /// The bytes of the name, or of the last key of `path`.
  package var range: Range<Int>
  /// What follows the name in a reference, or a path, as written.
  package var rest = ""
  /// The keys below that of the variable, where the key stands in an object in an environment.
  package var path: [String] = []
  /// The definition in whose value a reference stands, or the environment of a key.
  package var owner: String?
  /// How many members lead to the text in which a reference stands, in the value of its owner:
  /// where an object or a list around it is used as a whole, its braces are text.
  package var depth = 0

  /// Whether it says what the name is.
  package var isDefinition: Bool { role.isDefinition }

  /// Whether it is about a variable, or may be.
  package var isOfVariable: Bool { role.traits.contains(.variable) }

  /// Whether it stands in a script.
  package var isOfScript: Bool { role.traits.contains(.script) }

  /// Makes an occurrence of a name, in a reference with its braces at `reference` or by itself.
  init(
    name: String, role: Role, range: Range<Int>, rest: String = "", path: [String] = [],
    owner: String? = nil, depth: Int = 0, in reference: Range<Int>? = nil
  ) {
    (self.name, self.role, self.range, self.rest) = (name, role, range, rest)
    (self.path, self.owner, self.depth) = (path, owner, depth)
    guard let reference else { return }
    lead = UInt16(clamping: range.lowerBound - reference.lowerBound)
    tail = UInt32(clamping: reference.upperBound - range.upperBound)
  }

  /// Makes an occurrence of the name in a reference with its braces at `reference`.
  init(_ found: NamedReference, in reference: Range<Int>, owner: String? = nil, depth: Int = 0) {
    self.init(
      name: found.name, role: found.role, range: found.range, rest: found.rest, owner: owner,
      depth: depth, in: reference)
  }

  /// Makes an occurrence of a name in a script.
  init(_ name: ScriptName) {
    let role: Role =
      switch name.role {
      case .globalVariable: .scriptGlobal
      case .variable: .scriptVariable
      case .globalReference: .globalReference
      case .reference: .scriptReference
      case .environmentReference: .environmentReference
      case .call: .scriptCall
      case .word: .scriptWord
      case .open, .openVariable: .openName
      }
    self.init(name: name.name, role: role, range: name.range)
  }

  /// The bytes of all of the reference; of a name that stands for itself those of the name.
  var reference: Range<Int> { range.lowerBound - Int(lead)..<range.upperBound + Int(tail) }

  /// The same in a text that begins further on.
  func moved(by distance: Int) -> NameOccurrence {
    var result = self
    result.range = range.lowerBound + distance..<range.upperBound + distance
    return result
  }
}

extension NameOccurrence.Role {
  /// What may be said of a role.
  fileprivate struct Traits: OptionSet {
    let rawValue: UInt8
    static let definition = Traits(rawValue: 1)
    static let variable = Traits(rawValue: 2)
    static let request = Traits(rawValue: 4)
    static let script = Traits(rawValue: 8)
    static let path = Traits(rawValue: 16)
    static let client = Traits(rawValue: 32)
  }

  fileprivate var traits: Traits {
    switch self {
    case .fileVariable, .globalVariable, .responseVariable, .prompt, .loopVariable, .override,
      .environmentKey, .dotEnvKey:
      [.definition, .variable]
    case .reference, .globalReference, .dotEnvReference: .variable
    case .client: [.definition, .client]
    case .clientReference: .client
    case .exchangeReference: []
    case .scriptGlobal, .scriptVariable: [.definition, .variable, .script]
    case .scriptReference, .environmentReference: [.variable, .script]
    case .scriptCall: [.request, .script]
    case .scriptWord, .openName: .script
    case .requestName, .requestTitle: [.definition, .request]
    case .requestCall: .request
    case .filePath, .runPath, .includePath, .templatePath, .scriptPath: .path
    case .openIncludePath, .openPath: []
    }
  }

  /// Whether names are defined by it.
  package var isDefinition: Bool { traits.contains(.definition) }

  /// Whether a request has the name, and nothing else can.
  var isOfRequest: Bool { traits.contains(.request) }

  /// Whether it is about a client of a sign-in.
  var isOfClient: Bool { traits.contains(.client) }

  /// Whether it is about what is seen everywhere.
  var isOfGlobal: Bool {
    self == .globalVariable || self == .globalReference || self == .scriptGlobal
  }

  /// Whether it is a path.
  var isPath: Bool { traits.contains(.path) }
}

/// What the index knows of a block that can be called.
package struct IndexedRequest: Sendable, Hashable {
  package var name: String?
  package var title: String?
  /// `METHOD target`; empty for a block without a request.
  package var target: String
  /// The line that stands for it, or its name where that is written.
  package var selection: Range<Int>
  package var isRequest: Bool

  /// What people call it.
  package var caption: String { name ?? title ?? target }
}

/// The names of one block; blocks that did not change share them.
package final class BlockNames: Sendable {
  /// The names in the order of the text, counted from the start of the block.
  let occurrences: [NameOccurrence]
  let request: IndexedRequest?
  /// The whole block has that many bytes.
  let count: Int
  /// Whether it asks for the references in files to be resolved (`@injectVariables`).
  let substitutes: Bool

  /// Keeps names.
  init(
    _ occurrences: [NameOccurrence], request: IndexedRequest? = nil, count: Int,
    substitutes: Bool = false
  ) {
    self.occurrences = occurrences.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    self.request = request
    self.count = count
    self.substitutes = substitutes
  }

  /// Whether a path of another file is among them.
  var hasPaths: Bool { occurrences.contains { $0.role.isPath } }

  /// Whether both are counted alike in a tally.
  func hasSameKeys(as other: BlockNames) -> Bool {
    substitutes == other.substitutes
      && occurrences.elementsEqual(other.occurrences) {
        $0.role == $1.role && $0.name == $1.name && $0.rest == $1.rest && $0.path == $1.path
      }
  }
}
