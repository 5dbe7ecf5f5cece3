// What names mean at a place in a file: layers with provenance (PK-60).

import PostKitHTTP
package import PostKitJSON
package import PostKitSyntax
import PostKitText

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
  /// Those of them that are asked for as secrets, for whoever colours their names.
  package var secretPrompts: Set<String> = []
  /// What was got for what requests need.
  package var answers = NeedAnswers()
  /// Whether a label stands for an answer that is not there: to look without asking.
  package var assumesAnswers = false
  /// Values of definitions that stand after a request, once it has been answered (PK-26).
  package var afterResponse: [String: JSONValue] = [:]
  /// What requests set for all others by `@global.name = value` (PK-59).
  package var globals: [String: GlobalValue] = [:]
  /// Why names that a request defines by its response have no value although it was answered.
  package var lacking: [String: EvaluationProblem.Kind] = [:]
  /// What scripts of the run have set.
  package var scripted = ScriptedValues()
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
    let shared = files.files[file].content.sharedBlocks
    return shared.contains { $0.index == block.index } ? [] : shared
  }

  /// Makes the names of another file seen in a file; `nil` where that was possible, else why not.
  package mutating func add(
    importOf path: String, in file: Int, _ loader: RequestFileLoader
  ) -> EvaluationProblem.Kind? {
    files.add(importOf: path, in: file, loader)
  }

  /// Joins what a file, those that it imports, and its environments define.
  package init(
    files: RequestFiles, environments: EnvironmentSet, dialect: Dialect,
    overrides: [String: String] = [:]
  ) {
    self.files = files
    self.environments = environments
    mainDialect = dialect
    self.overrides = overrides
  }

  /// Joins what one file and its environments define.
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
    Set(nameGroups.joined()).sorted().compactMap { lookup($0, at: offset) }
  }

  /// The names that a request defines by its response and that have no value yet, each with the
  /// words for that request.
  package var definedLater: [(name: String, request: String)] {
    Set(writtenNames(\.definedAfterResponse.keys).joined()).sorted().compactMap { name in
      lookup(name, at: .max) == nil ? requestDefining(name).map { (name, $0) } : nil
    }
  }

  /// Whether a variable that says something for all requests is defined anywhere that a file, an
  /// environment or a user can define it.
  var mayDefineSettings: Bool {
    func isDefined(in values: [String: some Any]) -> Bool {
      !values.isEmpty && RequestSettings.variables.contains { values[$0] != nil }
    }
    return isDefined(in: environments.definitions) || isDefined(in: overrides)
      || isDefined(in: scripted.request) || isDefined(in: prompted)
      || isDefined(in: afterResponse) || isDefined(in: globals)
      || files.files.contains(where: \.content.definesSettings)
  }

  /// The definition that a name has at an offset of the file.
  package func lookup(_ name: String, at offset: Int) -> VariableDefinition? {
    if onlyFileDefines { return fileVariable(name, at: offset, in: nil) }
    for layer in layers where mayDefine(layer) {
      if let found = definition(of: name, at: offset, in: layer) { return found }
    }
    return nil
  }

  /// Whether the definition of a name is the same at each offset.
  func definesEverywhere(_ name: String) -> Bool {
    onlyFileDefines && dialect(of: file).redefinition == .nearestAbove
      && files.files[0].content.names.definitions[name]?.count == 1
  }

  /// All definitions of a name at an offset, the one in force first.
  package func candidates(_ name: String, at offset: Int) -> [VariableDefinition] {
    var result: [VariableDefinition] = []
    for layer in layers {
      var found = definition(of: name, at: offset, in: layer).map { [$0] } ?? []
      if layer == .importedFiles {
        found = files.files[file].visible.compactMap { fileVariable(name, at: .max, in: $0) }
      }
      if layer == .environments { found += environments.shadowed[name] ?? [] }
      // A global that the request sets is a definition of its file, too.
      result += found.filter { !result.contains($0) }
    }
    return result
  }

  /// Where definitions are looked for.
  private enum Layer {
    case overrides, prompts, request, loop, globals, responses, file, importedFiles, overlay
    case environments
  }

  private static let fileFirst: [Layer] = [
    .overrides, .prompts, .request, .loop, .globals, .responses, .file, .importedFiles, .overlay,
    .environments,
  ]
  private static let environmentFirst: [Layer] = [
    .overrides, .prompts, .loop, .overlay, .environments, .globals, .responses, .file,
    .importedFiles, .request,
  ]

  /// The layers, the highest first.
  private var layers: [Layer] {
    switch dialect(of: file).precedence {
    case .fileFirst: Scope.fileFirst
    case .environmentFirst: Scope.environmentFirst
    }
  }

  /// Whether there is anything in a layer; most are empty, and to hand on even that nothing was
  /// found there takes longer than to ask.
  private func mayDefine(_ layer: Layer) -> Bool {
    switch layer {
    case .overrides: !overrides.isEmpty
    case .request: !scripted.request.isEmpty
    case .overlay: !scripted.overlay.isEmpty
    case .prompts: !prompted.isEmpty
    case .loop: !loop.isEmpty
    case .globals:
      !globals.isEmpty || !files.files[file].content.names.globals.isEmpty
        || !files.files[file].visible.isEmpty
    case .responses: !afterResponse.isEmpty
    case .file: true
    case .importedFiles: !files.files[file].visible.isEmpty
    case .environments: !environments.definitions.isEmpty
    }
  }

  /// Whether there is nothing in any layer but that of a file which reaches no other one: hardly
  /// anything is as frequent as to look a name up there.
  private var onlyFileDefines: Bool {
    overrides.isEmpty && prompted.isEmpty && scripted.isEmpty && loop.isEmpty && globals.isEmpty
      && afterResponse.isEmpty && environments.definitions.isEmpty && files.files.count == 1
      && files.files[0].content.names.globals.isEmpty
  }

  /// The definition in force within a layer.
  private func definition(of name: String, at offset: Int, in layer: Layer) -> VariableDefinition? {
    switch layer {
    case .overrides: overrides[name].map { plain(name, .string($0), .override) }
    case .prompts: prompted[name].map { plain(name, .string($0), .prompt) }
    case .loop: loop[name].map { plain(name, $0, .loop) }
    case .globals: global(name, at: offset)
    case .responses: afterResponse[name].map { plain(name, $0, .response) }
    case .request: scripted.request[name].map { plain(name, $0, .script) }
    case .overlay: scripted.overlay[name].map { plain(name, $0, .script) }
    case .file: ownVariable(name, at: offset)
    case .importedFiles: importedVariable(name)
    case .environments: environments.definitions[name]
    }
  }

  private func importedVariable(_ name: String) -> VariableDefinition? {
    for index in files.files[file].visible {
      if let found = fileVariable(name, at: .max, in: index) { return found }
      if let found = exported(name, in: index) { return found }
    }
    return nil
  }

  /// The request whose answer gives a name its value.
  package func placeDefining(_ name: String) -> RequestPlace? {
    for index in [file] + files.files[file].visible {
      let content = files.files[index].content
      guard let block = content.names.definedAfterResponse[name] else { continue }
      return content.blocks[block].isRequest ? RequestPlace(file: index, block: block) : nil
    }
    return nil
  }

  /// The request whose answer gives a name its value, in words: its name, or method and target.
  package func requestDefining(_ name: String) -> String? {
    placeDefining(name).map(files.block).flatMap { $0.isRequest ? $0.caption : nil }
  }

  /// The request that a reference means by its first segment.
  package func request(referredToAs name: String) -> ParsedBlock? {
    files.place(referredToAs: name, from: file).map(files.block)
  }

  /// A definition that no file holds.
  func plain(
    _ name: String, _ value: JSONValue, _ layer: VariableOrigin.Layer
  ) -> VariableDefinition {
    var result = VariableDefinition(name: name, value: value, origin: VariableOrigin(layer: layer))
    result.isLiteral = layer == .response || layer == .global || layer == .script
    return result
  }

  private func start(_ definition: NameIndex.Definition, _ file: RequestFiles.Content) -> Int {
    let block = file.blocks[definition.block]
    return block.range.lowerBound + block.variables[definition.index].line.lowerBound
  }

  /// The nearest definition above, else the last one below (PK-34, PK-96); in another file, the
  /// last one.
  func fileVariable(_ name: String, at offset: Int, in other: Int?) -> VariableDefinition? {
    let content = files.files[other ?? file].content
    let dialect = dialect(of: other ?? file)
    guard let places = content.names.definitions[name], let last = places.last else { return nil }
    var chosen = last
    // One alone holds wherever it stands.
    let isAlone = places.count == 1 && dialect.redefinition == .nearestAbove
    if !isAlone, dialect.redefinition != .lastInFile {
      // The starts ascend.
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if start(places[middle], content) <= offset { low = middle + 1 } else { high = middle }
      }
      if low > 0 {
        chosen = places[low - 1]
      } else if dialect.redefinition != .nearestAbove {
        // What stands in a block without a request holds for all.
        let global = places.last { content.blocks[$0.block].syntax.kind == .global }
        guard let global else { return nil }
        chosen = global
      }
    }
    return definition(chosen, in: other ?? file)
  }

  /// A definition with its value as the file has it.
  func definition(_ chosen: NameIndex.Definition, in index: Int) -> VariableDefinition {
    let content = files.files[index].content
    let dialect = dialect(of: index)
    let block = content.blocks[chosen.block]
    let variable = block.variables[chosen.index]
    let range = block.absolute(variable.value)
    let written = block.keptText(variable.value)
    let isFile = variable.form == .file
    let text = isFile ? written : FileVariableValue.text(written, dialect.escapes)
    let origin = VariableOrigin(
      layer: index == file ? .file : .importedFile,
      path: index == file ? "" : files.files[index].path,
      range: range, line: content.lines.line(at: range.lowerBound) + 1)
    var definition = VariableDefinition(
      name: block.name(of: variable), value: .string(text), origin: origin, isLazy: variable.isLazy)
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
    guard escapes != .none, written.withBytes({ $0.contains(UInt8(ascii: "\\")) }),
      !isWindowsPath(written)
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
