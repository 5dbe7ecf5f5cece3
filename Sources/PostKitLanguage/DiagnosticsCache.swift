// Keeps the diagnostics of the blocks that an edit does not concern: one letter typed into a file
// of ten thousand requests must not evaluate them all again.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// The diagnostics of the last look at one file.
package struct DiagnosticsCache: Sendable {
  private var surroundings: Surroundings?
  private var definitions = DefinitionStamp()
  private var exchanges: [String: String] = [:]
  private var exchangeSecrets: Set<String> = []
  /// The trees and the names of the last document.
  private var trees: BlockTrees?
  private var names: NameIndex?
  private var scripts: ScriptVariables?
  /// What was found in its blocks, with ranges that count from their starts; nothing where the
  /// limit was reached before, and where files are read: they may have changed.
  private var known = KnownFindings(count: 0)
  /// What is known of the reading of another tool; nothing where anything means something else now.
  fileprivate var readings = KnownReadings()

  /// Whether nothing was looked at yet.
  package var isEmpty: Bool { trees == nil }

  /// All that diagnostics depend on apart from the text of the file.
  fileprivate struct Surroundings: Sendable, Equatable {
    var environments: [String: VariableDefinition]
    var clients: [String: [AuthClientField]]
    var defaultHeaders: [VariableDefinition]
    var providers: [String: String]
    var overrides: [String: String]
    var prompted: [String: String]
    var afterResponse: [String: JSONValue]
    var globals: [String: GlobalValue]
    var dotEnvFiles: [SourceFile]
    /// The files that this one imports and runs.
    var files: [SourceFile]
    /// How those are read.
    var dialects: [Dialect?]
    /// Lines that name files and can't be followed.
    var links: [String]
    /// The blocks that lend others their metadata and headers.
    var shared: [[UInt8]]
    /// The requests with a loop: their turns have names, too.
    var loops: [String?]
    var dialect: Dialect
    var userAgent: String
    var options: TransferOptions
    /// The state of the descriptions of APIs, and how serious it is to differ from them.
    var descriptions: Int?
    var descriptionSeverity: DiagnosticSeverity?
  }

  /// Makes an empty cache.
  package init() {}

  /// What was found in the blocks, in order, each looked at again only where something that it
  /// depends on has changed; it ends once there is more than `limit`.
  fileprivate mutating func update(for analysis: Analysis, limit: Int) -> [Diagnostic] {
    takeOver(analysis)
    let blocks = analysis.document.blocks
    var found = FoundDiagnostics(analysis.surface)
    var duplicates = analysis.document.names.duplicates[...]
    let files = analysis.scope.files.files.reduce(into: Set<String>()) {
      $0.formUnion($1.document.names.definedByFile)
    }
    let hasFragments = !analysis.document.names.fragments.isEmpty
    var readsScriptFiles: Bool?
    guard let first = blocks.first else { return [] }
    var look = FileLook(analysis, first)
    for index in blocks.indices {
      let isDuplicate = duplicates.first?.block == index
      if known.isClean(index) && !isDuplicate { continue }
      if found.count > limit || analysis.isAbandoned() { break }
      let block = blocks[index]
      let start = block.range.lowerBound
      if let known = known[index] {
        // Not one by one as values: to copy thousands that are left out costs more than all else.
        let diagnostics = known.diagnostics
        for place in diagnostics.indices where found.takes(diagnostics[place].code) {
          found.add(diagnostics[place], movedBy: start)
        }
      } else {
        var findings = analysis.findings(in: block, &look)
        for diagnostic in findings.diagnostics { found.add(diagnostic) }
        findings.diagnostics = findings.diagnostics.map { $0.moved(by: -start) }
        let usesFragment = hasFragments && block.usesFragment
        let usesFiles = block.includesFiles || findings.names.contains(where: files.contains)
        // What a file with a script sets may be something else at the next look.
        if !usesFiles, findings.diagnostics.contains(where: \.isOfUndefinedName) {
          readsScriptFiles = readsScriptFiles ?? analysis.readsScriptFiles
        }
        let mayBeSet = readsScriptFiles == true
          && findings.diagnostics.contains(where: \.isOfUndefinedName)
        if !usesFiles && !usesFragment && !mayBeSet { known[index] = findings }
      }
      if isDuplicate, let duplicate = duplicates.popFirst() {
        found.add(analysis.duplicateName(block, of: duplicate.first))
      }
    }
    return found.all
  }

  /// Keeps what is known of the blocks before and behind the edit, but for those that use a name
  /// whose definitions have changed: all others find the definitions that they found.
  private mutating func takeOver(_ analysis: Analysis) {
    let now = Surroundings(analysis)
    let newDefinitions = DefinitionStamp(analysis.document, reusing: definitions)
    let isReusable = surroundings == now
    var changed = newDefinitions.names(changedSince: definitions)
    changed.formUnion(analysis.exchangeNames(changedSince: exchanges))
    let hasSameSecrets = exchangeSecrets == analysis.context.exchangeSecrets
    let hasSameNames =
      analysis.document.names === names
      && analysis.document.scriptVariables.isSame(as: scripts)
    let (old, blocks) = (trees, analysis.document.blocks)
    surroundings = now
    definitions = newDefinitions
    exchanges = analysis.exchangeIDs
    exchangeSecrets = analysis.context.exchangeSecrets
    trees = blocks.trees
    names = analysis.document.names
    scripts = analysis.document.scriptVariables
    guard isReusable, let old else {
      known = KnownFindings(count: blocks.count)
      readings = KnownReadings()
      return
    }
    let (front, back) = old.equalEnds(with: blocks.trees)
    known.keepEnds(front: front, back: back, of: blocks.count)
    if analysis.descriptions != nil {
      forgetReaders(of: Set((front..<blocks.count - back).compactMap { blocks[$0].name }), blocks)
    }
    if changed.isEmpty && hasSameNames && hasSameSecrets { return }
    readings = KnownReadings()
    for index in blocks.indices {
      guard let findings = known[index] else { continue }
      // But for `@ref`, only a sentence about a problem speaks of names that the block does not
      // use: of requests, and of those that resemble one that nothing defines. Such a sentence
      // leaves secrets out, too.
      let namesRequests =
        !hasSameNames
        && (blocks.has(.namesRequests, at: index)
          || analysis.descriptions != nil && blocks.has(.readsExchanges, at: index))
      if namesRequests || !findings.diagnostics.isEmpty
        || findings.names.contains(where: changed.contains)
      {
        known[index] = nil
      }
    }
  }
}

extension DiagnosticsCache {
  /// Forgets what was found in blocks that read responses of requests which were edited: what a
  /// description has for such a response depends on the request.
  fileprivate mutating func forgetReaders(of names: Set<String>, _ blocks: BlockList) {
    if names.isEmpty { return }
    for block in blocks.having(.readsExchanges)
    where known[block.index]?.names.contains(where: names.contains) == true {
      known[block.index] = nil
    }
  }
}

extension Analysis {
  /// The names by which references read other exchanges than before.
  fileprivate func exchangeNames(changedSince old: [String: String]) -> [String] {
    if old == exchangeIDs { return [] }
    let names = Set(old.keys).union(exchangeIDs.keys).filter { old[$0] != exchangeIDs[$0] }
    // An exchange is read by `name` and by `nameResponse`; the latest one has no name.
    return names.flatMap { [$0, $0.isEmpty ? "response" : $0 + "Response"] }
  }
}

/// How many elements two lists have in common at the front, and behind those at the back.
private func equalEnds<Element>(
  _ old: [Element], _ new: [Element], _ areEqual: (Element, Element) -> Bool
) -> (front: Int, back: Int) {
  let most = min(old.count, new.count)
  return old.withUnsafeBufferPointer { old in
    new.withUnsafeBufferPointer { new in
      var front = 0
      while front < most, areEqual(old[front], new[front]) { front += 1 }
      var back = 0
      while back < most - front, areEqual(old[old.count - 1 - back], new[new.count - 1 - back]) {
        back += 1
      }
      return (front, back)
    }
  }
}

extension Analysis {
  /// All diagnostics in the order of the file; of more than `limit` the first ones, and one that
  /// says so. What the cache knows is not looked at again.
  package func diagnostics(limit: Int, reusing cache: inout DiagnosticsCache) -> [Diagnostic] {
    let found = cache.update(for: self, limit: limit)
    var result = environmentProblems + fileRemarks(&cache.readings) + requestCircles
      + importBlockRemarks
    result += found
    result.sort {
      ($0.range.lowerBound, $0.severity.rawValue) < ($1.range.lowerBound, $1.severity.rawValue)
    }
    result = joiningUnselected(result)
    guard result.count > limit else { return result }
    result.removeLast(result.count - limit)
    result.append(
      Diagnostic(
        .tooMany, 0..<0,
        "PostKit shows the first \(limit) problems of this file. Fix these first."))
    return result
  }
}

/// The definitions of a file in order, as far as they have an influence on requests.
private struct DefinitionStamp: Sendable {
  private var parts: [Part] = []

  private struct Definition: Sendable, Equatable {
    var name: String
    var value: String
    var isLazy: Bool
    var isGlobal: Bool
    /// The words for the request that defines it, where it stands after the response.
    var request: String?
  }

  /// The definitions of one block.
  private struct Part: Sendable {
    /// The tree of the block, without the text of the file, which would be kept with it.
    var syntax: BlockSyntax
    var definitions: [Definition]

    init(_ block: ParsedBlock) {
      syntax = block.syntax
      definitions = block.syntax.variables.map { variable in
        Definition(
          name: block.name(of: variable), value: block.text(variable.value),
          isLazy: variable.isLazy, isGlobal: variable.isGlobal,
          request: variable.isAfterResponse ? block.name ?? block.methodAndTarget ?? "" : nil)
      }
    }

    func isSame(as other: Part) -> Bool {
      syntax.isSame(as: other.syntax) || definitions == other.definitions
    }
  }

  init() {}

  init(_ document: ParsedDocument, reusing old: DefinitionStamp) {
    for index in document.names.definingBlocks {
      let block = document.blocks[index]
      let place = parts.count
      if place < old.parts.count, old.parts[place].syntax.isSame(as: block.syntax) {
        parts.append(old.parts[place])
      } else {
        parts.append(Part(block))
      }
    }
  }

  /// The names that have other definitions than before, or have them in another order.
  func names(changedSince old: DefinitionStamp) -> Set<String> {
    let ends = equalEnds(old.parts, parts) { $0.isSame(as: $1) }
    let before = old.parts[ends.front..<old.parts.count - ends.back].flatMap(\.definitions)
    let after = parts[ends.front..<parts.count - ends.back].flatMap(\.definitions)
    let inner = equalEnds(before, after, ==)
    let gone = before[inner.front..<before.count - inner.back]
    let new = after[inner.front..<after.count - inner.back]
    return Set((gone + new).map(\.name))
  }
}

extension ParsedBlock {
  /// Whether a fragment may be used, which stands elsewhere in the file, or in another one.
  fileprivate var usesFragment: Bool {
    guard let body = syntax.request?.body else { return false }
    return slice(body.range).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .dropFirst().dropLast().contains(where: \.isEmpty)
  }

  /// Whether what it comes to may change with files, or with another block that lends it a part.
  package var dependsOnFiles: Bool { includesFiles || usesFragment }

  /// Whether it names files whose state is looked at.
  fileprivate var includesFiles: Bool {
    if scripts.contains(where: { $0.path != nil }) { return true }
    guard let body = request?.body else { return false }
    return body.lines.contains { if case .file = $0.kind { true } else { false } }
  }
}

extension Analysis {
  /// Whether scripts in files of their own may set variables that nothing else defines.
  fileprivate var readsScriptFiles: Bool {
    scope.files.files.contains { file in
      let blocks = file.document.blocks
      return blocks.hasAny(.scripts)
        && blocks.having(.scripts).contains { $0.scripts.contains { $0.path != nil } }
    }
  }
}

extension Diagnostic {
  /// Whether it is about a name that nothing defines, or a script alone.
  fileprivate var isOfUndefinedName: Bool { code == .unresolvedVariable || code == .setByScript }

  /// The diagnostic at another place.
  func moved(by distance: Int) -> Diagnostic {
    var result = self
    result.range = range.lowerBound + distance..<range.upperBound + distance
    return result
  }
}

extension DiagnosticsCache.Surroundings {
  /// What all blocks of a file share.
  fileprivate init(_ analysis: Analysis) {
    self.init(
      environments: analysis.scope.environments.definitions,
      clients: analysis.scope.environments.clients,
      defaultHeaders: analysis.scope.environments.defaultHeaders,
      providers: analysis.scope.environments.providers,
      overrides: analysis.scope.overrides, prompted: analysis.scope.prompted,
      afterResponse: analysis.scope.afterResponse, globals: analysis.scope.globals,
      dotEnvFiles: analysis.context.dotEnvFiles,
      files: analysis.scope.files.files.dropFirst().map {
        SourceFile(path: $0.path, bytes: $0.document.bytes)
      },
      dialects: analysis.scope.files.files.map(\.dialect),
      links: analysis.scope.files.files.flatMap { $0.links.compactMap(\.problem?.message) },
      shared: analysis.document.sharedBlocks.map { Array($0.bytes[$0.range]) },
      loops: analysis.document.blocks.having(.repeats).map(\.name),
      dialect: analysis.scope.dialect, userAgent: analysis.defaults.userAgent,
      options: analysis.defaults.options, descriptions: analysis.descriptions?.revision,
      descriptionSeverity: analysis.descriptions?.severity)
  }
}
