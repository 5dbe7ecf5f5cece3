// Keeps the diagnostics of the blocks that an edit does not concern: one letter typed into a file
// of ten thousand requests must not evaluate them all again.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// The diagnostics of the last look at one file.
package struct DiagnosticsCache: Sendable {
  /// What the caller knows of earlier exchanges: once it differs from the revision of the last
  /// look, everything is looked at anew. Files on disk are looked at every time.
  package var revision: UInt64 = 0
  private var surroundings: Surroundings?
  private var definitions = DefinitionStamp()
  private var names = NameStamp()
  private var entries: [Entry] = []

  /// A block with what was found in it; ranges count from its start.
  private struct Entry: Sendable {
    var block: ParsedBlock
    /// How many definitions stand above it: which of them are in force depends on that.
    var definitionsAbove: Int
    /// `nil` where the limit was reached before, and where files are read: they may have changed.
    var diagnostics: [Diagnostic]?
  }

  /// All that diagnostics depend on apart from the text of the file.
  private struct Surroundings: Sendable, Equatable {
    var revision: UInt64
    var environments: [String: VariableDefinition]
    var overrides: [String: String]
    var prompted: [String: String]
    var afterResponse: [String: JSONValue]
    var dotEnvFiles: [SourceFile]
    var dialect: Dialect
    var userAgent: String
    var options: TransferOptions
  }

  /// Makes an empty cache.
  package init() {}

  /// What was found in the blocks, in order, each looked at again only where something that it
  /// depends on has changed; it ends once there is more than `limit`.
  fileprivate mutating func update(for analysis: Analysis, limit: Int) -> [Diagnostic] {
    let blocks = analysis.document.blocks
    let now = Surroundings(
      revision: revision, environments: analysis.scope.environments.definitions,
      overrides: analysis.scope.overrides, prompted: analysis.scope.prompted,
      afterResponse: analysis.scope.afterResponse, dotEnvFiles: analysis.context.dotEnvFiles,
      dialect: analysis.scope.dialect, userAgent: analysis.defaults.userAgent,
      options: analysis.defaults.options)
    let newDefinitions = DefinitionStamp(blocks, reusing: definitions)
    let isReusable = surroundings == now && definitions == newDefinitions
    let hasSameNames = names.update(blocks)
    surroundings = now
    definitions = newDefinitions
    var found: [Diagnostic] = []
    var updated: [Entry] = []
    updated.reserveCapacity(blocks.count)
    var duplicates = names.duplicates[...]
    var above = 0
    for block in blocks {
      var entry = Entry(block: block, definitionsAbove: above, diagnostics: nil)
      above += block.syntax.variables.count
      if isReusable {
        entry.diagnostics = known(block, entry.definitionsAbove, blocks.count, hasSameNames)
      }
      if found.count <= limit {
        let start = block.range.lowerBound
        if let known = entry.diagnostics {
          found += known.map { $0.moved(by: start) }
        } else {
          let diagnostics = analysis.diagnostics(of: block)
          found += diagnostics
          if !block.includesFiles {
            entry.diagnostics = diagnostics.map { $0.moved(by: -start) }
          }
        }
        if let duplicate = duplicates.first, duplicate.block == block.index {
          duplicates.removeFirst()
          found.append(analysis.duplicateName(block, of: duplicate.first))
        }
      }
      updated.append(entry)
    }
    entries = updated
    return found
  }

  /// What is known of a block from the last look. Where no problem was found, nothing depends on
  /// the names of requests.
  private func known(
    _ block: ParsedBlock, _ above: Int, _ count: Int, _ hasSameNames: Bool
  ) -> [Diagnostic]? {
    let places = [block.index, block.index - count + entries.count]
    for place in places where entries.indices.contains(place) {
      let entry = entries[place]
      guard entry.block.hasSameTree(as: block), entry.definitionsAbove == above,
        let diagnostics = entry.diagnostics
      else { continue }
      if diagnostics.isEmpty || hasSameNames { return diagnostics }
    }
    return nil
  }
}

extension Analysis {
  /// All diagnostics in the order of the file; of more than `limit` the first ones, and one that
  /// says so. What the cache knows is not looked at again.
  package func diagnostics(limit: Int, reusing cache: inout DiagnosticsCache) -> [Diagnostic] {
    var result = environmentProblems + cache.update(for: self, limit: limit)
    result.sort {
      ($0.range.lowerBound, $0.severity.rawValue) < ($1.range.lowerBound, $1.severity.rawValue)
    }
    guard result.count > limit else { return result }
    result.removeLast(result.count - limit)
    result.append(
      Diagnostic(
        range: 0..<0, severity: .information, code: "too-many",
        message: "There is more to say about this file than these \(limit) problems."))
    return result
  }
}

/// The definitions of a file in order, as far as they have an influence on requests.
private struct DefinitionStamp: Sendable, Equatable {
  private var parts: [Part] = []

  private struct Definition: Sendable, Equatable {
    var name: String
    var value: String
    var isLazy: Bool
    /// The words for the request that defines it, where it stands after the response.
    var request: String?
  }

  /// The definitions of one block.
  private struct Part: Sendable, Equatable {
    var block: ParsedBlock
    var definitions: [Definition]

    init(_ block: ParsedBlock) {
      self.block = block
      definitions = block.syntax.variables.map { variable in
        Definition(
          name: variable.name, value: block.text(variable.value), isLazy: variable.isLazy,
          request: variable.isAfterResponse ? block.name ?? block.methodAndTarget ?? "" : nil)
      }
    }

    static func == (left: Part, right: Part) -> Bool {
      left.block.hasSameTree(as: right.block) || left.definitions == right.definitions
    }
  }

  init() {}

  init(_ blocks: [ParsedBlock], reusing old: DefinitionStamp) {
    for block in blocks where !block.syntax.variables.isEmpty {
      let place = parts.count
      if place < old.parts.count, old.parts[place].block.hasSameTree(as: block) {
        parts.append(old.parts[place])
      } else {
        parts.append(Part(block))
      }
    }
  }
}

/// The names of the requests of a file, and which of them are taken.
private struct NameStamp: Sendable {
  private var names: [String?] = []
  /// The blocks whose name is taken, each with the first block of that name, in order.
  private(set) var duplicates: [(block: Int, first: Int)] = []

  /// Reads the names; whether they are what they were.
  mutating func update(_ blocks: [ParsedBlock]) -> Bool {
    let now = blocks.map { $0.isRequest ? $0.name : nil }
    if now == names { return true }
    names = now
    var first: [String: Int] = [:]
    duplicates = []
    for (index, name) in now.enumerated() {
      guard let name else { continue }
      if let taken = first[name] {
        duplicates.append((index, taken))
      } else {
        first[name] = index
      }
    }
    return false
  }
}

extension ParsedBlock {
  /// Whether its body has files in it.
  fileprivate var includesFiles: Bool {
    guard let body = syntax.request?.body else { return false }
    return body.lines.contains { if case .file = $0.kind { true } else { false } }
  }
}

extension Diagnostic {
  /// The diagnostic at another place.
  fileprivate func moved(by distance: Int) -> Diagnostic {
    var result = self
    result.range = range.lowerBound + distance..<range.upperBound + distance
    return result
  }
}
