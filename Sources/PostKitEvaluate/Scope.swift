// What names mean at a place in a file: layers with provenance (PK-60).

package import PostKitJSON
package import PostKitSyntax

/// The names that a request can use.
package struct Scope: Sendable {
  /// The file with those that it imports and runs.
  package private(set) var files: RequestFiles
  /// The file in which names are looked up.
  package var file = 0
  package let environments: EnvironmentSet
  /// The reading of the file that was asked for.
  private var mainDialect: Dialect
  /// The imported file whose value is being worked out, where there is one: what stands in it is
  /// read as that file is.
  var valueFile: Int?
  /// Values given for this run: `--var`, `variables` of `postkit.send`.
  package var overrides: [String: String]
  /// Answers to `@prompt`; they rank below overrides.
  package var prompted: [String: String] = [:]
  /// Answers to references such as `$input`, by their labels.
  package var answers: [String: String] = [:]
  /// Whether a label stands for an answer that is not there: to look without asking.
  package var assumesAnswers = false
  /// Values of definitions that stand after a request, once it has been answered (PK-26).
  package var afterResponse: [String: JSONValue] = [:]
  /// What requests set for all others by `@global.name = value` (PK-59).
  package var globals: [String: GlobalValue] = [:]
  /// Why names that a request defines by its response have no value although it was answered.
  package var lacking: [String: EvaluationProblem.Kind] = [:]
  /// What a loop gives in the present turn: its variable, and `$index`.
  package var loop: [String: JSONValue] = [:]
  /// What references with wildcards stand for in the present turn, by their text (PK-71).
  package var iteration: [String: JSONValue] = [:]

  /// The reading of what is being worked out.
  package var dialect: Dialect { dialect(of: valueFile ?? file) }

  /// The reading of one of the files.
  package func dialect(of file: Int) -> Dialect { files.files[file].dialect ?? mainDialect }

  /// Begins to work out a value as its own file is read. What a tool fixes where it is defined
  /// sees the names of that file; other values see those where they are used.
  mutating func enter(_ definition: VariableDefinition) -> (file: Int, valueFile: Int?) {
    let outer = (file, valueFile)
    valueFile = definition.file
    if let imported = definition.file, definition.fixedAt != nil { file = imported }
    return outer
  }

  /// Goes back to where a value is used.
  mutating func leave(_ outer: (file: Int, valueFile: Int?)) { (file, valueFile) = outer }

  /// The document in which names are looked up.
  package var document: ParsedDocument { files.files[file].document }

  /// The shared blocks whose metadata and headers are the defaults of a block (PK-40).
  package func sharedBlocks(for block: ParsedBlock) -> [ParsedBlock] {
    guard dialect.sharesBlocks else { return [] }
    let shared = document.sharedBlocks
    return shared.contains { $0.index == block.index } ? [] : shared
  }

  /// Joins what a file, those that it imports, and its environments define; takes no time.
  package init(
    files: RequestFiles, environments: EnvironmentSet, dialect: Dialect,
    overrides: [String: String] = [:]
  ) {
    self.files = files
    self.environments = environments
    mainDialect = dialect
    self.overrides = overrides
  }

  /// Joins what one file and its environments define; takes no time.
  package init(
    document: ParsedDocument, environments: EnvironmentSet, dialect: Dialect,
    overrides: [String: String] = [:]
  ) {
    self.init(
      files: RequestFiles(document), environments: environments, dialect: dialect,
      overrides: overrides)
  }

  /// The same names by another reading of the file that was asked for.
  package func read(as document: ParsedDocument, _ dialect: Dialect) -> Scope {
    var result = self
    result.files.replaceMain(by: document)
    result.mainDialect = dialect
    return result
  }

  /// Every name that can be used at an offset, each with the definition that wins there.
  package func definitions(at offset: Int) -> [VariableDefinition] {
    var names = Set(environments.definitions.keys)
    for index in [file] + files.files[file].visible {
      names.formUnion(files.files[index].document.names.definitions.keys)
    }
    names.formUnion(loop.keys)
    names.formUnion(overrides.keys)
    names.formUnion(prompted.keys)
    names.formUnion(afterResponse.keys)
    names.formUnion(globals.keys)
    return names.sorted().compactMap { lookup($0, at: offset) }
  }

  /// The names that a request defines by its response and that have no value yet, each with the
  /// words for that request.
  package var definedLater: [(name: String, request: String)] {
    var names: Set<String> = []
    for index in [file] + files.files[file].visible {
      names.formUnion(files.files[index].document.names.definedAfterResponse.keys)
    }
    return names.sorted().compactMap { name in
      lookup(name, at: .max) == nil ? requestDefining(name).map { (name, $0) } : nil
    }
  }

  /// Whether a name is defined anywhere that a file, an environment or a user can define it.
  func mayDefine(_ name: String) -> Bool {
    environments.definitions[name] != nil || overrides[name] != nil || prompted[name] != nil
      || afterResponse[name] != nil || globals[name] != nil
      || files.files.contains { $0.document.names.definitions[name] != nil }
  }

  /// The definition that a name has at an offset of the file.
  package func lookup(_ name: String, at offset: Int) -> VariableDefinition? {
    var found: VariableDefinition?
    search(name, at: offset) { definition in
      found = definition
      return true
    }
    return found
  }

  /// All definitions of a name at an offset, the one in force first.
  package func candidates(_ name: String, at offset: Int) -> [VariableDefinition] {
    var result: [VariableDefinition] = []
    search(name, at: offset) { definition in
      // A global that the request sets is a definition of its file, too.
      if !result.contains(definition) { result.append(definition) }
      return false
    }
    return result
  }

  /// Calls `take` with the definitions of a name, the one in force first, until it has enough.
  private func search(_ name: String, at offset: Int, _ take: (VariableDefinition) -> Bool) {
    if let value = overrides[name], take(plain(name, .string(value), .override)) { return }
    if let value = prompted[name], take(plain(name, .string(value), .prompt)) { return }
    if let value = loop[name], take(plain(name, value, .loop)) { return }
    switch dialect(of: file).precedence {
    case .fileFirst:
      _ =
        searchGlobals(name, at: offset, take) || searchFiles(name, at: offset, take)
        || searchEnvironments(name, take)
    case .environmentFirst:
      _ =
        searchEnvironments(name, take) || searchGlobals(name, at: offset, take)
        || searchFiles(name, at: offset, take)
    }
  }

  private func searchGlobals(
    _ name: String, at offset: Int, _ take: (VariableDefinition) -> Bool
  ) -> Bool {
    global(name, at: offset).map(take) ?? false
  }

  private func searchFiles(
    _ name: String, at offset: Int, _ take: (VariableDefinition) -> Bool
  ) -> Bool {
    if let value = afterResponse[name], take(plain(name, value, .response)) { return true }
    if let variable = fileVariable(name, at: offset), take(variable) { return true }
    return files.files[file].visible.contains { index in
      fileVariable(name, at: .max, in: index).map(take) ?? false
    }
  }

  private func searchEnvironments(_ name: String, _ take: (VariableDefinition) -> Bool) -> Bool {
    if let definition = environments.definitions[name], take(definition) { return true }
    return environments.shadowed[name]?.contains(where: take) ?? false
  }

  /// The request whose answer gives a name its value.
  package func placeDefining(_ name: String) -> RequestPlace? {
    for index in [file] + files.files[file].visible {
      let document = files.files[index].document
      guard let block = document.names.definedAfterResponse[name] else { continue }
      return document.blocks[block].isRequest ? RequestPlace(file: index, block: block) : nil
    }
    return nil
  }

  /// The request whose answer gives a name its value, in words: its name, or method and target.
  package func requestDefining(_ name: String) -> String? {
    placeDefining(name).map(files.block).flatMap { $0.name ?? $0.methodAndTarget }
  }

  /// The request that a reference means by its first segment.
  package func request(referredToAs name: String) -> ParsedBlock? {
    files.place(referredToAs: name, from: file).map(files.block)
  }

  /// A definition that no file holds.
  func plain(
    _ name: String, _ value: JSONValue, _ layer: VariableOrigin.Layer
  ) -> VariableDefinition {
    var result = VariableDefinition(
      name: name, value: value, origin: VariableOrigin(layer: layer))
    result.isLiteral = layer == .response || layer == .global
    return result
  }

  private func start(_ definition: NameIndex.Definition, _ document: ParsedDocument) -> Int {
    let block = document.blocks[definition.block]
    return block.range.lowerBound + block.variables[definition.index].line.lowerBound
  }

  /// The nearest definition above, else the last one below (PK-34, PK-96); in another file, the
  /// last one.
  private func fileVariable(
    _ name: String, at offset: Int, in other: Int? = nil
  ) -> VariableDefinition? {
    let document = files.files[other ?? file].document
    let dialect = dialect(of: other ?? file)
    guard let places = document.names.definitions[name], let last = places.last else { return nil }
    var chosen = last
    if dialect.redefinition != .lastInFile {
      // The starts ascend.
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if start(places[middle], document) <= offset { low = middle + 1 } else { high = middle }
      }
      if low > 0 {
        chosen = places[low - 1]
      } else if dialect.redefinition != .nearestAbove {
        // What stands in a block without a request holds for all.
        let isGlobal = { document.blocks[$0].syntax.kind == .global }
        guard let global = places.last(where: { isGlobal($0.block) }) else { return nil }
        chosen = global
      }
    }
    return definition(chosen, in: other ?? file)
  }

  /// A definition with its value as the file has it.
  func definition(_ chosen: NameIndex.Definition, in index: Int) -> VariableDefinition {
    let document = files.files[index].document
    let dialect = dialect(of: index)
    let block = document.blocks[chosen.block]
    let variable = block.variables[chosen.index]
    let range = block.absolute(variable.value)
    let written = block.keptText(variable.value)
    let isFile = variable.form == .file
    let text = isFile ? written : FileVariableValue.text(written, dialect.escapes)
    let origin = VariableOrigin(
      layer: index == file ? .file : .importedFile,
      path: index == file ? "" : files.files[index].path,
      range: range, line: document.line(at: range.lowerBound) + 1)
    var definition = VariableDefinition(
      name: variable.name, value: .string(text), origin: origin, isLazy: variable.isLazy)
    definition.isFile = isFile
    if index != file { definition.file = index }
    if dialect.redefinition == .topDownFixed, !variable.isLazy {
      definition.fixedAt = block.absolute(variable.line).lowerBound - 1
    }
    return definition
  }
}

/// Reads the value of an `@name = value` line.
enum FileVariableValue {
  /// Resolves the backslash escapes that the dialect knows (PK-33).
  static func text(_ written: String, _ escapes: Dialect.Escapes) -> String {
    guard escapes != .none, written.utf8.contains(UInt8(ascii: "\\")), !isWindowsPath(written)
    else { return written }
    var result: [UInt8] = []
    var bytes = Array(written.utf8)[...]
    while let byte = bytes.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = bytes.first else {
        result.append(byte)
        continue
      }
      bytes = bytes.dropFirst()
      switch next {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "\\"): result.append(next)
      default: result.append(contentsOf: escapes == .restClient ? [next] : [byte, next])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// `X:\…` and `\\host…` are kept as they are.
  private static func isWindowsPath(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(3))
    guard bytes.count == 3 else { return false }
    let isLetter = (65...90).contains(bytes[0] & 0xDF)
    if isLetter, bytes[1] == UInt8(ascii: ":"), bytes[2] == UInt8(ascii: "\\") { return true }
    let isHost = bytes[2] != UInt8(ascii: "\\") && bytes[2] > 32
    // `\\n` at the start is an escaped backslash and a letter far more often than a host name of
    // one letter, so a host must have a second backslash further on.
    return bytes[0] == UInt8(ascii: "\\") && bytes[1] == UInt8(ascii: "\\") && isHost
      && text.utf8.dropFirst(3).contains(UInt8(ascii: "\\"))
  }
}
