// Why a YAML text can't be read, and what of it was read in another way than it is written.

/// Why a text can't be read as YAML, and where.
package struct YAMLSyntaxError: Error, Sendable, Hashable {
  /// The kinds of mistake.
  package enum Problem: Sendable, Hashable {
    /// The text is no YAML: what is wrong, and what was being read.
    case badText(String, reading: String?)
    /// A byte that is no UTF-8, or a character that YAML does not allow.
    case badByte(String)
    case tooDeep
    case tooLong
    /// One scalar is longer than `YAMLLimits.scalarBytes`.
    case scalarTooLong
    /// There are more values than `YAMLLimits.nodes`, aliases not counted.
    case tooManyValues
    /// Aliases stand for more than `YAMLLimits` allow (`yaml-expansion`).
    case expansion
    /// An alias stands inside of what it stands for (`yaml-cycle`).
    case cycle(String)
    /// No anchor of that name stands before the alias.
    case unknownAlias(String)
    /// The name of a member is a list or a mapping.
    case keyIsNoScalar
    case noMemory
  }

  package let problem: Problem
  package let place: YAMLPlace

  /// Says what is wrong and what to do, in a clause.
  package var explanation: String {
    switch problem {
    case .badText(let what, let reading):
      reading.map { "\(what) (\($0))" } ?? what
    case .badByte(let what): "this is no text in UTF-8 that YAML allows: \(what)"
    case .tooDeep: "lists and mappings are nested too deeply"
    case .tooLong: "the text is too long"
    case .scalarTooLong: "this text is longer than 16 MiB"
    case .tooManyValues: "there are more than 4,000,000 values"
    case .expansion:
      "the aliases stand for much more than the whole text holds (yaml-expansion); "
        + "write some of them out or leave them out"
    case .cycle(let name): "`*\(name)` stands inside of what it stands for (yaml-cycle)"
    case .unknownAlias(let name): "no `&\(name)` stands before `*\(name)`"
    case .keyIsNoScalar: "the name of a member must be a text, not a list or a mapping"
    case .noMemory: "there is not enough memory"
    }
  }
}

extension YAMLSyntaxError: CustomStringConvertible {
  /// `line 3, column 5: ` and what is wrong.
  package var description: String { "\(place): \(explanation)" }
}

/// Something that was read in another way than it is written, or not at all.
package struct YAMLNote: Sendable, Hashable {
  package let place: YAMLPlace
  /// What happened, as a sentence.
  package let message: String
}

/// What a reader of YAML takes at most (IO-27).
struct YAMLLimits {
  /// How deep lists and mappings may nest, aliases expanded.
  var depth = 256
  /// The values and names of members.
  var nodes = 4_000_000
  /// The bytes of one scalar.
  var scalarBytes = 16 << 20
  /// The bytes of JSON that a text of `count` bytes may become by its aliases.
  var output = { (count: Int) in 4 * count + 1 << 20 }
  /// The notes that are kept; more are counted.
  var notes = 10_000
}
