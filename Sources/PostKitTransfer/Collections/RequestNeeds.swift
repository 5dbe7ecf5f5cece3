// What a request means by its file: the definitions, the other requests, and the lines for all
// requests that it would lack when it is taken out.

import PostKitEvaluate
import PostKitSyntax

/// A request file, asked what each of its blocks takes from the others.
struct RequestNeeds {
  let document: ParsedDocument
  let dialect: Dialect
  private let scope: Scope
  /// The lines that hold for the whole file, imports and prefixes of namespaces, with their blocks.
  private let commonLines: [(block: Int, range: Range<Int>)]

  /// Looks at a file that is read in a dialect.
  init(_ document: ParsedDocument, _ dialect: Dialect) {
    self.document = document
    self.dialect = dialect
    scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil), dialect: dialect)
    commonLines = document.blocks.flatMap { block in
      let imports = block.directives.filter { $0.kind == .importFile }.map(\.line)
      let tags = block.metadata.filter { tag in
        tag.region != .body && tag.kind == .importFile
          || tag.kind == .xpathNamespace && block.syntax.kind == .global
      }.map(\.line)
      return (imports + tags).map { (block.index, block.absolute($0)) }
    }
  }

  /// The blocks whose metadata and headers are the defaults of all others (PK-40).
  var sharedBlocks: [ParsedBlock] { dialect.sharesBlocks ? document.sharedBlocks : [] }

  // MARK: - Other requests

  /// The other blocks that a block reads or runs, and those that they do, in the order of the file.
  func companions(of blocks: [ParsedBlock]) -> [ParsedBlock] {
    var found = Set(blocks.map(\.index))
    var waiting = blocks
    while let block = waiting.popLast() {
      for index in needs(of: block) where found.insert(index).inserted {
        waiting.append(document.blocks[index])
      }
    }
    return found.subtracting(blocks.map(\.index)).sorted().map { document.blocks[$0] }
  }

  private func needs(of block: ParsedBlock) -> [Int] {
    var places: [RequestPlace] = []
    var expressions = expressions(of: block)
    for definition in definitions(for: block) {
      let (owner, line) = (document.blocks[definition.block], line(of: definition))
      expressions += owner.references.filter { line.contains(owner.absolute($0.range).lowerBound) }
        .map { ($0.expression, block.absolute(block.leadingLine).lowerBound) }
    }
    var search = ReadingSearch(scope)
    for (expression, offset) in expressions {
      places += search.requests(readBy: expression, at: offset)
    }
    if readsTemplate(block) {
      places += document.names.definedAfterResponse.keys.compactMap(scope.placeDefining)
    }
    let naming = RequestNaming(scope, 0)
    places += block.dependencyTags.compactMap { naming.place(of: $0, in: block) }
    for directive in block.directives where directive.kind == .runRequest {
      // A name that is nobody's is told when the request is sent.
      places += (try? naming.targets(of: directive, in: block).get()) ?? []
    }
    for name in block.assertedNames {
      places += Evaluator.requestNames(in: name).lazy.compactMap {
        scope.files.place(referredToAs: $0, from: 0)
      }.prefix(1)
    }
    return places.map(\.block)
  }

  // MARK: - Definitions

  /// The definitions that a block needs.
  func definitions(for block: ParsedBlock) -> Set<NameIndex.Definition> {
    var chosen: Set<NameIndex.Definition> = []
    var waiting = names(in: block)
    while let (name, offset) = waiting.popLast() {
      guard let place = definition(of: name, at: offset), chosen.insert(place).inserted else {
        continue
      }
      let owner = document.blocks[place.block]
      let line = owner.variables[place.index].line
      // What a tool fixes where it is defined is looked up there, all else where it is used.
      let isFixed = dialect.redefinition == .topDownFixed && !owner.variables[place.index].isLazy
      for reference in owner.references where line.contains(reference.range.lowerBound) {
        let use = isFixed ? owner.absolute(line).lowerBound - 1 : offset
        waiting += RequestNeeds.names(in: reference.expression).map { ($0, use) }
      }
    }
    if dialect.redefinition == .topDownFixed, chosen.contains(where: isRedefined) {
      // Each of several values may be fixed in another definition.
      chosen.formUnion(all { $0 < block.requestLine.lowerBound })
    }
    return chosen
  }

  /// Whether the file defines the name of a definition more than once.
  func isRedefined(_ definition: NameIndex.Definition) -> Bool {
    let block = document.blocks[definition.block]
    let name = block.name(of: block.variables[definition.index])
    return (document.names.definitions[name] ?? []).count > 1
  }

  /// Whether a definition stands above all requests of the text that is about a block, because it
  /// holds for those that know no others below them.
  func isForAll(_ definition: NameIndex.Definition, about block: ParsedBlock) -> Bool {
    if looksAhead { return false }
    if !isRedefined(definition), isGlobal(definition.block) { return true }
    // Where values are fixed, all that fix them keep their order.
    return definition.block < block.index
      && (isGlobal(definition.block) || dialect.redefinition == .topDownFixed)
  }

  /// Whether a request knows what is defined further down.
  var looksAhead: Bool {
    dialect.redefinition == .nearestAbove || dialect.redefinition == .lastInFile
  }

  /// Whether a definition must stand in a block because that has another value for the name, and
  /// the last one of a file counts.
  func overrules(_ definition: NameIndex.Definition, in block: ParsedBlock) -> Bool {
    guard dialect.redefinition == .lastInFile else { return false }
    let owner = document.blocks[definition.block]
    let name = owner.name(of: owner.variables[definition.index])
    return document.names.definitions[name]?.contains { $0.block == block.index } ?? false
  }

  /// Whether definitions must stand behind those of a block.
  func isLastWord(_ lines: [Range<Int>], in block: ParsedBlock) -> Bool {
    dialect.redefinition == .lastInFile && !lines.isEmpty && !block.variables.isEmpty
  }

  /// Where the line of a definition is.
  func line(of definition: NameIndex.Definition) -> Range<Int> {
    let block = document.blocks[definition.block]
    return block.absolute(block.variables[definition.index].line)
  }

  private func all(where isWanted: (Int) -> Bool) -> [NameIndex.Definition] {
    document.names.definitions.values.joined().filter { place in
      let block = document.blocks[place.block]
      return isWanted(block.absolute(block.variables[place.index].line).lowerBound)
    }
  }

  /// The definition in force at an offset.
  private func definition(of name: String, at offset: Int) -> NameIndex.Definition? {
    guard let places = document.names.definitions[name],
      let found = scope.lookup(name, at: offset)
    else { return nil }
    return places.first { place in
      let block = document.blocks[place.block]
      return block.absolute(block.variables[place.index].value) == found.origin.range
    }
  }

  /// The names that a block asks for, with where it does.
  private func names(in block: ParsedBlock) -> [(name: String, offset: Int)] {
    var names = expressions(of: block).flatMap { expression, offset in
      RequestNeeds.names(in: expression).map { ($0, offset) }
    }
    let line = block.absolute(block.leadingLine).lowerBound
    // Nobody refers to them: some say something for all requests, others outlive them.
    let always = RequestSettings.variables + block.assertedNames
      + document.names.globals.filter { $0.value.contains { isGlobal($0.block) } }.map(\.key)
    names += always.map { ($0, line) }
    if readsTemplate(block) { names += document.names.definitions.keys.map { ($0, line) } }
    return names
  }

  private func isGlobal(_ block: Int) -> Bool { document.blocks[block].syntax.kind == .global }

  /// Whether the body has files whose references nobody knows before they are read.
  private func readsTemplate(_ block: ParsedBlock) -> Bool {
    let substitutes = dialect.fileBody != .rawPlain || block.writtenMethod == "GRAPHQL"
      || block.metadata.contains { $0.kind == .injectVariables }
    return (block.request?.body?.lines ?? SyntaxList()).contains { line in
      guard case .file(let redirect) = line.kind else { return false }
      return substitutes || redirect.marker == .includeSubstituted
    }
  }

  /// The expressions of a block, in references and in tags, with where they stand.
  private func expressions(of block: ParsedBlock) -> [(ReferenceExpression, Int)] {
    var result = block.references.map { ($0.expression, block.absolute($0.range).lowerBound) }
    if let tag = block.loopTag, let expression = LoopSyntax(block.text(tag.value)).expression {
      result.append((expression, block.absolute(tag.value).lowerBound))
    }
    if let tag = block.disabledTag {
      let text = block.text(tag.value).filter { !"! {}\t".contains($0) }
      result.append((ReferenceExpression(parsing: text), block.absolute(tag.value).lowerBound))
    }
    return result
  }

  /// The names of definitions that an expression may mean.
  private static func names(in expression: ReferenceExpression) -> [String] {
    switch expression {
    case .path(let name, let rest): rest.isEmpty ? [name] : [name + rest, name]
    case .dynamic(let name, let arguments):
      // `$global.name`, and `$dotenv %name`, which means what the value names.
      name.split(separator: ".").dropFirst().prefix(1).map(String.init)
        + arguments.split(separator: " ").filter { $0.hasPrefix("%") }
        .map { String($0.dropFirst()) }
    case .script, .empty: []
    }
  }

  // MARK: - Lines for all requests

  /// The ranges of the lines in other blocks that say something for a block: imports, the prefixes
  /// of namespaces, and fragments that its text uses.
  func lines(for block: ParsedBlock) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var hasMore = !document.names.fragments.isEmpty
    var text = hasMore ? String(decoding: document.bytes[block.range], as: UTF8.self) : ""
    var fragments: Set<Int> = []
    while hasMore {
      hasMore = false
      for (name, place) in document.names.fragments
      where place.block != block.index && text.contains("...\(name)") {
        let owner = document.blocks[place.block]
        let range = owner.absolute(owner.syntax.fragments[place.index].range)
        guard fragments.insert(range.lowerBound).inserted else { continue }
        result.append(range)
        text += String(decoding: document.bytes[range], as: UTF8.self)
        hasMore = true
      }
    }
    result += commonLines.filter { $0.block != block.index }.map(\.range)
    return result.sorted { $0.lowerBound < $1.lowerBound }
  }
}
