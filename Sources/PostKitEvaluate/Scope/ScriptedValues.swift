// What scripts give names in a run (SC-17, SC-23).

package import PostKitJSON

/// The variables that scripts of a run have set, but for globals.
package struct ScriptedValues: Sendable {
  /// A value that a script of a file has exported.
  package struct Export: Sendable {
    package var value: JSONValue
    /// Where the script stands in the file, which counts as a definition there.
    package var offset: Int
    /// Where it counts in the later turns of a loop, to which it is handed on.
    package var turnOffset: Int?

    /// Where it counts as a definition.
    var standing: Int { turnOffset ?? offset }

    /// Makes an export.
    package init(_ value: JSONValue, offset: Int) {
      self.value = value
      self.offset = offset
    }
  }

  /// The variables of the request whose turn it is.
  package var request: [String: JSONValue] = [:]
  /// The exports of each file.
  package var exports: [Int: [String: Export]] = [:]
  /// The names of the functions that scripts of each file have exported.
  package var functions: [Int: Set<String>] = [:]
  /// What stands above the environments.
  package var overlay: [String: JSONValue] = [:]
  /// What stands below the definitions of each file.
  package var collection: [Int: [String: JSONValue]] = [:]
  /// What scripts have changed of the request whose turn it is.
  package var change: TemplateChange?

  /// Hands what scripts of a block have exported on to its next turn: it counts as if it stood at
  /// the block's beginning.
  package mutating func handOn(_ block: Range<Int>, in file: Int) {
    for (name, export) in exports[file] ?? [:] where block.contains(export.offset) {
      exports[file]?[name]?.turnOffset = block.lowerBound
    }
  }

  /// Has what was handed on count where it stands.
  package mutating func endTurns(in file: Int) {
    for name in (exports[file] ?? [:]).keys { exports[file]?[name]?.turnOffset = nil }
  }

  /// Makes values of nothing.
  package init() {}

  /// Whether no script has set anything.
  package var isEmpty: Bool {
    request.isEmpty && exports.isEmpty && functions.isEmpty && overlay.isEmpty && collection.isEmpty
  }

  /// The names that have values in a file.
  func names(in file: Int) -> [String] {
    if isEmpty { return [] }
    return Array(request.keys) + Array(overlay.keys) + exports.values.flatMap(\.keys)
      + Array((collection[file] ?? [:]).keys)
  }
}

extension Scope {
  /// What a script of a file exports.
  func exported(_ name: String, in index: Int) -> VariableDefinition? {
    scripted.exports[index]?[name].map { plain(name, $0.value, .script) }
  }

  /// The definition of the file or the export of one of its scripts, whichever stands later before
  /// the use (SC-23).
  func ownVariable(_ name: String, at offset: Int) -> VariableDefinition? {
    let own = fileVariable(name, at: offset, in: nil)
    if scripted.isEmpty { return own }
    guard let export = scripted.exports[file]?[name] else {
      return own ?? scripted.collection[file]?[name].map { plain(name, $0, .script) }
    }
    let script = plain(name, export.value, .script)
    guard let own else { return script }
    let start = own.origin.range.lowerBound
    let standing = export.standing
    if standing <= offset { return start > standing && start <= offset ? own : script }
    return start <= offset ? own : script
  }
}
